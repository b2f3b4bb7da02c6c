// SPDX-License-Identifier: MIT
// Fills a model in two passes over what is shown: the first counts, so that memory is bounded and reserved at once; the
// second copies.
#include "scene/scene_fill.h"

#include <string.h>

#define NOT_MADE UINT64_MAX

// What a file may become without a limit of the caller's: so much, and so many times the bytes that were read.
#define LEAST_MODEL_LIMIT (UINT64_C(1) << 26)
enum {
    MODEL_BYTES_A_BYTE = 64,
    BYTES_A_PART = 192 // a name, its block and the part or the instance, roughly
};

// The meshes as they were read, and where in the new model each is: plain and mirrored.
typedef struct filling {
    reader *r;
    const growing_model *from;
    uint64_t (*made)[2];
    bool keeps_instances;
} filling;

uint64_t grz_io_most_model_bytes(const reader *r, uint64_t bytes)
{
    if (r->control->options.limits.memory_limit > 0)
        return UINT64_MAX;
    return LEAST_MODEL_LIMIT + MODEL_BYTES_A_BYTE * bytes;
}

bool grz_io_show(reader *r, scene_showings *showings, const scene_showing *one)
{
    if (showings->count == showings->capacity) {
        const size_t wanted = showings->capacity > 0 ? 2 * showings->capacity : 16;
        void *moved = grz_io_control_reallocate(r->control, showings->list, showings->capacity * sizeof *one,
                                                wanted * sizeof *one);
        if (moved == NULL)
            return grz_io_fail_memory(r);
        showings->list = moved;
        showings->capacity = wanted;
    }
    showings->list[showings->count++] = *one;
    return true;
}

void grz_io_release_showings(reader *r, scene_showings *showings)
{
    grz_io_control_release(r->control, showings->list, showings->capacity * sizeof *showings->list);
    *showings = (scene_showings){0};
}

// Count what the showings make, and refuse too much.
static bool count(filling *f, const scene_showings *showings, uint64_t *vertices, uint64_t *corners)
{
    const uint64_t limit = grz_io_most_model_bytes(f->r, f->r->size);
    uint64_t faces = 0;
    *vertices = *corners = 0;
    for (size_t i = 0; i < showings->count; i++) {
        const scene_showing *s = &showings->list[i];
        const grz_io_mesh *mesh = &f->from->meshes[s->mesh];
        uint64_t *made = &f->made[s->mesh][s->matrix.mirrors];
        if (!f->keeps_instances || *made == NOT_MADE) {
            *vertices += mesh->vertex_count;
            *corners += mesh->index_count;
            faces += mesh->face_count;
            *made = 0; // counted
        }
        if (*vertices > UINT32_MAX)
            return grz_io_fail(f->r, "it shows more than 4294967295 vertices");
        const uint64_t bytes =
            3 * sizeof(double) * *vertices + sizeof(uint32_t) * (*corners + faces) + BYTES_A_PART * (uint64_t)(i + 1);
        if (bytes > limit)
            return grz_io_fail(f->r,
                               "its objects, shown as often as it says, have more than the %llu MiB of vertices and "
                               "faces that a file of this size may make",
                               (unsigned long long)(limit >> 20));
    }
    return true;
}

// Copy a face; mirrored, its corners turn round behind the first.
static bool copy_face(reader *r, const uint32_t *corners, uint32_t corner_count, uint32_t base, bool mirrored)
{
    for (uint32_t i = 0; i < corner_count; i++) {
        const uint32_t from = mirrored && i > 0 ? corner_count - i : i;
        if (!reader_add_corner(r, base + corners[from]))
            return false;
    }
    return reader_end_face(r, corner_count);
}

