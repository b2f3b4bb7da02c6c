// SPDX-License-Identifier: MIT
// Pairs of shapes beside FCL, which uses libccd (or its own algorithm, GST_INDEP): time a query, and how often its answer
// is wrong. Graze's answers are proved bounds, so an answer outside of them is wrong.
// Usage: bench_shapes [--csv FILE]
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <fcl/fcl.h>

#include <graze/graze.hpp>

#include "bench.h"

namespace
{

const int PAIRS = 4000;

struct solid {
    grz_shape graze;
    std::shared_ptr<fcl::CollisionObjectd> fcl;
};

struct pair_of {
    solid a, b;
};

typedef std::function<solid(std::mt19937_64 &, double size)> maker;

double uniform(std::mt19937_64 &random, double low, double high)
{
    return std::uniform_real_distribution<double>(low, high)(random);
}

// Put a shape made around the origin at a random turn and place.
solid placed(std::mt19937_64 &random, grz_shape shape, std::shared_ptr<fcl::CollisionGeometryd> geometry, double size,
             double offset)
{
    double q[4], at[3];
    for (double &x : q)
        x = uniform(random, -1.0, 1.0);
    for (double &x : at)
        x = uniform(random, -1.6 * size, 1.6 * size) + offset;
    grz_error error;
    bench_need(grz_pose_from_quaternion(at, q, &shape.pose, &error), &error);
    fcl::Transform3d pose = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            pose.linear()(i, j) = shape.pose.m[i][j];
        pose.translation()[i] = shape.pose.m[i][3];
    }
    return {shape, std::make_shared<fcl::CollisionObjectd>(geometry, pose)};
}

const double ORIGIN[3] = {0.0, 0.0, 0.0};

solid box(std::mt19937_64 &random, double size, double offset)
{
    const double half[3] = {uniform(random, 0.2, 1.0) * size, uniform(random, 0.2, 1.0) * size,
                            uniform(random, 0.2, 1.0) * size};
    return placed(random, grz_shape_box(ORIGIN, half),
                  std::make_shared<fcl::Boxd>(2 * half[0], 2 * half[1], 2 * half[2]), size, offset);
}

solid sphere(std::mt19937_64 &random, double size, double offset)
{
    const double radius = uniform(random, 0.2, 1.0) * size;
    return placed(random, grz_shape_sphere(ORIGIN, radius), std::make_shared<fcl::Sphered>(radius), size, offset);
}

solid capsule(std::mt19937_64 &random, double size, double offset)
{
    const double radius = uniform(random, 0.2, 0.6) * size, half = uniform(random, 0.2, 1.0) * size;
    const double p[3] = {0, 0, -half}, q[3] = {0, 0, half};
    return placed(random, grz_shape_capsule(p, q, radius), std::make_shared<fcl::Capsuled>(radius, 2 * half), size,
                  offset);
}

solid cylinder(std::mt19937_64 &random, double size, double offset)
{
    const double radius = uniform(random, 0.2, 0.8) * size, half = uniform(random, 0.2, 1.0) * size;
    return placed(random, grz_shape_cylinder(ORIGIN, radius, half), std::make_shared<fcl::Cylinderd>(radius, 2 * half),
                  size, offset);
}

solid cone(std::mt19937_64 &random, double size, double offset)
{
    const double radius = uniform(random, 0.2, 0.8) * size, half = uniform(random, 0.2, 1.0) * size;
    return placed(random, grz_shape_cone(ORIGIN, radius, half), std::make_shared<fcl::Coned>(radius, 2 * half), size,
                  offset);
}

solid ellipsoid(std::mt19937_64 &random, double size, double offset)
{
    const double half[3] = {uniform(random, 0.2, 1.0) * size, uniform(random, 0.2, 1.0) * size,
                            uniform(random, 0.2, 1.0) * size};
    return placed(random, grz_shape_ellipsoid(ORIGIN, half),
                  std::make_shared<fcl::Ellipsoidd>(half[0], half[1], half[2]), size, offset);
}

struct row {
    const char *name;
    solid (*a)(std::mt19937_64 &, double, double);
    solid (*b)(std::mt19937_64 &, double, double);
};

struct counts {
    double graze_us = 0, graze_exact_us = 0, fcl_us = 0;
    int apart = 0, in = 0, undecided = 0, wrong_answers = 0, wrong_distances = 0, wrong_depths = 0;
    double widest = 0;
};

