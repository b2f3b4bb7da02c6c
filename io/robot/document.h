// SPDX-License-Identifier: MIT
// One call that reads an XML document: from a file or from memory, to a tree, to what its reader makes of it.
#ifndef GRZ_IO_ROBOT_DOCUMENT_H
#define GRZ_IO_ROBOT_DOCUMENT_H

#include "xml/xml_tree.h"

// What makes something of a tree, in the plain environment (control.h). `size`: of the document. NULL, with the reason
// in the control, on failure.
typedef void *document_reader(load_control *control, const xml_element *root, uint64_t size);

// "load robot", and who reads it.
typedef struct document_call {
    const char *name;
    document_reader *read;
} document_call;

// What was made goes to *out, NULL on failure. The arguments are the caller's, and are checked here.
grz_status grz_io_load_document_file(const document_call *call, const char *path, const grz_io_options *options,
                                     void **out, grz_error *error);
grz_status grz_io_load_document_memory(const document_call *call, const char *name, const void *bytes, size_t size,
                                       const grz_io_options *options, void **out, grz_error *error);

#endif
