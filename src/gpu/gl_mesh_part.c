// SPDX-License-Identifier: MIT
// Reads back only the triangles of a mesh in the caller's buffers that may touch a box. A shader selects them in
// floats, with a margin for their rounding. They are read back, sorted, and become a mesh of their own whose faces and
// vertices keep the caller's numbers.
//
// The bound. With x a corner, c the mesh's middle rounded to floats, u a power of two no smaller than |x - c|, r a
// power of two with r times the sum of a row's |m| at most 1, the shader computes s = fl(sum of fl(r m) fl((x - c) /
// u)). Against r/u (m x - m c) it is wrong by 2^-24 from rounding r m, 2^-23 from the difference (1 ulp each, as
// drivers may), 2^-23 from the products, 2^-22 from the two sums, and 3/2^26 where subnormal numbers are flushed (u is
// at least 2^-100): together less than 2^-20. World positions are m x + t rounded, wrong by less than 2^-51 times the
// sum of all magnitudes in it. The sides of the box are moved out by both, and rounded outwards.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/fail.h"
#include "base/sort/number_sort.h"
#include "gpu/gl_mesh.h"
#include "gpu/mesh_shaders.h"

enum {
    FIRST_READ = 1 << 10, // so many triangles are read together with their number
    FIRST_ROOM = 1 << 14,
    LEAST_SIZE = -100, // of a mesh that is looked at, powers of two: others are taken whole
    MOST_SIZE = 120,
    LEAST_ROW = -900, // and of a row of a pose
    MOST_ROW = 900
};

static const double SLACK = 0x1p-19;
static const uint64_t HEAD_BYTES = sizeof(uint32_t) * GRZ_SELECTED_HEAD,
                      RECORD_BYTES = sizeof(uint32_t) * GRZ_SELECTED_WORDS;

static const grz_gl_program_source gather_program = {"gl_mesh_gather", {&grz_shader_gl_mesh_gather_comp, NULL, NULL}};
static const grz_gl_program_source select_program = {"gl_mesh_select", {&grz_shader_gl_mesh_select_comp, NULL, NULL}};

// What is kept with the device between calls.
typedef struct selection {
    grz_gl_buffer buffer, wanted;
} selection;

static void release_selection(grz_gl *gl, void *state)
{
    grz_gl_buffer_finish(gl, &((selection *)state)->buffer);
    grz_gl_buffer_finish(gl, &((selection *)state)->wanted);
}

static const grz_gl_slot_type slot_type = {sizeof(selection), release_selection};

// The uniforms of gl_mesh_select.comp.
typedef struct question {
    float middle[4], rows[3][3], low[3], high[3];
} question;

// Set one axis. If its numbers are out of range for floats, every triangle passes on this axis.
static void ask_row(const grz_pose *pose, const grz_mesh *mesh, const grz_box *box, const float middle[3], int size,
                    int i, question *q)
{
    const double *m = pose->m[i];
    const double sum = (fabs(m[0]) + fabs(m[1])) + fabs(m[2]);
    double reach = fabs(m[3]), at = m[3];
    int row;
    q->low[i] = -4.0f;
    q->high[i] = 4.0f;
    frexp(sum, &row);
    if (!(sum > 0.0 && sum < HUGE_VAL) || row < LEAST_ROW || row > MOST_ROW)
        return;
    for (int j = 0; j < 3; j++) {
        q->rows[i][j] = (float)ldexp(m[j], -row);
        at += m[j] * (double)middle[j];
        reach += fabs(m[j]) * mesh->max_abs[j];
    }
    // 8 times what world positions are off by.
    const double pad = 0x1p-48 * (reach + (fabs(box->min[i]) + fabs(box->max[i])));
    q->low[i] = (float)(fmax(fmin(ldexp((box->min[i] - at) - pad, -row - size), 2.0), -2.0) - SLACK);
    q->high[i] = (float)(fmax(fmin(ldexp((box->max[i] - at) + pad, -row - size), 2.0), -2.0) + SLACK);
    assert(q->low[i] < q->high[i] || grz_box_is_empty(box));
}

