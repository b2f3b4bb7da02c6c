// SPDX-License-Identifier: MIT
/// @file
/// Picking by a region: which faces lie in a rectangle of a picture, hidden or not, and how far away? As OpenGL's
/// selection mode has it: a small viewport around the cursor, a list of hits with depths, hierarchical names.
///
/// Exact: a region is an intersection of half-spaces, and whether a face meets it is decided without rounding. OpenGL
/// may propose the faces; the answer has the same bytes on every device. docs/use/region.md has the guarantees.
///
/// @code
/// grz_region region;
/// grz_region_hit hits[64];
/// status = grz_region_of_pixels(view.to_pixels, x - 2.0, y - 2.0, x + 3.0, y + 3.0, &region, &error);
/// if (status == GRZ_OK)
///     status = grz_region_pick(device, grz_targets_of_objects(objects, 2), &region, NULL, hits, 64, &found, &error);
/// @endcode
#ifndef GRAZE_REGION_H
#define GRAZE_REGION_H

#include <graze/pick.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A region of space: all points on the inner side of six planes, those on a plane included. Plain data of the
/// caller's. Make it with grz_region_of_pixels(), or set it: all numbers are finite and at most 2^300 in magnitude.
typedef struct grz_region {
    /// A point (x, y, z) is inside if p[0]·x + p[1]·y + p[2]·z + p[3] >= 0, in real numbers, for each row p. A row
    /// (0, 0, 0, 1) lets all points through.
    double planes[6][4];
    /// The depth of a point: row 0 · (x, y, z, 1), divided by row 1 · (x, y, z, 1), which should be above 0 in all of
    /// the region. A vertex of a face's part in the region where it is not, behind the eye, counts with depth 0.
    double depth[2][4];
} grz_region;

/// Make the region that a rectangle of a picture shows, from depth 0 to depth 1.
///
/// The planes are rounded: each number to nearest from sums that are off by 2^-100 of their parts at most. What meets
/// these planes' region is exact.
///
/// @param to_pixels  world coordinates to the picture's, as in grz_picture_view and grz_ray_through_pixel(), of any
///                   camera
/// @param left       column in pixels, may be a fraction
/// @param top        row in pixels, from the top of the picture
/// @param right      column, above `left`: pixel c is from column c to c + 1
/// @param bottom     row, above `top`
/// @param region     receives the region; depths are 0 (near) to 1 (far)
/// @param error      may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT: NULL, numbers that are not finite or above 2^100, no such rectangle, or a matrix
///         for which a side of the region is not a plane
GRZ_API grz_status grz_region_of_pixels(const double to_pixels[4][4], double left, double top, double right,
                                        double bottom, grz_region *region, grz_error *error);

/// A face that meets a region.
typedef struct grz_region_hit {
    double depth_min; ///< the least depth of the face's part in the region: the double nearest to the exact one
    double depth_max; ///< the greatest, likewise
    uint32_t object;  ///< the object's index, in a scene its number
    uint32_t face;    ///< as the caller numbered it
} grz_region_hit;

/// Find all faces of objects that meet a region, hidden or not. Exact for the objects' posed positions rounded to
/// double (docs/reference/numbers.md): a face that only touches the region counts.
///
/// @param device        whose allocator gives the memory; the calling thread does the work
/// @param targets       as for grz_pick(), but objects without a mesh are left out
/// @param region        the region
/// @param options       as for grz_pick(); NULL means the defaults. skip_front and skip_back must be false
/// @param hits          receives the first hits: by object, then by face; each face once
/// @param capacity      there is room for so many
/// @param found         receives how many there are; it may be more than `capacity`. 0 after a failure
/// @param error         may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE (`element`: the object); GRZ_ERROR_UNSUPPORTED for another
///         method, or skip_front or skip_back; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
/// Thread-safety: as for grz_pick().
GRZ_API grz_status grz_region_pick(grz_device *device, grz_targets targets, const grz_region *region,
                                   const grz_pick_options *options, grz_region_hit *hits, uint64_t capacity,
                                   uint64_t *found, grz_error *error);

/// The answer of grz_region_pick(), byte for byte, from a device with OpenGL: shaders propose the faces, and no tree is
/// built. For meshes that deform, or whose positions are on the GPU.
///
/// @param device        one with OpenGL (it is opened if need be), with which the meshes were made
/// @param targets       as for grz_region_pick()
/// @param region        as for grz_region_pick()
/// @param options       as for grz_region_pick(); the method must not be set
/// @param hits          as for grz_region_pick()
/// @param capacity      there is room for so many
/// @param found         as for grz_region_pick()
/// @param error         may be NULL
/// @return as grz_region_pick(); GRZ_ERROR_UNSUPPORTED also without OpenGL; GRZ_ERROR_DEVICE; GRZ_ERROR_BUSY
/// Thread-safety: as for everything that uses OpenGL, see grz_device.
GRZ_API grz_status grz_region_pick_gl(grz_device *device, grz_targets targets, const grz_region *region,
                                      const grz_pick_options *options, grz_region_hit *hits, uint64_t capacity,
                                      uint64_t *found, grz_error *error);

/// The names of an object, outermost first, such as {assembly, part}: the name stack of OpenGL's selection mode when
/// the object is drawn. Plain data of the caller's.
typedef struct grz_name_path {
    const uint32_t *names; ///< `count` numbers that mean something to the caller; may be NULL if there are none
    uint32_t count;        ///< how many
} grz_name_path;

/// All hits whose objects have the same outer names, together.
typedef struct grz_region_record {
    const uint32_t *names; ///< the names that they share; borrowed from the caller's path of one of the objects
    uint32_t name_count;   ///< how many
    uint32_t object;       ///< the object of the foremost hit
    uint32_t face;         ///< its face; of several at one depth the first by object, then by face
    double depth_min;      ///< the least depth of the hits
    double depth_max;      ///< the greatest
    uint64_t hit_count;    ///< how many faces
} grz_region_record;

/// Means "all names of each path" for grz_region_join().
#define GRZ_ALL_NAMES UINT32_MAX

/// Join hits by the hierarchical names of their objects: one record for each assembly, part, or whatever the first
/// names stand for.
///
/// @param device        whose allocator gives the memory
/// @param hits          `hit_count` hits, as grz_region_pick() gives them
/// @param hit_count     how many; 0 is allowed
/// @param paths         the names of each object
/// @param object_count  how many paths; every hit's object is below it
/// @param levels        how many names of each path tell records apart; shorter paths count whole. 0: one record of
///                      all hits; GRZ_ALL_NAMES: all
/// @param records       receives the first records: the foremost first, then by names
/// @param capacity      there is room for so many
/// @param found         receives how many there are; it may be more than `capacity`. 0 after a failure
/// @param error         may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT (`element`: the hit or the path at fault); GRZ_ERROR_MEMORY
/// Thread-safety: safe.
/// @code
/// const uint32_t left_wheel[] = {CAR, WHEEL}, door[] = {CAR, DOOR}, tree[] = {TREE};
/// const grz_name_path paths[] = {{left_wheel, 2}, {door, 2}, {tree, 1}};
/// status = grz_region_join(device, hits, hit_count, paths, 3, 1, records, 2, &found, &error); // car and tree
/// @endcode
GRZ_API grz_status grz_region_join(grz_device *device, const grz_region_hit *hits, uint64_t hit_count,
                                   const grz_name_path *paths, uint32_t object_count, uint32_t levels,
                                   grz_region_record *records, uint64_t capacity, uint64_t *found, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
