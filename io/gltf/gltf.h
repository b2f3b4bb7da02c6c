// SPDX-License-Identifier: MIT
// The glTF reader: what its files share. format_gltf.c reads in this order: the container and the JSON (gltf_json.c),
// extensions, nodes and scene (gltf_nodes.c), the meshes that the scene shows (gltf_mesh.c), and then fills the model
// (gltf_emit.c). Numbers in buffers are read through accessors (gltf_accessor.c, gltf_buffer.c).
// Source: Khronos Group, "glTF 2.0 Specification", version 2.0.1, 2021.
#ifndef GRZ_IO_GLTF_GLTF_H
#define GRZ_IO_GLTF_GLTF_H

#include "reader.h"

#include "scene/scene_matrix.h"

#include "file.h"

#include <jansson.h>

#define GLTF_NONE UINT64_MAX // an index that the file does not give

enum {
    GLTF_MOST_JOINT_SETS = 16, // JOINTS_0 to JOINTS_15
    GLTF_MOST_ZEROS = 1 << 20, // elements of an accessor that no buffer backs
    GLTF_WHERE_SIZE = 96,      // bytes of a place in the file, "meshes[2].primitives[0]"
    GLTF_BYTE = 5120,          // componentType, here and below
    GLTF_UNSIGNED_BYTE = 5121,
    GLTF_SHORT = 5122,
    GLTF_UNSIGNED_SHORT = 5123,
    GLTF_UNSIGNED_INT = 5125,
    GLTF_FLOAT = 5126
};

// Sets of component types, for grz_io_gltf_require(): the bit is the componentType less 5120.
enum {
    GLTF_IS_BYTE = 1 << 0,
    GLTF_IS_UNSIGNED_BYTE = 1 << 1,
    GLTF_IS_SHORT = 1 << 2,
    GLTF_IS_UNSIGNED_SHORT = 1 << 3,
    GLTF_IS_UNSIGNED_INT = 1 << 5,
    GLTF_IS_FLOAT = 1 << 6
};

// An accessor whose counts were checked against its buffers. Its data is borrowed from the file.
typedef struct gltf_accessor {
    uint64_t index;            // which of the file's accessors
    const unsigned char *data; // the first element; NULL: all are zeros
    uint64_t count, stride;
    unsigned components, component_type, component_size;
    bool normalized;
    uint64_t sparse_count; // elements that have other values
    const unsigned char *sparse_indices, *sparse_values;
    unsigned sparse_index_type;
} gltf_accessor;

typedef struct gltf_node {
    const json_t *json;
    uint64_t parent; // GLTF_NONE: a root
    uint64_t mesh, skin;
    scene_matrix world; // in the node's scene
    bool placed;        // the world matrix is known
    bool shown;         // the scene holds it
} gltf_node;

// What of a mesh's primitive becomes faces.
typedef struct gltf_primitive {
    const json_t *json;
    size_t number; // among all of the mesh's primitives
    gltf_accessor positions, indices;
    bool has_indices;
    bool shares_positions; // its vertices are those of the primitive before
    unsigned mode;
    uint64_t corner_count; // in the file; of a strip less than three for each face
    uint64_t face_count;
} gltf_primitive;

// A mesh that the scene shows.
typedef struct gltf_mesh {
    const json_t *json;
    gltf_primitive *primitives; // those with triangles
    size_t primitive_count, primitive_room;
    uint64_t vertex_count, face_count, target_count;
    uint64_t model_meshes[2]; // its number among the model's meshes, plain and mirrored; GLTF_NONE: not made
    bool read;
} gltf_mesh;

// The matrices of a skin's joints: from the mesh to the scene.
typedef struct gltf_skin {
    scene_matrix *joints;
    uint64_t joint_count;
    bool mirrors; // every joint does
    bool read;
} gltf_skin;

typedef struct gltf_buffer {
    const unsigned char *bytes;
    uint64_t size; // as the file states it
    bool loaded;
    file_bytes file;        // of a file beside this one
    unsigned char *decoded; // of a data URI
    size_t decoded_room;
} gltf_buffer;

typedef struct gltf {
    reader *r;
    json_t *root;
    const unsigned char *json, *chunk; // the JSON text, and the GLB's binary chunk; NULL: none
    size_t json_size, chunk_size;
    bool quantized;              // KHR_mesh_quantization is declared
    char where[GLTF_WHERE_SIZE]; // the element being read, which begins each message
    gltf_buffer *buffers;
    gltf_node *nodes;
    uint64_t *shown; // the nodes of the scene that show a mesh, depth first
    gltf_mesh *meshes;
    gltf_skin *skins;
    size_t buffer_count, node_count, shown_count, mesh_count, skin_count;
    uint64_t points, lines, without_positions, nodes_left_out, morphed, skinned; // for the notes
    uint64_t work, work_done, next_look;                                         // elements to decode, for progress
    uint64_t buffer_bytes;                                                       // of all buffers that were used
    uint64_t morph_bytes; // of all displacements that were added, as often as they were
} gltf;

