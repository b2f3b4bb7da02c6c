// SPDX-License-Identifier: MIT
// Self-collision against CGAL's Polygon_mesh_processing::self_intersections (exact predicates), pair by pair.
//
// CGAL's definition (5.5, self_intersections.h): faces that share an edge of the mesh intersect if they are coplanar
// and overlap; faces that share a vertex, if the edge opposite of it in either meets the other; any others, if they
// have a point in common. For triangles with area that is Graze's definition with corners identified by index: the
// intersection of two triangles with a common corner is convex, so where it holds another point, the ray from the
// corner through it leaves one of the two through its opposite edge, still in the other; and two with a common edge
// have more in common only where they overlap in one plane. Left out: pairs with a degenerate face, which CGAL reports
// as a pair with itself and otherwise ignores; corners that are one by position only, which CGAL cannot express (the
// meshes are handed over with GRZ_MESH_INDEX_ONLY). CGAL's mesh type takes no edges of three faces:
// polygon_soup_to_polygon_mesh() cuts those apart first, and both sides get the mesh that comes out.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/orient_polygon_soup.h>
#include <CGAL/Polygon_mesh_processing/polygon_soup_to_polygon_mesh.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <graze/io.h>

#include "support_meshes.h"

namespace
{

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Surface = CGAL::Surface_mesh<Point>;
using Pair = std::pair<uint32_t, uint32_t>;
namespace PMP = CGAL::Polygon_mesh_processing;

struct Totals {
    unsigned long long meshes = 0, faces = 0, pairs = 0, degenerate = 0;
};

Surface surface_of(const test_mesh &mesh)
{
    std::vector<Point> points;
    std::vector<std::vector<std::size_t>> faces;
    test_mesh triangles = test_mesh_triangulated(&mesh);
    for (uint64_t v = 0; v < triangles.vertex_count; v++)
        points.emplace_back(triangles.positions[3 * v], triangles.positions[3 * v + 1], triangles.positions[3 * v + 2]);
    for (uint64_t face = 0; face < triangles.face_count; face++) {
        const uint32_t *corner = triangles.indices + 3 * face;
        if (corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0])
            faces.push_back({corner[0], corner[1], corner[2]});
    }
    test_mesh_finish(&triangles);
    PMP::orient_polygon_soup(points, faces);
    Surface surface;
    PMP::polygon_soup_to_polygon_mesh(points, faces, surface);
    return surface;
}

// The same vertices and faces in the same order.
test_mesh mesh_of(const Surface &surface)
{
    test_mesh mesh = {};
    for (auto v : surface.vertices()) {
        const Point &p = surface.point(v);
        test_mesh_add_vertex(&mesh, p.x(), p.y(), p.z());
    }
    for (auto face : surface.faces()) {
        std::vector<uint32_t> corners;
        for (auto v : surface.vertices_around_face(surface.halfedge(face)))
            corners.push_back(static_cast<uint32_t>(v));
        test_mesh_add_face(&mesh, corners.data(), static_cast<uint32_t>(corners.size()));
    }
    return mesh;
}

