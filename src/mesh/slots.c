// SPDX-License-Identifier: MIT
// Slots: what methods derive from a mesh, each brought up to date by the first who asks. That thread works outside of the slot's
// lock; others that need the state wait, and look at their own cancel flags and deadlines while they do.
#include <assert.h>
#include <time.h>

#include "mesh/mesh.h"

enum {
    LOOK_EVERY_NS = 2000000 // how often a waiting thread looks at its own control
};

static bool slot_init(grz_slot_entry *entry)
{
    pthread_condattr_t monotonic;
    if (pthread_condattr_init(&monotonic) != 0)
        return false;
    const bool timed =
        pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) == 0 && pthread_cond_init(&entry->ready, &monotonic) == 0;
    pthread_condattr_destroy(&monotonic);
    if (!timed)
        return false;
    entry->has_lock = pthread_mutex_init(&entry->lock, NULL) == 0;
    if (!entry->has_lock)
        pthread_cond_destroy(&entry->ready);
    return entry->has_lock;
}

bool grz_mesh_slots_init(grz_mesh *mesh)
{
    for (int i = 0; i < GRZ_SLOT_COUNT; i++)
        if (!slot_init(&mesh->slots[i]))
            return false;
    return true;
}

void grz_mesh_slots_finish(grz_mesh *mesh)
{
    for (int i = 0; i < GRZ_SLOT_COUNT; i++) {
        grz_slot_entry *entry = &mesh->slots[i];
        if (entry->type != NULL && entry->state != NULL)
            entry->type->release(mesh, entry->state);
        if (!entry->has_lock)
            continue;
        pthread_cond_destroy(&entry->ready);
        pthread_mutex_destroy(&entry->lock);
    }
}

// Wait a little, or until the one at work is done. Under the lock.
static void wait_a_little(grz_slot_entry *entry)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_EVERY_NS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_cond_timedwait(&entry->ready, &entry->lock, &until);
}

grz_status grz_mesh_slot_get(const grz_mesh *mesh, grz_slot slot, const grz_slot_type *type, grz_control *control, void **state,
                             grz_error *error)
{
    // What is derived from a mesh is no part of its value: a const mesh may gain it, under the slot's lock.
    grz_slot_entry *entry = &((grz_mesh *)mesh)->slots[slot];
    grz_status status = GRZ_OK;
    *state = NULL;
    pthread_mutex_lock(&entry->lock);
    assert(entry->type == NULL || entry->type == type);
    while (entry->busy && status == GRZ_OK) {
        if (grz_control_expired(control))
            status = grz_control_explain(control, grz_control_status(control), "waiting", error);
        else
            wait_a_little(entry);
    }
    if (status == GRZ_OK && entry->version != mesh->version) {
        entry->busy = true;
        pthread_mutex_unlock(&entry->lock);
        status = type->prepare(mesh, control, &entry->state, error);
        pthread_mutex_lock(&entry->lock);
        entry->busy = false;
        entry->type = entry->state != NULL ? type : NULL;
        entry->version = status == GRZ_OK ? mesh->version : 0;
        pthread_cond_broadcast(&entry->ready);
    }
    if (status == GRZ_OK)
        *state = entry->state;
    pthread_mutex_unlock(&entry->lock);
    return status;
}

bool grz_mesh_slot_ready(const grz_mesh *mesh, grz_slot slot)
{
    grz_slot_entry *entry = &((grz_mesh *)mesh)->slots[slot];
    pthread_mutex_lock(&entry->lock);
    const bool ready = !entry->busy && entry->version == mesh->version;
    pthread_mutex_unlock(&entry->lock);
    return ready;
}

bool grz_mesh_slot_is_stale(const grz_mesh *mesh, grz_slot slot, uint32_t *spared)
{
    grz_slot_entry *entry = &((grz_mesh *)mesh)->slots[slot];
    pthread_mutex_lock(&entry->lock);
    const bool stale = !entry->busy && entry->type != NULL && entry->version != mesh->version;
    *spared = entry->spared_version == mesh->version ? entry->spared : 0;
    pthread_mutex_unlock(&entry->lock);
    return stale;
}

void grz_mesh_slot_spare(const grz_mesh *mesh, grz_slot slot)
{
    grz_slot_entry *entry = &((grz_mesh *)mesh)->slots[slot];
    pthread_mutex_lock(&entry->lock);
    entry->spared = entry->spared_version == mesh->version ? entry->spared + 1 : 1;
    entry->spared_version = mesh->version;
    pthread_mutex_unlock(&entry->lock);
}
