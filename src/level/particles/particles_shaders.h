// SPDX-License-Identifier: MIT
// The shaders of particles. The build makes one grz_gl_stage of each file under level/particles/shaders
// (cmake/GrazeGL.cmake).
#ifndef GRZ_LEVEL_PARTICLES_PARTICLES_SHADERS_H
#define GRZ_LEVEL_PARTICLES_PARTICLES_SHADERS_H

#include "gpu/mesh_shaders.h"
#include "level/particles/shaders/particles_bindings.h"

extern const grz_gl_stage grz_shader_particles_insert_comp, grz_shader_particles_overfull_comp;
extern const grz_gl_stage grz_shader_particles_step_comp;

#endif
