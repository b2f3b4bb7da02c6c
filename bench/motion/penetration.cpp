// SPDX-License-Identifier: MIT
// What grz_penetration_along() costs: a cow, spheres, and blocks that lie flush. How near the two bounds of
// grz_penetration() are, and what it costs: convex solids, random solids of unit cells, models from data/, at random
// poses.
// Usage: bench_penetration [--quick]     from the source folder: it reads data/
#include "models.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace
{

using cell = std::array<int, 3>;

// The corners of a unit square, counter-clockwise.
const int AROUND[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};

signed_ones random_numbers;

int random_below(int count)
{
    return static_cast<int>((0.5 * random_numbers.next() + 0.5) * count);
}

// Cells that hang together through common faces.
std::vector<cell> random_cells(int count)
{
    std::vector<cell> cells = {{0, 0, 0}};
    while (static_cast<int>(cells.size()) < count) {
        cell next = cells[static_cast<size_t>(random_below(static_cast<int>(cells.size())))];
        next[static_cast<size_t>(random_below(3))] += random_below(2) == 0 ? 1 : -1;
        if (std::find(cells.begin(), cells.end(), next) == cells.end())
            cells.push_back(next);
    }
    return cells;
}

grz_mesh *mesh_of_quads(const std::vector<double> &positions, const std::vector<uint32_t> &quads)
{
    grz_mesh_description description = grz_default_mesh_description();
    grz_mesh *mesh = nullptr;
    description.positions = positions.data();
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = positions.size() / 3;
    description.indices = quads.data();
    description.index_count = quads.size();
    description.face_count = quads.size() / 4;
    description.corners_per_face = 4;
    need(grz_mesh_create(device, &description, &mesh, &error));
    return mesh;
}

// The surface between cells and the rest.
grz_mesh *mesh_of(const std::vector<cell> &cells)
{
    std::map<cell, uint32_t> numbers;
    std::vector<double> positions;
    std::vector<uint32_t> quads;
    for (const cell &at : cells)
        for (size_t axis = 0; axis < 3; axis++)
            for (int side = 0; side < 2; side++) {
                cell beside = at;
                beside[axis] += side == 1 ? 1 : -1;
                if (std::find(cells.begin(), cells.end(), beside) != cells.end())
                    continue;
                for (int i = 0; i < 4; i++) {
                    const int *to = AROUND[side == 1 ? i : 3 - i];
                    cell corner = at;
                    corner[axis] += side;
                    corner[(axis + 1) % 3] += to[0];
                    corner[(axis + 2) % 3] += to[1];
                    const auto found = numbers.emplace(corner, static_cast<uint32_t>(numbers.size()));
                    if (found.second)
                        positions.insert(positions.end(), corner.begin(), corner.end());
                    quads.push_back(found.first->second);
                }
            }
    return mesh_of_quads(positions, quads);
}

// The cube from 0 to `size`, each side in n x n quads; or, of the radius 1, rounded to a sphere.
grz_mesh *grid_mesh(int n, double size, bool round)
{
    std::map<cell, uint32_t> numbers;
    std::vector<double> positions;
    std::vector<uint32_t> quads;
    for (size_t axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < 4 * n * n; i++) {
                const int *to = AROUND[side == 1 ? i % 4 : 3 - i % 4];
                cell at;
                at[axis] = side * n;
                at[(axis + 1) % 3] = i / 4 / n + to[0];
                at[(axis + 2) % 3] = i / 4 % n + to[1];
                const auto found = numbers.emplace(at, static_cast<uint32_t>(numbers.size()));
                if (found.second) {
                    double point[3], square = 0.0;
                    for (size_t k = 0; k < 3; k++) {
                        point[k] = round ? 2.0 * at[k] / n - 1.0 : size * at[k] / n;
                        square += point[k] * point[k];
                    }
                    for (double x : point)
                        positions.push_back(round ? x / std::sqrt(square) : x);
                }
                quads.push_back(found.first->second);
            }
    return mesh_of_quads(positions, quads);
}

// Up to `reach` away along each axis; turned any way if asked for.
grz_pose random_pose(double reach, bool turned)
{
    double at[3], quaternion[4] = {0, 0, 0, 1};
    grz_pose pose;
    for (double &x : at)
        x = reach * random_numbers.next();
    for (int i = 0; i < 4 && turned; i++) // a sum of uniform numbers is nearly normal
        quaternion[i] = random_numbers.next() + random_numbers.next() + random_numbers.next();
    need(grz_pose_from_quaternion(at, quaternion, &pose, &error));
    return pose;
}

struct row {
    std::vector<double> shares, times; // lower / upper; ms
};

void ask(const grz_mesh *a, const grz_mesh *b, const grz_pose &pose_b, row *out)
{
    const grz_object at_a = grz_object_at_origin(a);
    grz_object at_b = grz_object_at_origin(b);
    at_b.pose = pose_b;
    grz_penetration_answer answer;
    const double begin = now_ms();
    need(grz_penetration(device, &at_a, &at_b, nullptr, &answer, &error));
    const double end = now_ms();
    if (!answer.penetrating)
        return;
    out->shares.push_back(answer.lower / answer.upper);
    out->times.push_back(end - begin);
}

double quantile(std::vector<double> &numbers, double share)
{
    std::sort(numbers.begin(), numbers.end());
    return numbers[static_cast<size_t>(share * static_cast<double>(numbers.size() - 1))];
}

void print(const char *name, row *r)
{
    if (r->shares.empty())
        return;
    std::printf("%-34s %5zu  %6.3f %6.3f %6.3f %6.3f %6.3f  %8.2f %8.2f\n", name, r->shares.size(),
                quantile(r->shares, 0.0), quantile(r->shares, 0.1), quantile(r->shares, 0.25), quantile(r->shares, 0.5),
                quantile(r->shares, 0.75), quantile(r->times, 0.5), quantile(r->times, 1.0));
    std::fflush(stdout);
}

void measure_cells(const char *name, int least, int most, int count, bool turned)
{
    row r;
    for (int i = 0; i < count; i++) {
        grz_mesh *a = mesh_of(random_cells(least + random_below(most - least + 1))),
                 *b = mesh_of(random_cells(least + random_below(most - least + 1)));
        ask(a, b, random_pose(least == 1 ? 0.8 : 1.5, turned), &r);
        grz_mesh_destroy(a);
        grz_mesh_destroy(b);
    }
    print(name, &r);
}

// The cube from 0 to 1 and itself, moved by half along each axis: many ways are as good.
void measure_ties()
{
    grz_mesh *cube = mesh_of({{0, 0, 0}});
    row even, odd;
    for (int i = 0; i < 20; i++) {
        ask(cube, cube, grz_pose_from_translation(0.5, 0.5, 0.5), &even);
        ask(cube, cube, grz_pose_from_translation(0.41, 0.3, 0.2), &odd);
    }
    print("cubes, offset (.5, .5, .5)", &even);
    print("cubes, offset (.41, .3, .2)", &odd);
    grz_mesh_destroy(cube);
}

void measure_models(const char *first, const char *second, int count)
{
    const model a = load(first), b = load(second);
    row r;
    for (int i = 0; i < count; i++)
        ask(a.mesh, b.mesh, random_pose(0.4, true), &r);
    print((std::string(first) + ", " + second).c_str(), &r);
    grz_mesh_destroy(a.mesh);
    grz_mesh_destroy(b.mesh);
}

// Along one direction: the first call, in which the meshes are examined, and the median of some more.
void measure_along(const char *name, const grz_mesh *a, const grz_mesh *b, const grz_pose &pose_b,
                   const double direction[3], int count)
{
    const grz_object at_a = grz_object_at_origin(a);
    grz_object at_b = grz_object_at_origin(b);
    at_b.pose = pose_b;
    std::vector<double> times;
    grz_penetration_answer answer;
    for (int i = 0; i <= count; i++) {
        const double begin = now_ms();
        need(grz_penetration_along(device, &at_a, &at_b, direction, nullptr, &answer, &error));
        times.push_back(now_ms() - begin);
    }
    const double first = times[0];
    times.erase(times.begin());
    std::printf("%-30s %10llu %-9s %10.2f %10.2f\n", name, static_cast<unsigned long long>(grz_mesh_face_count(a)),
                answer.certainty == GRZ_EXACT ? "exact" : "enclosed", first, quantile(times, 0.5));
    std::fflush(stdout);
}

void measure_all_along(bool quick)
{
    static const double EAST[3] = {1.0, 0.0, 0.0}, ASKEW[3] = {1.0, 0.25, -0.5};
    const model cow = load("cow_spot.ply");
    const int n = quick ? 8 : 29, m = quick ? 10 : 57;
    grz_mesh *block = grid_mesh(n, 1.0, false), *other = grid_mesh(n, 1.0, false),
             *tenths = grid_mesh(n, 0.1 * n, false), *sphere = grid_mesh(m, 1.0, true);
    std::printf("%-30s %10s %-9s %10s %10s\n", "along a direction", "faces each", "", "first, ms", "then, ms");
    measure_along("cow", cow.mesh, cow.mesh, grz_pose_from_translation(0.2, 0.1, 0.1), ASKEW, quick ? 3 : 20);
    measure_along("spheres", sphere, sphere, grz_pose_from_translation(0.5, 0.25, 0.125), ASKEW, 2);
    measure_along("blocks, four sides flush", block, other, grz_pose_from_translation(0.5, 0.0, 0.0), EAST, 2);
    measure_along("the same, corners of tenths", tenths, tenths, grz_pose_from_translation(0.5, 0.0, 0.0), EAST, 2);
    std::printf("\n");
    grz_mesh_destroy(cow.mesh);
    for (grz_mesh *mesh : {block, other, tenths, sphere})
        grz_mesh_destroy(mesh);
}

} // namespace

int main(int argc, char **argv)
{
    const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
    need(grz_device_open(nullptr, &device, &error));
    measure_all_along(quick);
    std::printf("%-34s %5s  %34s  %17s\n", "", "", "lower / upper", "ms, one thread");
    std::printf("%-34s %5s  %6s %6s %6s %6s %6s  %8s %8s\n", "pairs that overlap", "", "least", "10 %", "25 %",
                "median", "75 %", "median", "most");
    measure_ties();
    measure_cells("cubes, turned", 1, 1, quick ? 20 : 200, true);
    measure_cells("4 to 12 cells", 4, 12, quick ? 20 : 200, false);
    measure_cells("4 to 12 cells, turned", 4, 12, quick ? 20 : 200, true);
    measure_models("cow_spot.ply", "cow_spot.ply", quick ? 3 : 30);
    measure_models("nbody_a_itokawa.ply", "nbody_a_bennu.ply", quick ? 3 : 30);
    measure_models("nbody_a_toutatis.ply", "nbody_a_toutatis.ply", quick ? 3 : 30);
    grz_device_close(device);
    return 0;
}
