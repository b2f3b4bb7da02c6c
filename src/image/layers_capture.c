// SPDX-License-Identifier: MIT
// Layers, conservatively: triangles become fragments, one for each pixel that they may touch, with the depths between which they may be
// there; a pixel's fragments are a list, and two of it whose depths overlap make a pair. Between two objects the second one's fragments are
// made first, where the first one has cells, then the first one's where both have: so lists hold only what shares a cell. Where many lie over
// each other, slices have lists of their own. Of a mesh with itself all triangles are captured, and each fragment walks through those that were
// there before it. Source: H. Jang, J. Han, "Fast collision
// detection using the A-buffer" (2008), with bounds.
#include "image/voxel_parts.h"

enum {
    NODES = 1 << 17, // room at first
    RAW_PAIRS = 1 << 16,
    PAIRS = 1 << 14,
    WALKS = 2, // dispatches before it is asked whether some fragment still walks
    MOST_WALKS = 64,
    MOST_EACH = 64, // fragments of a triangle on average, and pairs of these, and some
    MORE_NODES = 1 << 18,
    MORE_PAIRS = 1 << 19,
    MOST_PIXELS = 1 << 15 // whose slices may have lists
};

static const grz_gl_program_source visit_program = {"layers_visit", {&grz_shader_layers_visit_comp, NULL, NULL}};
static const grz_gl_program_source big_program = {"layers_big", {&grz_shader_layers_big_comp, NULL, NULL}};
static const grz_gl_program_source plan_program = {"layers_plan", {&grz_shader_layers_plan_comp, NULL, NULL}};
static const grz_gl_program_source walk_program = {"layers_walk", {&grz_shader_layers_walk_comp, NULL, NULL}};
static const grz_gl_program_source unique_program = {"pairs_unique", {&grz_shader_pairs_unique_comp, NULL, NULL}};
static const grz_gl_program_source many_walk_program = {"many_walk", {&grz_shader_many_walk_comp, NULL, NULL}};
static const grz_gl_program_source many_program = {"many_unique", {&grz_shader_many_unique_comp, NULL, NULL}};
static const grz_gl_program_source self_program = {"self_unique", {&grz_shader_self_unique_comp, NULL, NULL}};

static const grz_voxel_programs programs = {&visit_program, &big_program, true};

// The table of pairs that were met has at least as many words as there are records, and some for pairs.
static unsigned seen_bits(const grz_voxel_work *w)
{
    const uint64_t records = grz_voxel_record_count(w), least = w->kept->raw_room / 2;
    const uint64_t wanted = records > least ? records : least;
    unsigned bits = 10;
    while ((uint64_t)1 << bits < wanted)
        bits++;
    return bits;
}

// Each pixel has a list; of a mesh with itself, and of many objects, each slice of it. Between two objects so it may come to be.
static uint64_t list_bytes(const grz_voxel_work *w)
{
    return 4 * grz_voxel_pixels(w) * (w->self || w->many ? GRZ_VOXEL_SLICES : 1);
}

static uint32_t pixels_with_slices(const grz_voxel_work *w)
{
    const uint64_t pixels = grz_voxel_pixels(w);
    return !w->self && !w->many && pixels <= MOST_PIXELS ? (uint32_t)pixels : 0;
}

grz_status grz_layers_reserve(grz_voxel_work *w, bool *fits)
{
    grz_voxel_kept *v = w->kept;
    v->node_room = v->node_room != 0 ? v->node_room : NODES;
    v->raw_room = v->raw_room != 0 ? v->raw_room : RAW_PAIRS;
    v->pair_room = v->pair_room != 0 ? v->pair_room : PAIRS;
    w->room = v->pair_room;
    const grz_voxel_need needs[] = {
        {&v->heads, pixels_with_slices(w) > 0 ? list_bytes(w) * GRZ_VOXEL_SLICES : list_bytes(w), "lists"},
        {&v->nodes, 16 * (uint64_t)v->node_room, "fragments"},
        {&v->raw_pairs, 8 * (uint64_t)v->raw_room, "pairs of fragments"},
        {&v->pairs, 8 * (uint64_t)v->pair_room, "pairs of boxes"},
        {&v->seen, (uint64_t)4 << seen_bits(w), "pairs that were met"},
    };
    return grz_voxel_reserve(w, needs, sizeof needs / sizeof *needs, fits);
}

