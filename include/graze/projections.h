// SPDX-License-Identifier: MIT
/// @file
/// From which directions height maps should look at an object: chosen from the mesh alone.
///
/// A height map (<graze/heightmap.h>) takes gaps of the object for solid if they lie between surfaces on a line of
/// sight. Several maps along different directions take for solid only what all of them do, if "hit" means that every
/// map hits. These calls look for few directions such that what remains of the gaps at the surface is thinner than a
/// tolerance. Where no set of directions is enough, the object is split into parts with maps of their own.
///
/// A large obstacle may make every map hit although it is clear of the object: each in another gap. So a hit stays a
/// discrete answer, with fewer that are invented.
///
/// How well a direction sees is measured at *probes*. The surface of the mesh is divided into small cells, and a probe
/// stands in the empty space just in front of each. A direction *covers* the probe if its map does not take the probe
/// for solid, or if the way out of the solid, to the object's next surface in front of it on the line of sight or to
/// the end of the solid, is no longer than the tolerance. Space that is far from any surface is not looked at: see
/// grz_projections_summary::invented_volume. What counts as solid on a line of sight is
///
/// - GRZ_PROJECTION_BOUNDED: from the first surface of the part to the last;
/// - GRZ_PROJECTION_OPPOSITE and GRZ_PROJECTION_COMBINED: the same, extended to the middle of the part;
/// - GRZ_PROJECTION_SINGLE and GRZ_PROJECTION_FLOOR: the same, extended to the rear of the part.
///
/// A line of sight that meets no surface of the part has nothing solid. All of this is computed in doubles on the CPU;
/// no OpenGL is needed. docs/internals/heightmap.md has the method, its proof and its limits.
///
/// @code
/// grz_projections *found;
/// grz_projections_part part;
/// status = grz_projections_find(device, &mesh, 1, NULL, &found, &error); // mesh: const grz_mesh *
/// grz_projections_part_of(found, 0, &part);                                // part.direction_count directions
/// grz_projections_heightmap(found, 0, 0, &settings);                       // grz_heightmap_options for its first map
/// @endcode
#ifndef GRAZE_PROJECTIONS_H
#define GRAZE_PROJECTIONS_H

#include <graze/heightmap.h>
#include <graze/limits.h>
#include <graze/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The most directions that one call can try, the caller's included.
#define GRZ_MAX_CANDIDATES 256u

/// What is looked for. Start from grz_default_projections_options().
typedef struct grz_projections_options {
    size_t size;       ///< sizeof this structure, as the caller knows it
    grz_limits limits; ///< cancelling, deadline, memory, progress
    /// Gaps up to this length may be taken for solid. In mesh units; at least 2^-14 of the diagonal of the box around
    /// all poses. 0, the default: a hundredth of that diagonal.
    double tolerance;
    /// How many cells the surface of each pose is divided into, about: more make `bound` smaller. Each triangle with an
    /// area has one at least. 1 to 2^22; 16,384 unless set
    uint32_t cells;
    /// Directions of a regular grid that are tried, at least: 3, 9, 13, 25, 37 or 49 of them, the next larger of these
    /// numbers. The axes of the mesh's box, its most common normals and their cross products are tried as well, as far
    /// as there is room after `directions`. 0 to 49; 49 unless set
    uint32_t candidates;
    /// direction_count × 3 numbers: directions that are tried as well, and first. In mesh coordinates, of any length
    /// but 0. Borrowed for the call. May be NULL
    const double *directions;
    /// 0 unless set. At most GRZ_MAX_CANDIDATES; half of that for GRZ_PROJECTION_SINGLE and GRZ_PROJECTION_FLOOR, which
    /// try each direction in both senses. With so many no others are tried.
    uint32_t direction_count;
    uint32_t max_directions; ///< of one part, 1 to 64; 8 unless set
    uint32_t max_parts;      ///< 1: do not split. At most 256; 8 unless set
    /// 0 to 1: one direction more, or one part more, must be needed for more than this share of the surface. 0.001
    /// unless set
    double uncovered_share;
    grz_projection projection;   ///< of the maps that will be drawn; GRZ_PROJECTION_SINGLE unless set
    grz_inside_rule inside_rule; ///< says what is empty space; GRZ_EVEN_ODD unless set
} grz_projections_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_projections_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_projections_options_init(grz_projections_options *options, size_t size);

