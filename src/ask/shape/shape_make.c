// SPDX-License-Identifier: MIT
// Making shapes.
#include <graze/shape.h>

#include <stddef.h>
#include <string.h>

// A shape of up to three points; none of them NULL, else there is no shape.
static grz_shape of_points(grz_shape_kind kind, const double *p, const double *q, const double *r, int count)
{
    const double *const points[3] = {p, q, r};
    grz_shape shape = {.kind = kind, .pose = grz_pose_identity()};
    for (int i = 0; i < count; i++) {
        if (points[i] == NULL)
            return (grz_shape){.kind = GRZ_SHAPE_NONE};
        memcpy(shape.corners[i], points[i], sizeof shape.corners[i]);
    }
    return shape;
}

static grz_shape of_half(grz_shape_kind kind, const double centre[3], const double x, double y, double z)
{
    if (centre == NULL)
        return (grz_shape){.kind = GRZ_SHAPE_NONE};
    return (grz_shape){
        .kind = kind, .pose = grz_pose_from_translation(centre[0], centre[1], centre[2]), .half = {x, y, z}};
}

grz_shape grz_shape_point(const double point[3])
{
    return of_points(GRZ_SHAPE_POINT, point, NULL, NULL, 1);
}

grz_shape grz_shape_segment(const double p[3], const double q[3])
{
    return of_points(GRZ_SHAPE_SEGMENT, p, q, NULL, 2);
}

grz_shape grz_shape_triangle(const double p[3], const double q[3], const double r[3])
{
    return of_points(GRZ_SHAPE_TRIANGLE, p, q, r, 3);
}

grz_shape grz_shape_ray(const double origin[3], const double direction[3])
{
    return of_points(GRZ_SHAPE_RAY, origin, direction, NULL, 2);
}

grz_shape grz_shape_line(const double point[3], const double direction[3])
{
    return of_points(GRZ_SHAPE_LINE, point, direction, NULL, 2);
}

grz_shape grz_shape_sphere(const double centre[3], double radius)
{
    grz_shape shape = grz_shape_point(centre);
    shape.radius = radius;
    return shape;
}

grz_shape grz_shape_capsule(const double p[3], const double q[3], double radius)
{
    grz_shape shape = grz_shape_segment(p, q);
    shape.radius = radius;
    return shape;
}

grz_shape grz_shape_box(const double centre[3], const double half[3])
{
    return half != NULL ? of_half(GRZ_SHAPE_BOX, centre, half[0], half[1], half[2])
                        : (grz_shape){.kind = GRZ_SHAPE_NONE};
}

grz_shape grz_shape_box_at(grz_pose pose, const double half[3])
{
    if (half == NULL)
        return (grz_shape){.kind = GRZ_SHAPE_NONE};
    return (grz_shape){.kind = GRZ_SHAPE_BOX, .pose = pose, .half = {half[0], half[1], half[2]}};
}

grz_shape grz_shape_cylinder(const double centre[3], double radius, double half_height)
{
    return of_half(GRZ_SHAPE_CYLINDER, centre, radius, radius, half_height);
}

grz_shape grz_shape_cone(const double centre[3], double radius, double half_height)
{
    return of_half(GRZ_SHAPE_CONE, centre, radius, radius, half_height);
}

grz_shape grz_shape_ellipsoid(const double centre[3], const double half[3])
{
    return half != NULL ? of_half(GRZ_SHAPE_ELLIPSOID, centre, half[0], half[1], half[2])
                        : (grz_shape){.kind = GRZ_SHAPE_NONE};
}

grz_shape grz_shape_hull(const double *points, uint64_t point_count)
{
    if (points == NULL)
        return (grz_shape){.kind = GRZ_SHAPE_NONE};
    return (grz_shape){
        .kind = GRZ_SHAPE_HULL, .pose = grz_pose_identity(), .points = points, .point_count = point_count};
}
