// SPDX-License-Identifier: MIT
// Two triangles: the direction between their nearest points separates them; each pair of corners has a rate along it.
// A certain crossing: five volumes whose signs no small shift of the corners can change.
#include "ask/move/rigid/faces.h"

#include <string.h>

#include "base/rounding.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"

// Relative to the triangles' size: nearer than that, the direction between their nearest points is a bad one.
static const double NEAR = 0x1p-16;
static const double PLACE_ERROR = 0x1p-49; // relative, of the difference of two places along a direction

// The places of three corners along a direction, their velocities and accelerations.
typedef struct corner_motion {
    double place[3], rate[3], bend[3];
} corner_motion;

static corner_motion corners_along(const grz_moving *moving, const grz_moving_state *state, const double (*corners)[3],
                                   const double from[3], const double way[3])
{
    corner_motion c = {.place = {0.0}};
    const double spin[3] = {state->spin[0], state->spin[1], state->spin[2]},
                 velocity[3] = {state->velocity[0], state->velocity[1], state->velocity[2]};
    double turned[3];
    grz_cross(way, spin, turned);
    const double forward = grz_dot(way, velocity), turn = sqrt(grz_dot(spin, spin));
    for (int i = 0; i < 3; i++) {
        double away[3], arm[3], spun[3], size = 0.0;
        for (int k = 0; k < 3; k++) {
            away[k] = corners[i][k] - from[k];
            arm[k] = corners[i][k] - state->pose.m[k][3];
            size = fmax(size, fabs(corners[i][k]) + fabs(state->pose.m[k][3]));
        }
        c.place[i] = grz_dot(way, away);
        c.rate[i] = (forward + grz_dot(turned, arm)) + grz_rate_error(state, moving->error, size);
        c.bend[i] = moving->acceleration;
        if (moving->even_spin) {
            grz_cross(spin, arm, spun);
            c.bend[i] =
                fmin(c.bend[i], turn * sqrt(grz_dot(spun, spun)) * GRZ_MORE(8192) + turn * turn * moving->error);
        }
    }
    return c;
}

static double largest_difference(const double a[3][3], const double b[3][3])
{
    double most = 0.0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            most = fmax(most, fmax(fabs(a[i][k] - a[0][k]), fabs(b[i][k] - a[0][k])));
    return most;
}

// Look ahead along a direction of length 1, from A to B. Keeps what is best so far.
static void look_along(const grz_moving_pair *pair, double t, const grz_moving_state states[2], double error,
                       const double way[3], grz_moving_faces *faces)
{
    const double opposite[3] = {-way[0], -way[1], -way[2]}, from[3] = {faces->a[0][0], faces->a[0][1], faces->a[0][2]};
    const corner_motion a = corners_along(&pair->sides[0], &states[0], (const double(*)[3])faces->a, from, way),
                        b = corners_along(&pair->sides[1], &states[1], (const double(*)[3])faces->b, from, opposite);
    double gap = HUGE_VAL, fastest = 0.0, end = 1.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double apart = (-b.place[j] - a.place[i]) - error, rate = a.rate[i] + b.rate[j];
            end = fmin(end, grz_safe_time(pair, t, apart, rate, a.bend[i] + b.bend[j]));
            if (apart < gap) {
                gap = apart;
                fastest = rate;
            }
        }
    if (end < faces->end || (end == faces->end && gap <= faces->gap))
        return;
    faces->end = end;
    faces->gap = gap;
    faces->rate = fastest;
    memcpy(faces->way, way, sizeof faces->way);
}

// Both senses of a direction: one of them separates, at most.
static void look_both_ways(const grz_moving_pair *pair, double t, const grz_moving_state states[2], double error,
                           double way[3], grz_moving_faces *faces)
{
    if (!grz_make_unit(way))
        return;
    look_along(pair, t, states, error, way, faces);
    for (int k = 0; k < 3; k++)
        way[k] = -way[k];
    look_along(pair, t, states, error, way, faces);
}

