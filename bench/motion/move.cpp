// SPDX-License-Identifier: MIT
// Measures grz_move() beside queries of the same pair, and beside FCL's continuous collision where it is installed,
// whose wrong answers are counted against the exact ones. Motions are random, from a fixed seed: a line past the other
// mesh, which is turned.
// Usage: bench_move [--quick]     from the source folder: it reads data/
#include "models.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

namespace
{

struct motion {
    double from[3], to[3], turn[4];
    grz_object start;
};

std::vector<motion> motions(const model &a, double size, int count)
{
    signed_ones random;
    std::vector<motion> all(static_cast<size_t>(count));
    for (motion &m : all) {
        random_line(random, size, m.from, m.to);
        for (double &q : m.turn)
            q = random.next();
        m.start = grz_object_at_origin(a.mesh);
        need(grz_pose_from_quaternion(m.from, m.turn, &m.start.pose, &error));
    }
    return all;
}

// A query at a time of the motion, in ms.
double ask_at(const motion &m, const grz_object &b, double t, uint32_t find, grz_result *result)
{
    grz_object a = m.start;
    grz_collide_options options = grz_default_collide_options();
    options.find = find;
    for (int k = 0; k < 3; k++)
        a.pose.m[k][3] += t * (m.to[k] - m.from[k]);
    double best = 1e9;
    for (int i = 0; i < 2; i++) {
        const double begin = now_ms();
        need(grz_collide(device, &a, &b, &options, result, &error));
        best = std::fmin(best, now_ms() - begin);
    }
    return best;
}

#ifdef BENCH_FCL
void ask_fcl(const char *name, fcl::CCDSolverType solver, size_t iterations, const model &a, const model &b,
             const std::vector<motion> &all, const std::vector<grz_move_answer> &truth, double ours)
{
    int missed = 0, invented = 0, late = 0, early = 0;
    double total = 0.0;
    const fcl::Vector3d none(0.0, 0.0, 0.0);
    const fcl::Matrix3d upright = fcl::Matrix3d::Identity();
    fcl::InterpMotion<double> rest(upright, none, upright, none, none); // as in rigid.cpp
    for (size_t i = 0; i < all.size(); i++) {
        const fcl::ContinuousCollisionRequestd request(iterations, 1e-6, fcl::CCDM_LINEAR, fcl::GST_LIBCCD, solver);
        fcl::ContinuousCollisionResultd result;
        const double begin = now_ms();
        const fcl::Transform3d from = end_of(all[i].from, all[i].turn), to = end_of(all[i].to, all[i].turn);
        fcl::InterpMotion<double> path(from.linear(), from.translation(), to.linear(), to.translation(), none);
        fcl::continuousCollide<double>(a.fcl_model.get(), &path, b.fcl_model.get(), &rest, request, result);
        total += now_ms() - begin;
        missed += truth[i].has_contact && !result.is_collide;
        invented += !truth[i].has_contact && result.is_collide;
        late += truth[i].has_contact && result.is_collide && result.time_of_contact > truth[i].upper + 2e-3;
        early += truth[i].has_contact && result.is_collide && result.time_of_contact < truth[i].lower - 2e-3;
    }
    total /= static_cast<double>(all.size());
    std::printf(
        "    %-34s %10.4f ms   %.1f of Graze's   missed %d, invented %d, late %d, early %d (by more than 0.002)\n",
        name, total, total / ours, missed, invented, late, early);
    std::fflush(stdout);
}
#endif

void measure(const model &a, const model &b, int count)
{
    const std::vector<motion> all = motions(a, 0.5 * (a.size + b.size), count);
    const grz_object other = grz_object_at_origin(b.mesh);
    std::vector<grz_move_answer> answers(all.size());
    grz_result *result = nullptr;
    int contacts = 0;
    double move = 0.0, intervals = 0.0, yes_no = 0.0, pairs = 0.0, compared = 0.0;
    need(grz_result_create(device, &result, &error));
    need(grz_move(device, &all[0].start, all[0].to, &other, nullptr, nullptr, &answers[0], &error)); // trees
    for (size_t i = 0; i < all.size(); i++) {
        grz_contact_interval found[16];
        uint64_t many;
        double begin = now_ms();
        need(grz_move(device, &all[i].start, all[i].to, &other, nullptr, nullptr, &answers[i], &error));
        move += now_ms() - begin;
        begin = now_ms();
        need(grz_move_intervals(device, &all[i].start, all[i].to, &other, nullptr, nullptr, found, 16, &many, &error));
        intervals += now_ms() - begin;
        compared += static_cast<double>(answers[i].compared);
        contacts += answers[i].has_contact;
        const double at = answers[i].has_contact ? answers[i].first_contact : 0.5;
        yes_no += ask_at(all[i], other, at * (1.0 - 1e-6), 0, result);
        pairs +=
            ask_at(all[i], other, many > 0 ? 0.5 * (found[0].enter + found[0].leave) : 0.5, GRZ_FIND_PAIRS, result);
    }
    const double n = static_cast<double>(all.size());
    std::printf("%s, %s: %d motions, %d contacts\n", a.name, b.name, count, contacts);
    std::printf("    %-34s %10.4f ms\n", "Graze, yes/no just before", yes_no / n);
    std::printf("    %-34s %10.4f ms\n", "Graze, all pairs in the middle", pairs / n);
    std::printf("    %-34s %10.4f ms   %.1f and %.1f times these; %.0f pairs of triangles\n", "Graze, grz_move",
                move / n, move / yes_no, move / pairs, compared / n);
    std::printf("    %-34s %10.4f ms\n", "Graze, grz_move_intervals", intervals / n);
#ifdef BENCH_FCL
    ask_fcl("FCL, conservative advancement", fcl::CCDC_CONSERVATIVE_ADVANCEMENT, 10, a, b, all, answers, move / n);
    ask_fcl("FCL, naive, 10 steps", fcl::CCDC_NAIVE, 10, a, b, all, answers, move / n);
    ask_fcl("FCL, naive, 1000 steps", fcl::CCDC_NAIVE, 1000, a, b, all, answers, move / n);
#endif
    grz_result_destroy(result);
}

} // namespace

int main(int argc, char **argv)
{
    const int count = argc > 1 && std::strcmp(argv[1], "--quick") == 0 ? 10 : 100;
    grz_device_options options = grz_default_device_options();
    options.threads = 1;
    need(grz_device_open(&options, &device, &error));
    std::vector<model> all;
    for (const char *name : {"nbody_a_bennu.ply", "nbody_a_itokawa.ply", "cow_spot.ply", "teapot_3751.obj",
                             "scalpel_sword128.obj", "spaceship_shuttle_a.obj"})
        all.push_back(load(name));
    measure(all[0], all[1], count);
    measure(all[2], all[3], count);
    measure(all[4], all[2], count);
    measure(all[5], all[3], count);
    for (model &one : all)
        grz_mesh_destroy(one.mesh);
    grz_device_close(device);
    return 0;
}
