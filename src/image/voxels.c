// SPDX-License-Identifier: MIT
// Voxels on the GPU, a round of jobs at a time: triangles of all first objects set bits, those of the second ones are tested against them
// and marked, those of the first ones are marked where both have been; then pairs of marked triangles are tried, and all answers read
// back at once. Triangles that reach over many cells have a work group each, in a second dispatch of each step. Source: M. Schwarz,
// H.-P. Seidel, "Fast parallel surface and solid voxelization on GPUs" (2010), with bounds.
#include "image/voxels.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/sort.h"
#include "geometry/pose.h"
#include "image/gl_mesh.h"
#include "image/mesh_buffers.h"
#include "image/shaders.h"

enum {
    FEW_PAIRS = 1 << 12,  // of marked triangles, that a program on the CPU tries as fast as a hierarchy does
    MANY_PAIRS = 1 << 20, // and a GPU
    PAIRS_EACH = 1 << 10, // room for pairs, for each job of a round
    TASKS_EACH = GRZ_PAIRS_MOST / GRZ_VOXEL_GROUP,
    MOST_GROUPS = 65535,                       // that any device dispatches
    MOST_EACH = MOST_GROUPS * GRZ_VOXEL_GROUP, // invocations
    KEPT_BUFFERS = 9,
    PLACES_BYTES =
        GRZ_VOXEL_JOBS * sizeof(grz_voxel_place) // of a side's objects; a multiple of 256, where a uniform block may start
};

static const grz_gl_program_source place_program = {"voxels_place", {&grz_shader_voxels_place_comp, NULL, NULL}};
static const grz_gl_program_source visit_program = {"voxels_visit", {&grz_shader_voxels_visit_comp, NULL, NULL}};
static const grz_gl_program_source big_program = {"voxels_big", {&grz_shader_voxels_big_comp, NULL, NULL}};
static const grz_gl_program_source plan_program = {"pairs_plan", {&grz_shader_pairs_plan_comp, NULL, NULL}};
static const grz_gl_program_source join_program = {"pairs_join", {&grz_shader_pairs_join_comp, NULL, NULL}};
static const grz_gl_program_source test_program = {"pairs_test", {&grz_shader_pairs_test_comp, NULL, NULL}};

enum {
    PLACE,
    VISIT,
    BIG,
    PLAN,
    JOIN,
    TEST,
    PROGRAM_COUNT
};

static const grz_gl_program_source *const sources[PROGRAM_COUNT] = {&place_program, &visit_program, &big_program,
                                                                    &plan_program,  &join_program,  &test_program};

// What is kept between queries.
typedef struct voxels {
    grz_gl_buffer places, cells, units, records, big, marked, answers, tasks, pairs;
    uint32_t pair_limit; // 0: what is good for the device
} voxels;

static void release_voxels(grz_gl *gl, void *kept)
{
    voxels *v = kept;
    grz_gl_buffer *const buffers[KEPT_BUFFERS] = {&v->places, &v->cells,   &v->units, &v->records, &v->big,
                                                  &v->marked, &v->answers, &v->tasks, &v->pairs};
    for (size_t i = 0; i < KEPT_BUFFERS; i++)
        grz_gl_buffer_finish(gl, buffers[i]);
}

static const grz_gl_keep keep = {sizeof(voxels), release_voxels};

// One object of a job, in the order in which objects are put into the grids: those with the same mesh one behind the other.
typedef struct part {
    const grz_mesh *mesh;
    const grz_mesh_buffers *buffers;
    grz_voxel_place place;
} part;

// A round under way.
typedef struct marking {
    grz_gl *gl;
    const grz_voxel_question *question;
    grz_control *control;
    const grz_allocator *allocator;
    grz_voxel_round *round;
    grz_error *error;
    voxels *kept;
    GLuint programs[PROGRAM_COUNT];
    size_t count;              // jobs that have a grid
    uint32_t *numbers;         // of these jobs in the question
    part *parts;               // their objects A, then their objects B
    grz_voxel_place *places;   // of the same, for the shaders
    grz_voxel_unit *units;     // of the jobs
    uint32_t *head;            // of the answers: head, and a few words for each job
    uint64_t triangles[2];     // of all these objects A, and B
    uint32_t room, pair_limit; // for pairs, and as many candidates
} marking;

