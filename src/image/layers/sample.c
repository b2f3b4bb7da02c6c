// SPDX-License-Identifier: MIT
// The discrete answer of method `layers`, as its paper describes it. The rasteriser makes the fragments: in one pass
// into lists, in one pass into a fixed number of layers, or by depth peeling, one layer a pass. One shader then finds
// pairs of fragments that are close, another drops pairs of triangles that were met before. Or a shader adds up the
// depths that two solids have in common. Source: H. Jang, J. Han, "Fast collision detection using the A-buffer" (2008);
// K. Myers, L. Bavoil, "Stencil routed A-buffer" (2007).
#include "image/layers/sample.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/control.h"
#include "base/fail.h"
#include "base/rounding.h"
#include "gpu/dispatch.h"
#include "gpu/mesh_buffers.h"
#include "image/layers/layers_shaders.h"

enum {
    NODES = 1 << 17, // capacities at first
    RAW_PAIRS = 1 << 16,
    SETS = 1 << 14,
    MOST_WALKS = 64,
    MOST_TRIANGLES = 1 << 26
};

static const grz_gl_program_source lists_program = {"layers_lists",
                                                    {&grz_shader_view_vert, &grz_shader_layers_lists_frag, NULL}};
static const grz_gl_program_source fixed_program = {"layers_fixed",
                                                    {&grz_shader_view_vert, &grz_shader_layers_fixed_frag, NULL}};
static const grz_gl_program_source peel_program = {"layers_peel",
                                                   {&grz_shader_view_vert, &grz_shader_layers_peel_frag, NULL}};
static const grz_gl_program_source collect_program = {"layers_collect", {&grz_shader_layers_collect_comp, NULL, NULL}};
static const grz_gl_program_source plan_program = {"layers_plan", {&grz_shader_layers_plan_comp, NULL, NULL}};
static const grz_gl_program_source walk_program = {"sets_walk", {&grz_shader_sets_walk_comp, NULL, NULL}};
static const grz_gl_program_source depths_program = {"depths_common", {&grz_shader_depths_common_comp, NULL, NULL}};
static const grz_gl_program_source unique_program = {"sets_unique", {&grz_shader_sets_unique_comp, NULL, NULL}};

// What is kept with the device between queries.
typedef struct picture {
    grz_gl_buffer nodes, heads, fragment_pairs, seen, answers;
    uint32_t node_room, fragment_pair_room, set_room; // capacities, as many as queries have needed
    GLuint framebuffer, depth, layers;                // depth and layers only for depth peeling
    uint32_t side, layer_count;                       // of the framebuffer; with 0 layers it has no images
} picture;

static void release_images(grz_gl *gl, picture *p)
{
    grz_gl_delete(gl, GRZ_GL_FRAMEBUFFER, p->framebuffer);
    grz_gl_delete(gl, GRZ_GL_TEXTURE, p->depth);
    grz_gl_delete(gl, GRZ_GL_TEXTURE, p->layers);
    p->framebuffer = p->depth = p->layers = 0;
    p->side = p->layer_count = 0;
}

static void release_picture(grz_gl *gl, void *state)
{
    picture *p = state;
    release_images(gl, p);
    grz_gl_buffer_finish(gl, &p->nodes);
    grz_gl_buffer_finish(gl, &p->heads);
    grz_gl_buffer_finish(gl, &p->fragment_pairs);
    grz_gl_buffer_finish(gl, &p->seen);
    grz_gl_buffer_finish(gl, &p->answers);
}

static const grz_gl_slot_type slot_type = {sizeof(picture), release_picture};

// One object to draw.
typedef struct part {
    const grz_mesh_buffers *buffers;
    float matrix[16];
    uint32_t first_triangle;
} part;

// A query under way.
typedef struct sampling {
    grz_gl *gl;
    const grz_layers_request *request;
    grz_control *control;
    grz_layers_sets *sets;
    grz_error *error;
    picture *picture;
    part *parts;
    uint32_t triangles; // of all objects
    bool self;
    struct {
        grz_answer_head head;
        uint32_t job[GRZ_JOB_WORDS];
    } answers; // as they were read back last
} sampling;

static uint64_t pixels(const sampling *s)
{
    return (uint64_t)s->request->options->resolution * s->request->options->resolution;
}

static bool has_lists(const sampling *s)
{
    return s->request->options->capture == GRZ_LAYERS_LISTS;
}

// ---- Room ---------------------------------------------------------------------------------------------------------

