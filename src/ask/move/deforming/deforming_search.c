// SPDX-License-Identifier: MIT
// A pair without common corners is searched as two triangles. Of neighbours in one mesh the features without a common
// corner are searched, one pair after the other: docs/use/move_deforming.md ("One mesh with itself") says why that is
// enough.
#include "ask/move/deforming/deforming_search.h"

#include <math.h>
#include <string.h>

#include "ask/distance/user_feature.h"
#include "base/certainty.h"
#include "decide/self_pair.h"
#include "geometry/triangle/pair.h"

void grz_first_contact_init(grz_first_contact *first, const grz_moving_mesh *a, const grz_moving_mesh *b,
                            const grz_deforming_options *options, grz_control *control)
{
    *first = (grz_first_contact){.a = a, .b = b, .t_max = options->t_max, .lower = options->t_max, .control = control};
    first->limits =
        (grz_inclusion_limits){.t_max = options->t_max,
                               .time_tolerance = options->time_tolerance,
                               .space_tolerance = options->tolerance,
                               .separation = options->separation,
                               .steps = (unsigned)(options->max_steps < UINT32_MAX ? options->max_steps : UINT32_MAX)};
}

static void corners_of(const grz_moving_mesh *m, uint32_t triangle, double out[2][3][3])
{
    const uint32_t *const vertex = m->mesh->triangles + (size_t)triangle * 3;
    for (int time = 0; time < 2; time++)
        for (int i = 0; i < 3; i++)
            memcpy(out[time][i], m->at[time] + (size_t)vertex[i] * 3, sizeof out[time][i]);
}

static bool is_one_corner(const grz_moving_mesh *m, uint32_t v, uint32_t w)
{
    if (v == w)
        return true;
    if (grz_mesh_identity(m->mesh, v) != grz_mesh_identity(m->mesh, w))
        return false;
    for (int time = 0; time < 2; time++)
        for (size_t axis = 0; axis < 3; axis++)
            if (m->at[time][(size_t)v * 3 + axis] != m->at[time][(size_t)w * 3 + axis])
                return false;
    return true;
}

void grz_first_contact_take(grz_first_contact *first, const uint32_t triangles[2], const grz_inclusion *found)
{
    if (found->meeting == GRZ_MEET_NEVER)
        return;
    first->lower = fmin(first->lower, found->lower);
    const bool is_best = found->meeting == GRZ_MEET_PROVED
                             ? !first->proved || found->upper < first->limits.t_max
                             : !first->proved && (!first->has_pair || found->lower <= first->lower);
    if (is_best) {
        memcpy(first->triangles, triangles, sizeof first->triangles);
        first->features[0] = found->feature_a;
        first->features[1] = found->feature_b;
        first->has_pair = true;
    }
    if (found->meeting == GRZ_MEET_PROVED) {
        first->proved = true;
        first->limits.t_max = fmin(first->limits.t_max, found->upper);
    } else {
        first->undecided++;
    }
}

// What is known of two neighbours, feature by feature.
typedef struct neighbours {
    double (*c)[2][3][3]; // corners: [A or B][time]
    grz_inclusion_limits limits;
    grz_inclusion all;
} neighbours;

static void join(neighbours *n, const grz_inclusion *found)
{
    grz_inclusion *const all = &n->all;
    if (found->meeting == GRZ_MEET_NEVER)
        return;
    all->lower = fmin(all->lower, found->lower);
    const bool is_best =
        found->meeting == GRZ_MEET_PROVED
            ? all->meeting != GRZ_MEET_PROVED || found->upper < n->limits.t_max
            : all->meeting == GRZ_MEET_NEVER || (all->meeting == GRZ_MEET_UNDECIDED && found->lower <= all->lower);
    if (is_best) {
        all->feature_a = found->feature_a;
        all->feature_b = found->feature_b;
    }
    if (found->meeting == GRZ_MEET_PROVED) {
        all->meeting = GRZ_MEET_PROVED;
        all->upper = n->limits.t_max = fmin(n->limits.t_max, found->upper);
    } else if (all->meeting == GRZ_MEET_NEVER) {
        all->meeting = GRZ_MEET_UNDECIDED;
    }
}

// A corner of one triangle and the face of the other. of_a: the corner is A's.
static void search_corner(neighbours *n, int corner, bool of_a)
{
    double x[2][4][3];
    for (int time = 0; time < 2; time++) {
        memcpy(x[time][0], n->c[!of_a][time][corner], sizeof x[time][0]);
        memcpy(x[time][1], n->c[of_a][time], sizeof n->c[of_a][time]);
    }
    grz_inclusion found = grz_include_vertex_face((const double(*)[4][3])x, &n->limits);
    found.feature_a = (uint8_t)(of_a ? GRZ_CORNER_0 + corner : GRZ_FACE);
    found.feature_b = (uint8_t)(of_a ? GRZ_FACE : GRZ_CORNER_0 + corner);
    join(n, &found);
}

