// SPDX-License-Identifier: MIT
// grz_move_scene(): objects whose boxes the moving object's box meets, in the order in which it does, until the rest
// cannot be among the first.
#include <math.h>

#include "ask/move/translation/follow.h"
#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/sort/sort.h"
#include "query/scene.h"

enum {
    CHECK_BITS = 10 // objects between two checks of the control, as a power of two
};

// An object whose box is met.
typedef struct met_object {
    uint32_t object;
    double from; // not before
} met_object;

typedef struct question {
    grz_move_call call;
    const grz_scene *scene;
    uint32_t moving;
    const double *to;
    grz_object here; // the moving object
    GRZ_ARRAY(met_object) met;
    grz_scene_contact *contacts;
    uint64_t most, found;
} question;

static grz_status find_met(question *q)
{
    const grz_scene *scene = q->scene;
    for (uint32_t i = 0; i < scene->objects.count; i++) {
        const grz_object *object = &scene->objects.items[i];
        grz_path path;
        if (grz_control_expired_at(&q->call.frame.control, i + 1, CHECK_BITS))
            return grz_control_status(&q->call.frame.control);
        if (object->mesh == NULL || i == q->moving)
            continue;
        grz_path_set(&path, &q->here, q->to, object, NULL);
        if (path.from > path.to || !grz_scene_allows(scene, q->moving, i))
            continue;
        if (!grz_array_add(grz_control_allocator(&q->call.frame.control), &q->met))
            return GRZ_ERROR_MEMORY;
        q->met.items[q->met.count - 1] = (met_object){i, path.from};
    }
    return GRZ_OK;
}

static int compare_met(const void *x, const void *y, void *context)
{
    const met_object *p = x, *r = y;
    (void)context;
    if (p->from != r->from)
        return p->from < r->from ? -1 : 1;
    return (p->object > r->object) - (p->object < r->object);
}

static bool comes_before(const grz_scene_contact *x, const grz_scene_contact *y)
{
    if (x->answer.first_contact != y->answer.first_contact)
        return x->answer.first_contact < y->answer.first_contact;
    return x->object < y->object;
}

// Put a contact into the sorted list, if it is among the first.
static void keep(question *q, const grz_scene_contact *contact)
{
    grz_scene_contact *all = q->contacts;
    if (q->found == q->most && !comes_before(contact, &all[q->found - 1]))
        return;
    uint64_t at = q->found < q->most ? q->found++ : q->found - 1;
    for (; at > 0 && comes_before(contact, &all[at - 1]); at--)
        all[at] = all[at - 1];
    all[at] = *contact;
}

static grz_status follow_one(question *q, uint32_t number)
{
    grz_scene_contact contact = {.object = number};
    grz_object other;
    grz_path path;
    bool inside = false;
    grz_status status =
        grz_move_check(&q->call, &q->scene->objects.items[number], NULL, "of the scene", number, &other);
    if (status != GRZ_OK)
        return status;
    grz_path_set(&path, &q->here, q->to, &other, NULL);
    status = grz_move_follow(&q->call, &path, &contact.answer);
    if (status == GRZ_OK)
        status = grz_move_start(&q->call, &path, &inside);
    if (status == GRZ_OK && inside)
        grz_move_start_inside(&contact.answer);
    else if (status == GRZ_OK && contact.answer.started_touching)
        status = grz_move_normal_at_start(&q->call, &path, &contact.answer);
    if (status == GRZ_OK && contact.answer.has_contact)
        keep(q, &contact);
    return status;
}

static grz_status follow_met(question *q)
{
    grz_status status =
        grz_sort(q->met.items, q->met.count, sizeof *q->met.items, compare_met, NULL, &q->call.frame.control);
    for (size_t i = 0; i < q->met.count && status == GRZ_OK; i++) {
        if (q->found == q->most && q->met.items[i].from > q->contacts[q->found - 1].answer.upper)
            break;
        status = follow_one(q, q->met.items[i].object);
    }
    return status;
}

static grz_status check(const question *q, grz_device *device, grz_error *error)
{
    const grz_scene *scene = q->scene;
    if (device == NULL || scene == NULL || q->to == NULL || (q->most > 0 && q->contacts == NULL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "move scene: %s is NULL",
                        device == NULL  ? "the device"
                        : scene == NULL ? "the scene"
                        : q->to == NULL ? "the end"
                                        : "the list of contacts");
    if (scene->device != device)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "move scene: the scene belongs to another device");
    if (q->moving >= scene->objects.count || scene->objects.items[q->moving].mesh == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, q->moving, "move scene: the scene has no object %u", q->moving);
    return GRZ_OK;
}

grz_status grz_move_scene(grz_device *device, const grz_scene *scene, uint32_t moving, const double to[3],
                          const grz_move_options *options, grz_scene_contact *contacts, uint64_t most, uint64_t *found,
                          grz_error *error)
{
    question q = {.scene = scene, .moving = moving, .to = to, .contacts = contacts, .most = most};
    uint64_t ignored = 0;
    found = found != NULL ? found : &ignored;
    *found = 0;
    grz_status status = check(&q, device, error);
    if (status != GRZ_OK)
        return status;
    status = grz_move_begin(&q.call, "move scene", device, options, error);
    if (status == GRZ_OK) {
        status = grz_move_check(&q.call, &scene->objects.items[moving], to, "that moves", moving, &q.here);
        if (status == GRZ_OK && most > 0)
            status = find_met(&q);
        if (status == GRZ_OK && most > 0)
            status = follow_met(&q);
        grz_array_finish(grz_control_allocator(&q.call.frame.control), &q.met);
        if (status == GRZ_OK)
            *found = q.found;
        else
            grz_call_explain(&q.call.frame, status);
    }
    return grz_call_end(&q.call.frame, status);
}
