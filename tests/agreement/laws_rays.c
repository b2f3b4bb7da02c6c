// SPDX-License-Identifier: MIT
// Laws of rays: all structures, and all questions about one ray.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"

#include <graze/pick.h>

enum {
    RAYS = 6,
    MOST_HITS = 64
};

static const char *const structures[] = {"naive", "grid", "octree", "kdtree", "bsp", "obbtree", "kdop"};

// Any length, as long as nothing is lost; half of them as long as may be.
static void stretch(agree_source *source, double along[3])
{
    double longer[3];
    const double most = fmax(fmax(fabs(along[0]), fabs(along[1])), fabs(along[2]));
    const int by = agree_one_in(source, 2) ? 299 - ilogb(most) : 40 * agree_between(source, -25, 7);
    for (int k = 0; k < 3; k++) {
        longer[k] = ldexp(along[k], by);
        if (ldexp(longer[k], -by) != along[k] || fabs(longer[k]) > GRZ_MAX_COORDINATE)
            return;
    }
    memcpy(along, longer, sizeof longer);
}

// From a vertex, or beside one, towards another, or along small numbers.
static grz_ray draw_ray(const agree_situation *s, agree_source *source, double *worlds[2])
{
    double origin[3], along[3];
    const int from = (int)agree_below(source, 2), to = (int)agree_below(source, 2);
    const size_t v = agree_below(source, (uint32_t)s->bodies[from].mesh.vertex_count),
                 w = agree_below(source, (uint32_t)s->bodies[to].mesh.vertex_count);
    const double scale = ldexp(1.0, s->exponent);
    const bool beside = !agree_one_in(source, 3), aimed = agree_one_in(source, 2), near = agree_one_in(source, 3);
    for (int k = 0; k < 3; k++) {
        origin[k] = worlds[from][3 * v + (size_t)k] + (beside ? agree_between(source, -8, 8) * 0.5 * scale : 0.0);
        along[k] = agree_between(source, -3, 3) * (agree_one_in(source, 3) ? 0 : 1);
        if (aimed)
            along[k] = worlds[to][3 * w + (size_t)k] - origin[k] + (near ? 0.25 * agree_signed(source) * scale : 0.0);
    }
    if (along[0] == 0.0 && along[1] == 0.0 && along[2] == 0.0)
        along[agree_below(source, 3)] = 1.0;
    if (agree_one_in(source, 4))
        stretch(source, along);
    grz_ray ray = grz_ray_along(origin, along);
    if (agree_one_in(source, 3))
        ray.to = 1.0;
    return ray;
}

static bool same_hit(const grz_ray_hit *x, const grz_ray_hit *y)
{
    return x->t == y->t && x->lower == y->lower && x->upper == y->upper && x->distance == y->distance &&
           memcmp(x->point, y->point, sizeof x->point) == 0 && memcmp(x->normal, y->normal, sizeof x->normal) == 0 &&
           x->object == y->object && x->face == y->face && x->side == y->side;
}

static void pick(agree_run *run, const grz_ray *rays, const char *method, grz_ray_hit *hits)
{
    grz_pick_options options = grz_default_pick_options();
    grz_error error = {.message = ""};
    options.method = method;
    agree_call(run, grz_pick(run->device, grz_targets_of_objects(run->objects, 2), rays, RAYS, &options, hits, &error),
               &error, "grz_pick");
}

static void check_all(agree_run *run, const grz_ray *ray, const grz_ray_hit *first)
{
    grz_ray_hit all[MOST_HITS];
    grz_box_hit boxes[2];
    uint64_t found, box_count;
    grz_error error = {.message = ""};
    agree_call(
        run,
        grz_pick_all(run->device, grz_targets_of_objects(run->objects, 2), ray, NULL, all, MOST_HITS, &found, &error),
        &error, "grz_pick_all");
    agree_law_holds(run, AGREE_LAW_RAYS_FIRST, found > 0 ? same_hit(&all[0], first) : first->face == GRZ_NO_FACE,
                    "%llu hits, the first of face %u at %a; the first is of face %u at %a", (unsigned long long)found,
                    found > 0 ? all[0].face : GRZ_NO_FACE, found > 0 ? all[0].t : HUGE_VAL, first->face, first->t);
    agree_call(
        run,
        grz_pick_boxes(run->device, grz_targets_of_objects(run->objects, 2), ray, NULL, boxes, 2, &box_count, &error),
        &error, "grz_pick_boxes");
    for (uint64_t i = 0; i < found && i < MOST_HITS; i++) {
        bool in_box = false;
        for (uint64_t j = 0; j < box_count; j++)
            in_box = in_box || (boxes[j].object == all[i].object && boxes[j].enter <= all[i].upper &&
                                all[i].lower <= boxes[j].leave);
        agree_law_holds(run, AGREE_LAW_RAYS_BOXES, in_box, "object %u is hit at %a, outside of its box", all[i].object,
                        all[i].t);
    }
}

void agree_laws_of_rays(agree_run *run)
{
    const agree_situation *s = run->now;
    agree_source source = run->choices;
    double *worlds[2] = {agree_world(&s->bodies[0]), agree_world(&s->bodies[1])};
    grz_ray rays[RAYS];
    grz_ray_hit first[RAYS], other[RAYS];
    bool any[RAYS];
    grz_error error = {.message = ""};
    for (int i = 0; i < RAYS; i++)
        rays[i] = draw_ray(s, &source, worlds);
    pick(run, rays, NULL, first);
    const char *method = structures[agree_below(&source, sizeof structures / sizeof *structures)];
    pick(run, rays, method, other);
    agree_call(run, grz_pick_any(run->device, grz_targets_of_objects(run->objects, 2), rays, RAYS, NULL, any, &error),
               &error, "grz_pick_any");
    for (int i = 0; i < RAYS; i++) {
        const grz_ray *ray = &rays[i];
        agree_law_holds(run, AGREE_LAW_RAYS_METHODS, same_hit(&first[i], &other[i]),
                        "from %a,%a,%a along %a,%a,%a: face %u at %a, by %s face %u at %a", ray->origin[0],
                        ray->origin[1], ray->origin[2], ray->direction[0], ray->direction[1], ray->direction[2],
                        first[i].face, first[i].t, method, other[i].face, other[i].t);
        agree_law_holds(run, AGREE_LAW_RAYS_ANY, any[i] == (first[i].face != GRZ_NO_FACE), "any %d, face %u", any[i],
                        first[i].face);
    }
    check_all(run, &rays[0], &first[0]);
    free(worlds[0]);
    free(worlds[1]);
}
