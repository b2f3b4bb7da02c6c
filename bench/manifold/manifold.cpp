// SPDX-License-Identifier: MIT
// Contact manifolds of a box of side 1 on a floor: grz_manifold_find(), and Bullet's contactPairTest() of the same box
// against the same triangles, if Bullet is installed. The floor is cut into few or many triangles; the box touches it,
// or has sunk in by 0.01. For each: microseconds of processor time, how many points, the deepest point's error, and the
// area that the points span as a share of the box's side. Two asteroids that overlap are for Graze alone.
// Usage: bench_manifold [--quick]
#include <graze/graze.h>
#include <graze/io.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#ifdef WITH_BULLET
#include <btBulletCollisionCommon.h>
#endif

namespace
{

grz_device *device;

void need(grz_status status, const grz_error &error)
{
    if (status == GRZ_OK)
        return;
    fprintf(stderr, "bench_manifold: %s\n", error.message);
    exit(1);
}

double processor_seconds()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

struct triangles {
    std::vector<double> positions;
    std::vector<uint32_t> indices;
};

grz_object upload(const triangles &t)
{
    grz_mesh_description d = grz_default_mesh_description();
    grz_mesh *mesh;
    grz_error error;
    d.positions = t.positions.data();
    d.position_type = GRZ_FLOAT64;
    d.vertex_count = t.positions.size() / 3;
    d.indices = t.indices.data();
    d.index_count = t.indices.size();
    d.face_count = t.indices.size() / 3;
    need(grz_mesh_create(device, &d, &mesh, &error), error);
    return grz_object_at_origin(mesh);
}

triangles box(double x, double y, double z, double to_x, double to_y, double to_z)
{
    static const uint32_t quads[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                         {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    triangles t;
    for (int i = 0; i < 8; i++) {
        const bool right = (i & 3) == 1 || (i & 3) == 2, back = (i & 3) >= 2;
        t.positions.insert(t.positions.end(), {right ? to_x : x, back ? to_y : y, i >= 4 ? to_z : z});
    }
    for (const auto &q : quads)
        t.indices.insert(t.indices.end(), {q[0], q[1], q[2], q[0], q[2], q[3]});
    return t;
}

// An open square of 8 by 8 around the origin.
triangles sheet(uint32_t cells)
{
    triangles t;
    for (uint32_t j = 0; j <= cells; j++)
        for (uint32_t i = 0; i <= cells; i++)
            t.positions.insert(t.positions.end(), {8.0 * i / cells - 4.0, 8.0 * j / cells - 4.0, 0.0});
    for (uint32_t j = 0; j < cells; j++)
        for (uint32_t i = 0; i < cells; i++) {
            const uint32_t v = j * (cells + 1) + i;
            t.indices.insert(t.indices.end(), {v, v + 1, v + cells + 2, v, v + cells + 2, v + cells + 1});
        }
    return t;
}

// The largest rectangle-like area of points on a plane: of the hull of up to 4, or of many, by directions.
double area_of(const std::vector<double> &points)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < points.size(); i += 3)
        for (int k = 0; k < 2; k++) {
            low[k] = std::min(low[k], points[i + size_t(k)]);
            high[k] = std::max(high[k], points[i + size_t(k)]);
        }
    return points.empty() ? 0.0 : (high[0] - low[0]) * (high[1] - low[1]);
}

void print(const char *what, const char *with, double seconds, size_t points, double error, double area)
{
    printf("%-34s %-8s %9.2f %6zu %11.3g %6.3f\n", what, with, 1e6 * seconds, points, error, area);
}

void measure(const char *what, const grz_object &a, const grz_object &b, double depth, double seconds)
{
    grz_manifold_answer answer;
    grz_error error;
    need(grz_manifold_find(device, &a, &b, nullptr, &answer, &error), error);
    const double begin = processor_seconds();
    double spent = 0.0;
    size_t count = 0;
    for (; spent < seconds; count++, spent = processor_seconds() - begin)
        need(grz_manifold_find(device, &a, &b, nullptr, &answer, &error), error);
    std::vector<double> points;
    double deepest = 0.0;
    for (uint32_t i = 0; i < answer.count; i++) {
        points.insert(points.end(), answer.points[i].position, answer.points[i].position + 3);
        deepest = std::max(deepest, answer.points[i].depth);
    }
    print(what, "graze", spent / double(count), answer.count, depth < 0.0 ? deepest - answer.depth : deepest - depth,
          depth < 0.0 ? double(NAN) : area_of(points));
}

#ifdef WITH_BULLET
struct collector : btCollisionWorld::ContactResultCallback {
    std::vector<double> points;
    double deepest = -HUGE_VAL;
    btScalar addSingleResult(btManifoldPoint &p, const btCollisionObjectWrapper *, int, int,
                             const btCollisionObjectWrapper *, int, int) override
    {
        points.insert(points.end(),
                      {p.getPositionWorldOnB().x(), p.getPositionWorldOnB().y(), p.getPositionWorldOnB().z()});
        deepest = std::max(deepest, -double(p.getDistance()));
        return 0;
    }
};

void measure_bullet(const char *what, const triangles &floor, double height, double depth, double seconds)
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btCollisionWorld world(&dispatcher, &broadphase, &configuration);
    btTriangleMesh mesh;
    for (size_t i = 0; i < floor.indices.size(); i += 3) {
        btVector3 c[3];
        for (size_t j = 0; j < 3; j++) {
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
    a.getWorldTransform().setOrigin(btVector3(0.1f, 0.2f, btScalar(height + 0.5)));
    b.setCollisionShape(&ground);
    b.getWorldTransform().setIdentity();
    world.addCollisionObject(&a);
    world.addCollisionObject(&b);
    collector found;
    const double begin = processor_seconds();
    double spent = 0.0;
    size_t count = 0;
    for (; spent < seconds; count++, spent = processor_seconds() - begin) {
        found = collector();
        world.contactPairTest(&a, &b, found);
    }
    print(what, "bullet", spent / double(count), found.points.size() / 3, found.deepest - depth, area_of(found.points));
    world.removeCollisionObject(&a);
    world.removeCollisionObject(&b);
}
#endif

grz_object load(const char *path)
{
    grz_io_model *model;
    grz_mesh_description d = grz_default_mesh_description();
    grz_mesh *mesh;
    grz_error error;
    need(grz_io_load_file(path, nullptr, &model, &error), error);
    need(grz_io_describe(model, &d, &error), error);
    need(grz_mesh_create(device, &d, &mesh, &error), error);
    grz_io_model_destroy(model);
    return grz_object_at_origin(mesh);
}

} // namespace

int main(int argc, char **argv)
{
    const bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    const double seconds = quick ? 0.1 : 1.0;
    grz_error error;
    need(grz_device_open(nullptr, &device, &error), error);
    printf("%-34s %-8s %9s %6s %11s %6s\n", "case", "by", "us", "points", "depth off", "area");
    for (int sunk = 0; sunk < 2; sunk++) {
        const double height = sunk ? -0.01 : 0.0, depth = sunk ? 0.01 : 0.0;
        const grz_object cargo = upload(box(-0.4, -0.3, height, 0.6, 0.7, height + 1.0)),
                         slab = upload(box(-4, -4, -1, 4, 4, 0));
        char what[64];
        snprintf(what, sizeof what, "%s a slab of 12 triangles", sunk ? "in" : "on");
        measure(what, cargo, slab, depth, seconds);
        for (uint32_t cells : {1u, 8u, 64u}) {
            const triangles floor = sheet(cells);
            snprintf(what, sizeof what, "%s a sheet of %u triangles", sunk ? "in" : "on", 2 * cells * cells);
            measure(what, cargo, upload(floor), depth, seconds);
#ifdef WITH_BULLET
            measure_bullet(what, floor, height, depth, seconds);
#endif
        }
    }
    grz_object a = load("data/nbody_a_bennu.ply"), b = load("data/nbody_a_itokawa.ply");
    b.pose = grz_pose_from_translation(1.6, 0.2, 0.0);
    measure("two asteroids", a, b, -1.0, seconds);
    return 0;
}
