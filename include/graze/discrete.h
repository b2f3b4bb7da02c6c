// SPDX-License-Identifier: MIT
/// @file
/// What a discrete answer says beyond the summary: the numbers that its method counted, and where in space it found a
/// collision. <graze/slices.h>, <graze/layers.h>, <graze/selection.h> and <graze/heightmap.h> say what these are for
/// each method.
#ifndef GRAZE_DISCRETE_H
#define GRAZE_DISCRETE_H

#include <graze/collide.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A number that a method reports of its discrete answer, such as "resolution" or "cells".
typedef struct grz_statistic {
    const char *name; ///< lower case, one word; static text
    uint64_t value;   ///< what it counts depends on the name: the header of the method says so
} grz_statistic;

/// The statistics of the last query. Only a discrete answer has any.
///
/// @param result  may be NULL: then there are none
/// @param count   receives how many there are; may be NULL
/// @return the statistics, borrowed from the result until its next query
GRZ_API const grz_statistic *grz_result_statistics(const grz_result *result, uint64_t *count);

/// Find a statistic of the last query by its name.
///
/// @code
/// uint64_t cells;
/// if (grz_result_statistic(result, "cells", &cells)) printf("%llu cells\n", (unsigned long long)cells);
/// @endcode
///
/// @param result  may be NULL
/// @param name    such as "cells"
/// @param value   receives the value, 0 if there is none; may be NULL
/// @return whether the last query has such a statistic
GRZ_API bool grz_result_statistic(const grz_result *result, const char *name, uint64_t *value);

/// Where a discrete answer found both objects: a box of any orientation around the cells that hold both.
typedef struct grz_collision_box {
    double corner[3];  ///< world coordinates
    double edge[3][3]; ///< from the corner along the three edges of the box: to the right, up, and away from the eye
    uint64_t cells;    ///< how many cells in it hold both objects
} grz_collision_box;

/// The collision boxes of the last query, which papers call collision volumes. There are some if it had a discrete
/// answer that found a collision, and its method names them.
///
/// @param result  may be NULL: then there are none
/// @param count   receives how many there are; may be NULL
/// @return the boxes, borrowed from the result until its next query
GRZ_API const grz_collision_box *grz_result_collision_boxes(const grz_result *result, uint64_t *count);

/// Transform a box from world coordinates to an object's own: where on its mesh the collision is.
///
/// @param box     one of grz_result_collision_boxes()
/// @param object  the box is moved by the inverse of its pose
/// @param out     receives the box in mesh coordinates; may be `box`
/// @param error   may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_POSE if the pose has no inverse
/// Thread-safety: safe.
GRZ_API grz_status grz_collision_box_in_object(const grz_collision_box *box, const grz_object *object,
                                               grz_collision_box *out, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
