// SPDX-License-Identifier: MIT
// The camera of a picture: perspective, 30 degrees from bottom to top, far enough away for its ball to fill the picture.
#include <math.h>

#include "image/picture.h"

static const double half_angle = 0.2617993877991494; // 15 degrees

void grz_camera_right(const grz_camera *camera, double right[3])
{
    const double *forward = camera->direction, *up = camera->up;
    for (int i = 0; i < 3; i++)
        right[i] = forward[(i + 1) % 3] * up[(i + 2) % 3] - forward[(i + 2) % 3] * up[(i + 1) % 3];
}

void grz_camera_matrix(const grz_camera *camera, double clip[4][4])
{
    const double *forward = camera->direction, *up = camera->up;
    double right[3];
    grz_camera_right(camera, right);
    const double narrow = camera->aspect < 1.0 ? camera->aspect : 1.0;
    const double slope = tan(half_angle), distance = 1.0 / (sin(half_angle) * narrow), reach = camera->reach / camera->radius;
    const double far = distance + reach, least = 0.02 * distance;
    const double near = distance - reach > least ? distance - reach : least;
    const double depth = far / (far - near);
    for (int j = 0; j < 3; j++) { // in radii, whatever the scale of the world is
        clip[0][j] = right[j] / camera->radius / (slope * camera->aspect);
        clip[1][j] = up[j] / camera->radius / slope;
        clip[2][j] = forward[j] / camera->radius * depth;
        clip[3][j] = forward[j] / camera->radius;
    }
    clip[0][3] = clip[1][3] = 0.0;
    clip[2][3] = (distance - near) * depth;
    clip[3][3] = distance;
}