static size_t head_words(const marking *m)
{
    return GRZ_HEAD_WORDS + GRZ_JOB_WORDS * m->count;
}

static uint32_t *job_words(const marking *m, size_t job)
{
    return m->head + GRZ_HEAD_WORDS + GRZ_JOB_WORDS * job;
}

// ---- What the shaders are told -----------------------------------------------------------------------------------------------

// How large two objects are, as far as their boxes tell.
static double size_of(const grz_job *job)
{
    double size = 0.0;
    for (int i = 0; i < 2; i++) {
        const grz_object *object = i == 0 ? job->a : job->b;
        const grz_box box = grz_world_box(&object->pose, &object->mesh->bounds);
        for (int j = 0; j < 3; j++)
            size = fmax(size, box.max[j] - box.min[j]);
    }
    return size;
}

// A job's two objects. *fits: there is a grid for them.
static grz_status place_job(const marking *m, const grz_job *job, part parts[2], bool *fits)
{
    const grz_object *objects[2] = {job->a, job->b};
    const grz_voxel_grid grid = grz_voxel_grid_of(&job->clip, size_of(job), m->question->resolution);
    double wrong[2][3];
    *fits = true;
    for (int i = 0; i < 2 && *fits; i++) {
        part *p = &parts[i];
        *p = (part){.mesh = objects[i]->mesh};
        const grz_status status = grz_mesh_buffers_get(p->mesh, m->control, &p->buffers, m->error);
        if (status != GRZ_OK)
            return status;
        *fits = grz_voxel_place_of(&grid, objects[i], p->buffers->centre, p->buffers->scale, &p->place, wrong[i]);
        p->place.job[0] = (uint32_t)m->count;
    }
    if (*fits)
        m->units[m->count] = grz_voxel_unit_of(wrong[0], wrong[1]);
    return GRZ_OK;
}

// Put objects with the same mesh one behind the other.
static void put_together(part *parts, size_t count)
{
    for (size_t i = 0; i + 1 < count; i++) {
        size_t to = i + 1;
        while (to < count && parts[to].mesh == parts[i].mesh)
            to++;
        for (size_t j = to + 1; j < count; j++) {
            if (parts[j].mesh != parts[i].mesh)
                continue;
            const part other = parts[to];
            parts[to++] = parts[j];
            parts[j] = other;
        }
        i = to - 1;
    }
}

static grz_status place_all(marking *m)
{
    const grz_voxel_question *q = m->question;
    part *parts_b = m->parts + q->count;
    for (int i = GRZ_HEAD_RECORD_GROUPS; i < GRZ_HEAD_WORDS; i += 4) // work groups: 0, 1, 1 and a word that is not used
        m->head[i + 1] = m->head[i + 2] = 1;
    for (size_t i = 0; i < q->count; i++) {
        part parts[2];
        bool fits;
        const grz_status status = place_job(m, q->jobs[i], parts, &fits);
        if (status != GRZ_OK)
            return status;
        if (!fits) {
            m->round->answers[i].flags = GRZ_JOB_WHOLE;
            continue;
        }
        uint32_t *words = job_words(m, m->count);
        m->parts[m->count] = parts[0];
        parts_b[m->count] = parts[1];
        for (int k = 0; k < 2; k++) {
            words[GRZ_JOB_FIRST + k] = (uint32_t)m->triangles[k];
            m->triangles[k] += parts[k].mesh->triangle_count;
        }
        m->numbers[m->count++] = (uint32_t)i;
    }
    for (size_t i = 0; i < m->count; i++) // lists of B lie behind all those of A
        job_words(m, i)[GRZ_JOB_FIRST + 1] += (uint32_t)m->triangles[0];
    memmove(m->parts + m->count, parts_b, m->count * sizeof *parts_b);
    for (size_t i = 0; i < 2; i++)
        put_together(m->parts + i * m->count, m->count);
    return GRZ_OK;
}

static uint64_t cell_bytes(const marking *m)
{
    return 8 * (uint64_t)m->question->resolution * m->question->resolution * m->count;
}

