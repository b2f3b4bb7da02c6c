// SPDX-License-Identifier: MIT
// What the build shows: finds the objects that items and components name, counts what they come to, so that a small
// file cannot ask for too much, and lists every mesh at its place, in the order of the file, depth first.
#include "threemf/threemf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEEPEST = 100,         // components within each other
    BYTES_A_SHOWING = 192, // of a part, and of what is kept on the way to it
    SHOWN_BETWEEN_LOOKS = 4096,
    NAME_ROOM = 40
};

#define MOST_SHOWINGS (UINT64_C(1) << 40) // counted; more are as many

// An object's place in the list by which ids are looked up.
typedef struct entry {
    size_t file;
    uint64_t id;
    size_t object;
} entry;

typedef struct building {
    threemf *t;
    entry *entries;
    scene_showings showings;
    size_t path[DEEPEST + 1];      // the objects from the item's down to the one that is followed
    char (*made_names)[NAME_ROOM]; // "object 3", of those meshes that have no name
    uint64_t followed;
} building;

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static bool sort_objects(building *b)
{
    threemf *t = b->t;
    const size_t count = t->object_count;
    b->entries = grz_io_control_reallocate(t->r->control, NULL, 0, (count + 1) * sizeof *b->entries);
    if (b->entries == NULL)
        return grz_io_fail_memory(t->r);
    for (size_t i = 0; i < count; i++)
        b->entries[i] = (entry){t->objects[i].file, t->objects[i].id, i};
    qsort(b->entries, count, sizeof *b->entries, compare_entries);
    for (size_t i = 1; i < count; i++) {
        const entry *e = &b->entries[i];
        if (compare_entries(e - 1, e) != 0)
            continue;
        const threemf_object *first = &t->objects[e[-1].object], *second = &t->objects[e->object];
        const uint64_t line = first->line > second->line ? first->line : second->line;
        return grz_io_threemf_fail(t, e->file, line, "a second object with id %llu", (unsigned long long)e->id);
    }
    return true;
}

static bool find_object(const building *b, threemf_reference *one, const char *element)
{
    char place[THREEMF_PLACE_SIZE];
    const entry wanted = {.file = one->file, .id = one->id};
    const entry *found = bsearch(&wanted, b->entries, b->t->object_count, sizeof wanted, compare_entries);
    if (found != NULL) {
        one->object = found->object;
        return true;
    }
    grz_io_threemf_place(b->t, one->file, place);
    place[strlen(place) - 2] = '\0'; // no colon
    return grz_io_threemf_fail(b->t, one->from, one->line, "the %s's object %llu is not in %s", element,
                               (unsigned long long)one->id, place);
}

static bool find_objects(building *b)
{
    threemf *t = b->t;
    if (!sort_objects(b))
        return false;
    for (size_t i = 0; i < t->components.count; i++)
        if (!find_object(b, &t->components.list[i], "component"))
            return false;
    for (size_t i = 0; i < t->items.count; i++)
        if (!find_object(b, &t->items.list[i], "item"))
            return false;
    return true;
}

static bool fail_object(threemf *t, const threemf_object *object, const char *what)
{
    return grz_io_threemf_fail(t, object->file, object->line, "object %llu: %s", (unsigned long long)object->id, what);
}

