// SPDX-License-Identifier: MIT
/// @file
/// Rays and segments against objects: what does a ray hit first, what else, or anything at all?
///
/// Exact: a ray is origin + t · direction in real numbers, and each hit is decided without rounding. No ray slips
/// through between two triangles that share an edge or a vertex, however far away or small they are. docs/use/pick.md
/// has the guarantees and the cost.
///
/// @code
/// grz_ray ray = grz_ray_along(eye, direction);
/// grz_ray_hit hit;
/// const grz_targets targets = grz_targets_of_objects(&object, 1);
/// if (grz_pick(device, targets, &ray, 1, NULL, &hit, &error) == GRZ_OK && hit.face != GRZ_NO_FACE)
///     printf("face %u, %g away\n", hit.face, hit.distance);
/// @endcode
#ifndef GRAZE_PICK_H
#define GRAZE_PICK_H

#include <graze/distance.h>
#include <graze/limits.h>
#include <graze/targets.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Part of a line: the points origin + t · (direction + tail) with from <= t <= to, both ends included. Plain data of
/// the caller's. Make it with grz_ray_along(), grz_ray_between() or grz_ray_through_pixel().
typedef struct grz_ray {
    double origin[3];    ///< world coordinates, finite, at most 2^300 in magnitude
    double direction[3]; ///< of any length but 0; finite, at most 2^300 in magnitude
    double tail[3];      ///< added to `direction` exactly: what is lost when two points are subtracted; else zeros
    double from;         ///< where it begins; -infinity: it has no begin
    double to;           ///< where it ends, not before `from`; infinity: it has no end
} grz_ray;

/// @return the ray that begins at a point and has no end: t from 0.
/// @param origin     three numbers, world coordinates
/// @param direction  three numbers; its length is the unit of t. If either pointer is NULL, all is 0: no query takes it
GRZ_API grz_ray grz_ray_along(const double origin[3], const double direction[3]);

/// @return the segment between two points: t from 0 to 1. Its direction is their exact difference.
/// @param p,q  three numbers each, world coordinates. If either pointer is NULL, all is 0: no query takes it
GRZ_API grz_ray grz_ray_between(const double p[3], const double q[3]);

/// Make the ray from the eye through a point of a picture, for picking by a cursor.
///
/// The ray is rounded, by more where the matrix is nearly singular. What it then hits is exact.
///
/// @param to_pixels  world coordinates to the picture's, as in grz_picture_view: column and row in pixels from the top
///                   left corner, and depth 0 (near) to 1 (far). Of any camera: multiply the projection, the view and
///                   the map from clip coordinates to pixels
/// @param column     pixels from the left, may be a fraction: column 0.5 is the middle of the first pixel
/// @param row        pixels from the top
/// @param ray        receives the ray: t = 0 at depth 0, t = 1 at depth 1
/// @param error      may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT: NULL, numbers that are not finite, or a matrix that has no inverse there
GRZ_API grz_status grz_ray_through_pixel(const double to_pixels[4][4], double column, double row, grz_ray *ray,
                                         grz_error *error);

/// From where a ray comes to a face.
typedef enum grz_ray_side {
    GRZ_RAY_FRONT, ///< from the side that the face's normal points to: where its corners run counter-clockwise
    GRZ_RAY_BACK,  ///< from the other side
    GRZ_RAY_ALONG  ///< it runs in the face's plane, or the face has no area
} grz_ray_side;

/// A point where a ray meets a face. Without a hit: face and object are GRZ_NO_FACE and GRZ_NO_OBJECT, t and distance
/// infinite, all other numbers 0.
typedef struct grz_ray_hit {
    double t;         ///< the double nearest to the exact parameter, ties to even; infinite beyond all doubles
    double lower;     ///< lower <= exact parameter <= upper: equal to t, or the two doubles around it: GRZ_EXACT
    double upper;     ///< see `lower`
    double distance;  ///< from the origin, in world units: |t · (direction + tail)|, rounded once (docs/use/pick.md)
    double point[3];  ///< world coordinates, each rounded to the nearest double from the exact point
    double normal[3]; ///< of the face's triangle that was hit, of length 1, by the right-hand rule; zeros: no area
    uint32_t object;  ///< the object's index, in a scene its number
    uint32_t face;    ///< as the caller numbered it; of several at the same t, the first by object, then by face
    grz_feature feature; ///< the smallest part of the face that holds the point: a vertex, an edge, or the interior
    grz_ray_side side;   ///< from which side the ray comes
} grz_ray_hit;

/// Means "no object" in grz_ray_hit.
#define GRZ_NO_OBJECT UINT32_MAX

/// Options of grz_pick() and of the calls beside it. Start from grz_default_pick_options().
typedef struct grz_pick_options {
    size_t size;       ///< sizeof this structure, as the caller knows it
    grz_limits limits; ///< cancelling, deadline, memory, progress
    /// "bvh"; "naive" (tests all triangles); a spatial structure: "grid", "octree", "kdtree", "bsp", "obbtree", "kdop"
    /// (not for regions); NULL or "auto": bvh. All give the same answer.
    const char *method;
    uint32_t mask;   ///< only objects with a `group` that has one of these bits; all bits unless set
    bool skip_front; ///< pass through faces that the ray meets from the front; false unless set
    bool skip_back;  ///< pass through faces that it meets from behind; false unless set
} grz_pick_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_pick_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_pick_options_init(grz_pick_options *options, size_t size);

