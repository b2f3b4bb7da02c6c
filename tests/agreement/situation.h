// SPDX-License-Identifier: MIT
// Situations: two meshes at poses and a direction, in which queries are asked. Each kind is one that has been, or may
// be, hard for some query. The same source gives the same situation on every machine.
#ifndef GRZ_TESTS_AGREEMENT_SITUATION_H
#define GRZ_TESTS_AGREEMENT_SITUATION_H

#include "pieces.h"
#include "source.h"
#include "support_meshes.h"

#define AGREE_KINDS(X)                                                                                                 \
    X(CELLS, "cells")           /* unions of cells of one lattice, often flush */                                      \
    X(LATTICES, "lattices")     /* unions of cells of two lattices */                                                  \
    X(COMBS, "combs")           /* teeth that pass through gaps of their own width: free for a moment only */          \
    X(PILES, "piles")           /* cells, and surfaces that cross or cover themselves */                               \
    X(NESTED, "nested")         /* one in the hollow of the other, or in its inside, free or flush */                  \
    X(FLUSH, "flush")           /* solids that share walls, or are the same but for their triangles */                 \
    X(DUPLICATED, "duplicated") /* cells with faces that are there twice, cracks and triangles without area */         \
    X(CONVEX, "convex")         /* boxes and tetrahedra of small whole numbers */                                      \
    X(SLIVERS, "slivers")       /* very long or very thin boxes and tetrahedra */                                      \
    X(OFFSET, "offset")         /* any of these, far from the origin */                                                \
    X(TINY, "tiny")             /* any of these, times 2^-200 to 2^-1070 */                                            \
    X(HUGE_SCALE, "huge")       /* any of these, times 2^100 to 2^270 */                                               \
    X(SOUP, "soup")             /* triangles of whole numbers, open */                                                 \
    X(LOOSE, "loose")           /* triangles of any numbers, open, at rounding poses */                                \
    X(ROUGH, "rough")           /* closed surfaces of any numbers at rounding poses */                                 \
    X(FLOATS, "floats")         /* the same, nearly touching */

typedef enum agree_kind {
#define AGREE_ENUM(name, text) AGREE_KIND_##name,
    AGREE_KINDS(AGREE_ENUM)
#undef AGREE_ENUM
    AGREE_KIND_COUNT
} agree_kind;

typedef struct agree_body {
    test_mesh mesh;
    grz_pose pose;
    agree_pieces pieces; // in the world, in units
    bool closed;
    bool convex;
    bool bare;  // closed: the surface is the boundary of the solid, and nothing else
    bool wound; // closed: faces are wound consistently
} agree_body;

typedef struct agree_situation {
    agree_kind kind;
    agree_body bodies[2];
    int d[3];        // a direction, not 0
    bool whole;      // all positions in the world are whole numbers times the unit, and no operation rounds
    int exponent;    // the unit is 2^exponent
    int64_t most;    // whole: the largest magnitude of a position, in units
    bool same_cells; // both are made of cells of one lattice: the volume that they share is a count
    int64_t shared_volume, cell_volume;
    agree_source source; // for what the laws choose at random
} agree_situation;

const char *agree_kind_name(agree_kind kind);

// Make a situation of a kind. Free it with agree_situation_finish().
void agree_situation_make(agree_situation *s, agree_kind kind, agree_source source);
void agree_situation_finish(agree_situation *s);

// For the files of situations: bodies of whole numbers, their poses still those of the unit 1.
void agree_make_cells(agree_situation *s);
void agree_make_lattices(agree_situation *s);
void agree_make_combs(agree_situation *s);
void agree_make_piles(agree_situation *s);
void agree_make_nested(agree_situation *s);
void agree_make_flush(agree_situation *s);
void agree_make_convex(agree_situation *s);
void agree_make_slivers(agree_situation *s);
void agree_make_soup(agree_situation *s);
// Of any numbers.
void agree_make_loose(agree_situation *s);
void agree_make_rough(agree_situation *s);
void agree_make_floats(agree_situation *s);

#endif
