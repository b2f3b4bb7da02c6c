// SPDX-License-Identifier: MIT
// Fuzzes the glTF reader: the input is the file, as JSON or as GLB. It is refused with a message of one line, or gives
// a model that keeps the promises of <graze/io.h>. Read with shared meshes it is the same: each instance, placed by the
// formula of docs/use/io.md, has the positions and the corners of its part, bit for bit.
#include <graze/io.h>

#include "fuzz_input.h"
#include "support_fuzz_scenes.h"

#define MEMORY_LIMIT (UINT64_C(64) << 20) // of the model; a small file may show much

static grz_io_model *read_file(const uint8_t *data, size_t size, bool keep_instances, grz_error *error)
{
    grz_io_model *m = NULL;
    grz_io_options options = grz_io_default_options();
    options.format = "glTF";
    options.limits.memory_limit = MEMORY_LIMIT;
    options.keep_instances = keep_instances;
    const grz_status status = grz_io_load_memory("a", data, size, &options, &m, error);
    FUZZ_REQUIRE((status == GRZ_OK) == (m != NULL));
    if (m != NULL)
        return m;
    FUZZ_REQUIRE(status == GRZ_ERROR_FORMAT || status == GRZ_ERROR_MEMORY);
    FUZZ_REQUIRE(strncmp(error->message, "a: ", 3) == 0 && error->message[3] != '\0');
    for (const char *p = error->message; *p != '\0'; p++)
        FUZZ_REQUIRE((unsigned char)*p >= ' ' && *p != 0x7f);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    grz_error error, other;
    grz_io_model *parts = read_file(data, size, false, &error), *shared = read_file(data, size, true, &other);
    if (parts != NULL)
        fuzz_require_parts(parts);
    if (parts != NULL && shared != NULL)
        fuzz_require_same(parts, shared);
    // What is shared takes less memory, so that it may be read where the parts are too large.
    FUZZ_REQUIRE(parts == NULL || shared != NULL || other.code == GRZ_ERROR_MEMORY);
    if (parts == NULL && shared == NULL && error.code == other.code)
        FUZZ_REQUIRE(strcmp(error.message, other.message) == 0);
    grz_io_model_destroy(parts);
    grz_io_model_destroy(shared);
    return 0;
}
