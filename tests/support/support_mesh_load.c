// SPDX-License-Identifier: MIT
// Test meshes from files. This is a separate source file, so that programs that read no files need no libgraze_io.
#include <stdio.h>
#include <stdlib.h>

#include <graze/io.h>

#include "support_meshes.h"

test_mesh test_mesh_load(const char *path)
{
    char full[4096];
    grz_error error;
    const char *folder = getenv("GRZ_SOURCE_DIR");
    test_mesh mesh = {0};
    grz_io_model *read;
    snprintf(full, sizeof full, "%s/%s", folder != NULL ? folder : ".", path);
    if (grz_io_load_file(full, NULL, &read, &error) != GRZ_OK) {
        fprintf(stderr, "test mesh: %s\n", error.message);
        abort();
    }
    for (uint64_t v = 0; v < read->vertex_count; v++)
        test_mesh_add_vertex(&mesh, read->positions[3 * v], read->positions[3 * v + 1], read->positions[3 * v + 2]);
    for (uint64_t face = 0, first = 0; face < read->face_count; face++) {
        const uint32_t count = read->corner_counts != NULL ? read->corner_counts[face] : 3;
        test_mesh_add_face(&mesh, read->indices + first, count);
        first += count;
    }
    grz_io_model_destroy(read);
    return mesh;
}
