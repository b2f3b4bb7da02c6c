// SPDX-License-Identifier: MIT
// <graze/gl.hpp>, and what of <graze/graze.hpp> needs OpenGL: each wrapper is called with a known answer.
#include "cpp_checks.hpp"

#include <type_traits>

#include <graze/gl.hpp>

namespace
{

static_assert(!std::is_copy_constructible_v<graze::capture> && std::is_nothrow_move_assignable_v<graze::capture>);
static_assert(!std::is_copy_constructible_v<graze::heightmap> && !std::is_copy_constructible_v<graze::particle_map>);

// A camera above that looks down the z axis: 1 pixel is 1 unit, and z from -1 to 9 is depth from 1 to 0.
const double from_above[4][4] = {{1, 0, 0, 0}, {0, -1, 0, 2}, {0, 0, -0.1, 0.9}, {0, 0, 0, 1}};

grz_status give_up(void *user, grz_capture *)
{
    *static_cast<bool *>(user) = true;
    return GRZ_ERROR_CANCELLED;
}

// Buffers of OpenGL are made by the caller; here there are none, so that what comes back is the refusal.
void buffers(const graze::device &device)
{
    grz_gl_mesh_description description = grz_default_gl_mesh_description();
    description.vertex_count = 3;
    description.triangle_count = 1;
    REQUIRE(thrown_by([&] { graze::mesh_in_buffers(device, description); }).code() == GRZ_ERROR_ARGUMENT);
    graze::mesh cube(device, corners, cube_faces);
    REQUIRE(thrown_by([&] { graze::buffers_changed(cube); }).code() == GRZ_ERROR_ARGUMENT);
    bool called = false;
    graze::capture capture(device);
    REQUIRE(thrown_by([&] { capture.draw(give_up, &called); }).code() == GRZ_ERROR_CANCELLED && called);
    REQUIRE(capture.triangle_count() == 0 && capture.borrowed_mesh() == nullptr && capture.at().mesh == nullptr);
}

void environments(const graze::device &device)
{
    const graze::mesh cube(device, corners, cube_faces), floor(device, floor_corners, floor_faces);
    const grz_object floors[1] = {floor.at()};
    grz_environment around = grz_default_environment();
    around.objects = floors;
    around.object_count = 1;
    around.contacts = true;
    grz_heightmap_options options = grz_default_heightmap_options();
    options.resolution = 16;
    options.has_direction = true;
    options.direction[0] = options.direction[1] = 0;
    options.direction[2] = -1;
    graze::heightmap map(device, cube, options);
    REQUIRE(!map.images() && map.contacts().empty());
    REQUIRE(!map.collide(cube.at(grz_pose_from_translation(0, 0, 1)), around).colliding);
    const grz_heightmap_answer hit = map.collide(cube.at(grz_pose_from_translation(0, 0, -1)), around);
    REQUIRE(hit.colliding && hit.hits > 0 && map.contacts().size() == hit.hits && map.images());

    grz_particle_map_options box = grz_default_particle_map_options();
    box.resolution = 32;
    box.half[0] = box.half[1] = box.half[2] = 4;
    box.direction[2] = -1;
    graze::particle_map particles(device, box);
    particles.draw(around);
    REQUIRE(particles.buffers() && particles.overfull() == 0);
    float falling[8] = {0, 0, 1, 0, 0, 0, -2, 0};
    grz_particle_array array = {};
    array.memory = falling;
    array.count = 1;
    grz_particle_step step = grz_default_particle_step();
    step.seconds = 1;
    step.max_hits = 4;
    const grz_particle_answer answer = particles.step(array, step);
    REQUIRE(answer.moved == 1 && answer.hit == 1 && particles.hits().size() == 1 && falling[2] > 0);
}

void pictures(const graze::device &device)
{
    const graze::mesh cube(device, corners, cube_faces);
    const std::vector<grz_object> objects = {cube.at(), cube.at(grz_pose_from_translation(1, 1, 1))};
    REQUIRE(std::strlen(device.renderer().name) > 0);
    const std::vector<grz_pick_pixel> pixels = graze::pick_image(device, objects, from_above, 4, 2);
    REQUIRE(pixels.size() == 8 && pixels[3].object == GRZ_NO_OBJECT && pixels[4].object == 0);
    const grz_region region = graze::region_of_pixels(from_above, 0.25, 0.25, 1.75, 1.75);
    REQUIRE(graze::pick_region_gl(device, objects, region).size() ==
            graze::pick_region(device, objects, region).size());
    grz_picture_options options = grz_default_picture_options();
    options.width = 64;
    options.height = 48;
    const graze::result touching = graze::collide(device, objects[0], objects[1]);
    const graze::picture drawn = graze::draw_picture(device, objects, &touching, options);
    REQUIRE(drawn.width == 64 && drawn.pixels.size() == std::size_t(64) * 48 * 4 && drawn.pixels[3] == 255);
    options.has_direction = true;
    options.direction[0] = options.direction[1] = 0;
    options.direction[2] = -1;
    REQUIRE(near(graze::aim_picture(device, objects, options).direction[2], -1));
    REQUIRE(graze::draw_picture(device, objects, nullptr, options).view.visible == 0);
}

void volumes_and_paths(const graze::device &device)
{
    const graze::mesh cube(device, corners, cube_faces);
    const grz_layers_volume volume =
        graze::layers_overlap_volume(device, cube.at(), cube.at(grz_pose_from_translation(1, 0, 0)));
    REQUIRE(std::fabs(volume.volume - 4) < 0.2);
    const std::vector<grz_pose> still(3, grz_pose_identity());
    const std::vector<grz_pose> nearer = {grz_pose_from_translation(9, 0, 0), grz_pose_from_translation(5, 0, 0),
                                          grz_pose_from_translation(1, 0, 0)};
    const grz_slices_path_answer path = graze::slices_path(device, cube, still, cube, nearer);
    REQUIRE(path.crossing && path.first == 2);
    REQUIRE(thrown_by([&] { graze::slices_path(device, cube, still, cube, {}); }).code() == GRZ_ERROR_ARGUMENT);
}

} // namespace

int main()
{
    const std::optional<graze::device> device = device_with_gl();
    if (!device)
        return 77;
    return run([&] {
        buffers(*device);
        environments(*device);
        pictures(*device);
        volumes_and_paths(*device);
    });
}
