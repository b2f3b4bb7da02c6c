// SPDX-License-Identifier: MIT
// Measures grz_move_rigid() beside a yes/no query of the same pair, and beside FCL's continuous collision where it is
// installed, whose wrong answers are counted against what Graze proves. Motions are random, from a fixed seed: a line
// past the other mesh and a turn of up to half a turn. Dense sampling checks Graze's own answers.
// Usage: bench_rigid [--quick]     from the source folder: it reads data/
#include "models.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

namespace
{

struct motion {
    double from[3], to[3], turns[2][4];
    grz_motion graze;
};

std::vector<motion> motions(double size, int count)
{
    signed_ones random;
    std::vector<motion> all(static_cast<size_t>(count));
    for (motion &m : all) {
        random_line(random, size, m.from, m.to);
        for (auto &turn : m.turns)
            for (double &q : turn)
                q = random.next();
        m.graze = grz_motion_slerp(m.from, m.turns[0], m.to, m.turns[1]);
    }
    return all;
}

bool touches(const model &a, const motion &m, const model &b, double t, grz_result *result)
{
    grz_object objects[2] = {grz_object_at_origin(a.mesh), grz_object_at_origin(b.mesh)};
    grz_collide_options options = grz_default_collide_options();
    options.find = 0;
    need(grz_motion_pose(&m.graze, t, &objects[0].pose, &error));
    need(grz_collide(device, &objects[0], &objects[1], &options, result, &error));
    return grz_result_summary(result)->colliding;
}

#ifdef BENCH_FCL
void ask_fcl(const char *name, fcl::CCDSolverType solver, size_t iterations, const model &a, const model &b,
             const std::vector<motion> &all, const std::vector<grz_move_answer> &truth)
{
    int missed = 0, invented = 0, late = 0, early = 0;
    double total = 0.0;
    const fcl::Vector3d none(0.0, 0.0, 0.0);
    const fcl::Matrix3d upright = fcl::Matrix3d::Identity();
    // Not from two transforms: FCL 0.7.0 leaves the point about which such a motion turns unset.
    fcl::InterpMotion<double> rest(upright, none, upright, none, none);
    for (size_t i = 0; i < all.size(); i++) {
        const fcl::ContinuousCollisionRequestd request(iterations, 1e-6, fcl::CCDM_LINEAR, fcl::GST_LIBCCD, solver);
        fcl::ContinuousCollisionResultd result;
        const double begin = now_ms();
        const fcl::Transform3d from = end_of(all[i].from, all[i].turns[0]), to = end_of(all[i].to, all[i].turns[1]);
        fcl::InterpMotion<double> path(from.linear(), from.translation(), to.linear(), to.translation(), none);
        fcl::continuousCollide<double>(a.fcl_model.get(), &path, b.fcl_model.get(), &rest, request, result);
        total += now_ms() - begin;
        if (truth[i].certainty == GRZ_UNDECIDED)
            continue;
        missed += truth[i].has_contact && !result.is_collide;
        invented += !truth[i].has_contact && result.is_collide;
        late += truth[i].has_contact && result.is_collide && result.time_of_contact > truth[i].upper + 2e-3;
        early += truth[i].has_contact && result.is_collide && result.time_of_contact < truth[i].lower - 2e-3;
    }
    std::printf("    %-34s %10.4f ms   missed %d, invented %d, late %d, early %d (by more than 0.002)\n", name,
                total / static_cast<double>(all.size()), missed, invented, late, early);
    std::fflush(stdout);
}
#endif

void measure(const model &a, const model &b, int count, int samples)
{
    const std::vector<motion> all = motions(0.5 * (a.size + b.size), count);
    std::vector<grz_move_answer> answers(all.size());
    grz_result *result = nullptr;
    int contacts = 0, clear = 0, undecided = 0, wrong = 0;
    double yes_no = 0.0, advance = 0.0, widest = 0.0;
    uint64_t compared = 0;
    need(grz_result_create(device, &result, &error));
    const grz_object first = grz_object_at_origin(a.mesh), second = grz_object_at_origin(b.mesh);
    need(grz_move_rigid(device, &first, &all[0].graze, &second, nullptr, nullptr, &answers[0], &error)); // trees
    for (size_t i = 0; i < all.size(); i++) {
        const double begin = now_ms();
        need(grz_move_rigid(device, &first, &all[i].graze, &second, nullptr, nullptr, &answers[i], &error));
        advance += now_ms() - begin;
        compared += answers[i].compared;
        contacts += answers[i].has_contact;
        clear += !answers[i].has_contact && answers[i].certainty == GRZ_EXACT;
        undecided += answers[i].certainty == GRZ_UNDECIDED;
        if (answers[i].has_contact)
            widest = std::fmax(widest, answers[i].upper - answers[i].lower);
        const double at = answers[i].has_contact ? answers[i].lower : 0.5; // the hardest moment
        touches(a, all[i], b, at, result);
        const double asked = now_ms();
        touches(a, all[i], b, at, result);
        yes_no += now_ms() - asked;
        for (int k = 0; k <= samples; k++) {
            const double t = static_cast<double>(k) / samples;
            if ((t < answers[i].lower) && touches(a, all[i], b, t, result))
                wrong++;
        }
    }
    const double n = static_cast<double>(all.size());
    std::printf(
        "%s, %s: %d motions, %d contacts, %d clear, %d undecided; widest enclosure %.1e; %d wrong of %d samples "
        "each\n",
        a.name, b.name, count, contacts, clear, undecided, widest, wrong, samples);
    std::printf("    %-34s %10.4f ms\n", "Graze, yes/no at the contact", yes_no / n);
    std::printf("    %-34s %10.4f ms   %.1f times that; %.0f pairs of triangles\n", "Graze, grz_move_rigid",
                advance / n, advance / yes_no, static_cast<double>(compared) / n);
#ifdef BENCH_FCL
    ask_fcl("FCL, conservative advancement", fcl::CCDC_CONSERVATIVE_ADVANCEMENT, 10, a, b, all, answers);
    ask_fcl("FCL, naive, 10 steps", fcl::CCDC_NAIVE, 10, a, b, all, answers);
    ask_fcl("FCL, naive, 1000 steps", fcl::CCDC_NAIVE, 1000, a, b, all, answers);
#endif
    grz_result_destroy(result);
}

} // namespace

int main(int argc, char **argv)
{
    const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
    const int count = quick ? 10 : 100, samples = quick ? 200 : 2000;
    grz_device_options options = grz_default_device_options();
    options.threads = 1;
    need(grz_device_open(&options, &device, &error));
    std::vector<model> all;
    for (const char *name : {"nbody_a_bennu.ply", "nbody_a_itokawa.ply", "cow_spot.ply", "teapot_3751.obj",
                             "scalpel_sword128.obj", "spaceship_shuttle_a.obj"})
        all.push_back(load(name));
    measure(all[0], all[1], count, samples);
    measure(all[2], all[3], count, samples);
    measure(all[4], all[2], count, samples);
    measure(all[5], all[3], count, samples);
    for (model &one : all)
        grz_mesh_destroy(one.mesh);
    grz_device_close(device);
    return 0;
}
