// SPDX-License-Identifier: MIT
// Tells an XML document by its root element, from its first bytes.
#ifndef GRZ_IO_XML_XML_ROOT_H
#define GRZ_IO_XML_XML_ROOT_H

#include <stdbool.h>
#include <stddef.h>

// Whether the first tag of the document is of this name, with or without a prefix. Comments, instructions and a
// document type before it are skipped. Encodings: UTF-8 and others that hold ASCII, and UTF-16.
bool grz_io_xml_root_is(const unsigned char *bytes, size_t size, const char *name);

#endif
