// SPDX-License-Identifier: MIT
// How one collision shape of a robot moves while joints move evenly: the joints between it and a link above it, in
// whose frame it is looked at; and bounds of that motion.
#ifndef GRZ_CLI_SWEEP_CHAIN_H
#define GRZ_CLI_SWEEP_CHAIN_H

#include <graze/io_robot.h>

#include <graze/graze.h>

// A joint that moves.
typedef struct chain_joint {
    grz_io_frame before; // from the joint before it, moved, to this one
    double axis[3];      // in its own frame
    bool turns;          // else it shifts
    double from, to;     // radians or metres
    double reach;        // of one that turns: how far points of the shape are from its axis, at most
} chain_joint;

typedef struct chain {
    chain_joint *joints;
    size_t count;
    grz_io_frame last; // from the last of them to the shape
    double scale[3];   // of its mesh
    double acceleration, error;
} chain;

// The joints of a robot: their values where the motion begins and ends, and who looks.
typedef struct chain_view {
    const grz_io_robot *robot;
    const double *from, *to; // of all joints, those that follow others included
    size_t above;            // the link in whose frame the shape is looked at
} chain_view;

// The lowest link that both are on or below.
size_t chain_common_link(const grz_io_robot *robot, size_t a, size_t b);

// Make the chain of a shape. False without memory.
bool chain_make(chain *out, const chain_view *view, const grz_io_collision *shape, const grz_mesh *mesh);

// As a motion; the chain must outlive it.
grz_motion chain_motion(const chain *c);

void chain_finish(chain *c);

#endif