// Room on the GPU for the round. False in *fits: there is not enough for one.
static grz_status reserve(marking *m, bool *fits)
{
    const uint64_t limit = grz_gl_get_limits(m->gl)->storage_block, records = m->triangles[0] + m->triangles[1];
    voxels *v = m->kept;
    const struct {
        grz_gl_buffer *buffer;
        uint64_t bytes;
        const char *what;
    } wanted[] = {
        {&v->places, (uint64_t)2 * PLACES_BYTES, "places"},
        {&v->cells, cell_bytes(m), "cells"},
        {&v->units, m->count * sizeof *m->units, "units"},
        {&v->records, (uint64_t)16 * GRZ_RECORD_VECTORS * records, "triangles in a grid"},
        {&v->big, 4 * records, "large triangles"},
        {&v->marked, 8 * records, "marked triangles"},
        {&v->answers, 4 * head_words(m) + sizeof(grz_voxel_candidate) * (uint64_t)m->room, "pairs that may touch"},
        {&v->tasks, (uint64_t)8 * TASKS_EACH * m->count, "tasks"},
        {&v->pairs, 8 * (uint64_t)m->room, "pairs of boxes"},
    };
    grz_status status = GRZ_OK;
    *fits = records <= MOST_EACH;
    for (size_t i = 0; i < 2 * m->count; i++) // the caller's buffers were checked when the mesh was made
        if (m->parts[i].mesh->source == NULL)
            *fits = *fits && 12 * (uint64_t)m->parts[i].mesh->vertex_count <= limit;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        *fits = *fits && wanted[i].bytes <= limit;
    for (size_t i = 0; *fits && i < sizeof wanted / sizeof *wanted && status == GRZ_OK; i++)
        status = grz_gl_buffer_reserve(m->gl, wanted[i].buffer, wanted[i].bytes, wanted[i].what, m->error);
    for (int i = 0; *fits && i < PROGRAM_COUNT && status == GRZ_OK; i++)
        status = grz_gl_program(m->gl, sources[i], &m->programs[i], m->error);
    return status;
}

// ---- Passes -----------------------------------------------------------------------------------------------------------------

static void upload(const marking *m)
{
    const GLuint nothing = 0;
    const voxels *v = m->kept;
    const GLuint names[] = {v->cells.name, v->units.name, v->records.name, v->big.name, v->marked.name, v->answers.name};
    glClearNamedBufferSubData(v->cells.name, GL_R32UI, 0, (GLsizeiptr)cell_bytes(m), GL_RED_INTEGER, GL_UNSIGNED_INT, &nothing);
    for (size_t i = 0; i < 2 * m->count; i++)
        m->places[i] = m->parts[i].place;
    for (size_t side = 0; side < 2; side++)
        glNamedBufferSubData(v->places.name, (GLintptr)(side * PLACES_BYTES), (GLsizeiptr)(m->count * sizeof *m->places),
                             m->places + side * m->count);
    glNamedBufferSubData(v->units.name, 0, (GLsizeiptr)(m->count * sizeof *m->units), m->units);
    glNamedBufferSubData(v->answers.name, 0, (GLsizeiptr)(4 * head_words(m)), m->head);
    glBindBuffersBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_VOXEL_CELLS, sizeof names / sizeof *names, names);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, v->answers.name);
}

static void use(const marking *m, int program)
{
    glUseProgram(m->programs[program]);
    if (program < PLAN)
        glUniform3ui(GRZ_AT_VOXEL_GRID, m->question->resolution, m->question->resolution, GRZ_VOXEL_SLICES);
    if (program < PLAN)
        glUniform1ui(GRZ_AT_VOXEL_ROOM, (GLuint)m->triangles[0]);
}

// As many work groups as the answers say.
static void dispatch(size_t at)
{
    glDispatchComputeIndirect((GLintptr)(4 * at));
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
}

static void bind_mesh(const marking *m, const part *p)
{
    if (p->mesh->source != NULL) {
        grz_gl_mesh_bind(m->gl, p->mesh);
    } else {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_POSITIONS, p->buffers->positions);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_INDICES, p->buffers->indices);
        glUniform2ui(GRZ_AT_POSITION_LAYOUT, 0, 3);
        glUniform2ui(GRZ_AT_INDEX_LAYOUT, sizeof(uint32_t), 0);
        glUniform2ui(GRZ_AT_COUNTS, p->mesh->vertex_count, p->mesh->triangle_count);
    }
    glUniform4fv(GRZ_AT_MIDDLE, 1, p->buffers->frame);
}

