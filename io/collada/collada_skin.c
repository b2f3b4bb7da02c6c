// SPDX-License-Identifier: MIT
// Skins: a vertex is placed by the weighted sum of its joints' matrices, each the joint's place in the scene times its
// inverse bind matrix times the bind shape matrix (1.4.1, chapter 4, "Skin Deformation"). The matrix of the node that
// shows the skin does not count. Joint -1 is the bind shape itself.
#include "collada/collada.h"

#include <math.h>
#include <string.h>

// How far the weights of a vertex may be from 1 in sum, and the last row of an inverse bind matrix from 0 0 0 1:
// rounding to a few digits is less.
#define WEIGHT_TOLERANCE 1e-3
#define BIND_TOLERANCE 1e-5

typedef struct skin {
    collada *c;
    const xml_element *element, *weights_element, *vcount, *v;
    scene_matrix bind_shape;
    scene_matrix *joints; // each from the mesh to the scene
    uint64_t joint_count;
    collada_source weights;
    uint64_t stride, joint_offset, weight_offset; // of the numbers of v
    bool mirrors;                                 // every joint does
} skin;

// 16 numbers, row after row, as a matrix.
static bool from_rows(const double *rows, double tolerance, scene_matrix *out)
{
    double columns[16];
    for (int i = 0; i < 16; i++) {
        if (!isfinite(rows[i]))
            return false;
        columns[4 * (i % 4) + i / 4] = rows[i];
    }
    return grz_io_matrix_from_columns(columns, tolerance, out);
}

static bool read_bind_shape(skin *s)
{
    double rows[16];
    const xml_element *e = grz_io_xml_child(s->element, "bind_shape_matrix", NULL);
    s->bind_shape = grz_io_matrix_identity;
    if (e == NULL)
        return true;
    return grz_io_collada_numbers(s->c, e, rows, 16) && (from_rows(rows, BIND_TOLERANCE, &s->bind_shape) ||
                                                         grz_io_collada_fail(s->c, e, "its last row is not 0 0 0 1"));
}

static bool bind_joints(skin *s, const collada_source *binds)
{
    uint64_t mirrored = 0;
    for (uint64_t i = 0; i < s->joint_count; i++) {
        scene_matrix bind;
        if (!from_rows(binds->numbers + i * binds->stride, BIND_TOLERANCE, &bind))
            return grz_io_collada_fail(s->c, binds->accessor, "the last row of inverse bind matrix %llu is not 0 0 0 1",
                                       (unsigned long long)i);
        bind = grz_io_matrix_multiply(&s->joints[i], &bind);
        s->joints[i] = grz_io_matrix_multiply(&bind, &s->bind_shape);
        mirrored += s->joints[i].mirrors;
    }
    s->mirrors = s->joint_count > 0 && mirrored == s->joint_count;
    return true;
}

static bool read_joints(skin *s, const xml_element *instance, const xml_element **names_input)
{
    collada *c = s->c;
    const xml_element *joints = grz_io_xml_child(s->element, "joints", NULL), *binds_input;
    collada_names names;
    collada_source binds;
    if (joints == NULL)
        return grz_io_collada_fail(c, s->element, "it has no joints");
    if (!grz_io_collada_input(c, joints, "JOINT", names_input) ||
        !grz_io_collada_input(c, joints, "INV_BIND_MATRIX", &binds_input))
        return false;
    if (*names_input == NULL || binds_input == NULL)
        return grz_io_collada_fail(c, joints, "it has no input %s", binds_input == NULL ? "INV_BIND_MATRIX" : "JOINT");
    if (!grz_io_collada_name_source(c, *names_input, &names) ||
        !grz_io_collada_source(c, binds_input, 16, NULL, &binds))
        return false;
    if (binds.count < names.count)
        return grz_io_collada_fail(c, joints, "%llu joints have %llu inverse bind matrices",
                                   (unsigned long long)names.count, (unsigned long long)binds.count);
    s->joints = grz_io_collada_allocate(c, names.count, sizeof *s->joints);
    s->joint_count = names.count;
    return s->joints != NULL && grz_io_collada_read_joints(c, instance, &names, s->joints) && bind_joints(s, &binds);
}

static bool same_source(const xml_element *a, const xml_element *b)
{
    const char *x = grz_io_xml_value(a, "source"), *y = grz_io_xml_value(b, "source");
    return x != NULL && y != NULL && strcmp(x, y) == 0;
}

