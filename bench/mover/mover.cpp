// SPDX-License-Identifier: MIT
// A capsule, a box and an ellipsoid that walk through levels: grz_mover_step() and Bullet's
// btKinematicCharacterController, if that is installed: as it is, and strict, with m_allowedCcdPenetration 0.0001
// instead of 0.04, as programs with it do. (Bullet has no ellipsoid.) For each level: microseconds of processor time
// a step; how many of the steps ended inside, and how deep the deepest one was, mm: capsules by the exact distance
// (grz_distance()), every eighth step of a box by how much smaller it must be to be free (grz_collide()), ellipsoids
// yes or no by the mover's exact test; how far a step moved the body at most where it should stand still (corners),
// or changed its height (seams), once it has settled; and how far it got of what was asked.
// Usage: bench_mover [--quick]
#include <graze/graze.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#ifdef WITH_BULLET
#include <BulletCollision/CollisionDispatch/btGhostObject.h>
#include <BulletDynamics/Character/btKinematicCharacterController.h>
#include <btBulletDynamicsCommon.h>
#endif

namespace
{

const double RADIUS = 0.3, HALF = 0.6, RATE = 60.0, STEP_UP = 0.35, PI = 3.14159265358979323846;

grz_device *device;

enum body {
    CAPSULE,
    BOX,
    ELLIPSOID,
    BODIES
};
const char *const body_names[BODIES] = {"capsule", "box", "ellipsoid"};

void need(grz_status status, const grz_error &error)
{
    if (status == GRZ_OK)
        return;
    fprintf(stderr, "bench_mover: %s\n", error.message);
    exit(1);
}

double processor_seconds()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

struct level {
    std::vector<double> positions;
    std::vector<uint32_t> indices;

    uint32_t vertex(double x, double y, double z)
    {
        positions.insert(positions.end(), {x, y, z});
        return uint32_t(positions.size() / 3 - 1);
    }
    void quad(const double a[3], const double b[3], const double c[3], const double d[3])
    {
        const uint32_t i = vertex(a[0], a[1], a[2]);
        vertex(b[0], b[1], b[2]);
        vertex(c[0], c[1], c[2]);
        vertex(d[0], d[1], d[2]);
        indices.insert(indices.end(), {i, i + 1, i + 2, i, i + 2, i + 3});
    }
};

// A height map of n × n squares from (-size, -size) to (size, size); common vertices.
template <typename height> level ground(int nx, int ny, double size, height z)
{
    level l;
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i <= nx; i++) {
            const double x = -size + 2.0 * size * i / nx, y = -size + 2.0 * size * j / ny;
            l.vertex(x, y, z(x, y));
        }
    for (uint32_t j = 0; j < uint32_t(ny); j++)
        for (uint32_t i = 0; i < uint32_t(nx); i++) {
            const uint32_t a = j * uint32_t(nx + 1) + i, b = a + 1, c = b + uint32_t(nx + 1), d = c - 1;
            l.indices.insert(l.indices.end(), {a, b, c, a, c, d});
        }
    return l;
}

// A floor, and two walls that meet in the vertical line at the origin and open to +x by `degrees`.
level corner(double degrees)
{
    const double a = degrees * PI / 360.0, x = 20.0 * cos(a), y = 20.0 * sin(a);
    level l = ground(1, 1, 20.0, [](double, double) { return 0.0; });
    const double o[3] = {0, 0, -5}, o2[3] = {0, 0, 5}, p[3] = {x, y, -5}, p2[3] = {x, y, 5}, q[3] = {x, -y, -5},
                 q2[3] = {x, -y, 5};
    l.quad(o, o2, p2, p);
    l.quad(o, q, q2, o2);
    return l;
}

level stairs(double rise)
{
    level l;
    for (int i = 0; i <= 30; i++) {
        const double from = i == 0 ? -10.0 : 0.3 * (i - 1), to = i == 30 ? 40.0 : 0.3 * i, z = rise * i;
        const double a[3] = {from, -5, z}, b[3] = {to, -5, z}, c[3] = {to, 5, z}, d[3] = {from, 5, z},
                     e[3] = {to, -5, z + rise}, f[3] = {to, 5, z + rise};
        l.quad(a, b, c, d);
        if (i < 30)
            l.quad(b, e, f, c);
    }
    return l;
}