/// @return options for all objects and both sides, without limits.
GRZ_INLINE grz_pick_options grz_default_pick_options(void)
{
    grz_pick_options options;
    grz_pick_options_init(&options, sizeof options);
    return options;
}

/// Find what each of many rays hits first. Exact for the objects' posed positions rounded to double
/// (docs/reference/numbers.md).
///
/// All threads of the device are used; answers do not depend on their number, nor on the order of rays. A ray that
/// begins on a face hits it at t = `from`. A ray that runs along a face hits it where it enters it. The first call for
/// a mesh builds its tree; many rays pack it, which takes memory (docs/use/pick.md). Rays take less time if neighbours
/// in `rays` go nearly the same way, as those through the pixels of a row do.
///
/// @param device        whose threads do the work and whose allocator gives the memory
/// @param targets       the objects, or the scene, which must be of this device and does not change
/// @param rays          `ray_count` rays
/// @param ray_count     how many; 0 is allowed
/// @param options       NULL means the defaults
/// @param hits          receives `ray_count` answers. After a failure all of them are "no hit"
/// @param error         may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT (`element`: the ray or the object at fault); GRZ_ERROR_POSE (`element`: the
///         object); GRZ_ERROR_UNSUPPORTED for another method; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
/// Thread-safety: safe together with other queries on the same meshes, if the answers are different. A scene must not
/// be used by another thread at the same time.
GRZ_API grz_status grz_pick(grz_device *device, grz_targets targets, const grz_ray *rays, uint64_t ray_count,
                            const grz_pick_options *options, grz_ray_hit *hits, grz_error *error);

/// Find out of each of many rays whether it hits anything: is there something between two points? Takes less time than
/// grz_pick().
///
/// @param device        as for grz_pick()
/// @param targets       as for grz_pick()
/// @param rays          as for grz_pick()
/// @param ray_count     as for grz_pick()
/// @param options       as for grz_pick()
/// @param hits          receives `ray_count` answers. After a failure all of them are false
/// @param error         may be NULL
/// @return as grz_pick()
/// Thread-safety: as for grz_pick().
GRZ_API grz_status grz_pick_any(grz_device *device, grz_targets targets, const grz_ray *rays, uint64_t ray_count,
                                const grz_pick_options *options, bool *hits, grz_error *error);

/// Find all that a ray hits, in order: by t, then by object, then by face. A face is listed once for each stretch of
/// the ray that is on it, where the ray enters it: once for a face that it passes through, or that it runs along.
///
/// @param device        whose allocator gives the memory; the calling thread does the work
/// @param targets       as for grz_pick()
/// @param ray           the ray
/// @param options       as for grz_pick()
/// @param hits          receives the first hits
/// @param capacity      there is room for so many
/// @param found         receives how many there are; it may be more than `capacity`. 0 after a failure
/// @param error         may be NULL
/// @return as grz_pick()
/// Thread-safety: as for grz_pick().
/// @code
/// grz_ray_hit hits[16];
/// const grz_targets targets = grz_targets_of_objects(&wall, 1);
/// status = grz_pick_all(device, targets, &ray, NULL, hits, 16, &found, &error);
/// @endcode
GRZ_API grz_status grz_pick_all(grz_device *device, grz_targets targets, const grz_ray *ray,
                                const grz_pick_options *options, grz_ray_hit *hits, uint64_t capacity, uint64_t *found,
                                grz_error *error);

/// An object whose box a ray meets. Approximate, on the safe side: the ray may miss the object.
typedef struct grz_box_hit {
    double enter;    ///< the ray is in no point of the box before this parameter; not before the ray's `from`
    double leave;    ///< nor after this one; not after the ray's `to`
    uint32_t object; ///< the object's index, in a scene its number
} grz_box_hit;

/// Find the objects whose bounding boxes a ray meets: picking by extents. Approximate: no triangle is looked at, so the
/// ray may miss an object that is listed. But every object that grz_pick_all() finds on the ray is listed, and its hits
/// are between `enter` and `leave`. The boxes are those of grz_object_bounds().
///
/// The time does not depend on the meshes, and nothing is built for them.
///
/// @param device        as for grz_pick_all()
/// @param targets       as for grz_pick()
/// @param ray           the ray
/// @param options       as for grz_pick(); only `mask` and `limits` matter
/// @param hits          receives the first objects: in the order of `enter`, then of their numbers
/// @param capacity      there is room for so many
/// @param found         as for grz_pick_all()
/// @param error         may be NULL
/// @return as grz_pick()
/// Thread-safety: as for grz_pick().
GRZ_API grz_status grz_pick_boxes(grz_device *device, grz_targets targets, const grz_ray *ray,
                                  const grz_pick_options *options, grz_box_hit *hits, uint64_t capacity,
                                  uint64_t *found, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
