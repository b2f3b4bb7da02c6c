// SPDX-License-Identifier: MIT
// Measures motions in which every corner goes along a line of its own (docs/use/move_deforming.md): the questions of
// data/ccd, whose answers are known, beside the published inclusion code where it is found; then grz_move_deforming() on
// meshes, with one thread and with all. Processor time.
// Usage: bench_deforming [--quick]     from the source folder: it reads data/
#include <graze/graze.h>

extern "C" {
#include "geometry/inclusion/inclusion.h"
}

#ifdef BENCH_TIGHT_INCLUSION
#include <tight_inclusion/ccd.hpp>
#endif

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace
{

double seconds(clockid_t clock)
{
    timespec now;
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void need(bool good, const std::string &what)
{
    if (good)
        return;
    std::fprintf(stderr, "bench: %s\n", what.c_str());
    std::exit(1);
}

// ---- Questions ----------------------------------------------------------------------------------------------------

struct question {
    double x[2][4][3];
    bool meets;
};

// Rows of numerator,denominator three times, then the answer; four corners at the start, four at the end.
std::vector<question> read_questions(const std::string &path)
{
    std::vector<question> all;
    std::ifstream file(path);
    std::string line;
    need(file.is_open(), "cannot open " + path);
    for (size_t row = 0; std::getline(file, line); row++) {
        const char *text = line.c_str();
        char *end = nullptr;
        if (row % 8 == 0)
            all.emplace_back();
        for (double &x : all.back().x[row % 8 / 4][row % 4]) {
            const double numerator = std::strtod(text, &end);
            const double denominator = std::strtod(end + 1, &end);
            x = numerator / denominator; // exact: all are doubles
            text = end + 1;
        }
        all.back().meets = std::strtol(text, nullptr, 10) != 0;
    }
    return all;
}

struct tally {
    double ns = 0.0; // a question
    unsigned missed = 0, invented = 0, asked = 0;
};

using answerer = std::function<bool(const question &, bool edges)>;

// The best of several rounds; it ends where it would take too long, with what was asked until then.
tally ask(const std::vector<question> &all, bool edges, int rounds, double most, const answerer &meets)
{
    tally best;
    const double begin = seconds(CLOCK_MONOTONIC_COARSE); // costs next to nothing
    for (int round = 0; round < rounds; round++) {
        tally now;
        const double from = seconds(CLOCK_THREAD_CPUTIME_ID);
        for (const question &q : all) {
            if (seconds(CLOCK_MONOTONIC_COARSE) - begin > most)
                break;
            const bool said = meets(q, edges);
            now.missed += q.meets && !said;
            now.invented += said && !q.meets;
            now.asked++;
        }
        now.ns = 1e9 * (seconds(CLOCK_THREAD_CPUTIME_ID) - from) / (now.asked > 0 ? now.asked : 1);
        if (round == 0 || (now.asked == all.size() && now.ns < best.ns))
            best = now;
    }
    return best;
}

bool graze_meets(const question &q, bool edges)
{
    const grz_inclusion_limits limits = grz_inclusion_limits_until(1.0);
    return (edges ? grz_include_edges(q.x, &limits) : grz_include_vertex_face(q.x, &limits)).meeting != GRZ_MEET_NEVER;
}

#ifdef BENCH_TIGHT_INCLUSION
bool published_meets(const question &q, bool edges)
{
    ticcd::Vector3 p[2][4];
    ticcd::Scalar time, tolerance;
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 4; i++)
            p[t][i] = ticcd::Vector3(q.x[t][i][0], q.x[t][i][1], q.x[t][i][2]);
    const ticcd::Array3 single(-1.0, -1.0, -1.0);
    const auto call = edges ? ticcd::edgeEdgeCCD : ticcd::vertexFaceCCD;
    return call(p[0][0], p[0][1], p[0][2], p[0][3], p[1][0], p[1][1], p[1][2], p[1][3], single, 0.0, time, 1e-6, 1.0,
                1000000, tolerance, false, ticcd::CCDRootFindingMethod::BREADTH_FIRST_SEARCH);
}
#endif

void ask_questions(bool quick)
{
    static const char *const names[] = {"unit-tests",
                                        "erleben-spike-wedge",
                                        "erleben-spike-crack",
                                        "erleben-sliding-wedge",
                                        "erleben-sliding-spike",
                                        "erleben-cube-internal-edges",
                                        "erleben-cube-cliff-edges"};
    std::printf("%-42s %9s %8s | %9s %6s %8s", "questions", "asked", "contacts", "Graze ns", "missed", "invented");
#ifdef BENCH_TIGHT_INCLUSION
    std::printf(" | %12s %6s %6s %8s %8s", "published ns", "asked", "missed", "invented", "ratio");
#endif
    std::printf("\n");
    for (const char *name : names)
        for (const bool edges : {false, true}) {
            const std::string kind = edges ? "edge-edge" : "vertex-face";
            const std::vector<question> all = read_questions("data/ccd/" + (name + ("_" + kind)) + "_0.csv");
            unsigned contacts = 0;
            for (const question &q : all)
                contacts += q.meets;
            const tally own = ask(all, edges, quick ? 3 : 40, 1e9, graze_meets);
            std::printf("%-42s %9zu %8u | %9.0f %6u %8u", (name + (", " + kind)).c_str(), all.size(), contacts, own.ns,
                        own.missed, own.invented);
#ifdef BENCH_TIGHT_INCLUSION
            const tally other = ask(all, edges, quick ? 1 : 2, quick ? 1.0 : 40.0, published_meets);
            std::printf(" | %12.0f %6u %6u %8u %8.0f", other.ns, other.asked, other.missed, other.invented,
                        other.ns / own.ns);
#endif
            std::printf("\n");
            std::fflush(stdout);
        }
}

// ---- Meshes -------------------------------------------------------------------------------------------------------

struct shape {
    std::vector<double> positions;
    std::vector<uint32_t> indices;
};

void add_square(shape &s, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    s.indices.insert(s.indices.end(), {a, b, c, b, d, c});
}

// 2·n² triangles in the plane z = 0, as wide as a circle of radius 1 is round.
shape sheet(uint32_t n)
{
    shape s;
    for (uint32_t y = 0; y <= n; y++)
        for (uint32_t x = 0; x <= n; x++)
            s.positions.insert(s.positions.end(), {2.0 * M_PI * x / n, 2.0 * M_PI * y / n, 0.0});
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++) {
            const uint32_t a = y * (n + 1) + x;
            add_square(s, a, a + 1, a + n + 1, a + n + 2);
        }
    return s;
}