static unsigned seen_bits(const sampling *s)
{
    const uint64_t least = s->picture->fragment_pair_room / 2, wanted = s->triangles > least ? s->triangles : least;
    unsigned bits = 10;
    while ((uint64_t)1 << bits < wanted)
        bits++;
    return bits;
}

static grz_status reserve(const sampling *s)
{
    const uint64_t limit = grz_gl_get_limits(s->gl)->storage_block;
    const grz_layers_options *options = s->request->options;
    picture *p = s->picture;
    p->node_room = p->node_room != 0 ? p->node_room : NODES;
    p->fragment_pair_room = p->fragment_pair_room != 0 ? p->fragment_pair_room : RAW_PAIRS;
    p->set_room = p->set_room != 0 ? p->set_room : SETS;
    const uint64_t nodes = has_lists(s) ? p->node_room : pixels(s) * options->layers;
    const struct {
        grz_gl_buffer *buffer;
        uint64_t bytes;
        const char *what;
    } needs[] = {
        {&p->heads, 4 * pixels(s), "pixels"},
        {&p->nodes, 16 * nodes, "fragments"},
        {&p->fragment_pairs, 8 * (uint64_t)p->fragment_pair_room, "pairs of fragments"},
        {&p->seen, (uint64_t)4 << seen_bits(s), "pairs that were met"},
        {&p->answers, sizeof s->answers + sizeof(grz_layers_set) * (uint64_t)p->set_room, "sets"},
    };
    grz_status status = GRZ_OK;
    for (size_t i = 0; i < sizeof needs / sizeof *needs && status == GRZ_OK; i++) {
        if (needs[i].bytes > limit)
            return grz_fail(
                s->error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "layers: %llu MiB of %s, a shader here sees %llu",
                (unsigned long long)(needs[i].bytes >> 20), needs[i].what, (unsigned long long)(limit >> 20));
        status = grz_gl_buffer_reserve(s->gl, needs[i].buffer, needs[i].bytes, needs[i].what, s->error);
    }
    return status;
}