static void search_edges(neighbours *n, int i, int j)
{
    double x[2][4][3];
    for (int time = 0; time < 2; time++) {
        for (int end = 0; end < 2; end++) {
            memcpy(x[time][end], n->c[0][time][(i + end) % 3], sizeof x[time][end]);
            memcpy(x[time][2 + end], n->c[1][time][(j + end) % 3], sizeof x[time][2 + end]);
        }
    }
    grz_inclusion found = grz_include_edges((const double(*)[4][3])x, &n->limits);
    found.feature_a = (uint8_t)(GRZ_EDGE_0 + i);
    found.feature_b = (uint8_t)(GRZ_EDGE_0 + j);
    join(n, &found);
}

// Two triangles of one mesh that share corners: same[i][j] says that corner i of A is corner j of B.
static grz_inclusion search_neighbours(const grz_mesh *mesh, const uint32_t triangles[2], double c[2][2][3][3],
                                       bool same[3][3], const grz_inclusion_limits *limits)
{
    neighbours n = {
        .c = c, .limits = *limits, .all = {.meeting = GRZ_MEET_NEVER, .lower = limits->t_max, .upper = limits->t_max}};
    grz_intersection start;
    if (limits->from == 0.0 && grz_self_pair_collides(mesh, triangles[0], triangles[1], &start))
        return (grz_inclusion){
            .meeting = GRZ_MEET_PROVED, .feature_a = start.nodes[0].a, .feature_b = start.nodes[0].b};
    for (int i = 0; i < 3; i++) {
        if (!same[i][0] && !same[i][1] && !same[i][2])
            search_corner(&n, i, true);
        if (!same[0][i] && !same[1][i] && !same[2][i])
            search_corner(&n, i, false);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int k = (i + 1) % 3, l = (j + 1) % 3;
            if (!same[i][j] && !same[i][l] && !same[k][j] && !same[k][l])
                search_edges(&n, i, j);
        }
    }
    return n.all;
}

grz_inclusion grz_first_contact_search(const grz_first_contact *first, const uint32_t triangles[2],
                                       const grz_inclusion_limits *limits)
{
    const bool is_self = first->a == first->b;
    const grz_mesh *const mesh = first->a->mesh;
    double c[2][2][3][3]; // [A or B][time][corner]
    corners_of(first->a, triangles[0], c[0]);
    corners_of(first->b, triangles[1], c[1]);
    bool same[3][3], shared = false;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            same[i][j] = is_self && is_one_corner(first->a, mesh->triangles[(size_t)triangles[0] * 3 + (size_t)i],
                                                  mesh->triangles[(size_t)triangles[1] * 3 + (size_t)j]);
            shared = shared || same[i][j];
        }
    }
    if (shared)
        return search_neighbours(mesh, triangles, c, same, limits);
    grz_inclusion found = grz_include_triangles((const double(*)[3][3])c[0], (const double(*)[3][3])c[1], limits);
    // A contact at the start is said to be one, also where the tolerance asks for less.
    if (found.meeting != GRZ_MEET_NEVER && found.lower == 0.0 &&
        grz_triangles_touch((const double(*)[3])c[0][0], (const double(*)[3])c[1][0])) {
        found.meeting = GRZ_MEET_PROVED;
        found.upper = 0.0;
    }
    return found;
}

void grz_first_contact_answer(const grz_first_contact *first, bool complete, grz_move_answer *answer)
{
    const bool never = complete && !first->proved && first->undecided == 0;
    answer->has_contact = first->proved;
    answer->started_touching = first->proved && first->limits.t_max <= 0.0;
    answer->upper = first->proved ? first->limits.t_max : HUGE_VAL;
    answer->lower = never ? HUGE_VAL : fmin(first->lower, complete ? first->limits.t_max : first->reached);
    answer->first_contact = answer->lower;
    answer->certainty = first->proved || never ? grz_certainty_of_bounds(answer->lower, answer->upper) : GRZ_UNDECIDED;
    answer->compared = first->candidates;
    answer->undecided = first->undecided;
    if (!first->has_pair)
        return;
    answer->face_a = grz_mesh_triangle_face(first->a->mesh, first->triangles[0]);
    answer->face_b = grz_mesh_triangle_face(first->b->mesh, first->triangles[1]);
    answer->feature_a = grz_user_feature(first->a->mesh, first->triangles[0], first->features[0]);
    answer->feature_b = grz_user_feature(first->b->mesh, first->triangles[1], first->features[1]);
}