// Bring all triangles of all objects of one side into their grids.
static void place(const marking *m, int side)
{
    const uint64_t most = (uint64_t)grz_gl_get_limits(m->gl)->groups * GRZ_VOXEL_GROUP;
    const part *parts = m->parts + (size_t)side * m->count;
    use(m, PLACE);
    glBindBufferRange(GL_UNIFORM_BUFFER, GRZ_BIND_VOXEL_PLACES, m->kept->places.name, (GLintptr)side * PLACES_BYTES, PLACES_BYTES);
    glUniform1ui(GRZ_AT_VOXEL_SIDE, (GLuint)side);
    for (size_t from = 0, to; from < m->count; from = to) {
        const uint64_t count = parts[from].mesh->triangle_count;
        for (to = from + 1; to < m->count && parts[to].mesh == parts[from].mesh;)
            to++;
        bind_mesh(m, &parts[from]);
        glUniform1ui(GRZ_AT_VOXEL_PLACE, (GLuint)from);
        for (uint64_t first = 0; first < count; first += most) {
            const uint64_t now = count - first < most ? count - first : most;
            glUniform1ui(GRZ_AT_FIRST, (GLuint)first);
            glDispatchCompute((GLuint)((now + GRZ_VOXEL_GROUP - 1) / GRZ_VOXEL_GROUP), (GLuint)(to - from), 1);
        }
    }
}

// Fill, test or mark by what is in the grids, as many work groups as the answers say at `groups`.
static void visit(const marking *m, GLuint mode, size_t groups)
{
    const size_t side = mode == GRZ_VOXEL_TEST ? 1 : 0;
    use(m, VISIT);
    glUniform1ui(GRZ_AT_VOXEL_MODE, mode);
    dispatch(groups);
    use(m, BIG);
    glUniform1ui(GRZ_AT_VOXEL_MODE, mode);
    dispatch(GRZ_HEAD_BIG_GROUPS + 4 * side);
}

static void try_pairs(const marking *m)
{
    const voxels *v = m->kept;
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_VOXEL_TASKS, v->tasks.name);
    use(m, PLAN);
    glUniform1ui(GRZ_AT_PAIRS_JOBS, (GLuint)m->count);
    glUniform1ui(GRZ_AT_PAIRS_LIMIT, m->pair_limit);
    glDispatchCompute((GLuint)((m->count + GRZ_VOXEL_GROUP - 1) / GRZ_VOXEL_GROUP), 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    use(m, JOIN);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_VOXEL_PAIRS, v->pairs.name);
    glUniform1ui(GRZ_AT_PAIRS_ROOM, m->room);
    dispatch(GRZ_HEAD_TASK_GROUPS);
    use(m, TEST);
    glUniform1ui(GRZ_AT_PAIRS_JOBS, (GLuint)m->count);
    glUniform1ui(GRZ_AT_PAIRS_ROOM, m->room);
    glUniform1i(GRZ_AT_PAIRS_LIST, m->question->list);
    dispatch(GRZ_HEAD_PAIR_GROUPS);
}

// ---- What they say ----------------------------------------------------------------------------------------------------------

static int compare_candidates(const void *x, const void *y, void *context)
{
    (void)context;
    const uint32_t a = ((const grz_voxel_candidate *)x)->job, b = ((const grz_voxel_candidate *)y)->job;
    return (a > b) - (a < b);
}

