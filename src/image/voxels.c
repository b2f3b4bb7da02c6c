// SPDX-License-Identifier: MIT
// Voxels on the GPU, a round of jobs at a time: triangles of all first objects set bits, those of the second ones are tested against them
// and marked, those of the first ones are marked where both have been; then pairs of marked triangles are tried, and all answers read
// back at once. Triangles that reach over many cells have a work group each, in a second dispatch of each step. Source: M. Schwarz,
// H.-P. Seidel, "Fast parallel surface and solid voxelization on GPUs" (2010), with bounds.
#include <string.h>

#include "base/fail.h"
#include "image/gl_mesh.h"
#include "image/voxel_parts.h"

enum {
    KEPT_BUFFERS = 13,
    PLACES_BYTES =
        GRZ_VOXEL_JOBS * sizeof(grz_voxel_place) // of a side's objects; a multiple of 256, where a uniform block may start
};

static const grz_gl_program_source place_program = {"voxels_place", {&grz_shader_voxels_place_comp, NULL, NULL}};
static const grz_gl_program_source visit_program = {"voxels_visit", {&grz_shader_voxels_visit_comp, NULL, NULL}};
static const grz_gl_program_source big_program = {"voxels_big", {&grz_shader_voxels_big_comp, NULL, NULL}};

static void release_kept(grz_gl *gl, void *kept)
{
    grz_voxel_kept *v = kept;
    grz_gl_buffer *const buffers[KEPT_BUFFERS] = {&v->places, &v->cells,     &v->units, &v->records, &v->big,
                                                  &v->marked, &v->answers,   &v->tasks, &v->pairs,   &v->nodes,
                                                  &v->heads,  &v->raw_pairs, &v->seen};
    for (size_t i = 0; i < KEPT_BUFFERS; i++)
        grz_gl_buffer_finish(gl, buffers[i]);
}

static const grz_gl_keep keep = {sizeof(grz_voxel_kept), release_kept};

// Of objects in a job.
static size_t sides(const grz_voxel_work *w)
{
    return w->self || w->many ? 1 : 2;
}

// ---- Room -------------------------------------------------------------------------------------------------------------------

static uint64_t cell_bytes(const grz_voxel_work *w)
{
    return 8 * grz_voxel_pixels(w);
}

grz_status grz_voxel_reserve(const grz_voxel_work *w, const grz_voxel_need *needs, size_t count, bool *fits)
{
    const uint64_t limit = grz_gl_get_limits(w->gl)->storage_block;
    grz_status status = GRZ_OK;
    for (size_t i = 0; i < count; i++)
        *fits = *fits && needs[i].bytes <= limit;
    for (size_t i = 0; *fits && i < count && status == GRZ_OK; i++)
        status = grz_gl_buffer_reserve(w->gl, needs[i].buffer, needs[i].bytes, needs[i].what, w->error);
    return status;
}

// Room on the GPU for the round. False in *fits: there is not enough for one.
static grz_status reserve(grz_voxel_work *w, bool *fits)
{
    const uint64_t limit = grz_gl_get_limits(w->gl)->storage_block, records = grz_voxel_record_count(w);
    grz_voxel_kept *v = w->kept;
    const grz_voxel_join join = w->question->join;
    grz_status status = GRZ_OK;
    *fits = records <= GRZ_VOXEL_MOST_EACH;
    for (size_t i = 0; i < sides(w) * w->part_count; i++) // the caller's buffers were checked when the mesh was made
        if (w->parts[i].mesh->source == NULL)
            *fits = *fits && 12 * (uint64_t)w->parts[i].mesh->vertex_count <= limit;
    w->room = 0;
    if (join == GRZ_JOIN_TRY)
        status = grz_voxel_pairs_reserve(w, fits);
    if (join == GRZ_JOIN_LAYERS)
        status = grz_layers_reserve(w, fits);
    const grz_voxel_need needs[] = {
        {&v->places, (uint64_t)PLACES_BYTES * (2 + w->part_count / GRZ_VOXEL_JOBS), "places"},
        {&v->cells, cell_bytes(w), "cells"},
        {&v->units, w->count * sizeof *w->units, "units"},
        {&v->records, (uint64_t)16 * GRZ_RECORD_VECTORS * records, "triangles in a grid"},
        {&v->big, 4 * records, "large triangles"},
        {&v->marked, 8 * records, "marked triangles"},
        {&v->answers, 4 * grz_voxel_head_words(w) + sizeof(grz_voxel_candidate) * (uint64_t)w->room, "pairs that may touch"},
    };
    return status == GRZ_OK ? grz_voxel_reserve(w, needs, sizeof needs / sizeof *needs, fits) : status;
}

