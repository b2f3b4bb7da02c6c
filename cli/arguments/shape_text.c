// SPDX-License-Identifier: MIT
#include "arguments/shape_text.h"

#include "arguments/nearest.h"
#include "arguments/numbers.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_NUMBERS = 9
};

static grz_shape make_point(const double *n)
{
    return grz_shape_point(n);
}

static grz_shape make_segment(const double *n)
{
    return grz_shape_segment(n, n + 3);
}

static grz_shape make_triangle(const double *n)
{
    return grz_shape_triangle(n, n + 3, n + 6);
}

static grz_shape make_ray(const double *n)
{
    return grz_shape_ray(n, n + 3);
}

static grz_shape make_line(const double *n)
{
    return grz_shape_line(n, n + 3);
}

static grz_shape make_sphere(const double *n)
{
    return grz_shape_sphere(n, n[3]);
}

static grz_shape make_capsule(const double *n)
{
    return grz_shape_capsule(n, n + 3, n[6]);
}

static grz_shape make_box(const double *n)
{
    return grz_shape_box(n, n + 3);
}

static grz_shape make_cylinder(const double *n)
{
    return grz_shape_cylinder(n, n[3], n[4]);
}

static grz_shape make_cone(const double *n)
{
    return grz_shape_cone(n, n[3], n[4]);
}

static grz_shape make_ellipsoid(const double *n)
{
    return grz_shape_ellipsoid(n, n + 3);
}

static const struct {
    const char *name, *form;
    size_t numbers;
    size_t first_size; // from this number on they are radii or half widths, 0 or above
    grz_shape (*make)(const double *numbers);
} kinds[] = {
    {"point", "point:x,y,z", 3, 3, make_point},
    {"segment", "segment:x,y,z,x,y,z", 6, 6, make_segment},
    {"triangle", "triangle:x,y,z,x,y,z,x,y,z", 9, 9, make_triangle},
    {"ray", "ray:ox,oy,oz,dx,dy,dz", 6, 6, make_ray},
    {"line", "line:ox,oy,oz,dx,dy,dz", 6, 6, make_line},
    {"sphere", "sphere:x,y,z,r", 4, 3, make_sphere},
    {"capsule", "capsule:x,y,z,x,y,z,r", 7, 6, make_capsule},
    {"box", "box:x,y,z,hx,hy,hz", 6, 3, make_box},
    {"cylinder", "cylinder:x,y,z,r,h", 5, 3, make_cylinder},
    {"cone", "cone:x,y,z,r,h", 5, 3, make_cone},
    {"ellipsoid", "ellipsoid:x,y,z,a,b,c", 6, 3, make_ellipsoid},
};

enum {
    KIND_COUNT = sizeof kinds / sizeof kinds[0]
};

// The kind that the text names: KIND_COUNT if none.
static size_t find_kind(const char *text, char reason[SHAPE_REASON_SIZE])
{
    char name[NEAREST_LONGEST] = "";
    const size_t length = strcspn(text, ":");
    if (length < sizeof name)
        memcpy(name, text, length);
    nearest near = nearest_begin(name);
    for (size_t k = 0; k < KIND_COUNT; k++) {
        if (strcmp(kinds[k].name, name) == 0)
            return k;
        nearest_try(&near, kinds[k].name);
    }
    if (near.best != NULL)
        (void)snprintf(reason, SHAPE_REASON_SIZE, "unknown kind of shape; did you mean %s?", near.best);
    else
        (void)snprintf(reason, SHAPE_REASON_SIZE,
                       "must begin with point:, segment:, triangle:, ray:, line:, sphere:, capsule:, box:, cylinder:, "
                       "cone: or ellipsoid:");
    return KIND_COUNT;
}

const char *shape_read(const char *text, grz_shape *out, char reason[SHAPE_REASON_SIZE])
{
    double n[MOST_NUMBERS];
    const size_t k = find_kind(text, reason);

    if (k == KIND_COUNT)
        return NULL;
    const char *colon = strchr(text, ':');
    if (colon == NULL || numbers_read(colon + 1, n, MOST_NUMBERS) != kinds[k].numbers) {
        (void)snprintf(reason, SHAPE_REASON_SIZE, "must be %s, finite numbers with commas and no spaces",
                       kinds[k].form);
        return NULL;
    }
    for (size_t i = kinds[k].first_size; i < kinds[k].numbers; i++)
        if (n[i] < 0.0) {
            (void)snprintf(reason, SHAPE_REASON_SIZE, "%s: the last %s must be 0 or above", kinds[k].form,
                           kinds[k].numbers - kinds[k].first_size == 1   ? "number"
                           : kinds[k].numbers - kinds[k].first_size == 2 ? "two numbers"
                                                                         : "three numbers");
            return NULL;
        }
    *out = kinds[k].make(n);
    if ((out->kind == GRZ_SHAPE_RAY || out->kind == GRZ_SHAPE_LINE) && n[3] == 0.0 && n[4] == 0.0 && n[5] == 0.0) {
        (void)snprintf(reason, SHAPE_REASON_SIZE, "no direction: the last three numbers are 0");
        return NULL;
    }
    return kinds[k].name;
}
