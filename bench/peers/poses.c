// SPDX-License-Identifier: MIT
// Poses by rejection and by bisection; the exact answer decides.
#include "poses.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

static pose_set allocate(uint32_t count)
{
    pose_set set = {calloc(count, sizeof *set.items), count};
    if (!set.items)
        peer_die("out of memory for poses");
    return set;
}

void poses_free(pose_set *set)
{
    free(set->items);
    *set = (pose_set){0};
}

static void rotation(const double q[4], peer_pose *pose)
{
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double x = q[0] / length, y = q[1] / length, z = q[2] / length, w = q[3] / length;
    *pose = (peer_pose){{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 0},
                         {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), 0},
                         {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), 0}}};
}

// A direction of four dimensions, evenly distributed: a point of the cube that lies within the ball.
static peer_pose random_rotation(shape_random *random)
{
    double q[4], square;
    peer_pose pose;
    do {
        square = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = shape_random_in(random, -1, 1);
            square += q[i] * q[i];
        }
    } while (square > 1 || square < 0.01);
    rotation(q, &pose);
    return pose;
}

// Half the sizes, and the middle, of the box round a mesh's turned box.
typedef struct turned_box {
    double middle[3], half[3];
} turned_box;

static turned_box turn(const peer_mesh *mesh, const peer_pose *pose)
{
    const peer_box box = shape_bounds(mesh);
    turned_box out;
    for (int i = 0; i < 3; i++) {
        out.middle[i] = pose->m[i][3];
        out.half[i] = 0;
        for (int j = 0; j < 3; j++) {
            out.middle[i] += pose->m[i][j] * (box.min[j] + box.max[j]) / 2;
            out.half[i] += fabs(pose->m[i][j]) * (box.max[j] - box.min[j]) / 2;
        }
    }
    return out;
}

static void shuffle(pose_set *set, shape_random *random)
{
    for (uint32_t i = set->count; i > 1; i--) {
        const uint32_t j = (uint32_t)(shape_random_bits(random) % i);
        const posed_query kept = set->items[i - 1];
        set->items[i - 1] = set->items[j];
        set->items[j] = kept;
    }
}

pose_set poses_random(const pose_meshes *meshes, uint32_t count, double share, uint64_t seed)
{
    pose_set set = allocate(count);
    shape_random random = {seed};
    const uint32_t touching = (uint32_t)(share * count);
    uint32_t found[2] = {0, 0}, tries = 0;
    while (found[0] + found[1] < count) {
        posed_query query = {.a = random_rotation(&random), .b = random_rotation(&random)};
        const turned_box a = turn(meshes->a, &query.a), b = turn(meshes->b, &query.b);
        for (int i = 0; i < 3; i++) {
            const double reach = a.half[i] + b.half[i];
            query.b.m[i][3] = a.middle[i] - b.middle[i] + shape_random_in(&random, -reach, reach);
        }
        query.touch = truth_touches(meshes->truth, &query.a, &query.b);
        if (++tries > 1000 * count)
            peer_die("no poses that touch, or none that do not");
        if (found[query.touch] < (query.touch ? touching : count - touching))
            set.items[found[0] + found[1]] = query, found[query.touch]++;
    }
    shuffle(&set, &random); // one kind is full before the other
    return set;
}

// Put B's middle at `distance` from A's in a direction.
static void put(posed_query *query, const double start[3], const double direction[3], double distance)
{
    for (int i = 0; i < 3; i++)
        query->b.m[i][3] = start[i] + distance * direction[i];
}

// Bring B nearer until it touches A, then halve the last step until it is as small as doubles are. @return whether it
// ever touches
static bool approach(truth_pair *truth, posed_query *query, const double start[3], const double direction[3],
                     double far, double *distance)
{
    enum {
        STEPS = 50,
        HALVINGS = 45
    };
    double apart = far, touching = far;
    for (int i = 1; i <= STEPS; i++) {
        touching = far * (STEPS - i) / STEPS;
        put(query, start, direction, touching);
        if (truth_touches(truth, &query->a, &query->b))
            break;
        apart = touching;
    }
    for (int i = 0; i < HALVINGS && apart > touching; i++) {
        const double middle = (apart + touching) / 2;
        put(query, start, direction, middle);
        *(truth_touches(truth, &query->a, &query->b) ? &touching : &apart) = middle;
    }
    *distance = apart;
    return apart > touching;
}