// ---- Passes -----------------------------------------------------------------------------------------------------------------

static void upload(const grz_voxel_work *w)
{
    const GLuint nothing = 0;
    const grz_voxel_kept *v = w->kept;
    const GLuint names[] = {v->cells.name, v->units.name, v->records.name, v->big.name, v->marked.name, v->answers.name};
    glClearNamedBufferSubData(v->cells.name, GL_R32UI, 0, (GLsizeiptr)cell_bytes(w), GL_RED_INTEGER, GL_UNSIGNED_INT, &nothing);
    for (size_t i = 0; i < sides(w) * w->part_count; i++)
        w->places[i] = w->parts[i].place;
    for (size_t side = 0; side < sides(w); side++)
        glNamedBufferSubData(v->places.name, (GLintptr)(side * PLACES_BYTES), (GLsizeiptr)(w->part_count * sizeof *w->places),
                             w->places + side * w->part_count);
    glNamedBufferSubData(v->units.name, 0, (GLsizeiptr)(w->count * sizeof *w->units), w->units);
    glNamedBufferSubData(v->answers.name, 0, (GLsizeiptr)(4 * grz_voxel_head_words(w)), w->head);
    glBindBuffersBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_VOXEL_CELLS, sizeof names / sizeof *names, names);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, v->answers.name);
}

grz_status grz_voxel_use(const grz_voxel_work *w, const grz_gl_program_source *source)
{
    GLuint program;
    const grz_status status = grz_gl_program(w->gl, source, &program, w->error);
    if (status == GRZ_OK)
        glUseProgram(program);
    return status;
}

static void finish_dispatch(void)
{
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
}

void grz_voxel_dispatch(size_t at)
{
    glDispatchComputeIndirect((GLintptr)(4 * at));
    finish_dispatch();
}

void grz_voxel_dispatch_groups(size_t groups)
{
    glDispatchCompute((GLuint)groups, 1, 1);
    finish_dispatch();
}

static void bind_mesh(const grz_voxel_work *w, const grz_voxel_part *p)
{
    if (p->mesh->source != NULL) {
        grz_gl_mesh_bind(w->gl, p->mesh);
    } else {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_POSITIONS, p->buffers->positions);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_INDICES, p->buffers->indices);
        glUniform2ui(GRZ_AT_POSITION_LAYOUT, 0, 3);
        glUniform2ui(GRZ_AT_INDEX_LAYOUT, sizeof(uint32_t), 0);
        glUniform2ui(GRZ_AT_COUNTS, p->mesh->vertex_count, p->mesh->triangle_count);
    }
    glUniform4fv(GRZ_AT_MIDDLE, 1, p->buffers->frame);
}

static void set_grid(const grz_voxel_work *w)
{
    glUniform3ui(GRZ_AT_VOXEL_GRID, w->question->resolution, w->question->resolution, GRZ_VOXEL_SLICES);
    glUniform1ui(GRZ_AT_VOXEL_ROOM, (GLuint)w->triangles[0]);
}