// Count the meshes that an object shows, once for each object; components must not make a circle.
// NOLINTNEXTLINE(misc-no-recursion): no deeper than DEEPEST
static bool count_object(threemf *t, size_t number, size_t above)
{
    threemf_object *object = &t->objects[number];
    if (object->is_counted)
        return above + object->depth <= DEEPEST ||
               fail_object(t, object, "components are more than 100 deep within each other");
    if (object->is_open)
        return fail_object(t, object, "its components contain itself");
    if (above > DEEPEST)
        return fail_object(t, object, "components are more than 100 deep within each other");
    object->is_open = object->is_shown = true;
    object->showings = object->mesh != THREEMF_NONE;
    if (object->is_substitute)
        return fail_object(t, object, "its mesh is a coarse or changed stand-in (resolution is not fullres)");
    if (object->unread.length > 0)
        return grz_io_threemf_fail(t, object->file, object->unread_line, "object %llu: %s",
                                   (unsigned long long)object->id, t->texts.bytes + object->unread.at);
    for (size_t i = 0; i < object->component_count; i++) {
        const size_t below = t->components.list[object->first_component + i].object;
        if (!count_object(t, below, above + 1))
            return false;
        const threemf_object *component = &t->objects[below];
        object->showings += component->showings;
        object->showings = object->showings < MOST_SHOWINGS ? object->showings : MOST_SHOWINGS;
        object->depth = object->depth > component->depth ? object->depth : component->depth + 1;
    }
    object->is_open = false;
    object->is_counted = true;
    return true;
}

static bool count_all(threemf *t)
{
    const uint64_t limit = grz_io_most_model_bytes(t->r, t->r->size);
    uint64_t showings = 0;
    if (t->items.count == 0)
        return grz_io_threemf_fail(t, t->root, 0, "the build has no items, so the file shows nothing");
    for (size_t i = 0; i < t->items.count; i++) {
        const size_t number = t->items.list[i].object;
        if (!count_object(t, number, 0))
            return false;
        showings += t->objects[number].showings;
        if (showings > limit / BYTES_A_SHOWING)
            return grz_io_threemf_fail(t, t->root, t->items.list[i].line,
                                       "the items up to this one show more objects than a file of this size may");
    }
    return true;
}

static text_token token_of(const threemf *t, threemf_text text)
{
    return (text_token){(const unsigned char *)t->texts.bytes + text.at, text.length};
}

// A mesh's name: its object's, else that of the nearest object around it; else the same of part numbers, the item's
// last; else "object 3".
static text_token name_of(const building *b, const threemf_reference *item, size_t depth)
{
    const threemf *t = b->t;
    for (size_t i = depth + 1; i-- > 0;)
        if (t->objects[b->path[i]].name.length > 0)
            return token_of(t, t->objects[b->path[i]].name);
    for (size_t i = depth + 1; i-- > 0;)
        if (t->objects[b->path[i]].part_number.length > 0)
            return token_of(t, t->objects[b->path[i]].part_number);
    if (item->part_number.length > 0)
        return token_of(t, item->part_number);
    const threemf_object *object = &t->objects[b->path[depth]];
    char *made = b->made_names[object->mesh];
    (void)snprintf(made, NAME_ROOM, "object %llu", (unsigned long long)object->id);
    return (text_token){(const unsigned char *)made, strlen(made)};
}

// NOLINTNEXTLINE(misc-no-recursion): no deeper than DEEPEST
static bool show_object(building *b, const threemf_reference *item, size_t number, const scene_matrix *matrix,
                        size_t depth)
{
    threemf *t = b->t;
    const threemf_object *object = &t->objects[number];
    b->path[depth] = number;
    if (++b->followed % SHOWN_BETWEEN_LOOKS == 0 && !grz_io_control_goes_on(t->r->control))
        return false;
    if (object->mesh != THREEMF_NONE) {
        const scene_showing one = {.mesh = object->mesh, .matrix = *matrix, .name = name_of(b, item, depth)};
        t->counts.shown[object->type]++;
        return grz_io_show(t->r, &b->showings, &one);
    }
    for (size_t i = 0; i < object->component_count; i++) {
        const threemf_reference *component = &t->components.list[object->first_component + i];
        const scene_matrix below = grz_io_matrix_multiply(matrix, &component->matrix);
        if (!show_object(b, item, component->object, &below, depth + 1))
            return false;
    }
    return true;
}