static question ask(const grz_object *object, const grz_box *box)
{
    const grz_mesh *mesh = object->mesh;
    question q = {.middle = {0.0f}, .low = {-4.0f, -4.0f, -4.0f}, .high = {4.0f, 4.0f, 4.0f}};
    float middle[3];
    double half = 0.0;
    int size;
    for (int j = 0; j < 3; j++) {
        middle[j] = (float)(0.5 * mesh->bounds.min[j] + 0.5 * mesh->bounds.max[j]);
        half = fmax(half, fmax(mesh->bounds.max[j] - (double)middle[j], (double)middle[j] - mesh->bounds.min[j]));
    }
    frexp(half, &size);
    if (!(half > 0.0) || size < LEAST_SIZE || size > MOST_SIZE)
        return q;
    memcpy(q.middle, middle, sizeof middle);
    q.middle[3] = (float)ldexp(1.0, -size);
    for (int i = 0; i < 3; i++)
        ask_row(&object->pose, mesh, box, middle, size, i, &q);
    return q;
}

// Run the selection. *count is how many triangles it found; at most `capacity` of them are in the buffer. `head`
// receives the first ones, as many as it has room for.
static grz_status choose(grz_gl *gl, const grz_mesh *mesh, const question *q, const selection *kept, uint32_t capacity,
                         uint32_t *head, size_t head_bytes, uint32_t *count, grz_error *error)
{
    const GLuint nothing = 0;
    GLuint program;
    assert(head_bytes >= HEAD_BYTES);
    grz_status status = grz_gl_program(gl, &select_program, &program, error);
    if (status != GRZ_OK)
        return status;
    glNamedBufferSubData(kept->buffer.name, 0, sizeof nothing, &nothing);
    glUseProgram(program);
    glUniform4fv(GRZ_AT_MIDDLE, 1, q->middle);
    glUniform3fv(GRZ_AT_ROWS, 3, q->rows[0]);
    glUniform3fv(GRZ_AT_LOW, 1, q->low);
    glUniform3fv(GRZ_AT_HIGH, 1, q->high);
    glUniform1ui(GRZ_AT_CAPACITY, capacity);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_SELECTED, kept->buffer.name);
    grz_gl_mesh_dispatch(gl, mesh, mesh->triangle_count);
    glGetNamedBufferSubData(kept->buffer.name, 0, (GLsizeiptr)head_bytes, head);
    *count = head[0];
    return grz_gl_check(gl, error);
}

// Triangles in memory, GRZ_SELECTED_WORDS words each, in any order.
typedef struct chosen {
    uint32_t *words;
    uint32_t count;
} chosen;

// Bytes of a buffer for so many triangles.
static uint64_t room_for(uint64_t count)
{
    return RECORD_BYTES * count + HEAD_BYTES;
}

// Copy the first `count` triangles out of the buffer; `head` has the first few already.
static grz_status copy_out(const selection *kept, const uint32_t *head, uint32_t count, const grz_allocator *allocator,
                           chosen *out, grz_error *error)
{
    const size_t first = count < FIRST_READ ? count : FIRST_READ;
    assert(count > 0 && room_for(count) <= kept->buffer.size);
    out->words = grz_allocate(allocator, count, RECORD_BYTES);
    if (out->words == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "gl mesh: out of memory to read %u triangles back",
                        count);
    out->count = count;
    memcpy(out->words, head + GRZ_SELECTED_HEAD, first * RECORD_BYTES);
    if (count > first)
        glGetNamedBufferSubData(kept->buffer.name, (GLintptr)room_for(first),
                                (GLsizeiptr)((count - first) * RECORD_BYTES), out->words + first * GRZ_SELECTED_WORDS);
    return GRZ_OK;
}