// Make the framebuffer: without images or, for depth peeling, with one a layer.
static grz_status fit_images(const sampling *s)
{
    const grz_layers_options *options = s->request->options;
    const GLsizei side = (GLsizei)options->resolution;
    const uint32_t layers = options->capture == GRZ_LAYERS_PEELED ? options->layers : 0;
    picture *p = s->picture;
    assert(options->resolution <= grz_gl_get_limits(s->gl)->image_side);
    if (p->framebuffer != 0 && p->side == options->resolution && p->layer_count == layers)
        return GRZ_OK;
    release_images(s->gl, p);
    p->framebuffer = grz_gl_create(s->gl, GRZ_GL_FRAMEBUFFER, 0);
    if (layers == 0) {
        glNamedFramebufferParameteri(p->framebuffer, GL_FRAMEBUFFER_DEFAULT_WIDTH, side);
        glNamedFramebufferParameteri(p->framebuffer, GL_FRAMEBUFFER_DEFAULT_HEIGHT, side);
    } else {
        p->depth = grz_gl_create(s->gl, GRZ_GL_TEXTURE, GL_TEXTURE_2D);
        glTextureStorage2D(p->depth, 1, GL_DEPTH_COMPONENT32F, side, side);
        p->layers = grz_gl_create(s->gl, GRZ_GL_TEXTURE, GL_TEXTURE_2D_ARRAY);
        glTextureStorage3D(p->layers, 1, GL_RGBA32UI, side, side, (GLsizei)layers);
        glTextureParameteri(p->layers, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTextureParameteri(p->layers, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glNamedFramebufferTexture(p->framebuffer, GL_DEPTH_ATTACHMENT, p->depth, 0);
        glNamedFramebufferTextureLayer(p->framebuffer, GL_COLOR_ATTACHMENT0, p->layers, 0, 0);
        glNamedFramebufferDrawBuffer(p->framebuffer, GL_COLOR_ATTACHMENT0);
    }
    grz_status status = grz_gl_check(s->gl, s->error);
    if (status == GRZ_OK &&
        glCheckNamedFramebufferStatus(p->framebuffer, GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        status = grz_fail(s->error, GRZ_ERROR_DEVICE, GRZ_NO_ELEMENT, "layers: the driver does not draw %u x %u pixels",
                          side, side);
    if (status != GRZ_OK) {
        release_images(s->gl, p);
        return status;
    }
    p->side = options->resolution;
    p->layer_count = layers;
    return GRZ_OK;
}

// Choose the view of the region. With one or two objects it is the direction from which the fewest faces are seen
// edge-on; with more it is a direction oblique to all axes, along which few faces lie.
static void choose_view(const sampling *s, const grz_layers_request *r)
{
    const grz_object *objects[2] = {r->objects[0], r->objects[r->count - 1]};
    const grz_mesh_buffers *buffers[2] = {s->parts[0].buffers, s->parts[r->count - 1].buffers};
    double size = 0.0, direction[3] = {0.36, 0.53, 0.77};
    for (int j = 0; j < 3; j++)
        size = fmax(size, r->region.max[j] - r->region.min[j]);
    const grz_view_region region = {.boxes = {grz_view_plain_box(&r->region)},
                                    .count = 1,
                                    .padding = size > 0.0 ? size * GRZ_VIEW_PADDING : GRZ_NEVER_ZERO};
    if (r->options->has_direction)
        memcpy(direction, r->options->direction, sizeof direction);
    else if (r->count <= 2)
        grz_view_choose_direction(objects, buffers, &region, direction);
    const bool seen = grz_view_along(direction, &region, &s->sets->view);
    assert(seen); // a box is not empty
    (void)seen;
}

// Upload the objects and compute the matrices that take them into the view.
static grz_status upload_objects(sampling *s)
{
    const grz_layers_request *r = s->request;
    uint64_t triangles = 0;
    for (size_t i = 0; i < r->count; i++) {
        part *p = &s->parts[i];
        const grz_status status =
            s->self ? grz_mesh_buffers_get_corners(s->gl, r->objects[i]->mesh, s->control, &p->buffers, s->error)
                    : grz_mesh_buffers_get(r->objects[i]->mesh, s->control, &p->buffers, s->error);
        if (status != GRZ_OK)
            return status;
        p->first_triangle = (uint32_t)triangles;
        triangles += r->objects[i]->mesh->triangle_count;
        if (triangles > MOST_TRIANGLES)
            return grz_fail(s->error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "layers: more than %d triangles",
                            MOST_TRIANGLES);
    }
    s->triangles = (uint32_t)triangles;
    choose_view(s, r);
    for (size_t i = 0; i < r->count; i++)
        grz_view_matrix(&s->sets->view, r->objects[i], s->parts[i].buffers, s->parts[i].matrix);
    return GRZ_OK;
}

// ---- Capture ------------------------------------------------------------------------------------------------------

static void clear(GLuint buffer, uint64_t bytes)
{
    const GLuint nothing = 0;
    glClearNamedBufferSubData(buffer, GL_R32UI, 0, (GLsizeiptr)bytes, GL_RED_INTEGER, GL_UNSIGNED_INT, &nothing);
}

static void upload(sampling *s)
{
    const grz_layers_options *options = s->request->options;
    picture *p = s->picture;
    assert(pixels(s) * options->layers <= UINT32_MAX || has_lists(s));
    memset(&s->answers, 0, sizeof s->answers);
    grz_answer_head_init(&s->answers.head);
    if (!has_lists(s))
        s->answers.head.nodes = (uint32_t)(pixels(s) * options->layers);
    glNamedBufferSubData(p->answers.name, 0, sizeof s->answers, &s->answers);
    clear(p->heads.name, 4 * pixels(s));
    if (options->capture == GRZ_LAYERS_FIXED)
        clear(p->nodes.name, 16 * pixels(s) * options->layers);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LAYER_NODES, p->nodes.name);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LAYER_HEADS, p->heads.name);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_VOXEL_ANSWERS, p->answers.name);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, p->answers.name);
}

static grz_status draw_all(const sampling *s)
{
    const uint32_t most = grz_mesh_buffers_draw_most(s->gl, s->control);
    grz_status status = GRZ_OK;
    for (size_t i = 0; i < s->request->count; i++) {
        const part *p = &s->parts[i];
        const uint32_t triangles = grz_mesh_buffers_triangles(p->buffers);
        glUniform4fv(GRZ_AT_FRAME, 1, p->buffers->frame);
        glUniformMatrix4fv(GRZ_AT_CLIP, 1, GL_TRUE, p->matrix);
        glBindVertexArray(p->buffers->vertex_array);
        for (uint32_t first = 0, count; first < triangles && status == GRZ_OK; first += count) {
            count = triangles - first < most ? triangles - first : most;
            glUniform2ui(GRZ_AT_SAMPLE_OBJECT, (GLuint)i, p->first_triangle + first);
            grz_mesh_buffers_draw(p->buffers, first, count);
            status = grz_gl_wait(s->control);
        }
    }
    return status;
}

