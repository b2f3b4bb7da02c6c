// SPDX-License-Identifier: MIT
// <graze/measure.hpp>, and what <graze/graze.hpp> tells of meshes, results, scenes and devices: each wrapper is called
// with a known answer.
#include "cpp_checks.hpp"

#include <array>

namespace
{

void distances()
{
    const graze::device device;
    const graze::mesh cube(device, corners, cube_faces);
    const grz_object a = cube.at(), b = cube.at(grz_pose_from_translation(5, 0, 0));
    const grz_distance_answer apart = graze::distance(device, a, b);
    REQUIRE(apart.distance == 3 && apart.certainty == GRZ_EXACT && !apart.touching);
    const double points[] = {1, 1, 1, 6, 1, 1};
    const std::vector<grz_point_distance> of_points = graze::distance_points(device, a, points);
    REQUIRE(of_points.size() == 2 && of_points[0].location == GRZ_INSIDE && std::fabs(of_points[0].distance) == 1);
    REQUIRE(of_points[1].distance == 4 && of_points[1].location == GRZ_OUTSIDE);
    const std::array<grz_pose, 2> poses = {grz_pose_from_translation(3, 0, 0), grz_pose_from_translation(0, 0, -7)};
    const std::vector<grz_distance_answer> at = graze::distance_poses(device, a, cube, poses);
    REQUIRE(at.size() == 2 && at[0].distance == 1 && at[1].distance == 5);
    graze::scene scene(device);
    scene.add(a);
    scene.add(b);
    scene.add(cube.at(grz_pose_from_translation(0, 0, 4)));
    const std::vector<grz_scene_distance> nearest = graze::distance_scene(device, scene, 1),
                                          all = graze::distance_scene(device, scene, 9);
    REQUIRE(nearest.size() == 1 && nearest[0].a == 0 && nearest[0].b == 2 && nearest[0].answer.distance == 2);
    REQUIRE(all.size() == 3 && all[1].answer.distance == 3);
    const double lone[2] = {0, 0};
    REQUIRE(thrown_by([&] { graze::distance_points(device, a, lone); }).code() == GRZ_ERROR_ARGUMENT);
}

void motions()
{
    const graze::device device;
    const graze::mesh cube(device, corners, cube_faces);
    const grz_object a = cube.at(), b = cube.at(grz_pose_from_translation(6, 0, 0));
    const double far[3] = {8, 0, 0}, back[3] = {-2, 0, 0}, through[3] = {12, 0, 0};
    REQUIRE(graze::move(device, a, far, b).first_contact == 0.5);
    REQUIRE(graze::move(device, a, far, b, back).first_contact == 0.25);
    REQUIRE(graze::first_overlap(device, a, far, b).first_overlap == 0.5);
    REQUIRE(graze::first_overlap(device, a, far, b, back).first_overlap == 0.25);
    const std::vector<grz_contact_interval> once = graze::move_intervals(device, a, through, b);
    REQUIRE(once.size() == 1 && near(once[0].enter, 4.0 / 12) && near(once[0].leave, 8.0 / 12));
    const double rest[3] = {6, 0, 0};
    REQUIRE(graze::move_intervals(device, a, through, b, rest).size() == 1);
    const double ends[] = {8, 0, 0, -8, 0, 0, 4, 0, 0};
    const std::vector<grz_move_answer> paths = graze::move_paths(device, a, ends, b);
    REQUIRE(paths.size() == 3 && paths[0].first_contact == 0.5 && !paths[1].has_contact);
    REQUIRE(paths[2].first_contact == 1);
    graze::scene scene(device);
    const std::uint32_t moving = scene.add(a), other = scene.add(b);
    const std::vector<grz_scene_contact> met = graze::move_scene(device, scene, moving, far, 4);
    REQUIRE(met.size() == 1 && met[0].object == other && met[0].answer.first_contact == 0.5);
}

void turning_and_deforming()
{
    const graze::device device;
    const graze::mesh cube(device, corners, cube_faces);
    const grz_object a = cube.at(), b = cube.at(grz_pose_from_translation(6, 0, 0));
    const double from[3] = {0, 0, 0}, to[3] = {8, 0, 0}, still[4] = {0, 0, 0, 1};
    const grz_motion motion = grz_motion_slerp(from, still, to, still);
    REQUIRE(near(graze::pose_at(motion, 0.25).m[0][3], 2));
    const grz_move_answer met = graze::move_rigid(device, a, motion, b);
    REQUIRE(met.has_contact && met.lower <= 0.5 && met.upper >= 0.5 && met.upper - met.lower < 1e-3);
    const grz_move_answer same = graze::move_rigid(device, a, motion, b, grz_motion_rest(b.pose));
    REQUIRE(same.lower == met.lower && same.upper == met.upper);
    REQUIRE(thrown_by([&] { graze::pose_at(motion, 2); }).code() == GRZ_ERROR_ARGUMENT);
    std::vector<double> moved = corners;
    for (std::size_t i = 0; i < moved.size(); i += 3)
        moved[i] += 8;
    const grz_move_answer deformed = graze::move_deforming(device, a, moved, b, {});
    REQUIRE(deformed.has_contact && near(deformed.first_contact, 0.5));
    REQUIRE(!graze::move_deforming(device, a, moved).has_contact);
    moved.pop_back();
    REQUIRE(thrown_by([&] { graze::move_deforming(device, a, moved); }).code() == GRZ_ERROR_ARGUMENT);
}

void depths()
{
    const graze::device device;
    const graze::mesh cube(device, corners, cube_faces);
    const grz_object a = cube.at(), b = cube.at(grz_pose_from_translation(1.5, 0, 0));
    const grz_penetration_answer shortest = graze::penetration(device, b, a);
    REQUIRE(shortest.penetrating && shortest.lower <= 0.5 && shortest.upper >= 0.5 && shortest.upper < 0.51);
    const double back[3] = {-1, 0, 0};
    const grz_penetration_answer along = graze::penetration_along(device, b, a, back);
    REQUIRE(along.penetrating && near(along.depth, 3.5));
    const grz_overlap_volume_answer common = graze::overlap_volume(device, a, b);
    REQUIRE(common.lower <= 2 && common.upper >= 2 && common.upper - common.lower < 1e-6);
    const grz_overlap_depth_answer depth = graze::overlap_depth(device, a, b);
    REQUIRE(depth.reason == nullptr && depth.lower <= 0.5 && depth.upper >= 0.5 && depth.upper < 0.51);
    const grz_object both[2] = {a, b};
    const grz_overlap_pair asked[2] = {{0, 1, 0}, {1, 0, 0.6}};
    grz_overlap_depth_options decide = grz_default_overlap_depth_options();
    decide.decide = true;
    const std::vector<grz_overlap_depth_answer> depths =
        graze::overlap_depths(device, graze::span<grz_object>(both, 2), asked, decide);
    REQUIRE(depths.size() == 2 && depths[0].deeper == GRZ_DEEPER_YES && depths[1].deeper == GRZ_DEEPER_NO);
    const grz_manifold_answer touching = graze::manifold(device, b, a);
    REQUIRE(touching.penetrating && touching.count >= 3 && touching.normal[0] > 0.99);
    graze::contact_tracker tracker(device);
    std::vector<grz_tracked_point> points;
    graze::contact_tracker::add_points(7, 8, touching, points);
    REQUIRE(points.size() == touching.count && points[0].object_a == 7 && points[0].object_b == 8);
    REQUIRE(points[0].feature_a.vertex[0] == touching.points[0].feature_a.vertex[0]);
    const double half[3] = {1, 1, 1}, low[3] = {0, 0, 0}, high[3] = {0.5, 0, 2};
    graze::contact_tracker::add_points(
        1, 2, graze::manifold(device, grz_shape_box(high, half), grz_shape_box(low, half)), points);
    REQUIRE(points.size() == touching.count + 4 && points.back().object_b == 2 && points.back().normal[2] == 1);
    const std::vector<grz_contact_id> first = tracker.update(points), second = tracker.update(points);
    REQUIRE(first.size() == points.size() && first[0].match == GRZ_CONTACT_NEW && tracker.ended().empty());
    for (std::size_t i = 0; i < points.size(); i++)
        REQUIRE(second[i].id == first[i].id && second[i].before == i && second[i].age == 1);
    REQUIRE(tracker.update({}).empty() && tracker.ended().size() == points.size() && tracker.ended()[0] == 1);
    grz_contact_tracker_options wrong = grz_default_contact_tracker_options();
    wrong.match_distance = -1;
    REQUIRE(thrown_by([&] { tracker.update(points, wrong); }).code() == GRZ_ERROR_ARGUMENT && tracker.get() != nullptr);
}

void meshes_and_bounds()
{
    const graze::device device;
    REQUIRE(std::strcmp(device.name(), "cpu") == 0 && std::strlen(device.simd_name()) > 0);
    const graze::mesh cube(device, corners, cube_faces);
    REQUIRE(cube.positions().size() == 24 && cube.positions()[3] == 2);
    REQUIRE(cube.triangles().size() == 36 && cube.triangles()[1] == 2 && cube.triangle_faces().empty());
    REQUIRE(cube.face(1).size() == 3 && cube.face(1)[1] == 3 && cube.face(12).empty());
    REQUIRE(cube.convexity().fault == GRZ_CONVEX);
    const graze::box box = graze::bounds(cube.at(grz_pose_from_translation(1, 0, 0)));
    REQUIRE(box.min[0] == 1 && box.max[0] == 3 && box.max[2] == 2);
    const double middle[3] = {1, 2, 3};
    const graze::box ball = graze::bounds(grz_shape_sphere(middle, 2));
    REQUIRE(near(ball.min[0], -1) && near(ball.max[2], 5));
    bool bvh = false;
    for (const grz_method &method : graze::methods())
        bvh = bvh || std::strcmp(method.name, "bvh") == 0;
    REQUIRE(bvh && graze::renderers().size() == grz_renderer_count());
    // A mesh that is taken over keeps its positions.
    graze::mesh taken = graze::hull(cube).to_mesh();
    REQUIRE(taken.vertex_count() == 8);
    REQUIRE(thrown_by([&] { taken.set_positions(corners); }).code() == GRZ_ERROR_ARGUMENT);
}

bool never(std::uint32_t, const grz_object *, std::uint32_t, const grz_object *, void *asked)
{
    ++*static_cast<int *>(asked);
    return false;
}

void scenes()
{
    const graze::device device;
    const graze::mesh cube(device, corners, cube_faces);
    graze::scene scene(device);
    scene.add(cube.at());
    scene.add(cube.at(grz_pose_from_translation(1, 1, 1)));
    scene.add(cube.at(grz_pose_from_translation(0, 0, -2.25)));
    grz_collide_options options = grz_default_collide_options();
    options.find = GRZ_FIND_PAIRS;
    options.clearance = 0.5;
    for (const grz_broad_phase phase : {GRZ_BROAD_PHASE_SWEEP, GRZ_BROAD_PHASE_TREE, GRZ_BROAD_PHASE_GRID}) {
        scene.set_broad_phase(phase);
        const graze::result result = graze::collide(device, scene, options);
        REQUIRE(result.scene_pairs().size() == 2 && result.scene_clearances().size() == 2);
        REQUIRE(result.scene_clearances()[1].clearance == GRZ_CLEARANCE_NOT_MET && !result.near_pairs().empty());
    }
    int asked = 0;
    scene.set_filter(never, &asked);
    REQUIRE(!graze::collide(device, scene).colliding() && asked > 0);
    scene.set_filter(nullptr);
    REQUIRE(graze::collide(device, scene).colliding());
    grz_collision_box box = {};
    box.corner[0] = 5;
    const graze::mesh other(device, corners, cube_faces);
    REQUIRE(graze::in_object(box, other.at(grz_pose_from_translation(4, 0, 0))).corner[0] == 1);
}

void regions()
{
    const graze::device device;
    const graze::mesh cube(device, corners, cube_faces);
    const std::vector<grz_object> objects = {cube.at(), cube.at(grz_pose_from_translation(0, 0, -3))};
    const double from_above[4][4] = {{1, 0, 0, 0}, {0, -1, 0, 2}, {0, 0, -0.01, 0.5}, {0, 0, 0, 1}};
    const grz_region region = graze::region_of_pixels(from_above, 0.5, 0.5, 1.5, 0.75);
    const std::vector<grz_region_hit> hits = graze::pick_region(device, objects, region);
    const std::uint32_t names[2] = {7, 8};
    const grz_name_path paths[2] = {{&names[0], 1}, {&names[1], 1}};
    const std::vector<grz_region_record> records = graze::join_hits(device, hits, paths, 1);
    REQUIRE(records.size() == 2 && records[0].names[0] == 7 && records[1].names[0] == 8);
    REQUIRE(records[0].hit_count + records[1].hit_count == hits.size());
}

} // namespace

int main()
{
    return run(distances, motions, turning_and_deforming, depths, meshes_and_bounds, scenes, regions);
}