/// @return options for a tolerance of a hundredth of the mesh's diagonal.
GRZ_INLINE grz_projections_options grz_default_projections_options(void)
{
    grz_projections_options options;
    grz_projections_options_init(&options, sizeof options);
    return options;
}

/// Opaque: directions and parts that were found. It does not change after it was made.
///
/// Thread-safety: any number of threads may read it.
typedef struct grz_projections grz_projections;

/// How much of a surface is covered.
typedef struct grz_coverage {
    double area; ///< of the surface; of several poses: their mean. In squares of mesh units, as all areas here
    /// Of the cells whose probe is not covered: all maps of some part take it for solid. A cell with empty space on
    /// both sides is half covered if one of its probes is
    double uncovered;
    /// The sampling error: the area of the cells that count as covered because their probe is, but are not proved to be
    /// covered everywhere. The uncovered area of the surface is at most uncovered + bound, apart from the rounding of
    /// doubles, if the mesh does not cross itself.
    double bound;
    /// The deepest gap in front of an uncovered probe: the distance to the next surface along the best of the
    /// directions. 0 if all are covered. In mesh units
    double deepest;
} grz_coverage;

/// What was found, in numbers.
typedef struct grz_projections_summary {
    double tolerance;      ///< that was used, in mesh units
    uint32_t parts;        ///< 1: not split
    uint32_t directions;   ///< of all parts together
    uint32_t fewest;       ///< sum over all parts: see grz_projections_part::fewest
    uint32_t candidates;   ///< directions that were tried
    uint64_t probes;       ///< of all poses
    grz_coverage coverage; ///< of the whole surface, over all poses
    /// An estimate of the empty space that the maps take for solid, in gaps deeper than the tolerance: those of all
    /// maps of some part. A regular grid of 24 × 24 × 24 points in the box of each pose is tested. In cubes of mesh
    /// units; mean of the poses
    double invented_volume;
    /// The same if there were one map, of the whole object, along the first direction of the first part.
    double invented_volume_of_one;
} grz_projections_summary;

/// The face of a triangle that closes a part where it was cut off: none.
#define GRZ_NO_FACE UINT32_MAX

/// A part of the object, and the directions from which height maps should look at it. All pointers are borrowed from
/// the grz_projections.
///
/// Parts are cut apart by planes, in the first pose, and closed there by flat triangles. Together they are the whole
/// object. In a later pose cuts move with the surface, and may no longer be flat. A part has no gaps, but its triangles
/// need not meet at whole edges: grz_mesh_check() may call it open.
typedef struct grz_projections_part {
    const uint32_t *indices; ///< triangle_count × 3 vertex numbers of the part: the mesh's triangles, if not split
    const uint32_t *faces;   ///< triangle_count numbers: the mesh's face that each is a piece of, or GRZ_NO_FACE
    uint64_t triangle_count; ///< at least 1
    uint64_t vertex_count;   ///< positions come from grz_projections_positions()
    const double (*directions)[3]; ///< direction_count unit vectors, mesh coordinates, best first
    uint32_t direction_count;      ///< at least 1
    /// A proved lower bound: fewer than so many of the directions that were tried cannot cover as much of the part, by
    /// its probes. direction_count - fewest is the excess: at most so many of the directions found are superfluous.
    uint32_t fewest;
    grz_coverage coverage; ///< of the part, over all poses
} grz_projections_part;