static grz_status use(const sampling *s, const grz_gl_program_source *source)
{
    GLuint program;
    const grz_status status = grz_gl_program(s->gl, source, &program, s->error);
    if (status == GRZ_OK)
        glUseProgram(program);
    return status;
}

static void set_size(const sampling *s)
{
    glUniform2ui(GRZ_AT_SAMPLE_SIZE, s->request->options->resolution, s->request->options->layers);
}

// Depth peeling: one pass a layer, then all layers become nodes.
static grz_status peel(const sampling *s)
{
    const GLuint nothing[4] = {0, 0, 0, 0};
    const GLfloat far = 1.0f;
    const uint32_t layers = s->request->options->layers;
    const picture *p = s->picture;
    const uint64_t groups = (pixels(s) * layers + GRZ_DISPATCH_GROUP - 1) / GRZ_DISPATCH_GROUP;
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
    glBindImageTexture(0, p->layers, 0, GL_TRUE, 0, GL_READ_ONLY, GL_RGBA32UI);
    for (uint32_t i = 0; i < layers; i++) {
        glNamedFramebufferTextureLayer(p->framebuffer, GL_COLOR_ATTACHMENT0, p->layers, 0, (GLint)i);
        glClearNamedFramebufferuiv(p->framebuffer, GL_COLOR, 0, nothing);
        glClearNamedFramebufferfv(p->framebuffer, GL_DEPTH, 0, &far);
        glUniform1i(GRZ_AT_SAMPLE_LAYER, (GLint)i);
        const grz_status status = draw_all(s);
        if (status != GRZ_OK)
            return status;
        glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT);
    }
    glDisable(GL_DEPTH_TEST);
    const grz_status status = use(s, &collect_program);
    if (status != GRZ_OK)
        return status;
    set_size(s);
    return grz_dispatch_groups(s->gl, s->control, groups);
}

static grz_status capture(const sampling *s)
{
    static const grz_gl_program_source *const programs[] = {
        [GRZ_LAYERS_FIXED] = &fixed_program, [GRZ_LAYERS_LISTS] = &lists_program, [GRZ_LAYERS_PEELED] = &peel_program};
    const GLsizei side = (GLsizei)s->request->options->resolution;
    grz_status status = use(s, programs[s->request->options->capture]);
    if (status != GRZ_OK)
        return status;
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s->picture->framebuffer);
    glViewport(0, 0, side, side);
    glUniform1f(GRZ_AT_OFFSET, 0.0f);
    set_size(s);
    if (has_lists(s))
        glUniform1ui(GRZ_AT_LAYER_ROOM, s->picture->node_room);
    if (s->request->common_depths != NULL)
        glEnable(GL_DEPTH_CLAMP);
    if (s->request->options->capture == GRZ_LAYERS_PEELED)
        status = peel(s);
    else
        status = draw_all(s);
    if (s->request->common_depths != NULL)
        glDisable(GL_DEPTH_CLAMP);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    return status;
}

// ---- Sets ---------------------------------------------------------------------------------------------------------

static grz_status plan(const sampling *s, GLuint steps)
{
    const grz_status status = use(s, &plan_program);
    if (status != GRZ_OK)
        return status;
    glUniform1ui(GRZ_AT_PLAN_STEPS, steps);
    glUniform2ui(GRZ_AT_PLAN_MOST, UINT32_MAX, UINT32_MAX);
    glUniform1ui(GRZ_AT_PLAN_ROOM, has_lists(s) ? s->picture->node_room : UINT32_MAX);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    return GRZ_OK;
}

static grz_status walk(const sampling *s)
{
    grz_status status = use(s, &walk_program);
    if (status != GRZ_OK)
        return status;
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LAYER_RAW, s->picture->fragment_pairs.name);
    glUniform1ui(GRZ_AT_LAYER_ROOM, has_lists(s) ? s->picture->node_room : 0);
    glUniform1ui(GRZ_AT_LAYER_RAW_ROOM, s->picture->fragment_pair_room);
    glUniform1f(GRZ_AT_SETS_THRESHOLD, (float)s->request->options->threshold);
    glUniform1i(GRZ_AT_SETS_SELF, s->self);
    status = grz_dispatch(s->gl, s->control, offsetof(grz_answer_head, walk_groups));
    if (status != GRZ_OK)
        return status;
    return plan(s, GRZ_PLAN_AGAIN | GRZ_PLAN_REST);
}