// False in *fits: a buffer cannot hold so many.
static grz_status read_chosen(grz_gl *gl, const grz_object *object, const grz_box *box, const grz_allocator *allocator,
                              chosen *out, bool *fits, grz_error *error)
{
    const grz_mesh *mesh = object->mesh;
    const uint64_t room = (grz_gl_get_limits(gl)->storage_block - HEAD_BYTES) / RECORD_BYTES;
    const uint32_t most = room < mesh->triangle_count ? (uint32_t)room : mesh->triangle_count;
    const question q = ask(object, box);
    uint32_t head[GRZ_SELECTED_HEAD + FIRST_READ * GRZ_SELECTED_WORDS],
        capacity = most < FIRST_ROOM ? most : FIRST_ROOM, count = 0;
    selection *kept = grz_gl_slot(gl, &slot_type);
    if (kept == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "gl mesh: out of memory");
    *fits = false;
    for (;;) { // again if there were more than the buffer had room for
        grz_status status = grz_gl_buffer_reserve(gl, &kept->buffer, room_for(capacity), "chosen triangles", error);
        const size_t held = kept->buffer.size < sizeof head ? (size_t)kept->buffer.size : sizeof head;
        if (status == GRZ_OK)
            status = choose(gl, mesh, &q, kept, capacity, head, held, &count, error);
        if (status != GRZ_OK || count > most)
            return status;
        if (count <= capacity)
            break;
        capacity = count;
    }
    *fits = true;
    return count > 0 ? copy_out(kept, head, count, allocator, out, error) : GRZ_OK;
}

// Read the triangles of a list, which fits into a buffer.
static grz_status gather(grz_gl *gl, const grz_mesh *mesh, const uint32_t *triangles, uint32_t count,
                         const grz_allocator *allocator, chosen *out, grz_error *error)
{
    selection *kept = grz_gl_slot(gl, &slot_type);
    GLuint program;
    if (kept == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "gl mesh: out of memory");
    grz_status status = grz_gl_program(gl, &gather_program, &program, error);
    if (status == GRZ_OK)
        status = grz_gl_buffer_reserve(gl, &kept->buffer, room_for(count), "chosen triangles", error);
    if (status == GRZ_OK)
        status =
            grz_gl_buffer_reserve(gl, &kept->wanted, sizeof *triangles * (uint64_t)count, "triangles to read", error);
    if (status != GRZ_OK)
        return status;
    out->words = grz_allocate(allocator, count, RECORD_BYTES);
    if (out->words == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "gl mesh: out of memory to read %u triangles back",
                        count);
    out->count = count;
    glNamedBufferSubData(kept->wanted.name, 0, (GLsizeiptr)(sizeof *triangles * (size_t)count), triangles);
    glUseProgram(program);
    glUniform1ui(GRZ_AT_CAPACITY, count);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_SELECTED, kept->buffer.name);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_WANTED, kept->wanted.name);
    grz_gl_mesh_dispatch(gl, mesh, count);
    glGetNamedBufferSubData(kept->buffer.name, (GLintptr)HEAD_BYTES, (GLsizeiptr)(count * RECORD_BYTES), out->words);
    return grz_gl_check(gl, error);
}

// ---- A mesh of them -----------------------------------------------------------------------------------------------

// Selected triangles on the way to a mesh.
typedef struct building {
    const chosen *from;
    uint64_t *order;        // one a triangle: its number, and where it lies among the chosen
    uint64_t *keys, *spare; // three a triangle
    uint32_t *corners;      // three a triangle: vertices of the part
    float (*positions)[3];  // of these vertices, three a triangle at most
    uint32_t *vertices;     // and the caller's numbers of them
    uint32_t vertex_count;
} building;

// The words of triangle number i, in sorted order.
static const uint32_t *triangle_at(const building *b, size_t i)
{
    return b->from->words + (size_t)(b->order[i] & UINT32_MAX) * GRZ_SELECTED_WORDS;
}

