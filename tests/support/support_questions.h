// SPDX-License-Identifier: MIT
// Random questions about two small meshes: touching, near or far apart, in whole numbers or not, of any size.
#ifndef GRZ_TESTS_SUPPORT_QUESTIONS_H
#define GRZ_TESTS_SUPPORT_QUESTIONS_H

#include "support_meshes.h"

typedef struct test_question {
    test_mesh meshes[2];
    grz_pose poses[2]; // some of them sheared, or stretched
} test_question;

// Free both meshes with test_mesh_finish().
test_question test_random_question(random_stream *random);

#endif
