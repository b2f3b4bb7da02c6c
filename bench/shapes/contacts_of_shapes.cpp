// SPDX-License-Identifier: MIT
// Contacts of shapes, for a physics engine: random pairs that are up to a tenth of their size deep in each other, or
// a little apart. Graze: grz_shapes_manifold(). Bullet, if it is installed: the algorithm that its dispatcher has for
// the pair, with a new manifold. For each: microseconds of processor time a pair; points a pair that penetrates; pairs
// on which the two differ in whether they penetrate, but for depths below 0.001; and of those on which they agree, how
// often Bullet's depth is off Graze's proved one by more than 0.01 and by how much at most (sizes are about 1; Bullet
// computes in single precision).
// Then a body that slides over another by 0.01 a frame, for 300 frames: points a frame, and how many frames a point
// lives: Graze's by a grz_contact_tracker, Bullet's by its persistent manifold.
// Usage: bench_shape_contacts [--quick]
#include <graze/graze.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#ifdef WITH_BULLET
#include <btBulletCollisionCommon.h>
#endif

namespace
{

constexpr int FRAMES = 300;
constexpr double STEP = 0.01, MATCH = 0.02;

enum kind {
    BOX,
    SPHERE,
    CAPSULE,
    CYLINDER,
    HULL
};

const char *const names[] = {"box", "sphere", "capsule", "cylinder", "hull"};

double processor_seconds()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

// The corners of the hulls: 20 points on a sphere, moved a little.
const std::vector<double> &hull_corners()
{
    static const std::vector<double> corners = [] {
        std::vector<double> out;
        std::seed_seq seed{7}; // the same hull on each run
        std::mt19937_64 random(seed);
        std::normal_distribution<double> normal;
        for (int i = 0; i < 20; i++) {
            const double v[3] = {normal(random), normal(random), normal(random)};
            const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
            for (const double x : v)
                out.push_back(0.5 * x / length);
        }
        return out;
    }();
    return corners;
}

// A shape around 0; capsules and cylinders along z.
grz_shape shape_of(kind k)
{
    const double zero[3] = {0, 0, 0}, half[3] = {0.5, 0.4, 0.3}, low[3] = {0, 0, -0.4}, high[3] = {0, 0, 0.4};
    switch (k) {
    case BOX:
        return grz_shape_box(zero, half);
    case SPHERE:
        return grz_shape_sphere(zero, 0.5);
    case CAPSULE:
        return grz_shape_capsule(low, high, 0.3);
    case CYLINDER:
        return grz_shape_cylinder(zero, 0.4, 0.4);
    default:
        return grz_shape_hull(hull_corners().data(), hull_corners().size() / 3);
    }
}

struct placed_pair {
    grz_shape a, b;
    grz_shape_manifold manifold;
};

void fail(const grz_error &error)
{
    std::fprintf(stderr, "bench_shape_contacts: %s\n", error.message);
    std::exit(2);
}

grz_pose random_pose(std::mt19937_64 &random)
{
    std::normal_distribution<double> normal;
    const double quaternion[4] = {normal(random), normal(random), normal(random), normal(random)};
    const double at[3] = {normal(random) * 0.5, normal(random) * 0.5, normal(random) * 0.5};
    grz_pose pose;
    grz_error error;
    if (grz_pose_from_quaternion(at, quaternion, &pose, &error) != GRZ_OK)
        fail(error);
    return pose;
}

// Pairs of the two kinds that are less than 0.1 deep, or less than 0.05 apart.
std::vector<placed_pair> make_pairs(const graze::device &device, kind a, kind b, std::size_t count)
{
    std::mt19937_64 random(1000 * std::uint64_t(a) + std::uint64_t(b) + 1);
    std::vector<placed_pair> out;
    while (out.size() < count) {
        placed_pair p{shape_of(a), shape_of(b), {}};
        p.a.pose = random_pose(random);
        p.b.pose = random_pose(random);
        grz_error error;
        if (grz_shapes_manifold(device.get(), &p.a, &p.b, nullptr, &p.manifold, &error) != GRZ_OK)
            fail(error);
        const grz_shape_answer &answer = p.manifold.answer;
        if (answer.relation == GRZ_SHAPES_PENETRATING ? answer.depth < 0.1 : answer.upper < 0.05)
            out.push_back(p);
    }
    return out;
}

void measure(const graze::device &device, kind a, kind b, const std::vector<placed_pair> &pairs)
{
    const std::string what = std::string(names[a]) + ", " + names[b];
    grz_shape_manifold manifold;
    grz_error error;
    std::size_t points = 0, deep = 0;
    const double begin = processor_seconds();
    for (const placed_pair &p : pairs) {
        if (grz_shapes_manifold(device.get(), &p.a, &p.b, nullptr, &manifold, &error) != GRZ_OK)
            fail(error);
        points += manifold.count;
        deep += manifold.count > 0;
    }
    const double seconds = processor_seconds() - begin;
    std::printf("%-20s graze  %8.2f %8.2f\n", what.c_str(), 1e6 * seconds / double(pairs.size()),
                double(points) / double(std::max<std::size_t>(deep, 1)));
}

#ifdef WITH_BULLET
bool is_deep(const placed_pair &p)
{
    return p.manifold.answer.relation == GRZ_SHAPES_PENETRATING;
}

std::unique_ptr<btCollisionShape> bullet_shape(kind k)
{
    switch (k) {
    case BOX:
        return std::make_unique<btBoxShape>(btVector3(0.5F, 0.4F, 0.3F));
    case SPHERE:
        return std::make_unique<btSphereShape>(0.5F);
    case CAPSULE:
        return std::make_unique<btCapsuleShapeZ>(0.3F, 0.8F);
    case CYLINDER:
        return std::make_unique<btCylinderShapeZ>(btVector3(0.4F, 0.4F, 0.4F));
    default: {
        auto hull = std::make_unique<btConvexHullShape>();
        const std::vector<double> &corners = hull_corners();
        for (std::size_t i = 0; i < corners.size(); i += 3)
            hull->addPoint(btVector3(btScalar(corners[i]), btScalar(corners[i + 1]), btScalar(corners[i + 2])));
        hull->setMargin(0.001F); // it is added outside
        return hull;
    }
    }
}

btTransform transform_of(const grz_pose &pose)
{
    btTransform out;
    const auto &m = pose.m;
    out.setBasis(btMatrix3x3(btScalar(m[0][0]), btScalar(m[0][1]), btScalar(m[0][2]), btScalar(m[1][0]),
                             btScalar(m[1][1]), btScalar(m[1][2]), btScalar(m[2][0]), btScalar(m[2][1]),
                             btScalar(m[2][2])));
    out.setOrigin(btVector3(btScalar(m[0][3]), btScalar(m[1][3]), btScalar(m[2][3])));
    return out;
}

// Two bodies and what Bullet needs for them.
struct bullet_pair {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    std::unique_ptr<btCollisionShape> shape_a, shape_b;
    btCollisionObject a, b;