// ---- Movers -------------------------------------------------------------------------------------------------------

struct mover {
    virtual ~mover() = default;
    virtual void step(const double walk[3]) = 0; // along the ground, of one step; gravity is added
    double position[3] = {0, 0, 0};
};

struct graze_mover : mover {
    grz_object object;
    grz_shape shape;
    grz_mover_options options = grz_default_mover_options();
    double falling = 0.0;

    graze_mover(const grz_object &o, const double at[3], body b) : object(o)
    {
        const double middle[3] = {0, 0, 0}, low[3] = {0, 0, -HALF}, high[3] = {0, 0, HALF},
                     half[3] = {RADIUS, RADIUS, HALF + RADIUS};
        shape = b == CAPSULE ? grz_shape_capsule(low, high, RADIUS)
                : b == BOX   ? grz_shape_box(middle, half)
                             : grz_shape_ellipsoid(middle, half);
        options.walk = true;
        options.step_up = options.step_down = STEP_UP;
        memcpy(position, at, sizeof position);
    }
    void step(const double walk[3]) override
    {
        grz_mover_answer answer;
        grz_error error;
        falling = options.floor.stands ? 0.0 : falling - 9.8 / RATE / RATE;
        const double displacement[3] = {walk[0], walk[1], falling};
        need(grz_mover_step(device, &object, 1, &shape, position, displacement, &options, &answer, &error), error);
        memcpy(position, answer.position, sizeof position);
        options.floor = answer.floor;
    }
};

#ifdef WITH_BULLET
struct bullet_mover : mover {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    btGhostPairCallback ghosts;
    btTriangleMesh triangles{true, false};
    btBvhTriangleMeshShape *shape = nullptr;
    btCollisionObject ground_object;
    btCapsuleShapeZ capsule{btScalar(RADIUS), btScalar(2.0 * HALF)};
    btBoxShape box{btVector3(btScalar(RADIUS), btScalar(RADIUS), btScalar(HALF + RADIUS))};
    btPairCachingGhostObject ghost;
    btKinematicCharacterController *controller = nullptr;

    bullet_mover(const level &l, const double at[3], bool strict, body b)
    {
        for (size_t i = 0; i < l.indices.size(); i += 3) {
            btVector3 p[3];
            for (size_t j = 0; j < 3; j++) {
                const double *q = &l.positions[3 * l.indices[i + j]];
                p[j] = btVector3(btScalar(q[0]), btScalar(q[1]), btScalar(q[2]));
            }
            triangles.addTriangle(p[0], p[1], p[2]);
        }
        shape = new btBvhTriangleMeshShape(&triangles, true);
        ground_object.setCollisionShape(shape);
        world.addCollisionObject(&ground_object, btBroadphaseProxy::StaticFilter, btBroadphaseProxy::AllFilter);
        broadphase.getOverlappingPairCache()->setInternalGhostPairCallback(&ghosts);
        ghost.setWorldTransform(
            btTransform(btQuaternion::getIdentity(), btVector3(btScalar(at[0]), btScalar(at[1]), btScalar(at[2]))));
        btConvexShape *convex = b == BOX ? static_cast<btConvexShape *>(&box) : &capsule;
        ghost.setCollisionShape(convex);
        ghost.setCollisionFlags(btCollisionObject::CF_CHARACTER_OBJECT);
        world.addCollisionObject(&ghost, btBroadphaseProxy::CharacterFilter,
                                 btBroadphaseProxy::StaticFilter | btBroadphaseProxy::DefaultFilter);
        controller = new btKinematicCharacterController(&ghost, convex, btScalar(STEP_UP), btVector3(0, 0, 1));
        controller->setGravity(btVector3(0, 0, btScalar(-9.8)));
        controller->setMaxSlope(btScalar(PI / 4.0));
        if (strict)
            world.getDispatchInfo().m_allowedCcdPenetration = btScalar(0.0001);
        world.addAction(controller);
        memcpy(position, at, sizeof position);
    }
    ~bullet_mover() override
    {
        world.removeAction(controller);
        world.removeCollisionObject(&ghost);
        world.removeCollisionObject(&ground_object);
        delete controller;
        delete shape;
    }
    void step(const double walk[3]) override
    {
        controller->setWalkDirection(btVector3(btScalar(walk[0]), btScalar(walk[1]), 0));
        world.stepSimulation(btScalar(1.0 / RATE), 0);
        const btVector3 at = ghost.getWorldTransform().getOrigin();
        for (int k = 0; k < 3; k++)
            position[k] = double(at[k]);
    }
};
#endif

