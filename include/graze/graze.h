// SPDX-License-Identifier: MIT
/// @file
/// Graze: exact collision detection between triangle meshes. This header brings in all the others.
#ifndef GRAZE_GRAZE_H
#define GRAZE_GRAZE_H

#include <graze/batch.h>
#include <graze/capture.h>
#include <graze/collide.h>
#include <graze/convex_parts.h>
#include <graze/deforming.h>
#include <graze/device.h>
#include <graze/discrete.h>
#include <graze/distance.h>
#include <graze/environment.h>
#include <graze/fit.h>
#include <graze/footsteps.h>
#include <graze/gl_mesh.h>
#include <graze/heightmap.h>
#include <graze/hull.h>
#include <graze/layers.h>
#include <graze/locate.h>
#include <graze/manifold.h>
#include <graze/mesh.h>
#include <graze/motion.h>
#include <graze/mover.h>
#include <graze/object.h>
#include <graze/particles.h>
#include <graze/penetration.h>
#include <graze/pick.h>
#include <graze/pick_image.h>
#include <graze/picture.h>
#include <graze/portals.h>
#include <graze/projections.h>
#include <graze/region.h>
#include <graze/rigid_motion.h>
#include <graze/scene.h>
#include <graze/selection.h>
#include <graze/shape.h>
#include <graze/shoot.h>
#include <graze/slices.h>
#include <graze/status.h>

#endif
