// SPDX-License-Identifier: MIT
// An XML document as a tree, for formats whose elements refer to each other. See xml_events.h for what is refused.
#ifndef GRZ_IO_XML_XML_TREE_H
#define GRZ_IO_XML_XML_TREE_H

#include "xml/xml_events.h"

typedef struct xml_element xml_element;
struct xml_element {
    const char *name;              // as written; with `namespaces` without its prefix, if it is in the root's
                                   // namespace or in none, else "ADDRESS|NAME"
    const char *const *attributes; // name, value, name, value, …, NULL
    const char *text;              // all of its characters, those of its children not among them; may be NULL
    size_t text_length, text_room; // white space before the first other character may be missing
    uint64_t line;                 // where it begins, from 1
    xml_element *children, *last;  // in the order of the file
    xml_element *next;             // of the same parent
    xml_element *parent;
    xml_element *before; // that was made before this one
    size_t block_size;   // of this one, its name and its attributes
};

typedef struct xml_tree {
    load_control *control;
    xml_element *root, *newest;
    uint64_t element_count;
    // While it is read:
    xml_element *open; // the innermost that is not closed yet
    xml_stream *stream;
    bool namespaces;
    const char *own; // the root's name, with its address before it
    size_t own_size; // of that address; 0: it is in no namespace
} xml_tree;

// Read a document. On failure returns false, with the reason in the control. `keeps_text`: characters between tags are
// kept. In both cases the tree is to be given to grz_io_xml_free().
bool grz_io_xml_read(load_control *control, const unsigned char *bytes, size_t size, bool keeps_text, bool namespaces,
                     xml_tree *tree);

// A zeroed tree is accepted.
void grz_io_xml_free(xml_tree *tree);

// Whether an element is in another namespace than the root.
bool grz_io_xml_is_foreign(const xml_element *e);

// The value of an attribute; NULL: there is none. With `namespaces` those of other namespaces have names as elements.
const char *grz_io_xml_value(const xml_element *of, const char *name);

// The next child with this name after `after`, NULL: the first. NULL: there is none.
const xml_element *grz_io_xml_child(const xml_element *of, const char *name, const xml_element *after);

// Report that the file is damaged: "line 12: …", the line of this element. Returns false.
bool grz_io_xml_fail_at(load_control *control, const xml_element *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
