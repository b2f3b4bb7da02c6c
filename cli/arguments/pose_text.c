// SPDX-License-Identifier: MIT
// Reads tx,ty,tz and tx,ty,tz,qx,qy,qz,qw.
#include "arguments/pose_text.h"

#include "arguments/numbers.h"

const char *pose_read(const char *text, grz_pose *pose, grz_error *reason)
{
    double n[7];
    const size_t count = numbers_read(text, n, 7);

    if (count == 3)
        *pose = grz_pose_from_translation(n[0], n[1], n[2]);
    else if (count != 7)
        return "must be tx,ty,tz or tx,ty,tz,qx,qy,qz,qw, finite numbers with commas and no spaces";
    else if (grz_pose_from_quaternion(n, n + 3, pose, reason) != GRZ_OK)
        return reason->message;
    return NULL;
}
