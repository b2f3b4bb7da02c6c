// SPDX-License-Identifier: MIT
// Turns the outcome of a search into mesh units and lists of triangles, and reads it.
#include "ask/projections/projections.h"

#include <math.h>
#include <string.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "mesh/source.h"

static grz_coverage coverage_of(const grz_sight_search *search, const grz_sight_tally *tally, uint32_t poses)
{
    const grz_sight_frame *frame = &search->surface->frame;
    const double unit = frame->area / frame->scale / frame->scale / poses;
    return (grz_coverage){.area = (double)tally->weight * unit,
                          .uncovered = (double)tally->uncovered * unit,
                          .bound = (double)tally->unproved * unit,
                          .deepest = tally->deepest / frame->scale};
}

// Number the vertices of a part in the order of the model. `numbers` has room for all vertices of the model.
static bool list_vertices(const grz_sight_search *search, grz_projections *found, uint32_t part, uint32_t *numbers)
{
    const grz_sight_model *model = &search->model;
    const size_t count = grz_sight_vertex_count(model);
    grz_projections_lists *lists = &found->lists[part];
    grz_projections_part *out = &found->parts[part];
    uint32_t next = 0;
    memset(numbers, 0, count * sizeof *numbers);
    for (size_t t = 0; t < model->triangles.count; t++)
        for (int i = 0; i < 3 && model->triangles.items[t].part == part; i++)
            numbers[model->triangles.items[t].corners[i]] = 1;
    for (size_t v = 0; v < count; v++)
        out->vertex_count += numbers[v];
    lists->vertices = grz_allocate(found->allocator, (size_t)out->vertex_count, sizeof *lists->vertices);
    for (size_t v = 0; v < count && lists->vertices != NULL; v++)
        if (numbers[v] != 0) {
            lists->vertices[next] = (uint32_t)v;
            numbers[v] = next++;
        }
    return lists->vertices != NULL;
}

static bool list_triangles(const grz_sight_search *search, grz_projections *found, uint32_t part,
                           const uint32_t *numbers)
{
    const grz_sight_model *model = &search->model;
    grz_projections_lists *lists = &found->lists[part];
    grz_projections_part *out = &found->parts[part];
    size_t next = 0;
    for (size_t t = 0; t < model->triangles.count; t++)
        out->triangle_count += model->triangles.items[t].part == part;
    lists->indices = grz_allocate(found->allocator, (size_t)out->triangle_count, 3 * sizeof *lists->indices);
    lists->faces = grz_allocate(found->allocator, (size_t)out->triangle_count, sizeof *lists->faces);
    if (lists->indices == NULL || lists->faces == NULL)
        return false;
    for (size_t t = 0; t < model->triangles.count; t++) {
        const grz_sight_triangle *triangle = &model->triangles.items[t];
        if (triangle->part != part)
            continue;
        for (size_t i = 0; i < 3; i++)
            lists->indices[3 * next + i] = numbers[triangle->corners[i]];
        lists->faces[next++] =
            triangle->source == GRZ_SIGHT_CAP ? GRZ_NO_FACE : grz_mesh_triangle_face(model->mesh, triangle->source);
    }
    out->indices = lists->indices;
    out->faces = lists->faces;
    return true;
}

static bool list_directions(const grz_sight_search *search, const grz_sight_choice *choice, grz_projections *found,
                            uint32_t part)
{
    grz_projections_lists *lists = &found->lists[part];
    lists->directions = grz_allocate(found->allocator, choice->count, sizeof *lists->directions);
    if (lists->directions == NULL)
        return false;
    for (uint32_t k = 0; k < choice->count; k++)
        memcpy(lists->directions[k], search->directions[choice->chosen[k]], sizeof lists->directions[0]);
    found->parts[part].directions = (const double(*)[3])lists->directions;
    found->parts[part].direction_count = choice->count;
    found->parts[part].fewest = choice->fewest;
    return true;
}

