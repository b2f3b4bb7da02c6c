// SPDX-License-Identifier: MIT
// What the tool reads from a file: vertices, faces, named parts, nodes that share meshes, and notes on what was
// skipped. The formats of libgraze_io are read by that library; all others by Assimp in a child process, where the tool
// was built with it (foreign/foreign.h).
#ifndef GRZ_CLI_MODEL_H
#define GRZ_CLI_MODEL_H

#include <graze/io.h>

// A mesh that nodes share: a run of the model's vertices, of its corners, which count from `first_vertex`, and of its
// faces.
typedef struct model_mesh {
    uint64_t first_vertex, vertex_count;
    uint64_t first_index, index_count;
    uint64_t first_face, face_count; // 0 where it has points or lines only
} model_mesh;

// A node that shows a mesh.
typedef struct model_instance {
    char *name;          // as a part's; the mesh's where the node has none, "" where neither has one
    uint64_t mesh;       // which of the model's meshes
    double matrix[3][4]; // from mesh to world: the product of the node's ancestors' matrices and its own, in double
} model_instance;

typedef struct model {
    const double *positions; // vertex_count × 3, bit for bit what the file holds (strtod's double for text)
    uint64_t vertex_count;
    const uint32_t *
        indices; // index_count corners, face after face, all below vertex_count, or their mesh's where there are meshes
    uint64_t index_count;
    const uint32_t *corner_counts; // face_count numbers, each at least 3; NULL where every face has three
    uint64_t face_count;
    const grz_io_part *parts; // in file order; none where the file names none
    size_t part_count;
    model_mesh *meshes; // only after model_read_instances() of a file with nodes; there are no parts then
    size_t mesh_count;
    model_instance *instances; // depth first, in the order of the file; none where there are no meshes
    size_t instance_count;
    const char *const *notes; // what `info` lists under problems: "3 line elements skipped", "positions are float32", …
    size_t note_count;
    uint64_t bytes_read;  // the size of the file
    double declared_unit; // the unit that the file declares, in metres; 0: none
    double
        unit_in_metres; // as grz_io_model has them, after a conversion that of the numbers: 0 and GRZ_IO_UP_UNKNOWN where it is not told
    grz_io_up up_axis;
    grz_io_model *file; // whose the arrays are, where libgraze_io read them; NULL: they are this model's, by malloc
} model;

enum {
    MODEL_MESSAGE_SIZE = 800 // a reason of libgraze_io, and the end of a path
};

// Read a file of any supported format; "-" is standard input, from where it stands. The first bytes tell the format
// where they are a signature, the extension otherwise; text without an extension that is no other format is taken for
// OBJ.
//
// `options`: cancelling, deadline, progress and format of libgraze_io; NULL: none of them. With a format, Assimp is not
// asked. A child process has limits of its own.
//
// On failure returns false, leaves `out` empty, and `message` holds one line "PATH: line 12: what is wrong", "PATH:
// byte 1234: …" or "PATH: …" where no place can be named. A file without a face is a failure. Otherwise as
// grz_io_load_file().
//
// Call it before starting threads: some formats fork.
bool model_read(const char *path, const grz_io_options *options, model *out, char message[MODEL_MESSAGE_SIZE]);

// As model_read(), but a file with nodes keeps each mesh once, in its own coordinates, and says where it is shown.
// Every mesh is shown somewhere, the first time in the order of the meshes.
bool model_read_instances(const char *path, const grz_io_options *options, model *out,
                          char message[MODEL_MESSAGE_SIZE]);

// As model_read(), safe on several threads at once: starts no process. Where the format needs one, returns false
// without a message, and `needs_child` is true.
bool model_read_childless(const char *path, const grz_io_options *options, model *out, char message[MODEL_MESSAGE_SIZE],
                          bool *needs_child);

// As model_read_instances(), from memory; `path` gives the extension and goes into messages. Formats that need Assimp
// are read from `path` itself if is_file, from the bytes otherwise.
bool model_read_memory(const char *path, bool is_file, const unsigned char *bytes, size_t size, model *out,
                       char message[MODEL_MESSAGE_SIZE]);

// How a file is to be read.
typedef struct model_wish {
    const grz_io_options *options; // may be NULL
    double unit;                   // convert to this one, in metres; 0: keep that of the file
    bool childless;                // start no process, and be safe on several threads at once
} model_wish;

// As model_read(), and as model_read_childless() where that is wished, which sets `needs_child`; else it may be NULL. A
// file that declares a unit is converted to the one wished before its meshes are put at their places, as
// grz_io_convert_lengths() does it; one that declares none counts as being in it.
bool model_read_as(const char *path, const model_wish *wish, model *out, char message[MODEL_MESSAGE_SIZE],
                   bool *needs_child);

// Convert what was read to a unit: positions, and translations of instances. False with a message; positions may be
// converted then already.
bool model_convert(model *m, double unit, const char *path, char message[MODEL_MESSAGE_SIZE]);

// Make of the instances what model_read() gives: one mesh in world coordinates, with a part for every instance that has
// faces. A position becomes m0·x + m1·y + m2·z + t a row, rounded after every operation in that order
// (docs/reference/numbers.md); an identity matrix leaves it as it is, the sign of a zero included. A model without
// instances stays as it is. Where memory is short, or the mesh would be larger than an importer may make one, returns
// false with a message that begins with the path; `m` is unchanged.
bool model_flatten(model *m, const char *path, char message[MODEL_MESSAGE_SIZE]);

// Write "PATH: …" to the message; of a long path the end. Returns false, for `return model_fail(…)`.
bool model_fail(char message[MODEL_MESSAGE_SIZE], const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Frees what a model holds; an empty model is accepted.
void model_finish(model *m);

#endif
