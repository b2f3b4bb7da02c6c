#version 450
// SPDX-License-Identifier: MIT
// voxels_big.comp: fill, test or mark with the triangles over many pixels, a work group for each.
// In: big[], records[]. Out: cells[], marked[].
#include "image/grid/shaders/grid_bindings.h"
#include "image/grid/shaders/voxel_records.h"
#include "gpu/shaders/group_number.h"
#include "image/grid/shaders/voxel_bounds.h"
#include "image/grid/shaders/voxel_cells.h"
#include "image/grid/shaders/visit_marks.h"
#include "image/grid/shaders/voxels.h"
#include "image/grid/shaders/visit_many.h"