    bullet_pair(kind ka, kind kb) : shape_a(bullet_shape(ka)), shape_b(bullet_shape(kb))
    {
        a.setCollisionShape(shape_a.get());
        b.setCollisionShape(shape_b.get());
    }
    void place(const grz_pose &pose_a, const grz_pose &pose_b)
    {
        a.setWorldTransform(transform_of(pose_a));
        b.setWorldTransform(transform_of(pose_b));
    }
};

void measure_bullet(kind ka, kind kb, const std::vector<placed_pair> &pairs)
{
    const std::string what = std::string(names[ka]) + ", " + names[kb];
    bullet_pair two(ka, kb);
    std::size_t points = 0, deep = 0, differ = 0, off = 0;
    double seconds = 0.0, most = 0.0;
    for (const placed_pair &p : pairs) {
        two.place(p.a.pose, p.b.pose);
        const double begin = processor_seconds();
        const btCollisionObjectWrapper a(nullptr, two.shape_a.get(), &two.a, two.a.getWorldTransform(), -1, -1);
        const btCollisionObjectWrapper b(nullptr, two.shape_b.get(), &two.b, two.b.getWorldTransform(), -1, -1);
        btCollisionAlgorithm *algorithm = two.dispatcher.findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
        btManifoldResult result(&a, &b);
        algorithm->processCollision(&a, &b, btDispatcherInfo(), &result);
        seconds += processor_seconds() - begin;
        double depth = 0.0;
        std::size_t count = 0;
        btManifoldArray manifolds; // one, the algorithm's own
        algorithm->getAllContactManifolds(manifolds);
        const btPersistentManifold *manifold = manifolds[0];
        for (int i = 0; i < manifold->getNumContacts(); i++) {
            depth = std::max(depth, -double(manifold->getContactPoint(i).getDistance()));
            count += manifold->getContactPoint(i).getDistance() <= 0.0F;
        }
        points += count;
        deep += count > 0;
        const bool is_off = (count > 0) != is_deep(p);
        differ += is_off && std::max(depth, p.manifold.answer.depth) > 1e-3;
        if (!is_off && count > 0) {
            const double by = std::fabs(depth - p.manifold.answer.depth);
            off += by > 0.01;
            most = std::max(most, by);
        }
        algorithm->~btCollisionAlgorithm();
        two.dispatcher.freeCollisionAlgorithm(algorithm);
    }
    std::printf("%-20s bullet %8.2f %8.2f %8zu %8zu %10.3f\n", what.c_str(), 1e6 * seconds / double(pairs.size()),
                double(points) / double(std::max<std::size_t>(deep, 1)), differ, off, most);
}
#endif

// ---- From frame to frame --------------------------------------------------------------------------------------------

struct tally {
    std::map<std::uint64_t, int> lives;
    std::size_t points = 0;

