// SPDX-License-Identifier: MIT
// A component lies in one of the spaces that another one makes, because they touch in corners at most: so one of its
// corners that is not on the other tells which (exactly, by inside/point_in_mesh.h). Of all bounded spaces that hold a
// component, the one whose own component is held by all the others is the closest.
#include <string.h>

#include "base/control.h"
#include "base/fail.h"
#include "level/portals/data/forest.h"
#include "level/portals/shells.h"
#include "mesh/mesh.h"

// A bounded shell, made when the first corner lies in its box.
typedef struct hull {
    grz_part part;
    grz_object object;
    grz_solid solid;
    bool ready;
} hull;

// A component in a bounded shell.
typedef struct inside {
    uint32_t component, shell;
} inside;

typedef struct nest {
    grz_shells *shells;
    grz_control *control;
    uint32_t *scratch, *list;
    GRZ_ARRAY(inside) found;
} nest;

static grz_status make_hull(nest *n, const grz_shell *shell, hull *h, grz_error *error)
{
    const grz_shells *s = n->shells;
    const uint32_t number = s->of[s->members[shell->first]];
    uint32_t count = 0;
    for (uint32_t i = 0; i < shell->count; i++) {
        const uint32_t side = s->members[shell->first + i];
        if (s->of[side ^ 1] != number)
            n->list[count++] = side / 2;
    }
    grz_status status = grz_part_make(s->level, n->list, count, n->scratch, n->control, &h->part, error);
    if (status != GRZ_OK)
        return status;
    h->object = grz_object_at_origin(h->part.mesh);
    h->ready = true;
    return grz_solid_init(&h->solid, &h->object, GRZ_EVEN_ODD, n->control, error);
}

// Try the corners of a component until one is not on the hull.
static grz_status ask(nest *n, hull *h, const grz_component *component, grz_location *location, grz_error *error)
{
    const grz_shells *s = n->shells;
    const grz_mesh *all = s->level->all.mesh;
    grz_probe probe = {.solid = &h->solid, .control = n->control};
    for (uint32_t t = component->triangle; t < all->triangle_count; t++) {
        if (grz_forest_root(s->triangles, t) != component->triangle)
            continue;
        for (int i = 0; i < 3; i++) {
            const double *corner = grz_mesh_position(all, all->triangles[3 * (size_t)t + (size_t)i]);
            if (!grz_probe_point(&probe, corner, false, location))
                return grz_control_explain(n->control, grz_control_status(n->control), "portals", error);
            if (*location != GRZ_ON_SURFACE)
                return GRZ_OK;
        }
    }
    const uint32_t face = s->level->all.faces[component->triangle];
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, face,
                    "portals: the faces around face %u touch others with all their corners, but with no edge", face);
}

static grz_status ask_all(nest *n, uint32_t number, hull *h, grz_error *error)
{
    grz_shells *s = n->shells;
    const grz_shell *shell = &s->shells[number];
    const grz_mesh *all = s->level->all.mesh;
    grz_status status = GRZ_OK;
    for (uint32_t i = 0; i < s->component_count && status == GRZ_OK; i++) {
        grz_component *component = &s->components[i];
        grz_location location;
        const double *corner = grz_mesh_position(all, all->triangles[3 * (size_t)component->triangle]);
        if (i == shell->component || !grz_box_contains(&shell->box, corner))
            continue;
        if (!h->ready)
            status = make_hull(n, shell, h, error);
        if (status == GRZ_OK)
            status = ask(n, h, component, &location, error);
        if (status != GRZ_OK || location != GRZ_INSIDE)
            continue;
        component->depth++;
        if (!grz_array_add(grz_control_allocator(n->control), &n->found))
            return grz_control_explain(n->control, GRZ_ERROR_MEMORY, "portals", error);
        n->found.items[n->found.count - 1] = (inside){i, number};
    }
    return status;
}

grz_status grz_shells_nest(grz_shells *s, grz_control *control, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const grz_mesh *all = s->level->all.mesh;
    nest n = {.shells = s, .control = control};
    grz_status status = GRZ_ERROR_MEMORY;
    if (s->component_count < 2)
        return GRZ_OK;
    n.scratch = grz_allocate(allocator, all->vertex_count, sizeof *n.scratch);
    n.list = grz_allocate(allocator, all->triangle_count, sizeof *n.list);
    if (n.scratch != NULL && n.list != NULL) {
        memset(n.scratch, 0xff, all->vertex_count * sizeof *n.scratch);
        status = GRZ_OK;
    } else
        status = grz_control_explain(control, status, "portals", error);
    for (uint32_t i = 0; i < s->count && status == GRZ_OK; i++) {
        hull h = {.ready = false};
        if (!s->shells[i].unbounded)
            status = ask_all(&n, i, &h, error);
        grz_part_finish(allocator, &h.part);
    }
    for (size_t i = 0; i < n.found.count && status == GRZ_OK; i++) {
        const inside *found = &n.found.items[i];
        grz_component *component = &s->components[found->component];
        if (s->components[s->shells[found->shell].component].depth == component->depth - 1)
            component->parent = found->shell;
    }
    grz_array_finish(allocator, &n.found);
    grz_release(allocator, n.scratch, all->vertex_count, sizeof *n.scratch);
    grz_release(allocator, n.list, all->triangle_count, sizeof *n.list);
    return status;
}
