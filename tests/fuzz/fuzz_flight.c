// SPDX-License-Identifier: MIT
// Fuzzes flights: a ball among two meshes that stand, go straight or along parabolas, and turn. Each bounce and each
// end is outside, exactly, by grz_distance_points() and the poses of grz_flight_pose(); a bounce is within the skin,
// and against the surface as it moves; objects exchanged, and the time cut in two, give the same bytes.
#include <math.h>

#include "mesh/mesh.h"
#include "support_devices.h"
#include "support_fuzz_queries.h"
#include "support_fuzz_shapes.h"
#include "support_moved.h"
#include "support_movers.h"

#include <graze/flight.h>

enum {
    MOST = 16
};

typedef struct question {
    test_level level;
    grz_flight_motion motions[2];
    grz_flight_options options;
    grz_flight start;
    bool moves;
} question;

typedef struct course {
    grz_flight flight;
    grz_bounce bounces[MOST];
    uint64_t found;
} course;

static double part(fuzz_input *in)
{
    static const double parts[] = {0.0, 1.0, -1.0, 0.5, -0.25, 2.0, -3.0, 0x1p-30};
    const uint8_t byte = fuzz_byte(in);
    return parts[byte % 8] + (byte & 0x80 ? 0.125 : 0.0) - (byte & 0x40 ? 0x1p-12 : 0.0);
}

static grz_flight_motion fuzz_motion(fuzz_input *in)
{
    const uint8_t kind = fuzz_byte(in);
    grz_flight_motion m = {.since = kind & 0x80 ? part(in) : 0.0};
    for (int k = 0; k < 3 && (kind & 1) != 0; k++)
        m.velocity[k] = part(in);
    for (int k = 0; k < 3 && (kind & 2) != 0; k++)
        m.acceleration[k] = part(in);
    for (int k = 0; k < 3 && (kind & 4) != 0; k++)
        m.spin[k] = part(in);
    for (int k = 0; k < 3 && (kind & 8) != 0; k++)
        m.centre[k] = part(in);
    return m;
}

// Follow the ball to each of the times. False: it was refused.
static bool follow(const question *q, bool exchanged, const double *until, int times, course *out)
{
    const grz_object objects[2] = {q->level.objects[exchanged], q->level.objects[!exchanged]};
    const grz_flight_motion motions[2] = {q->motions[exchanged], q->motions[!exchanged]};
    grz_flight_options options = q->options;
    options.motions = q->moves ? motions : NULL;
    memset(out, 0, sizeof *out);
    out->flight = q->start;
    for (int i = 0; i < times; i++) {
        uint64_t found = 77;
        grz_error error = {.code = GRZ_OK};
        const grz_status status = grz_flight_advance(fuzz_device(), objects, 2, &options, until[i], &out->flight,
                                                     out->bounces + out->found, MOST - out->found, &found, &error);
        FUZZ_REQUIRE(status == error.code && (status == GRZ_OK) == (error.message[0] == '\0'));
        FUZZ_REQUIRE(status == GRZ_OK || status == GRZ_ERROR_POSE || status == GRZ_ERROR_UNSUPPORTED ||
                     status == GRZ_ERROR_ARGUMENT);
        FUZZ_REQUIRE(found <= MOST - out->found);
        out->found += found;
        if (status != GRZ_OK)
            return false;
        if (out->flight.state != GRZ_FLIGHT_FLIES && out->flight.state != GRZ_FLIGHT_RESTS &&
            out->flight.state != GRZ_FLIGHT_RIDES)
            break;
    }
    return true;
}

// How far the level is from a place, where it is at a time.
static double distance_then(const question *q, const double at[3], double time)
{
    const grz_shape shape = test_sphere(1.0);
    test_level there = q->level;
    grz_error error;
    there.count = 0;
    for (int i = 0; i < 2; i++) {
        if (q->level.meshes[i]->triangle_count == 0) // its pose may hold any numbers
            continue;
        grz_object *object = &there.objects[there.count++];
        *object = q->level.objects[i];
        if (q->moves)
            FUZZ_REQUIRE(grz_flight_pose(&q->level.objects[i], &q->motions[i], time, &object->pose, &error) == GRZ_OK);
    }
    return test_core_distance(&there, &shape, at);
}

static bool is_near_origin(const test_level *level)
{
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3 && level->meshes[i]->triangle_count > 0; k++)
            if (fmax(fabs(level->meshes[i]->bounds.min[k]), fabs(level->meshes[i]->bounds.max[k])) > 64.0)
                return false;
    return true;
}

static void check_bounces(const question *q, const course *c)
{
    const double radius = q->options.radius, skin = q->options.skin;
    double last = q->start.now;
    for (uint64_t i = 0; i < c->found; i++) {
        const grz_bounce *b = &c->bounces[i];
        double into = 0.0, out = 0.0, size = 1.0;
        FUZZ_REQUIRE(b->object < 2 && b->time >= last);
        last = b->time;
        for (int k = 0; k < 3; k++) {
            into += b->normal[k] * (b->before[k] - b->surface[k]);
            out += b->normal[k] * (b->after[k] - b->surface[k]);
            size += fabs(b->surface[k]) + fabs(b->after[k]);
            FUZZ_REQUIRE(isfinite(b->position[k]) && isfinite(b->point[k]));
        }
        FUZZ_REQUIRE(into < 0.0 && out >= -1e-9 * size);
        const double d = distance_then(q, b->position, b->time);
        FUZZ_REQUIRE(d >= radius);
        // Of slivers that are millions long, distances have lower bounds that are far below them.
        FUZZ_REQUIRE(d <= radius + skin * (1.0 + 0x1p-5) || !is_near_origin(&q->level));
    }
}

