// SPDX-License-Identifier: MIT
#include "support_arrays.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

grz_mesh_description describe_mesh(const double *positions, uint64_t vertices, const uint32_t *indices, uint64_t faces,
                                   uint32_t size)
{
    grz_mesh_description d = grz_default_mesh_description();
    d.positions = positions;
    d.position_type = GRZ_FLOAT64;
    d.vertex_count = vertices;
    d.indices = indices;
    d.index_count = indices != NULL ? faces * size : 0;
    d.face_count = faces;
    d.corners_per_face = size;
    return d;
}

grz_mesh *create_mesh(const grz_mesh_description *d)
{
    grz_mesh *mesh = NULL;
    grz_error error = {0};
    if (grz_mesh_create(test_device, d, &mesh, &error) != GRZ_OK)
        fail_msg("%s: %s", grz_status_name(error.code), error.message);
    assert_non_null(mesh);
    return mesh;
}

grz_mesh_report check_mesh(const grz_mesh *mesh)
{
    grz_mesh_report report;
    grz_error error = {0};
    if (grz_mesh_check(mesh, &report, &error) != GRZ_OK)
        fail_msg("%s: %s", grz_status_name(error.code), error.message);
    bool closed = !report.closed;
    if (grz_mesh_is_closed(mesh, &closed, &error) != GRZ_OK)
        fail_msg("%s: %s", grz_status_name(error.code), error.message);
    if (closed != report.closed)
        fail_msg("closed: the report says %d, grz_mesh_is_closed() %d", (int)report.closed, (int)closed);
    return report;
}

const double CUBE[24] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
const uint32_t CUBE_QUADS[24] = {0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7};

void *allocate_zeroed(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (block == NULL) {
        print_error("out of memory\n");
        abort();
    }
    return block;
}

void make_torus(uint32_t around, uint32_t across, bool triangles, double *positions, uint32_t *indices)
{
    const double turn = 2.0 * 3.14159265358979323846;
    for (uint32_t i = 0; i < around; i++)
        for (uint32_t j = 0; j < across; j++) {
            double u = turn * i / around, v = turn * j / across, *p = positions + 3 * ((size_t)i * across + j);
            p[0] = (2.0 + cos(v)) * cos(u);
            p[1] = (2.0 + cos(v)) * sin(u);
            p[2] = sin(v);
            uint32_t k = (i + 1) % around, l = (j + 1) % across;
            const uint32_t quad[4] = {i * across + j, k * across + j, k * across + l, i * across + l};
            const uint32_t halves[6] = {quad[0], quad[1], quad[2], quad[0], quad[2], quad[3]};
            if (triangles)
                memcpy(indices + 6 * ((size_t)i * across + j), halves, sizeof halves);
            else
                memcpy(indices + 4 * ((size_t)i * across + j), quad, sizeof quad);
        }
}
