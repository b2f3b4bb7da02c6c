// SPDX-License-Identifier: MIT
// Makes the common coordinates in which boxes move. The margins of the posed boxes (ask/distance/distance_frames.c)
// grow by what is rounded in the motion (docs/use/move.md).
#include "ask/move/translation/translation_path.h"

#include <math.h>

#include "geometry/vector.h"

static const double DOUBLE_ERROR = 0x1p-46; // relative, of the motion along an axis and of where it begins
static const double FLOAT_ERROR = 0x1p-23;  // relative, of the motion as a float
static const double SLOWEST = 0x1p-60;      // motions that are shorter, in the frames, count as a margin instead
static const double TIME_ERROR = 0x1p-50;   // relative, of converted times
static const float END = 1.0f + 0x1p-20f;   // no time of the frames is after this

static void grow(grz_distance_row *row, double by)
{
    row->margin = nextafterf((float)((double)row->margin + by), HUGE_VALF);
}

static void turn_round(grz_distance_row *row)
{
    for (int j = 0; j < 4; j++)
        row->m[j] = -row->m[j];
}

// The frames of two posed trees have a size of about 1, but for those of objects below 2^-500. Returns the power of two
// by which the rest is missing, and multiplies with it.
static int enlarge(grz_distance_frames *posed)
{
    float most = 0.0f;
    int exponent;
    for (int i = 0; i < posed->count * 6; i++) {
        const grz_distance_row *row = &posed->frames[i / 6].maps[i / 3 % 2].rows[i % 3];
        for (int j = 0; j < 4; j++)
            most = fmaxf(most, fabsf(row->m[j]));
        most = fmaxf(most, row->margin);
    }
    frexpf(most, &exponent);
    if (!(most > 0.0f) || exponent > -8)
        return 0;
    for (int i = 0; i < posed->count * 6; i++) {
        grz_distance_row *row = &posed->frames[i / 6].maps[i / 3 % 2].rows[i % 3];
        for (int j = 0; j < 4; j++)
            row->m[j] = ldexpf(row->m[j], -exponent);
        row->margin = ldexpf(row->margin, -exponent);
    }
    return -exponent;
}

// Where along an axis A moves, and how fast.
static void set_row(grz_translating_frames *frames, const grz_distance_frame *frame, int k, const double moved[3],
                    double error, double scale)
{
    const int at = frames->count++;
    grz_distance_row *maps = frames->rows[at].maps;
    double along = grz_dot(frame->axes[k], moved) * scale;
    maps[0] = frame->maps[0].rows[k];
    maps[1] = frame->maps[1].rows[k];
    if (along < 0.0) {
        along = -along;
        turn_round(&maps[0]);
        turn_round(&maps[1]);
    }
    grow(&maps[0], error);
    if (!(along < 0x1p60)) { // too fast for floats
        maps[0].margin = HUGE_VALF;
        frames->rows[at].pace = 1.0f;
    } else if (along < SLOWEST) {
        grow(&maps[0], along);
        frames->rows[at].pace = (float)(1.0 / SLOWEST);
    } else {
        grow(&maps[0], along * FLOAT_ERROR);
        frames->rows[at].pace = (float)(1.0 / along);
    }
}

void grz_translating_frames_set(grz_translating_frames *frames, const grz_path *path, const grz_bvh *bvh_a,
                                const grz_bvh *bvh_b)
{
    const double part = path->to - path->from;
    grz_distance_frames posed;
    grz_object a = *path->a; // where the boxes begin to meet
    double moved[3], most = 0.0;
    for (int k = 0; k < 3; k++) {
        const double shift = path->from * path->motion.v[k];
        moved[k] = part * path->motion.v[k];
        most += fabs(a.pose.m[k][3]) + fabs(shift) + fabs(moved[k]);
        a.pose.m[k][3] += shift;
    }
    *frames = (grz_translating_frames){.from = path->from, .part = part};
    grz_distance_frames_set(&posed, bvh_a, &a, bvh_b, path->b);
    const double scale = ldexp(posed.scale, enlarge(&posed));
    for (int f = 0; f < posed.count; f++)
        for (int k = 0; k < 3; k++)
            set_row(frames, &posed.frames[f], k, moved, DOUBLE_ERROR * most * scale, scale);
}

double grz_translating_frames_time(const grz_translating_frames *frames, float time)
{
    if (!(time < HUGE_VALF))
        return HUGE_VAL;
    return fmax(0.0, (frames->from + frames->part * (double)time) * (1.0 - TIME_ERROR));
}

double grz_translating_frames_after(const grz_translating_frames *frames, float time)
{
    return (frames->from + frames->part * (double)time) * (1.0 + TIME_ERROR);
}

float grz_translating_frames_limit(const grz_translating_frames *frames, double time)
{
    const double after = time - frames->from + TIME_ERROR * (time + frames->from);
    if (!(after < frames->part)) // also where `part` is 0
        return END;
    return after < 0.0 ? 0.0f : nextafterf((float)(after / frames->part), HUGE_VALF);
}

grz_slab_times *grz_slab_times_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_slab_times_of);
}