static void check(const question *q)
{
    const double once[] = {2.0}, twice[] = {0.75, 2.0};
    course a, b, c;
    if (!follow(q, false, once, 1, &a))
        return;
    FUZZ_REQUIRE(a.flight.state >= GRZ_FLIGHT_FLIES && a.flight.state <= GRZ_FLIGHT_CRUSHED);
    FUZZ_REQUIRE(q->moves || a.flight.state < GRZ_FLIGHT_RIDES);
    const bool inside = distance_then(q, q->start.position, q->start.now) < q->options.radius ||
                        (q->options.radius == 0.0 && distance_then(q, q->start.position, q->start.now) == 0.0);
    if (inside && a.flight.state == GRZ_FLIGHT_RESTS) // among what stands, without a velocity: nothing is asked
        return;
    FUZZ_REQUIRE(inside == (a.flight.state == GRZ_FLIGHT_STARTS_INSIDE));
    if (inside) {
        FUZZ_REQUIRE(memcmp(a.flight.position, q->start.position, sizeof q->start.position) == 0 && a.found == 0);
        return;
    }
    check_bounces(q, &a);
    FUZZ_REQUIRE(distance_then(q, a.flight.position, a.flight.now) >= q->options.radius);
    FUZZ_REQUIRE(follow(q, true, once, 1, &b));
    FUZZ_REQUIRE(a.found == b.found);
    if (b.flight.carrier != UINT32_MAX)
        b.flight.carrier = 1 - b.flight.carrier;
    // Faces of two objects that are the same to the bit may stand for each other.
    FUZZ_REQUIRE(memcmp(a.flight.position, b.flight.position, sizeof a.flight.position) == 0);
    FUZZ_REQUIRE(memcmp(a.flight.velocity, b.flight.velocity, sizeof a.flight.velocity) == 0);
    FUZZ_REQUIRE(a.flight.now == b.flight.now && a.flight.state == b.flight.state);
    // A call that has followed too many arcs ends there, and one that is cut does not.
    if (a.flight.state == GRZ_FLIGHT_LIMIT || !follow(q, false, twice, 2, &c) || c.flight.state == GRZ_FLIGHT_LIMIT)
        return;
    FUZZ_REQUIRE(a.found == c.found && memcmp(a.bounces, c.bounces, sizeof a.bounces) == 0);
    FUZZ_REQUIRE(memcmp(&a.flight, &c.flight, sizeof a.flight) == 0);
}

// Vertices of no face at the limit: where the mesh moves a little, its pose is refused. And distances that are nearest
// to 0, but not 0.
static bool has_extremes(const test_mesh *mesh)
{
    for (uint64_t i = 0; i < 3 * mesh->vertex_count; i++) {
        const double x = fabs(mesh->positions[i]);
        if (x > 0x1p200 || (x > 0.0 && x < 0x1p-200))
            return true;
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    question q = {.level = {.count = 2}};
    test_mesh meshes[2];
    double position[3], velocity[3];
    test_device = fuzz_device();
    q.options = grz_default_flight_options();
    const uint8_t how = fuzz_byte(&in), ball = fuzz_byte(&in);
    q.options.radius = ball % 4 == 0 ? 0.0 : ldexp(1.0, -(ball % 4) - 1);
    q.options.skin = ldexp(1.0, -6 - ball / 4 % 8);
    q.options.restitution = (how % 5) / 4.0;
    q.options.friction = how & 0x40 ? 0.5 : 0.0;
    q.moves = (how & 0x20) == 0;
    for (int k = 0; k < 3 && (how & 0x80) != 0; k++)
        q.options.acceleration[k] = part(&in);
    for (int i = 0; i < 2; i++)
        q.motions[i] = fuzz_motion(&in);
    for (int k = 0; k < 3; k++) {
        position[k] = (int8_t)fuzz_byte(&in) / 16.0;
        velocity[k] = (int8_t)fuzz_byte(&in) / 8.0;
    }
    q.start = grz_flight_from(position, velocity, 0.0);
    for (int i = 0; i < 2; i++) {
        meshes[i] = fuzz_mesh(&in, i == 0 ? NULL : &meshes[0]);
        q.level.meshes[i] = test_mesh_upload(fuzz_device(), &meshes[i]);
        q.level.objects[i] = grz_object_at_origin(q.level.meshes[i]);
        q.level.objects[i].pose = fuzz_pose(&in);
        // The far end of what turns would be so fast that each step is tiny.
        for (int k = 0; k < 3 && meshes[i].face_count > 0; k++)
            if (fmax(fabs(q.level.meshes[i]->bounds.min[k]), fabs(q.level.meshes[i]->bounds.max[k])) > 1024.0)
                memset(q.motions[i].spin, 0, sizeof q.motions[i].spin);
    }
    if (!has_extremes(&meshes[0]) && !has_extremes(&meshes[1]))
        check(&q);
    for (int i = 0; i < 2; i++) {
        grz_mesh_destroy(q.level.meshes[i]);
        test_mesh_finish(&meshes[i]);
    }
    return 0;
}
