// SPDX-License-Identifier: MIT
// The public calls: shells (shells_join.h), what they are (shell_groups.h), cavities (shell_nests.h), parts.
#include <graze/shells.h>

#include "ask/shells/shell_cut.h"
#include "ask/shells/shell_nests.h"
#include "base/call.h"
#include "base/fail.h"
#include "mesh/shells/shell_groups.h"
#include "mesh/shells/shells_join.h"
#include "mesh/source.h"

struct grz_mesh_shells {
    grz_device *device;
    uint32_t vertex_count, face_count;
    uint64_t corner_total;
    uint32_t count, part_count;
    uint32_t *of_faces;      // the shell of each face
    grz_mesh_shell *shells;  // count
    uint64_t *starts;        // part_count + 2: where the faces of each part begin
    uint32_t *faces;         // part after part
    grz_shell_cutter cutter; // begun by the first cut
};

static const grz_mesh_shells_options defaults = {.size = sizeof(grz_mesh_shells_options)};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(mesh_shells_options, defaults);

void grz_mesh_shells_options_init(grz_mesh_shells_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

// ---- Finding ----

// Number the parts in the order of their lowest faces, and list the faces of each.
static grz_status list_parts(grz_mesh_shells *found, const uint32_t *holder, const grz_allocator *allocator)
{
    for (uint32_t s = 0; s < found->count; s++)
        found->shells[s].part = UINT32_MAX;
    for (uint32_t f = 0; f < found->face_count; f++) {
        grz_mesh_shell *head = &found->shells[holder[found->of_faces[f]]];
        if (head->part == UINT32_MAX)
            head->part = found->part_count++;
    }
    for (uint32_t s = 0; s < found->count; s++)
        found->shells[s].part = found->shells[holder[s]].part;
    found->starts = grz_allocate_zeroed(allocator, (size_t)found->part_count + 2, sizeof *found->starts);
    if (found->starts == NULL)
        return GRZ_ERROR_MEMORY;
    for (uint32_t f = 0; f < found->face_count; f++)
        found->starts[(size_t)found->shells[found->of_faces[f]].part + 2]++;
    for (size_t p = 0; p < found->part_count; p++)
        found->starts[p + 2] += found->starts[p + 1];
    for (uint32_t f = 0; f < found->face_count; f++)
        found->faces[found->starts[(size_t)found->shells[found->of_faces[f]].part + 1]++] = f;
    return GRZ_OK;
}

// Describe the shells; `signs` and `holder`: of each shell, as shell_nests.h has them.
static grz_status describe(grz_mesh_shells *found, const grz_shell_groups *groups, int8_t *signs, uint32_t *holder,
                           grz_call *call)
{
    for (uint32_t s = 0; s < found->count; s++) {
        if (grz_control_expired_at(&call->control, s, 8))
            return grz_call_explain(call, grz_control_status(&call->control));
        signs[s] = groups->closed[s] && groups->balanced[s] ? (int8_t)grz_shell_group_sign(groups, s) : 0;
        found->shells[s] =
            (grz_mesh_shell){.first_face = GRZ_NO_ELEMENT, .closed = groups->closed[s], .inwards = signs[s] < 0};
    }
    for (uint32_t f = 0; f < found->face_count; f++) {
        grz_mesh_shell *shell = &found->shells[found->of_faces[f]];
        shell->first_face = shell->face_count++ == 0 ? f : shell->first_face;
    }
    if (grz_control_status(&call->control) != GRZ_OK)
        return grz_call_explain(call, grz_control_status(&call->control));
    return grz_shell_nests_find(groups, signs, &call->control, holder, call->error);
}

// `signs` and `holder` have room for a number of each shell.
static grz_status make_parts(grz_mesh_shells *found, const grz_shell_edges *edges, int8_t *signs, uint32_t *holder,
                             grz_call *call)
{
    const grz_allocator *allocator = grz_control_allocator(&call->control);
    grz_shell_groups groups;
    grz_status status = grz_shell_groups_init(&groups, edges, found->of_faces, found->count, &call->control);
    if (status != GRZ_OK) {
        grz_shell_groups_finish(allocator, &groups);
        return grz_call_explain(call, status);
    }
    status = describe(found, &groups, signs, holder, call);
    if (status == GRZ_OK && list_parts(found, holder, allocator) != GRZ_OK)
        status = grz_call_explain(call, GRZ_ERROR_MEMORY);
    grz_shell_groups_finish(allocator, &groups);
    return status;
}

static grz_status find_parts(grz_mesh_shells *found, const grz_shell_edges *edges, grz_call *call)
{
    const grz_allocator *allocator = grz_control_allocator(&call->control);
    const uint32_t count = found->count;
    int8_t *signs = grz_allocate(allocator, count, sizeof *signs);
    uint32_t *holder = grz_allocate(allocator, count, sizeof *holder);
    found->shells = grz_allocate(allocator, count, sizeof *found->shells);
    found->faces = grz_allocate(allocator, found->face_count, sizeof *found->faces);
    const bool room = signs != NULL && holder != NULL && found->shells != NULL && found->faces != NULL;
    const grz_status status =
        room ? make_parts(found, edges, signs, holder, call) : grz_call_explain(call, GRZ_ERROR_MEMORY);
    grz_release(allocator, signs, count, sizeof *signs);
    grz_release(allocator, holder, count, sizeof *holder);
    return status;
}

static grz_status find(grz_mesh_shells *found, const grz_mesh *mesh, grz_call *call)
{
    grz_control *control = &call->control;
    const grz_allocator *allocator = grz_control_allocator(control);
    grz_shell_edges edges = {.mesh = NULL};
    grz_status status = grz_mesh_in_memory(mesh, control, &mesh, call->error);
    if (status != GRZ_OK)
        return status;
    if (mesh->triangle_count > INT32_MAX)
        return grz_fail(call->error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                        "mesh shells: the mesh has %u triangles, the most are 2^31 - 1", mesh->triangle_count);
    found->vertex_count = mesh->vertex_count;
    found->face_count = mesh->face_count;
    found->corner_total = mesh->corner_total;
    found->of_faces = grz_allocate(allocator, found->face_count, sizeof *found->of_faces);
    status = found->of_faces != NULL ? grz_shell_edges_init(&edges, mesh, control) : GRZ_ERROR_MEMORY;
    if (status == GRZ_OK)
        status = grz_shells_join(&edges, control, found->of_faces, &found->count);
    status = status == GRZ_OK ? find_parts(found, &edges, call) : grz_call_explain(call, status);
    grz_shell_edges_finish(allocator, &edges);
    return status;
}

grz_status grz_mesh_shells_find(const grz_mesh *mesh, const grz_mesh_shells_options *options, grz_mesh_shells **shells,
                                grz_error *error)
{
    grz_call call;
    grz_mesh_shells_options read;
    if (shells != NULL)
        *shells = NULL;
    if (mesh == NULL || shells == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "mesh shells: %s NULL",
                        mesh == NULL ? "mesh is" : "shells are");
    grz_status status = grz_call_begin(&call, "mesh shells", mesh->device, &options_type, options, &read, error);
    if (status != GRZ_OK)
        return grz_call_end(&call, status);
    grz_mesh_shells *found = grz_allocate_zeroed(grz_control_allocator(&call.control), 1, sizeof *found);
    if (found == NULL)
        return grz_call_end(&call, grz_call_explain(&call, GRZ_ERROR_MEMORY));
    found->device = mesh->device;
    grz_device_retain(mesh->device);
    status = find(found, mesh, &call);
    if (status == GRZ_OK)
        *shells = found;
    else
        grz_mesh_shells_destroy(found);
    return grz_call_end(&call, status);
}

void grz_mesh_shells_destroy(grz_mesh_shells *shells)
{
    if (shells == NULL)
        return;
    grz_device *device = shells->device;
    const grz_allocator *allocator = grz_device_allocator(device);
    grz_release(allocator, shells->of_faces, shells->face_count, sizeof *shells->of_faces);
    grz_release(allocator, shells->shells, shells->count, sizeof *shells->shells);
    grz_release(allocator, shells->starts, (size_t)shells->part_count + 2, sizeof *shells->starts);
    grz_release(allocator, shells->faces, shells->face_count, sizeof *shells->faces);
    grz_shell_cutter_finish(&shells->cutter);
    grz_release(allocator, shells, 1, sizeof *shells);
    grz_device_release(device);
}

// ---- Reading ----

uint32_t grz_mesh_shells_count(const grz_mesh_shells *shells)
{
    return shells != NULL ? shells->count : 0;
}

uint32_t grz_mesh_shells_part_count(const grz_mesh_shells *shells)
{
    return shells != NULL ? shells->part_count : 0;
}

bool grz_mesh_shells_describe(const grz_mesh_shells *shells, uint32_t index, grz_mesh_shell *shell)
{
    if (shells == NULL || shell == NULL || index >= shells->count)
        return false;
    *shell = shells->shells[index];
    return true;
}

const uint32_t *grz_mesh_shells_of_faces(const grz_mesh_shells *shells)
{
    return shells != NULL ? shells->of_faces : NULL;
}

const uint32_t *grz_mesh_shells_part_faces(const grz_mesh_shells *shells, uint32_t part, uint64_t *count)
{
    const bool there = shells != NULL && part < shells->part_count;
    if (count != NULL)
        *count = there ? shells->starts[(size_t)part + 1] - shells->starts[part] : 0;
    return there ? shells->faces + shells->starts[part] : NULL;
}

// ---- Cutting ----

static grz_status cut(grz_mesh_shells *shells, const grz_mesh *mesh, uint32_t part, grz_mesh **out, grz_error *error)
{
    uint64_t count;
    const uint32_t *faces = grz_mesh_shells_part_faces(shells, part, &count);
    if (mesh->vertex_count != shells->vertex_count || mesh->face_count != shells->face_count ||
        mesh->corner_total != shells->corner_total)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "mesh shells: the mesh has %u faces, the shells are of one with %u", mesh->face_count,
                        shells->face_count);
    if (shells->cutter.numbers == NULL &&
        !grz_shell_cutter_init(&shells->cutter, shells->vertex_count, grz_device_allocator(shells->device)))
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "mesh shells: out of memory for %u vertices",
                        shells->vertex_count);
    return grz_shell_cut(&shells->cutter, mesh, faces, (size_t)count, mesh->flags, out, error);
}

grz_status grz_mesh_shells_cut(grz_mesh_shells *shells, const grz_mesh *mesh, uint32_t part, grz_mesh **out,
                               grz_error *error)
{
    grz_call call;
    if (out != NULL)
        *out = NULL;
    if (shells == NULL || mesh == NULL || out == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "mesh shells: %s NULL",
                        shells == NULL ? "shells are"
                        : mesh == NULL ? "mesh is"
                                       : "out is");
    if (part >= shells->part_count)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "mesh shells: there is no part %u, there are %u",
                        part, shells->part_count);
    grz_status status = grz_call_begin(&call, "mesh shells", mesh->device, NULL, NULL, NULL, error);
    if (status == GRZ_OK)
        status = grz_mesh_in_memory(mesh, &call.control, &mesh, error);
    if (status == GRZ_OK)
        status = cut(shells, mesh, part, out, error);
    return grz_call_end(&call, status);
}
