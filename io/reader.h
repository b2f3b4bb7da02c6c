// SPDX-License-Identifier: MIT
// What the readers share: the bytes of a file, the model that they fill, and how they report a failure. Each format has
// one reader, which takes bytes in memory, never a file. The memory that a reader takes is bounded by a small multiple
// of the bytes read: arrays grow with what was found, or are reserved after a count was checked against the bytes that
// are there.
#ifndef GRZ_IO_READER_H
#define GRZ_IO_READER_H

#include "control.h"
#include "text_scan.h"

enum {
    SIGNATURE_SIZE = 65536, // bytes that are looked at to tell the format
    LOOK_EVERY = 1 << 18    // bytes read between two looks at the flag and the clock: a few milliseconds
};

// The arrays of a model that is being filled.
typedef struct growing_model {
    double *positions;
    uint32_t *indices;
    uint32_t *corner_counts; // NULL as long as every face has three corners
    grz_io_part *parts;      // each name is a block of its length + 1
    char **notes;            // each a block of its length + 1
    grz_io_mesh *meshes;
    grz_io_instance *instances; // each name is a block of its length + 1
    uint64_t vertex_count, index_count, face_count;
    size_t part_count, note_count, mesh_count, instance_count;
    size_t position_capacity, index_capacity, face_capacity, part_capacity, note_capacity, mesh_capacity,
        instance_capacity;
} growing_model;

// A model in the caller's hands, and what is needed to give its memory back.
typedef struct owned_model {
    grz_io_model shown; // first: its address is the caller's model
    growing_model arrays;
    grz_allocator allocator;
} owned_model;

typedef struct reader {
    load_control *control;
    const unsigned char *bytes; // not NUL-terminated; unpacked, and UTF-8 where they are text
    size_t size;
    uint64_t file_size;       // of the file as it is
    grz_io_evidence evidence; // what speaks for the format
    growing_model model;
    const unsigned char *reached;   // about where a text without counts is being read; NULL: counts are known
    const unsigned char *next_look; // where the flag and the clock are looked at again
    text_token part_name;           // of the part being filled
    bool in_part;
    uint64_t part_first_face, part_first_index;
    const char *directory; // where files beside this one are; NULL: not known
    double unit_in_metres; // as grz_io_model has them
    grz_io_up up_axis;
} reader;

// Report that the file is damaged: GRZ_ERROR_FORMAT. Each returns false, for `return grz_io_fail(…)`.
bool grz_io_fail(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The same, the reason beginning with "line N: ".
bool grz_io_fail_line(reader *r, uint64_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));

// The same, the reason beginning with "byte N: ".
bool grz_io_fail_byte(reader *r, uint64_t byte, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Report a number that grz_io_scan_double() or grz_io_scan_integer() refused. `what`: "x coordinate", "corner".
bool grz_io_fail_number(reader *r, const text_scan *s, scan_result result, const char *what);

bool grz_io_fail_memory(reader *r);

// Add to the reason of a failure. Nothing where the file is not at fault.
void grz_io_fail_more(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Forget a failure for which the file is at fault, to read it in another way. False where the call has to end.
bool grz_io_forget_failure(reader *r);

// Look whether the call is to go on, and report progress: what comes before `at` has been read.
bool grz_io_look(reader *r, const unsigned char *at);

// The same, but only every LOOK_EVERY bytes. To be called at least for every row or statement.
static inline bool reader_goes_on(reader *r, const unsigned char *at)
{
    return at < r->next_look || grz_io_look(r, at);
}

// Make room for this many vertices and corners in all. Only for counts that were checked against the bytes that are
// there.
bool grz_io_reserve(reader *r, uint64_t vertices, uint64_t corners);

// Make room for one more vertex; for so many more corners; for a face of so many corners, which is added.
bool grz_io_grow_vertices(reader *r);
bool grz_io_grow_corners(reader *r, uint64_t corners);
bool grz_io_end_polygon(reader *r, uint64_t corners);

static inline bool reader_add_vertex(reader *r, double x, double y, double z)
{
    growing_model *m = &r->model;
    if (m->vertex_count == m->position_capacity && !grz_io_grow_vertices(r))
        return false;
    double *p = m->positions + 3 * m->vertex_count++;
    p[0] = x;
    p[1] = y;
    p[2] = z;
    return true;
}

static inline bool reader_add_corner(reader *r, uint32_t index)
{
    growing_model *m = &r->model;
    if (m->index_count == m->index_capacity && !grz_io_grow_corners(r, 1))
        return false;
    m->indices[m->index_count++] = index;
    return true;
}

// The last `corners` corners, at least three, become a face.
static inline bool reader_end_face(reader *r, uint64_t corners)
{
    if (corners != 3 || r->model.corner_counts != NULL)
        return grz_io_end_polygon(r, corners);
    r->model.face_count++;
    return true;
}

// Add a triangle.
static inline bool reader_add_triangle(reader *r, uint32_t a, uint32_t b, uint32_t c)
{
    growing_model *m = &r->model;
    if (m->index_capacity - m->index_count < 3 && !grz_io_grow_corners(r, 3))
        return false;
    uint32_t *corners = m->indices + m->index_count;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
    m->index_count += 3;
    return reader_end_face(r, 3);
}

// Faces from here on belong to a part of this name. The name's bytes are borrowed until the part ends, and copied only
// then, as valid UTF-8. Faces before the first part get one named "default". A part that stays empty is dropped.
bool grz_io_begin_part(reader *r, text_token name);

// The part ends here, if there is one. Has to be called after the last face.
bool grz_io_end_part(reader *r);

// What is added from here on to the end is a mesh that instances show; its corners count from its own first vertex.
bool grz_io_begin_mesh(reader *r);
void grz_io_end_mesh(reader *r);

// Show a mesh at a place. The name is copied, as a part's.
bool grz_io_add_instance(reader *r, text_token name, uint64_t mesh, const double matrix[3][4]);

// Forget all vertices and faces, to read them again in another way.
void grz_io_drop_rows(reader *r);

// Forget the parts and keep the faces.
void grz_io_drop_parts(reader *r);

// The model in the caller's hands. `format`: static text. NULL, with the reason, without memory.
grz_io_model *grz_io_hand_over(reader *r, const char *format);

// Free what a model holds that was not handed over.
void grz_io_release_model(growing_model *m, const grz_allocator *allocator);

// Add a line to the model's notes.
bool grz_io_note(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

// "1 line element skipped", "2 line elements skipped"; nothing for 0.
bool grz_io_note_count(reader *r, uint64_t count, const char *singular, const char *plural);

// A copy of a name that is valid UTF-8 without control characters, at most 1,000 bytes and a NUL; its block has strlen
// + 1 bytes. NULL without memory.
char *grz_io_copy_name(load_control *control, text_token name);

#endif
