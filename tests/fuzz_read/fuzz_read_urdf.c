// SPDX-License-Identifier: MIT
// Fuzzes the reader of URDF and what places its links: the input is the file. It is refused with a message, or is a
// tree whose links stand at places, each joint's parent before its child. The same bytes as SRDF: refused or read.
#include "fuzz_input.h"

#include <graze/io_robot.h>

#include <stdlib.h>
#include <string.h>

static void require_tree(const grz_io_robot *r)
{
    bool *placed = calloc(r->link_count, sizeof *placed);
    FUZZ_REQUIRE(placed != NULL);
    for (size_t i = 0; i < r->link_count; i++) {
        const size_t link = r->order[i], above = r->links[link].joint;
        FUZZ_REQUIRE(link < r->link_count && !placed[link]);
        FUZZ_REQUIRE((i == 0) == (above == GRZ_IO_NONE));
        if (above != GRZ_IO_NONE)
            FUZZ_REQUIRE(r->joints[above].child == link && placed[r->joints[above].parent]);
        placed[link] = true;
    }
    free(placed);
}

static void require_shapes(const grz_io_robot *r)
{
    for (size_t i = 0; i < r->collision_count; i++) {
        const grz_io_collision *shape = &r->collisions[i];
        FUZZ_REQUIRE(shape->link < r->link_count && (shape->kind == GRZ_IO_SHAPE_MESH) == (shape->mesh != NULL));
        grz_io_model *model;
        if (shape->kind != GRZ_IO_SHAPE_MESH && i < 3) {
            FUZZ_REQUIRE(grz_io_shape_model(shape, NULL, &model, NULL) == GRZ_OK);
            grz_io_model_destroy(model);
        }
    }
}

static void read_rules(const uint8_t *data, size_t size)
{
    grz_error error = {.message = ""};
    grz_io_srdf *srdf;
    if (grz_io_srdf_load_memory("a.srdf", data, size, NULL, &srdf, &error) != GRZ_OK)
        FUZZ_REQUIRE(error.message[0] != '\0' && srdf == NULL);
    for (size_t i = 0; srdf != NULL && i < srdf->disabled_count; i++)
        FUZZ_REQUIRE(srdf->disabled[i].link1 != NULL && srdf->disabled[i].link2 != NULL);
    grz_io_srdf_destroy(srdf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    grz_error error = {.message = ""};
    grz_io_robot *r;
    read_rules(data, size);
    if (grz_io_robot_load_memory("a.urdf", data, size, NULL, &r, &error) != GRZ_OK) {
        FUZZ_REQUIRE(error.message[0] != '\0' && r == NULL);
        return 0;
    }
    require_tree(r);
    require_shapes(r);
    double *values = calloc(r->joint_count + 1, sizeof *values);
    grz_io_frame *frames = calloc(r->link_count, sizeof *frames);
    FUZZ_REQUIRE(values != NULL && frames != NULL);
    for (size_t i = 0; i < r->joint_count; i++)
        values[i] = (double)i - 1;
    FUZZ_REQUIRE(grz_io_robot_place(r, values, frames, NULL) == GRZ_OK);
    free(values);
    free(frames);
    grz_io_robot_destroy(r);
    return 0;
}
