// SPDX-License-Identifier: MIT
// Fuzzes the reader of URDF and what places its links: the input is the file. It is refused with a message, or is a
// tree whose links stand at places, each joint's parent before its child.
#include "fuzz_input.h"
#include "robot/robot.h"

#include <stdlib.h>
#include <string.h>

static void require_tree(const robot_model *r)
{
    bool *placed = calloc(r->link_count, sizeof *placed);
    FUZZ_REQUIRE(placed != NULL);
    for (size_t i = 0; i < r->link_count; i++) {
        const size_t link = r->order[i], above = r->links[link].joint;
        FUZZ_REQUIRE(link < r->link_count && !placed[link]);
        FUZZ_REQUIRE((i == 0) == (above == ROBOT_NONE));
        if (above != ROBOT_NONE)
            FUZZ_REQUIRE(r->joints[above].child == link && placed[r->joints[above].parent]);
        placed[link] = true;
    }
    free(placed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char message[400] = "";
    robot_model r;
    if (!robot_read(data, size, &r, message, sizeof message)) {
        FUZZ_REQUIRE(message[0] != '\0' && r.tree == NULL);
        return 0;
    }
    require_tree(&r);
    double *values = calloc(r.joint_count + 1, sizeof *values);
    robot_frame *frames = calloc(r.link_count, sizeof *frames);
    FUZZ_REQUIRE(values != NULL && frames != NULL);
    for (size_t i = 0; i < r.joint_count; i++)
        values[i] = (double)i - 1;
    robot_place(&r, values, frames);
    free(values);
    free(frames);
    robot_finish(&r);
    return 0;
}
