// SPDX-License-Identifier: MIT
// Contacts that persist: a box of side 1 rests on a floor, or slides over it by 0.01 a frame, for 300 frames. Graze:
// grz_manifold_find() and a grz_contact_tracker with match_distance 0.02. Bullet, if it is installed:
// performDiscreteCollisionDetection() of the same box and triangles, whose manifolds keep points within 0.02 of where
// they were on the body. For each: microseconds of processor time a frame, of it in the tracker; points a frame; how
// many frames a point lives; and the area that the points span, as a share of the box's side (its least in any frame).
// Then trackers alone, with many bodies of four points; and events of a scene of boxes, beside its query.
// Usage: bench_contacts [--quick]
#include <graze/graze.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <map>
#include <vector>

#ifdef WITH_BULLET
#include <btBulletCollisionCommon.h>
#endif

namespace
{

constexpr int FRAMES = 300;
constexpr double STEP = 0.01, MATCH = 0.02;

double processor_seconds()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

struct triangles {
    std::vector<double> positions;
    std::vector<std::uint32_t> indices;
};

triangles box(double side)
{
    static const std::uint32_t quads[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                              {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    triangles t;
    for (int i = 0; i < 8; i++) {
        const bool right = (i & 3) == 1 || (i & 3) == 2, back = (i & 3) >= 2;
        t.positions.insert(t.positions.end(),
                           {right ? side / 2 : -side / 2, back ? side / 2 : -side / 2, i >= 4 ? side : 0.0});
    }
    for (const auto &q : quads)
        t.indices.insert(t.indices.end(), {q[0], q[1], q[2], q[0], q[2], q[3]});
    return t;
}

// An open square of 8 by 8 around the origin.
triangles sheet(std::uint32_t cells)
{
    triangles t;
    for (std::uint32_t j = 0; j <= cells; j++)
        for (std::uint32_t i = 0; i <= cells; i++)
            t.positions.insert(t.positions.end(), {8.0 * i / cells - 4.0, 8.0 * j / cells - 4.0, 0.0});
    for (std::uint32_t j = 0; j < cells; j++)
        for (std::uint32_t i = 0; i < cells; i++) {
            const std::uint32_t v = j * (cells + 1) + i;
            t.indices.insert(t.indices.end(), {v, v + 1, v + cells + 2, v, v + cells + 2, v + cells + 1});
        }
    return t;
}

// Where the box is in a frame.
void place(int frame, bool slides, double at[2])
{
    at[0] = -1.03 + (slides ? STEP * frame : 0.0);
    at[1] = -0.41 + (slides ? 0.3 * STEP * frame : 0.0);
}

// Lives of points, by their numbers, and the area that those of a frame span.
struct tally {
    std::map<std::uint64_t, int> lives;
    std::size_t points = 0;
    double area = HUGE_VAL, low[2], high[2];

    void begin()
    {
        low[0] = low[1] = HUGE_VAL;
        high[0] = high[1] = -HUGE_VAL;
    }
    void add(std::uint64_t id, double x, double y)
    {
        const double at[2] = {x, y};
        lives[id]++;
        points++;
        for (int k = 0; k < 2; k++) {
            low[k] = std::min(low[k], at[k]);
            high[k] = std::max(high[k], at[k]);
        }
    }
    void end()
    {
        area = std::min(area, high[0] >= low[0] ? (high[0] - low[0]) * (high[1] - low[1]) : 0.0);
    }
};

void print(const char *what, const char *by, double seconds, double in_tracker, const tally &t)
{
    char tracker[16] = "";
    if (in_tracker > 0.0)
        snprintf(tracker, sizeof tracker, "%.2f", 1e6 * in_tracker / FRAMES);
    printf("%-40s %-7s %9.2f %8s %7.2f %8.1f %7.3f\n", what, by, 1e6 * seconds / FRAMES, tracker,
           double(t.points) / FRAMES, t.lives.empty() ? 0.0 : double(t.points) / double(t.lives.size()), t.area);
}

void measure(const graze::device &device, const char *what, const triangles &floor, bool slides)
{
    const triangles cube = box(1.0);
    const graze::mesh cargo(device, cube.positions, cube.indices), ground(device, floor.positions, floor.indices);
    graze::contact_tracker tracker(device);
    grz_contact_tracker_options options = grz_default_contact_tracker_options();
    options.match_distance = MATCH;
    std::vector<grz_tracked_point> points;
    tally t;
    double in_tracker = 0.0;
    (void)graze::manifold(device, cargo.at(grz_pose_from_translation(0, 0, 0)), ground.at(grz_pose_identity()));
    const double begin = processor_seconds();
    for (int frame = 0; frame < FRAMES; frame++) {
        double at[2];
        place(frame, slides, at);
        points.clear();
        graze::contact_tracker::add_points(1, 0,
                                           graze::manifold(device, cargo.at(grz_pose_from_translation(at[0], at[1], 0)),
                                                           ground.at(grz_pose_identity())),
                                           points);
        const double before = processor_seconds();
        const std::vector<grz_contact_id> ids = tracker.update(points, options);
        in_tracker += processor_seconds() - before;
        t.begin();
        for (std::size_t i = 0; i < ids.size(); i++)
            t.add(ids[i].id, points[i].position[0], points[i].position[1]);
        t.end();
    }
    print(what, "graze", processor_seconds() - begin, in_tracker, t);
}

#ifdef WITH_BULLET
void measure_bullet(const char *what, const triangles &floor, bool slides)
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btCollisionWorld world(&dispatcher, &broadphase, &configuration);
    btTriangleMesh mesh;
    for (std::size_t i = 0; i < floor.indices.size(); i += 3) {
        btVector3 c[3];
        for (std::size_t j = 0; j < 3; j++) {
            const double *p = &floor.positions[3 * floor.indices[i + j]];
            c[j] = btVector3(btScalar(p[0]), btScalar(p[1]), btScalar(p[2]));
        }
        mesh.addTriangle(c[0], c[1], c[2]);
    }
    btBvhTriangleMeshShape ground(&mesh, true);
    btBoxShape cargo(btVector3(0.5f, 0.5f, 0.5f));
    btCollisionObject a, b;
    a.setCollisionShape(&cargo);
    a.getWorldTransform().setIdentity();
    b.setCollisionShape(&ground);
    b.getWorldTransform().setIdentity();
    world.addCollisionObject(&a);
    world.addCollisionObject(&b);
    tally t;
    std::uint64_t next = 0;
    double seconds = 0.0;
    for (int frame = 0; frame < FRAMES; frame++) {
        double at[2];
        place(frame, slides, at);
        a.getWorldTransform().setOrigin(btVector3(btScalar(at[0]), btScalar(at[1]), btScalar(0.5)));
        const double begin = processor_seconds();
        world.performDiscreteCollisionDetection();
        seconds += processor_seconds() - begin;
        t.begin();
        for (int i = 0; i < dispatcher.getNumManifolds(); i++) {
            btPersistentManifold *manifold = dispatcher.getManifoldByIndexInternal(i);
            for (int j = 0; j < manifold->getNumContacts(); j++) {
                btManifoldPoint &p = manifold->getContactPoint(j);
                if (p.m_userPersistentData == nullptr) // Bullet keeps it with the point
                    p.m_userPersistentData = reinterpret_cast<void *>(++next);
                t.add(reinterpret_cast<std::uint64_t>(p.m_userPersistentData), p.getPositionWorldOnB().x(),
                      p.getPositionWorldOnB().y());
            }
        }
        t.end();
    }
    print(what, "bullet", seconds, 0.0, t);
    world.removeCollisionObject(&a);
    world.removeCollisionObject(&b);
}
#endif

// Bodies on a floor, four points each, that slide: trackers alone.
void measure_tracker(const graze::device &device, std::size_t bodies, bool features, double seconds)
{
    std::vector<grz_tracked_point> points(4 * bodies);
    graze::contact_tracker tracker(device);
    grz_contact_tracker_options options = grz_default_contact_tracker_options();
    options.match_distance = MATCH;
    std::size_t count = 0;
    const double begin = processor_seconds();
    double spent = 0.0;
    for (; spent < seconds; count++, spent = processor_seconds() - begin) {
        for (std::size_t i = 0; i < points.size(); i++) {
            grz_tracked_point &p = points[i];
            p = grz_tracked_point{};
            p.object_a = i / 4 + 1;
            p.feature_a = grz_feature{{std::uint32_t(i % 4), GRZ_NO_VERTEX}};
            p.feature_b = grz_feature{{GRZ_NO_VERTEX, GRZ_NO_VERTEX}};
            p.face_b = features ? 0 : std::uint32_t(count);
            p.position[0] = double(i / 4 * 3 + i % 2) + STEP * double(count % 2);
            p.position[1] = double(i / 2 % 2);
            p.normal[2] = 1.0;
        }
        const std::vector<grz_contact_id> ids = tracker.update(points, options);
        if (count > 0 && ids[0].match != (features ? GRZ_CONTACT_FEATURES : GRZ_CONTACT_NEAREST))
            printf("a contact was lost\n");
    }
    printf("tracker, %6zu points, %-22s %9.2f us an update, %6.3f a point\n", points.size(),
           features ? "by features" : "by distance", 1e6 * spent / double(count),
           1e6 * spent / double(count) / double(points.size()));
}

// Boxes in a grid, of which a tenth moves: events beside the query.
void measure_events(const graze::device &device, std::uint32_t side, double seconds)
{
    const triangles cube = box(1.0);
    const graze::mesh mesh(device, cube.positions, cube.indices);
    graze::scene scene(device);
    graze::result result(device);
    grz_collide_options options = grz_default_collide_options();
    options.find = 0;
    for (std::uint32_t i = 0; i < side * side; i++)
        scene.add(mesh.at(grz_pose_from_translation(i % side * 0.9, i / side * 1.2, 0)));
    graze::scene_events events(scene);
    double in_query = 0.0, in_events = 0.0;
    std::size_t count = 0;
    for (; in_query < seconds; count++) {
        for (std::uint32_t i = std::uint32_t(count % 10); i < side * side; i += 10)
            scene.set_pose(i, grz_pose_from_translation(i % side * 0.9, i / side * 1.2 + 0.3 * double(count % 3), 0));
        const double begin = processor_seconds();
        graze::collide(device, scene, result, options);
        const double middle = processor_seconds();
        events.update(result);
        in_query += middle - begin;
        in_events += processor_seconds() - middle;
    }
    printf("scene of %u boxes, %zu pairs: query %9.2f us, events %8.2f us\n", side * side, result.scene_pairs().size(),
           1e6 * in_query / double(count), 1e6 * in_events / double(count));
}

} // namespace

int main(int argc, char **argv)
{
    const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
    const double seconds = quick ? 0.05 : 0.5;
    const graze::device device;
    printf("%-40s %-7s %9s %8s %7s %8s %7s\n", "case", "by", "us/frame", "tracker", "points", "frames", "area");
    for (int slides = 0; slides < 2; slides++)
        for (const std::uint32_t cells : {1u, 8u, 64u}) {
            const triangles floor = sheet(cells);
            char what[64];
            snprintf(what, sizeof what, "%s a sheet of %u triangles", slides ? "slides over" : "rests on",
                     2 * cells * cells);
            measure(device, what, floor, slides != 0);
#ifdef WITH_BULLET
            measure_bullet(what, floor, slides != 0);
#endif
        }
    for (const std::size_t bodies : {1u, 100u, 10000u})
        for (int features = 1; features >= 0; features--)
            measure_tracker(device, bodies, features != 0, seconds);
    for (const std::uint32_t side : {10u, 100u})
        measure_events(device, side, seconds);
    return 0;
}
