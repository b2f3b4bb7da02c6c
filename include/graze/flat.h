// SPDX-License-Identifier: MIT
/// @file
/// The plane: points, boxes and segments in two dimensions. Which of them overlap, which are in a box or a circle,
/// which is nearest to a point, what does a ray meet?
///
/// For floors, maps and footprints, where the third coordinate says nothing. All answers are exact for the doubles
/// given: closed sets, so touching counts. docs/use/flat.md has the pictures, docs/reference/structures.md the costs.
///
/// @code
/// const grz_flat_item items[] = {grz_flat_box(0.0, 0.0, 4.0, 1.0), grz_flat_point(2.0, 1.0),
///                                grz_flat_segment(5.0, 0.0, 9.0, 3.0)};
/// status = grz_flat_create(device, items, 3, NULL, &flat, &error);
/// status = grz_flat_pairs(flat, NULL, pairs, 16, &found, &error); // found is 1: items 0 and 1 touch
/// @endcode
#ifndef GRAZE_FLAT_H
#define GRAZE_FLAT_H

#include <graze/device.h>
#include <graze/limits.h>
#include <graze/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Opaque. A set of items in the plane, kept in a structure to search in. It keeps its device alive.
///
/// Thread-safety: grz_flat_add(), grz_flat_move(), grz_flat_remove() and grz_flat_destroy() need it alone. All other
/// functions may run at once.
typedef struct grz_flat grz_flat;

/// In place of an item's number: there is none.
#define GRZ_FLAT_NONE UINT32_MAX

/// What an item is. Each is a closed set of points.
typedef enum grz_flat_kind {
    GRZ_FLAT_POINT,  ///< the point `from`; `to` must be the same
    GRZ_FLAT_BOX,    ///< all points between the corners `from` (the lower one) and `to`; it may have no width or height
    GRZ_FLAT_SEGMENT ///< the points between the ends `from` and `to`, which may be the same
} grz_flat_kind;

/// An item. Plain data of the caller's. Coordinates are finite and at most 2^300 in magnitude.
typedef struct grz_flat_item {
    double from[2];     ///< the point, the lower corner, or one end
    double to[2];       ///< the same point, the upper corner, or the other end
    grz_flat_kind kind; ///< what it is
} grz_flat_item;

/// @return the point (x, y)
GRZ_INLINE grz_flat_item grz_flat_point(double x, double y)
{
    const grz_flat_item item = {{x, y}, {x, y}, GRZ_FLAT_POINT};
    return item;
}

/// @return the box from the corner (min_x, min_y) to the corner (max_x, max_y)
GRZ_INLINE grz_flat_item grz_flat_box(double min_x, double min_y, double max_x, double max_y)
{
    const grz_flat_item item = {{min_x, min_y}, {max_x, max_y}, GRZ_FLAT_BOX};
    return item;
}

/// @return the segment between the points (from_x, from_y) and (to_x, to_y)
GRZ_INLINE grz_flat_item grz_flat_segment(double from_x, double from_y, double to_x, double to_y)
{
    const grz_flat_item item = {{from_x, from_y}, {to_x, to_y}, GRZ_FLAT_SEGMENT};
    return item;
}

/// How items are searched. All give the same bytes; they differ in what they cost (docs/reference/structures.md).
typedef enum grz_flat_search {
    GRZ_FLAT_NAIVE,    ///< no structure: all items are compared. To check the others with
    GRZ_FLAT_GRID,     ///< equal cells; for items of about one size that are spread evenly
    GRZ_FLAT_QUADTREE, ///< a square cut in four, again and again; for all else
    GRZ_FLAT_SWEEP     ///< items sorted along one axis; least memory
} grz_flat_search;