pose_set poses_near(const pose_meshes *meshes, uint32_t count, double gap, uint64_t seed)
{
    pose_set set = allocate(count);
    shape_random random = {seed};
    const double far = (shape_diagonal(meshes->a) + shape_diagonal(meshes->b)) / 2;
    for (uint32_t done = 0, tries = 0; done < count; tries++) {
        posed_query query = {.a = random_rotation(&random), .b = random_rotation(&random)};
        const peer_pose turned = random_rotation(&random);
        const double direction[3] = {turned.m[0][0], turned.m[1][0], turned.m[2][0]};
        const turned_box a = turn(meshes->a, &query.a), b = turn(meshes->b, &query.b);
        double start[3], distance;
        if (tries > 100 * count)
            peer_die("no poses that nearly touch");
        for (int i = 0; i < 3; i++)
            start[i] = a.middle[i] - b.middle[i];
        if (!approach(meshes->truth, &query, start, direction, far, &distance))
            continue;
        put(&query, start, direction, distance + gap);
        if (!truth_touches(meshes->truth, &query.a, &query.b)) // moving back may bring another part into contact
            set.items[done++] = query;
    }
    return set;
}

pose_set poses_along(const pose_meshes *meshes, shape_line *line, uint32_t count, double sway)
{
    pose_set set = allocate(count);
    for (uint32_t i = 0; i < count; i++) {
        const double t = (double)i / count, angle = 2 * PI * t;
        const double q[4] = {sin(7 * angle), cos(5 * angle), sin(3 * angle + 1), 1.5 * cos(11 * angle)};
        posed_query *query = &set.items[i];
        double middle[3];
        line(t, middle);
        query->a = (peer_pose){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
        rotation(q, &query->b);
        query->b.m[0][3] = middle[0] + sway * sin(13 * angle);
        query->b.m[1][3] = middle[1] + sway * sin(17 * angle + 2);
        query->b.m[2][3] = middle[2] + sway * sin(19 * angle + 4);
        query->touch = truth_touches(meshes->truth, &query->a, &query->b);
    }
    return set;
}

pose_set poses_through(const pose_meshes *meshes, shape_line *line, uint32_t count, double sway)
{
    pose_set set = allocate(count);
    for (uint32_t i = 0; i < count; i++) {
        const double t = (double)i / count, angle = 2 * PI * t, c = cos(31 * angle), s = sin(31 * angle);
        const double right = sway * sin(13 * angle), up = sway * sin(17 * angle + 2);
        posed_query *query = &set.items[i];
        double middle[3], z[3], x[3], y[3];
        line(t, middle);
        shape_tangent(line, t, z);
        const double across = sqrt(z[0] * z[0] + z[1] * z[1]); // the lines asked about never run along the z axis
        x[0] = -z[1] / across, x[1] = z[0] / across, x[2] = 0;
        for (int j = 0; j < 3; j++)
            y[j] = z[(j + 1) % 3] * x[(j + 2) % 3] - z[(j + 2) % 3] * x[(j + 1) % 3];
        query->a = (peer_pose){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
        for (int j = 0; j < 3; j++) {
            query->b.m[j][0] = c * x[j] + s * y[j];
            query->b.m[j][1] = c * y[j] - s * x[j];
            query->b.m[j][2] = z[j];
            query->b.m[j][3] = middle[j] + right * x[j] + up * y[j];
        }
        query->touch = truth_touches(meshes->truth, &query->a, &query->b);
    }
    return set;
}

// The pose that maps by `second`, then by `first`.
static peer_pose composed(const peer_pose *first, const peer_pose *second)
{
    peer_pose out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            out.m[i][j] = j == 3 ? first->m[i][3] : 0;
            for (int k = 0; k < 3; k++)
                out.m[i][j] += first->m[i][k] * second->m[k][j];
        }
    return out;
}

enum {
    LINE_POINTS = 128
};

// Whether a point of the plane z = 0 is inside a closed line of that plane: parity of the sides to its right.
static bool inside_line(const double (*line)[3], const double p[2])
{
    bool inside = false;
    for (int i = 0, last = LINE_POINTS - 1; i < LINE_POINTS; last = i++) {
        const double *a = line[last], *b = line[i];
        if ((a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0] + (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]))
            inside = !inside;
    }
    return inside;
}

