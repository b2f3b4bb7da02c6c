// SPDX-License-Identifier: MIT
// Walks the nodes of the visual scene that the file shows, depth first, nodes of libraries through instance_node. No
// function calls itself, so that a long chain of nodes is no deeper than a short one. A node that is reached again
// while it is being walked would go on without end; one that is shown many times is bounded by the work that it makes.
#include "collada/collada.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    WORK_A_NODE = 128, // as so many bytes looked at
    LEAST_STACK = 64
};

static bool push(collada *c, const xml_element *node, const scene_matrix *world, collada_id *opened)
{
    if (!grz_io_collada_work(c, node, WORK_A_NODE))
        return false;
    if (c->depth == c->stack_room) {
        const size_t wanted = c->stack_room > 0 ? 2 * c->stack_room : LEAST_STACK;
        void *moved = grz_io_control_reallocate(c->r->control, c->stack, c->stack_room * sizeof *c->stack,
                                                wanted * sizeof *c->stack);
        if (moved == NULL)
            return grz_io_fail_memory(c->r);
        c->stack = moved;
        c->stack_room = wanted;
    }
    if (opened != NULL)
        opened->open = true;
    const char *name = c->depth > 0 ? grz_io_collada_name(node) : NULL; // the scene's own is no node's
    if (name == NULL && c->depth > 0)
        name = c->stack[c->depth - 1].name;
    c->stack[c->depth++] =
        (collada_frame){.node = node, .next = node->children, .name = name, .world = *world, .opened = opened};
    return true;
}

static bool enter(collada *c, const xml_element *node, const scene_matrix *world, collada_id *opened)
{
    scene_matrix local;
    if (!grz_io_collada_check_asset(c, node) || !grz_io_collada_local_matrix(c, node, &local))
        return false;
    local = grz_io_matrix_multiply(world, &local);
    for (int i = 0; i < 12; i++)
        if (!isfinite(local.m[i / 4][i % 4]))
            return grz_io_collada_fail(c, node, "its place in the scene is not finite");
    return push(c, node, &local, opened);
}

static bool enter_instance(collada *c, const xml_element *instance, const scene_matrix *world)
{
    collada_id *node = grz_io_collada_find(c, instance, grz_io_xml_value(instance, "url"), COLLADA_NODE);
    if (node == NULL)
        return false;
    if (node->open)
        return grz_io_collada_fail(c, instance, "the node that it shows is around it: the nodes go in a circle");
    return enter(c, node->element, world, node);
}

// ---- names

static bool shows(const xml_element *e)
{
    return strcmp(e->name, "instance_geometry") == 0 || strcmp(e->name, "instance_controller") == 0;
}

// Whether a node shows more than one thing. Looks at those behind the first only, so that each is looked at once.
static bool shows_several(const xml_element *node)
{
    size_t count = 0;
    for (const xml_element *e = node->children; e != NULL && count < 2; e = e->next)
        count += shows(e);
    return count > 1;
}

// Keep a name that is no element's, to be released at the end.
static char *keep_name(collada *c, size_t size)
{
    if (c->name_count == c->name_room) {
        const size_t wanted = c->name_room > 0 ? 2 * c->name_room : LEAST_STACK;
        void *moved = grz_io_control_reallocate(c->r->control, c->names, c->name_room * sizeof *c->names,
                                                wanted * sizeof *c->names);
        if (moved == NULL)
            return NULL;
        c->names = moved;
        c->name_room = wanted;
    }
    char *name = grz_io_control_reallocate(c->r->control, NULL, 0, size);
    if (name != NULL)
        c->names[c->name_count++] = name;
    return name;
}

// "NODE", or "NODE/GEOMETRY" where the node shows several. The geometry's name where no node has one.
static bool name_showing(collada *c, const collada_frame *frame, const xml_element *shown, text_token *name)
{
    const char *outer = frame->name, *inner = grz_io_collada_name(shown);
    const char *only = outer != NULL ? outer : inner != NULL ? inner : "default";
    *name = (text_token){(const unsigned char *)only, strlen(only)};
    if (outer == NULL || inner == NULL || !shows_several(frame->node))
        return true;
    const int most = COLLADA_NAME_SIZE - 1; // of the model's names
    const size_t size = strnlen(outer, (size_t)most) + strnlen(inner, (size_t)most) + 2;
    char *both = keep_name(c, size);
    if (both == NULL)
        return grz_io_fail_memory(c->r);
    (void)snprintf(both, size, "%.*s/%.*s", most, outer, most, inner);
    *name = (text_token){(const unsigned char *)both, size - 1};
    return true;
}

// ---- what nodes show

static bool show(collada *c, const xml_element *instance, const collada_frame *frame)
{
    const bool controlled = strcmp(instance->name, "instance_controller") == 0;
    collada_id *shown = grz_io_collada_find(c, instance, grz_io_xml_value(instance, "url"),
                                            controlled ? COLLADA_CONTROLLER : COLLADA_GEOMETRY);
    scene_showing one = {.matrix = frame->world};
    bool placed = false;
    if (shown == NULL || !name_showing(c, frame, shown->element, &one.name))
        return false;
    if (controlled ? !grz_io_collada_read_controller(c, instance, shown, &one.mesh, &placed)
                   : !grz_io_collada_read_geometry(c, shown))
        return false;
    if (!controlled)
        one.mesh = shown->mesh;
    if (placed)
        one.matrix = grz_io_matrix_identity;
    c->geometries++;
    return c->r->model.meshes[one.mesh].face_count == 0 || grz_io_show(c->r, &c->showings, &one);
}

