// SPDX-License-Identifier: MIT
// Test meshes from files, by the tool's readers. A file of its own, so that programs that read none need no tool.
#include <stdio.h>
#include <stdlib.h>

#include "model.h"
#include "support_meshes.h"

test_mesh test_mesh_load(const char *path)
{
    char message[MODEL_MESSAGE_SIZE], full[4096];
    const char *folder = getenv("GRZ_SOURCE_DIR");
    test_mesh mesh = {0};
    model read;
    snprintf(full, sizeof full, "%s/%s", folder != NULL ? folder : ".", path);
    if (!model_read(full, &read, message)) {
        fprintf(stderr, "test mesh: %s\n", message);
        abort();
    }
    for (uint64_t v = 0; v < read.vertex_count; v++)
        test_mesh_add_vertex(&mesh, read.positions[3 * v], read.positions[3 * v + 1], read.positions[3 * v + 2]);
    for (uint64_t face = 0, first = 0; face < read.face_count; face++) {
        const uint32_t count = read.corner_counts != NULL ? read.corner_counts[face] : 3;
        test_mesh_add_face(&mesh, read.indices + first, count);
        first += count;
    }
    model_finish(&read);
    return mesh;
}