// Whether a flat line and its copy at `pose` are linked: how often the copy goes up through the disc of the first, less
// how often it goes down.
static bool lines_linked(const double (*line)[3], const peer_pose *pose)
{
    double before[3];
    int through = 0;
    peer_world_position(pose, line[LINE_POINTS - 1], before);
    for (int i = 0; i < LINE_POINTS; i++) {
        double here[3];
        peer_world_position(pose, line[i], here);
        if ((before[2] > 0) != (here[2] > 0)) {
            const double part = before[2] / (before[2] - here[2]);
            const double cut[2] = {before[0] + part * (here[0] - before[0]), before[1] + part * (here[1] - before[1])};
            if (inside_line(line, cut))
                through += here[2] > 0 ? 1 : -1;
        }
        for (int k = 0; k < 3; k++)
            before[k] = here[k];
    }
    return through != 0;
}

pose_set poses_linked(const pose_meshes *meshes, shape_line *line, uint32_t count, double share, uint64_t seed)
{
    pose_set set = allocate(count);
    shape_random random = {seed};
    double points[LINE_POINTS][3];
    const uint32_t touching = (uint32_t)(share * count);
    const peer_box box = shape_bounds(meshes->a);
    uint32_t found[2] = {0, 0}, tries = 0;
    for (int i = 0; i < LINE_POINTS; i++)
        line((double)i / LINE_POINTS, points[i]);
    while (found[0] + found[1] < count) {
        // B's place beside A: a point of its line is put anywhere in A's plane.
        peer_pose beside = random_rotation(&random);
        double held[3];
        peer_world_position(&beside, points[shape_random_bits(&random) % LINE_POINTS], held);
        for (int i = 0; i < 3; i++)
            beside.m[i][3] = (i < 2 ? shape_random_in(&random, box.min[i], box.max[i]) : 0) - held[i];
        if (++tries > 10000 * count)
            peer_die("no links that touch, or none that do not");
        if (!lines_linked((const double(*)[3])points, &beside))
            continue;
        posed_query query = {.a = random_rotation(&random)};
        query.b = composed(&query.a, &beside);
        query.touch = truth_touches(meshes->truth, &query.a, &query.b);
        if (found[query.touch] < (query.touch ? touching : count - touching))
            set.items[found[0] + found[1]] = query, found[query.touch]++;
    }
    shuffle(&set, &random);
    return set;
}

pose_set poses_shifted(const pose_meshes *meshes, uint32_t count, double reach, uint64_t seed)
{
    pose_set set = allocate(count);
    shape_random random = {seed};
    for (uint32_t i = 0; i < count; i++) {
        posed_query *query = &set.items[i];
        query->a = query->b = random_rotation(&random);
        for (int j = 0; j < 3; j++)
            query->b.m[j][3] = shape_random_in(&random, -reach, reach);
        query->touch = truth_touches(meshes->truth, &query->a, &query->b);
    }
    return set;
}

// A turn about z.
static peer_pose turned_about_z(double angle)
{
    const double c = cos(angle), s = sin(angle);
    return (peer_pose){{{c, -s, 0, 0}, {s, c, 0, 0}, {0, 0, 1, 0}}};
}

pose_set poses_meshing(const pose_meshes *meshes, uint32_t count, double distance)
{
    pose_set set = allocate(count);
    for (uint32_t i = 0; i < count; i++) {
        posed_query *query = &set.items[i];
        const double angle = 2 * PI * i / count;
        query->a = turned_about_z(angle);
        query->b = turned_about_z(0.1 - angle);
        query->b.m[0][3] = distance;
        query->touch = truth_touches(meshes->truth, &query->a, &query->b);
    }
    return set;
}

pose_set poses_stacked(const pose_meshes *meshes, uint32_t count, uint64_t seed)
{
    pose_set set = allocate(count);
    shape_random random = {seed};
    for (uint32_t i = 0; i < count; i++) {
        posed_query *query = &set.items[i];
        query->a = query->b = turned_about_z(0);
        query->b.m[0][3] = shape_random_in(&random, -0.2, 0.2);
        query->b.m[1][3] = shape_random_in(&random, -0.2, 0.2);
        query->b.m[2][3] = 1;
        query->touch = truth_touches(meshes->truth, &query->a, &query->b);
    }
    return set;
}

pose_set poses_inside(const pose_meshes *meshes, uint32_t count, double reach, uint64_t seed)
{
    pose_set set = allocate(count);
    shape_random random = {seed};
    for (uint32_t done = 0, tries = 0; done < count; tries++) {
        posed_query query = {.a = random_rotation(&random), .b = random_rotation(&random)};
        if (tries > 100 * count)
            peer_die("no poses inside that do not touch");
        for (int i = 0; i < 3; i++)
            query.b.m[i][3] = shape_random_in(&random, -reach, reach);
        if (!truth_touches(meshes->truth, &query.a, &query.b))
            set.items[done++] = query;
    }
    return set;
}
