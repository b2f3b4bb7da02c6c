// SPDX-License-Identifier: MIT
// The states that are derived from a mesh and kept with it, one slot for each type. The first thread that asks for a
// state brings it up to date, outside the slot's lock. Other threads that need the state wait, and look at their own
// cancel flags and deadlines meanwhile. Slots are found by the address of their type in a short list, which is read
// without a lock.
#include <assert.h>
#include <time.h>

#include "base/control.h"
#include "mesh/mesh.h"

enum {
    LOOK_EVERY_NS = 2000000 // how often a waiting thread looks at its own control
};

struct grz_slot {
    const grz_slot_type *type; // the key
    grz_slot *next;
    pthread_mutex_t lock;
    pthread_cond_t ready; // signalled when no thread works on the state any more; timed by the monotonic clock
    bool busy;            // a thread is bringing the state up to date, outside the lock
    void *state;
    // Of the mesh when the state was brought up to date; 0: never. Written last and under the lock, so a thread that
    // reads the mesh's version here may use the state without the lock.
    atomic_uint_fast64_t version;
    uint64_t avoided_version; // of the mesh when a query last worked without the state
    uint32_t avoided;         // how many queries did so at that version
};

static bool init_lock(grz_slot *slot)
{
    pthread_condattr_t monotonic;
    if (pthread_condattr_init(&monotonic) != 0)
        return false;
    const bool timed =
        pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) == 0 && pthread_cond_init(&slot->ready, &monotonic) == 0;
    pthread_condattr_destroy(&monotonic);
    if (!timed)
        return false;
    if (pthread_mutex_init(&slot->lock, NULL) == 0)
        return true;
    pthread_cond_destroy(&slot->ready);
    return false;
}

bool grz_mesh_slots_init(grz_mesh *mesh)
{
    atomic_init(&mesh->slots, NULL);
    mesh->has_slots_lock = pthread_mutex_init(&mesh->slots_lock, NULL) == 0;
    return mesh->has_slots_lock;
}

void grz_mesh_slots_clear(grz_mesh *mesh)
{
    grz_slot *slot = atomic_load(&mesh->slots);
    while (slot != NULL) {
        grz_slot *next = slot->next;
        assert(!slot->busy);
        if (slot->state != NULL)
            slot->type->release(mesh, slot->state);
        pthread_cond_destroy(&slot->ready);
        pthread_mutex_destroy(&slot->lock);
        grz_release(mesh->allocator, slot, 1, sizeof *slot);
        slot = next;
    }
    atomic_store(&mesh->slots, NULL);
}

void grz_mesh_slots_finish(grz_mesh *mesh)
{
    grz_mesh_slots_clear(mesh);
    if (mesh->has_slots_lock)
        pthread_mutex_destroy(&mesh->slots_lock);
    mesh->has_slots_lock = false;
}

// The slot of a type; NULL: the mesh has none yet.
static grz_slot *find(const grz_mesh *mesh, const grz_slot_type *type)
{
    grz_slot *slot = atomic_load_explicit(&((grz_mesh *)mesh)->slots, memory_order_acquire);
    while (slot != NULL && slot->type != type)
        slot = slot->next;
    return slot;
}

static grz_slot *create(const grz_slot_type *type, grz_slot *next, const grz_allocator *allocator)
{
    grz_slot *slot = grz_allocate_zeroed(allocator, 1, sizeof *slot);
    if (slot == NULL)
        return NULL;
    slot->type = type;
    slot->next = next;
    atomic_init(&slot->version, 0);
    if (init_lock(slot))
        return slot;
    grz_release(allocator, slot, 1, sizeof *slot);
    return NULL;
}