// Elements that say nothing about what a node shows or where, and those that collada_transform.c has read.
static bool is_known_beside(const char *name)
{
    static const char *const known[] = {"asset",     "extra",  "instance_camera", "instance_light", "evaluate_scene",
                                        "translate", "rotate", "scale",           "matrix",         "lookat"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i], name) == 0)
            return true;
    return false;
}

static bool visit(collada *c, const xml_element *child, const collada_frame *frame)
{
    const scene_matrix world = frame->world; // the stack may move
    if (!grz_io_collada_work(c, child, COLLADA_WORK_A_CHILD))
        return false;
    if (strcmp(child->name, "node") == 0)
        return enter(c, child, &world, NULL);
    if (strcmp(child->name, "instance_node") == 0)
        return enter_instance(c, child, &world);
    if (shows(child))
        return show(c, child, frame);
    return grz_io_xml_is_foreign(child) || is_known_beside(child->name) ||
           grz_io_collada_fail(c, child, "no element of a node is called so");
}

static bool walk(collada *c, const xml_element *scene)
{
    if (!grz_io_collada_check_asset(c, scene) || !push(c, scene, &grz_io_matrix_identity, NULL))
        return false;
    while (c->depth > 0) {
        collada_frame *top = &c->stack[c->depth - 1];
        const xml_element *child = top->next;
        if (child == NULL) {
            if (top->opened != NULL)
                top->opened->open = false;
            c->depth--;
            continue;
        }
        top->next = child->next;
        if (!visit(c, child, top))
            return false;
    }
    return true;
}

// ---- which scene

// The visual scene that <scene> shows; without one, the only one of the file.
static bool choose_scene(collada *c)
{
    const xml_element *scene = grz_io_xml_child(c->tree.root, "scene", NULL), *only = NULL;
    const xml_element *instance = scene != NULL ? grz_io_xml_child(scene, "instance_visual_scene", NULL) : NULL;
    uint64_t count = 0;
    for (const xml_element *l = NULL; (l = grz_io_xml_child(c->tree.root, "library_visual_scenes", l)) != NULL;)
        for (const xml_element *e = NULL; (e = grz_io_xml_child(l, "visual_scene", e)) != NULL; count++)
            only = e;
    if (instance != NULL) {
        const collada_id *chosen =
            grz_io_collada_find(c, instance, grz_io_xml_value(instance, "url"), COLLADA_VISUAL_SCENE);
        c->scene = chosen != NULL ? chosen->element : NULL;
        return chosen != NULL && (grz_io_xml_child(scene, "instance_visual_scene", instance) == NULL ||
                                  grz_io_collada_fail(c, scene, "it shows more than one visual scene"));
    }
    c->scene = only;
    if (count == 1)
        return grz_io_note(c->r, "no scene is shown by the file: its only visual_scene is read");
    return grz_io_collada_fail(c, scene != NULL ? scene : c->tree.root,
                               "it does not say which scene it shows, and there are %llu visual scenes",
                               (unsigned long long)count);
}

static bool note_what_is_left_out(collada *c)
{
    uint64_t scenes = 0, hidden = 0, animations = 0, foreign = 0;
    reader *r = c->r;
    for (size_t i = 0; i < c->id_count; i++) {
        scenes += c->ids[i].kind == COLLADA_VISUAL_SCENE && c->ids[i].element != c->scene;
        hidden += c->ids[i].kind == COLLADA_GEOMETRY && c->ids[i].mesh == COLLADA_NONE;
    }
    for (const xml_element *e = c->tree.root; e != NULL; e = grz_io_collada_following(e))
        foreign += grz_io_xml_is_foreign(e);
    for (const xml_element *l = NULL; (l = grz_io_xml_child(c->tree.root, "library_animations", l)) != NULL;)
        for (const xml_element *e = NULL; (e = grz_io_xml_child(l, "animation", e)) != NULL;)
            animations++;
    return grz_io_note_count(r, c->lines, "line left out", "lines left out") &&
           grz_io_note_count(r, c->short_faces, "face with fewer than 3 corners left out",
                             "faces with fewer than 3 corners left out") &&
           grz_io_note_count(r, scenes, "other visual scene left out", "other visual scenes left out") &&
           grz_io_note_count(r, hidden, "geometry is outside the scene and left out",
                             "geometries are outside the scene and left out") &&
           grz_io_note_count(r, c->morphed, "mesh is shown at the morph weights of the file",
                             "meshes are shown at the morph weights of the file") &&
           grz_io_note_count(r, c->skinned, "mesh is placed by the joints of its skin",
                             "meshes are placed by the joints of their skins") &&
           grz_io_note_count(r, animations, "animation left out: nodes are where the file puts them",
                             "animations left out: nodes are where the file puts them") &&
           grz_io_note_count(r, foreign, "element of another namespace left out",
                             "elements of other namespaces left out");
}

bool grz_io_collada_walk(collada *c)
{
    if (!choose_scene(c) || !walk(c, c->scene))
        return false;
    if (c->showings.count == 0)
        return grz_io_fail(c->r, "the scene shows no faces (%llu geometries, %llu lines)",
                           (unsigned long long)c->geometries, (unsigned long long)c->lines);
    return note_what_is_left_out(c);
}
