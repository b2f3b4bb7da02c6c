// SPDX-License-Identifier: MIT
/// @file
/// Graze: exact collision detection between triangle meshes. This header brings in all
/// that works on the CPU; <graze/gl.h> brings in what needs OpenGL.
#ifndef GRAZE_GRAZE_H
#define GRAZE_GRAZE_H

#include <graze/batch.h>
#include <graze/collide.h>
#include <graze/contact_tracker.h>
#include <graze/convex_parts.h>
#include <graze/device.h>
#include <graze/discrete.h>
#include <graze/distance.h>
#include <graze/fit.h>
#include <graze/flat.h>
#include <graze/flight.h>
#include <graze/footsteps.h>
#include <graze/hull.h>
#include <graze/limits.h>
#include <graze/locate.h>
#include <graze/manifold.h>
#include <graze/mesh.h>
#include <graze/move.h>
#include <graze/move_deforming.h>
#include <graze/move_rigid.h>
#include <graze/mover.h>
#include <graze/object.h>
#include <graze/overlap.h>
#include <graze/penetration.h>
#include <graze/pick.h>
#include <graze/picture.h>
#include <graze/portals.h>
#include <graze/projections.h>
#include <graze/region.h>
#include <graze/scene.h>
#include <graze/shape.h>
#include <graze/shells.h>
#include <graze/status.h>
#include <graze/targets.h>

#endif