// CGAL's pairs; `degenerate` receives the faces without area.
std::vector<Pair> cgal_pairs(const Surface &surface, std::set<uint32_t> &degenerate)
{
    std::vector<std::pair<Surface::Face_index, Surface::Face_index>> found;
    std::vector<Pair> pairs;
    PMP::self_intersections(surface, std::back_inserter(found));
    for (const auto &f : found) {
        const uint32_t a = static_cast<uint32_t>(f.first), b = static_cast<uint32_t>(f.second);
        if (a == b)
            degenerate.insert(a);
        else
            pairs.emplace_back(std::min(a, b), std::max(a, b));
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

std::vector<Pair> graze_pairs(grz_device *device, const test_mesh &mesh, const std::set<uint32_t> &degenerate)
{
    std::vector<Pair> pairs;
    grz_error error = {};
    grz_mesh *uploaded = test_mesh_upload_flags(device, &mesh, GRZ_MESH_INDEX_ONLY);
    grz_result *result = test_result_create(device);
    const grz_object object = grz_object_at_origin(uploaded);
    if (grz_collide_self(device, &object, nullptr, result, &error) != GRZ_OK) {
        std::fprintf(stderr, "%s\n", error.message);
        std::abort();
    }
    uint64_t count;
    const grz_pair *found = grz_result_pairs(result, &count);
    for (uint64_t i = 0; i < count; i++)
        if (degenerate.count(found[i].face_a) == 0 && degenerate.count(found[i].face_b) == 0)
            pairs.emplace_back(found[i].face_a, found[i].face_b);
    grz_result_destroy(result);
    grz_mesh_destroy(uploaded);
    return pairs;
}

void print_face(const test_mesh &mesh, uint32_t face)
{
    std::fprintf(stderr, "  face %u:", face);
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t v = mesh.indices[3 * face + i];
        std::fprintf(stderr, " %u (%a, %a, %a)", v, mesh.positions[3 * v], mesh.positions[3 * v + 1],
                     mesh.positions[3 * v + 2]);
    }
    std::fprintf(stderr, "\n");
}

bool compare(grz_device *device, const std::string &name, test_mesh source, Totals &totals)
{
    const Surface surface = surface_of(source);
    test_mesh_finish(&source);
    test_mesh mesh = mesh_of(surface);
    std::set<uint32_t> degenerate;
    const std::vector<Pair> expected = cgal_pairs(surface, degenerate), got = graze_pairs(device, mesh, degenerate);
    totals.meshes++;
    totals.faces += mesh.face_count;
    totals.pairs += expected.size();
    totals.degenerate += degenerate.size();
    std::vector<Pair> missed, invented;
    std::set_difference(expected.begin(), expected.end(), got.begin(), got.end(), std::back_inserter(missed));
    std::set_difference(got.begin(), got.end(), expected.begin(), expected.end(), std::back_inserter(invented));
    const bool same = missed.empty() && invented.empty();
    if (!same) {
        std::fprintf(stderr,
                     "%s: CGAL has %zu pairs, Graze %zu; %zu in CGAL's list alone, %zu in Graze's alone; the first:\n",
                     name.c_str(), expected.size(), got.size(), missed.size(), invented.size());
        const Pair first = missed.empty() ? invented.front() : missed.front();
        print_face(mesh, first.first);
        print_face(mesh, first.second);
    }
    test_mesh_finish(&mesh);
    return same;
}

// A closed or open mesh whose vertices were moved by random amounts, or on a raster, where much coincides.
test_mesh deformed(unsigned seed)
{
    random_stream random = {(UINT64_C(0xc9a1) << 32) | seed};
    test_mesh mesh;
    double step = 1.0;
    switch (seed % 4) {
    case 0:
        mesh = test_mesh_grid(12, 12, 1.0);
        break;
    case 1:
        mesh = test_mesh_icosphere(4.0, 2);
        break;
    case 2:
        mesh = test_mesh_torus(4.0, 1.5, 16, 10);
        break;
    default:
        mesh = test_mesh_random_triangles(&random, 80, 0.8, seed % 8 == 3 ? 3 : 0);
        step = 0.0;
    }
    for (uint64_t i = 0; i < 3 * mesh.vertex_count; i++) {
        double &x = mesh.positions[i];
        if (seed % 3 == 0)
            x = static_cast<double>(static_cast<long>(x)) +
                step * (static_cast<double>(random_below(&random, 3)) - 1.0);
        else
            x += step * (seed % 3 == 1 ? 0.6 : 1.8) * random_signed(&random);
    }
    return mesh;
}

const char *const models[] = {"data/cow_spot.ply",
                              "data/teapot_3751.obj",
                              "data/face_1252.obj",
                              "data/scalpel_sword128.obj",
                              "data/spaceship_shuttle_a.obj",
                              "data/nbody_a_eros.ply",
                              "data/nbody_a_itokawa.ply",
                              "data/hard/quadknot.obj",
                              "data/hard/not_convex.obj",
                              "data/hard/soup.stl",
                              "data/hard/multibody.stl",
                              "data/hard/thin_mat40x40.obj",
                              "data/hard/sheet2000.obj",
                              "data/hard/spot_huge_offset.obj",
                              "data/hard/spot_tiny.obj",
                              "data/hard/openscad-nonmanifold-crash.ply",
                              "data/hard/self_intersectA.ply"};

} // namespace

int main()
{
    grz_device *device = test_device_open(2);
    Totals generated, files;
    bool same = true;
    for (unsigned seed = 0; seed < 400; seed++)
        same = compare(device, "generated mesh, seed " + std::to_string(seed), deformed(seed), generated) && same;
    std::printf("generated: %llu meshes, %llu faces, %llu degenerate, %llu pairs\n", generated.meshes, generated.faces,
                generated.degenerate, generated.pairs);
    for (const char *file : models) {
        const unsigned long long before = files.pairs;
        same = compare(device, file, test_mesh_load(file), files) && same;
        std::printf("%s: %llu pairs\n", file, files.pairs - before);
    }
    std::printf("files: %llu meshes, %llu faces, %llu degenerate, %llu pairs\n", files.meshes, files.faces,
                files.degenerate, files.pairs);
    grz_device_close(device);
    if (generated.pairs < 10000 || files.pairs < 100) {
        std::fprintf(stderr, "too few pairs were compared\n");
        same = false;
    }
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