// ---- Rows ---------------------------------------------------------------------------------------------------------

enum kind {
    WALKS,
    STANDS,
    KEEPS_HEIGHT
};

struct row {
    const char *name;
    level l;
    double at[3], walk[3];
    double turning; // of the walk, radians a step
    kind what;
    int steps;
};

grz_mesh *make_mesh(const std::vector<double> &positions, const std::vector<uint32_t> &indices)
{
    grz_error error;
    grz_mesh *mesh = nullptr;
    grz_mesh_description d = grz_default_mesh_description();
    d.positions = positions.data();
    d.position_type = GRZ_FLOAT64;
    d.vertex_count = positions.size() / 3;
    d.indices = indices.data();
    d.index_count = indices.size();
    d.face_count = indices.size() / 3;
    d.corners_per_face = 3;
    need(grz_mesh_create(device, &d, &mesh, &error), error);
    return mesh;
}

double core_distance(const grz_object &object, const grz_mesh *core, const double p[3])
{
    const grz_object placed = grz_object_at(core, grz_pose_from_translation(p[0], p[1], p[2]));
    grz_distance_answer answer;
    grz_error error;
    need(grz_distance(device, &object, &placed, nullptr, &answer, &error), error);
    return answer.lower;
}

// True if a box that is smaller by `depth` on all sides touches the level, or is around a part of it.
bool box_touches(const grz_object &object, const grz_mesh *box, const double p[3], double depth)
{
    grz_object placed = grz_object_at(box, grz_pose_from_translation(p[0], p[1], p[2]));
    for (int k = 0; k < 3; k++)
        placed.pose.m[k][k] = 1.0 - depth / (k < 2 ? RADIUS : HALF + RADIUS);
    grz_collide_options options = grz_default_collide_options();
    static grz_result *result = nullptr;
    grz_error error;
    if (result == nullptr)
        need(grz_result_create(device, &result, &error), error);
    need(grz_collide(device, &placed, &object, &options, result, &error), error);
    return grz_result_summary(result)->relation != GRZ_APART;
}

// How deep a body is inside; 0 or below: it is outside.
double depth_of(const grz_object &object, body b, const grz_mesh *core, const double p[3])
{
    if (b == CAPSULE)
        return RADIUS - core_distance(object, core, p);
    if (b == BOX) {
        double low = 0.0, high = RADIUS;
        if (!box_touches(object, core, p, 1e-12)) // the corners are rounded
            return 0.0;
        for (int i = 0; i < 20; i++)
            *(box_touches(object, core, p, 0.5 * (low + high)) ? &low : &high) = 0.5 * (low + high);
        return high;
    }
    graze_mover m(object, p, b);
    grz_mover_answer answer;
    grz_error error;
    const double nothing[3] = {0, 0, 0};
    need(grz_mover_step(device, &object, 1, &m.shape, p, nothing, nullptr, &answer, &error), error);
    return answer.started_inside ? 1.0 : 0.0;
}

void measure(const row &r, const char *name, body b, mover &m, const grz_object &object, const grz_mesh *core)
{
    const int settle = 200;
    double spent = 0.0, most = 0.0, path = 0.0, wanted = 0.0;
    int inside = 0, measured = 0;
    double deepest = 0.0;
    for (int i = 0; i < settle + r.steps; i++) {
        const double a = r.turning * i, before[3] = {m.position[0], m.position[1], m.position[2]},
                     walk[3] = {r.walk[0] * cos(a) - r.walk[1] * sin(a), r.walk[0] * sin(a) + r.walk[1] * cos(a), 0.0};
        const double start = processor_seconds();
        m.step(walk);
        const double end = processor_seconds();
        if (i < settle)
            continue;
        spent += end - start;
        const double d[3] = {m.position[0] - before[0], m.position[1] - before[1], m.position[2] - before[2]};
        path += d[0] * walk[0] + d[1] * walk[1];
        wanted += walk[0] * walk[0] + walk[1] * walk[1];
        most = fmax(most, r.what == KEEPS_HEIGHT ? fabs(d[2]) : sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
        if (b == BOX && i % 8 != 0) // slow
            continue;
        const double depth = depth_of(object, b, core, m.position);
        measured++;
        inside += depth > 0.0;
        deepest = fmax(deepest, depth);
    }
    char trembling[32] = "-";
    if (r.what != WALKS)
        snprintf(trembling, sizeof trembling, "%.4g", 1e3 * most);
    printf("%-22s %-9s %-13s %8.1f %7.1f %9.3g %10s %7.1f\n", r.name, body_names[b], name, 1e6 * spent / r.steps,
           100.0 * inside / measured, 1e3 * deepest, trembling, 100.0 * path / wanted);
    fflush(stdout);
}

} // namespace

