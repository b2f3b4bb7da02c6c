// SPDX-License-Identifier: MIT
// Particles in builds without OpenGL: there are none.
#include "level/particles/particles_options.h"

#include "base/fail.h"

// The parameters are those of the public functions.
// NOLINTBEGIN(readability-non-const-parameter)
static grz_status refuse(grz_error *error)
{
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "particles: OpenGL is not in this build");
}

grz_status grz_particle_map_create(grz_device *device, const grz_particle_map_options *options, grz_particle_map **map,
                                   grz_error *error)
{
    (void)device;
    (void)options;
    if (map != NULL)
        *map = NULL;
    return refuse(error);
}

void grz_particle_map_destroy(grz_particle_map *map)
{
    (void)map;
}

grz_status grz_particle_map_draw(grz_particle_map *map, const grz_environment *environment, grz_error *error)
{
    (void)map;
    (void)environment;
    return refuse(error);
}

grz_status grz_particle_map_step(grz_particle_map *map, const grz_particle_array *particles,
                                 const grz_particle_step *step, grz_particle_answer *answer, grz_error *error)
{
    (void)map;
    (void)particles;
    (void)step;
    if (answer != NULL)
        *answer = (grz_particle_answer){.moved = 0};
    return refuse(error);
}

const grz_particle_hit *grz_particle_map_hits(const grz_particle_map *map, uint64_t *count)
{
    (void)map;
    if (count != NULL)
        *count = 0;
    return NULL;
}

uint64_t grz_particle_map_overfull(const grz_particle_map *map)
{
    (void)map;
    return 0;
}

bool grz_particle_map_buffers_of(const grz_particle_map *map, grz_particle_map_buffers *buffers)
{
    (void)map;
    if (buffers != NULL)
        *buffers = (grz_particle_map_buffers){.resolution = 0};
    return false;
}
// NOLINTEND(readability-non-const-parameter)