// Candidates, of which the first few have been read; those of jobs that overflowed are left out, the others sorted by job.
static grz_status take_candidates(const marking *m, const grz_voxel_candidate *first)
{
    grz_voxel_round *round = m->round;
    const uint32_t wanted = m->head[GRZ_HEAD_CANDIDATES], count = wanted < m->room ? wanted : m->room;
    const size_t had = count < GRZ_VOXEL_CANDIDATES ? count : GRZ_VOXEL_CANDIDATES;
    bool sorted = true;
    if (count == 0)
        return GRZ_OK;
    round->candidates = grz_allocate(m->allocator, count, sizeof *round->candidates);
    if (round->candidates == NULL)
        return grz_fail(m->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "slices: out of memory for %u pairs", count);
    round->candidate_room = count;
    memcpy(round->candidates, first, had * sizeof *first);
    if (count > had)
        glGetNamedBufferSubData(m->kept->answers.name, (GLintptr)(4 * head_words(m) + had * sizeof *first),
                                (GLsizeiptr)((count - had) * sizeof *first), round->candidates + had);
    for (size_t i = 0; i < count; i++) {
        grz_voxel_candidate c = round->candidates[i];
        c.job = m->numbers[c.job];
        if (round->answers[c.job].flags != 0)
            continue;
        sorted = sorted && (round->candidate_count == 0 || round->candidates[round->candidate_count - 1].job <= c.job);
        round->candidates[round->candidate_count++] = c;
    }
    if (sorted)
        return GRZ_OK;
    const grz_status status =
        grz_sort(round->candidates, round->candidate_count, sizeof *round->candidates, compare_candidates, NULL, m->control);
    return status != GRZ_ERROR_MEMORY ? status
                                      : grz_fail(m->error, status, GRZ_NO_ELEMENT, "slices: out of memory for %u pairs", count);
}

// The triangles that are marked of an object.
static grz_status read_list(const marking *m, const uint32_t *words, int side, grz_voxel_answer *answer)
{
    const uint32_t count = answer->marked[side];
    uint32_t *pairs = grz_allocate(m->allocator, count, 2 * sizeof *pairs);
    answer->lists[side] = grz_allocate(m->allocator, count, sizeof *pairs);
    if (pairs == NULL || answer->lists[side] == NULL) {
        grz_release(m->allocator, pairs, count, 2 * sizeof *pairs);
        return grz_fail(m->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "slices: out of memory for %u triangles", count);
    }
    glGetNamedBufferSubData(m->kept->marked.name, (GLintptr)(8 * (uint64_t)words[GRZ_JOB_FIRST + side]),
                            (GLsizeiptr)(8 * (uint64_t)count), pairs);
    for (size_t i = 0; i < count; i++)
        answer->lists[side][i] = pairs[2 * i + 1];
    grz_release(m->allocator, pairs, count, 2 * sizeof *pairs);
    return GRZ_OK;
}

static grz_status read_answers(const marking *m)
{
    const size_t few = GRZ_VOXEL_CANDIDATES < m->room ? GRZ_VOXEL_CANDIDATES : m->room;
    grz_status status = grz_gl_wait(m->control);
    if (status != GRZ_OK)
        return status;
    glGetNamedBufferSubData(m->kept->answers.name, 0, (GLsizeiptr)(4 * head_words(m) + few * sizeof(grz_voxel_candidate)), m->head);
    m->round->pair_count = m->head[GRZ_HEAD_PAIRS];
    for (size_t i = 0; i < m->count && status == GRZ_OK; i++) {
        const uint32_t *words = job_words(m, i);
        grz_voxel_answer *answer = &m->round->answers[m->numbers[i]];
        answer->flags = words[GRZ_JOB_FLAGS];
        answer->proved = words[GRZ_JOB_PROVED] != 0;
        for (int k = 0; k < 2; k++) {
            answer->marked[k] = words[GRZ_JOB_MARKED + k];
            answer->pair[k] = words[GRZ_JOB_PAIR + k];
        }
        if (m->room == 0 && answer->marked[0] > 0 && answer->marked[1] > 0)
            answer->flags = GRZ_JOB_EXHAUSTED;
        for (int k = 0; k < 2 && (answer->flags & GRZ_JOB_EXHAUSTED) != 0 && status == GRZ_OK; k++)
            status = read_list(m, words, k, answer);
    }
    if (status == GRZ_OK)
        status = take_candidates(m, (const grz_voxel_candidate *)(const void *)(m->head + head_words(m)));
    return status == GRZ_OK ? grz_gl_check(m->gl, m->error) : status;
}

// ---- A round ----------------------------------------------------------------------------------------------------------------

