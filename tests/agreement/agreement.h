// SPDX-License-Identifier: MIT
// Every query checks the others: laws between the answers of different queries about one situation. A law that is
// broken is printed with what repeats it; the situation can be written as files.
#ifndef GRZ_TESTS_AGREEMENT_H
#define GRZ_TESTS_AGREEMENT_H

#include "situation.h"

// LAW(name, text)
#define AGREE_LAWS(LAW)                                                                                                \
    LAW(CALLS, "every call gives an answer, whose numbers are in order")                                               \
    LAW(LABELS, "the bounds of an exact number are equal or neighbours")                                               \
    LAW(ALONG_TRUTH, "the depth along a direction is that of the pieces")                                              \
    LAW(ALONG_ROUNDED, "and is rounded to nearest")                                                                    \
    LAW(ALONG_EXACT, "whole numbers and clean surfaces have exact depths")                                             \
    LAW(ALONG_LENGTH, "a direction's length does not matter")                                                          \
    LAW(ALONG_ZERO, "no depth <=> the insides are disjoint")                                                           \
    LAW(ALONG_FREE, "after the depth the insides are disjoint")                                                        \
    LAW(ALONG_BEFORE, "before the depth they are not")                                                                 \
    LAW(ALONG_TOUCH, "at the depth the surfaces touch")                                                                \
    LAW(ALONG_SWAPPED, "the depth of B in A along -d is that of A in B along d")                                       \
    LAW(ALONG_METHODS, "depths by all methods")                                                                        \
    LAW(LEAST_ZERO, "no least depth <=> the insides are disjoint")                                                     \
    LAW(LEAST_ALONG, "the least depth is none above that along a direction")                                           \
    LAW(LEAST_TRUTH, "the least depth of convex solids is that of the pieces")                                         \
    LAW(LEAST_ROUNDED, "and is exact, rounded to nearest")                                                             \
    LAW(LEAST_FREE, "moved by the least depth A is free")                                                              \
    LAW(LEAST_SWAPPED, "the least depth of B in A is that of A in B")                                                  \
    LAW(VOLUME_ZERO, "no common volume <=> the insides are disjoint")                                                  \
    LAW(VOLUME_TRUTH, "the common volume of cells of one lattice is a count")                                          \
    LAW(VOLUME_INSIDE, "a solid inside the other has its own volume in common")                                        \
    LAW(VOLUME_SWAPPED, "the common volume of B and A, to the bit")                                                    \
    LAW(VOLUME_METHODS, "common volumes by all methods")                                                               \
    LAW(DEPTH_ZERO, "no depth of an overlap <=> the insides are disjoint")                                             \
    LAW(DEPTH_LEAST, "the depth of an overlap is none above the least way out")                                        \
    LAW(DEPTH_DECIDED, "deeper than a given depth or not, as the bounds say")                                          \
    LAW(DEPTH_AGREES, "however it is asked, and of B and A, the bounds hold one depth")                                \
    LAW(DEPTH_CENTRE, "the point of the depth of an overlap is that deep")                                             \
    LAW(DEPTH_VOLUME, "and the ball around it is no larger than the common volume")                                    \
    LAW(DEPTH_LARGEST, "no depth is above the middle of those of each solid with itself")                              \
    LAW(DEPTH_INSIDE, "a solid inside the other is as deep in it as in itself")                                        \
    LAW(DEPTH_DISTANCE, "surfaces apart: no depth, or inside and as deep as that")                                     \
    LAW(DISTANCE_ZERO, "distance 0 <=> the surfaces touch")                                                            \
    LAW(DISTANCE_ROUNDED, "a distance's bounds are neighbours, and hold it")                                           \
    LAW(DISTANCE_SWAPPED, "the distance of B and A, to the bit")                                                       \
    LAW(DISTANCE_METHODS, "distances by all methods")                                                                  \
    LAW(DISTANCE_POINTS, "no vertex is nearer than the distance")                                                      \
    LAW(DISTANCE_MOVED, "moved by v, the distance changes by |v| at most")                                             \
    LAW(CLEARANCE_MET, "a clearance of the distance is met")                                                           \
    LAW(CLEARANCE_NOT_MET, "a clearance above the distance is not met")                                                \
    LAW(CLEARANCE_FACES, "and the nearest faces are near")                                                             \
    LAW(MOVE_TRUTH, "the first contact is that of the pieces")                                                         \
    LAW(MOVE_STARTED, "started inside <=> the insides overlap at the start")                                           \
    LAW(MOVE_CONTACT, "at the first contact the surfaces touch")                                                       \
    LAW(MOVE_BEFORE, "before it they do not")                                                                          \
    LAW(MOVE_START, "objects that touch at the start are on both sides of their normal")                               \
    LAW(MOVE_OVERLAP, "insides overlap at no sampled time before the first overlap")                                   \
    LAW(MOVE_FACES, "the faces of the first contact touch then")                                                       \
    LAW(MOVE_TIES, "as many pairs of faces as it says")                                                                \
    LAW(MOVE_SWAPPED, "B, moved the other way, meets A at the same time")                                              \
    LAW(MOVE_METHODS, "first contacts by all methods")                                                                 \
    LAW(MOVE_DISTANCE, "the way to it is no shorter than the distance")                                                \
    LAW(MOVE_RIGID, "the same as a rigid motion encloses it")                                                          \
    LAW(MOVE_STRAIGHT, "a rigid motion without a turn has the same bytes")                                             \
    LAW(MOVE_DEFORMING, "the same as vertices that all move alike enclose it")                                         \
    LAW(INTERVALS_FIRST, "the first interval of contact begins at the first contact")                                  \
    LAW(INTERVALS_INSIDE, "in an interval of contact the surfaces touch")                                              \
    LAW(INTERVALS_OUTSIDE, "between two of them they do not")                                                          \
    LAW(INTERVALS_BACK, "on the way back the same intervals, mirrored")                                                \
    LAW(INTERVALS_METHODS, "intervals by all methods")                                                                 \
    LAW(SOLIDS_TRUTH, "apart, touching or overlapping as the pieces are")                                              \
    LAW(SOLIDS_HOLD, "one holds the other, or is the same, as the cells are")                                          \
    LAW(SOLIDS_RULES, "the nonzero rule says the same of surfaces wound outwards")                                     \
    LAW(SOLIDS_AUTO, "the rule that is chosen says the same as when it is named")                                      \
    LAW(SOLIDS_SWAPPED, "B and A lie as A and B")                                                                      \
    LAW(SOLIDS_VERTICES, "solids that are apart or inside have their vertices there")                                  \
    LAW(INSIDE_VERTICES, "a mesh inside the other has its vertices there")                                             \
    LAW(INSIDE_PIECES, "the middle of a piece is inside")                                                              \
    LAW(INSIDE_RAYS, "inside <=> a ray from there has an odd number of hits")                                          \
    LAW(INSIDE_DISTANCE, "points are located alike with their distance and without")                                   \
    LAW(RAYS_METHODS, "rays by all structures")                                                                        \
    LAW(RAYS_FIRST, "the first hit is the first of all")                                                               \
    LAW(RAYS_ANY, "any hit <=> a first hit")                                                                           \
    LAW(RAYS_BOXES, "what is hit has its box hit before")                                                              \
    LAW(SHAPE_HULLS, "hulls as shapes lie as the solids do")                                                           \
    LAW(SHAPE_DISTANCE, "and have the distance of the meshes")                                                         \
    LAW(SHAPE_DEPTH, "and their least depth")                                                                          \
    LAW(SHAPE_CONTACT, "and the points of their contact are on both surfaces")                                         \
    LAW(SHAPE_OBJECT, "hull and mesh: apart <=> so are surfaces, or A is inside")                                      \
    LAW(SHAPE_FACES, "a triangle touches the same faces as a shape and as a face")                                     \
    LAW(SHAPE_SPHERE, "a sphere is apart <=> its middle is farther away")                                              \
    LAW(SHAPE_SEGMENT, "a segment is apart <=> a ray along it hits nothing")                                           \
    LAW(FIT_HOLDS, "no vertex is apart from a shape fitted around them")                                               \
    LAW(FIT_SCREENS, "what a fitted shape is apart from, the mesh is apart from")                                      \
    LAW(FLAT_SEARCHES, "the plane: all searches, to the bit")                                                          \
    LAW(FLAT_MOVED, "items that have moved are as created again")                                                      \
    LAW(FLAT_SHAPES, "items touch <=> shapes without thickness do in space")                                           \
    LAW(FLAT_DISTANCE, "the nearest item is as far as its shape")                                                      \
    LAW(SCENE_PAIRS, "a scene's pairs are those of its objects, asked alone")                                          \
    LAW(SCENE_NEAREST, "a scene's nearest pair is that of its objects")                                                \
    LAW(SCENE_MOVE, "what moves in a scene meets what it meets alone")                                                 \
    LAW(SCENE_EVENTS, "a scene's events are the difference of its two lists of pairs")                                 \
    LAW(CONTACT_IDS, "contacts keep the numbers that all pairs, nearest first, give")                                  \
    LAW(CONTACT_FEATURES, "a contact's features are of its faces")                                                     \
    LAW(POSES_COLLIDE, "many poses are single calls")                                                                  \
    LAW(POSES_DISTANCE, "distances of many poses are single calls")                                                    \
    LAW(POSES_MOVE, "many paths are single calls")                                                                     \
    LAW(METHODS, "pairs, contacts and curves by all methods")                                                          \
    LAW(SAME_SHUFFLED, "vertices and faces in another order")                                                          \
    LAW(SAME_SUBDIVIDED, "faces cut through the middles of their edges")                                               \
    LAW(SAME_SCALED, "all times a power of two")                                                                       \
    LAW(SAME_IN_WORLD, "the pose asked for, and the vertices moved before")                                            \
    LAW(SAME_MOVED, "both moved alike")                                                                                \
    LAW(FLIGHT_MOVE, "a point that flies bounces before it touches what moves")                                        \
    LAW(FLIGHT_NEAR, "and is then outside, nearer than the skin")                                                      \
    LAW(FLIGHT_RELATIVE, "past what moves as past what stands, seen from there")                                       \
    LAW(FLIGHT_REST, "a motion of zeros is none, to the bit")                                                          \
    LAW(FLIGHT_TURNS, "it bounces off what turns outside, nearer than the skin")                                       \
    LAW(FLIGHT_OUTSIDE, "and ends outside of it")