/// Options of the calls of this header. Start from grz_default_flat_options().
typedef struct grz_flat_options {
    size_t size;            ///< sizeof this structure, as the caller knows it
    grz_limits limits;      ///< cancelling, deadline, memory, progress
    grz_flat_search search; ///< read by grz_flat_create() only; GRZ_FLAT_QUADTREE unless set
} grz_flat_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_flat_options(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_flat_options_init(grz_flat_options *options, size_t size);

/// @return options for a quadtree.
GRZ_INLINE grz_flat_options grz_default_flat_options(void)
{
    grz_flat_options options;
    grz_flat_options_init(&options, sizeof options);
    return options;
}

/// Make a set of items. They are numbered 0 to count - 1, in their order.
///
/// @param device   whose allocator gives the memory; the calling thread does the work, here and in all calls below
/// @param items    copied; NULL if there are none
/// @param count    how many, at most 2^32 - 2; 0 is allowed
/// @param options  NULL means the defaults
/// @param flat     receives the set; NULL on failure. Destroy it with grz_flat_destroy()
/// @param error    may be NULL. `element` is the item at fault
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT (a kind or a search that does not exist, a number that is not finite or above
///         2^300 in magnitude, a box whose lower corner is not the lower one, a point with two places);
///         GRZ_ERROR_LIMIT (too many); GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
GRZ_API grz_status grz_flat_create(grz_device *device, const grz_flat_item *items, uint64_t count,
                                   const grz_flat_options *options, grz_flat **flat, grz_error *error);

/// Destroy a set. NULL is accepted.
GRZ_API void grz_flat_destroy(grz_flat *flat);

/// @return how many items there are; 0 if `flat` is NULL. Thread-safety: as the set.
GRZ_API uint64_t grz_flat_count(const grz_flat *flat);

/// Look at an item.
/// @param flat    has it
/// @param number  of the item
/// @param item    receives the item as it was given, but that -0 is 0; zeroed if there is none
/// @return whether there is such an item. Thread-safety: as the set.
GRZ_API bool grz_flat_item_at(const grz_flat *flat, uint32_t number, grz_flat_item *item);

/// Put items in. Each is given the lowest number that is free.
///
/// @param flat     receives them. Unchanged after a failure; so for the two calls below
/// @param items    `count` items, copied
/// @param count    how many
/// @param options  NULL means the defaults. If a limit ends the call, it puts back what it has
///                 changed; so do grz_flat_move() and grz_flat_remove()
/// @param numbers  receives `count` numbers; may be NULL
/// @param error    may be NULL. `element` is the index in `items` of what is at fault
/// @return as grz_flat_create()
GRZ_API grz_status grz_flat_add(grz_flat *flat, const grz_flat_item *items, uint64_t count,
                                const grz_flat_options *options, uint32_t *numbers, grz_error *error);

/// Move items: each gets a new place, and may change its kind. They keep their numbers.
///
/// The structure is changed in place, until it is worn out: then another one is made beside it. The answers do not
/// depend on it.
///
/// @param flat     has the items
/// @param numbers  `count` numbers, each once; NULL: the first `count` numbers
/// @param items    what takes their places, in the order of `numbers`; copied
/// @param count    how many
/// @param options  as for grz_flat_add()
/// @param error    may be NULL. `element` is the index in the list of what is at fault
/// @return as grz_flat_create(); GRZ_ERROR_ARGUMENT also for a number that no item has or that is listed twice
GRZ_API grz_status grz_flat_move(grz_flat *flat, const uint32_t *numbers, const grz_flat_item *items, uint64_t count,
                                 const grz_flat_options *options, grz_error *error);

/// Take items out. Their numbers are free for others after this.
///
/// @param flat     has the items
/// @param numbers  `count` numbers, each once
/// @param count    how many
/// @param options  as for grz_flat_add()
/// @param error    may be NULL. `element` is the index in `numbers` of what is at fault
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT (a number that no item has, or that is listed twice); GRZ_ERROR_MEMORY;
///         GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
GRZ_API grz_status grz_flat_remove(grz_flat *flat, const uint32_t *numbers, uint64_t count,
                                   const grz_flat_options *options, grz_error *error);

/// Two items that have a point in common.
typedef struct grz_flat_pair {
    uint32_t a; ///< the lower number
    uint32_t b; ///< the higher one
} grz_flat_pair;

/// Find all pairs of items that have a point in common. Touching counts.
///
/// @param flat      where to look
/// @param options   NULL means the defaults
/// @param pairs     receives the first pairs, sorted by a, then by b
/// @param capacity  there is room for so many
/// @param found     receives how many there are; it may be more than `capacity`. 0 after a failure
/// @param error     may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY (the list is made before it is copied);
///         GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE
/// Thread-safety: as the set; so for all calls below.
GRZ_API grz_status grz_flat_pairs(const grz_flat *flat, const grz_flat_options *options, grz_flat_pair *pairs,
                                  uint64_t capacity, uint64_t *found, grz_error *error);

/// Find all items that have a point in common with a box.
///
/// @param flat      where to look
/// @param min       lower corner of the box
/// @param max       its upper corner; may be the lower one
/// @param options   NULL means the defaults
/// @param numbers   receives the first numbers, ascending
/// @param capacity  there is room for so many
/// @param found     receives how many there are; it may be more than `capacity`. 0 after a failure
/// @param error     may be NULL
/// @return as grz_flat_pairs()
GRZ_API grz_status grz_flat_in_box(const grz_flat *flat, const double min[2], const double max[2],
                                   const grz_flat_options *options, uint32_t *numbers, uint64_t capacity,
                                   uint64_t *found, grz_error *error);

/// Find all items whose exact distance from a point is at most a radius.
///
/// @param flat      where to look
/// @param centre    the point
/// @param radius    0 or above, at most 2^300
/// @param options   as for grz_flat_in_box(); the same for what follows
/// @param numbers   receives the first numbers, ascending
/// @param capacity  there is room for so many
/// @param found     receives how many there are; it may be more than `capacity`. 0 after a failure
/// @param error     may be NULL
/// @return as grz_flat_pairs()
GRZ_API grz_status grz_flat_in_circle(const grz_flat *flat, const double centre[2], double radius,
                                      const grz_flat_options *options, uint32_t *numbers, uint64_t capacity,
                                      uint64_t *found, grz_error *error);

/// The item nearest to a point.
typedef struct grz_flat_near {
    double distance; ///< the double nearest to the exact distance, ties to even; HUGE_VAL if there is no item
    uint32_t number; ///< of the item; GRZ_FLAT_NONE if there is none
} grz_flat_near;

/// Find the nearest item for each of many points. Distances are compared exactly, not as rounded; of several items at
/// exactly the same distance the one with the lowest number is taken.
///
/// @param flat     where to look
/// @param points   `count` points of two coordinates each, finite and at most 2^300 in magnitude
/// @param count    how many; 0 is allowed
/// @param options  NULL means the defaults
/// @param answers  receives `count` answers, in the order of the points. Unknown after a failure
/// @param error    may be NULL. `element` is the point at fault
/// @return as grz_flat_pairs()
GRZ_API grz_status grz_flat_nearest(const grz_flat *flat, const double *points, uint64_t count,
                                    const grz_flat_options *options, grz_flat_near *answers, grz_error *error);

/// A ray or a segment to ask with: the points from + t · (to - from), for t from 0 on. Plain data of the caller's.
/// Coordinates are finite and at most 2^300 in magnitude.
typedef struct grz_flat_ray {
    double from[2]; ///< where it begins
    double to[2];   ///< through this point; for a ray another one than `from`
    bool endless;   ///< false: it ends at `to`, where t is 1. True: it goes on
} grz_flat_ray;

/// An item that a ray meets.
typedef struct grz_flat_hit {
    double t;        ///< where it first does: the double nearest to the exact t (infinite above all doubles); HUGE_VAL
                     ///< if there is no item
    uint32_t number; ///< of the item; GRZ_FLAT_NONE if there is none
} grz_flat_hit;

/// Find what each of many rays meets first. The values of t are compared exactly, not as rounded; of several items at
/// exactly the same t the one with the lowest number is taken.
///
/// @param flat     where to look
/// @param rays     `count` rays
/// @param count    how many; 0 is allowed
/// @param options  NULL means the defaults
/// @param hits     receives `count` hits, in the order of the rays. Unknown after a failure
/// @param error    may be NULL. `element` is the ray at fault
/// @return as grz_flat_pairs()
GRZ_API grz_status grz_flat_first_hits(const grz_flat *flat, const grz_flat_ray *rays, uint64_t count,
                                       const grz_flat_options *options, grz_flat_hit *hits, grz_error *error);

/// Find all items that a ray meets.
///
/// @param flat      where to look
/// @param ray       the ray
/// @param options   NULL means the defaults
/// @param hits      receives the first hits: by exact t, then by number
/// @param capacity  there is room for so many
/// @param found     receives how many there are; it may be more than `capacity`. 0 after a failure
/// @param error     may be NULL
/// @return as grz_flat_pairs()
GRZ_API grz_status grz_flat_all_hits(const grz_flat *flat, const grz_flat_ray *ray, const grz_flat_options *options,
                                     grz_flat_hit *hits, uint64_t capacity, uint64_t *found, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