// Copy a mesh: its vertices placed by `matrix`, its corners counting from `base` on.
static bool copy_mesh(const filling *f, uint64_t number, const scene_matrix *matrix, bool mirrored, uint64_t base)
{
    growing_model *to = &f->r->model;
    const grz_io_mesh *mesh = &f->from->meshes[number];
    const uint32_t *corners = f->from->indices + mesh->first_index;
    const uint64_t first = to->vertex_count;
    double *points = to->positions + 3 * first;
    if (mesh->vertex_count > 0) {
        memcpy(points, f->from->positions + 3 * mesh->first_vertex, (size_t)mesh->vertex_count * 3 * sizeof(double));
        grz_io_matrix_place(matrix, points, mesh->vertex_count);
        to->vertex_count += mesh->vertex_count;
    }
    for (uint64_t face = 0; face < mesh->face_count; face++) {
        const uint32_t n = f->from->corner_counts != NULL ? f->from->corner_counts[mesh->first_face + face] : 3;
        if (!copy_face(f->r, corners, n, (uint32_t)(first - base), mirrored))
            return false;
        corners += n;
    }
    return grz_io_control_goes_on(f->r->control);
}

static bool add_part(const filling *f, const scene_showing *s)
{
    return grz_io_begin_part(f->r, s->name) && copy_mesh(f, s->mesh, &s->matrix, s->matrix.mirrors, 0) &&
           grz_io_end_part(f->r);
}

static bool add_instance(const filling *f, const scene_showing *s)
{
    uint64_t *made = &f->made[s->mesh][s->matrix.mirrors];
    if (*made == NOT_MADE) {
        *made = f->r->model.mesh_count;
        if (!grz_io_begin_mesh(f->r) ||
            !copy_mesh(f, s->mesh, &grz_io_matrix_identity, s->matrix.mirrors, f->r->model.vertex_count))
            return false;
        grz_io_end_mesh(f->r);
    }
    return grz_io_add_instance(f->r, s->name, *made, s->matrix.m);
}

// Nothing is made yet.
static void forget_made(const filling *f)
{
    for (size_t i = 0; i < f->from->mesh_count; i++)
        f->made[i][0] = f->made[i][1] = NOT_MADE;
}

static bool copy_all(filling *f, const scene_showings *showings)
{
    uint64_t vertices, corners;
    forget_made(f);
    if (!count(f, showings, &vertices, &corners))
        return false;
    forget_made(f);
    if (!grz_io_reserve(f->r, vertices, corners))
        return false;
    for (size_t i = 0; i < showings->count; i++) {
        const scene_showing *s = &showings->list[i];
        if (f->from->meshes[s->mesh].face_count == 0)
            continue;
        if (!(f->keeps_instances ? add_instance(f, s) : add_part(f, s)))
            return false;
    }
    return true;
}

// Give back the meshes as they were read; what else was read is the new model's.
static void release_read(reader *r, growing_model *read)
{
    load_control *c = r->control;
    grz_io_control_release(c, read->meshes, read->mesh_capacity * sizeof *read->meshes);
    grz_io_control_release(c, read->positions, read->position_capacity * 3 * sizeof *read->positions);
    grz_io_control_release(c, read->indices, read->index_capacity * sizeof *read->indices);
    grz_io_control_release(c, read->corner_counts, read->face_capacity * sizeof *read->corner_counts);
}

bool grz_io_fill_scene(reader *r, const scene_showings *showings)
{
    growing_model read = r->model;
    const size_t made_size = (read.mesh_count + 1) * sizeof(uint64_t[2]);
    filling f = {.r = r, .from = &read, .keeps_instances = r->control->options.keep_instances};
    f.made = grz_io_control_reallocate(r->control, NULL, 0, made_size);
    if (f.made == NULL)
        return grz_io_fail_memory(r);
    r->model = (growing_model){.notes = read.notes, .note_count = read.note_count, .note_capacity = read.note_capacity};
    const bool ok = copy_all(&f, showings);
    grz_io_control_release(r->control, f.made, made_size);
    release_read(r, &read);
    return ok;
}
