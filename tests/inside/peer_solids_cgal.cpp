// SPDX-License-Identifier: MIT
// Solids against CGAL's Nef polyhedra. Each mesh is a few tetrahedra in one, which cross each other, touch, or are there
// twice. By the even-odd rule its solid is their symmetric difference, by the nonzero rule their union if all are wound
// alike; CGAL computes these, and whether insides have common points, from exact integers. Closures of open sets are
// taken after every operation, as solids have no walls of no thickness.
#include <CGAL/Exact_integer.h>
#include <CGAL/Homogeneous.h>
#include <CGAL/Nef_polyhedron_3.h>
#include <CGAL/Polyhedron_3.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include <graze/graze.h>

#include "support_meshes.h"

namespace
{

using Kernel = CGAL::Homogeneous<CGAL::Exact_integer>;
using Nef = CGAL::Nef_polyhedron_3<Kernel>;
using Polyhedron = CGAL::Polyhedron_3<Kernel>;
using Point = Kernel::Point_3;

struct Pile {
    test_mesh mesh = {};
    Nef even_odd, any;
};

Nef closed(const Nef &set)
{
    return set.interior().closure();
}

// Add a tetrahedron with area, on a small raster.
void add_tetrahedron(Pile &pile, random_stream &random, unsigned raster)
{
    double at[4][3];
    Point p[4];
    do
        for (int i = 0; i < 4; i++) {
            int x[3];
            for (int k = 0; k < 3; k++)
                at[i][k] = x[k] = static_cast<int>(random_below(&random, raster));
            p[i] = Point(x[0], x[1], x[2]);
        }
    while (CGAL::coplanar(p[0], p[1], p[2], p[3]));
    if (CGAL::orientation(p[0], p[1], p[2], p[3]) != CGAL::POSITIVE) { // all wound alike
        std::swap(p[0], p[1]);
        std::swap(at[0], at[1]);
    }
    test_mesh_take(&pile.mesh, test_mesh_tetrahedron(at));
    Polyhedron polyhedron;
    polyhedron.make_tetrahedron(p[0], p[1], p[2], p[3]);
    const Nef one(polyhedron);
    pile.even_odd = closed(pile.even_odd ^ one);
    pile.any = closed(pile.any + one);
}

Pile random_pile(random_stream &random, unsigned raster)
{
    Pile pile;
    for (unsigned i = 1 + random_below(&random, 3); i > 0; i--)
        add_tetrahedron(pile, random, raster);
    return pile;
}

// The same tetrahedra, and perhaps one more.
Pile random_like(random_stream &random, const Pile &other, unsigned raster)
{
    Pile pile = other;
    pile.mesh = test_mesh_copy(&other.mesh);
    if (random_below(&random, 3) > 0)
        add_tetrahedron(pile, random, raster);
    return pile;
}

grz_solids classify(const Nef &a, const Nef &b)
{
    if ((a.interior() * b.interior()).is_empty())
        return (a * b).is_empty() ? GRZ_SOLIDS_APART : GRZ_SOLIDS_TOUCHING;
    const bool a_in_b = (a - b).is_empty(), b_in_a = (b - a).is_empty();
    return a_in_b ? (b_in_a ? GRZ_SOLIDS_SAME : GRZ_SOLIDS_A_INSIDE_B)
                  : (b_in_a ? GRZ_SOLIDS_B_INSIDE_A : GRZ_SOLIDS_PENETRATING);
}

grz_solids ask(grz_device *device, grz_result *result, const test_mesh &a, const test_mesh &b, grz_inside_rule rule)
{
    grz_error error = {};
    grz_mesh *x = test_mesh_upload(device, &a), *y = test_mesh_upload(device, &b);
    const grz_object object_a = grz_object_at_origin(x), object_b = grz_object_at_origin(y);
    grz_collide_options options = grz_default_collide_options();
    options.find = GRZ_FIND_SOLIDS;
    options.inside_rule = rule;
    if (grz_collide(device, &object_a, &object_b, &options, result, &error) != GRZ_OK) {
        std::fprintf(stderr, "%s\n", error.message);
        std::abort();
    }
    grz_mesh_destroy(x);
    grz_mesh_destroy(y);
    return grz_result_summary(result)->solids;
}

} // namespace

int main()
{
    grz_device *device = test_device_open(1);
    grz_result *result = test_result_create(device);
    random_stream random = {61};
    unsigned counts[8] = {}, failures = 0;
    for (int i = 0; i < 120; i++) {
        const unsigned raster = 2 + random_below(&random, 4);
        Pile a = random_pile(random, raster);
        Pile b = i % 4 == 0 ? random_like(random, a, raster) : random_pile(random, raster);
        for (int rule = 0; rule < 2; rule++) {
            const grz_solids expected = rule == 0 ? classify(a.even_odd, b.even_odd) : classify(a.any, b.any);
            const grz_solids found = ask(device, result, a.mesh, b.mesh, rule == 0 ? GRZ_EVEN_ODD : GRZ_NONZERO);
            counts[expected]++;
            if (found != expected) {
                std::fprintf(stderr, "pair %d, rule %d: Graze says %d, CGAL %d\n", i, rule, found, expected);
                for (const test_mesh *m : {&a.mesh, &b.mesh}) { // so that it can be replayed
                    std::fprintf(stderr, "mesh\n");
                    for (uint64_t v = 0; v < m->vertex_count; v++)
                        std::fprintf(stderr, "v %g %g %g\n", m->positions[3 * v], m->positions[3 * v + 1],
                                     m->positions[3 * v + 2]);
                }
                failures++;
            }
        }
        test_mesh_finish(&a.mesh);
        test_mesh_finish(&b.mesh);
    }
    std::printf("apart %u, touching %u, penetrating %u, inside %u, same %u\n", counts[GRZ_SOLIDS_APART],
                counts[GRZ_SOLIDS_TOUCHING], counts[GRZ_SOLIDS_PENETRATING],
                counts[GRZ_SOLIDS_A_INSIDE_B] + counts[GRZ_SOLIDS_B_INSIDE_A], counts[GRZ_SOLIDS_SAME]);
    grz_result_destroy(result);
    grz_device_close(device);
    return failures == 0 && counts[GRZ_SOLIDS_TOUCHING] > 0 && counts[GRZ_SOLIDS_PENETRATING] > 0 ? EXIT_SUCCESS
                                                                                                  : EXIT_FAILURE;
}