// Sort triangles and vertices by the caller's numbers, each vertex once. False: the control has expired.
static bool put_in_order(building *b, grz_control *control)
{
    const size_t triangles = b->from->count, corners = 3 * triangles;
    for (size_t i = 0; i < triangles; i++)
        b->order[i] = (uint64_t)b->from->words[i * GRZ_SELECTED_WORDS + GRZ_SELECTED_TRIANGLE] << 32 | i;
    if (!grz_sort_numbers(b->order, b->spare, triangles, control))
        return false;
    for (size_t i = 0; i < corners; i++)
        b->keys[i] = (uint64_t)triangle_at(b, i / 3)[GRZ_SELECTED_VERTICES + i % 3] << 32 | i;
    if (!grz_sort_numbers(b->keys, b->spare, corners, control))
        return false;
    b->vertex_count = 0;
    for (size_t i = 0; i < corners; i++) {
        const uint32_t vertex = (uint32_t)(b->keys[i] >> 32), corner = (uint32_t)(b->keys[i] & UINT32_MAX);
        assert(corner < corners && (b->vertex_count == 0 || b->vertices[b->vertex_count - 1] <= vertex));
        if (b->vertex_count == 0 || b->vertices[b->vertex_count - 1] != vertex) {
            memcpy(b->positions[b->vertex_count],
                   triangle_at(b, corner / 3) + GRZ_SELECTED_POSITIONS + (size_t)3 * (corner % 3),
                   sizeof b->positions[0]);
            b->vertices[b->vertex_count++] = vertex;
        }
        b->corners[corner] = b->vertex_count - 1;
    }
    return true;
}

static grz_status out_of_memory(const chosen *from, grz_error *error)
{
    return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "gl mesh: out of memory for %u triangles", from->count);
}

// Give the part the caller's numbers.
static grz_status keep_numbers(const building *b, const grz_allocator *allocator, grz_mesh *part, grz_error *error)
{
    assert(part->triangle_count == b->from->count && part->vertex_count == b->vertex_count);
    assert(part->triangle_faces == NULL && part->vertex_numbers == NULL);
    part->triangle_faces = grz_allocate(allocator, part->triangle_count, sizeof *part->triangle_faces);
    part->vertex_numbers = grz_allocate(allocator, part->vertex_count, sizeof *part->vertex_numbers);
    if (part->triangle_faces == NULL || part->vertex_numbers == NULL)
        return out_of_memory(b->from, error);
    for (size_t i = 0; i < part->triangle_count; i++) {
        part->triangle_faces[i] = (uint32_t)(b->order[i] >> 32);
        assert(i == 0 || part->triangle_faces[i - 1] < part->triangle_faces[i]);
    }
    memcpy(part->vertex_numbers, b->vertices, part->vertex_count * sizeof *b->vertices);
    return GRZ_OK;
}

static grz_status make_part(const building *b, const grz_mesh *whole, grz_control *control, grz_mesh **part,
                            grz_error *error)
{
    grz_mesh_description d = grz_default_mesh_description();
    d.positions = b->positions;
    d.vertex_count = b->vertex_count;
    d.indices = b->corners;
    d.index_count = 3 * (uint64_t)b->from->count;
    d.face_count = b->from->count;
    d.flags = whole->flags;
    grz_status status = grz_mesh_make(whole->device, &d, control, part, error);
    if (status == GRZ_OK)
        status = keep_numbers(b, grz_control_allocator(control), *part, error);
    if (status != GRZ_OK) {
        grz_mesh_destroy(*part);
        *part = NULL;
    }
    return status;
}