/// Find few directions for the height maps of a mesh, and split it where needed.
///
/// Directions are chosen greedily: each time the one that covers the largest area not yet covered. Those that others
/// make superfluous are dropped. The answer is the same bytes at every run, with any number of threads.
///
/// The time grows with cells × candidates × poses, and with the number of surfaces that lie one behind the other.
///
/// @param device   whose threads do the work and whose allocator gives the memory; kept alive by the result
/// @param poses    `count` meshes of the same faces: an animation's poses, or one mesh. Each is closed. The directions
///                 and parts suit all of them. Borrowed for the call
/// @param count    1 to 65536
/// @param options  NULL means the defaults
/// @param found    receives the result; NULL on failure. Destroy it with grz_projections_destroy()
/// @param error    may be NULL. `element` is the number of the pose, or of the direction, at fault
/// @return GRZ_OK, also if a part of the surface stays uncovered; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MESH for a mesh that is
///         open, has no area, or is wound inconsistently under GRZ_NONZERO; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED;
///         GRZ_ERROR_DEADLINE; what reading a mesh in OpenGL buffers returns; GRZ_ERROR_UNSUPPORTED for a mesh of 2^31
///         triangles or more
/// Thread-safety: safe together with queries on the same meshes.
GRZ_API grz_status grz_projections_find(grz_device *device, const grz_mesh *const *poses, uint32_t count,
                                        const grz_projections_options *options, grz_projections **found,
                                        grz_error *error);

/// Destroy a result. NULL is accepted.
GRZ_API void grz_projections_destroy(grz_projections *found);

/// Read the numbers of a result.
///
/// @param found    may be NULL
/// @param summary  receives the numbers; all 0 for NULL
/// @return whether there are any
GRZ_API bool grz_projections_summary_of(const grz_projections *found, grz_projections_summary *summary);

/// Read one part.
///
/// @param found  may be NULL
/// @param part   a number below grz_projections_summary::parts
/// @param out    receives the part; all 0 if there is none of that number
/// @return whether there is one
GRZ_API bool grz_projections_part_of(const grz_projections *found, uint32_t part, grz_projections_part *out);

/// Read how much of one pose is covered.
///
/// @param found     may be NULL
/// @param pose      a number below the `count` of grz_projections_find()
/// @param coverage  receives the numbers; all 0 if there is no such pose
/// @return whether there is one
GRZ_API bool grz_projections_pose_of(const grz_projections *found, uint32_t pose, grz_coverage *coverage);

/// Compute where the vertices of a part are, for any pose of the mesh, also one that was not examined.
///
/// @param found      may not be NULL
/// @param part       a number below grz_projections_summary::parts
/// @param mesh       with the same faces as the poses that were examined
/// @param positions  receives grz_projections_part::vertex_count × 3 numbers, mesh coordinates: for grz_mesh_create()
///                   together with `indices`, or for grz_mesh_set_positions()
/// @param error      may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY; what reading a mesh in OpenGL buffers returns
/// Thread-safety: safe together with queries on the same mesh.
GRZ_API grz_status grz_projections_positions(const grz_projections *found, uint32_t part, const grz_mesh *mesh,
                                             double *positions, grz_error *error);

/// Set a height map to one direction of a part: its direction, its projection, and `both_sides`, so that obstacles
/// count whichever side they show. Other settings stay as they are.
///
/// The map is one of the part's mesh, or of the whole mesh if it was not split. The object hits if, for some part, the
/// maps along all of its directions hit.
///
/// @param found      may be NULL
/// @param part       a number below grz_projections_summary::parts
/// @param direction  a number below grz_projections_part::direction_count
/// @param options    from grz_default_heightmap_options(); unchanged if there is no such direction
/// @return whether there is such a direction
GRZ_API bool grz_projections_heightmap(const grz_projections *found, uint32_t part, uint32_t direction,
                                       grz_heightmap_options *options);

#ifdef __cplusplus
}
#endif

#endif
