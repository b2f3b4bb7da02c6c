// SPDX-License-Identifier: MIT
// Structures of options and answers as version 0.3.0 had them, for tests that programs compiled against older headers
// go on working. Not to be edited once 0.3.0 is released. When a version is released, add a header of this kind for it.
#ifndef GRZ_TESTS_ABI_0_3_H
#define GRZ_TESTS_ABI_0_3_H

#include <graze/gl.h>
#include <graze/graze.h>

typedef struct abi_0_3_collide_options {
    size_t size;
    grz_limits limits;
    const char *method;
    grz_answer answer;
    uint32_t find;
    uint64_t max_pairs;
    grz_inside_rule inside_rule;
    bool warm_start;
    const grz_method_options *method_options;
    bool times;
    uint64_t reference;
    double clearance;
} abi_0_3_collide_options;

typedef struct abi_0_3_contact_id {
    uint64_t id;
    uint64_t before;
    uint32_t age;
    grz_contact_match match;
} abi_0_3_contact_id;

typedef struct abi_0_3_contact_tracker_options {
    size_t size;
    grz_limits limits;
    double match_distance;
    double match_angle;
} abi_0_3_contact_tracker_options;

typedef struct abi_0_3_device_options {
    size_t size;
    unsigned threads;
    grz_allocator allocator;
    grz_task_runner task_runner;
    grz_device_kind kind;
    uint32_t renderer;
    bool share;
} abi_0_3_device_options;

typedef struct abi_0_3_distance_answer {
    double distance;
    double lower;
    double upper;
    grz_certainty certainty;
    bool touching;
    uint32_t face_a;
    uint32_t face_b;
    grz_feature feature_a;
    grz_feature feature_b;
    double point_a[3];
    double point_b[3];
    uint64_t ties;
    uint64_t compared;
} abi_0_3_distance_answer;

typedef struct abi_0_3_distance_options {
    size_t size;
    grz_limits limits;
    const char *method;
    double relative_error;
    const grz_distance_answer *earlier;
} abi_0_3_distance_options;

typedef struct abi_0_3_gl_mesh_description {
    size_t size;
    uint32_t position_buffer;
    uint64_t position_offset;
    uint32_t position_stride;
    uint64_t vertex_count;
    uint32_t index_buffer;
    uint64_t index_offset;
    uint32_t index_size;
    uint64_t triangle_count;
    uint32_t flags;
} abi_0_3_gl_mesh_description;

typedef struct abi_0_3_layers_options {
    size_t size;
    uint32_t resolution;
    grz_layers_capture capture;
    uint32_t layers;
    double threshold;
    bool untested;
    bool has_direction;
    double direction[3];
} abi_0_3_layers_options;

typedef struct abi_0_3_locate_options {
    size_t size;
    grz_limits limits;
    grz_inside_rule inside_rule;
} abi_0_3_locate_options;

typedef struct abi_0_3_manifold_answer {
    grz_certainty certainty;
    bool penetrating;
    const char *reason;
    double normal[3];
    double depth;
    double lower;
    double upper;
    uint32_t count;
    grz_manifold_point points[GRZ_MANIFOLD_MAX_POINTS];
} abi_0_3_manifold_answer;

typedef struct abi_0_3_mesh_description {
    size_t size;
    grz_limits limits;
    const void *positions;
    grz_scalar position_type;
    uint64_t vertex_count;
    size_t position_stride;
    const uint32_t *indices;
    uint64_t index_count;
    uint64_t face_count;
    const uint32_t *corner_counts;
    uint32_t corners_per_face;
    uint32_t flags;
} abi_0_3_mesh_description;

typedef struct abi_0_3_move_answer {
    double first_contact;
    double lower;
    double upper;
    grz_certainty certainty;
    bool has_contact;
    bool started_touching;
    bool started_inside;
    uint32_t face_a;
    uint32_t face_b;
    grz_feature feature_a;
    grz_feature feature_b;
    double normal[3];
    double point[3];
    uint64_t ties;
    uint64_t compared;
    uint64_t undecided;
    const char *reason;
} abi_0_3_move_answer;

