// SPDX-License-Identifier: MIT
// Makes a mesh and its maps of each part that was found (found.h).
#include "found.h"

#include <stdlib.h>

#include "base/clock.h"

static void make_part(run *r, const grz_mesh *mesh, uint32_t number, uint32_t resolution, found_maps *out)
{
    grz_projections_part part;
    grz_error error;
    if (!grz_projections_part_of(out->found, number, &part) || part.direction_count > FOUND_MAPS)
        peer_die("too many directions");
    out->positions[number] = malloc(part.vertex_count * sizeof *out->positions[number]);
    if (out->positions[number] == NULL)
        peer_die("out of memory");
    check(grz_projections_positions(out->found, number, mesh, out->positions[number][0], &error), &error);
    const grz_mesh_description description = grz_mesh_description_from_triangles(
        out->positions[number], GRZ_FLOAT64, part.vertex_count, part.indices, part.triangle_count);
    check(grz_mesh_create(r->device, &description, &out->parts[number], &error), &error);
    out->map_counts[number] = part.direction_count;
    for (uint32_t i = 0; i < part.direction_count; i++) {
        grz_heightmap_options options = grz_default_heightmap_options();
        options.resolution = resolution;
        grz_projections_heightmap(out->found, number, i, &options);
        check(grz_heightmap_create(r->device, out->parts[number], &options, &out->maps[number][i], &error), &error);
    }
}

void found_open(run *r, const grz_mesh *const *poses, uint32_t count, grz_projection projection, uint32_t resolution,
                found_maps *out)
{
    grz_projections_options options = grz_default_projections_options();
    grz_error error;
    const double start = grz_clock_seconds();
    *out = (found_maps){.found = NULL};
    options.projection = projection;
    options.inside_rule = GRZ_NONZERO; // parts of ships overlap
    options.max_parts = FOUND_PARTS;
    options.max_directions = FOUND_MAPS;
    check(grz_projections_find(r->device, poses, count, &options, &out->found, &error), &error);
    out->seconds = grz_clock_seconds() - start;
    grz_projections_summary_of(out->found, &out->summary);
    for (uint32_t i = 0; i < out->summary.parts; i++)
        make_part(r, poses[0], i, resolution, out);
}

void found_follow(found_maps *f, const grz_mesh *mesh)
{
    grz_error error;
    for (uint32_t i = 0; i < f->summary.parts; i++) {
        check(grz_projections_positions(f->found, i, mesh, f->positions[i][0], &error), &error);
        check(grz_mesh_set_positions(f->parts[i], f->positions[i], &error), &error);
    }
}

bool found_ask(found_maps *f, const grz_pose *pose, const grz_object *other)
{
    grz_environment environment = grz_default_environment();
    environment.objects = other;
    environment.object_count = 1;
    for (uint32_t i = 0; i < f->summary.parts; i++) {
        const grz_object part = grz_object_at(f->parts[i], *pose);
        bool all = true;
        for (uint32_t k = 0; k < f->map_counts[i] && all; k++) {
            grz_heightmap_answer answer;
            grz_error error;
            check(grz_heightmap_collide(f->maps[i][k], &part, &environment, &answer, &error), &error);
            all = answer.colliding;
        }
        if (all)
            return true;
    }
    return false;
}

void found_close(found_maps *f)
{
    for (uint32_t i = 0; i < f->summary.parts; i++) {
        for (uint32_t k = 0; k < f->map_counts[i]; k++)
            grz_heightmap_destroy(f->maps[i][k]);
        grz_mesh_destroy(f->parts[i]);
        free(f->positions[i]);
    }
    grz_projections_destroy(f->found);
}

void found_print(const found_maps *f)
{
    const grz_coverage *coverage = &f->summary.coverage;
    printf("    directions found in %.1f s: %u parts, %u maps (at least %u); %.2f %% of the surface uncovered;",
           f->seconds, f->summary.parts, f->summary.directions, f->summary.fewest,
           100.0 * coverage->uncovered / coverage->area);
    for (uint32_t i = 0; i < f->summary.parts; i++) {
        grz_projections_part part;
        grz_projections_part_of(f->found, i, &part);
        printf("%s", i > 0 ? " |" : "");
        for (uint32_t k = 0; k < part.direction_count; k++)
            printf(" (%.2f %.2f %.2f)", part.directions[k][0], part.directions[k][1], part.directions[k][2]);
    }
    printf("\n");
}