static void edges_of(const double corners[3][3], double edges[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            edges[i][k] = corners[(i + 1) % 3][k] - corners[i][k];
}

// Where triangles are near each other, rounding turns the direction between their nearest points. Then the normals of
// both and the directions perpendicular to an edge of each are better: one of them always separates two triangles that
// are apart and not in one plane.
static void look_at_features(const grz_moving_pair *pair, double t, const grz_moving_state states[2], double error,
                             grz_moving_faces *faces)
{
    double a[3][3], b[3][3], way[3];
    edges_of((const double(*)[3])faces->a, a);
    edges_of((const double(*)[3])faces->b, b);
    grz_cross(a[0], a[1], way);
    look_both_ways(pair, t, states, error, way, faces);
    grz_cross(b[0], b[1], way);
    look_both_ways(pair, t, states, error, way, faces);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            grz_cross(a[i], b[j], way);
            look_both_ways(pair, t, states, error, way, faces);
        }
}

void grz_moving_faces_ahead(const grz_moving_pair *pair, grz_triangle_gap_function *gap, double t,
                            const grz_moving_state states[2], uint32_t triangle_a, uint32_t triangle_b,
                            grz_moving_faces *faces)
{
    grz_world_corners(pair->sides[0].mesh, &states[0].pose, triangle_a, faces->a);
    grz_world_corners(pair->sides[1].mesh, &states[1].pose, triangle_b, faces->b);
    const double size = largest_difference((const double(*)[3])faces->a, (const double(*)[3])faces->b),
                 error = pair->error + PLACE_ERROR * size;
    double way[3] = {0.0};
    faces->gap = -HUGE_VAL;
    faces->rate = 0.0;
    faces->end = t;
    memset(faces->way, 0, sizeof faces->way);
    gap((const double(*)[3])faces->a, (const double(*)[3])faces->b, HUGE_VAL, way);
    if (grz_make_unit(way))
        look_along(pair, t, states, error, way, faces);
    if (faces->gap < NEAR * size && faces->end < 1.0)
        look_at_features(pair, t, states, error, faces);
}

// ---- Crossing -----------------------------------------------------------------------------------------------------

// The sign of the volume of p, q, r seen from s, if no shift of the four points by `error` each changes it; else 0.
static int sure_sign(const double p[3], const double q[3], const double r[3], const double s[3], double error)
{
    double u[3], v[3], w[3], side[3];
    for (int k = 0; k < 3; k++) {
        u[k] = p[k] - s[k];
        v[k] = q[k] - s[k];
        w[k] = r[k] - s[k];
    }
    grz_cross(v, w, side);
    const double volume = grz_dot(u, side), e = 2.0 * error;
    const double x = sqrt(grz_dot(u, u)), y = sqrt(grz_dot(v, v)), z = sqrt(grz_dot(w, w));
    // |(u + e₁) · ((v + e₂) × (w + e₃)) - u · (v × w)|, and what rounding does to the latter.
    const double shift = (x + e) * (y + e) * (z + e) - x * y * z, rounding = 0x1p-47 * (x + e) * (y + e) * (z + e);
    const double bound = shift * GRZ_MORE(8192) + rounding;
    return volume > bound ? 1 : volume < -bound ? -1 : 0;
}

static bool edge_crosses(const double p[3], const double q[3], const double t[3][3], double error)
{
    const int above = sure_sign(t[0], t[1], t[2], p, error);
    if (above == 0 || sure_sign(t[0], t[1], t[2], q, error) != -above)
        return false;
    const int turn = sure_sign(p, t[0], t[1], q, error);
    return turn != 0 && sure_sign(p, t[1], t[2], q, error) == turn && sure_sign(p, t[2], t[0], q, error) == turn;
}

bool grz_faces_cross(const double a[3][3], const double b[3][3], double error)
{
    for (int i = 0; i < 3; i++)
        if (edge_crosses(a[i], a[(i + 1) % 3], b, error) || edge_crosses(b[i], b[(i + 1) % 3], a, error))
            return true;
    return false;
}