typedef struct abi_0_3_overlap_time {
    bool overlaps;
    double first_overlap;
    double lower;
    double upper;
    grz_certainty certainty;
    bool started_inside;
    uint32_t face_a;
    uint32_t face_b;
    const char *reason;
} abi_0_3_overlap_time;

typedef struct abi_0_3_flight_motion {
    double since;
    double velocity[3];
    double acceleration[3];
    double spin[3];
    double centre[3];
} abi_0_3_flight_motion;

typedef struct abi_0_3_flight {
    double position[3];
    double now;
    double start[3];
    double velocity[3];
    double since;
    uint64_t bounces;
    uint64_t held;
    double held_at[3];
    grz_flight_state state;
    uint32_t carrier;
} abi_0_3_flight;

typedef struct abi_0_3_bounce {
    double time;
    double position[3];
    double before[3];
    double after[3];
    double normal[3];
    double point[3];
    double surface[3];
    uint32_t object;
    uint32_t face;
} abi_0_3_bounce;

typedef struct abi_0_3_flight_options {
    size_t size;
    grz_limits limits;
    double radius;
    double skin;
    double acceleration[3];
    double restitution;
    double friction;
    const grz_flight_motion *motions;
} abi_0_3_flight_options;

typedef struct abi_0_3_move_options {
    size_t size;
    grz_limits limits;
    const char *method;
    bool inside;
    grz_inside_rule inside_rule;
} abi_0_3_move_options;

typedef struct abi_0_3_mover_options {
    size_t size;
    grz_limits limits;
    double skin;
    grz_mover_clean_up clean_up;
    const grz_pose *earlier_poses;
    bool walk;
    double up[3];
    double slope_limit;
    double step_up;
    double step_down;
    grz_mover_floor floor;
    const grz_flat *ground;
    uint32_t ground_axis;
} abi_0_3_mover_options;

typedef struct abi_0_3_mover_answer {
    double position[3];
    grz_mover_outcome outcome;
    bool started_inside;
    bool stepped_up;
    bool stepped_down;
    double carried[3];
    double pushed[3];
    double crushed_at;
    grz_mover_floor floor;
    uint32_t contact_count;
    grz_mover_contact contacts[GRZ_MOVER_MAX_CONTACTS];
    uint32_t iterations;
    uint64_t compared;
} abi_0_3_mover_answer;

typedef struct abi_0_3_penetration_answer {
    double depth;
    double lower;
    double upper;
    grz_certainty certainty;
    bool penetrating;
    double direction[3];
    uint32_t face_a;
    uint32_t face_b;
    const char *reason;
} abi_0_3_penetration_answer;

typedef struct abi_0_3_ray_hit {
    double t;
    double lower;
    double upper;
    double distance;
    double point[3];
    double normal[3];
    uint32_t object;
    uint32_t face;
    grz_feature feature;
    grz_ray_side side;
} abi_0_3_ray_hit;

typedef struct abi_0_3_pick_options {
    size_t size;
    grz_limits limits;
    const char *method;
    uint32_t mask;
    bool skip_front;
    bool skip_back;
} abi_0_3_pick_options;

typedef struct abi_0_3_picture_options {
    size_t size;
    uint32_t width;
    uint32_t height;
    bool has_direction;
    double direction[3];
    double up[3];
    bool whole;
    const char *const *names;
    const char *title;
    bool legend;
    bool inset;
    const uint8_t *colours;
    const uint8_t *const *face_colours;
    const uint8_t *touch_colours;
    const char *caption;
    bool has_region;
    double region_min[3];
    double region_max[3];
} abi_0_3_picture_options;

typedef struct abi_0_3_shape_answer {
    grz_shape_relation relation;
    grz_certainty certainty;
    double distance;
    double lower;
    double upper;
    double point_a[3];
    double point_b[3];
    double depth;
    double depth_lower;
    double depth_upper;
    double direction[3];
} abi_0_3_shape_answer;

typedef struct abi_0_3_slices_options {
    size_t size;
    uint32_t resolution;
    uint32_t slices;
    uint32_t refinements;
    uint32_t max_boxes;
    uint32_t last_slices;
    double offset;
    bool oriented;
    bool has_direction;
    double direction[3];
    grz_slices_analysis analysis;
    bool confirm;
} abi_0_3_slices_options;

