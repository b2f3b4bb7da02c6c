// SPDX-License-Identifier: MIT
// The bytes of a file: mapped where it is a regular file, collected where it is a pipe.
#ifndef GRZ_IO_FILE_H
#define GRZ_IO_FILE_H

#include "control.h"

typedef struct file_bytes {
    grz_io_file shown; // first: its address is the caller's file
    size_t capacity;   // of bytes that were collected
    grz_allocator allocator;
} file_bytes;

// Read under a control that has begun. False, with the reason, where it cannot be read.
bool grz_io_open_path(load_control *control, const char *path, file_bytes *out);
bool grz_io_open_descriptor(load_control *control, int descriptor, file_bytes *out);

void grz_io_release_file(file_bytes *file, const grz_allocator *allocator);

#endif