counts run(const row &of, double size, double offset, fcl::GJKSolverType solver)
{
    std::mt19937_64 random(7);
    std::vector<pair_of> pairs;
    for (int i = 0; i < PAIRS; i++) {
        solid a = of.a(random, size, offset);
        pairs.push_back({a, of.b(random, size, offset)});
    }
    const graze::device device;
    std::vector<grz_shape_answer> answers(PAIRS);
    counts c;
    grz_error error;
    for (int exact = 1; exact >= 0; exact--) {
        grz_shape_options options = grz_default_shape_options();
        options.exact_distance = exact;
        const double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
        for (int i = 0; i < PAIRS; i++)
            bench_need(
                grz_shapes_compare(device.get(), &pairs[i].a.graze, &pairs[i].b.graze, &options, &answers[i], &error),
                &error);
        (exact ? c.graze_exact_us : c.graze_us) = 1e6 * (bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start) / PAIRS;
    }
    std::vector<double> fcl_distance(PAIRS), fcl_depth(PAIRS);
    std::vector<bool> hit(PAIRS);
    const double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < PAIRS; i++) {
        fcl::CollisionRequestd ask(1, true);
        fcl::CollisionResultd found;
        ask.gjk_solver_type = solver;
        fcl::collide(pairs[i].a.fcl.get(), pairs[i].b.fcl.get(), ask, found);
        hit[i] = found.isCollision();
        if (hit[i]) {
            fcl_depth[i] = found.getContact(0).penetration_depth;
            continue;
        }
        fcl::DistanceRequestd far(true);
        fcl::DistanceResultd near;
        far.gjk_solver_type = solver;
        fcl_distance[i] = fcl::distance(pairs[i].a.fcl.get(), pairs[i].b.fcl.get(), far, near);
    }
    c.fcl_us = 1e6 * (bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start) / PAIRS;
    for (int i = 0; i < PAIRS; i++) {
        const grz_shape_answer &g = answers[i];
        const double slack = 1e-6 * size;
        c.apart += g.relation == GRZ_SHAPES_APART;
        c.in += g.relation == GRZ_SHAPES_PENETRATING;
        c.undecided += g.relation == GRZ_SHAPES_UNDECIDED;
        if (g.relation == GRZ_SHAPES_APART && hit[i])
            c.wrong_answers++;
        else if (g.relation == GRZ_SHAPES_PENETRATING && !hit[i])
            c.wrong_answers++;
        else if (g.relation == GRZ_SHAPES_APART)
            c.wrong_distances += !(fcl_distance[i] > g.lower - slack && fcl_distance[i] < g.upper + slack);
        else if (g.relation == GRZ_SHAPES_PENETRATING)
            c.wrong_depths += !(fcl_depth[i] > g.depth_lower - slack && fcl_depth[i] < g.depth_upper + slack);
        c.widest = std::max(c.widest, (g.upper - g.lower) / size);
    }
    return c;
}

} // namespace

int main(int argc, char **argv)
{
    static const row rows[] = {{"box, box", box, box},
                               {"sphere, box", sphere, box},
                               {"capsule, capsule", capsule, capsule},
                               {"capsule, box", capsule, box},
                               {"cylinder, box", cylinder, box},
                               {"cylinder, cylinder", cylinder, cylinder},
                               {"cone, box", cone, box},
                               {"ellipsoid, ellipsoid", ellipsoid, ellipsoid}};
    static const struct {
        double size, offset;
        const char *name;
    } places[] = {{1.0, 0.0, "1"}, {1e-4, 0.0, "1e-4"}, {1e4, 0.0, "1e4"}, {1.0, 1e6, "1, 1e6 away"}};
    FILE *csv = argc == 3 && std::strcmp(argv[1], "--csv") == 0 ? std::fopen(argv[2], "w") : nullptr;
    if (argc != 1 && csv == nullptr) {
        std::fprintf(stderr, "usage: bench_shapes [--csv FILE]\n");
        return 2;
    }
    std::printf(
        "%d pairs a row; microseconds of processor time a pair, one thread. An answer of FCL is wrong if it is\n"
        "outside of Graze's proved bounds by more than 1e-6 of the size.\n\n",
        PAIRS);
    std::printf("%-22s %-12s %-7s %8s %8s %8s %6s %5s %5s | %8s %9s %7s\n", "pair", "size", "peer", "Graze", "exact",
                "peer", "apart", "in", "open", "yes/no", "distance", "depth");
    if (csv)
        std::fprintf(csv, "pair,size,peer,graze_us,graze_exact_us,peer_us,apart,penetrating,undecided,wrong_yes_no,"
                          "wrong_distance,wrong_depth\n");
    for (const auto &place : places)
        for (const row &of : rows)
            for (int peer = 0; peer < 2; peer++) {
                const char *name = peer == 0 ? "libccd" : "FCL";
                const counts c = run(of, place.size, place.offset, peer == 0 ? fcl::GST_LIBCCD : fcl::GST_INDEP);
                std::printf("%-22s %-12s %-7s %8.2f %8.2f %8.2f %6d %5d %5d | %8d %9d %7d\n", of.name, place.name, name,
                            c.graze_us, c.graze_exact_us, c.fcl_us, c.apart, c.in, c.undecided, c.wrong_answers,
                            c.wrong_distances, c.wrong_depths);
                if (csv)
                    std::fprintf(csv, "\"%s\",\"%s\",%s,%.4g,%.4g,%.4g,%d,%d,%d,%d,%d,%d\n", of.name, place.name, name,
                                 c.graze_us, c.graze_exact_us, c.fcl_us, c.apart, c.in, c.undecided, c.wrong_answers,
                                 c.wrong_distances, c.wrong_depths);
                std::fflush(stdout);
            }
    if (csv)
        std::fclose(csv);
    return 0;
}
