// SPDX-License-Identifier: MIT
// glTF 2.0, as JSON text and as GLB: the meshes of the default scene, each at the place that its node has.
// gltf/README.md says which file does what.
// Source: Khronos Group, "glTF 2.0 Specification", version 2.0.1, 2021.
#include "format.h"
#include "gltf/gltf.h"

#include <string.h>

enum {
    WORK_BETWEEN_LOOKS = 65536 // elements decoded between two looks at the flag and the clock
};

static bool is_glb(const unsigned char *bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, "glTF", 4) == 0;
}

// A JSON object: its first character that is not blank, behind a byte order mark.
static bool begins_like_json(const unsigned char *bytes, size_t size)
{
    const size_t most = size < SIGNATURE_SIZE ? size : SIGNATURE_SIZE;
    size_t i = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (i < most && (bytes[i] == ' ' || (bytes[i] >= '\t' && bytes[i] <= '\r')))
        i++;
    return i < most && bytes[i] == '{';
}

// GLB's first four bytes, or a JSON object with the member that every glTF file has, if it stands near the start.
static bool has_signature(const unsigned char *bytes, size_t size)
{
    static const char member[] = "\"asset\"";
    const size_t most = size < SIGNATURE_SIZE ? size : SIGNATURE_SIZE, length = sizeof member - 1;
    if (is_glb(bytes, size) || !begins_like_json(bytes, size))
        return is_glb(bytes, size);
    for (size_t i = 0; i + length <= most; i++)
        if (bytes[i] == '"' && memcmp(bytes + i, member, length) == 0)
            return true;
    return false;
}

void *grz_io_gltf_allocate(gltf *g, uint64_t count, size_t element_size)
{
    const uint64_t elements = count > 0 ? count : 1;
    void *block = NULL;
    if (elements <= SIZE_MAX / element_size)
        block = grz_io_control_reallocate(g->r->control, NULL, 0, (size_t)elements * element_size);
    if (block == NULL)
        grz_io_fail_memory(g->r);
    else
        memset(block, 0, (size_t)elements * element_size);
    return block;
}

void grz_io_gltf_release(gltf *g, void *block, uint64_t count, size_t element_size)
{
    grz_io_control_release(g->r->control, block, (size_t)(count > 0 ? count : 1) * element_size);
}

bool grz_io_gltf_goes_on(gltf *g, uint64_t elements)
{
    g->work_done += elements;
    if (g->work_done < g->next_look)
        return true;
    g->next_look = g->work_done + WORK_BETWEEN_LOOKS;
    if (g->work > 0)
        grz_io_control_progress(g->r->control, (double)g->work_done / ((double)g->work + 1));
    return grz_io_control_goes_on(g->r->control);
}

static bool begin(gltf *g)
{
    g->buffer_count = json_array_size(json_object_get(g->root, "buffers"));
    g->mesh_count = json_array_size(json_object_get(g->root, "meshes"));
    g->skin_count = json_array_size(json_object_get(g->root, "skins"));
    g->buffers = grz_io_gltf_allocate(g, g->buffer_count, sizeof *g->buffers);
    g->meshes = grz_io_gltf_allocate(g, g->mesh_count, sizeof *g->meshes);
    g->skins = grz_io_gltf_allocate(g, g->skin_count, sizeof *g->skins);
    return g->buffers != NULL && g->meshes != NULL && g->skins != NULL;
}

static void finish(gltf *g)
{
    for (size_t i = 0; g->meshes != NULL && i < g->mesh_count; i++)
        grz_io_gltf_release(g, g->meshes[i].primitives, g->meshes[i].primitive_room, sizeof(gltf_primitive));
    for (size_t i = 0; g->skins != NULL && i < g->skin_count; i++)
        grz_io_gltf_release(g, g->skins[i].joints, g->skins[i].joint_count, sizeof(scene_matrix));
    grz_io_gltf_release(g, g->meshes, g->mesh_count, sizeof *g->meshes);
    grz_io_gltf_release(g, g->skins, g->skin_count, sizeof *g->skins);
    grz_io_gltf_release(g, g->nodes, g->node_count, sizeof *g->nodes);
    grz_io_gltf_release(g, g->shown, g->node_count, sizeof *g->shown);
    grz_io_gltf_release_buffers(g);
    json_decref(g->root);
}

static bool read(reader *r)
{
    gltf g = {.r = r};
    const bool ok = grz_io_gltf_open(&g) && begin(&g) && grz_io_gltf_check_extensions(&g) &&
                    grz_io_gltf_read_nodes(&g) && grz_io_gltf_choose_scene(&g) && grz_io_gltf_emit(&g);
    finish(&g);
    r->unit_in_metres = 1;
    r->up_axis = GRZ_IO_UP_Y;
    return ok;
}

const file_format grz_io_format_gltf = {
    .about = {"glTF", "gltf glb"}, .has_signature = has_signature, .fits = begins_like_json, .read = read};
