// SPDX-License-Identifier: MIT
// XML as a stream of events, read by expat. Strict: the document has to be well formed, declare no entities and refer
// to no other document, since those can grow without bound or read files. Bytes come in pieces, so that a document that
// is being unpacked need not be in memory. Encodings: UTF-8, UTF-16, ISO-8859-1 and US-ASCII; events give UTF-8.
// Source: W3C, "Extensible Markup Language (XML) 1.0", fifth edition, 2008; "Namespaces in XML 1.0", third edition,
// 2009.
#ifndef GRZ_IO_XML_XML_EVENTS_H
#define GRZ_IO_XML_XML_EVENTS_H

#include "control.h"

// Stands between the address of a namespace and the name of an element or attribute in it.
#define XML_NAMESPACE_END '|'

typedef struct xml_stream xml_stream;

// What happens to a document. Each function returns false where the reading is to stop, with the reason in the control.
typedef struct xml_handlers {
    // attributes: name, value, name, value, …, NULL
    bool (*begin)(void *user, const char *name, const char **attributes);
    bool (*end)(void *user, const char *name);
    // Characters between tags, in pieces that end anywhere but within a character. NULL: they are dropped.
    bool (*text)(void *user, const char *text, size_t length);
    // A prefix stands for a namespace from here on; "" is the one of names without a prefix. NULL: not of interest.
    bool (*prefix)(void *user, const char *prefix, const char *address);
} xml_handlers;

// Begin a document. `place` begins each message, "3D/3dmodel.model: "; "" where it is the file itself. `namespaces`:
// names are "ADDRESS|NAME" where they are in a namespace, and a prefix that stands for none is an error; otherwise they
// are as written. `place` and `user` outlive the stream. NULL, with the reason, without memory.
xml_stream *grz_io_xml_open(load_control *control, const char *place, const xml_handlers *handlers, void *user,
                            bool namespaces);

// Read the next piece; `last`: it is the last one. False, with the reason.
bool grz_io_xml_feed(xml_stream *x, const unsigned char *bytes, size_t size, bool last);

// About how many bytes were fed of a tag or comment whose end has not come yet.
uint64_t grz_io_xml_pending(const xml_stream *x);

// So many lines were read by the caller, who did not feed them.
void grz_io_xml_skip_lines(xml_stream *x, uint64_t lines);

// The line being read, from 1.
uint64_t grz_io_xml_line(const xml_stream *x);

// Fail at the line being read: "PLACE: line 12: …". Returns false.
bool grz_io_xml_fail(xml_stream *x, const char *format, ...) __attribute__((format(printf, 2, 3)));

// NULL is accepted.
void grz_io_xml_close(xml_stream *x);

// The value of an attribute; NULL: there is none.
const char *grz_io_xml_attribute(const char *const *attributes, const char *name);

// Whether the bytes begin as XML does: '<' behind white space and a byte order mark, also in UTF-16.
bool grz_io_xml_begins(const unsigned char *bytes, size_t size);

#endif
