// SPDX-License-Identifier: MIT
// Turns what a ray hits into a report: which face, where, how far away.

#include "probe/describe_pick.h"

#include "answers/describe_query.h"
#include "answers/describe_summary.h"
#include "report/number.h"

#include <inttypes.h>

static const char *name_of_side(grz_ray_side side)
{
    return side == GRZ_RAY_FRONT ? "front" : side == GRZ_RAY_BACK ? "back" : "along";
}

// "face 3", "face 3 (vertex 12)".
static const char *describe_face(report *r, const grz_ray_hit *hit)
{
    if (hit->feature.vertex[0] == GRZ_NO_VERTEX)
        return report_format(r, "face %" PRIu32, hit->face);
    return report_format(r, "face %" PRIu32 " (%s)", hit->face, describe_feature(r, hit->feature));
}

static void describe_for_people(const query *q, const pick_camera *camera, const grz_ray_hit *hits, uint64_t count,
                                report *r)
{
    static const char *const from[] = {"from its front", "from its back", "along it"};
    const char *a = q->meshes[0].file;
    const bool all = (q->given->flags & OPTION_ALL_HITS) != 0;
    char distance[NUMBER_SIZE];

    if (count == 0)
        report_verdict(r, TONE_APART, "misses: the ray does not meet %s (exact)", a);
    else if (all)
        report_verdict(r, TONE_TOUCHES, "hits: the ray meets %s of %s (exact)",
                       describe_count(r, count, "face", "faces"), a);
    else
        report_verdict(r, TONE_TOUCHES, "hits: the ray meets %s after %s (exact)", a,
                       number_shortest(hits[0].distance, distance));
    for (uint64_t i = 0; i < count; i++)
        report_line(r, r->lines, LINE_FACT, NULL, "%s%s at %.6g %.6g %.6g, %s", describe_face(r, &hits[i]),
                    all ? report_format(r, " after %s", number_shortest(hits[i].distance, distance)) : "",
                    hits[i].point[0], hits[i].point[1], hits[i].point[2], from[hits[i].side]);
    if (camera != NULL)
        report_line(r, r->lines, LINE_FACT, NULL, "through pixel %" PRIu32 ",%" PRIu32 " of %" PRIu32 "x%" PRIu32,
                    camera->column, camera->row, camera->width, camera->height);
    report_line(r, r->lines, LINE_TIME, "time", "%.4g ms (load %.4g)", q->measured.total_ms, q->measured.load_ms);
}

static void put_hit(report *r, report_value *in, const grz_ray_hit *hit)
{
    report_put_count(r, in, "face", hit->face);
    report_put_real(r, in, "distance", hit->distance);
    put_point(r, in, "point", hit->point);
    put_point(r, in, "normal", hit->normal);
    report_put_text(r, in, "feature", describe_feature(r, hit->feature));
    report_put_text(r, in, "side", name_of_side(hit->side));
    report_put_real(r, in, "t", hit->t);
    report_put_real(r, in, "lower", hit->lower);
    report_put_real(r, in, "upper", hit->upper);
}

static void put_nothing(report *r, report_value *in)
{
    report_put_null(r, in, "face");
    report_put_null(r, in, "distance");
    report_put_null(r, in, "point");
    report_put_null(r, in, "normal");
    report_put_null(r, in, "feature");
    report_put_null(r, in, "side");
    report_put_null(r, in, "t");
    report_put_null(r, in, "lower");
    report_put_null(r, in, "upper");
}

static void put_camera(report *r, const pick_camera *camera)
{
    if (camera == NULL) {
        report_put_null(r, r->members, "pixel");
        return;
    }
    report_value *in = report_put_object(r, r->members, "pixel");
    report_put_count(r, in, "column", camera->column);
    report_put_count(r, in, "row", camera->row);
    report_put_count(r, in, "width", camera->width);
    report_put_count(r, in, "height", camera->height);
}

static void describe_for_programs(const query *q, const pick_camera *camera, const grz_ray_hit *hits, uint64_t count,
                                  report *r)
{
    report_value *in = r->members;

    report_put_bool(r, in, "hit", count > 0);
    if (count > 0)
        put_hit(r, in, &hits[0]);
    else
        put_nothing(r, in);
    report_put_text(r, in, "certainty", certainty_name(GRZ_EXACT)); // of the place: t is the nearest double
    if ((q->given->flags & OPTION_ALL_HITS) != 0) {
        report_value *list = report_put_list(r, in, "hits");
        for (uint64_t i = 0; i < count; i++)
            put_hit(r, report_put_object(r, list, NULL), &hits[i]);
    } else {
        report_put_null(r, in, "hits");
    }
    put_camera(r, camera);
    put_times(r, &q->measured, NULL);
    describe_meshes(q, r);
    put_meshes(q, r);
}

report describe_pick(const query *q, const pick_camera *camera, const grz_ray_hit *hits, uint64_t count)
{
    report r = report_begin(q->given->command);
    describe_for_people(q, camera, hits, count, &r);
    describe_for_programs(q, camera, hits, count, &r);
    return r;
}
