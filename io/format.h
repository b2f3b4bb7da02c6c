// SPDX-License-Identifier: MIT
// A file format: how it is recognised and who reads it. A format is one file format_NAME.c and one line in the table
// below; nothing else names it.
#ifndef GRZ_IO_FORMAT_H
#define GRZ_IO_FORMAT_H

#include "reader.h"

typedef struct file_format {
    grz_io_format about;
    // Whether the first bytes can be of no other format. `size` is the whole file's; no more than SIGNATURE_SIZE bytes
    // are read. NULL: the format has no such signature.
    bool (*has_signature)(const unsigned char *bytes, size_t size);
    // Whether the first bytes may be of this format: a weaker sign. NULL: there is none.
    bool (*fits)(const unsigned char *bytes, size_t size);
    // Fill r->model with every vertex, face, part and note. A model without faces is refused by the caller.
    bool (*read)(reader *r);
} file_format;

// The table of formats, as grz_io_format_NAME. The order matters where a file fits several: the first has it.
#define GRZ_IO_FORMATS(FORMAT)                                                                                         \
    FORMAT(ply)                                                                                                        \
    FORMAT(off)                                                                                                        \
    FORMAT(gltf)                                                                                                       \
    FORMAT(3mf)                                                                                                        \
    FORMAT(collada)                                                                                                    \
    FORMAT(stl)                                                                                                        \
    FORMAT(obj)

#define GRZ_IO_DECLARE_FORMAT(name) extern const file_format grz_io_format_##name;
GRZ_IO_FORMATS(GRZ_IO_DECLARE_FORMAT)

// The format with this name, as grz_io_format::name has it, in any case; NULL where there is none.
const file_format *grz_io_find_format(const char *name);

// Whether the file is to be unwrapped (unwrap/unwrap.h): not a binary STL, whose header may hold any bytes.
bool grz_io_is_wrapped_model(const unsigned char *bytes, size_t size);

// The format of a file that was unwrapped; NULL where none fits, and for a format that is not read (unread/unread.h).
const file_format *grz_io_detect_format(const char *name, const unsigned char *bytes, size_t size,
                                        grz_io_evidence *evidence);

#endif
