// SPDX-License-Identifier: MIT
// What the readers share: the bytes of a file, the model being filled, and how a failure is told. One reader a format; each
// takes bytes in memory, never a file, so that tests and fuzzers reach it directly. Memory taken is bounded by a small multiple
// of the bytes read: arrays grow with what was found, or are reserved after a count was checked against the bytes that are
// there.
#ifndef GRZ_CLI_READ_H
#define GRZ_CLI_READ_H

#include "model.h"
#include "text_scan.h"

enum {
    READ_LOOK_SIZE = 65536 // bytes that are looked at to tell the format
};

typedef struct reader {
    const char *path;           // for messages, and for formats that refer to other files
    const unsigned char *bytes; // not NUL-terminated; valid while the reader runs
    size_t size;
    model *out;
    char *message; // MODEL_MESSAGE_SIZE bytes
    bool no_child; // a format that another process has to read is a failure, and sets needs_child
    bool needs_child;
    const unsigned char *reached; // about where a text without counts is being read; NULL: counts are known
    // Of the arrays in `out`, in elements.
    size_t position_capacity, index_capacity, face_capacity, part_capacity, mesh_capacity, instance_capacity, note_capacity;
    text_token part_name; // of the part being filled
    bool in_part;
    uint64_t part_first_face;
} reader;