// Bring all triangles of all objects of one side into their grids.
static grz_status place(const grz_voxel_work *w, size_t side)
{
    const uint64_t most = (uint64_t)grz_gl_get_limits(w->gl)->groups * GRZ_VOXEL_GROUP;
    const grz_voxel_part *parts = w->parts + side * w->part_count;
    const grz_status status = grz_voxel_use(w, &place_program);
    if (status != GRZ_OK)
        return status;
    set_grid(w);
    glUniform1ui(GRZ_AT_VOXEL_SIDE, (GLuint)side);
    for (size_t base = 0; base < w->part_count; base += GRZ_VOXEL_JOBS) { // as many as a uniform block has
        const size_t end = base + GRZ_VOXEL_JOBS < w->part_count ? base + GRZ_VOXEL_JOBS : w->part_count;
        glBindBufferRange(GL_UNIFORM_BUFFER, GRZ_BIND_VOXEL_PLACES, w->kept->places.name,
                          (GLintptr)(side * PLACES_BYTES + base * sizeof *w->places), PLACES_BYTES);
        for (size_t from = base, to; from < end; from = to) {
            const uint64_t count = parts[from].mesh->triangle_count;
            for (to = from + 1; to < end && parts[to].mesh == parts[from].mesh;)
                to++;
            bind_mesh(w, &parts[from]);
            glUniform1ui(GRZ_AT_VOXEL_PLACE, (GLuint)(from - base));
            for (uint64_t first = 0; first < count; first += most) {
                const uint64_t now = count - first < most ? count - first : most;
                glUniform1ui(GRZ_AT_FIRST, (GLuint)first);
                glDispatchCompute((GLuint)((now + GRZ_VOXEL_GROUP - 1) / GRZ_VOXEL_GROUP), (GLuint)(to - from), 1);
            }
        }
    }
    finish_dispatch();
    return GRZ_OK;
}

grz_status grz_voxel_pass(const grz_voxel_work *w, const grz_voxel_programs *programs, GLuint mode, size_t side, size_t groups)
{
    grz_status status = GRZ_OK;
    for (int i = 0; i < 2 && status == GRZ_OK; i++) {
        status = grz_voxel_use(w, i == 0 ? programs->few : programs->many);
        if (status != GRZ_OK)
            return status;
        set_grid(w);
        glUniform1ui(GRZ_AT_VOXEL_MODE, mode);
        if (programs->layers)
            glUniform1ui(GRZ_AT_LAYER_ROOM, w->kept->node_room);
        if (i == 0)
            grz_voxel_dispatch(groups);
        else
            grz_voxel_dispatch(GRZ_HEAD_BIG_GROUPS + 4 * side);
    }
    return status;
}

static grz_status visit(const grz_voxel_work *w, GLuint mode, size_t groups)
{
    static const grz_voxel_programs programs = {&visit_program, &big_program, false};
    return grz_voxel_pass(w, &programs, mode, mode == GRZ_VOXEL_TEST ? 1 : 0, groups);
}

// Mark all triangles that share a cell, those of the first objects unless all that is asked is whether there are any.
static grz_status mark(const grz_voxel_work *w)
{
    grz_status status = visit(w, GRZ_VOXEL_TEST, GRZ_HEAD_RECORD_GROUPS + 4);
    if (status == GRZ_OK && w->question->join != GRZ_JOIN_GATE)
        status = visit(w, GRZ_VOXEL_MARK, GRZ_HEAD_MARK_GROUPS);
    return status == GRZ_OK && w->room > 0 ? grz_voxel_pairs_try(w) : status;
}

static grz_status pass_all(const grz_voxel_work *w)
{
    grz_status status = place(w, 0);
    if (status == GRZ_OK && sides(w) == 2)
        status = place(w, 1);
    if (status == GRZ_OK && sides(w) == 2)
        status = visit(w, GRZ_VOXEL_FILL, GRZ_HEAD_RECORD_GROUPS);
    if (status == GRZ_OK)
        status = w->question->join == GRZ_JOIN_LAYERS ? grz_layers_capture(w) : mark(w);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    return status;
}

// ---- A round ----------------------------------------------------------------------------------------------------------------

// Whether there was so much in the grid that it was let go. A job alone is no job for a grid then.
static bool given_up(const grz_voxel_work *w)
{
    const bool so = w->said[GRZ_HEAD_GIVEN_UP] != 0;
    for (size_t i = 0; i < w->count && so; i++)
        grz_voxel_job_words(w->said, i)[GRZ_JOB_FLAGS] = w->count > 1 ? GRZ_JOB_OVERFLOW : GRZ_JOB_WHOLE;
    return so;
}

