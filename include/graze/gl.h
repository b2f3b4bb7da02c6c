// SPDX-License-Identifier: MIT
/// @file
/// Graze with OpenGL: meshes in buffers, captured triangles, what is drawn around an object, particles, pictures to
/// pick from, and the options of the image-space methods. With <graze/graze.h> that is all of the library.
#ifndef GRAZE_GL_H
#define GRAZE_GL_H

#include <graze/capture.h>
#include <graze/environment.h>
#include <graze/gl_mesh.h>
#include <graze/heightmap.h>
#include <graze/layers.h>
#include <graze/particles.h>
#include <graze/pick_image.h>
#include <graze/selection.h>
#include <graze/slices.h>

#endif
