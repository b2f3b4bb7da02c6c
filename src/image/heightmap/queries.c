// SPDX-License-Identifier: MIT
// grz_heightmap: the height maps of a mesh that a caller keeps, and queries about what is around an object.
#include <graze/environment.h>

#include <assert.h>
#include <string.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "image/environment/environment.h"
#include "image/heightmap/height_query.h"
#include "mesh/object_check.h"

struct grz_heightmap {
    grz_device *device;
    const grz_mesh *mesh;
    const grz_allocator *allocator;
    grz_heightmap_options options;
    grz_height_maps maps;
    uint32_t compared; // views of the last query
    GRZ_ARRAY(grz_height_contact) contacts;
};

grz_status grz_heightmap_create(grz_device *device, const grz_mesh *mesh, const grz_heightmap_options *options,
                                grz_heightmap **heightmap, grz_error *error)
{
    grz_heightmap_options read;
    if (heightmap != NULL)
        *heightmap = NULL;
    if (device == NULL || mesh == NULL || heightmap == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "heightmap: %s is NULL",
                        device == NULL ? "the device"
                        : mesh == NULL ? "the mesh"
                                       : "the place for the height map");
    if (mesh->device != device)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "heightmap: the mesh is of another device");
    if (grz_device_graphics(device) == NULL)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                        "heightmap: needs OpenGL, and the device was opened without");
    const grz_status status = grz_heightmap_options_read(options, &read, error);
    if (status != GRZ_OK)
        return status;
    const grz_allocator *allocator = grz_device_allocator(device);
    grz_heightmap *created = grz_allocate_zeroed(allocator, 1, sizeof *created);
    if (created == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "heightmap: out of memory");
    *created = (grz_heightmap){.device = device, .mesh = mesh, .allocator = allocator, .options = read};
    grz_device_retain(device);
    grz_mesh_retain(mesh);
    *heightmap = created;
    return GRZ_OK;
}

void grz_heightmap_destroy(grz_heightmap *heightmap)
{
    if (heightmap == NULL)
        return;
    grz_device *device = heightmap->device;
    grz_height_maps_finish(device, &heightmap->maps);
    grz_mesh_destroy((grz_mesh *)heightmap->mesh);
    grz_array_finish(heightmap->allocator, &heightmap->contacts);
    grz_release(heightmap->allocator, heightmap, 1, sizeof *heightmap);
    grz_device_release(device);
}

// ---- Queries ------------------------------------------------------------------------------------------------------

static grz_status check(const grz_heightmap *heightmap, const grz_object *object, const grz_environment *environment,
                        grz_error *error)
{
    grz_status status = grz_object_check("heightmap", object, "the object", GRZ_NO_ELEMENT, error);
    if (status == GRZ_OK && object->mesh != heightmap->mesh)
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                          "heightmap: the object is not of the mesh that the height map was made for");
    return status == GRZ_OK ? grz_environment_check("heightmap", environment, heightmap->device, error) : status;
}

static grz_status list(grz_heightmap *heightmap, const grz_height_query *q, uint64_t hits)
{
    if (!grz_array_reserve(heightmap->allocator, &heightmap->contacts, hits))
        return grz_fail(q->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "heightmap: out of memory for %llu contacts",
                        (unsigned long long)hits);
    const grz_status status = grz_height_list(q, heightmap->compared, hits, heightmap->contacts.items);
    heightmap->contacts.count = status == GRZ_OK ? hits : 0;
    return status;
}