static grz_status reduce(const sampling *s)
{
    const picture *p = s->picture;
    const grz_status status = use(s, &unique_program);
    if (status != GRZ_OK)
        return status;
    clear(p->seen.name, (uint64_t)4 << seen_bits(s));
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LAYER_SEEN, p->seen.name);
    if (s->self)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_LAYER_CORNERS, s->parts[0].buffers->corners);
    glUniform1ui(GRZ_AT_PAIRS_JOBS, 1);
    glUniform1ui(GRZ_AT_PAIRS_ROOM, p->set_room);
    glUniform1ui(GRZ_AT_LAYER_RAW_ROOM, p->fragment_pair_room);
    glUniform1ui(GRZ_AT_SEEN_BITS, seen_bits(s));
    glUniform1i(GRZ_AT_SETS_SELF, s->self);
    glUniform1i(GRZ_AT_SETS_UNTESTED, s->request->options->untested);
    return grz_dispatch(s->gl, s->control, offsetof(grz_answer_head, raw_groups));
}

static grz_status read_head(sampling *s)
{
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    const grz_status status = grz_gl_wait(s->control);
    if (status == GRZ_OK)
        glGetNamedBufferSubData(s->picture->answers.name, 0, sizeof s->answers, &s->answers);
    s->sets->read_bytes += sizeof s->answers;
    return status;
}

// Walk every fragment through its list, in as many dispatches as that takes.
static grz_status walk_all(sampling *s)
{
    grz_status status = plan(s, GRZ_PLAN_ALL | GRZ_PLAN_REST);
    for (int i = 0; i < MOST_WALKS && status == GRZ_OK; i++) {
        status = walk(s);
        if (status == GRZ_OK)
            status = read_head(s);
        if (s->answers.head.walk_from == s->answers.head.walk_to)
            return status;
    }
    return status != GRZ_OK ? status
                            : grz_fail(s->error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                                       "layers: more than %d surfaces over each other in a pixel",
                                       MOST_WALKS * (int)GRZ_LAYER_STEPS);
}

static bool grow(const sampling *s, uint32_t *room, uint32_t wanted, uint64_t bytes, bool *enough)
{
    const uint64_t most = grz_gl_get_limits(s->gl)->storage_block / bytes, more = wanted + (uint64_t)wanted / 4;
    if (wanted <= *room)
        return false;
    *enough = *enough && wanted <= most;
    *room = wanted <= most ? (uint32_t)(more < most ? more : most) : *room;
    return true;
}

// *again: something had no room; there is more now, and everything is to be drawn again.
static grz_status grow_all(const sampling *s, bool *again)
{
    picture *p = s->picture;
    bool enough = true;
    *again = has_lists(s) && grow(s, &p->node_room, s->answers.head.nodes, 16, &enough);
    *again = grow(s, &p->fragment_pair_room, s->answers.head.fragment_pairs, 8, &enough) || *again;
    *again = grow(s, &p->set_room, s->answers.head.candidates, 32, &enough) || *again;
    return enough ? GRZ_OK
                  : grz_fail(s->error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                             "layers: %u fragments and %u pairs of them, more than a shader here sees",
                             s->answers.head.nodes, s->answers.head.fragment_pairs);
}

static grz_status read_sets(const sampling *s)
{
    const uint32_t count = s->answers.head.candidates;
    grz_layers_sets *sets = s->sets;
    assert(count <= s->picture->set_room);
    if (count == 0)
        return GRZ_OK;
    sets->items = grz_allocate(grz_control_allocator(s->control), count, sizeof *sets->items);
    if (sets->items == NULL)
        return grz_fail(s->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "layers: out of memory for %u sets", count);
    sets->count = sets->room = count;
    glGetNamedBufferSubData(s->picture->answers.name, sizeof s->answers, (GLsizeiptr)(count * sizeof *sets->items),
                            sets->items);
    sets->read_bytes += count * sizeof *sets->items;
    return grz_gl_check(s->gl, s->error);
}

// The depths that two objects have in common, in each pixel. *again as above.
static grz_status find_depths(sampling *s, bool *again)
{
    grz_status status = read_head(s);
    if (status == GRZ_OK)
        status = grow_all(s, again);
    if (status != GRZ_OK || *again)
        return status;
    status = use(s, &depths_program);
    if (status != GRZ_OK)
        return status;
    set_size(s);
    status = grz_dispatch_groups(s->gl, s->control, (pixels(s) + GRZ_DISPATCH_GROUP - 1) / GRZ_DISPATCH_GROUP);
    if (status != GRZ_OK)
        return status;
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(s->picture->heads.name, 0, (GLsizeiptr)(4 * pixels(s)), s->request->common_depths);
    return grz_gl_check(s->gl, s->error);
}

