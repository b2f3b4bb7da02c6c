// SPDX-License-Identifier: MIT
// The calls of <graze/particles.h>.
#include <graze/particles.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/memory.h"
#include "image/environment/environment.h"
#include "level/particles/particles_options.h"
#include "level/particles/particles_step.h"

struct grz_particle_map {
    grz_device *device;
    const grz_allocator *allocator;
    grz_particle_maps maps;
    GRZ_ARRAY(grz_particle_hit) hits;
};

grz_status grz_particle_map_create(grz_device *device, const grz_particle_map_options *options, grz_particle_map **map,
                                   grz_error *error)
{
    grz_particle_map_options read;
    if (map != NULL)
        *map = NULL;
    if (device == NULL || options == NULL || map == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "particles: %s is NULL",
                        device == NULL    ? "the device"
                        : options == NULL ? "the options"
                                          : "the place for the map");
    if (grz_device_graphics(device) == NULL)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                        "particles: needs OpenGL, and the device was opened without");
    const grz_status status = grz_particle_map_options_read(options, &read, error);
    if (status != GRZ_OK)
        return status;
    const grz_allocator *allocator = grz_device_allocator(device);
    grz_particle_map *created = grz_allocate_zeroed(allocator, 1, sizeof *created);
    if (created == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "particles: out of memory");
    created->device = device;
    created->allocator = allocator;
    grz_particle_maps_init(&read, &created->maps);
    grz_device_retain(device);
    *map = created;
    return GRZ_OK;
}

void grz_particle_map_destroy(grz_particle_map *map)
{
    if (map == NULL)
        return;
    grz_device *device = map->device;
    grz_particle_maps_finish(device, &map->maps);
    grz_array_finish(map->allocator, &map->hits);
    grz_release(map->allocator, map, 1, sizeof *map);
    grz_device_release(device);
}

// ---- Drawing ------------------------------------------------------------------------------------------------------

static grz_status draw(grz_gl *gl, grz_particle_map *map, const grz_environment *environment, grz_control *control,
                       grz_error *error)
{
    if (map->maps.bin == NULL)
        map->maps.bin = grz_gl_bin_create(gl);
    if (map->maps.bin == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "particles: out of memory");
    return grz_particle_maps_draw(gl, &map->maps, environment, control, error);
}

grz_status grz_particle_map_draw(grz_particle_map *map, const grz_environment *environment, grz_error *error)
{
    grz_environment read;
    grz_call call;
    grz_gl *gl;
    if (map == NULL || environment == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "particles: %s is NULL",
                        map == NULL ? "the map" : "the environment");
    map->maps.is_drawn = false;
    map->hits.count = 0;
    grz_status status =
        grz_call_begin(&call, "particles", map->device, &grz_environment_type, environment, &read, error);
    if (status == GRZ_OK)
        status = grz_environment_check("particles", &read, map->device, error);
    if (status != GRZ_OK)
        return grz_call_end(&call, status);
    read.record |= GRZ_RECORD_NORMALS;
    status = grz_gl_enter(map->device, "particles", &gl, error);
    if (status == GRZ_OK) {
        status = draw(gl, map, &read, &call.control, error);
        status = grz_gl_leave(gl, status, error);
    }
    if (status != GRZ_OK && status == grz_control_status(&call.control)) // not what a callback returned
        grz_control_explain(&call.control, status, "particles", error);
    map->maps.is_drawn = status == GRZ_OK;
    return grz_call_end(&call, status);
}

// ---- Steps --------------------------------------------------------------------------------------------------------