typedef enum agree_law {
#define AGREE_ENUM(name, text) AGREE_LAW_##name,
    AGREE_LAWS(AGREE_ENUM)
#undef AGREE_ENUM
    AGREE_LAW_COUNT
} agree_law;

typedef struct agree_run {
    grz_device *device;
    grz_result *result;
    const agree_situation *now;
    grz_object objects[2]; // of `now`
    agree_source choices;  // for what a subject's laws choose at random
    uint64_t seed;         // of `now`
    bool broke;            // a law was broken in `now`
    bool of_bytes;         // `now` comes from a fuzzer's input
    uint64_t situations[AGREE_KIND_COUNT];
    uint64_t applied[AGREE_LAW_COUNT], broken[AGREE_LAW_COUNT];
    uint64_t exact_depths, wide_depths; // answers whose bounds are neighbours, and others
    // The same for each law and kind: how many breaches were printed.
    uint8_t printed[AGREE_LAW_COUNT][AGREE_KIND_COUNT];
} agree_run;

const char *agree_law_name(agree_law law);

void agree_run_open(agree_run *run);
void agree_run_close(agree_run *run);

// Make the situation of a seed, or of a fuzzer's bytes, and ask all laws. Returns whether all hold.
bool agree_run_seed(agree_run *run, uint64_t seed);
bool agree_run_bytes(agree_run *run, const uint8_t *data, size_t size);

