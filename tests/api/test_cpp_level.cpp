// SPDX-License-Identifier: MIT
// <graze/level.hpp> and <graze/solids.hpp>: each wrapper is called with a known answer; handles are moved and destroyed
// in any order.
#include "cpp_checks.hpp"

#include <type_traits>

namespace
{

static_assert(std::is_nothrow_move_constructible_v<graze::portals> && !std::is_copy_constructible_v<graze::portals>);
static_assert(std::is_nothrow_move_assignable_v<graze::portals_tracker>);
static_assert(std::is_copy_constructible_v<graze::hull> && !std::is_copy_constructible_v<graze::projections>);

void movers()
{
    const graze::device device;
    const graze::mesh floor(device, floor_corners, floor_faces);
    const std::vector<grz_object> level = {floor.at()};
    const double middle[3] = {0, 0, 0}, position[3] = {0, 0, 3}, displacement[3] = {0, 0, -5};
    const grz_mover_answer answer =
        graze::mover_step(device, level, grz_shape_sphere(middle, 1), position, displacement);
    REQUIRE(answer.outcome != GRZ_MOVER_FREE && answer.position[2] >= 1 && answer.position[2] < 1.1);
    REQUIRE(graze::mover_step(device, {}, grz_shape_sphere(middle, 1), position, displacement).outcome ==
            GRZ_MOVER_FREE);
}

void flights()
{
    const graze::device device;
    const graze::mesh floor(device, floor_corners, floor_faces);
    const std::vector<grz_object> level = {floor.at()};
    const double start[3] = {0, 0, 5}, velocity[3] = {0, 0, -2}, none[3] = {0, 0, 0};
    grz_flight_options options = grz_default_flight_options();
    options.radius = 1;
    grz_flight flight = grz_flight_from(start, velocity, 0);
    const std::vector<grz_bounce> bounces = graze::flight_advance(device, level, options, 4, flight, 8);
    REQUIRE(bounces.size() == 1 && bounces[0].time > 1.9 && bounces[0].time <= 2 && flight.now == 4);
    REQUIRE(graze::flight_velocity(flight, none)[2] == 2);
    const std::vector<grz_flight_visit> visits = graze::flight_objects(level, start, velocity, none, 4, 1);
    REQUIRE(visits.size() == 1 && visits[0].enter > 1.9 && visits[0].enter <= 2);
    REQUIRE(graze::flight_objects(level, start, velocity, none, 1, 1).empty());
    // The floor comes up by 2 units a second.
    const grz_flight_motion up =
        graze::flight_motion_between(level[0].pose, grz_pose_from_translation(0, 0, 1), 0, 0.5);
    REQUIRE(up.velocity[2] == 2 && graze::flight_pose(level[0], up, 3).m[2][3] == 6);
    options.motions = &up;
    flight = grz_flight_from(start, velocity, 0);
    const std::vector<grz_bounce> earlier = graze::flight_advance(device, level, options, 4, flight, 8);
    REQUIRE(earlier.size() == 1 && earlier[0].time > 0.9 && earlier[0].time <= 1 && earlier[0].after[2] == 6);
}

void footsteps()
{
    const graze::device device;
    const graze::mesh floor(device, floor_corners, floor_faces), foot(device, corners, cube_faces);
    const std::vector<grz_object> floors = {floor.at()};
    const std::vector<grz_object> feet = {foot.at(grz_pose_from_translation(0, 0, -0.25)),
                                          foot.at(grz_pose_from_translation(0, 0, 0.25))};
    grz_footsteps_options options = grz_default_footsteps_options();
    options.reach = 1;
    const std::vector<grz_footstep> steps = graze::footsteps_correct(device, feet, floors, options);
    REQUIRE(steps.size() == 2 && near(steps[0].lift, 0.25) && near(steps[1].lift, -0.25) && steps[1].correction == 0);
}

void levels()
{
    const graze::device device;
    const graze::mesh room(device, corners, cube_faces);
    graze::portals level(device, room.at());
    REQUIRE(level.examine().cells >= 2 && level.cell(0) && !level.cell(100000) && !level.portal(100000));
    const graze::mesh small(device, std::vector<double>{0.9, 0.9, 0.9, 1.1, 0.9, 0.9, 0.9, 1.1, 0.9, 0.9, 0.9, 1.1},
                            std::vector<std::uint32_t>{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3});
    const std::uint32_t number = level.add(small.at());
    level.rest();
    level.move(number, grz_pose_from_translation(0.25, 0, 0));
    graze::portals_tracker first(level), tracker(level);
    tracker = std::move(first);
    const double point[3] = {0.5, 0.5, 0.5}, low[3] = {0.25, 0.25, 0.25}, high[3] = {0.75, 0.75, 0.75};
    const grz_portals_place place = tracker.track(point, low, high);
    REQUIRE(place.count == 1 && place.teleported);
    level.remove(number);
    REQUIRE(thrown_by([&] { level.remove(number); }).code() == GRZ_ERROR_ARGUMENT);
    const double middle[3] = {0, 0, 0}, displacement[3] = {0, 0, 9};
    { // the tracker keeps the level
        const graze::portals gone = std::move(level);
    }
    grz_portals_place cells;
    const grz_mover_answer step =
        tracker.step(grz_shape_sphere(middle, 0.25), point, displacement, grz_default_mover_options(), &cells);
    REQUIRE(step.position[2] > 1.5 && step.position[2] <= 1.75 && cells.count >= 1);
    // Two rooms in a row along x; the wall between them is a door of two triangles, the first two faces.
    std::vector<double> rings;
    std::vector<std::uint32_t> faces = {4, 5, 6, 4, 6, 7, 0, 2, 1, 0, 3, 2, 8, 9, 10, 8, 10, 11};
    for (const double x : {0.0, 2.0, 4.0})
        rings.insert(rings.end(), {x, 0, 0, x, 2, 0, x, 2, 2, x, 0, 2});
    for (const std::uint32_t ring : {0U, 4U})
        for (std::uint32_t i = 0; i < 4; i++) {
            const std::uint32_t p = ring + i, q = ring + (i + 1) % 4;
            faces.insert(faces.end(), {p, q, q + 4, p, q + 4, p + 4});
        }
    const graze::mesh rooms(device, rings, faces);
    const std::vector<std::uint32_t> doors = {0, 1};
    const graze::portals halves(device, rooms.at(), doors);
    REQUIRE(halves.examine().portals == 2 && halves.examine().cells == 3 && halves.portal(1)->face == 1);
    graze::portals_tracker in_door(halves);
    const double door[3] = {2, 1.5, 1}, door_low[3] = {1.75, 1.25, 0.75}, door_high[3] = {2.25, 1.75, 1.25};
    REQUIRE(in_door.track(door, door_low, door_high).count == 2);
    const grz_portals_straddle straddle = in_door.straddled(grz_shape_sphere(middle, 0.25), door);
    REQUIRE(straddle.count == 1 && straddle.undecided == 0);
    REQUIRE(halves.polygon(1, 0)->count == 3 && halves.polygon(1, 0)->off == 0 && !halves.polygon(1, 1));
    grz_portals_options of_tree = grz_default_portals_options(); // the same doors, and a tree
    of_tree.marks = doors.data();
    of_tree.mark_count = doors.size();
    const graze::portals by_tree(device, rooms.at(), of_tree);
    REQUIRE(by_tree.examine().cells == 3 && by_tree.examine().portals == 2 && by_tree.portal(1)->face == 1);
    REQUIRE(by_tree.portal(0)->cells[0] != by_tree.portal(0)->cells[1] && by_tree.polygon(0, 0));
}

void hulls()
{
    const graze::device device;
    std::vector<double> points = corners;
    points.insert(points.end(), {1, 1, 1});
    const graze::hull hull(device, points);
    REQUIRE(hull.dimension() == 3 && hull.vertex_count() == 8 && hull.face_count() == 6);
    REQUIRE(hull.vertices().size() == 24 && hull.points().size() == 8 && hull.triangles().size() == 36);
    REQUIRE(hull.face(0).size() == 4 && hull.face(6).empty() && near(hull.volume(), 8));
    const graze::mesh cube = hull.to_mesh();
    REQUIRE(cube.closed() && cube.face_count() == 6 && graze::hull(cube).face_count() == 6);
    REQUIRE(near(graze::fit_sphere(hull).shape.radius, std::sqrt(3.0)));
    REQUIRE(graze::fit_capsule(hull).ratio >= 1 && near(graze::fit_oriented_box(hull).ratio, 1));
    REQUIRE(near(graze::fit_box(hull).ratio, 1) && near(graze::fit_box(hull).shape.half[0], 1));
    REQUIRE(near(graze::fit_cylinder(hull).shape.half[0], std::sqrt(2.0)));
    REQUIRE(std::fabs(graze::fit_ellipsoid(hull).shape.half[2] - std::sqrt(3.0)) < 1e-6);
    const std::vector<double> above = {1, 1, 5}, up = {0, 0, 1};
    const grz_object placed = grz_object_at_origin(cube.get());
    REQUIRE(graze::fit_map_points(device, placed, above, up)[0].distance == 3);
    REQUIRE(!graze::fit_map_points(device, placed, above, {})[0].along_normal);
    const grz_fitted_dop dop = graze::fit_dop(hull, 6);
    REQUIRE(dop.count == 3 && dop.min[0] == 0 && dop.max[2] == 2);
    REQUIRE(graze::hull(device, dop).face_count() == 6);
    points.pop_back();
    REQUIRE(thrown_by([&] { graze::hull bad(device, points); }).code() == GRZ_ERROR_ARGUMENT);
}

void parts()
{
    const graze::device device;
    const graze::mesh cube(device, corners, cube_faces);
    std::vector<graze::hull> kept;
    {
        const graze::convex_parts parts(cube);
        REQUIRE(parts.size() == 1 && parts.rounding() >= 0 && !parts.error_of(7));
        kept.push_back(parts.part(0));
        REQUIRE(thrown_by([&] { parts.part(1); }).code() == GRZ_ERROR_ARGUMENT);
    }
    REQUIRE(near(kept[0].volume(), 8)); // the hull keeps its parts alive
    const graze::convex_parts cover(cube, grz_default_convex_cover_options());
    REQUIRE(cover.size() == 1 && cover.error_of(0) && (*cover.error_of(0))[0] <= (*cover.error_of(0))[1]);
}

void shells()
{
    const graze::device device;
    std::vector<double> both(std::begin(corners), std::end(corners));
    std::vector<std::uint32_t> faces(std::begin(cube_faces), std::end(cube_faces));
    for (const double x : corners)
        both.push_back(x + 5);
    for (const std::uint32_t v : cube_faces)
        faces.push_back(v + 8);
    const graze::mesh mesh(device, both, faces);
    graze::mesh_shells found(mesh);
    REQUIRE(found.size() == 2 && found.part_count() == 2 && found.of_faces().size() == 24 && found.of_faces()[12] == 1);
    REQUIRE(found.describe(1) && found.describe(1)->first_face == 12 && found.describe(1)->closed &&
            !found.describe(2));
    REQUIRE(found.part_faces(1).size() == 12 && found.part_faces(1)[0] == 12 && found.part_faces(2).empty());
    REQUIRE(found.cut(mesh, 1).positions()[0] >= 5);
    REQUIRE(thrown_by([&] { found.cut(mesh, 2); }).code() == GRZ_ERROR_ARGUMENT);
    const volatile int cancel = 1;
    grz_mesh_shells_options options = grz_default_mesh_shells_options();
    options.limits.cancel = &cancel;
    REQUIRE(thrown_by([&] { graze::mesh_shells late(mesh, options); }).code() == GRZ_ERROR_CANCELLED);
}

void directions()
{
    const graze::device device;
    const graze::mesh cube(device, corners, cube_faces);
    grz_projections_options options = grz_default_projections_options();
    options.cells = 16;
    options.candidates = 16;
    const graze::projections found(device, cube, options);
    REQUIRE(found.summary().parts >= 1 && found.summary().directions >= 1);
    REQUIRE(found.part(0) && !found.part(1000) && found.pose(0) && !found.pose(1));
    REQUIRE(found.positions(0, cube).size() == 3 * found.part(0)->vertex_count);
    grz_heightmap_options map = grz_default_heightmap_options();
    REQUIRE(found.set_heightmap(0, 0, map) && map.has_direction && !found.set_heightmap(0, 1000, map));
    const grz_mesh *const poses[2] = {cube.get(), cube.get()};
    REQUIRE(graze::projections(device, poses, options).pose(1));
    REQUIRE(thrown_by([&] { found.positions(1000, cube); }).code() == GRZ_ERROR_ARGUMENT);
}

} // namespace

int main()
{
    return run(movers, flights, footsteps, levels, hulls, parts, shells, directions);
}