int main(int count, char **arguments)
{
    const int n = count > 1 && std::string(arguments[1]) == "--quick" ? 300 : 3000;
    grz_error error;
    grz_device_options device_options = grz_default_device_options();
    device_options.threads = 1;
    need(grz_device_open(&device_options, &device, &error), error);
    const auto hills = [](double x, double y) {
        return 0.4 * sin(0.7 * x) * cos(0.9 * y) + 0.05 * sin(7.0 * x + 5.0 * y);
    };
    const auto flat = [](double, double) { return 0.0; };
    const double speed = 1.5 / RATE;
    std::vector<row> rows;
    rows.push_back({"hills, 100352", ground(224, 224, 28.0, hills), {0, 0, 1.6}, {speed, 0, 0}, 0.002, WALKS, n});
    rows.push_back({"hills, 2048", ground(32, 32, 28.0, hills), {0, 0, 1.6}, {speed, 0, 0}, 0.002, WALKS, n});
    rows.push_back({"corner of 90 degrees", corner(90.0), {3, 0.01, 0.95}, {-speed, 0, 0}, 0.0, STANDS, n});
    rows.push_back({"corner of 20 degrees", corner(20.0), {4, 0.01, 0.95}, {-speed, 0, 0}, 0.0, STANDS, n});
    rows.push_back({"a wall, at 45 degrees", corner(180.0), {3, -0.5, 0.95}, {-speed, speed / 10, 0}, 0.0, WALKS, 100});
    rows.push_back(
        {"flat, along a seam", ground(160, 160, 80.0, flat), {-70, 0, 0.95}, {speed, 0, 0}, 0.0, KEEPS_HEIGHT, n});
    rows.push_back(
        {"flat, across slivers", ground(4000, 1, 80.0, flat), {-70, 0.3, 0.95}, {speed, 0, 0}, 0.0, KEEPS_HEIGHT, n});
    rows.push_back({"stairs of 0.2", stairs(0.2), {-7, 0, 0.95}, {speed, 0, 0}, 0.0, WALKS, 500});
    printf("%-22s %-9s %-13s %8s %7s %9s %10s %7s\n", "level", "body", "mover", "us/step", "inside%", "deepest",
           "mm a step", "got, %");
    const double h = HALF + RADIUS;
    const std::vector<double> corners = {-RADIUS, -RADIUS, -h,     RADIUS, -RADIUS, -h,      RADIUS, RADIUS,
                                         -h,      -RADIUS, RADIUS, -h,     -RADIUS, -RADIUS, h,      RADIUS,
                                         -RADIUS, h,       RADIUS, RADIUS, h,       -RADIUS, RADIUS, h};
    grz_mesh *cores[BODIES] = {make_mesh({0, 0, -HALF, 0, 0, HALF}, {0, 1, 1}),
                               make_mesh(corners, {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                                   1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7}),
                               nullptr};
    for (const row &r : rows) {
        grz_mesh *mesh = make_mesh(r.l.positions, r.l.indices);
        const grz_object object = grz_object_at_origin(mesh);
        for (int i = 0; i < BODIES; i++) {
            const body b = body(i);
            graze_mover m(object, r.at, b);
            measure(r, "graze", b, m, object, cores[b]);
#ifdef WITH_BULLET
            for (int strict = 0; strict < 2 && b != ELLIPSOID; strict++) {
                bullet_mover peer(r.l, r.at, strict != 0, b);
                measure(r, strict ? "bullet strict" : "bullet", b, peer, object, cores[b]);
            }
#endif
        }
        grz_mesh_destroy(mesh);
    }
    for (grz_mesh *core : cores)
        grz_mesh_destroy(core);
    grz_device_close(device);
    return 0;
}
