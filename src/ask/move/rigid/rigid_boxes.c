// SPDX-License-Identifier: MIT
// Separating directions that stay fixed while time goes on: places along them, and velocities along them, are linear
// functions over a box, so their ends are at its corners. All boxes of a tree share its axes; a node's children are
// projected once, then each pair costs a comparison for each direction.
// Source: M. Tang, Y. Kim, D. Manocha, "C2A: controlled conservative advancement for continuous collision detection of
// polygonal models" (2009), for motion bounds along a direction; here every pair of boxes has a time of its own.
#include "ask/move/rigid/rigid_boxes.h"

#include <string.h>

#include "geometry/pose.h"
#include "geometry/vector.h"

// Relative errors: of the boxes, which are floats; of posed positions and their projections, in doubles.
static const double BOX_ERROR = 0x1p-22, SUM_ERROR = 0x1p-48;
static const double SAME_AXIS = 1.0 - 0x1p-30; // the cosine; chosen: any directions give right bounds

typedef struct posed_tree {
    double linear[3][3], at[3]; // a point x of the tree is at linear · x + at
    double size;                // an upper bound of what is added up for a coordinate
    double fuzz;                // of a box's corner: world units
} posed_tree;

static posed_tree pose_tree(const grz_bvh *bvh, const grz_mesh *mesh, const grz_pose *pose)
{
    posed_tree tree = {.size = 0.0};
    double columns = 0.0;
    grz_world_position(pose, bvh->origin, tree.at);
    for (int i = 0; i < 3; i++) {
        const double *m = pose->m[i];
        double sum = fabs(m[3]);
        for (int j = 0; j < 3; j++) {
            tree.linear[i][j] = bvh->unit * (bvh->turned ? grz_dot(m, bvh->axes[j]) : m[j]);
            columns += fabs(tree.linear[i][j]);
            sum += fabs(m[j]) * (mesh->max_abs[j] + fabs(bvh->origin[j]) + 3.0 * bvh->max_abs * bvh->unit);
        }
        tree.size = fmax(tree.size, sum);
    }
    tree.fuzz = BOX_ERROR * bvh->max_abs * columns;
    return tree;
}

// Seven directions at most; those of B are left out where they are A's.
static int choose_axes(const posed_tree trees[2], const double look[3], double axes[GRZ_AHEAD_AXES][3])
{
    int count = 0;
    if (look != NULL)
        memcpy(axes[count++], look, sizeof axes[0]);
    const int first = count;
    for (int t = 0; t < 2; t++)
        for (int j = 0; j < 3; j++) {
            double axis[3] = {trees[t].linear[0][j], trees[t].linear[1][j], trees[t].linear[2][j]};
            bool is_new = grz_make_unit(axis);
            for (int i = first; i < first + 3 && t == 1 && is_new; i++)
                is_new = i >= count || fabs(grz_dot(axes[i], axis)) < SAME_AXIS;
            if (is_new)
                memcpy(axes[count++], axis, sizeof axis);
        }
    return count;
}

// Places and velocities of one tree along a direction of length 1.
static void project(const grz_moving_boxes *boxes, int side, const posed_tree *tree, const double axis[3],
                    grz_linear *place, grz_linear *rate)
{
    const grz_moving_state *state = &boxes->states[side];
    double arm[3], from[3], turned[3]; // axis · (spin × x) = (axis × spin) · x
    grz_cross(axis, state->spin, turned);
    for (int i = 0; i < 3; i++) {
        from[i] = tree->at[i] - boxes->middle[i];
        arm[i] = tree->at[i] - state->pose.m[i][3];
    }
    for (int j = 0; j < 3; j++) {
        const double column[3] = {tree->linear[0][j], tree->linear[1][j], tree->linear[2][j]};
        place->m[j] = grz_dot(axis, column);
        rate->m[j] = grz_dot(turned, column);
    }
    place->m[3] = grz_dot(axis, from);
    rate->m[3] = grz_dot(axis, state->velocity) + grz_dot(turned, arm);
}

