// SPDX-License-Identifier: MIT
// How the value of each option is read and checked.
#ifndef GRZ_CLI_ARGUMENTS_OPTION_VALUES_H
#define GRZ_CLI_ARGUMENTS_OPTION_VALUES_H

#include "arguments/option_row.h"

option_setter option_set_format, option_set_method, option_set_answer, option_set_preset, option_set_device,
    option_set_threads, option_set_max_pairs, option_set_shape, option_set_pose, option_set_end, option_set_deform,
    option_set_along, option_set_ray, option_set_pixel, option_set_size, option_set_camera, option_set_tolerance,
    option_set_unit, option_set_layers, option_set_clearance, option_set_clearance_tolerance, option_set_deeper_than,
    option_set_depth_tolerance, option_set_max_cells, option_set_open, option_set_rule, option_set_thickness,
    option_set_projection, option_set_direction, option_set_resolution, option_set_both_sides, option_set_stencil,
    option_set_reference, option_set_allow, option_set_pose_of_name, option_set_joint, option_set_package,
    option_set_picture;

#endif
