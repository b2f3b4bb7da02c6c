// SPDX-License-Identifier: MIT
// Whether an object, or points, that a caller gave can be used.
#ifndef GRZ_MESH_OBJECT_CHECK_H
#define GRZ_MESH_OBJECT_CHECK_H

#include <graze/object.h>

#include "base/control_type.h"

// Check the object's mesh and pose. Texts of errors begin with the name of the public function, `name` ("collide"), and
// name the object as `what` ("object A"); `element` is its number there.
grz_status grz_object_check(const char *name, const grz_object *object, const char *what, uint64_t element,
                            grz_error *error);

// Check that points, three numbers each, are finite and in range. The control may end it. `name` as above; `element` is
// the number of the point at fault.
grz_status grz_points_check(const char *name, const double *points, uint64_t count, grz_control *control,
                            grz_error *error);

#endif
