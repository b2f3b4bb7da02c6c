// SPDX-License-Identifier: MIT
// A small XML file as a tree, read by expat. Text between elements is dropped: URDF and SRDF have all in attributes.
// Documents that declare entities or refer to other documents are refused: they can grow without bound, or read files.
#ifndef GRZ_CLI_ROBOT_XML_H
#define GRZ_CLI_ROBOT_XML_H

#include <stdbool.h>
#include <stddef.h>

typedef struct xml_element xml_element;
struct xml_element {
    char *name;
    char **attributes;            // name, value, name, value, …, NULL
    unsigned long line;           // where it begins, from 1
    xml_element *children, *last; // in the order of the file
    xml_element *next;            // of the same parent
    xml_element *parent;
};

// Read a document. Returns its root, for xml_free(); NULL where it is not well formed, is refused, or nests too
// deep: `message`, of `size` bytes, says what is wrong, with its line, and without the file's name.
xml_element *xml_read(const unsigned char *bytes, size_t count, char *message, size_t size);

// NULL is accepted.
void xml_free(xml_element *root);

// The value of an attribute; NULL: there is none.
const char *xml_attribute(const xml_element *of, const char *name);

// The next child with this name after `after`, NULL: the first. NULL: there is none.
const xml_element *xml_child(const xml_element *of, const char *name, const xml_element *after);

// Whether the bytes begin as XML does: '<' behind white space and a byte order mark.
bool xml_begins(const unsigned char *bytes, size_t count);

#endif
