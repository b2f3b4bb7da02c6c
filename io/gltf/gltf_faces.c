// SPDX-License-Identifier: MIT
// The faces of a primitive: triangles, strips and fans, with indices or without. The corners of a triangle come in the
// order of the specification (3.7.2.1). Under a matrix that mirrors, the second and the third change places, so that
// the outside stays outside (3.7.4).
#include "gltf/gltf.h"

enum {
    MODE_TRIANGLES = 4,
    MODE_STRIP = 5,
    RUN = 3 * 4096 // corners that are read at once
};

// The largest value of an index's type, which the specification reserves.
static uint32_t restart_of(const gltf_accessor *indices)
{
    return indices->component_type == GLTF_UNSIGNED_BYTE    ? UINT8_MAX
           : indices->component_type == GLTF_UNSIGNED_SHORT ? UINT16_MAX
                                                            : UINT32_MAX;
}

static bool fail_corner(gltf *g, const gltf_primitive *p, uint64_t corner, uint32_t index)
{
    if (p->has_indices && index == restart_of(&p->indices))
        return grz_io_gltf_fail(g, "index %llu is %u, the restart value, which glTF does not allow",
                                (unsigned long long)corner, (unsigned)index);
    return grz_io_gltf_fail(g, "index %llu is %u, but there are %llu vertices", (unsigned long long)corner,
                            (unsigned)index, (unsigned long long)p->positions.count);
}

// Corners [first, first + count), checked; each plus `base`.
static bool read_corners(gltf *g, const gltf_primitive *p, const gltf_accessor *indices, uint64_t first, uint64_t count,
                         uint32_t base, uint32_t *out)
{
    const uint32_t restart = p->has_indices ? restart_of(indices) : UINT32_MAX;
    if (!p->has_indices)
        for (uint64_t i = 0; i < count; i++)
            out[i] = (uint32_t)(first + i);
    else if (indices->data == NULL)
        for (uint64_t i = 0; i < count; i++)
            out[i] = 0;
    else
        grz_io_gltf_read_whole(indices, first, count, out);
    for (uint64_t i = 0; i < count; i++) {
        if (out[i] >= p->positions.count || out[i] == restart)
            return fail_corner(g, p, first + i, out[i]);
        out[i] += base;
    }
    return grz_io_gltf_goes_on(g, count);
}

static void mirror(uint32_t *corners, uint64_t count)
{
    for (uint64_t i = 0; i + 2 < count; i += 3) {
        const uint32_t second = corners[i + 1];
        corners[i + 1] = corners[i + 2];
        corners[i + 2] = second;
    }
}

static bool add_triangles(gltf *g, const gltf_primitive *p, const gltf_accessor *indices, uint32_t base, bool mirrored)
{
    growing_model *m = &g->r->model;
    for (uint64_t first = 0; first < p->corner_count; first += RUN) {
        const uint64_t count = p->corner_count - first < RUN ? p->corner_count - first : RUN;
        uint32_t *corners = m->indices + m->index_count;
        if (!read_corners(g, p, indices, first, count, base, corners))
            return false;
        if (mirrored)
            mirror(corners, count);
        m->index_count += count;
        m->face_count += count / 3;
    }
    return true;
}

// Triangle i of a strip is i, i + 1, i + 2, or i, i + 2, i + 1 where i is odd; of a fan it is i + 1, i + 2, 0.
static bool add_strip_or_fan(gltf *g, const gltf_primitive *p, const gltf_accessor *indices, uint32_t base,
                             bool mirrored)
{
    growing_model *m = &g->r->model;
    uint32_t hub, two[2], run[RUN];
    if (!read_corners(g, p, indices, 0, 1, base, &hub) || !read_corners(g, p, indices, 0, 2, base, two))
        return false;
    const bool fan = p->mode != MODE_STRIP;
    for (uint64_t first = 2; first < p->corner_count; first += RUN) {
        const uint64_t count = p->corner_count - first < RUN ? p->corner_count - first : RUN;
        if (!read_corners(g, p, indices, first, count, base, run))
            return false;
        for (uint64_t i = 0; i < count; i++) {
            uint32_t *corners = m->indices + m->index_count;
            const bool odd = (first + i) % 2 == 1;
            corners[0] = fan ? two[1] : two[0];
            corners[1] = fan || odd ? run[i] : two[1];
            corners[2] = fan ? hub : odd ? two[1] : run[i];
            if (mirrored)
                mirror(corners, 3);
            m->index_count += 3;
            m->face_count++;
            two[0] = two[1];
            two[1] = run[i];
        }
    }
    return true;
}

// The indices of a sparse accessor as an array of their own. NULL, with the reason, without memory.
static uint32_t *expand(gltf *g, const gltf_accessor *a)
{
    double *numbers = grz_io_gltf_read_new(g, a);
    uint32_t *whole = numbers != NULL ? grz_io_gltf_allocate(g, a->count, sizeof *whole) : NULL;
    for (uint64_t i = 0; whole != NULL && i < a->count; i++)
        whole[i] = (uint32_t)numbers[i];
    grz_io_gltf_release(g, numbers, a->count, sizeof *numbers);
    return whole;
}

bool grz_io_gltf_add_faces(gltf *g, const gltf_primitive *p, uint32_t first_vertex, bool mirrored)
{
    gltf_accessor indices = p->indices;
    uint32_t *expanded = NULL;
    if (p->has_indices && indices.sparse_count > 0) {
        gltf_accessor plain = indices;
        plain.normalized = false;
        expanded = expand(g, &plain);
        if (expanded == NULL)
            return false;
        // Bytes of this processor's order: the array is read through them, as the file's are.
        for (uint64_t i = 0; i < indices.count; i++) {
            unsigned char *bytes = (unsigned char *)&expanded[i];
            const uint32_t index = expanded[i] == restart_of(&p->indices) ? UINT32_MAX : expanded[i];
            for (int k = 0; k < 4; k++)
                bytes[k] = (unsigned char)(index >> (8 * k));
        }
        indices.data = (const unsigned char *)expanded;
        indices.component_type = GLTF_UNSIGNED_INT;
        indices.stride = sizeof *expanded;
    }
    const bool ok = p->mode == MODE_TRIANGLES ? add_triangles(g, p, &indices, first_vertex, mirrored)
                                              : add_strip_or_fan(g, p, &indices, first_vertex, mirrored);
    grz_io_gltf_release(g, expanded, indices.count, sizeof *expanded);
    return ok;
}