// The slot of a type, added where there is none. NULL: memory is short, or the system refuses a lock.
static grz_slot *find_or_add(grz_mesh *mesh, const grz_slot_type *type, grz_control *control)
{
    grz_slot *slot = find(mesh, type);
    if (slot != NULL)
        return slot;
    pthread_mutex_lock(&mesh->slots_lock);
    slot = find(mesh, type); // another thread may have added it by now
    if (slot == NULL) {
        slot = create(type, atomic_load(&mesh->slots), grz_control_allocator(control));
        if (slot != NULL)
            atomic_store_explicit(&mesh->slots, slot, memory_order_release);
    }
    pthread_mutex_unlock(&mesh->slots_lock);
    return slot;
}

// True if the state of a slot is up to date. Queries ask this all the time, so it takes no lock.
static bool is_current(const grz_slot *slot, const grz_mesh *mesh)
{
    return atomic_load_explicit(&slot->version, memory_order_acquire) == mesh->version;
}

// Wait a little, or until the thread at work is done. Under the slot's lock.
static void wait_a_little(grz_slot *slot)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_EVERY_NS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_cond_timedwait(&slot->ready, &slot->lock, &until);
}

grz_status grz_mesh_slot_get(const grz_mesh *mesh, const grz_slot_type *type, grz_control *control, void **state,
                             grz_error *error)
{
    // What is derived from a mesh is no part of its value: a const mesh may gain it, under the slot's lock.
    grz_slot *slot = find_or_add((grz_mesh *)mesh, type, control);
    grz_status status = GRZ_OK;
    *state = NULL;
    if (slot == NULL)
        return grz_control_explain(control, GRZ_ERROR_MEMORY, "mesh", error);
    if (is_current(slot, mesh)) {
        *state = slot->state;
        return GRZ_OK;
    }
    pthread_mutex_lock(&slot->lock);
    while (slot->busy && status == GRZ_OK) {
        if (grz_control_expired(control))
            status = grz_control_explain(control, grz_control_status(control), "waiting", error);
        else
            wait_a_little(slot);
    }
    if (status == GRZ_OK && !is_current(slot, mesh)) {
        slot->busy = true;
        pthread_mutex_unlock(&slot->lock);
        status = type->prepare(mesh, control, &slot->state, error);
        pthread_mutex_lock(&slot->lock);
        slot->busy = false;
        atomic_store_explicit(&slot->version, status == GRZ_OK ? mesh->version : 0, memory_order_release);
        pthread_cond_broadcast(&slot->ready);
    }
    if (status == GRZ_OK)
        *state = slot->state;
    pthread_mutex_unlock(&slot->lock);
    return status;
}

bool grz_mesh_slot_ready(const grz_mesh *mesh, const grz_slot_type *type)
{
    const grz_slot *slot = find(mesh, type);
    return slot != NULL && is_current(slot, mesh);
}

bool grz_mesh_slot_has_state(const grz_mesh *mesh, const grz_slot_type *type)
{
    grz_slot *slot = find(mesh, type);
    if (slot == NULL)
        return false;
    pthread_mutex_lock(&slot->lock);
    const bool has_state = slot->state != NULL;
    pthread_mutex_unlock(&slot->lock);
    return has_state;
}

bool grz_mesh_slot_is_stale(const grz_mesh *mesh, const grz_slot_type *type, uint32_t *avoided)
{
    grz_slot *slot = find(mesh, type);
    *avoided = 0;
    if (slot == NULL || is_current(slot, mesh))
        return false;
    pthread_mutex_lock(&slot->lock);
    const bool stale = !slot->busy && slot->state != NULL && !is_current(slot, mesh);
    *avoided = slot->avoided_version == mesh->version ? slot->avoided : 0;
    pthread_mutex_unlock(&slot->lock);
    return stale;
}

void grz_mesh_slot_count_avoided(const grz_mesh *mesh, const grz_slot_type *type)
{
    grz_slot *slot = find(mesh, type);
    if (slot == NULL)
        return;
    pthread_mutex_lock(&slot->lock);
    slot->avoided = slot->avoided_version == mesh->version ? slot->avoided + 1 : 1;
    slot->avoided_version = mesh->version;
    pthread_mutex_unlock(&slot->lock);
}