// Milliseconds since `start`; if steps are measured, waits for OpenGL first.
static double lap(const sampling *s, double start)
{
    if (s->request->time)
        glFinish();
    return 1e3 * (grz_clock_seconds() - start);
}

static grz_status sample_once(sampling *s, bool *again)
{
    *again = false;
    grz_status status = reserve(s);
    if (status != GRZ_OK)
        return status;
    upload(s);
    lap(s, 0.0);
    const double start = grz_clock_seconds();
    status = capture(s);
    s->sets->capture_ms = lap(s, start);
    const double captured = grz_clock_seconds();
    if (s->request->common_depths != NULL)
        return status == GRZ_OK ? find_depths(s, again) : status;
    if (status == GRZ_OK)
        status = walk_all(s);
    if (status == GRZ_OK && s->request->reduce)
        status = reduce(s);
    if (status == GRZ_OK)
        status = read_head(s);
    s->sets->sets_ms = lap(s, captured);
    return status == GRZ_OK ? grow_all(s, again) : status;
}

static grz_status run(sampling *s)
{
    bool again = true;
    s->picture = grz_gl_slot(s->gl, &slot_type);
    if (s->picture == NULL)
        return grz_fail(s->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "layers: out of memory");
    grz_status status = upload_objects(s);
    if (status == GRZ_OK)
        status = fit_images(s);
    while (status == GRZ_OK && again)
        status = sample_once(s, &again);
    if (status != GRZ_OK)
        return status;
    s->sets->captured = has_lists(s) ? s->answers.head.nodes : 0;
    s->sets->left_out = s->answers.head.left_out;
    s->sets->raw_count = s->answers.head.fragment_pairs;
    return read_sets(s);
}

// ---- Options ------------------------------------------------------------------------------------------------------

grz_status grz_layers_check(const grz_layers_options *options, grz_error *error)
{
    if (options->resolution == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "layers: a resolution of 0");
    if (options->capture < GRZ_LAYERS_FIXED || options->capture > GRZ_LAYERS_PEELED)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "layers: options.capture is %d",
                        (int)options->capture);
    if (options->layers == 0 || options->layers > GRZ_LAYERS_MAX)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "layers: %u layers, must be 1 to %d",
                        options->layers, GRZ_LAYERS_MAX);
    const double *d = options->direction, length = fmax(fabs(d[0]), fmax(fabs(d[1]), fabs(d[2])));
    if (options->has_direction && !(isfinite(d[0]) && isfinite(d[1]) && isfinite(d[2]) && length > 0.0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "layers: options.direction is zero or not finite");
    if (!(options->threshold >= 0.0 && options->threshold < HUGE_VAL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "layers: a threshold of %g, must be 0 or more, and finite", options->threshold);
    return GRZ_OK;
}

grz_status grz_layers_sample(grz_device *device, const grz_layers_request *request, grz_control *control,
                             grz_layers_sets *sets, grz_error *error)
{
    sampling s = {.request = request, .control = control, .sets = sets, .error = error, .self = request->count == 1};
    const grz_allocator *allocator = grz_control_allocator(control);
    assert(request->count > 0);
    grz_layers_sets_finish(sets, control);
    grz_status status = grz_layers_check(request->options, error);
    if (status == GRZ_OK)
        status = grz_gl_enter(device, "layers", &s.gl, error);
    if (status != GRZ_OK)
        return status;
    const uint32_t most = grz_gl_get_limits(s.gl)->image_side;
    s.parts = grz_allocate(allocator, request->count, sizeof *s.parts);
    if (request->options->resolution > most)
        status =
            grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                     "layers: a resolution of %u, must be 1 to %u on this device", request->options->resolution, most);
    else if (s.parts == NULL)
        status =
            grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "layers: out of memory for %zu objects", request->count);
    else
        status = run(&s);
    grz_release(allocator, s.parts, request->count, sizeof *s.parts);
    return grz_gl_leave(s.gl, status, error);
}

void grz_layers_sets_finish(grz_layers_sets *sets, grz_control *control)
{
    grz_release(grz_control_allocator(control), sets->items, sets->room, sizeof *sets->items);
    *sets = (grz_layers_sets){.items = NULL};
}
