// SPDX-License-Identifier: MIT
// The camera of a picture: perspective. 30 degrees from bottom to top and so far away that its ball fills the picture; where that is
// among the objects, it stands outside of them all and has a longer lens instead.
#include <math.h>

#include "image/picture.h"

static const double half_angle = 0.2617993877991494; // 15 degrees

void grz_camera_right(const grz_camera *camera, double right[3])
{
    const double *forward = camera->direction, *up = camera->up;
    for (int i = 0; i < 3; i++)
        right[i] = forward[(i + 1) % 3] * up[(i + 2) % 3] - forward[(i + 2) % 3] * up[(i + 1) % 3];
}

void grz_camera_step_back(grz_camera *camera)
{
    const double narrow = camera->aspect < 1.0 ? camera->aspect : 1.0;
    const double usual = camera->radius / (sin(half_angle) * narrow), outside = 1.1 * camera->reach;
    camera->distance = usual > outside ? usual : outside;
    camera->slope = tan(asin(camera->radius / (camera->distance * narrow)));
}

void grz_camera_matrix(const grz_camera *camera, double clip[4][4])
{
    const double *forward = camera->direction, *up = camera->up;
    double right[3];
    grz_camera_right(camera, right);
    const double distance = camera->distance / camera->radius, reach = camera->reach / camera->radius;
    const double far = distance + reach, near = distance - reach, depth = far / (far - near);
    for (int j = 0; j < 3; j++) { // in radii, whatever the scale of the world is
        clip[0][j] = right[j] / camera->radius / (camera->slope * camera->aspect);
        clip[1][j] = up[j] / camera->radius / camera->slope;
        clip[2][j] = forward[j] / camera->radius * depth;
        clip[3][j] = forward[j] / camera->radius;
    }
    clip[0][3] = clip[1][3] = 0.0;
    clip[2][3] = (distance - near) * depth;
    clip[3][3] = distance;
}
