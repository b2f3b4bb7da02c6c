// SPDX-License-Identifier: MIT
// Fuzzes the 3MF reader: an input that begins as a zip archive does is the file; any other is the XML of a model in a
// package around it. It is refused with a message of one line, or gives a model that keeps the promises of
// <graze/io.h>; read with shared meshes it is the same, bit for bit.
#include <graze/io.h>

#include <stdlib.h>

#include "support_fuzz_models.h"
#include "support_package.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    package p = {0};
    if (size >= 2 && data[0] == 'P' && data[1] == 'K') {
        fuzz_scene_file("3MF", data, size);
        return 0;
    }
    package_of_model(&p, data, size);
    package_end(&p);
    fuzz_scene_file("3MF", p.archive.bytes, p.archive.size);
    free(p.archive.bytes);
    return 0;
}
