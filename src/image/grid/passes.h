// SPDX-License-Identifier: MIT
// The passes of a round: raster.c brings triangles into their grids and visits the cells that they touch; grid_pairs.c
// tries pairs of marked triangles; fragments.c makes lists of fragments and pairs of them. grid_round.c says which
// passes a round runs, in which order. Passes use bindings that raster.c sets, so they must run in that order.
#ifndef GRZ_IMAGE_GRID_PASSES_H
#define GRZ_IMAGE_GRID_PASSES_H

#include "image/grid/grid_answers.h"
#include "image/grid/grid_shaders.h"

// ---- raster.c: programs -------------------------------------------------------------------------------------------

// Use a program from now on; it is compiled the first time.
grz_status grz_grid_use(const grz_grid_call *call, const grz_gl_program_source *source);

// ---- raster.c: triangles and cells --------------------------------------------------------------------------------

// Bind the positions and indices of a part's mesh for the program in use.
void grz_grid_bind_mesh(const grz_grid_call *call, const grz_grid_part *part);

// Empty the cells, upload the layout and the initial answers, and bind the buffers of all passes.
void grz_grid_upload(const grz_grid_layout *layout, const grz_grid_buffers *buffers, const grz_grid_answers *answers);

// Bring all triangles of a side into their grids. Those that lie in one become records.
grz_status grz_grid_place_triangles(const grz_grid_call *call, const grz_grid_layout *layout,
                                    const grz_grid_buffers *buffers, size_t side);

// Two programs that visit the cells of records: one for triangles over few pixels, with an invocation for each, and
// one for triangles over many, with a work group for each.
typedef struct grz_grid_visitors {
    const grz_gl_program_source *few, *many;
} grz_grid_visitors;

// Visit all records of a side with both programs. `mode` says what they do to a cell. `groups` is where the answers'
// head has the work groups of the first program. `fragment_capacity` is 0 if the programs make no fragments.
grz_status grz_grid_visit(const grz_grid_call *call, const grz_grid_layout *layout, const grz_grid_visitors *visitors,
                          GLuint mode, size_t side, size_t groups, uint32_t fragment_capacity);

// Set the cells of objects A. After side 0 and side 1 were placed.
grz_status grz_grid_fill(const grz_grid_call *call, const grz_grid_layout *layout);

// Mark the triangles of objects B that share a cell with A, and set the cells that both have. After filling.
grz_status grz_grid_test(const grz_grid_call *call, const grz_grid_layout *layout);

// Mark the triangles of objects A that touch a cell that both have. After testing.
grz_status grz_grid_mark(const grz_grid_call *call, const grz_grid_layout *layout);

// ---- grid_pairs.c
// ------------------------------------------------------------------------------------------------------

// Try all pairs of marked triangles of the jobs that have few: by their boxes, then by determinants. After marking.
grz_status grz_grid_try_marked(const grz_grid_call *call, const grz_grid_layout *layout,
                               const grz_grid_buffers *buffers, uint32_t candidate_capacity);

// Try the pairs in the buffer of pairs by determinants.
grz_status grz_grid_test_pairs(const grz_grid_call *call, const grz_grid_layout *layout,
                               const grz_grid_buffers *buffers, uint32_t candidate_capacity);

// ---- grid_leaves.c
// -----------------------------------------------------------------------------------------------------

// Rounds with leaves: all passes, from leaf boxes to candidates.
grz_status grz_grid_join_leaves(const grz_grid_call *call, const grz_grid_layout *layout,
                                const grz_grid_buffers *buffers, uint32_t candidate_capacity);

// ---- fragments.c --------------------------------------------------------------------------------------------------

// Make fragments of both objects' triangles in cells that both have. After filling.
grz_status grz_grid_capture_shared_cells(const grz_grid_call *call, const grz_grid_layout *layout,
                                         const grz_grid_buffers *buffers);

// Make fragments of all triangles in all their cells. After side 0 was placed.
grz_status grz_grid_capture_all(const grz_grid_call *call, const grz_grid_layout *layout,
                                const grz_grid_buffers *buffers);

// Find the pairs of fragments and make candidates of them. After capturing.
grz_status grz_grid_join_fragments(const grz_grid_call *call, const grz_grid_layout *layout,
                                   const grz_grid_buffers *buffers);

// Continue the walks that join_fragments left unfinished, by what `head` says, which was read after it. *walked: there
// were such walks, and the answers are to be read again. A walk that is too long even so stays unfinished.
grz_status grz_grid_finish_walks(const grz_grid_call *call, const grz_grid_layout *layout,
                                 const grz_grid_buffers *buffers, const grz_answer_head *head, bool *walked);

#endif
