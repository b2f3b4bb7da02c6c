// SPDX-License-Identifier: MIT
// Fuzzes the glTF reader: the input is the file, as JSON or as GLB. It is refused with a message of one line, or gives
// a model that keeps its promises, with and without shared meshes.
#include <graze/io.h>

#include "support_fuzz_models.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_scene_file("glTF", data, size);
    return 0;
}