static bool show_all(building *b)
{
    threemf *t = b->t;
    const size_t meshes = t->r->model.mesh_count, room = (meshes + 1) * sizeof *b->made_names;
    b->made_names = grz_io_control_reallocate(t->r->control, NULL, 0, room);
    if (b->made_names == NULL)
        return grz_io_fail_memory(t->r);
    bool ok = true;
    for (size_t i = 0; ok && i < t->items.count; i++) {
        const threemf_reference *item = &t->items.list[i];
        ok = show_object(b, item, item->object, &item->matrix, 0);
    }
    ok = ok && grz_io_fill_scene(t->r, &b->showings);
    grz_io_control_release(t->r->control, b->made_names, room);
    grz_io_release_showings(t->r, &b->showings);
    return ok;
}

// What of the file is not shown.
static bool note_left_out(threemf *t)
{
    uint64_t objects = 0, files = 0;
    for (size_t i = 0; i < t->object_count; i++)
        objects += !t->objects[i].is_shown && t->objects[i].mesh != THREEMF_NONE;
    for (size_t i = 0; i < t->file_count; i++) {
        const char *end = strrchr(t->files[i].key, '.');
        files += end != NULL && strcmp(end, ".model") == 0 && !t->files[i].is_model;
    }
    const threemf_counts *c = &t->counts;
    return grz_io_note_count(t->r, objects, "object with a mesh is outside the build and left out",
                             "objects with meshes are outside the build and left out") &&
           grz_io_note_count(t->r, files, "model file that the root model does not name left out",
                             "model files that the root model does not name left out") &&
           grz_io_note_count(t->r, c->child_items, "build item outside the root model has no meaning and is left out",
                             "build items outside the root model have no meaning and are left out") &&
           grz_io_note_count(t->r, c->empty_meshes, "object without triangles left out",
                             "objects without triangles left out") &&
           grz_io_note_count(t->r, c->sliced, "object has slices as well, which are left out: its mesh is read",
                             "objects have slices as well, which are left out: their meshes are read") &&
           grz_io_note_count(t->r, c->alternatives, "object has alternatives, which are left out",
                             "objects have alternatives, which are left out");
}

static bool note_unknown(threemf *t)
{
    char quote[SCAN_QUOTE_SIZE];
    const threemf_counts *c = &t->counts;
    if (c->foreign_elements > 0 &&
        !grz_io_note(t->r, "%llu element%s of extensions left out, the first %s",
                     (unsigned long long)c->foreign_elements, c->foreign_elements == 1 ? "" : "s",
                     grz_io_token_quote(token_of(t, c->first_foreign), quote)))
        return false;
    const text_token attribute = {(const unsigned char *)c->first_attribute, strlen(c->first_attribute)};
    return c->attributes == 0 || grz_io_note(t->r, "%llu attribute%s that 3MF does not have ignored, the first %s",
                                             (unsigned long long)c->attributes, c->attributes == 1 ? "" : "s",
                                             grz_io_token_quote(attribute, quote));
}

// What is shown, and may not be meant to be.
static bool note_shown(threemf *t)
{
    const threemf_counts *c = &t->counts;
    return grz_io_note_count(t->r, c->unprintable, "item of the build is marked as not to be printed, and read",
                             "items of the build are marked as not to be printed, and read") &&
           grz_io_note_count(t->r, c->shown[THREEMF_SUPPORT] + c->shown[THREEMF_SOLIDSUPPORT],
                             "part is a support structure, and read", "parts are support structures, and read") &&
           grz_io_note_count(t->r, c->shown[THREEMF_OTHER], "part is of type \"other\", and read",
                             "parts are of type \"other\", and read") &&
           grz_io_note_count(t->r, c->doubled_corners, "triangle names a vertex twice",
                             "triangles name a vertex twice");
}

bool grz_io_threemf_show(threemf *t)
{
    building b = {.t = t};
    const bool ok =
        find_objects(&b) && count_all(t) && note_left_out(t) && note_unknown(t) && show_all(&b) && note_shown(t);
    grz_io_control_release(t->r->control, b.entries, (t->object_count + 1) * sizeof *b.entries);
    return ok;
}
