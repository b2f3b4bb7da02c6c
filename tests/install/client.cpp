// SPDX-License-Identifier: MIT
// A user's program, in C++11: as client.c, with smart pointers, and a call that fails.

#include <graze/graze.h>

#include <cstring>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

static void demand(grz_status status, const grz_error &error)
{
    if (status != GRZ_OK)
        throw std::runtime_error(std::string(grz_status_name(status)) + ": " + error.message);
}

static void run()
{
    grz_error error;
    grz_device *opened = nullptr;
    demand(grz_device_open(nullptr, &opened, &error), error);
    std::unique_ptr<grz_device, decltype(&grz_device_close)> device(opened, grz_device_close);

    std::vector<float> corners = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    grz_mesh_description description = grz_default_mesh_description();
    description.positions = corners.data();
    description.vertex_count = corners.size() / 3;
    description.face_count = 1;
    grz_mesh *made = nullptr;
    demand(grz_mesh_create(device.get(), &description, &made, &error), error);
    std::unique_ptr<grz_mesh, decltype(&grz_mesh_destroy)> mesh(made, grz_mesh_destroy);

    grz_result *empty = nullptr;
    demand(grz_result_create(device.get(), &empty, &error), error);
    std::unique_ptr<grz_result, decltype(&grz_result_destroy)> result(empty, grz_result_destroy);

    grz_object a = grz_object_at_origin(mesh.get()), b = a;
    b.pose = grz_pose_from_translation(0.25, 0.25, 0.0);
    demand(grz_collide(device.get(), &a, &b, nullptr, result.get(), &error), error);
    const grz_summary *summary = grz_result_summary(result.get());
    std::cout << summary->pair_count << " touching pairs, " << summary->kinds[GRZ_COPLANAR] << " of them coplanar\n";

    description.face_count = 0;
    grz_mesh *none = nullptr;
    if (grz_mesh_create(device.get(), &description, &none, &error) != GRZ_ERROR_MESH || none != nullptr ||
        std::strlen(error.message) == 0)
        throw std::runtime_error("a mesh without faces was not refused");
}

int main()
{
    try {
        run();
    } catch (const std::exception &failure) {
        std::cerr << failure.what() << "\n";
        return 1;
    }
    return 0;
}