    void add(std::uint64_t id)
    {
        lives[id]++;
        points++;
    }
};

void print_lives(kind k, const char *by, double seconds, const tally &t)
{
    std::printf("%-20s %-6s %8.2f %8.2f %8.1f\n", names[k], by, 1e6 * seconds / FRAMES, double(t.points) / FRAMES,
                t.lives.empty() ? 0.0 : double(t.points) / double(t.lives.size()));
}

// A body on a box whose upper side is at z = 0.3, 0.001 deep in it; it slides and turns.
grz_pose slide(kind k, int frame)
{
    double low = 0.0; // of the hull
    for (std::size_t i = 2; i < hull_corners().size(); i += 3)
        low = std::min(low, hull_corners()[i]);
    const double height[] = {0.3, 0.5, 0.7, 0.4, -low}, angle = 0.005 * frame;
    const double quaternion[4] = {0, 0, std::sin(angle), std::cos(angle)};
    const double at[3] = {-0.2 + 0.1 * STEP * frame, 0.03 * STEP * frame, 0.3 + height[k] - 0.001};
    grz_pose pose;
    grz_error error;
    if (grz_pose_from_quaternion(at, quaternion, &pose, &error) != GRZ_OK)
        fail(error);
    return pose;
}

void measure_lives(const graze::device &device, kind k)
{
    grz_shape body = shape_of(k);
    const grz_shape floor = shape_of(BOX);
    graze::contact_tracker tracker(device);
    grz_contact_tracker_options options = grz_default_contact_tracker_options();
    options.match_distance = MATCH;
    tally t;
    const double begin = processor_seconds();
    for (int frame = 0; frame < FRAMES; frame++) {
        grz_shape_manifold manifold;
        grz_error error;
        body.pose = slide(k, frame);
        if (grz_shapes_manifold(device.get(), &body, &floor, nullptr, &manifold, &error) != GRZ_OK)
            fail(error);
        std::vector<grz_tracked_point> points(manifold.count);
        for (std::uint32_t i = 0; i < manifold.count; i++) {
            const grz_shape_manifold_point &p = manifold.points[i];
            points[i] = grz_tracked_point{};
            points[i].object_a = 1;
            points[i].feature_a = p.feature_a;
            points[i].feature_b = p.feature_b;
            points[i].face_a = points[i].face_b = GRZ_NO_FACE;
            for (int c = 0; c < 3; c++) {
                points[i].position[c] = 0.5 * (p.point_a[c] + p.point_b[c]);
                points[i].normal[c] = manifold.answer.direction[c];
            }
        }
        for (const grz_contact_id &id : tracker.update(points, options))
            t.add(id.id);
    }
    print_lives(k, "graze", processor_seconds() - begin, t);
}

#ifdef WITH_BULLET
void measure_lives_bullet(kind k)
{
    bullet_pair two(k, BOX);
    btDbvtBroadphase broadphase;
    btCollisionWorld world(&two.dispatcher, &broadphase, &two.configuration);
    world.addCollisionObject(&two.a);
    world.addCollisionObject(&two.b);
    tally t;
    std::uint64_t next = 0;
    double seconds = 0.0;
    for (int frame = 0; frame < FRAMES; frame++) {
        two.place(slide(k, frame), grz_pose_identity());
        const double begin = processor_seconds();
        world.performDiscreteCollisionDetection();
        seconds += processor_seconds() - begin;
        for (int i = 0; i < two.dispatcher.getNumManifolds(); i++) {
            btPersistentManifold *manifold = two.dispatcher.getManifoldByIndexInternal(i);
            for (int j = 0; j < manifold->getNumContacts(); j++) {
                btManifoldPoint &p = manifold->getContactPoint(j);
                if (p.m_userPersistentData == nullptr) // Bullet keeps it with the point
                    p.m_userPersistentData = reinterpret_cast<void *>(++next);
                t.add(reinterpret_cast<std::uint64_t>(p.m_userPersistentData));
            }
        }
    }
    print_lives(k, "bullet", seconds, t);
    world.removeCollisionObject(&two.a);
    world.removeCollisionObject(&two.b);
}
#endif

void run(bool quick)
{
    const graze::device device;
    const kind pairs[][2] = {{BOX, BOX}, {SPHERE, BOX}, {CAPSULE, BOX}, {CYLINDER, BOX}, {HULL, HULL}};
    std::printf("%-20s by     us/pair   points   differ off>0.01   most off\n", "pair");
    for (const auto &p : pairs) {
        const std::vector<placed_pair> made = make_pairs(device, p[0], p[1], quick ? 200 : 4000);
        measure(device, p[0], p[1], made);
#ifdef WITH_BULLET
        measure_bullet(p[0], p[1], made);
#endif
    }
    std::printf("\n%-20s by     us/frame  points   frames\n", "slides on a box");
    for (const kind k : {BOX, SPHERE, CYLINDER, HULL}) {
        measure_lives(device, k);
#ifdef WITH_BULLET
        measure_lives_bullet(k);
#endif
    }
}

} // namespace

int main(int argc, char **argv)
{
    try {
        run(argc > 1 && std::strcmp(argv[1], "--quick") == 0);
        return 0;
    } catch (const std::exception &failed) {
        std::fprintf(stderr, "bench_shape_contacts: %s\n", failed.what());
        return 2;
    }
}
