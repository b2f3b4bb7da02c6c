// SPDX-License-Identifier: MIT
// Situations of each kind, and what is done to them afterwards: faces doubled, moved far away, scaled.
#include "situation.h"

#include <math.h>
#include <string.h>

const char *agree_kind_name(agree_kind kind)
{
    static const char *const names[] = {
#define NAME(name, text) text,
        AGREE_KINDS(NAME)
#undef NAME
    };
    return kind < AGREE_KIND_COUNT ? names[kind] : "?";
}

// Faces that are there three times, which is as good as once by the even-odd rule, and triangles without area.
static void double_faces(agree_source *s, test_mesh *mesh)
{
    const uint32_t faces = (uint32_t)mesh->face_count;
    for (int n = 0; n < 3; n++) {
        const uint32_t face = agree_below(s, faces);
        uint32_t corners[8] = {0}, first = 0;
        for (uint32_t i = 0; i < face; i++)
            first += mesh->corner_counts[i];
        const uint32_t count = mesh->corner_counts[face];
        for (uint32_t i = 0; i < count && i < 8; i++)
            corners[i] = mesh->indices[first + i];
        if (n == 2) {
            test_mesh_add_triangle(mesh, corners[0], corners[1], corners[0]);
            continue;
        }
        test_mesh_add_face(mesh, corners, count);
        test_mesh_add_face(mesh, corners, count);
    }
}

// Far from the origin, both alike.
static void move_away(agree_situation *s)
{
    for (int k = 0; k < 3; k++) {
        if (k > 0 && !agree_one_in(&s->source, 2))
            continue;
        const int axis = (k + s->d[0] + 64) % 3;
        const int64_t by = INT64_C(1) << agree_between(&s->source, 16, 34);
        for (int i = 0; i < 2; i++) {
            agree_body *body = &s->bodies[i];
            body->pose.m[axis][3] += (double)by;
            for (int n = 0; n < body->pieces.count; n++)
                for (int j = 0; j < body->pieces.list[n].corner_count; j++)
                    body->pieces.list[n].corners[j][axis] += by;
        }
    }
}

static void scale(agree_situation *s)
{
    for (int i = 0; i < 2; i++) {
        agree_body *body = &s->bodies[i];
        for (uint64_t j = 0; j < 3 * body->mesh.vertex_count; j++)
            body->mesh.positions[j] = ldexp(body->mesh.positions[j], s->exponent);
        for (int k = 0; k < 3; k++)
            body->pose.m[k][3] = ldexp(body->pose.m[k][3], s->exponent);
    }
}

// The largest magnitude in the world, in units.
static int64_t measure(const agree_situation *s)
{
    double most = 0.0;
    for (int i = 0; i < 2; i++)
        for (uint64_t v = 0; v < s->bodies[i].mesh.vertex_count; v++) {
            double world[3];
            grz_pose_apply(s->bodies[i].pose, s->bodies[i].mesh.positions + 3 * v, world);
            for (int k = 0; k < 3; k++)
                most = fmax(most, fabs(world[k]));
        }
    return (int64_t)most;
}

static void make_whole(agree_situation *s, agree_kind kind)
{
    static void (*const makers[])(agree_situation *) = {agree_make_cells, agree_make_lattices, agree_make_combs,
                                                        agree_make_piles, agree_make_nested,   agree_make_flush,
                                                        agree_make_cells, agree_make_convex,   agree_make_slivers};
    makers[kind](s);
    for (int i = 0; i < 2 && kind == AGREE_KIND_DUPLICATED; i++) {
        double_faces(&s->source, &s->bodies[i].mesh);
        s->bodies[i].wound = false;
    }
}

void agree_situation_make(agree_situation *s, agree_kind kind, agree_source source)
{
    static const int tiny[] = {-200, -300, -550, -900, -1000, -1060, -1070}, huge[] = {100, 200, 260, 270};
    memset(s, 0, sizeof *s);
    s->kind = kind;
    s->source = source;
    s->whole = true;
    switch (kind) {
    case AGREE_KIND_OFFSET:
    case AGREE_KIND_TINY:
    case AGREE_KIND_HUGE_SCALE:
        make_whole(s, (agree_kind)agree_below(&s->source, AGREE_KIND_OFFSET));
        if (kind == AGREE_KIND_OFFSET)
            move_away(s);
        else
            s->exponent = kind == AGREE_KIND_TINY ? tiny[agree_below(&s->source, sizeof tiny / sizeof *tiny)]
                                                  : huge[agree_below(&s->source, sizeof huge / sizeof *huge)];
        break;
    case AGREE_KIND_SOUP:
        agree_make_soup(s);
        break;
    case AGREE_KIND_LOOSE:
        agree_make_loose(s);
        break;
    case AGREE_KIND_ROUGH:
        agree_make_rough(s);
        break;
    case AGREE_KIND_FLOATS:
        agree_make_floats(s);
        break;
    default:
        make_whole(s, kind);
    }
    s->whole = kind != AGREE_KIND_LOOSE && kind != AGREE_KIND_ROUGH && kind != AGREE_KIND_FLOATS;
    s->most = s->whole ? measure(s) : 0;
    for (int i = 0; i < 2; i++)
        s->bodies[i].convex =
            s->bodies[i].convex || (s->bodies[i].bare && s->bodies[i].pieces.known && s->bodies[i].pieces.count == 1);
    if (s->exponent != 0)
        scale(s);
}

void agree_situation_finish(agree_situation *s)
{
    for (int i = 0; i < 2; i++)
        test_mesh_finish(&s->bodies[i].mesh);
}
