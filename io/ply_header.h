// SPDX-License-Identifier: MIT
// The header of a PLY file: its encoding, and the elements that follow, each a table of so many rows of typed
// properties. Shared by ply_header.c, which reads it, and format_ply.c, which reads the rows.
#ifndef GRZ_IO_PLY_HEADER_H
#define GRZ_IO_PLY_HEADER_H

#include "reader.h"

typedef enum ply_type {
    PLY_INT8,
    PLY_UINT8,
    PLY_INT16,
    PLY_UINT16,
    PLY_INT32,
    PLY_UINT32,
    PLY_FLOAT32,
    PLY_FLOAT64,
    PLY_NO_TYPE
} ply_type;

typedef enum ply_encoding {
    PLY_NO_ENCODING,
    PLY_TEXT,
    PLY_LITTLE_ENDIAN,
    PLY_BIG_ENDIAN
} ply_encoding;

// What a property is to the model.
typedef enum ply_role {
    PLY_X, // the first three are indices into a position
    PLY_Y,
    PLY_Z,
    PLY_CORNERS, // of a face, or of triangle strips
    PLY_IGNORED
} ply_role;

typedef enum ply_kind {
    PLY_VERTEX,
    PLY_FACE,
    PLY_STRIPS,
    PLY_EDGE,
    PLY_OTHER
} ply_kind;

typedef struct ply_property {
    ply_type type;       // of the number, or of a list's numbers
    ply_type count_type; // PLY_NO_TYPE unless it is a list
    ply_role role;
} ply_property;

typedef struct ply_element {
    text_token name;
    ply_kind kind;
    uint64_t count;        // at most 10^18
    text_token count_text; // as the file has it, for messages
    uint64_t least_size;   // bytes that a row takes at least
    bool has_list;
    size_t first_property, property_count;
} ply_element;

typedef struct ply_header {
    ply_encoding encoding;
    ply_element *elements; // in file order
    size_t element_count, element_capacity;
    ply_property *properties; // of all elements, in file order
    size_t property_count, property_capacity;
    uint64_t vertex_count;
} ply_header;

// Whether the file begins as every PLY file does.
bool grz_io_is_ply(const unsigned char *bytes, size_t size);

// Bytes of a number of this type.
size_t grz_io_ply_type_size(ply_type type);

// Read the header; the cursor ends at the first byte behind it. Finish `header` also on failure.
bool grz_io_ply_header_read(reader *r, text_scan *s, ply_header *header);

void grz_io_ply_header_finish(reader *r, ply_header *header);

#endif