static grz_status collide(grz_heightmap *heightmap, grz_height_query *q, grz_heightmap_answer *answer)
{
    grz_height_found found[2];
    grz_heightmap_answer out = {.colliding = false};
    if (heightmap->maps.bin == NULL && !grz_height_maps_init(q->gl, &heightmap->maps))
        return grz_fail(q->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "heightmap: out of memory");
    grz_status status = grz_height_maps_update(q->gl, heightmap->mesh, &heightmap->options, q->environment->record,
                                               q->control, &heightmap->maps, q->error);
    if (status == GRZ_OK)
        status = grz_height_compare(q, found, &heightmap->compared);
    if (status != GRZ_OK) {
        heightmap->maps.version = 0; // whatever went wrong may have spoilt them: the next query draws them again
        return status;
    }
    out.maps = heightmap->compared;
    for (uint32_t i = 0; i < out.maps; i++) {
        out.pixels += found[i].pixels;
        out.hits += found[i].hits;
    }
    out.colliding = out.hits > 0;
    if (out.pixels == 0)
        return grz_height_covers_nothing(&heightmap->maps, "the object", q->error);
    if (q->environment->contacts)
        status = list(heightmap, q, out.hits);
    if (status == GRZ_OK)
        *answer = out;
    return status;
}

static grz_status check_and_collide(grz_heightmap *heightmap, const grz_object *object,
                                    const grz_environment *environment, grz_call *call, grz_heightmap_answer *answer)
{
    grz_height_query q = {.maps = &heightmap->maps,
                          .object = object,
                          .environment = environment,
                          .first_hit = !environment->contacts,
                          .control = &call->control,
                          .error = call->error};
    grz_status status = check(heightmap, object, environment, call->error);
    if (status != GRZ_OK)
        return status;
    heightmap->contacts.count = heightmap->compared = 0;
    status = grz_gl_enter(heightmap->device, "heightmap", &q.gl, call->error);
    if (status == GRZ_OK) {
        status = collide(heightmap, &q, answer);
        status = grz_gl_leave(q.gl, status, call->error);
    }
    if (status != GRZ_OK && status == grz_control_status(&call->control)) // not what a callback returned
        grz_control_explain(&call->control, status, "heightmap", call->error);
    if (status != GRZ_OK) {
        *answer = (grz_heightmap_answer){.colliding = false};
        heightmap->contacts.count = heightmap->compared = 0;
    }
    return status;
}

grz_status grz_heightmap_collide(grz_heightmap *heightmap, const grz_object *object, const grz_environment *environment,
                                 grz_heightmap_answer *answer, grz_error *error)
{
    grz_environment read;
    grz_call call;
    if (answer != NULL)
        *answer = (grz_heightmap_answer){.colliding = false};
    if (heightmap == NULL || object == NULL || environment == NULL || answer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "heightmap: %s is NULL",
                        heightmap == NULL     ? "the height map"
                        : object == NULL      ? "the object"
                        : environment == NULL ? "the environment"
                                              : "the place for the answer");
    grz_status status =
        grz_call_begin(&call, "heightmap", heightmap->device, &grz_environment_type, environment, &read, error);
    if (status == GRZ_OK)
        status = check_and_collide(heightmap, object, &read, &call, answer);
    return grz_call_end(&call, status);
}

// ---- What a query leaves ------------------------------------------------------------------------------------------

const grz_height_contact *grz_heightmap_contacts(const grz_heightmap *heightmap, uint64_t *count)
{
    if (count != NULL)
        *count = heightmap != NULL ? heightmap->contacts.count : 0;
    return heightmap != NULL ? heightmap->contacts.items : NULL;
}

bool grz_heightmap_images_of(const grz_heightmap *heightmap, grz_heightmap_images *images)
{
    const bool there = heightmap != NULL && heightmap->compared > 0;
    if (images == NULL)
        return there;
    *images = (grz_heightmap_images){.width = 0};
    if (there)
        *images = (grz_heightmap_images){.width = heightmap->options.resolution,
                                         .height = heightmap->options.resolution,
                                         .views = heightmap->compared,
                                         .object_depth = heightmap->maps.object_map,
                                         .environment_depth = heightmap->maps.environment_map,
                                         .ids = heightmap->maps.ids,
                                         .normals = heightmap->maps.normals};
    return there;
}