static grz_status move(grz_particle_map *map, const grz_particle_stepping *stepping, grz_particle_answer *answer)
{
    const grz_particle_step *step = stepping->step;
    grz_particle_counts counts;
    const bool is_asked = answer != NULL || step->max_hits > 0;
    grz_status status = grz_particles_move(stepping, is_asked ? &counts : NULL);
    if (status != GRZ_OK || !is_asked)
        return status;
    const uint32_t listed = counts.listed < step->max_hits ? counts.listed : (uint32_t)step->max_hits;
    if (!grz_array_reserve(map->allocator, &map->hits, listed))
        return grz_fail(stepping->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "particles: out of memory for %u hits",
                        listed);
    grz_particles_read_hits(&map->maps, listed, map->hits.items);
    map->hits.count = listed;
    if (answer != NULL)
        *answer = (grz_particle_answer){.moved = counts.moved,
                                        .skipped = counts.skipped,
                                        .bounces = counts.bounces,
                                        .hit = counts.hit,
                                        .pushed = counts.pushed,
                                        .stopped = counts.stopped};
    return GRZ_OK;
}

static grz_status check_step(const grz_particle_map *map, const grz_particle_array *particles,
                             const grz_particle_step *read, grz_error *error)
{
    grz_status status = grz_particle_step_check(read, error);
    if (status == GRZ_OK)
        status = grz_particle_array_check(particles, error);
    if (status != GRZ_OK)
        return status;
    if (!map->maps.is_drawn)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "particles: the map is not drawn: call grz_particle_map_draw() before");
    if (read->force_count > 0 && (map->maps.record & GRZ_RECORD_IDS) == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "particles: forces need ids, and the map was drawn without GRZ_RECORD_IDS");
    return GRZ_OK;
}

static grz_status take_step(grz_particle_map *map, const grz_particle_array *particles, const grz_particle_step *step,
                            grz_call *call, grz_particle_answer *answer)
{
    grz_particle_stepping stepping = {
        .maps = &map->maps, .particles = particles, .step = step, .control = &call->control, .error = call->error};
    grz_status status = check_step(map, particles, step, call->error);
    if (status != GRZ_OK)
        return status;
    map->hits.count = 0;
    status = grz_gl_enter(map->device, "particles", &stepping.gl, call->error);
    if (status == GRZ_OK) {
        status = move(map, &stepping, answer);
        status = grz_gl_leave(stepping.gl, status, call->error);
    }
    if (status != GRZ_OK && status == grz_control_status(&call->control))
        grz_control_explain(&call->control, status, "particles", call->error);
    if (status != GRZ_OK) {
        map->hits.count = 0;
        if (answer != NULL)
            *answer = (grz_particle_answer){.moved = 0};
    }
    return status;
}

grz_status grz_particle_map_step(grz_particle_map *map, const grz_particle_array *particles,
                                 const grz_particle_step *step, grz_particle_answer *answer, grz_error *error)
{
    grz_particle_step read;
    grz_call call;
    if (answer != NULL)
        *answer = (grz_particle_answer){.moved = 0};
    if (map == NULL || particles == NULL || step == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "particles: %s is NULL",
                        map == NULL         ? "the map"
                        : particles == NULL ? "the array of particles"
                                            : "the step");
    grz_status status = grz_call_begin(&call, "particles", map->device, &grz_particle_step_type, step, &read, error);
    if (status == GRZ_OK)
        status = take_step(map, particles, &read, &call, answer);
    return grz_call_end(&call, status);
}

// ---- What there is ------------------------------------------------------------------------------------------------

const grz_particle_hit *grz_particle_map_hits(const grz_particle_map *map, uint64_t *count)
{
    if (count != NULL)
        *count = map != NULL ? map->hits.count : 0;
    return map != NULL ? map->hits.items : NULL;
}

uint64_t grz_particle_map_overfull(const grz_particle_map *map)
{
    return map != NULL && map->maps.is_drawn ? map->maps.overfull : 0;
}

bool grz_particle_map_buffers_of(const grz_particle_map *map, grz_particle_map_buffers *buffers)
{
    const bool there = map != NULL && map->maps.is_drawn;
    if (buffers == NULL)
        return there;
    *buffers = (grz_particle_map_buffers){.resolution = 0};
    if (there)
        *buffers = (grz_particle_map_buffers){.resolution = map->maps.options.resolution,
                                              .views = map->maps.view_count,
                                              .layers = map->maps.options.layers,
                                              .surfaces = map->maps.surfaces.name,
                                              .ids = map->maps.plan.record != 0 ? map->maps.surface_ids.name : 0};
    return there;
}
