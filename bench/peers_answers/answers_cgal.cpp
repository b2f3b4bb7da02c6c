// SPDX-License-Identifier: MIT
// CGAL's answers: AABB_tree with all_intersected_primitives() on exact predicates, and, for meshes, do_intersect(),
// self_intersections() and Side_of_triangle_mesh of Polygon_mesh_processing. The last way tests all pairs of triangles one by one
// with rational numbers: it confirms the right pairs, with which the other answers are compared.
#include "cases.h"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Gmpq.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/intersection.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Rigid_triangle_mesh_collision_detection.h>
#include <CGAL/Side_of_triangle_mesh.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/version.h>

#include <cstdio>
#include <utility>
#include <vector>

namespace
{

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Rational = CGAL::Simple_cartesian<CGAL::Gmpq>;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;
namespace PMP = CGAL::Polygon_mesh_processing;

template <class Any> std::vector<typename Any::Triangle_3> triangles_of(const peers_mesh *mesh)
{
    std::vector<typename Any::Triangle_3> triangles;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        typename Any::Point_3 corner[3];
        for (uint32_t j = 0; j < 3; j++) {
            const double *p = mesh->positions[mesh->triangles[i][j]];
            corner[j] = typename Any::Point_3(p[0], p[1], p[2]);
        }
        triangles.emplace_back(corner[0], corner[1], corner[2]);
    }
    return triangles;
}

void ask_tree(const peers_mesh *a, const peers_mesh *b, peers_answer *answer)
{
    using Triangles = std::vector<Kernel::Triangle_3>;
    using Primitive = CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>;
    using Tree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;
    const Triangles triangles_a = triangles_of<Kernel>(a), triangles_b = triangles_of<Kernel>(b);
    const Tree tree(triangles_a.begin(), triangles_a.end());
    answer->lists_pairs = true;
    for (uint32_t i = 0; i < triangles_b.size(); i++) {
        std::vector<Triangles::const_iterator> found;
        tree.all_intersected_primitives(triangles_b[i], std::back_inserter(found));
        for (const auto &triangle : found)
            peers_add_pair(answer, static_cast<uint32_t>(triangle - triangles_a.begin()), i);
    }
    answer->touches = answer->pair_count > 0 ? PEERS_YES : PEERS_NO;
}

// The unchanged mesh; an empty one if CGAL's mesh type cannot hold it.
Surface surface_of(const peers_mesh *mesh)
{
    Surface surface;
    std::vector<Surface::Vertex_index> vertices;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const double *p = mesh->positions[i];
        vertices.push_back(surface.add_vertex(Kernel::Point_3(p[0], p[1], p[2])));
    }
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles[i];
        if (surface.add_face(vertices[t[0]], vertices[t[1]], vertices[t[2]]) == Surface::null_face())
            return Surface();
    }
    return surface;
}

const char *containment(const Surface &inner, const Surface &outer)
{
    if (!CGAL::is_closed(outer))
        return "outer is open";
    const CGAL::Side_of_triangle_mesh<Surface, Kernel> side(outer);
    bool in = false, out = false;
    for (const auto vertex : inner.vertices())
        (side(inner.point(vertex)) == CGAL::ON_BOUNDED_SIDE ? in : out) = true;
    return !in ? "outside" : out ? "some vertices inside" : "all vertices inside";
}

