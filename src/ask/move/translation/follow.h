// SPDX-License-Identifier: MIT
// One motion, for the calls that follow one or many.
#ifndef GRZ_ASK_MOVE_TRANSLATION_FOLLOW_H
#define GRZ_ASK_MOVE_TRANSLATION_FOLLOW_H

#include <graze/move.h>

#include "ask/move/translation/translation_path.h"
#include "base/call.h"

// What all calls that follow straight motions check and hold.
typedef struct grz_move_call {
    grz_call frame;
    grz_move_options options;
    bool all_pairs; // the reference was asked for, which compares all pairs of triangles
} grz_move_call;

// Begin a call that takes grz_move_options: see grz_call_begin(). grz_call_end() of its frame must follow.
grz_status grz_move_begin(grz_move_call *call, const char *name, grz_device *device, const grz_move_options *given,
                          grz_error *error);

// Check an object and, if `to` is not NULL, the end of its motion. `which` ("A") is the object's name and `element` its
// number in errors. *here is the object with its mesh in memory.
grz_status grz_move_check(grz_move_call *call, const grz_object *object, const double to[3], const char *which,
                          uint64_t element, grz_object *here);

// Check both objects and their ends, and set the path, which borrows `here`, the objects with their meshes in memory.
grz_status grz_move_read_path(grz_move_call *call, const grz_object *a, const double to_a[3], const grz_object *b,
                              const double to_b[3], grz_object here[2], grz_path *path);

// Query two objects as the call's options have it. *result: made if it is NULL; grz_result_destroy() is due in any
// case.
grz_status grz_move_ask(grz_move_call *call, const grz_object *a, const grz_object *b, uint32_t find,
                        grz_result **result);

// When do the surfaces meet first? Several threads may do this for one call if it has no `error`, and the meshes their
// trees. After a failure the answer has what is proved.
grz_status grz_move_follow(grz_move_call *call, const grz_path *path, grz_move_answer *answer);

// Do the objects overlap where the path begins? Not for several threads at once.
grz_status grz_move_start(grz_move_call *call, const grz_path *path, bool *inside);

// The normal of a contact at the start, for an answer that has started_touching; the same for all paths that begin
// there. Not for several threads at once.
grz_status grz_move_normal_at_start(grz_move_call *call, const grz_path *path, grz_move_answer *answer);

// They do: that is the first contact.
void grz_move_start_inside(grz_move_answer *answer);

#endif