static grz_status run(marking *m)
{
    bool fits;
    m->kept = grz_gl_kept(m->gl, &keep);
    if (m->kept == NULL)
        return grz_fail(m->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "slices: out of memory");
    grz_status status = place_all(m);
    if (status != GRZ_OK || m->count == 0)
        return status;
    m->pair_limit = m->kept->pair_limit;
    if (m->pair_limit == 0)
        m->pair_limit = grz_gl_get_limits(m->gl)->software ? 0 : MANY_PAIRS;
    if (!m->question->pairs)
        m->pair_limit = 0;
    m->room = m->pair_limit > 0 ? PAIRS_EACH * (uint32_t)m->count : 0;
    m->room = m->room < m->pair_limit ? m->pair_limit : m->room;
    status = reserve(m, &fits);
    for (size_t i = 0; status == GRZ_OK && !fits && i < m->count; i++)
        m->round->answers[m->numbers[i]].flags = GRZ_JOB_WHOLE;
    if (status != GRZ_OK || !fits)
        return status;
    upload(m);
    place(m, 0);
    place(m, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    visit(m, GRZ_VOXEL_FILL, GRZ_HEAD_RECORD_GROUPS);
    visit(m, GRZ_VOXEL_TEST, GRZ_HEAD_RECORD_GROUPS + 4);
    if (!m->question->gate)
        visit(m, GRZ_VOXEL_MARK, GRZ_HEAD_MARK_GROUPS);
    if (m->room > 0)
        try_pairs(m);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    return read_answers(m);
}

static grz_status run_inside(marking *m)
{
    const grz_allocator *allocator = m->allocator;
    const size_t count = m->question->count;
    const size_t words = GRZ_HEAD_WORDS + GRZ_JOB_WORDS * count + (size_t)GRZ_CANDIDATE_WORDS * GRZ_VOXEL_CANDIDATES;
    m->numbers = grz_allocate(allocator, count, sizeof *m->numbers);
    m->places = grz_allocate(allocator, 2 * count, sizeof *m->places);
    m->units = grz_allocate(allocator, count, sizeof *m->units);
    m->parts = grz_allocate(allocator, 2 * count, sizeof *m->parts);
    m->head = grz_allocate_zeroed(allocator, words, sizeof *m->head);
    m->round->answers = grz_allocate_zeroed(allocator, count, sizeof *m->round->answers);
    m->round->answer_count = m->round->answers != NULL ? count : 0;
    const bool there = m->numbers != NULL && m->places != NULL && m->units != NULL && m->parts != NULL && m->head != NULL &&
                       m->round->answers != NULL;
    const grz_status status =
        there ? run(m) : grz_fail(m->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "slices: out of memory for %zu jobs", count);
    grz_release(allocator, m->numbers, count, sizeof *m->numbers);
    grz_release(allocator, m->places, 2 * count, sizeof *m->places);
    grz_release(allocator, m->units, count, sizeof *m->units);
    grz_release(allocator, m->parts, 2 * count, sizeof *m->parts);
    grz_release(allocator, m->head, words, sizeof *m->head);
    return status;
}

grz_status grz_voxels_run(grz_device *device, const grz_voxel_question *question, grz_control *control, grz_voxel_round *round,
                          grz_error *error)
{
    marking m = {
        .question = question, .control = control, .allocator = grz_control_allocator(control), .round = round, .error = error};
    grz_voxel_round_finish(round, control);
    grz_status status = grz_gl_enter(device, "slices", &m.gl, error);
    if (status != GRZ_OK)
        return status;
    status = run_inside(&m);
    return grz_gl_leave(m.gl, status, error);
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

grz_status grz_voxels_read_cells(grz_device *device, uint32_t resolution, uint32_t *cells, grz_error *error)
{
    grz_gl *gl;
    grz_status status = grz_gl_enter(device, "slices", &gl, error);
    if (status != GRZ_OK)
        return status;
    const voxels *v = grz_gl_kept(gl, &keep);
    const uint64_t bytes = 8 * (uint64_t)resolution * resolution;
    if (v == NULL || v->cells.size < bytes)
        status = grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "slices: there are no such cells");
    else
        glGetNamedBufferSubData(v->cells.name, 0, (GLsizeiptr)bytes, cells);
    return grz_gl_leave(gl, status, error);
}

grz_status grz_voxels_limit_pairs(grz_device *device, uint32_t pairs, grz_error *error)
{
    grz_gl *gl;
    grz_status status = grz_gl_enter(device, "slices", &gl, error);
    if (status != GRZ_OK)
        return status;
    voxels *v = grz_gl_kept(gl, &keep);
    if (v != NULL)
        v->pair_limit = pairs < MOST_EACH ? pairs : MOST_EACH;
    else
        status = grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "slices: out of memory");
    return grz_gl_leave(gl, status, error);
}
