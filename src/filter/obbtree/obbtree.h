// SPDX-License-Identifier: MIT
// The method `obbtree`: triangles are looked up in an OBB tree.
#ifndef GRZ_FILTER_OBBTREE_OBBTREE_H
#define GRZ_FILTER_OBBTREE_OBBTREE_H

#include "filter/filter.h"

extern const grz_filter grz_filter_obbtree;

#endif