// What is left of walks, and whether all is to be done again with more room.
static grz_status finish_layers(const grz_voxel_work *w, bool *again)
{
    bool walked;
    *again = false;
    if (given_up(w))
        return GRZ_OK;
    *again = grz_layers_grow(w);
    if (*again)
        return GRZ_OK;
    grz_status status = grz_layers_walk_on(w, &walked);
    if (status == GRZ_OK && walked) {
        status = grz_voxel_read_answers(w);
        if (status != GRZ_OK || given_up(w))
            return status;
        *again = grz_layers_grow(w);
    }
    for (size_t i = 0; i < w->count && status == GRZ_OK; i++) {
        uint32_t *flags = &grz_voxel_job_words(w->said, i)[GRZ_JOB_FLAGS];
        const bool over = w->said[GRZ_HEAD_WALK_FROM] == w->said[GRZ_HEAD_WALK_TO];
        if ((*flags & GRZ_JOB_LONG) != 0)
            *flags = (*flags & ~GRZ_JOB_LONG) | (over ? 0 : GRZ_JOB_WHOLE);
    }
    return status;
}

static grz_status run(grz_voxel_work *w)
{
    bool fits, again = true;
    w->kept = grz_gl_kept(w->gl, &keep);
    if (w->kept == NULL)
        return grz_fail(w->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "%s: out of memory", w->question->method);
    for (int i = GRZ_HEAD_RECORD_GROUPS; i < GRZ_HEAD_WORDS; i += 4) // work groups: 0, 1, 1 and a word that is not used
        w->head[i + 1] = w->head[i + 2] = 1;
    grz_status status = grz_voxel_place_all(w);
    if (status != GRZ_OK || w->count == 0)
        return status;
    while (again) {
        status = reserve(w, &fits);
        for (size_t i = 0; status == GRZ_OK && !fits && i < w->count; i++)
            w->round->answers[w->numbers[i]].flags = GRZ_JOB_WHOLE;
        if (status != GRZ_OK || !fits)
            return status;
        upload(w);
        status = pass_all(w);
        if (status == GRZ_OK)
            status = grz_voxel_read_answers(w);
        again = false;
        if (status == GRZ_OK && w->question->join == GRZ_JOIN_LAYERS)
            status = finish_layers(w, &again);
        if (status != GRZ_OK)
            return status;
    }
    return grz_voxel_take_answers(w);
}

static grz_status run_inside(grz_voxel_work *w)
{
    const grz_allocator *allocator = w->allocator;
    const size_t count = w->question->objects != NULL ? 1 : w->question->count;
    const size_t part_count = w->question->objects != NULL ? w->question->object_count : 2 * count;
    const size_t words = GRZ_HEAD_WORDS + GRZ_JOB_WORDS * count;
    const size_t said_words = words + (size_t)GRZ_CANDIDATE_WORDS * GRZ_VOXEL_CANDIDATES;
    w->many = w->question->objects != NULL;
    w->self = !w->many && w->question->jobs[0]->b == NULL;
    w->numbers = grz_allocate_zeroed(allocator, count, sizeof *w->numbers);
    w->places = grz_allocate(allocator, part_count, sizeof *w->places);
    w->units = grz_allocate(allocator, count, sizeof *w->units);
    w->parts = grz_allocate(allocator, part_count, sizeof *w->parts);
    w->head = grz_allocate_zeroed(allocator, words, sizeof *w->head);
    w->said = grz_allocate(allocator, said_words, sizeof *w->said);
    w->round->answers = grz_allocate_zeroed(allocator, count, sizeof *w->round->answers);
    w->round->answer_count = w->round->answers != NULL ? count : 0;
    const bool there = w->numbers != NULL && w->places != NULL && w->units != NULL && w->parts != NULL && w->head != NULL &&
                       w->said != NULL && w->round->answers != NULL;
    const grz_status status =
        there ? run(w)
              : grz_fail(w->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "%s: out of memory for %zu jobs", w->question->method, count);
    grz_release(allocator, w->numbers, count, sizeof *w->numbers);
    grz_release(allocator, w->places, part_count, sizeof *w->places);
    grz_release(allocator, w->units, count, sizeof *w->units);
    grz_release(allocator, w->parts, part_count, sizeof *w->parts);
    grz_release(allocator, w->head, words, sizeof *w->head);
    grz_release(allocator, w->said, said_words, sizeof *w->said);
    return status;
}