void grz_moving_boxes_set(grz_moving_boxes *boxes, const grz_moving_pair *pair, const grz_bvh *const bvhs[2], double t,
                          const double look[3])
{
    posed_tree trees[2];
    double axes[GRZ_AHEAD_AXES][3];
    boxes->pair = pair;
    boxes->t = t;
    for (int s = 0; s < 2; s++) {
        boxes->bvhs[s] = bvhs[s];
        grz_moving_at(&pair->sides[s], t, &boxes->states[s]);
        trees[s] = pose_tree(bvhs[s], pair->sides[s].mesh, &boxes->states[s].pose);
    }
    boxes->rate_error = 0.0;
    for (int s = 0; s < 2; s++)
        boxes->rate_error += grz_rate_error(&boxes->states[s], trees[s].fuzz + pair->sides[s].error, trees[s].size);
    for (int k = 0; k < 3; k++)
        boxes->middle[k] = 0.5 * trees[0].at[k] + 0.5 * trees[1].at[k];
    boxes->count = choose_axes(trees, look, axes);
    for (int i = 0; i < boxes->count; i++) {
        for (int s = 0; s < 2; s++)
            project(boxes, s, &trees[s], axes[i], &boxes->places[s][i], &boxes->rates[s][i]);
        boxes->margins[i] =
            pair->error + (trees[0].fuzz + trees[1].fuzz) + 8.0 * SUM_ERROR * (trees[0].size + trees[1].size);
    }
}

// ---- Children -----------------------------------------------------------------------------------------------------

typedef struct ends {
    double low[GRZ_BVH_WIDTH], high[GRZ_BVH_WIDTH];  // of the places
    double slow[GRZ_BVH_WIDTH], fast[GRZ_BVH_WIDTH]; // of the velocities
} ends;

static void project_boxes(const grz_linear *f, const double middles[3][GRZ_BVH_WIDTH],
                          const double halves[3][GRZ_BVH_WIDTH], double low[GRZ_BVH_WIDTH], double high[GRZ_BVH_WIDTH])
{
    const double size[3] = {fabs(f->m[0]), fabs(f->m[1]), fabs(f->m[2])};
    for (int i = 0; i < GRZ_BVH_WIDTH; i++) {
        const double at = ((f->m[0] * middles[0][i] + f->m[1] * middles[1][i]) + f->m[2] * middles[2][i]) + f->m[3];
        const double half = (size[0] * halves[0][i] + size[1] * halves[1][i]) + size[2] * halves[2][i];
        low[i] = at - half;
        high[i] = at + half;
    }
}

// Of empty boxes the numbers say nothing; they are no children.
static void project_children(const grz_moving_boxes *boxes, int s, const grz_bvh_node *node, ends all[GRZ_AHEAD_AXES])
{
    double middles[3][GRZ_BVH_WIDTH], halves[3][GRZ_BVH_WIDTH];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < GRZ_BVH_WIDTH; i++) {
            const double low = (double)node->bounds[0][k][i], high = (double)node->bounds[1][k][i];
            middles[k][i] = 0.5 * (low + high);
            halves[k][i] = 0.5 * (high - low);
        }
    for (int a = 0; a < boxes->count; a++) {
        project_boxes(&boxes->places[s][a], (const double(*)[GRZ_BVH_WIDTH])middles,
                      (const double(*)[GRZ_BVH_WIDTH])halves, all[a].low, all[a].high);
        project_boxes(&boxes->rates[s][a], (const double(*)[GRZ_BVH_WIDTH])middles,
                      (const double(*)[GRZ_BVH_WIDTH])halves, all[a].slow, all[a].fast);
    }
}

static double children_ahead(const grz_moving_boxes *boxes, const ends *a, const ends *b, int i, int j)
{
    double best = boxes->t;
    for (int k = 0; k < boxes->count && best < 1.0; k++) {
        // A comes first along the direction, or B.
        const double above = b[k].low[j] - a[k].high[i], below = a[k].low[i] - b[k].high[j];
        const double gap = (above > below ? above : below) - boxes->margins[k];
        if (!(gap > 0.0))
            continue;
        const double rate =
            (above > below ? a[k].fast[i] - b[k].slow[j] : b[k].fast[j] - a[k].slow[i]) + boxes->rate_error;
        // No root is taken where the gap is certainly closed before the best time so far, or not later.
        const double s = best - boxes->t;
        if (boxes->pair->directed && s > 0.0 && gap <= rate * s + 0.5 * boxes->pair->acceleration * s * s)
            continue;
        best = fmax(best, grz_safe_time(boxes->pair, boxes->t, gap, rate, boxes->pair->acceleration));
    }
    return best;
}

void grz_moving_boxes_ahead(const grz_moving_boxes *boxes, const grz_moving_side sides[2],
                            double times[GRZ_BVH_WIDTH][GRZ_BVH_WIDTH])
{
    ends a[GRZ_AHEAD_AXES], b[GRZ_AHEAD_AXES];
    project_children(boxes, 0, sides[0].node, a);
    project_children(boxes, 1, sides[1].node, b);
    for (uint32_t rows = sides[0].children; rows != 0; rows &= rows - 1)
        for (uint32_t columns = sides[1].children; columns != 0; columns &= columns - 1) {
            const int i = __builtin_ctz(rows), j = __builtin_ctz(columns);
            times[i][j] = children_ahead(boxes, a, b, i, j);
        }
}
