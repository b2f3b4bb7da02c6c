// SPDX-License-Identifier: MIT
// <graze/flat.hpp>: each wrapper is called with a known answer; sets outlive their device, are moved and destroyed.
#include "cpp_checks.hpp"

#include <type_traits>

namespace
{

static_assert(std::is_nothrow_move_constructible_v<graze::flat> && !std::is_copy_constructible_v<graze::flat>);

std::vector<grz_flat_item> items()
{
    return {grz_flat_box(0, 0, 4, 1), grz_flat_point(2, 1), grz_flat_segment(5, 0, 9, 3)};
}

graze::flat make()
{
    const graze::device device;
    return graze::flat(device, items()); // keeps its device alive
}

void questions()
{
    const graze::flat set = make();
    REQUIRE(set.size() == 3 && set.item(2) && set.item(2)->to[1] == 3 && !set.item(3));
    const std::vector<grz_flat_pair> pairs = set.pairs();
    REQUIRE(pairs.size() == 1 && pairs[0].a == 0 && pairs[0].b == 1);
    REQUIRE((set.in_box({4, -1}, {5, 0.5}) == std::vector<std::uint32_t>{0, 2}));
    REQUIRE((set.in_circle({2, 6}, 5) == std::vector<std::uint32_t>{0, 1}));
    REQUIRE(set.in_circle({2, 6}, 4.999).empty());
    const std::vector<graze::flat::point> points = {{2, 6}, {9, 7}};
    const std::vector<grz_flat_near> near = set.nearest(points);
    REQUIRE(near.size() == 2 && near[0].number == 0 && near[0].distance == 5 && near[1].number == 2 &&
            near[1].distance == 4);
    const grz_flat_ray ray = {{-1, 0.75}, {0, 0.75}, true};
    const std::vector<grz_flat_hit> first = set.first_hits(std::vector<grz_flat_ray>{ray}), all = set.all_hits(ray);
    REQUIRE(first.size() == 1 && first[0].number == 0 && first[0].t == 1);
    REQUIRE(all.size() == 2 && all[1].number == 2 && all[1].t == 7);
    REQUIRE(set.nearest({}).empty() && set.first_hits({}).empty());
}

void changes()
{
    graze::flat set = make();
    set.remove(std::vector<std::uint32_t>{1});
    REQUIRE(set.size() == 2 && set.pairs().empty());
    REQUIRE((set.add(std::vector<grz_flat_item>{grz_flat_point(5, 0), grz_flat_point(9, 9)}) ==
             std::vector<std::uint32_t>{1, 3}));
    REQUIRE(set.pairs().size() == 1);
    set.move(std::vector<std::uint32_t>{3}, std::vector<grz_flat_item>{grz_flat_point(0, 0)});
    REQUIRE(set.pairs().size() == 2);
    set.move(std::vector<grz_flat_item>{grz_flat_point(7, 7)});
    REQUIRE(set.pairs().size() == 1 && set.item(0)->kind == GRZ_FLAT_POINT);
    const std::vector<std::uint32_t> twice = {3, 3};
    const graze::error refused = thrown_by([&] { set.remove(twice); });
    REQUIRE(refused.code() == GRZ_ERROR_ARGUMENT && refused.element() == 1);
    REQUIRE(thrown_by([&] { set.move(twice, items()); }).code() == GRZ_ERROR_ARGUMENT);
    set = make();
    REQUIRE(set.size() == 3);
    const graze::device device;
    REQUIRE(graze::flat(device).size() == 0);
}

void searches()
{
    const graze::device device;
    for (const grz_flat_search search : {GRZ_FLAT_NAIVE, GRZ_FLAT_GRID, GRZ_FLAT_QUADTREE, GRZ_FLAT_SWEEP}) {
        grz_flat_options options = grz_default_flat_options();
        options.search = search;
        REQUIRE(graze::flat(device, items(), options).pairs().size() == 1);
    }
}

} // namespace

int main()
{
    return run(questions, changes, searches);
}
