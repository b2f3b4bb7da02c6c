// SPDX-License-Identifier: MIT
// Measures grz_overlap_volume() beside a query for all pairs of faces of the same two objects, and beside CGAL's
// corefine_and_compute_intersection() and volume() where it is installed. Models are copies of one, shifted.
// Usage: bench_volume [--quick]     from the source folder: it reads data/
#include "models.hpp"

#ifdef BENCH_CGAL
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Polygon_mesh_processing/orientation.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/version.h>
#endif

namespace
{

struct shift {
    const char *name;
    double by[3]; // parts of the model's diagonal
};

// The least time of several runs, in ms.
template <typename Work> double least(int runs, Work work)
{
    double best = 1e9;
    for (int i = 0; i < runs; i++) {
        const double begin = now_ms();
        work();
        best = std::fmin(best, now_ms() - begin);
    }
    return best;
}

#ifdef BENCH_CGAL
namespace PMP = CGAL::Polygon_mesh_processing;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;

Surface surface_of(const char *name, const double by[3])
{
    Surface surface;
    grz_io_model *read = nullptr;
    std::vector<Surface::Vertex_index> vertices;
    need(grz_io_load_file((std::string("data/") + name).c_str(), nullptr, &read, &error));
    for (uint64_t i = 0; i < read->vertex_count; i++) {
        const double *p = read->positions + 3 * i;
        vertices.push_back(surface.add_vertex(Kernel::Point_3(p[0] + by[0], p[1] + by[1], p[2] + by[2])));
    }
    for (uint64_t face = 0, at = 0; face < read->face_count; face++) {
        const uint32_t corners = read->corner_counts != nullptr ? read->corner_counts[face] : 3;
        for (uint32_t i = 2; i < corners; i++)
            surface.add_face(vertices[read->indices[at]], vertices[read->indices[at + i - 1]],
                             vertices[read->indices[at + i]]);
        at += corners;
    }
    grz_io_model_destroy(read);
    return surface;
}

// Copies are made before the clock starts: corefinement changes its input.
void measure_cgal(const char *name, const double by[3], int runs, double ours)
{
    const double none[3] = {0, 0, 0};
    const Surface a = surface_of(name, none), b = surface_of(name, by);
    double best = 1e9, volume = 0.0;
    bool valid = true;
    for (int i = 0; i < runs; i++) {
        Surface first = a, second = b, common;
        const double begin = now_ms();
        valid = PMP::corefine_and_compute_intersection(first, second, common);
        volume = valid ? CGAL::to_double(PMP::volume(common)) : 0.0;
        best = std::fmin(best, now_ms() - begin);
    }
    if (valid)
        std::printf("  %9.1f %6.1f  %.15g\n", best, best / ours, volume);
    else
        std::printf("  no answer: the intersection is no manifold\n");
}
#endif

void measure(const model &m, const shift &s, int runs)
{
    grz_object a = grz_object_at_origin(m.mesh), b = a;
    grz_collide_options pairs = grz_default_collide_options();
    grz_result *result = nullptr;
    grz_overlap_volume_answer answer;
    double by[3];
    for (int k = 0; k < 3; k++)
        by[k] = s.by[k] * m.size;
    b.pose = grz_pose_from_translation(by[0], by[1], by[2]);
    pairs.find = GRZ_FIND_PAIRS;
    need(grz_result_create(device, &result, &error));
    const double query = least(4 * runs, [&] { need(grz_collide(device, &a, &b, &pairs, result, &error)); });
    const double volume = least(runs, [&] { need(grz_overlap_volume(device, &a, &b, nullptr, &answer, &error)); });
    std::printf("%-22s %-10s %9.3f %9.2f %6.0f %8llu  %.15g %.1g\n", m.name, s.name, query, volume, volume / query,
                static_cast<unsigned long long>(answer.compared), answer.lower,
                answer.upper > 0.0 ? (answer.upper - answer.lower) / answer.upper : 0.0);
    grz_result_destroy(result);
#ifdef BENCH_CGAL
    std::printf("%-33s", "  CGAL " CGAL_VERSION_STR ": ms, factor, volume");
    measure_cgal(m.name, by, runs < 3 ? 1 : 3, volume);
#endif
}

} // namespace

int main(int argc, char **argv)
{
    const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
    const shift shifts[] = {{"deep", {0.05, 0.03, 0.02}}, {"half", {0.2, 0.1, 0.05}}, {"a little", {0.3, 0.2, 0.1}}};
    const char *const names[] = {"cow_spot.ply", "nbody_a_bennu.ply", "nbody_a_itokawa.ply"};
    grz_device_options options = grz_default_device_options();
    options.kind = GRZ_DEVICE_CPU;
    options.threads = 1;
    need(grz_device_open(&options, &device, &error));
    std::printf("%-22s %-10s %9s %9s %6s %8s  %s\n", "model", "shift", "pairs, ms", "volume", "factor", "compared",
                "volume, width");
    for (const char *name : names) {
        model m = load(name);
        for (const shift &s : shifts)
            measure(m, s, quick ? 2 : 7);
        grz_mesh_destroy(m.mesh);
    }
    grz_device_close(device);
    return 0;
}
