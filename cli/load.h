// SPDX-License-Identifier: MIT
// From a file's name to a mesh: reads it (model.h), hands the doubles to the library, and keeps what the reports say of
// the file. Ctrl-C ends the reading with a failure; the command then cleans up as after any other.
#ifndef GRZ_CLI_LOAD_H
#define GRZ_CLI_LOAD_H

#include "file_facts.h"
#include "progress.h"

#include <graze/graze.h>

// A mesh and the file that it came from.
typedef struct loaded_mesh {
    const char *file; // as the command line has it, borrowed
    grz_mesh *mesh;
    grz_mesh_report report; // filled by load_check(), or in part by load_counts()
    bool soup;              // no two faces share a vertex by index, as in STL
    uint64_t faces_hash;    // load_faces_hash() of its model
    const char *format;     // that libgraze_io read; static text; NULL: another reader
    file_facts facts;
} loaded_mesh;

enum {
    LOAD_MESSAGE_SIZE = MODEL_MESSAGE_SIZE + 512
};

// How files are to be read.
typedef struct load_wish {
    const char *format; // of --format; NULL without
    double unit;        // of --unit, in metres: convert to it, as model_read_as() does; 0: keep that of the file
} load_wish;

// Read a file ("-": standard input) and make a mesh of all its faces. `wish` may be NULL. `bar` shows how much has been
// read; it may be NULL. On failure returns false, leaves `out` empty, and `message` holds one line that begins with the
// file's name.
bool load_mesh(grz_device *device, const char *file, const load_wish *wish, progress *bar, loaded_mesh *out,
               char message[LOAD_MESSAGE_SIZE]);

// Load several files, at once where the device has threads and the formats are libgraze_io's. Fails as load_mesh() does
// for the first of the files that cannot be loaded; all of `out` is empty then.
bool load_meshes(grz_device *device, char *const *files, size_t count, const load_wish *wish, progress *bar,
                 loaded_mesh *out, char message[LOAD_MESSAGE_SIZE]);

// How the tool reads a file: as `format`, where that is not NULL; `bar`, which may be NULL, shows how much has been
// read, and Ctrl-C ends it.
grz_io_options load_options(const char *format, progress *bar);

// What a model without instances is to the library. Borrows the model's arrays.
grz_mesh_description load_describe(const model *m);

// A hash of a model's faces: which vertices each has, in order.
uint64_t load_faces_hash(const model *m);

// Examine the mesh: fills out->report. Fails like load_mesh().
bool load_check(loaded_mesh *loaded, char message[LOAD_MESSAGE_SIZE]);

// Find what a query tells of each mesh: only report.vertices, faces, triangles and closed are filled. At once where the
// device has threads. Fails like load_mesh().
bool load_counts(grz_device *device, loaded_mesh *loaded, size_t count, char message[LOAD_MESSAGE_SIZE]);

// Free; an empty one is accepted.
void load_finish(loaded_mesh *loaded);

#endif
