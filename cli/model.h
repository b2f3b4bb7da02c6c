// SPDX-License-Identifier: MIT
// What is read from a file: vertices, faces, named parts, nodes that share meshes, and what was skipped. The tool's readers fill
// it; the library never sees it. OBJ, STL, PLY and OFF are read strictly by the tool itself; everything else by Assimp in a child
// process, where it is in the build.
#ifndef GRZ_CLI_MODEL_H
#define GRZ_CLI_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A run of faces that the file keeps apart: an OBJ `o` or `g`, an STL `solid`, a node's instance of a mesh. Names are unescaped
// UTF-8 (bytes that are not, and control characters, became U+FFFD), at most 1,000 bytes long, and may repeat. No part is empty;
// where there are any, they cover all faces in order.
typedef struct model_part {
    char *name;
    uint64_t first_face, face_count;
} model_part;

// A mesh that nodes share: a run of the model's vertices, of its corners, which count from `first_vertex`, and of its faces.
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
    double *positions; // vertex_count × 3, bit for bit what the file holds (strtod's double for text)
    uint64_t vertex_count;
    uint32_t *indices; // index_count corners, face after face, all below vertex_count, or their mesh's where there are meshes
    uint64_t index_count;
    uint32_t *corner_counts; // face_count numbers, each at least 3; NULL where every face has three
    uint64_t face_count;
    model_part *parts; // in file order; none where the file names none
    size_t part_count;
    model_mesh *meshes; // only after model_read_instances() of a file with nodes; there are no parts then
    size_t mesh_count;
    model_instance *instances; // depth first, in the order of the file; none where there are no meshes
    size_t instance_count;
    char **notes; // what `info` lists under problems: "3 line elements skipped", "positions are float32", …
    size_t note_count;
    uint64_t file_bytes;
} model;

enum {
    MODEL_MESSAGE_SIZE = 512
};

// Read a file of any supported format; the format is told by the first bytes where they tell it, by the extension otherwise.
// Regular files and pipes can be read; "-" is standard input, from where it stands. A text without an extension that is no other
// format is taken for OBJ.
//
// On failure returns false, leaves `out` empty, and `message` holds one line "PATH: line 12: what is wrong", "PATH: byte 1234:
// …" or "PATH: …" where no place can be named. A file without a face is a failure. Text coordinates that are not finite are
// refused here; binary ones are left to the library, which names the vertex.
//
// A file that was cut is refused, unless what is left is a complete file: OBJ text cut at the end of a line, say, or within its
// last number (`f 1 2 34` cut to `f 1 2 3`), which nothing in the format can tell.
//
// Reads no setting of the process's locale. Call it before starting threads: some formats fork.
bool model_read(const char *path, model *out, char message[MODEL_MESSAGE_SIZE]);

// As model_read(), but a file with nodes keeps each mesh once, in its own coordinates, and says where it is shown. Every mesh is
// shown somewhere, the first time in the order of the meshes.
bool model_read_instances(const char *path, model *out, char message[MODEL_MESSAGE_SIZE]);

// As model_read(), safe on several threads at once: starts no process. Where the format needs one, returns false without a message,
// and `needs_child` is true.
bool model_read_childless(const char *path, model *out, char message[MODEL_MESSAGE_SIZE], bool *needs_child);

// Make of the instances what model_read() gives: one mesh in world coordinates, with a part for every instance that has faces.
// A position becomes m0·x + m1·y + m2·z + t a row, rounded after every operation in that order (docs/numbers.md); an identity
// matrix leaves it as it is, the sign of a zero included. A model without instances stays as it is. Where memory is short, or the
// mesh would be larger than an importer may make one, returns false with a message that begins with the path; `m` is unchanged.
bool model_flatten(model *m, const char *path, char message[MODEL_MESSAGE_SIZE]);

// Frees what a model holds; an empty model is accepted.
void model_finish(model *m);

#endif