static grz_status list_parts(const grz_sight_search *search, const grz_sight_choice *choices, grz_projections *found)
{
    const size_t vertices = grz_sight_vertex_count(&search->model);
    uint32_t *numbers = grz_allocate(found->allocator, vertices, sizeof *numbers);
    bool done = numbers != NULL;
    for (uint32_t part = 0; part < found->summary.parts && done; part++)
        done = list_vertices(search, found, part, numbers) && list_triangles(search, found, part, numbers) &&
               list_directions(search, &choices[part], found, part);
    grz_release(found->allocator, numbers, vertices, sizeof *numbers);
    return done ? GRZ_OK : GRZ_ERROR_MEMORY;
}

static void write_coverage(const grz_sight_search *search, const grz_sight_tally *parts, const grz_sight_tally *poses,
                           grz_projections *found)
{
    grz_sight_tally all = {.weight = 0};
    for (uint32_t part = 0; part < found->summary.parts; part++) {
        found->parts[part].coverage = coverage_of(search, &parts[part], found->pose_count);
        all.weight += parts[part].weight;
        all.uncovered += parts[part].uncovered;
        all.unproved += parts[part].unproved;
        all.deepest = fmax(all.deepest, parts[part].deepest);
    }
    found->summary.coverage = coverage_of(search, &all, found->pose_count);
    for (uint32_t pose = 0; pose < found->pose_count; pose++)
        found->poses[pose] = coverage_of(search, &poses[pose], 1);
}

grz_status grz_projections_write(const grz_sight_search *search, const grz_sight_choice *choices,
                                 const grz_sight_tally *parts, const grz_sight_tally *poses, grz_projections **out)
{
    const grz_allocator *allocator = grz_control_allocator(search->control);
    const grz_mesh *mesh = search->surface->poses[0];
    grz_projections *found = *out = grz_allocate_zeroed(allocator, 1, sizeof *found);
    if (found == NULL)
        return GRZ_ERROR_MEMORY;
    grz_projections_summary *summary = &found->summary;
    grz_device_retain(search->device);
    found->device = search->device;
    found->allocator = grz_device_allocator(search->device);
    found->projection = search->projection;
    found->pose_count = search->surface->pose_count;
    found->vertex_count = mesh->vertex_count;
    found->triangle_count = mesh->triangle_count;
    found->face_count = mesh->face_count;
    *summary = (grz_projections_summary){.tolerance = search->tolerance / search->surface->frame.scale,
                                         .parts = search->model.part_count,
                                         .candidates = search->direction_count,
                                         .probes = search->surface->cells.count};
    for (uint32_t part = 0; part < summary->parts; part++) {
        summary->directions += choices[part].count;
        summary->fewest += choices[part].fewest;
    }
    found->poses = grz_allocate_zeroed(allocator, found->pose_count, sizeof *found->poses);
    found->parts = grz_allocate_zeroed(allocator, summary->parts, sizeof *found->parts);
    found->lists = grz_allocate_zeroed(allocator, summary->parts, sizeof *found->lists);
    if (found->poses == NULL || found->parts == NULL || found->lists == NULL ||
        !grz_array_reserve(allocator, &found->cuts, search->model.vertices.count))
        return GRZ_ERROR_MEMORY;
    found->cuts.count = search->model.vertices.count;
    for (size_t i = 0; i < found->cuts.count; i++)
        found->cuts.items[i] = search->model.vertices.items[i];
    write_coverage(search, parts, poses, found);
    return list_parts(search, choices, found);
}

