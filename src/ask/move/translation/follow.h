// SPDX-License-Identifier: MIT
// One motion, for the calls that follow one or many.
#ifndef GRZ_ASK_MOVE_TRANSLATION_FOLLOW_H
#define GRZ_ASK_MOVE_TRANSLATION_FOLLOW_H

#include <graze/motion.h>

#include "ask/move/translation/path.h"
#include "base/control.h"

// The answer of which nothing is known.
extern const grz_move_answer grz_move_nothing;

// What all calls that follow straight motions check and hold.
typedef struct grz_move_call {
    const char *name; // of the public function, in errors
    grz_device *device;
    grz_move_options options;
    bool all_pairs; // the reference was asked for, which compares all pairs of triangles
    grz_control control;
    grz_error *error;
} grz_move_call;

// Check the device, and the options that were given, and start the control.
grz_status grz_move_begin(grz_move_call *call, const char *name, grz_device *device, const grz_move_options *given,
                          grz_error *error);

// Check an object and, if `to` is not NULL, the end of its motion. `which` ("A") is the object's name and `element` its
// number in errors. *here is the object with its mesh in memory.
grz_status grz_move_check(grz_move_call *call, const grz_object *object, const double to[3], const char *which,
                          uint64_t element, grz_object *here);

// Write the error text of a status that a part of the call returned without one. Returns the status.
grz_status grz_move_explain(grz_move_call *call, grz_status status);

// Seconds until the call's deadline, above 0; 0: it has none.
double grz_move_time_left(const grz_move_call *call);

// Query two objects as the call's options have it. *result: made if it is NULL; grz_result_destroy() is due in any
// case.
grz_status grz_move_ask(grz_move_call *call, const grz_object *a, const grz_object *b, uint32_t find,
                        grz_result **result);

// When do the surfaces meet first? Several threads may do this for one call if it has no `error`, and the meshes their
// trees. After a failure the answer has what is proved.
grz_status grz_move_follow(grz_move_call *call, const grz_path *path, grz_move_answer *answer);

// Do the objects overlap where the path begins? Not for several threads at once.
grz_status grz_move_start(grz_move_call *call, const grz_path *path, bool *inside);

// They do: that is the first contact.
void grz_move_start_inside(grz_move_answer *answer);

#endif