static grz_status build(const chosen *from, const grz_mesh *whole, grz_control *control, grz_mesh **part,
                        grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const size_t triangles = from->count, corners = 3 * triangles;
    building b = {.from = from,
                  .order = grz_allocate(allocator, triangles, sizeof *b.order),
                  .keys = grz_allocate(allocator, corners, sizeof *b.keys),
                  .spare = grz_allocate(allocator, corners, sizeof *b.spare),
                  .corners = grz_allocate(allocator, corners, sizeof *b.corners),
                  .positions = grz_allocate(allocator, corners, sizeof *b.positions),
                  .vertices = grz_allocate(allocator, corners, sizeof *b.vertices)};
    grz_status status;
    if (b.order == NULL || b.keys == NULL || b.spare == NULL || b.corners == NULL || b.positions == NULL ||
        b.vertices == NULL)
        status = out_of_memory(from, error);
    else
        status = put_in_order(&b, control) ? make_part(&b, whole, control, part, error) : grz_control_status(control);
    grz_release(allocator, b.order, triangles, sizeof *b.order);
    grz_release(allocator, b.keys, corners, sizeof *b.keys);
    grz_release(allocator, b.spare, corners, sizeof *b.spare);
    grz_release(allocator, b.corners, corners, sizeof *b.corners);
    grz_release(allocator, b.positions, corners, sizeof *b.positions);
    grz_release(allocator, b.vertices, corners, sizeof *b.vertices);
    return status;
}

// The whole mesh as a part: the copy in memory, with one more owner.
static grz_status take_whole(const grz_mesh *mesh, grz_control *control, grz_mesh **part, grz_error *error)
{
    const grz_mesh *copy;
    const grz_status status = grz_mesh_in_memory(mesh, control, &copy, error);
    if (status != GRZ_OK)
        return status;
    grz_mesh_retain(copy);
    *part = (grz_mesh *)copy;
    return GRZ_OK;
}

grz_status grz_gl_mesh_read_part(const grz_object *object, const grz_box *box, grz_control *control, grz_mesh **part,
                                 grz_error *error)
{
    const grz_mesh *mesh = object->mesh;
    const grz_allocator *allocator = grz_control_allocator(control);
    chosen from = {NULL, 0};
    bool fits = true;
    grz_gl *gl;
    *part = NULL;
    if (grz_gl_mesh_of(mesh)->welded)
        return take_whole(mesh, control, part, error);
    grz_status status = grz_gl_enter(mesh->device, "gl mesh", &gl, error);
    if (status != GRZ_OK)
        return status;
    status = grz_gl_mesh_check(mesh, error);
    if (status == GRZ_OK)
        status = read_chosen(gl, object, box, allocator, &from, &fits, error);
    status = grz_gl_leave(gl, status, error);
    if (status == GRZ_OK && !fits)
        status = take_whole(mesh, control, part, error);
    else if (status == GRZ_OK && from.count > 0)
        status = build(&from, mesh, control, part, error);
    grz_release(allocator, from.words, from.count, RECORD_BYTES);
    return status;
}

grz_status grz_gl_mesh_read_triangles(const grz_mesh *mesh, const uint32_t *triangles, uint32_t count,
                                      grz_control *control, grz_mesh **part, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    chosen from = {NULL, 0};
    grz_gl *gl;
    assert(count > 0);
    *part = NULL;
    if (grz_gl_mesh_of(mesh)->welded)
        return take_whole(mesh, control, part, error);
    grz_status status = grz_gl_enter(mesh->device, "gl mesh", &gl, error);
    if (status != GRZ_OK)
        return status;
    const bool fits = room_for(count) <= grz_gl_get_limits(gl)->storage_block;
    status = grz_gl_mesh_check(mesh, error);
    if (status == GRZ_OK && fits)
        status = gather(gl, mesh, triangles, count, allocator, &from, error);
    status = grz_gl_leave(gl, status, error);
    if (status == GRZ_OK && !fits)
        status = take_whole(mesh, control, part, error);
    else if (status == GRZ_OK)
        status = build(&from, mesh, control, part, error);
    grz_release(allocator, from.words, from.count, RECORD_BYTES);
    return status;
}