void grz_projections_destroy(grz_projections *found)
{
    if (found == NULL)
        return;
    const grz_allocator *allocator = found->allocator;
    grz_device *device = found->device;
    for (uint32_t i = 0; i < found->summary.parts && found->lists != NULL && found->parts != NULL; i++) {
        const grz_projections_part *part = &found->parts[i];
        grz_projections_lists *lists = &found->lists[i];
        grz_release(allocator, lists->indices, (size_t)part->triangle_count, 3 * sizeof *lists->indices);
        grz_release(allocator, lists->faces, (size_t)part->triangle_count, sizeof *lists->faces);
        grz_release(allocator, lists->vertices, (size_t)part->vertex_count, sizeof *lists->vertices);
        grz_release(allocator, lists->directions, part->direction_count, sizeof *lists->directions);
    }
    grz_array_finish(allocator, &found->cuts);
    grz_release(allocator, found->poses, found->pose_count, sizeof *found->poses);
    grz_release(allocator, found->parts, found->summary.parts, sizeof *found->parts);
    grz_release(allocator, found->lists, found->summary.parts, sizeof *found->lists);
    grz_release(allocator, found, 1, sizeof *found);
    grz_device_release(device);
}

static grz_status compute_positions(const grz_projections *found, uint32_t part, const grz_mesh *mesh,
                                    double *positions)
{
    const grz_sight_model model = {.mesh = mesh,
                                   .vertices = {found->cuts.items, found->cuts.count, found->cuts.capacity}};
    const size_t count = grz_sight_vertex_count(&model);
    double(*all)[3] = grz_allocate(found->allocator, count, sizeof *all);
    if (all == NULL)
        return GRZ_ERROR_MEMORY;
    grz_sight_positions(&model, mesh, NULL, all);
    for (size_t v = 0; v < found->parts[part].vertex_count; v++)
        memcpy(positions + 3 * v, all[found->lists[part].vertices[v]], sizeof all[0]);
    grz_release(found->allocator, all, count, sizeof *all);
    return GRZ_OK;
}

grz_status grz_projections_positions(const grz_projections *found, uint32_t part, const grz_mesh *mesh,
                                     double *positions, grz_error *error)
{
    const grz_mesh *in_memory;
    if (found == NULL || mesh == NULL || positions == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "projections: the result, the mesh or the positions are NULL");
    if (part >= found->summary.parts)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, part, "projections: part %u of %u", part, found->summary.parts);
    grz_call call;
    grz_status status = grz_call_begin(&call, "projections", mesh->device, NULL, NULL, NULL, error);
    if (status == GRZ_OK)
        status = grz_mesh_in_memory(mesh, &call.control, &in_memory, error);
    if (status == GRZ_OK &&
        (in_memory->vertex_count != found->vertex_count || in_memory->triangle_count != found->triangle_count ||
         in_memory->face_count != found->face_count))
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                          "projections: the mesh has other faces than those that were examined");
    else if (status == GRZ_OK)
        status = grz_call_explain(&call, compute_positions(found, part, in_memory, positions));
    return grz_call_end(&call, status);
}

bool grz_projections_summary_of(const grz_projections *found, grz_projections_summary *summary)
{
    if (summary != NULL)
        *summary = found != NULL ? found->summary : (grz_projections_summary){.parts = 0};
    return found != NULL;
}

bool grz_projections_part_of(const grz_projections *found, uint32_t part, grz_projections_part *out)
{
    const bool is_there = found != NULL && part < found->summary.parts;
    if (out != NULL)
        *out = is_there ? found->parts[part] : (grz_projections_part){.triangle_count = 0};
    return is_there;
}

bool grz_projections_pose_of(const grz_projections *found, uint32_t pose, grz_coverage *coverage)
{
    const bool is_there = found != NULL && pose < found->pose_count;
    if (coverage != NULL)
        *coverage = is_there ? found->poses[pose] : (grz_coverage){.area = 0.0};
    return is_there;
}

bool grz_projections_heightmap(const grz_projections *found, uint32_t part, uint32_t direction,
                               grz_heightmap_options *options)
{
    if (found == NULL || part >= found->summary.parts || direction >= found->parts[part].direction_count)
        return false;
    if (options != NULL) {
        options->projection = found->projection;
        options->has_direction = true;
        options->both_sides = true;
        memcpy(options->direction, found->parts[part].directions[direction], sizeof options->direction);
    }
    return true;
}
