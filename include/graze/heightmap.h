// SPDX-License-Identifier: MIT
/// @file
/// Settings of method `heightmap` for its discrete answer, and what that says. The exact answer of the method has none.
///
/// Object A is drawn into a height map over its oriented box: how far its front lies from the rear of the box, in every
/// pixel. Object B, its *environment*, is drawn in the same projection. Where the environment is nearer to the rear
/// than the front of the object, the pixel is a hit; with one hit the answer is that they collide. The map of the
/// object is kept until its positions change or other settings are asked for, so a query draws the environment once.
///
/// What lies between the rear of the box and the front of the object counts as the object. So gaps behind its front are
/// taken for solid. Missed are: an object that lies wholly inside its environment; what is thinner than a pixel; with
/// one map also solid bodies that reach through the rear of the box, because the faces that they show there are seen
/// from inside; surfaces at equal depth. An object without thickness along the direction is refused. Objects whose
/// axis-aligned boxes are apart are apart at once.
/// docs/internals/heightmap.md has a table of such cases.
#ifndef GRAZE_HEIGHTMAP_H
#define GRAZE_HEIGHTMAP_H

#include <graze/collide.h>
#include <graze/discrete.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Which height maps of the object are compared, after figure 3 of the paper. "Forwards" is along the direction of the
/// options.
typedef enum grz_projection {
    /// One map of the whole box: the surface that is farthest forwards. Meant for objects that move forwards.
    GRZ_PROJECTION_SINGLE,
    /// Two maps from the middle of the box, one forwards and one backwards. The environment is drawn twice, all its
    /// faces; a yes/no query ends after the first map that shows a collision.
    GRZ_PROJECTION_OPPOSITE,
    /// Two maps of the whole box on one axis, of the surfaces farthest forwards and farthest backwards. The environment
    /// is drawn once and must lie between them. Only its part nearest to the rear of the box is seen: one that lies
    /// behind the object hides what follows it in the same pixel.
    GRZ_PROJECTION_BOUNDED,
    /// As GRZ_PROJECTION_OPPOSITE, with both maps in one picture: one comparison instead of two.
    GRZ_PROJECTION_COMBINED,
    /// As GRZ_PROJECTION_SINGLE, along the shortest edge of the box unless a direction is given: a car on its floor.
    GRZ_PROJECTION_FLOOR
} grz_projection;

/// Settings of the method. Start from grz_default_heightmap_options().
///
/// Statistics of a discrete answer (grz_result_statistic()): resolution: pixels a side of a map; maps: of the
/// environment that were compared, 1 or 2; pixels: that the object covers in these maps; hits: those of them where
/// the environment is nearer than the object's front.
typedef struct grz_heightmap_options {
    size_t size;               ///< sizeof this structure, as the caller knows it
    uint32_t resolution;       ///< pixels a side of a map, at least 1; 128 unless set. All maps take at most 1 GiB.
                               ///< Large maps are drawn in one piece: `cancel` and `deadline` wait for that
    grz_projection projection; ///< GRZ_PROJECTION_SINGLE unless set
    /// Look along `direction`. Otherwise along the longest edge of the mesh's box (GRZ_PROJECTION_FLOOR: the shortest),
    /// whatever a pose stretches, turned so that its largest coordinate is positive.
    bool has_direction;
    double direction[3]; ///< of the object's mesh, in its own coordinates: it moves with the object. Finite and not 0
    /// Draw the environment only where the object covers a pixel. Changes the time, never the answer.
    bool stencil;
    /// Draw all faces, whatever side they show. Unless set, only faces of the object that point forwards are drawn (for
    /// a rear of GRZ_PROJECTION_BOUNDED: backwards), and with one map only faces of the environment that point
    /// backwards, as the paper has it. That is right for closed meshes that are wound consistently, with normals
    /// outwards. Set it for others.
    bool both_sides;
} grz_heightmap_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_heightmap_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_heightmap_options_init(grz_heightmap_options *options, size_t size);

/// @return the settings that are used if no others are given.
GRZ_INLINE grz_heightmap_options grz_default_heightmap_options(void)
{
    grz_heightmap_options options;
    grz_heightmap_options_init(&options, sizeof options);
    return options;
}

#ifdef __cplusplus
}
#endif

#endif