grz_status grz_voxels_run(grz_device *device, const grz_voxel_question *question, grz_control *control, grz_voxel_round *round,
                          grz_error *error)
{
    grz_voxel_work w = {
        .question = question, .control = control, .allocator = grz_control_allocator(control), .round = round, .error = error};
    grz_voxel_round_finish(round, control);
    grz_status status = grz_gl_enter(device, question->method, &w.gl, error);
    if (status != GRZ_OK)
        return status;
    status = run_inside(&w);
    return grz_gl_leave(w.gl, status, error);
}

void grz_voxel_round_finish(grz_voxel_round *round, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    for (size_t i = 0; i < round->answer_count; i++)
        for (int k = 0; k < 2; k++)
            grz_release(allocator, round->answers[i].lists[k], round->answers[i].marked[k], sizeof *round->answers[i].lists[k]);
    grz_release(allocator, round->answers, round->answer_count, sizeof *round->answers);
    grz_release(allocator, round->candidates, round->candidate_room, sizeof *round->candidates);
    *round = (grz_voxel_round){.answers = NULL};
}

// What is kept of a device that was entered; without it there is an error.
static grz_status get_kept(grz_gl *gl, grz_voxel_kept **kept, grz_error *error)
{
    *kept = grz_gl_kept(gl, &keep);
    return *kept != NULL ? GRZ_OK : grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "voxels: out of memory");
}

grz_status grz_voxels_read_cells(grz_device *device, uint32_t resolution, uint32_t *cells, grz_error *error)
{
    grz_gl *gl;
    grz_voxel_kept *v;
    grz_status status = grz_gl_enter(device, "voxels", &gl, error);
    if (status != GRZ_OK)
        return status;
    const uint64_t bytes = 8 * (uint64_t)resolution * resolution;
    status = get_kept(gl, &v, error);
    if (status == GRZ_OK && v->cells.size < bytes)
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "voxels: there are no such cells");
    if (status == GRZ_OK)
        glGetNamedBufferSubData(v->cells.name, 0, (GLsizeiptr)bytes, cells);
    return grz_gl_leave(gl, status, error);
}

// What is in the buffers, inside.
static grz_status read_layers(const grz_voxel_kept *v, uint32_t resolution, uint32_t *heads, grz_layer_fragment *fragments,
                              uint32_t count, grz_error *error)
{
    const uint64_t list_bytes = 4 * (uint64_t)resolution * resolution * GRZ_VOXEL_SLICES;
    if (v->heads.size < list_bytes || v->nodes.size < 16 * (uint64_t)count)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "layers: there are no such fragments");
    glGetNamedBufferSubData(v->heads.name, 0, (GLsizeiptr)list_bytes, heads);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node[4], record[2];
        glGetNamedBufferSubData(v->nodes.name, (GLintptr)(16 * (uint64_t)i), sizeof node, node);
        glGetNamedBufferSubData(v->records.name, (GLintptr)((uint64_t)16 * GRZ_RECORD_VECTORS * (node[1] & GRZ_LAYER_RECORD)),
                                sizeof record, record);
        fragments[i] = (grz_layer_fragment){.next = node[0], .triangle = record[0], .low = node[2] & 0xffff, .high = node[2] >> 16};
    }
    return GRZ_OK;
}

grz_status grz_layers_read(grz_device *device, uint32_t resolution, uint32_t *heads, grz_layer_fragment *fragments, uint32_t count,
                           grz_error *error)
{
    grz_gl *gl;
    grz_voxel_kept *v;
    grz_status status = grz_gl_enter(device, "layers", &gl, error);
    if (status != GRZ_OK)
        return status;
    status = get_kept(gl, &v, error);
    if (status == GRZ_OK)
        status = read_layers(v, resolution, heads, fragments, count, error);
    return grz_gl_leave(gl, status, error);
}

grz_status grz_voxels_limit_pairs(grz_device *device, uint32_t pairs, grz_error *error)
{
    grz_gl *gl;
    grz_voxel_kept *v;
    grz_status status = grz_gl_enter(device, "voxels", &gl, error);
    if (status != GRZ_OK)
        return status;
    status = get_kept(gl, &v, error);
    if (status == GRZ_OK)
        v->pair_limit = pairs < GRZ_VOXEL_MOST_EACH ? pairs : GRZ_VOXEL_MOST_EACH;
    return grz_gl_leave(gl, status, error);
}