// Write "PATH: …" to the message. Returns false, for `return reader_fail(…)`.
bool reader_fail(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The same with "PATH: line N: …".
bool reader_fail_line(reader *r, uint64_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Says what is wrong with a number that scan_double() or scan_integer() did not take. `what`: "x coordinate", "corner".
bool reader_fail_number(reader *r, const text_scan *s, scan_result result, const char *what);

bool reader_fail_memory(reader *r);

// What a message says behind "PATH: ".
const char *reader_what(const reader *r, const char *message);

// Add to the message.
void reader_fail_more(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Room for this many vertices and corners in all. Only for counts that were checked against the bytes that are there.
bool reader_reserve(reader *r, uint64_t vertices, uint64_t corners);

// Room for one more vertex, for so many more corners, and for a face of so many corners, where there is none.
bool reader_grow_vertices(reader *r);
bool reader_grow_corners(reader *r, uint64_t corners);
bool reader_end_polygon(reader *r, uint64_t corners);

static inline bool reader_add_vertex(reader *r, double x, double y, double z)
{
    model *m = r->out;
    if (m->vertex_count == r->position_capacity && !reader_grow_vertices(r))
        return false;
    double *p = m->positions + 3 * m->vertex_count++;
    p[0] = x;
    p[1] = y;
    p[2] = z;
    return true;
}

static inline bool reader_add_corner(reader *r, uint32_t index)
{
    if (r->out->index_count == r->index_capacity && !reader_grow_corners(r, 1))
        return false;
    r->out->indices[r->out->index_count++] = index;
    return true;
}

// The last `corners` corners become a face. At least three of them.
static inline bool reader_end_face(reader *r, uint64_t corners)
{
    if (corners != 3 || r->out->corner_counts)
        return reader_end_polygon(r, corners);
    r->out->face_count++;
    return true;
}

// A triangle at once.
static inline bool reader_add_triangle(reader *r, uint32_t a, uint32_t b, uint32_t c)
{
    model *m = r->out;
    if (r->index_capacity - m->index_count < 3 && !reader_grow_corners(r, 3))
        return false;
    uint32_t *corners = m->indices + m->index_count;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
    m->index_count += 3;
    return reader_end_face(r, 3);
}

// Faces from here on belong to a part of this name. The name's bytes are borrowed until the part ends, and copied only then, as
// valid UTF-8. Faces before the first part get one named "default". A part that stays empty is dropped.
bool reader_begin_part(reader *r, text_token name);

// The part ends here, if there is one. Has to be called after the last face.
bool reader_end_part(reader *r);

// How the rows of a text's tables lie in its lines. They may be lines, run over several, share some, or have nothing to do with
// lines; but once one filled a line by itself, rows are lines, and one that shares a line with another row and runs over its end is
// a sign of numbers too many or too few. Zero it to start.
typedef struct row_layout {
    uint64_t filled_line, mixed_line; // the first of each, 0: none yet
    bool shares;                      // the last row shares its last line with what comes behind it
} row_layout;

// Another table begins. If in a line of its own, the one before may have lain otherwise.
void row_layout_begin(row_layout *layout);

// The row that began in line `first` ended at the cursor; `last`: it is its table's last. Goes to the next line where this one has
// nothing more. Returns false, with a message, where the rows so far contradict each other.
bool row_layout_add(row_layout *layout, reader *r, text_scan *s, uint64_t first, bool last);

// Forget all vertices and faces, to read them again in another way.
void reader_drop_rows(reader *r);

// Forget the names and keep the faces.
void reader_drop_parts(reader *r);

// A line for `info`: what was skipped, and what is to be known of the positions.
bool reader_note(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

// "1 line element skipped", "2 line elements skipped"; nothing for 0.
bool reader_note_count(reader *r, uint64_t count, const char *singular, const char *plural);

// What was added since the last mesh becomes a mesh that instances can show; its corners count from its own first vertex.
bool reader_end_mesh(reader *r);

// A node shows a mesh. The name is copied, as a part's.
bool reader_add_instance(reader *r, uint64_t mesh, const double matrix[3][4], text_token name);

// The formats. Each fills r->out with every vertex, face, part and note, and leaves it to the caller to refuse a model without
// faces. `guessed`: nothing but being text speaks for OBJ. `keyword_needed`: counts alone are no OFF.
bool read_obj(reader *r, bool guessed);
bool read_stl(reader *r);
bool read_ply(reader *r);
bool read_off(reader *r, bool keyword_needed);

// Whether these bytes begin like such a file, as far as the first 64 KiB tell. For STL: text with a facet, or a binary file of
// exactly the size that it states.
bool looks_like_stl_text(const unsigned char *bytes, size_t size);
bool looks_like_stl_binary(const unsigned char *bytes, size_t size);
bool looks_like_ply(const unsigned char *bytes, size_t size);
bool looks_like_off(const unsigned char *bytes, size_t size);

// Read a model from memory, as model_read_instances() does; `path` gives the extension and goes into messages. Formats that need
// Assimp are read from `path` itself if is_file, from the bytes otherwise.
bool model_read_memory(const char *path, bool is_file, const unsigned char *bytes, size_t size, model *out,
                       char message[MODEL_MESSAGE_SIZE]);

// What a child process may use before it is ended.
typedef struct child_limits {
    uint64_t memory;      // bytes of address space beyond what the parent has; not enforced under a sanitizer
    unsigned cpu_seconds; // of the child's own work; also holds should the parent be gone
    double wall_seconds;
} child_limits;

// What an importer in a child process sends first. Numbers are of this machine's byte order: both ends are one program.
typedef struct child_header {
    uint64_t magic;                                 // CHILD_MAGIC
    uint64_t status;                                // a child_status
    uint64_t vertex_count, index_count, face_count; // of all meshes together, each counted once
    uint64_t mesh_count, instance_count;
    uint64_t names_length;                  // of all instances' names together
    uint64_t points_skipped, lines_skipped; // counted for every instance
    uint64_t text_length;                   // of the text that follows: the importer's name, or what is wrong
} child_header;

typedef struct child_mesh {
    uint64_t vertex_count, index_count, face_count;
} child_mesh;

typedef struct child_instance {
    uint64_t mesh;
    uint64_t name_length;
    double matrix[3][4];
} child_instance;
// Then follow: the text; for each mesh a child_mesh, its vertex_count × 3 double, its index_count uint32_t, below vertex_count, and
// its face_count uint32_t, each face's number of corners; and for each instance a child_instance and its name.

typedef enum child_status {
    CHILD_OK,
    CHILD_FAILED,           // the text says why
    CHILD_UNKNOWN_EXTENSION // no importer for it
} child_status;

enum {
    CHILD_TEXT_LENGTH = 1000 // longest text, and longest name of an instance
};
#define CHILD_MAGIC UINT64_C(0x6772617a652d3032)

typedef void child_work(int pipe, const void *context);

// Bytes that an importer may take for a model, and the model itself once every instance is a mesh of its own.
#define IMPORT_MEMORY (UINT64_C(4) << 30)

// Take count × size bytes of those that are left. False where they are too few.
static inline bool take_memory(uint64_t *left, uint64_t count, uint64_t size)
{
    if (count > *left / size)
        return false;
    *left -= count * size;
    return true;
}

// Run `work` in a child process that writes the above to the pipe, and fill the model's meshes and instances from it, trusting
// nothing. A crash, a hang, too much memory or a malformed answer is a failure with a message of its own. `unknown` receives
// whether it was CHILD_UNKNOWN_EXTENSION; the result is false then, with a message.
bool read_through_child(reader *r, const child_limits *limits, child_work *work, const void *context, bool *unknown);

// Read through Assimp. `hint`: NULL to read r->path and the files that it refers to; an extension to read r->bytes.
bool read_assimp(reader *r, const char *hint, bool *unknown);

#endif
