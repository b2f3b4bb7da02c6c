// SPDX-License-Identifier: MIT
// Morphs at the weights of the file. RELATIVE: the base and, target after target, weight · target. NORMALIZED, which
// holds where nothing is said: the same, but the base counts 1 less the sum of the weights.
#include "collada/collada.h"

#include <math.h>
#include <string.h>

bool grz_io_collada_copy_mesh(collada *c, const xml_element *at, uint64_t from, bool mirrored)
{
    reader *r = c->r;
    const grz_io_mesh base = r->model.meshes[from];
    if (!grz_io_collada_has_room(c, at, base.vertex_count, base.index_count, base.face_count) || !grz_io_begin_mesh(r))
        return false;
    for (uint64_t i = 3 * base.first_vertex; i < 3 * (base.first_vertex + base.vertex_count); i += 3) {
        const double *p = r->model.positions + i, x = p[0], y = p[1], z = p[2]; // the array may move
        if (!reader_add_vertex(r, x, y, z))
            return false;
    }
    uint64_t first = base.first_index;
    for (uint64_t f = base.first_face; f < base.first_face + base.face_count; f++) {
        const uint32_t n = r->model.corner_counts != NULL ? r->model.corner_counts[f] : 3;
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t corner = r->model.indices[first + (mirrored && i > 0 ? n - i : i)];
            if (!reader_add_corner(r, corner))
                return false;
        }
        if (!reader_end_face(r, n) || !grz_io_collada_work(c, at, n))
            return false;
        first += n;
    }
    grz_io_end_mesh(r);
    return grz_io_collada_work(c, at, base.vertex_count);
}

// Add weight · target to the vertices of the mesh that was begun last.
static bool add_target(collada *c, const xml_element *input, const char *id, double weight)
{
    char quote[SCAN_QUOTE_SIZE];
    collada_id *target;
    const growing_model *m = &c->r->model;
    if (!grz_io_collada_try_id(c, input, id, COLLADA_GEOMETRY, &target))
        return false;
    if (target == NULL)
        return grz_io_collada_fail(c, input, "no geometry has the id %s", grz_io_collada_quote(id, quote));
    const uint64_t number = m->mesh_count - 1, count = m->meshes[number].vertex_count;
    if (target->mesh == COLLADA_NONE)
        return grz_io_collada_fail(c, input, "target %s is not read", grz_io_collada_quote(id, quote));
    const grz_io_mesh *from = &m->meshes[target->mesh];
    if (from->vertex_count != count)
        return grz_io_collada_fail(c, input, "target %s has %llu vertices, but its base has %llu",
                                   grz_io_collada_quote(id, quote), (unsigned long long)from->vertex_count,
                                   (unsigned long long)count);
    const double *add = m->positions + 3 * from->first_vertex;
    double *to = m->positions + 3 * m->meshes[number].first_vertex;
    for (uint64_t i = 0; i < 3 * count; i++)
        to[i] += weight * add[i];
    return grz_io_collada_work(c, input, count);
}

// The inputs of a morph's targets.
typedef struct morph_targets {
    const xml_element *target_input;
    collada_names targets;
    collada_source weights;
    bool normalized, any;
} morph_targets;

static bool read_targets(collada *c, const xml_element *morph, morph_targets *t)
{
    const xml_element *targets = grz_io_xml_child(morph, "targets", NULL), *weights;
    const char *method = grz_io_xml_value(morph, "method");
    t->normalized = method == NULL || strcmp(method, "NORMALIZED") == 0;
    if (!t->normalized && strcmp(method, "RELATIVE") != 0)
        return grz_io_collada_fail(c, morph, "its method is neither NORMALIZED nor RELATIVE");
    if (targets == NULL)
        return grz_io_collada_fail(c, morph, "it has no targets");
    if (!grz_io_collada_input(c, targets, "MORPH_TARGET", &t->target_input) ||
        !grz_io_collada_input(c, targets, "MORPH_WEIGHT", &weights))
        return false;
    if (t->target_input == NULL || weights == NULL)
        return grz_io_collada_fail(c, targets, "it has no input MORPH_%s", weights == NULL ? "WEIGHT" : "TARGET");
    if (!grz_io_collada_name_source(c, t->target_input, &t->targets) ||
        !grz_io_collada_source(c, weights, 1, NULL, &t->weights))
        return false;
    if (t->targets.count != t->weights.count)
        return grz_io_collada_fail(c, targets, "%llu targets have %llu weights", (unsigned long long)t->targets.count,
                                   (unsigned long long)t->weights.count);
    for (uint64_t i = 0; i < t->weights.count; i++) {
        const double weight = t->weights.numbers[i * t->weights.stride];
        if (!isfinite(weight))
            return grz_io_collada_fail(c, t->weights.accessor, "weight %llu is not a finite number",
                                       (unsigned long long)i);
        t->any = t->any || fabs(weight) > 0;
    }
    return true;
}

// Read the meshes of the targets that count, before the mesh that they are added to is begun.
static bool read_target_meshes(collada *c, const morph_targets *t)
{
    char id[COLLADA_NAME_SIZE];
    text_scan s = grz_io_collada_scan(t->targets.array);
    for (uint64_t i = 0; i < t->targets.count; i++) {
        collada_id *target;
        if (!grz_io_collada_take_name(c, &t->targets, &s, id))
            return false;
        if (!(fabs(t->weights.numbers[i * t->weights.stride]) > 0))
            continue;
        if (!grz_io_collada_try_id(c, t->target_input, id, COLLADA_GEOMETRY, &target) ||
            (target != NULL && !grz_io_collada_read_geometry(c, target)))
            return false;
    }
    return true;
}

static bool add_targets(collada *c, const morph_targets *t)
{
    char id[COLLADA_NAME_SIZE];
    double sum = 0;
    const growing_model *m = &c->r->model;
    for (uint64_t i = 0; i < t->weights.count; i++)
        sum += t->weights.numbers[i * t->weights.stride];
    const grz_io_mesh *mesh = &m->meshes[m->mesh_count - 1];
    double *points = m->positions + 3 * mesh->first_vertex;
    for (uint64_t i = 0; t->normalized && i < 3 * mesh->vertex_count; i++)
        points[i] *= 1 - sum;
    text_scan s = grz_io_collada_scan(t->targets.array);
    for (uint64_t i = 0; i < t->targets.count; i++) {
        const double weight = t->weights.numbers[i * t->weights.stride];
        if (!grz_io_collada_take_name(c, &t->targets, &s, id) ||
            (fabs(weight) > 0 && !add_target(c, t->target_input, id, weight)))
            return false;
    }
    return true;
}

bool grz_io_collada_read_morph(collada *c, collada_id *controller, const xml_element *morph)
{
    morph_targets t = {.any = false};
    if (controller->mesh != COLLADA_NONE)
        return true;
    collada_id *base = grz_io_collada_find(c, morph, grz_io_xml_value(morph, "source"), COLLADA_GEOMETRY);
    if (base == NULL || !grz_io_collada_read_geometry(c, base) || !read_targets(c, morph, &t))
        return false;
    if (t.any) {
        if (!read_target_meshes(c, &t) || !grz_io_collada_copy_mesh(c, morph, base->mesh, false) || !add_targets(c, &t))
            return false;
        c->morphed++;
    }
    controller->mesh = t.any ? c->r->model.mesh_count - 1 : base->mesh;
    return true;
}