// 4·n² triangles, open at the poles.
shape ball(uint32_t n, double at)
{
    shape s;
    const uint32_t round = 2 * n;
    for (uint32_t y = 0; y <= n; y++)
        for (uint32_t x = 0; x < round; x++) {
            const double up = M_PI * (y + 0.5) / (n + 1), turn = 2.0 * M_PI * x / round;
            s.positions.insert(s.positions.end(),
                               {at + std::sin(up) * std::cos(turn), std::sin(up) * std::sin(turn), std::cos(up)});
        }
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < round; x++) {
            const uint32_t a = y * round + x, b = y * round + (x + 1) % round;
            add_square(s, a, b, a + round, b + round);
        }
    return s;
}

using mover = std::function<void(double *)>;

void move_meshes(const char *what, const shape &a, const mover &move, const shape *b)
{
    std::vector<double> end = a.positions;
    for (size_t i = 0; i < end.size(); i += 3)
        move(&end[i]);
    std::printf("%-40s", what);
    for (const unsigned threads : {1u, 0u}) {
        grz_device_options options = grz_default_device_options();
        grz_device *device = nullptr;
        grz_error error = {};
        grz_object objects[2] = {};
        const shape *const shapes[2] = {&a, b};
        options.threads = threads;
        options.kind = GRZ_DEVICE_CPU;
        need(grz_device_open(&options, &device, &error) == GRZ_OK, error.message);
        for (int i = 0; i < (b != nullptr ? 2 : 1); i++) {
            const grz_mesh_description d = grz_mesh_description_from_triangles(
                shapes[i]->positions.data(), GRZ_FLOAT64, shapes[i]->positions.size() / 3, shapes[i]->indices.data(),
                shapes[i]->indices.size() / 3);
            grz_mesh *mesh = nullptr;
            need(grz_mesh_create(device, &d, &mesh, &error) == GRZ_OK, error.message);
            objects[i] = grz_object_at_origin(mesh);
        }
        grz_move_answer answer;
        const double from = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
        need(grz_move_deforming(device, &objects[0], end.data(), b != nullptr ? &objects[1] : nullptr, nullptr, nullptr,
                                &answer, &error) == GRZ_OK,
             error.message);
        const double took = seconds(CLOCK_PROCESS_CPUTIME_ID) - from, waited = seconds(CLOCK_MONOTONIC) - wall;
        if (threads == 1)
            std::printf(" %8zu %10llu %8.4f %8.2f", a.indices.size() / 3 + (b != nullptr ? b->indices.size() / 3 : 0),
                        static_cast<unsigned long long>(answer.compared), answer.lower, took);
        else
            std::printf(" %8.2f %8.2f\n", took, waited);
        for (const grz_object &object : objects)
            grz_mesh_destroy(const_cast<grz_mesh *>(object.mesh));
        grz_device_close(device);
    }
    std::fflush(stdout);
}

void move_all(bool quick)
{
    const shape flat = sheet(quick ? 60 : 200), one = ball(quick ? 43 : 143, 0.0), other = ball(quick ? 43 : 143, 2.5);
    std::printf("\n%-40s %8s %10s %8s %8s %8s %8s\n", "meshes", "faces", "searched", "lower", "1 thread", "all, CPU",
                "all, s");
    move_meshes(
        "a sheet that waves", flat, [](double *p) { p[2] = 0.2 * std::sin(3.0 * p[0]) * std::cos(2.0 * p[1]); },
        nullptr);
    move_meshes(
        "a sheet rolled up in one step", flat,
        [](double *p) {
            const double turn = 1.01 * p[0];
            p[0] = std::cos(turn);
            p[2] = std::sin(turn);
        },
        nullptr);
    move_meshes(
        "a sheet moved by 16 times its size", flat,
        [](double *p) {
            for (int k = 0; k < 3; k++)
                p[k] += 100.0;
        },
        nullptr);
    move_meshes(
        "a ball that swells into another", one, [](double *p) { p[0] *= p[0] > 0.0 ? 1.8 : 1.0; }, &other);
    move_meshes(
        "a ball that passes by another", one,
        [](double *p) {
            p[0] += 5.0;
            p[1] += 2.1;
        },
        &other);
    move_meshes(
        "a dented ball with itself", one,
        [](double *p) {
            const double dent = 1.0 + 0.3 * std::sin(5.0 * p[1]);
            for (int k = 0; k < 3; k++)
                p[k] *= dent;
        },
        nullptr);
}

} // namespace

int main(int count, char **arguments)
{
    const bool quick = count > 1 && std::strcmp(arguments[1], "--quick") == 0;
    ask_questions(quick);
    move_all(quick);
    return 0;
}
