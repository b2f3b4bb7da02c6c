// SPDX-License-Identifier: MIT
// Fuzzes the STL reader: the input is the file. What is checked, and how files are mutated: support_fuzz_files.h.
#include <graze/io.h> // so that the build links the readers
#include "support_fuzz_files.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return fuzz_mutate_file(FUZZ_STL, data, size, max_size, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_read(FUZZ_STL, data, size);
    return 0;
}
