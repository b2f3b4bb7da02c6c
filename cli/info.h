// SPDX-License-Identifier: MIT
// What graze info found out: a mesh, its examination, and the problems in words. command_info.c fills it, the reports print it.
#ifndef GRZ_CLI_INFO_H
#define GRZ_CLI_INFO_H

#include "load.h"

enum {
    INFO_PROBLEM_SIZE = 128,
    INFO_MAX_PROBLEMS = 12 // one of every kind
};

typedef struct info {
    grz_device *device;
    loaded_mesh loaded; // its notes come before the problems
    char problems[INFO_MAX_PROBLEMS][INFO_PROBLEM_SIZE];
    size_t problem_count;
} info;

#endif
