// SPDX-License-Identifier: MIT
// <graze/graze.hpp>: answers are those of the C functions; handles can be moved and destroyed in any order; failures
// throw with code, element and text.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "cpp_checks.hpp"

namespace
{

static_assert(!std::is_copy_constructible_v<graze::device> && std::is_nothrow_move_constructible_v<graze::device>);
static_assert(!std::is_copy_constructible_v<graze::mesh> && std::is_nothrow_move_assignable_v<graze::mesh>);
static_assert(!std::is_copy_constructible_v<graze::result> && std::is_nothrow_move_constructible_v<graze::result>);
static_assert(!std::is_copy_constructible_v<graze::scene> && std::is_nothrow_move_constructible_v<graze::scene>);
static_assert(std::is_convertible_v<std::vector<float>, graze::span<float>>);
static_assert(!std::is_convertible_v<std::vector<float>, graze::span<double>>);

// Compare everything in a result with the C getters.
void expect_same_lists(const graze::result &result)
{
    std::uint64_t count = 0;
    REQUIRE(&result.summary() == grz_result_summary(result.get()));
    REQUIRE(result.pairs().data() == grz_result_pairs(result.get(), &count) && result.pairs().size() == count);
    REQUIRE(result.contacts().data() == grz_result_contacts(result.get(), &count) && result.contacts().size() == count);
    REQUIRE(result.features().data() == grz_result_features(result.get(), &count) && result.features().size() == count);
    REQUIRE(result.points().data() == grz_result_points(result.get(), &count) && result.points().size() == 3 * count);
    REQUIRE(result.curves().data() == grz_result_curves(result.get(), &count) && result.curves().size() == count);
    REQUIRE(result.scene_pairs().data() == grz_result_scene_pairs(result.get(), &count) &&
            result.scene_pairs().size() == count);
    REQUIRE(result.scene_solids().data() == grz_result_scene_solids(result.get(), &count) &&
            result.scene_solids().size() == count);
    REQUIRE(result.collision_boxes().data() == grz_result_collision_boxes(result.get(), &count) &&
            result.collision_boxes().size() == count);
    REQUIRE(result.statistics().data() == grz_result_statistics(result.get(), &count) &&
            result.statistics().size() == count);
    for (const grz_statistic &statistic : result.statistics())
        REQUIRE(result.statistic(statistic.name) == statistic.value);
    REQUIRE(!result.statistic("no such statistic"));
    for (std::size_t i = 0; i < result.contacts().size(); i++) {
        const graze::span<double> points = result.points(result.contacts()[i]);
        REQUIRE(points.data() == grz_result_contact_points(result.get(), i, &count) && points.size() == 3 * count);
    }
    for (const grz_curve &curve : result.curves()) {
        const graze::span<double> points = result.points(curve);
        REQUIRE(points.size() == 3 * curve.point_count);
        REQUIRE(points.data() == grz_result_curve_points(result.get(), &count) + 3 * curve.first_point);
    }
}

void queries()
{
    grz_device_options options = grz_default_device_options();
    options.threads = 2;
    const graze::device device(options);
    REQUIRE(device.threads() == 2);
    const graze::mesh cube(device, corners, cube_faces);
    REQUIRE(cube.vertex_count() == 8 && cube.face_count() == 12 && cube.triangle_count() == 12 && cube.closed());
    REQUIRE(cube.check().components == 1);
    cube.prepare();
    cube.prepare("bvh");
    const grz_object a = cube.at(), b = cube.at(grz_pose_from_translation(1, 0.5, 0.25));
    grz_collide_options find = grz_default_collide_options();
    find.find = GRZ_FIND_CURVES;
    graze::result result = graze::collide(device, a, b, find);
    REQUIRE(result.colliding() && result.pairs().size() > 3 && !result.contacts().empty() &&
            result.curves().size() == 1);
    expect_same_lists(result);
    std::uint64_t listed = 0;
    for (const grz_pair &pair : result.pairs())
        listed += pair.kind == GRZ_CROSSING;
    REQUIRE(listed == result.summary().kinds[GRZ_CROSSING]);
    graze::collide_self(device, a, result);
    REQUIRE(!result.colliding() && result.pairs().empty());
    const graze::result self = graze::collide_self(device, a);
    REQUIRE(self.summary().relation == GRZ_APART && self.summary().certainty == GRZ_EXACT);
    graze::scene scene(device);
    REQUIRE(scene.add(a) == 0 && scene.add(b) == 1 && scene.add(cube.at(grz_pose_from_translation(9, 9, 9))) == 2);
    graze::collide(device, scene, result, find);
    REQUIRE(result.scene_pairs().size() == 1 && result.scene_pairs()[0].b == 1);
    expect_same_lists(result);
    const graze::result among = graze::collide(device, scene, find), without_lists = graze::collide(device, scene);
    REQUIRE(among.scene_pairs().size() == 1 && among.contacts().size() == result.contacts().size());
    REQUIRE(among.curves().size() == 1 && without_lists.colliding() && without_lists.curves().empty());
    expect_same_lists(among);
    graze::scene_events events(scene);
    events.update(graze::collide(device, scene, find));
    REQUIRE(events.pairs(GRZ_PAIR_BEGAN).size() == 1 && events.pairs(GRZ_PAIR_BEGAN)[0].b == 1);
    REQUIRE(events.pairs(GRZ_PAIR_BEGAN)[0].serial_b == scene.serial(1) && scene.serial(1) != scene.serial(0));
    REQUIRE(events.pairs(GRZ_PAIR_BEGAN, GRZ_PAIR_NEAR).empty());
    REQUIRE(thrown_by([&] { events.update(result); }).code() == GRZ_ERROR_ARGUMENT); // not the newest answer
    scene.set_pose(2, grz_pose_from_translation(-1, -1, -1));
    scene.remove(1);
    graze::collide(device, scene, result);
    events.update(result);
    REQUIRE(events.pairs(GRZ_PAIR_BEGAN).size() == 1 && events.pairs(GRZ_PAIR_BEGAN)[0].b == 2);
    REQUIRE(events.pairs(GRZ_PAIR_ENDED).size() == 1 && events.pairs(GRZ_PAIR_ENDED)[0].b == 1);
    REQUIRE(events.pairs(GRZ_PAIR_STAYS).empty() && events.get() != nullptr && scene.serial(1) == 0);
    REQUIRE(scene.size() == 2 && result.scene_pairs().size() == 1 && result.scene_pairs()[0].b == 2);
    scene.set_groups(2, 0, 0);
    graze::collide(device, scene, result);
    REQUIRE(result.scene_pairs().empty() && scene.object(2)->mask == 0 && scene.object(1) == nullptr);
    const std::array<grz_pose, 3> poses = {grz_pose_identity(), grz_pose_from_translation(5, 0, 0),
                                           grz_pose_from_translation(2, 0, 0)};
    const std::vector<grz_pose_answer> answers = graze::collide_poses(device, a, cube, poses);
    REQUIRE(answers.size() == 3 && answers[0].colliding && !answers[1].colliding && answers[2].colliding);
    const double points[] = {1, 1, 1, 3, 3, 3, 2, 1, 1};
    const std::vector<grz_location> at = graze::locate(device, a, points);
    REQUIRE(at.size() == 3 && at[0] == GRZ_INSIDE && at[1] == GRZ_OUTSIDE && at[2] == GRZ_ON_SURFACE);
    const double move[3] = {1, 2, 3}, turn[4] = {0, 0, 2, 2}, from[3] = {1, 0, 0};
    const grz_pose rigid = graze::rigid_pose(move, turn), back = graze::inverse(rigid);
    double to[3];
    grz_pose_apply(rigid, from, to);
    grz_pose_apply(back, to, to);
    REQUIRE(to[0] > 0.999 && to[0] < 1.001 && to[1] > -0.001 && to[1] < 0.001);
}

// A mesh that touches itself: what a new result holds is what one that is reused holds.
void touching_itself()
{
    const graze::device device;
    std::vector<double> crossing = {0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -1, 1, 1, 1, 2, 1, 1};
    const std::vector<std::uint32_t> two = {0, 1, 2, 3, 4, 5};
    const graze::mesh mesh(device, crossing, two);
    grz_collide_options options = grz_default_collide_options();
    options.find = GRZ_FIND_CONTACTS;
    graze::result reused(device);
    graze::collide_self(device, mesh.at(), reused, options);
    const graze::result made = graze::collide_self(device, mesh.at(), options);
    REQUIRE(made.colliding() && made.pairs().size() == 1 && made.contacts().size() == 1);
    REQUIRE(made.points().size() == reused.points().size() && made.points()[0] == reused.points()[0]);
    expect_same_lists(made);
}

// Discrete answers count; exact ones do not.
void statistics()
{
    const graze::device cpu;
    const graze::mesh exact(cpu, corners, cube_faces);
    const graze::result proved = graze::collide(cpu, exact.at(), exact.at());
    REQUIRE(proved.statistics().empty() && !proved.statistic("cells"));
    grz_device_options wanted = grz_default_device_options();
    wanted.kind = GRZ_DEVICE_GL;
    grz_device *opened = nullptr;
    if (grz_device_open(&wanted, &opened, nullptr) != GRZ_OK) {
        std::puts("no OpenGL: discrete answers are not tested");
        return;
    }
    grz_device_close(opened);
    const graze::device device(wanted);
    const graze::mesh cube(device, corners, cube_faces);
    const grz_object a = cube.at(), b = cube.at(grz_pose_from_translation(1, 0.5, 0.25));
    grz_collide_options options = grz_default_collide_options();
    options.answer = GRZ_ANSWER_DISCRETE;
    options.method = "selection";
    const graze::result selected = graze::collide(device, a, b, options);
    REQUIRE(selected.statistic("hits") > std::uint64_t{0} && selected.statistic("leaf_pairs") > std::uint64_t{0});
    REQUIRE(!selected.statistic("cells") && !selected.statistic("maps"));
    options.method = "heightmap";
    const graze::result mapped = graze::collide(device, a, b, options);
    expect_same_lists(mapped);
    REQUIRE(mapped.statistic("hits") > std::uint64_t{0} && mapped.statistic("maps") == std::uint64_t{1});
    REQUIRE(!mapped.statistic("leaf_pairs") && !mapped.statistic("cells"));
    for (const char *method : {"slices", "layers"}) {
        const bool by_slices = std::strcmp(method, "slices") == 0;
        options.method = method;
        const graze::result result = graze::collide(device, a, b, options);
        expect_same_lists(result);
        REQUIRE(!result.statistics().empty() && result.statistic("resolution") > std::uint64_t{0});
        REQUIRE(result.statistic("cells").has_value() == by_slices);
        REQUIRE(result.statistic(by_slices ? "cells" : "sets") > std::uint64_t{0});
    }
}

// Positions of either type, indexed and as a soup; new positions, and positions of the wrong number.
void positions()
{
    const graze::device device;
    std::vector<float> soup;
    for (const std::uint32_t corner : cube_faces)
        for (int i = 0; i < 3; i++)
            soup.push_back(static_cast<float>(corners[3 * corner + static_cast<std::size_t>(i)]));
    graze::mesh loose(device, soup), cube(device, corners, cube_faces);
    REQUIRE(loose.vertex_count() == 36 && loose.triangle_count() == 12 && loose.closed());
    for (float &x : soup)
        x += 10.0F;
    loose.set_positions(soup);
    REQUIRE(loose.check().min[0] == 10.0);
    std::vector<double> higher = corners;
    for (double &x : higher)
        x *= 2.0;
    cube.set_positions(higher);
    REQUIRE(cube.check().max[2] == 4.0);
    REQUIRE(thrown_by([&] { graze::mesh(device, corners, std::vector<std::uint32_t>{}); }).code() ==
            GRZ_ERROR_ARGUMENT);
    REQUIRE(thrown_by([&] { cube.set_positions(soup); }).code() == GRZ_ERROR_ARGUMENT);
    higher.pop_back();
    REQUIRE(thrown_by([&] { cube.set_positions(higher); }).code() == GRZ_ERROR_ARGUMENT);
    REQUIRE(thrown_by([&] { graze::mesh bad(device, higher, cube_faces); }).code() == GRZ_ERROR_ARGUMENT);
    const std::vector<std::uint32_t> two = {0, 1};
    REQUIRE(thrown_by([&] { graze::mesh bad(device, corners, two); }).code() == GRZ_ERROR_ARGUMENT);
    const double lone[2] = {0, 0};
    REQUIRE(thrown_by([&] { graze::locate(device, cube.at(), lone); }).code() == GRZ_ERROR_ARGUMENT);
    // Any description: quads, and every second number of an array.
    const std::vector<double> wide = {0, 0, 0, 7, 1, 0, 0, 7, 1, 1, 0, 7, 0, 1, 0, 7};
    grz_mesh_description quad = grz_default_mesh_description();
    quad.positions = wide.data();
    quad.position_type = GRZ_FLOAT64;
    quad.position_stride = 4 * sizeof(double);
    quad.vertex_count = quad.corners_per_face = 4;
    quad.face_count = 1;
    graze::mesh sheet(device, quad);
    REQUIRE(sheet.face_count() == 1 && sheet.triangle_count() == 2);
    REQUIRE(thrown_by([&] { sheet.set_positions(wide); }).code() == GRZ_ERROR_ARGUMENT); // not packed
}

void errors()
{
    const graze::device device;
    const std::vector<std::uint32_t> wrong = {0, 1, 2, 0, 1, 8};
    const graze::error mesh = thrown_by([&] { graze::mesh bad(device, corners, wrong); });
    REQUIRE(mesh.code() == GRZ_ERROR_MESH && mesh.element() == 1 && std::strstr(mesh.what(), "face 1") != nullptr);
    const graze::mesh cube(device, corners, cube_faces);
    graze::result result(device);
    grz_collide_options few = grz_default_collide_options();
    few.max_pairs = 1;
    const grz_object a = cube.at(), b = cube.at(grz_pose_from_translation(1, 1, 1));
    REQUIRE(thrown_by([&] { graze::collide(device, a, b, result, few); }).code() == GRZ_ERROR_LIMIT);
    REQUIRE(result.colliding() && result.pairs().empty()); // the yes is kept
    const grz_object zeroed = {};
    REQUIRE(thrown_by([&] { graze::collide(device, a, zeroed, result); }).element() == 1);
    REQUIRE(thrown_by([&] { graze::inverse(grz_pose{}); }).code() == GRZ_ERROR_POSE);
    graze::scene scene(device);
    REQUIRE(thrown_by([&] { scene.remove(3); }).element() == 3);
    grz_device_options options = grz_default_device_options();
    options.threads = 1U << 20;
    REQUIRE(thrown_by([&] { graze::device none(options); }).code() == GRZ_ERROR_ARGUMENT);
    try {
        cube.prepare("no such method");
        REQUIRE(false);
    } catch (const std::exception &failure) { // a std::runtime_error like any other
        REQUIRE(std::strstr(failure.what(), "no such method") != nullptr);
    }
}

bool same_hits(const grz_ray_hit &x, const grz_ray_hit &y)
{
    return x.t == y.t && x.distance == y.distance && x.object == y.object && x.face == y.face && x.side == y.side &&
           std::memcmp(x.point, y.point, sizeof x.point) == 0;
}

void picking()
{
    const graze::device device;
    const graze::mesh cube(device, corners, cube_faces);
    const double eye[3] = {0.5, 0.25, 9}, down[3] = {0, 0, -1}, up[3] = {0, 0, 1};
    const std::vector<grz_ray> rays = {grz_ray_along(eye, down), grz_ray_along(eye, up)};
    std::vector<grz_object> objects;
    graze::scene scene(device);
    for (int i = 0; i < 12; i++) { // a tower: its ray meets 24 faces, more than pick_all() has room for at first
        objects.push_back(cube.at(grz_pose_from_translation(0, 0, -3.0 * i)));
        scene.add(objects.back());
    }
    grz_ray_hit expected[2];
    REQUIRE(grz_pick(device.get(), grz_targets_of_objects(objects.data(), 12), rays.data(), 2, nullptr, expected,
                     nullptr) == GRZ_OK);
    const std::vector<grz_ray_hit> first = graze::pick(device, objects, rays),
                                   in_scene = graze::pick(device, scene, rays);
    REQUIRE(first.size() == 2 && first[0].distance == 7 && first[0].object == 0 && first[1].face == GRZ_NO_FACE);
    for (std::size_t i = 0; i < 2; i++)
        REQUIRE(same_hits(first[i], expected[i]) && same_hits(in_scene[i], expected[i]));
    REQUIRE((graze::pick_any(device, objects, rays) == std::vector<bool>{true, false}));
    REQUIRE((graze::pick_any(device, scene, rays) == std::vector<bool>{true, false}));
    REQUIRE(graze::pick_any(device, objects, {}).empty());
    REQUIRE(same_hits(*graze::pick_first(device, objects, rays[0]), expected[0]));
    REQUIRE(same_hits(*graze::pick_first(device, scene, rays[0]), expected[0]));
    REQUIRE(graze::pick_first(device, objects[3], rays[0])->distance == 16);
    REQUIRE(!graze::pick_first(device, objects[3], rays[1]));
    const std::vector<grz_ray_hit> all = graze::pick_all(device, objects, rays[0]),
                                   all_in_scene = graze::pick_all(device, scene, rays[0]);
    REQUIRE(all.size() == 24 && all_in_scene.size() == 24 && graze::pick_all(device, objects, rays[1]).empty());
    for (std::size_t i = 0; i < 24; i++)
        REQUIRE(all[i].object == i / 2 && same_hits(all[i], all_in_scene[i]));
    // Boxes in order, and regions.
    const std::vector<grz_box_hit> boxes = graze::pick_boxes(device, objects, rays[0]);
    REQUIRE(boxes.size() == 12 && boxes[11].object == 11 && graze::pick_boxes(device, scene, rays[0]).size() == 12);
    REQUIRE(graze::pick_boxes(device, objects, rays[1]).empty());
    const double from_above[4][4] = {{1, 0, 0, 0}, {0, -1, 0, 2}, {0, 0, -0.01, 0.5}, {0, 0, 0, 1}};
    const grz_region region = graze::region_of_pixels(from_above, 0.5, 0.5, 1.5, 0.75);
    const std::vector<grz_region_hit> inside = graze::pick_region(device, objects, region),
                                      inside_scene = graze::pick_region(device, scene, region);
    REQUIRE(inside.size() >= 24 && inside.size() == inside_scene.size());
    for (std::size_t i = 0; i < inside.size(); i++)
        REQUIRE(inside[i].object == inside_scene[i].object && inside[i].face == inside_scene[i].face &&
                inside[i].depth_min == inside_scene[i].depth_min);
    REQUIRE(thrown_by([&] { graze::region_of_pixels(from_above, 1, 1, 1, 2); }).code() == GRZ_ERROR_ARGUMENT);
    // Options: only what is met from behind.
    grz_pick_options behind = grz_default_pick_options();
    behind.skip_front = true;
    REQUIRE(graze::pick_first(device, objects, rays[0], behind)->distance == 9);
    // A camera that looks down the z axis, without perspective: 1 pixel is 1 unit.
    const double to_pixels[4][4] = {{1, 0, 0, 0}, {0, -1, 0, 2}, {0, 0, -0.125, 1.125}, {0, 0, 0, 1}};
    const grz_ray ray = graze::ray_through_pixel(to_pixels, 0.5, 1.75);
    REQUIRE(ray.origin[0] == 0.5 && ray.origin[1] == 0.25 && ray.origin[2] == 9 && ray.direction[2] == -8);
    REQUIRE(graze::pick_first(device, objects, ray)->face == expected[0].face);
    const double flat[4][4] = {};
    REQUIRE(thrown_by([&] { graze::ray_through_pixel(flat, 0, 0); }).code() == GRZ_ERROR_ARGUMENT);
    const double nowhere[3] = {};
    REQUIRE(thrown_by([&] { graze::pick_all(device, objects, grz_ray_along(eye, nowhere)); }).element() == 0);
}

void shapes()
{
    const graze::device device;
    const graze::mesh cube(device, corners, cube_faces);
    const grz_object object = cube.at(grz_pose_from_translation(0, 0, 0));
    const double at[3] = {0.5, 0.5, 5}, centre[3] = {0, 0, 0}, none[3] = {0, 0, 0};
    const grz_shape ball = grz_shape_sphere(at, 1.0), all = grz_shape_sphere(centre, 9.0);
    grz_shape_object_answer expected;
    REQUIRE(grz_shape_compare_object(device.get(), &ball, &object, nullptr, &expected, nullptr) == GRZ_OK);
    const grz_shape_object_answer answer = graze::compare(device, ball, object);
    REQUIRE(answer.relation == GRZ_SHAPES_APART && answer.lower == expected.lower && answer.face == expected.face);
    REQUIRE(graze::compare(device, ball, all).relation == GRZ_SHAPES_PENETRATING);
    REQUIRE(graze::manifold(device, ball, all).count >= 1);
    const std::vector<grz_shape> shapes = {ball, all, grz_shape_ray(at, centre)};
    const std::vector<std::array<std::uint32_t, 2>> pairs = {{1, 0}, {0, 0}};
    const std::vector<grz_shape_answer> many = graze::compare_many(device, {shapes.data(), 2}, pairs);
    REQUIRE(many.size() == 2 && many[0].relation == GRZ_SHAPES_PENETRATING);
    REQUIRE(many[0].depth == graze::compare(device, all, ball).depth);
    REQUIRE(thrown_by([&] { graze::compare_many(device, shapes, pairs); }).element() == 2);
    REQUIRE(graze::compare_many(device, {}, {}).empty());
    REQUIRE(graze::faces_touched(device, ball, object).empty());
    const std::vector<std::uint32_t> faces = graze::faces_touched(device, all, object);
    REQUIRE(faces.size() == 12);
    REQUIRE(thrown_by([&] { graze::compare(device, ball, grz_shape_ray(at, none)); }).element() == 1);
}

// Handles are moved and outlive what they were made with.
void lifetimes()
{
    std::vector<graze::mesh> meshes;
    std::vector<graze::scene> scenes;
    {
        graze::device device, other = std::move(device);
        device = std::move(other);
        for (int i = 0; i < 10; i++)
            meshes.emplace_back(device, corners, cube_faces); // moves those that are there
        graze::scene scene(device);
        scene.add(meshes[3].at());
        scenes.push_back(std::move(scene));
    }
    meshes.erase(meshes.begin(), meshes.begin() + 5);
    REQUIRE(meshes.size() == 5 && meshes.back().closed() && scenes[0].size() == 1);
    meshes.clear();
    REQUIRE(grz_mesh_face_count(scenes[0].object(0)->mesh) == 12);
}

} // namespace

int main()
{
    return run(queries, touching_itself, statistics, positions, errors, picking, shapes, lifetimes);
}
