// SPDX-License-Identifier: MIT
// A user's program, in C99: two triangles in one plane. scripts/test-install builds it with every form of the installed
// library, and compares its output. It also checks that headers and library have the same version, and that linking the
// library does not change the program's arithmetic: a library linked with -ffast-math would flush small numbers to
// zero.

#include <graze/graze.h>

#include <float.h>
#include <stdio.h>
#include <string.h>

static int small_numbers_survive(void)
{
    volatile double smallest = DBL_MIN;
    return smallest / 2 > 0;
}

int main(void)
{
    const double corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    grz_mesh_description description = grz_default_mesh_description();
    grz_device *device = NULL;
    grz_mesh *mesh = NULL;
    grz_result *result = NULL;
    grz_error error = {GRZ_OK, GRZ_NO_ELEMENT, ""};
    char version[40];
    int status = 1;

    snprintf(version, sizeof version, "%d.%d.%d", GRZ_VERSION_MAJOR, GRZ_VERSION_MINOR, GRZ_VERSION_PATCH);
    if (strcmp(version, grz_version()) != 0) {
        fprintf(stderr, "headers %s, library %s\n", version, grz_version());
        return 1;
    }
    if (!small_numbers_survive()) {
        fprintf(stderr, "subnormal numbers are flushed to zero\n");
        return 1;
    }
    description.positions = corners;
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = 3;
    description.face_count = 1;
    if (grz_device_open(NULL, &device, &error) == GRZ_OK &&
        grz_mesh_create(device, &description, &mesh, &error) == GRZ_OK &&
        grz_result_create(device, &result, &error) == GRZ_OK) {
        grz_object a = grz_object_at_origin(mesh), b = a;
        b.pose = grz_pose_from_translation(0.25, 0.25, 0.0);
        if (grz_collide(device, &a, &b, NULL, result, &error) == GRZ_OK) {
            const grz_summary *summary = grz_result_summary(result);
            printf("%lu touching pairs, %lu of them coplanar\n", (unsigned long)summary->pair_count,
                   (unsigned long)summary->kinds[GRZ_COPLANAR]);
            status = 0;
        }
    }
    if (status != 0)
        fprintf(stderr, "%s: %s\n", grz_status_name(error.code), error.message);
    grz_result_destroy(result);
    grz_mesh_destroy(mesh);
    grz_device_close(device);
    return status;
}
