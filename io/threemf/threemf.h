// SPDX-License-Identifier: MIT
// The 3MF reader: what its files share. format_3mf.c reads in this order: the package and the name of its root model
// (threemf_zip.c, threemf_unpack.c, threemf_package.c, threemf_relations.c), the root model and those that it names
// (threemf_model.c, threemf_elements.c, threemf_attributes.c, threemf_mesh.c, threemf_rows.c, threemf_extensions.c),
// and then what the build shows (threemf_build.c).
// Sources: 3MF Consortium, "3MF Core Specification", version 1.3, "3MF Production Extension", version 1.2, and "3MF
// Slice Extension", version 1.0.2; ECMA-376-2, "Open Packaging Conventions", fifth edition, 2021; PKWARE,
// "APPNOTE.TXT - .ZIP File Format Specification", version 6.3.
#ifndef GRZ_IO_THREEMF_THREEMF_H
#define GRZ_IO_THREEMF_THREEMF_H

#include "reader.h"

#include "scene/scene_fill.h"
#include "xml/xml_events.h"

#define THREEMF_NONE SIZE_MAX // no object, mesh or file
#define THREEMF_CORE "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"

enum {
    THREEMF_PLACE_SIZE = 96 // bytes of a file's name that begins a message, "3D/3dmodel.model: "
};

// A growing run of characters; texts in it are known by where they begin, since it moves.
typedef struct threemf_texts {
    char *bytes;
    size_t size, capacity;
} threemf_texts;

// A file of the package.
typedef struct threemf_file {
    const char *name; // as the archive has it, without a leading slash; what is no character of a name became '?'
    const char *key;  // by which names are compared
    uint64_t size, packed_size; // in bytes, as the archive states them
    uint64_t header;            // where the file's own header is, before its bytes
    uint32_t checksum;
    unsigned method, flags;
    size_t name_length; // in the archive
    bool is_model;      // a model that was read
} threemf_file;

// A text in threemf::texts; no text where `length` is 0.
typedef struct threemf_text {
    size_t at, length;
} threemf_text;

typedef enum threemf_type {
    THREEMF_MODEL,
    THREEMF_SOLIDSUPPORT,
    THREEMF_SUPPORT,
    THREEMF_SURFACE,
    THREEMF_OTHER,
    THREEMF_TYPES
} threemf_type;

typedef struct threemf_object {
    uint64_t id;
    size_t file; // in which model it stands
    uint64_t line;
    threemf_text name, part_number;
    threemf_type type;
    bool is_substitute;  // its mesh stands for another shape
    threemf_text unread; // why it cannot be read, if the build shows it
    uint64_t unread_line;
    size_t mesh;                             // among the reader's meshes; THREEMF_NONE: it has components
    size_t first_component, component_count; // in threemf::references
    // Found while the build is followed:
    bool is_open, is_counted; // its components are being followed; they have been
    bool is_shown;
    uint64_t showings; // of meshes, by it and all below it; no more than THREEMF_MOST_SHOWINGS
    size_t depth;      // of components below it
} threemf_object;

// A component of an object, or an item of the build.
typedef struct threemf_reference {
    uint64_t id;
    size_t file; // in which the object is
    size_t from; // in which this stands
    uint64_t line;
    scene_matrix matrix;
    threemf_text part_number;
    size_t object; // once it is found
} threemf_reference;

typedef struct threemf_references {
    threemf_reference *list;
    size_t count, capacity;
} threemf_references;

// What the notes count.
typedef struct threemf_counts {
    uint64_t doubled_corners; // triangles that name a vertex twice
    uint64_t empty_meshes;
    uint64_t unprintable; // items
    uint64_t shown[THREEMF_TYPES];
    uint64_t sliced;            // objects that have slices as well
    uint64_t alternatives;      // objects that have other shapes as well
    uint64_t child_items;       // of builds in other models than the root
    uint64_t foreign_elements;  // of extensions
    threemf_text first_foreign; // of them
    uint64_t attributes;        // that 3MF does not have
    char first_attribute[40];   // of them
} threemf_counts;

typedef struct threemf {
    reader *r;
    // The package:
    uint64_t directory; // where the archive's directory begins: behind the bytes of all files
    threemf_texts names;
    threemf_file *files; // in order of their keys
    size_t file_count, file_capacity;
    size_t root;          // the root model
    uint64_t model_bytes; // of all models, unpacked, as the archive states it
    uint64_t unpacked;    // bytes so far
    // The models:
    threemf_texts texts;
    threemf_object *objects;
    size_t object_count, object_capacity;
    threemf_references components, items;
    uint64_t most_elements; // objects, components and items together
    threemf_counts counts;
    double unit_in_metres; // of the root
} threemf;

// Whether the models may have one more object, component or item: a small file can name millions of them.
bool grz_io_threemf_count_element(threemf *t);

// Make room for one more element. False, with the reason, without memory.
bool grz_io_threemf_grow(threemf *t, void **array, size_t *capacity, size_t count, size_t element_size);

// Add characters to a run of texts, and a NUL; *at is where they begin.
bool grz_io_threemf_add_text(threemf *t, threemf_texts *to, const char *text, size_t length, size_t *at);

// threemf_zip.c: list the files of the archive.
bool grz_io_threemf_list_files(threemf *t);

// Little-endian numbers.
static inline unsigned threemf_get_2(const unsigned char *p)
{
    return p[0] | (unsigned)p[1] << 8;
}

static inline uint32_t threemf_get_4(const unsigned char *p)
{
    return threemf_get_2(p) | (uint32_t)threemf_get_2(p + 2) << 16;
}

static inline uint64_t threemf_get_8(const unsigned char *p)
{
    return threemf_get_4(p) | (uint64_t)threemf_get_4(p + 4) << 32;
}

// threemf_unpack.c: unpack a file, piece by piece, to its end. `take` gets each piece; false ends the reading.
typedef bool (*threemf_take)(void *user, const unsigned char *bytes, size_t size, bool last);
bool grz_io_threemf_unpack(threemf *t, size_t file, threemf_take take, void *user);

// threemf_package.c: names of files.
bool grz_io_threemf_sort_files(threemf *t);
// Which file a path names, from the root of the package; THREEMF_NONE: none. False, with the reason, where several have
// the name.
bool grz_io_threemf_find_file(threemf *t, const char *path, size_t *file);
// What messages about a file begin with: "3D/3dmodel.model: ". Returns `place`.
const char *grz_io_threemf_place(const threemf *t, size_t file, char place[THREEMF_PLACE_SIZE]);
// Report that a file of the package is damaged: "3D/3dmodel.model: …"; with a line, from 1, "…: line 3: …"; 0: none.
bool grz_io_threemf_fail(threemf *t, size_t file, uint64_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// threemf_relations.c: threemf::root.
bool grz_io_threemf_find_root(threemf *t);

// threemf_model.c
bool grz_io_threemf_read_model(threemf *t, size_t file);

// threemf_build.c: fill the model with what the items of the build show.
bool grz_io_threemf_show(threemf *t);

#endif
