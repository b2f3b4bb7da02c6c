// SPDX-License-Identifier: MIT
#include "ask/move/unknown.h"

#include <math.h>

const grz_move_answer grz_move_unknown = {.upper = HUGE_VAL,
                                          .certainty = GRZ_UNDECIDED,
                                          .face_a = GRZ_NO_FACE,
                                          .face_b = GRZ_NO_FACE,
                                          .feature_a = {{GRZ_NO_VERTEX, GRZ_NO_VERTEX}},
                                          .feature_b = {{GRZ_NO_VERTEX, GRZ_NO_VERTEX}}};