static bool read_weights(skin *s, const xml_element *names_input)
{
    collada *c = s->c;
    const xml_element *e = grz_io_xml_child(s->element, "vertex_weights", NULL), *joint, *weight;
    if (e == NULL)
        return grz_io_collada_fail(c, s->element, "it has no vertex_weights");
    s->weights_element = e;
    s->vcount = grz_io_xml_child(e, "vcount", NULL);
    s->v = grz_io_xml_child(e, "v", NULL);
    if (!grz_io_collada_input(c, e, "JOINT", &joint) || !grz_io_collada_input(c, e, "WEIGHT", &weight))
        return false;
    if (joint == NULL || weight == NULL)
        return grz_io_collada_fail(c, e, "it has no input %s", joint == NULL ? "JOINT" : "WEIGHT");
    if (!same_source(joint, names_input))
        return grz_io_collada_fail(c, joint, "its joints are not those of the skin's joints element");
    if (s->vcount == NULL || s->v == NULL)
        return grz_io_collada_fail(c, e, "it has no %s", s->vcount == NULL ? "vcount" : "v");
    for (const xml_element *i = NULL; (i = grz_io_xml_child(e, "input", i)) != NULL;) {
        uint64_t offset;
        if (!grz_io_collada_count(c, i, "offset", COLLADA_NONE, &offset))
            return false;
        s->stride = offset + 1 > s->stride ? offset + 1 : s->stride;
    }
    return grz_io_collada_count(c, joint, "offset", COLLADA_NONE, &s->joint_offset) &&
           grz_io_collada_count(c, weight, "offset", COLLADA_NONE, &s->weight_offset) &&
           grz_io_collada_source(c, weight, 1, NULL, &s->weights);
}

// Add the next joint of vertex `vertex`, times its weight, to the sum.
static bool add_joint(const skin *s, text_scan *v, uint64_t vertex, scene_matrix *sum, double *total)
{
    collada *c = s->c;
    int64_t joint = 0, index = 0, number;
    for (uint64_t i = 0; i < s->stride; i++) {
        bool ended;
        if (!grz_io_collada_take(c, s->v, v, 0, &number, &ended))
            return false;
        if (ended)
            return grz_io_collada_fail(c, s->v, "it ends at vertex %llu", (unsigned long long)vertex);
        joint = i == s->joint_offset ? number : joint;
        index = i == s->weight_offset ? number : index;
    }
    if (joint < -1 || (joint >= 0 && (uint64_t)joint >= s->joint_count))
        return grz_io_collada_fail(c, s->v, "vertex %llu has joint %lld, but there are %llu",
                                   (unsigned long long)vertex, (long long)joint, (unsigned long long)s->joint_count);
    if (index < 0 || (uint64_t)index >= s->weights.count)
        return grz_io_collada_fail(c, s->v, "vertex %llu has weight %lld, but there are %llu",
                                   (unsigned long long)vertex, (long long)index, (unsigned long long)s->weights.count);
    const double weight = s->weights.numbers[(uint64_t)index * s->weights.stride];
    const scene_matrix *m = joint < 0 ? &s->bind_shape : &s->joints[joint];
    for (int k = 0; fabs(weight) > 0 && k < 12; k++)
        sum->m[k / 4][k % 4] += weight * m->m[k / 4][k % 4];
    *total += weight;
    return grz_io_collada_work(c, s->v, s->stride);
}

// Place the vertices of the mesh that was begun last.
static bool place_vertices(const skin *s)
{
    collada *c = s->c;
    const grz_io_mesh *mesh = &c->r->model.meshes[c->r->model.mesh_count - 1];
    double *points = c->r->model.positions + 3 * mesh->first_vertex;
    text_scan counts = grz_io_collada_scan(s->vcount), v = grz_io_collada_scan(s->v);
    uint64_t stated;
    bool ended;
    int64_t n = 0;
    if (!grz_io_collada_count(c, s->weights_element, "count", COLLADA_NONE, &stated))
        return false;
    if (stated != mesh->vertex_count)
        return grz_io_collada_fail(c, s->weights_element, "its count is %llu, but the mesh has %llu vertices",
                                   (unsigned long long)stated, (unsigned long long)mesh->vertex_count);
    for (uint64_t i = 0; i < mesh->vertex_count; i++) {
        scene_matrix sum = {.mirrors = false};
        double total = 0;
        if (!grz_io_collada_take(c, s->vcount, &counts, i + 1, &n, &ended) || !grz_io_collada_work(c, s->vcount, 1))
            return false;
        if (ended)
            return grz_io_collada_fail(c, s->vcount, "it has %llu numbers for %llu vertices", (unsigned long long)i,
                                       (unsigned long long)mesh->vertex_count);
        while (n-- > 0)
            if (!add_joint(s, &v, i, &sum, &total))
                return false;
        if (!(fabs(total - 1) <= WEIGHT_TOLERANCE))
            return grz_io_collada_fail(c, s->weights_element, "the weights of vertex %llu are %g in sum, not 1",
                                       (unsigned long long)i, total);
        grz_io_matrix_place(&sum, points + 3 * i, 1);
    }
    if (grz_io_scan_more_lines(&counts) || grz_io_scan_more_lines(&v))
        return grz_io_collada_fail(c, s->weights_element, "it has more numbers than the vertices need");
    return true;
}

bool grz_io_collada_read_skin(collada *c, const xml_element *instance, const xml_element *element, uint64_t from)
{
    skin s = {.c = c, .element = element};
    const xml_element *names_input = NULL;
    const bool ok = read_bind_shape(&s) && read_joints(&s, instance, &names_input) && read_weights(&s, names_input) &&
                    grz_io_collada_copy_mesh(c, element, from, s.mirrors) && place_vertices(&s);
    if (s.joints != NULL)
        grz_io_collada_release(c, s.joints, s.joint_count, sizeof *s.joints);
    return ok;
}