// Report that the file is damaged, "PLACE: …", where PLACE is g->where. Returns false.
bool grz_io_gltf_fail(gltf *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Set g->where.
void grz_io_gltf_at(gltf *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

// `elements` more were decoded: progress, and whether the call goes on.
bool grz_io_gltf_goes_on(gltf *g, uint64_t elements);

// An array of zeros under the control; NULL, with the reason, without memory. At least one byte is taken.
void *grz_io_gltf_allocate(gltf *g, uint64_t count, size_t element_size);
void grz_io_gltf_release(gltf *g, void *block, uint64_t count, size_t element_size);

// gltf_json.c: the container and the JSON text, and values of objects. Where a value is not as the format wants it, the
// functions fail with the name of the member.
bool grz_io_gltf_open(gltf *g);
// An array of the root; *array is NULL where the file has none.
bool grz_io_gltf_array(gltf *g, const json_t *object, const char *key, const json_t **array);
// The object root[array][index].
bool grz_io_gltf_element(gltf *g, const char *array, uint64_t index, const json_t **element);
bool grz_io_gltf_object(gltf *g, const json_t *object, const char *key, const json_t **member);
// A whole number of at most 2^53; `fallback` where there is none.
bool grz_io_gltf_count(gltf *g, const json_t *object, const char *key, uint64_t fallback, uint64_t *out);
// An element of an array as a whole number.
bool grz_io_gltf_whole(gltf *g, const json_t *value, const char *what, uint64_t *out);
// Exactly `count` numbers; *given is false, and out unchanged, where there is no such member.
bool grz_io_gltf_numbers(gltf *g, const json_t *object, const char *key, size_t count, double *out, bool *given);
// A member's text; NULL where it is none.
const char *grz_io_gltf_text(const json_t *object, const char *key);
// A text for a message: in quotes.
const char *grz_io_gltf_quote(const char *text, char buffer[SCAN_QUOTE_SIZE]);

// gltf_extensions.c: refuse required extensions that are not understood, and note what is ignored.
bool grz_io_gltf_check_extensions(gltf *g);

// gltf_buffer.c: bytes [offset, offset + size) of a buffer view.
bool grz_io_gltf_view(gltf *g, uint64_t view, const unsigned char **bytes, uint64_t *size, uint64_t *stride);
void grz_io_gltf_release_buffers(gltf *g);
// base64 of `length` characters; *bytes is a block of `room` bytes, which the caller releases.
bool grz_io_gltf_decode_base64(gltf *g, const char *text, size_t length, unsigned char **bytes, size_t *size,
                               size_t *room);

// gltf_accessor.c
bool grz_io_gltf_accessor(gltf *g, uint64_t index, gltf_accessor *out);
// Whether it has so many components of one of these types. `what`: "POSITION".
bool grz_io_gltf_require(gltf *g, const gltf_accessor *a, const char *what, unsigned components, unsigned types);
// All elements as doubles: count × components numbers; integers divided by their range where they are normalized.
bool grz_io_gltf_read(gltf *g, const gltf_accessor *a, double *out);
// The same as a new array, to be released with count × components elements of a double.
double *grz_io_gltf_read_new(gltf *g, const gltf_accessor *a);
// Whole numbers [first, first + count) of an accessor that is not sparse.
void grz_io_gltf_read_whole(const gltf_accessor *a, uint64_t first, uint64_t count, uint32_t *out);

// gltf_nodes.c
bool grz_io_gltf_read_nodes(gltf *g);
bool grz_io_gltf_choose_scene(gltf *g);

// gltf_mesh.c: read a mesh's primitives, once.
bool grz_io_gltf_read_mesh(gltf *g, uint64_t index);

// gltf_faces.c: check the corners and add the faces of a primitive, whose vertices begin at `first_vertex`.
bool grz_io_gltf_add_faces(gltf *g, const gltf_primitive *p, uint32_t first_vertex, bool mirrored);

// gltf_skin.c: where the joints put the vertices of a skinned primitive.
// Read a skin, once: g->skins[index].
bool grz_io_gltf_read_skin(gltf *g, uint64_t index);
bool grz_io_gltf_skin_points(gltf *g, const gltf_skin *skin, const gltf_primitive *p, double *points);

// gltf_instances.c: EXT_mesh_gpu_instancing: matrices from the node's children to the node.
// *matrices is NULL where the node has no such extension; otherwise `count` of them, which the caller releases.
bool grz_io_gltf_read_instances(gltf *g, const gltf_node *node, scene_matrix **matrices, uint64_t *count);

// gltf_morph.c: the default weights, which are the node's or else the mesh's; NULL where there are none. Add the
// targets of a primitive by them.
bool grz_io_gltf_find_weights(gltf *g, const gltf_node *node, const gltf_mesh *mesh, const json_t **weights);
bool grz_io_gltf_morph(gltf *g, const gltf_primitive *p, const json_t *weights, double *points);

// gltf_emit.c: fill the model with what the scene shows.
bool grz_io_gltf_emit(gltf *g);

#endif
