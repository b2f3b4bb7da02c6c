// SPDX-License-Identifier: MIT
// What the benchmarks of motions share: models, for Graze and for FCL, numbers, time.
#ifndef BENCH_MOTION_MODELS_HPP
#define BENCH_MOTION_MODELS_HPP

#include <graze/graze.h>
#include <graze/io.h>

#ifdef BENCH_FCL
#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/motion/interp_motion.h>
#include <fcl/narrowphase/continuous_collision.h>
#endif

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

namespace
{

grz_device *device;
grz_error error;

void need(grz_status status)
{
    if (status == GRZ_OK)
        return;
    std::fprintf(stderr, "bench: %s\n", error.message);
    std::exit(1);
}

// Of the processor, not of the clock on the wall: all that is measured works in one thread.
double now_ms()
{
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

struct model {
    const char *name;
    grz_mesh *mesh = nullptr;
    double size = 0.0;
#ifdef BENCH_FCL
    std::shared_ptr<fcl::BVHModel<fcl::OBBRSSd>> fcl_model;
#endif
};

model load(const char *name)
{
    model out;
    grz_io_model *read = nullptr;
    grz_mesh_description description = grz_default_mesh_description();
    out.name = name;
    const std::string path = std::string("data/") + name;
    need(grz_io_load_file(path.c_str(), nullptr, &read, &error));
    need(grz_io_describe(read, &description, &error));
    need(grz_mesh_create(device, &description, &out.mesh, &error));
    const grz_object object = grz_object_at_origin(out.mesh);
    double min[3], max[3];
    need(grz_object_bounds(&object, min, max, &error));
    for (int k = 0; k < 3; k++)
        out.size += (max[k] - min[k]) * (max[k] - min[k]);
    out.size = std::sqrt(out.size);
#ifdef BENCH_FCL
    std::vector<fcl::Vector3d> points;
    std::vector<fcl::Triangle> triangles;
    for (uint64_t i = 0; i < read->vertex_count; i++)
        points.emplace_back(read->positions[3 * i], read->positions[3 * i + 1], read->positions[3 * i + 2]);
    for (uint64_t face = 0, at = 0; face < read->face_count; face++) {
        const uint32_t corners = read->corner_counts != nullptr ? read->corner_counts[face] : 3;
        for (uint32_t i = 2; i < corners; i++)
            triangles.emplace_back(read->indices[at], read->indices[at + i - 1], read->indices[at + i]);
        at += corners;
    }
    out.fcl_model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    out.fcl_model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(points.size()));
    out.fcl_model->addSubModel(points, triangles);
    out.fcl_model->endModel();
#endif
    grz_io_model_destroy(read);
    return out;
}

// Numbers in [-1, 1), always the same (splitmix64).
struct signed_ones {
    uint64_t state = 7;

    double next()
    {
        uint64_t x = state += UINT64_C(0x9e3779b97f4a7c15);
        x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
        return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1.0;
    }
};

// Where a motion begins and ends: a line past the other mesh, from outside.
void random_line(signed_ones &random, double size, double from[3], double to[3])
{
    for (int k = 0; k < 3; k++) {
        from[k] = size * random.next();
        to[k] = -from[k] + 0.7 * size * random.next();
    }
    const double length = std::sqrt(from[0] * from[0] + from[1] * from[1] + from[2] * from[2]);
    for (int k = 0; k < 3; k++)
        from[k] *= 1.2 * size / length;
}

#ifdef BENCH_FCL
fcl::Transform3d end_of(const double at[3], const double turn[4])
{
    fcl::Transform3d out = fcl::Transform3d::Identity();
    out.linear() = fcl::Quaterniond(turn[3], turn[0], turn[1], turn[2]).normalized().toRotationMatrix();
    out.translation() = fcl::Vector3d(at[0], at[1], at[2]);
    return out;
}
#endif

} // namespace

#endif
