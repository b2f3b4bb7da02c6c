// SPDX-License-Identifier: MIT
// Formats that people have models in and that are not read here: files of curved surfaces, of point clouds, and others.
// Each is recognised, so that the message says what the file is and what to do with it.
#ifndef GRZ_IO_UNREAD_H
#define GRZ_IO_UNREAD_H

#include "text_scan.h"

enum {
    UNREAD_REASON_SIZE = 400 // bytes of the longest explanation
};

// A row of the table.
typedef struct unread_format {
    const char *what;       // "STEP"
    const char *extensions; // in lower case, separated by blanks; NULL: no file is known by its name
    // The bytes with which every such file begins, up to 16; NULL: none. `start_size` counts those that may be NUL.
    const char *start;
    size_t start_size;
    const char *xml_root; // the names of the outermost element of its XML, separated by blanks; NULL: it is no XML
    // Whether the first bytes are of this format: what `start` and `xml_root` cannot say. NULL: they say all.
    bool (*fits)(const unsigned char *bytes, size_t size);
    // What replaces `what`, as IFC's version: written to `room`. NULL: nothing.
    const char *(*name)(const unsigned char *bytes, size_t size, char *room, size_t room_size);
    const char *advice; // behind "WHAT is not read"
} unread_format;

extern const unread_format grz_io_unread_formats[];
extern const size_t grz_io_unread_format_count;

bool grz_io_is_unread_by_bytes(const unsigned char *bytes, size_t size);
bool grz_io_is_unread_by_name(text_token extension);

// "STEP is not read: …". False where the file is of no format of the table.
bool grz_io_explain_unread(const char *name, const unsigned char *bytes, size_t size, char reason[UNREAD_REASON_SIZE]);

// The extension of a file's name, without its dot; of "part.obj.gz" it is "obj". Empty where there is none; NULL is
// accepted.
text_token grz_io_extension(const char *name);

// Whether a word, in any case, is one of those in `list`, which are separated by blanks.
bool grz_io_is_listed(const char *list, text_token word);

// The name of an XML text's outermost element, without its prefix; empty where the first bytes are not XML or do not
// hold it.
text_token grz_io_xml_root(const unsigned char *bytes, size_t size);

#endif