// With more fragments, or pairs of them, than this the grid does not tell triangles from each other.
static uint32_t most(const grz_voxel_work *w, uint32_t more)
{
    const uint64_t count = MOST_EACH * grz_voxel_record_count(w) + more;
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

static grz_status plan(const grz_voxel_work *w, GLuint steps)
{
    const grz_status status = grz_voxel_use(w, &plan_program);
    if (status != GRZ_OK)
        return status;
    glUniform1ui(GRZ_AT_PLAN_STEPS, steps);
    glUniform1ui(GRZ_AT_PLAN_ROOM, w->kept->node_room);
    glUniform2ui(GRZ_AT_PLAN_MOST, most(w, MORE_NODES), most(w, MORE_PAIRS));
    glUniform1ui(GRZ_AT_PLAN_PIXELS, pixels_with_slices(w));
    grz_voxel_dispatch_groups(1);
    return GRZ_OK;
}

static grz_status walk(const grz_voxel_work *w)
{
    const grz_status status = grz_voxel_use(w, w->many ? &many_walk_program : &walk_program);
    if (status != GRZ_OK)
        return status;
    glUniform1ui(GRZ_AT_LAYER_ROOM, w->kept->node_room);
    glUniform1ui(GRZ_AT_LAYER_RAW_ROOM, w->kept->raw_room);
    grz_voxel_dispatch(GRZ_HEAD_WALK_GROUPS);
    return plan(w, GRZ_PLAN_AGAIN | GRZ_PLAN_REST);
}

static grz_status capture(const grz_voxel_work *w)
{
    const grz_voxel_kept *v = w->kept;
    const GLuint nothing = 0;
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LAYER_NODES, v->nodes.name);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LAYER_HEADS, v->heads.name);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LAYER_RAW, v->raw_pairs.name);
    glClearNamedBufferSubData(v->heads.name, GL_R32UI, 0, (GLsizeiptr)list_bytes(w), GL_RED_INTEGER, GL_UNSIGNED_INT, &nothing);
    glClearNamedBufferSubData(v->seen.name, GL_R32UI, 0, (GLsizeiptr)4 << seen_bits(w), GL_RED_INTEGER, GL_UNSIGNED_INT, &nothing);
    if (w->self || w->many) {
        const grz_status status = grz_voxel_pass(w, &programs, GRZ_LAYER_ALL, 0, GRZ_HEAD_RECORD_GROUPS);
        return status == GRZ_OK ? plan(w, GRZ_PLAN_ALL | GRZ_PLAN_REST) : status;
    }
    grz_status status = grz_voxel_pass(w, &programs, GRZ_LAYER_TEST, 1, GRZ_HEAD_RECORD_GROUPS + 4);
    if (status == GRZ_OK)
        status = plan(w, GRZ_PLAN_ALL | GRZ_PLAN_LISTS);
    if (status == GRZ_OK)
        status = grz_voxel_pass(w, &programs, GRZ_LAYER_LINK, 0, GRZ_HEAD_MARK_GROUPS);
    return status == GRZ_OK ? plan(w, GRZ_PLAN_REST) : status;
}

// Whether determinants are tried: a program on the CPU is slower at it than the predicates.
static bool tries_pairs(const grz_voxel_work *w)
{
    return w->kept->pair_limit != 0 || !grz_gl_get_limits(w->gl)->software;
}

// Pairs that are met for the first time, to be tried by determinants or handed on as they are.
static grz_status find_pairs(const grz_voxel_work *w)
{
    const bool test = tries_pairs(w);
    const grz_status status = grz_voxel_use(w, w->many ? &many_program : (w->self ? &self_program : &unique_program));
    if (status != GRZ_OK)
        return status;
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LAYER_SEEN, w->kept->seen.name);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_VOXEL_PAIRS, w->kept->pairs.name);
    if (w->self)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LAYER_CORNERS, w->parts[0].buffers->corners);
    glUniform1ui(GRZ_AT_PAIRS_JOBS, (GLuint)w->count);
    glUniform1ui(GRZ_AT_PAIRS_ROOM, w->room);
    glUniform1ui(GRZ_AT_LAYER_RAW_ROOM, w->kept->raw_room);
    glUniform1ui(GRZ_AT_SEEN_BITS, seen_bits(w));
    glUniform1i(GRZ_AT_UNIQUE_TEST, test);
    grz_voxel_dispatch(GRZ_HEAD_RAW_GROUPS);
    return test ? grz_voxel_pairs_test(w) : GRZ_OK;
}

grz_status grz_layers_capture(const grz_voxel_work *w)
{
    grz_status status = capture(w);
    for (int i = 0; i < WALKS && status == GRZ_OK; i++)
        status = walk(w);
    return status == GRZ_OK ? find_pairs(w) : status;
}

grz_status grz_layers_walk_on(const grz_voxel_work *w, bool *walked)
{
    const GLuint nothing = 0;
    uint32_t range[2] = {w->said[GRZ_HEAD_WALK_FROM], w->said[GRZ_HEAD_WALK_TO]};
    grz_status status = GRZ_OK;
    *walked = range[0] != range[1];
    for (int i = 0; i < MOST_WALKS && range[0] != range[1] && status == GRZ_OK; i++) {
        status = walk(w);
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        if (status == GRZ_OK)
            status = grz_gl_wait(w->control);
        if (status == GRZ_OK)
            glGetNamedBufferSubData(w->kept->answers.name, (GLintptr)4 * GRZ_HEAD_WALK_FROM, sizeof range, range);
    }
    if (!*walked || status != GRZ_OK)
        return status;
    if (tries_pairs(w)) // all of them again
        glClearNamedBufferSubData(w->kept->answers.name, GL_R32UI, (GLintptr)4 * GRZ_HEAD_CANDIDATES, 4, GL_RED_INTEGER,
                                  GL_UNSIGNED_INT, &nothing);
    status = find_pairs(w);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    return status;
}

// More room for what did not fit, as far as a shader sees it.
static bool grow(const grz_voxel_work *w, uint32_t *room, uint32_t wanted, uint64_t bytes)
{
    const uint64_t most = grz_gl_get_limits(w->gl)->storage_block / bytes, more = wanted + (uint64_t)wanted / 4;
    if (wanted <= *room || wanted > most)
        return false;
    *room = (uint32_t)(more < most ? more : most);
    return true;
}

bool grz_layers_grow(const grz_voxel_work *w)
{
    grz_voxel_kept *v = w->kept;
    const uint32_t *said = w->said;
    const uint32_t pairs = said[GRZ_HEAD_PAIRS] > said[GRZ_HEAD_CANDIDATES] ? said[GRZ_HEAD_PAIRS] : said[GRZ_HEAD_CANDIDATES];
    const bool nodes = grow(w, &v->node_room, said[GRZ_HEAD_NODES], 16), raw = grow(w, &v->raw_room, said[GRZ_HEAD_RAW_PAIRS], 8);
    return grow(w, &v->pair_room, pairs, 16) || nodes || raw;
}