typedef struct abi_0_3_scene_event {
    uint32_t a;
    uint32_t b;
    uint64_t serial_a;
    uint64_t serial_b;
    grz_pair_state before;
    grz_pair_state now;
} abi_0_3_scene_event;

typedef struct abi_0_3_tracked_point {
    uint64_t object_a;
    uint64_t object_b;
    grz_feature feature_a;
    grz_feature feature_b;
    uint32_t face_a;
    uint32_t face_b;
    double position[3];
    double normal[3];
} abi_0_3_tracked_point;

// SAME(type, member) for every member. OPTIONS(type): a structure that begins with its size, which may grow at its end.
// ANSWER(type): one that the caller owns or hands over without a size; it never changes.
#define ABI_0_3(OPTIONS, ANSWER, SAME)                                                                                 \
    OPTIONS(collide_options)                                                                                           \
    SAME(collide_options, size)                                                                                        \
    SAME(collide_options, limits)                                                                                      \
    SAME(collide_options, method)                                                                                      \
    SAME(collide_options, answer)                                                                                      \
    SAME(collide_options, find)                                                                                        \
    SAME(collide_options, max_pairs)                                                                                   \
    SAME(collide_options, inside_rule)                                                                                 \
    SAME(collide_options, warm_start)                                                                                  \
    SAME(collide_options, method_options)                                                                              \
    SAME(collide_options, times)                                                                                       \
    SAME(collide_options, reference)                                                                                   \
    SAME(collide_options, clearance)                                                                                   \
    ANSWER(contact_id)                                                                                                 \
    SAME(contact_id, id)                                                                                               \
    SAME(contact_id, before)                                                                                           \
    SAME(contact_id, age)                                                                                              \
    SAME(contact_id, match)                                                                                            \
    OPTIONS(contact_tracker_options)                                                                                   \
    SAME(contact_tracker_options, size)                                                                                \
    SAME(contact_tracker_options, limits)                                                                              \
    SAME(contact_tracker_options, match_distance)                                                                      \
    SAME(contact_tracker_options, match_angle)                                                                         \
    OPTIONS(device_options)                                                                                            \
    SAME(device_options, size)                                                                                         \
    SAME(device_options, threads)                                                                                      \
    SAME(device_options, allocator)                                                                                    \
    SAME(device_options, task_runner)                                                                                  \
    SAME(device_options, kind)                                                                                         \
    SAME(device_options, renderer)                                                                                     \
    SAME(device_options, share)                                                                                        \
    ANSWER(distance_answer)                                                                                            \
    SAME(distance_answer, distance)                                                                                    \
    SAME(distance_answer, lower)                                                                                       \
    SAME(distance_answer, upper)                                                                                       \
    SAME(distance_answer, certainty)                                                                                   \
    SAME(distance_answer, touching)                                                                                    \
    SAME(distance_answer, face_a)                                                                                      \
    SAME(distance_answer, face_b)                                                                                      \
    SAME(distance_answer, feature_a)                                                                                   \
    SAME(distance_answer, feature_b)                                                                                   \
    SAME(distance_answer, point_a)                                                                                     \
    SAME(distance_answer, point_b)                                                                                     \
    SAME(distance_answer, ties)                                                                                        \
    SAME(distance_answer, compared)                                                                                    \
    OPTIONS(distance_options)                                                                                          \
    SAME(distance_options, size)                                                                                       \
    SAME(distance_options, limits)                                                                                     \
    SAME(distance_options, method)                                                                                     \
    SAME(distance_options, relative_error)                                                                             \
    SAME(distance_options, earlier)                                                                                    \
    OPTIONS(gl_mesh_description)                                                                                       \
    SAME(gl_mesh_description, size)                                                                                    \
    SAME(gl_mesh_description, position_buffer)                                                                         \
    SAME(gl_mesh_description, position_offset)                                                                         \
    SAME(gl_mesh_description, position_stride)                                                                         \
    SAME(gl_mesh_description, vertex_count)                                                                            \
    SAME(gl_mesh_description, index_buffer)                                                                            \
    SAME(gl_mesh_description, index_offset)                                                                            \
    SAME(gl_mesh_description, index_size)                                                                              \
    SAME(gl_mesh_description, triangle_count)                                                                          \
    SAME(gl_mesh_description, flags)                                                                                   \
    OPTIONS(layers_options)                                                                                            \
    SAME(layers_options, size)                                                                                         \
    SAME(layers_options, resolution)                                                                                   \
    SAME(layers_options, capture)                                                                                      \
    SAME(layers_options, layers)                                                                                       \
    SAME(layers_options, threshold)                                                                                    \
    SAME(layers_options, untested)                                                                                     \
    SAME(layers_options, has_direction)                                                                                \
    SAME(layers_options, direction)                                                                                    \
    OPTIONS(locate_options)                                                                                            \
    SAME(locate_options, size)                                                                                         \
    SAME(locate_options, limits)                                                                                       \
    SAME(locate_options, inside_rule)                                                                                  \
    ANSWER(manifold_answer)                                                                                            \
    SAME(manifold_answer, certainty)                                                                                   \
    SAME(manifold_answer, penetrating)                                                                                 \
    SAME(manifold_answer, reason)                                                                                      \
    SAME(manifold_answer, normal)                                                                                      \
    SAME(manifold_answer, depth)                                                                                       \
    SAME(manifold_answer, lower)                                                                                       \
    SAME(manifold_answer, upper)                                                                                       \
    SAME(manifold_answer, count)                                                                                       \
    SAME(manifold_answer, points)                                                                                      \
    OPTIONS(mesh_description)                                                                                          \
    SAME(mesh_description, size)                                                                                       \
    SAME(mesh_description, limits)                                                                                     \
    SAME(mesh_description, positions)                                                                                  \
    SAME(mesh_description, position_type)                                                                              \
    SAME(mesh_description, vertex_count)                                                                               \
    SAME(mesh_description, position_stride)                                                                            \
    SAME(mesh_description, indices)                                                                                    \
    SAME(mesh_description, index_count)                                                                                \
    SAME(mesh_description, face_count)                                                                                 \
    SAME(mesh_description, corner_counts)                                                                              \
    SAME(mesh_description, corners_per_face)                                                                           \
    SAME(mesh_description, flags)                                                                                      \
    ANSWER(move_answer)                                                                                                \
    SAME(move_answer, first_contact)                                                                                   \
    SAME(move_answer, lower)                                                                                           \
    SAME(move_answer, upper)                                                                                           \
    SAME(move_answer, certainty)                                                                                       \
    SAME(move_answer, has_contact)                                                                                     \
    SAME(move_answer, started_touching)                                                                                \
    SAME(move_answer, started_inside)                                                                                  \
    SAME(move_answer, face_a)                                                                                          \
    SAME(move_answer, face_b)                                                                                          \
    SAME(move_answer, feature_a)                                                                                       \
    SAME(move_answer, feature_b)                                                                                       \
    SAME(move_answer, normal)                                                                                          \
    SAME(move_answer, point)                                                                                           \
    SAME(move_answer, ties)                                                                                            \
    SAME(move_answer, compared)                                                                                        \
    SAME(move_answer, undecided)                                                                                       \
    SAME(move_answer, reason)                                                                                          \
    ANSWER(overlap_time)                                                                                               \
    SAME(overlap_time, overlaps)                                                                                       \
    SAME(overlap_time, first_overlap)                                                                                  \
    SAME(overlap_time, lower)                                                                                          \
    SAME(overlap_time, upper)                                                                                          \
    SAME(overlap_time, certainty)                                                                                      \
    SAME(overlap_time, started_inside)                                                                                 \
    SAME(overlap_time, face_a)                                                                                         \
    SAME(overlap_time, face_b)                                                                                         \
    SAME(overlap_time, reason)                                                                                         \
    ANSWER(flight_motion)                                                                                              \
    SAME(flight_motion, since)                                                                                         \
    SAME(flight_motion, velocity)                                                                                      \
    SAME(flight_motion, acceleration)                                                                                  \
    SAME(flight_motion, spin)                                                                                          \
    SAME(flight_motion, centre)                                                                                        \
    ANSWER(flight)                                                                                                     \
    SAME(flight, position)                                                                                             \
    SAME(flight, now)                                                                                                  \
    SAME(flight, start)                                                                                                \
    SAME(flight, velocity)                                                                                             \
    SAME(flight, since)                                                                                                \
    SAME(flight, bounces)                                                                                              \
    SAME(flight, held)                                                                                                 \
    SAME(flight, held_at)                                                                                              \
    SAME(flight, state)                                                                                                \
    SAME(flight, carrier)                                                                                              \
    ANSWER(bounce)                                                                                                     \
    SAME(bounce, time)                                                                                                 \
    SAME(bounce, position)                                                                                             \
    SAME(bounce, before)                                                                                               \
    SAME(bounce, after)                                                                                                \
    SAME(bounce, normal)                                                                                               \
    SAME(bounce, point)                                                                                                \
    SAME(bounce, surface)                                                                                              \
    SAME(bounce, object)                                                                                               \
    SAME(bounce, face)                                                                                                 \
    OPTIONS(flight_options)                                                                                            \
    SAME(flight_options, size)                                                                                         \
    SAME(flight_options, limits)                                                                                       \
    SAME(flight_options, radius)                                                                                       \
    SAME(flight_options, skin)                                                                                         \
    SAME(flight_options, acceleration)                                                                                 \
    SAME(flight_options, restitution)                                                                                  \
    SAME(flight_options, friction)                                                                                     \
    SAME(flight_options, motions)                                                                                      \
    OPTIONS(move_options)                                                                                              \
    SAME(move_options, size)                                                                                           \
    SAME(move_options, limits)                                                                                         \
    SAME(move_options, method)                                                                                         \
    SAME(move_options, inside)                                                                                         \
    SAME(move_options, inside_rule)                                                                                    \
    OPTIONS(mover_options)                                                                                             \
    SAME(mover_options, size)                                                                                          \
    SAME(mover_options, limits)                                                                                        \
    SAME(mover_options, skin)                                                                                          \
    SAME(mover_options, clean_up)                                                                                      \
    SAME(mover_options, earlier_poses)                                                                                 \
    SAME(mover_options, walk)                                                                                          \
    SAME(mover_options, up)                                                                                            \
    SAME(mover_options, slope_limit)                                                                                   \
    SAME(mover_options, step_up)                                                                                       \
    SAME(mover_options, step_down)                                                                                     \
    SAME(mover_options, floor)                                                                                         \
    SAME(mover_options, ground)                                                                                        \
    SAME(mover_options, ground_axis)                                                                                   \
    ANSWER(mover_answer)                                                                                               \
    SAME(mover_answer, position)                                                                                       \
    SAME(mover_answer, outcome)                                                                                        \
    SAME(mover_answer, started_inside)                                                                                 \
    SAME(mover_answer, stepped_up)                                                                                     \
    SAME(mover_answer, stepped_down)                                                                                   \
    SAME(mover_answer, carried)                                                                                        \
    SAME(mover_answer, pushed)                                                                                         \
    SAME(mover_answer, crushed_at)                                                                                     \
    SAME(mover_answer, floor)                                                                                          \
    SAME(mover_answer, contact_count)                                                                                  \
    SAME(mover_answer, contacts)                                                                                       \
    SAME(mover_answer, iterations)                                                                                     \
    SAME(mover_answer, compared)                                                                                       \
    ANSWER(penetration_answer)                                                                                         \
    SAME(penetration_answer, depth)                                                                                    \
    SAME(penetration_answer, lower)                                                                                    \
    SAME(penetration_answer, upper)                                                                                    \
    SAME(penetration_answer, certainty)                                                                                \
    SAME(penetration_answer, penetrating)                                                                              \
    SAME(penetration_answer, direction)                                                                                \
    SAME(penetration_answer, face_a)                                                                                   \
    SAME(penetration_answer, face_b)                                                                                   \
    SAME(penetration_answer, reason)                                                                                   \
    ANSWER(ray_hit)                                                                                                    \
    SAME(ray_hit, t)                                                                                                   \
    SAME(ray_hit, lower)                                                                                               \
    SAME(ray_hit, upper)                                                                                               \
    SAME(ray_hit, distance)                                                                                            \
    SAME(ray_hit, point)                                                                                               \
    SAME(ray_hit, normal)                                                                                              \
    SAME(ray_hit, object)                                                                                              \
    SAME(ray_hit, face)                                                                                                \
    SAME(ray_hit, feature)                                                                                             \
    SAME(ray_hit, side)                                                                                                \
    OPTIONS(pick_options)                                                                                              \
    SAME(pick_options, size)                                                                                           \
    SAME(pick_options, limits)                                                                                         \
    SAME(pick_options, method)                                                                                         \
    SAME(pick_options, mask)                                                                                           \
    SAME(pick_options, skip_front)                                                                                     \
    SAME(pick_options, skip_back)                                                                                      \
    OPTIONS(picture_options)                                                                                           \
    SAME(picture_options, size)                                                                                        \
    SAME(picture_options, width)                                                                                       \
    SAME(picture_options, height)                                                                                      \
    SAME(picture_options, has_direction)                                                                               \
    SAME(picture_options, direction)                                                                                   \
    SAME(picture_options, up)                                                                                          \
    SAME(picture_options, whole)                                                                                       \
    SAME(picture_options, names)                                                                                       \
    SAME(picture_options, title)                                                                                       \
    SAME(picture_options, legend)                                                                                      \
    SAME(picture_options, inset)                                                                                       \
    SAME(picture_options, colours)                                                                                     \
    SAME(picture_options, face_colours)                                                                                \
    SAME(picture_options, touch_colours)                                                                               \
    SAME(picture_options, caption)                                                                                     \
    SAME(picture_options, has_region)                                                                                  \
    SAME(picture_options, region_min)                                                                                  \
    SAME(picture_options, region_max)                                                                                  \
    ANSWER(shape_answer)                                                                                               \
    SAME(shape_answer, relation)                                                                                       \
    SAME(shape_answer, certainty)                                                                                      \
    SAME(shape_answer, distance)                                                                                       \
    SAME(shape_answer, lower)                                                                                          \
    SAME(shape_answer, upper)                                                                                          \
    SAME(shape_answer, point_a)                                                                                        \
    SAME(shape_answer, point_b)                                                                                        \
    SAME(shape_answer, depth)                                                                                          \
    SAME(shape_answer, depth_lower)                                                                                    \
    SAME(shape_answer, depth_upper)                                                                                    \
    SAME(shape_answer, direction)                                                                                      \
    OPTIONS(slices_options)                                                                                            \
    SAME(slices_options, size)                                                                                         \
    SAME(slices_options, resolution)                                                                                   \
    SAME(slices_options, slices)                                                                                       \
    SAME(slices_options, refinements)                                                                                  \
    SAME(slices_options, max_boxes)                                                                                    \
    SAME(slices_options, last_slices)                                                                                  \
    SAME(slices_options, offset)                                                                                       \
    SAME(slices_options, oriented)                                                                                     \
    SAME(slices_options, has_direction)                                                                                \
    SAME(slices_options, direction)                                                                                    \
    SAME(slices_options, analysis)                                                                                     \
    SAME(slices_options, confirm)                                                                                      \
    ANSWER(scene_event)                                                                                                \
    SAME(scene_event, a)                                                                                               \
    SAME(scene_event, b)                                                                                               \
    SAME(scene_event, serial_a)                                                                                        \
    SAME(scene_event, serial_b)                                                                                        \
    SAME(scene_event, before)                                                                                          \
    SAME(scene_event, now)                                                                                             \
    ANSWER(tracked_point)                                                                                              \
    SAME(tracked_point, object_a)                                                                                      \
    SAME(tracked_point, object_b)                                                                                      \
    SAME(tracked_point, feature_a)                                                                                     \
    SAME(tracked_point, feature_b)                                                                                     \
    SAME(tracked_point, face_a)                                                                                        \
    SAME(tracked_point, face_b)                                                                                        \
    SAME(tracked_point, position)                                                                                      \
    SAME(tracked_point, normal)

#endif