// Print a table of the laws: how often each applied, and was broken.
void agree_run_print(const agree_run *run);

// Count a law. If it does not hold, print it with both answers, which `format` and what follows tell. Returns `holds`.
bool agree_law_holds(agree_run *run, agree_law law, bool holds, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// The laws, by subject. ONE_IN(name, n): they are asked in one of n situations.
#define AGREE_SUBJECTS(ONE_IN)                                                                                         \
    ONE_IN(penetration, 1)                                                                                             \
    ONE_IN(least, 8)                                                                                                   \
    ONE_IN(volume, 3)                                                                                                  \
    ONE_IN(distance, 3)                                                                                                \
    ONE_IN(motion, 3)                                                                                                  \
    ONE_IN(intervals, 4)                                                                                               \
    ONE_IN(inside, 2)                                                                                                  \
    ONE_IN(rays, 2)                                                                                                    \
    ONE_IN(shapes, 2)                                                                                                  \
    ONE_IN(fits, 3)                                                                                                    \
    ONE_IN(many, 4)                                                                                                    \
    ONE_IN(methods, 3)                                                                                                 \
    ONE_IN(same, 4)                                                                                                    \
    ONE_IN(flat, 3)                                                                                                    \
    ONE_IN(events, 5)                                                                                                  \
    ONE_IN(flights, 2)                                                                                                 \
    ONE_IN(depth, 6)

#define AGREE_DECLARE(name, n) void agree_laws_of_##name(agree_run *run);
AGREE_SUBJECTS(AGREE_DECLARE)
#undef AGREE_DECLARE

#endif
