// SPDX-License-Identifier: MIT
// Formats that libgraze_io does not read: an importer reads them in a child process with limits of time and memory,
// because importers crash and hang on damaged files. The child sends the model over a pipe; the parent checks it as
// though an enemy had sent it.
#ifndef GRZ_CLI_FOREIGN_H
#define GRZ_CLI_FOREIGN_H

#include "model.h"

// A model that is being received. Zero all but the first five members to start.
typedef struct foreign_reader {
    const char *path;           // for messages, and for formats that refer to other files
    const unsigned char *bytes; // of the file
    size_t size;
    char *message;              // MODEL_MESSAGE_SIZE bytes
    const volatile int *cancel; // ends the reading where it is not zero; may be NULL
    double *positions;
    uint32_t *indices, *corner_counts;
    model_mesh *meshes;
    model_instance *instances;
    char **notes;
    double unit_in_metres; // as grz_io_model has them
    grz_io_up up_axis;
    size_t vertex_count, index_count, face_count, mesh_count, instance_count, note_count;
    size_t vertex_capacity, index_capacity, face_capacity, mesh_capacity, instance_capacity, note_capacity;
} foreign_reader;

// The extension that belongs to a file's first bytes, for formats that an importer knows; NULL where they say nothing.
const char *foreign_signature(const unsigned char *bytes, size_t size);

// Whether it is text in UTF-16 with a byte order mark, which not every importer reads.
bool foreign_is_utf16(const unsigned char *bytes, size_t size);
#define FOREIGN_UTF16_TEXT "text in UTF-16, which Assimp does not read in this format: save it as UTF-8"

// Read through Assimp. `hint`: NULL to read r->path and the files that it refers to; an extension to read r->bytes.
// `unknown` receives whether no importer knows the extension; the result is false then.
bool foreign_read_assimp(foreign_reader *r, const char *hint, bool *unknown);

// Write "PATH: …" to the message. Returns false.
bool foreign_fail(foreign_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool foreign_fail_memory(foreign_reader *r);

// Append to the arrays. The caller has checked the numbers: corners lie below the vertices of their mesh, faces have
// three or more.
bool foreign_add_vertices(foreign_reader *r, const double *positions, size_t count);
bool foreign_add_corners(foreign_reader *r, const uint32_t *indices, size_t count);
bool foreign_add_faces(foreign_reader *r, const uint32_t *corner_counts, size_t count);

// What was added since the last mesh becomes a mesh that instances can show; its corners count from its own first
// vertex.
bool foreign_end_mesh(foreign_reader *r);

// A node shows a mesh. The name is copied, as valid UTF-8 without control characters.
bool foreign_add_instance(foreign_reader *r, uint64_t mesh, const double matrix[3][4], const char *name);

// Add a line for `info`; "1 line element skipped", "2 line elements skipped", nothing for 0.
bool foreign_note(foreign_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool foreign_note_count(foreign_reader *r, uint64_t count, const char *singular, const char *plural);

// Hand the model over, which the reader has no more then. A model without faces is refused: false, with a message.
bool foreign_finish(foreign_reader *r, model *out);

// Free what was received. Returns false.
bool foreign_abandon(foreign_reader *r);

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
    uint64_t skins_ignored, morphs_ignored; // meshes that have them, counted likewise
    uint64_t animations_ignored;
    uint64_t left_out;     // what else has no faces, by the survey (survey.h)
    double unit_in_metres; // 0: none is declared
    uint64_t up_axis;      // a grz_io_up
    uint64_t text_length;  // of the text that follows: the importer's name, or what is wrong
} child_header;

typedef struct child_mesh {
    uint64_t vertex_count, index_count, face_count;
} child_mesh;

typedef struct child_instance {
    uint64_t mesh;
    uint64_t name_length;
    double matrix[3][4];
} child_instance;
// Then follow: the text; for each mesh a child_mesh, its vertex_count × 3 double, its index_count uint32_t, below
// vertex_count, and its face_count uint32_t, each face's number of corners; and for each instance a child_instance and
// its name.

typedef enum child_status {
    CHILD_OK,
    CHILD_FAILED,           // the text says why
    CHILD_UNKNOWN_EXTENSION // no importer for it
} child_status;

enum {
    CHILD_TEXT_LENGTH = 1000 // longest text, and longest name of an instance
};
#define CHILD_MAGIC UINT64_C(0x6772617a652d3033)
#define CHILD_MEMORY_TEXT "the importer needs more than %llu MiB of memory, the most that a file of this size may take"

typedef void child_work(int pipe, const void *context);

// Bytes that an importer may take for a model, whatever the size of its file; and a model once every instance is a mesh
// of its own.
#define IMPORT_MEMORY (UINT64_C(4) << 30)

// Bytes that an importer may take for a file of this size: 512 MiB and 256 times the file, but IMPORT_MEMORY at most.
// Importers unpack what is packed, and keep a corner in some hundred bytes that takes two or three in the file.
static inline uint64_t foreign_memory(uint64_t file_size)
{
    enum {
        FLOOR_MIB = 512,
        BYTES_A_BYTE = 256
    };
    const uint64_t floor = (uint64_t)FLOOR_MIB << 20, room = IMPORT_MEMORY - floor;
    return floor + (file_size < room / BYTES_A_BYTE ? file_size * BYTES_A_BYTE : room);
}

// Take count × size bytes of those that are left. False where they are too few.
static inline bool take_memory(uint64_t *left, uint64_t count, uint64_t size)
{
    if (count > *left / size)
        return false;
    *left -= count * size;
    return true;
}

// Run `work` in a child process that writes the above to the pipe, and receive meshes and instances from it, trusting
// nothing. A crash, a hang, too much memory or a malformed answer is a failure with a message of its own. `unknown`
// receives whether it was CHILD_UNKNOWN_EXTENSION; the result is false then, with a message.
bool foreign_read_child(foreign_reader *r, const child_limits *limits, child_work *work, const void *context,
                        bool *unknown);

// As foreign_read_assimp(), with Assimp's library under another name than the usual one.
bool foreign_read_assimp_from(foreign_reader *r, const char *hint, const char *library, bool *unknown);

#endif