void ask_mesh(const peers_mesh *a, const peers_mesh *b, peers_answer *answer)
{
    Surface surface_a = surface_of(a), surface_b = surface_of(b);
    if (surface_a.number_of_faces() != a->triangle_count || surface_b.number_of_faces() != b->triangle_count)
        return;
    answer->touches = PMP::do_intersect(surface_a, surface_b) ? PEERS_YES : PEERS_NO;
    if (answer->touches == PEERS_NO) {
        const bool volumes =
            CGAL::is_closed(surface_a) && CGAL::is_closed(surface_b) &&
            PMP::do_intersect(surface_a, surface_b, CGAL::parameters::do_overlap_test_of_bounded_sides(true),
                              CGAL::parameters::do_overlap_test_of_bounded_sides(true));
        std::snprintf(answer->remark, sizeof answer->remark,
                      "volumes overlap: %s; Side_of_triangle_mesh: b in a %s, a in b %s", volumes ? "yes" : "no",
                      containment(surface_b, surface_a), containment(surface_a, surface_b));
    } else {
        std::vector<std::vector<Kernel::Point_3>> lines;
        PMP::surface_intersection(surface_a, surface_b, std::back_inserter(lines));
        std::size_t points = 0;
        for (const auto &line : lines)
            points += line.size();
        std::snprintf(answer->remark, sizeof answer->remark, "surface_intersection: %zu polylines of %zu points",
                      lines.size(), points);
    }
}

void ask_rigid(const peers_mesh *a, const peers_mesh *b, peers_answer *answer)
{
    const Surface surface_a = surface_of(a), surface_b = surface_of(b);
    if (surface_a.number_of_faces() != a->triangle_count || surface_b.number_of_faces() != b->triangle_count)
        return;
    CGAL::Rigid_triangle_mesh_collision_detection<Surface> meshes;
    const std::size_t id_a = meshes.add_mesh(surface_a), id_b = meshes.add_mesh(surface_b);
    answer->touches = meshes.get_all_intersections(id_b).empty() ? PEERS_NO : PEERS_YES;
    const auto found = meshes.get_all_intersections_and_inclusions(id_a);
    std::snprintf(answer->remark, sizeof answer->remark, "with inclusions: %s",
                  found.empty()          ? "nothing"
                  : found.front().second ? "one holds a component of the other"
                                         : "surfaces meet");
}

void ask_mesh_self(const peers_mesh *mesh, peers_answer *answer)
{
    const Surface surface = surface_of(mesh);
    if (surface.number_of_faces() != mesh->triangle_count)
        return;
    std::vector<std::pair<Surface::Face_index, Surface::Face_index>> found;
    PMP::self_intersections(surface, std::back_inserter(found));
    answer->lists_pairs = true;
    for (const auto &pair : found)
        peers_add_pair(answer, static_cast<uint32_t>(pair.first), static_cast<uint32_t>(pair.second));
    answer->touches = found.empty() ? PEERS_NO : PEERS_YES;
}

void ask_rational(const peers_mesh *a, const peers_mesh *b, peers_answer *answer)
{
    const auto triangles_a = triangles_of<Rational>(a), triangles_b = triangles_of<Rational>(b);
    answer->lists_pairs = true;
    for (const auto *triangles : {&triangles_a, &triangles_b})
        for (const auto &triangle : *triangles)
            if (triangle.is_degenerate()) {
                answer->lists_pairs = false;
                std::snprintf(answer->remark, sizeof answer->remark,
                              "not asked: a triangle without area is outside its preconditions");
                return;
            }
    for (uint32_t i = 0; i < triangles_a.size(); i++)
        for (uint32_t j = 0; j < triangles_b.size(); j++)
            if (CGAL::do_overlap(triangles_a[i].bbox(), triangles_b[j].bbox()) &&
                CGAL::do_intersect(triangles_a[i], triangles_b[j]))
                peers_add_pair(answer, i, j);
    answer->touches = answer->pair_count > 0 ? PEERS_YES : PEERS_NO;
}

} // namespace

int main()
{
    const peers_way ways[] = {
        {"AABB_tree, exact predicates, all_intersected_primitives()", false, false, ask_tree, nullptr},
        {"Polygon_mesh_processing: do_intersect(), self_intersections(), Side_of_triangle_mesh", false, false, ask_mesh,
         ask_mesh_self},
        {"Rigid_triangle_mesh_collision_detection", false, false, ask_rigid, nullptr},
        {"all pairs with rational numbers, do_intersect()", false, false, ask_rational, nullptr}};
    return peers_run("CGAL " CGAL_VERSION_STR, ways, 4);
}
