// SPDX-License-Identifier: MIT
// The COLLADA reader: what its files share. format_collada.c reads in this order: the document as a tree (xml/), the
// table of ids (collada_ids.c), unit and axis (collada_asset.c), then the nodes of the visual scene (collada_scene.c),
// which have meshes read (collada_mesh.c, collada_faces.c, collada_source.c) and controllers evaluated
// (collada_controller.c, collada_skin.c). scene/ makes the model of that.
// Source: Khronos Group and Sony, "COLLADA – Digital Asset Schema Release 1.4.1", 2008, and "… 1.5.0", 2008.
#ifndef GRZ_IO_COLLADA_COLLADA_H
#define GRZ_IO_COLLADA_COLLADA_H

#include "reader.h"
#include "scene/scene_fill.h"
#include "xml/xml_tree.h"

#define COLLADA_NONE UINT64_MAX

enum {
    COLLADA_NAME_SIZE = 1001, // of a name in an array, with its NUL
    COLLADA_WORK_A_CHILD = 8  // looking at an element costs as much as reading so many bytes
};

// What others refer to by an id.
typedef enum collada_kind {
    COLLADA_GEOMETRY,
    COLLADA_NODE,
    COLLADA_VISUAL_SCENE,
    COLLADA_CONTROLLER,
    COLLADA_SOURCE,
    COLLADA_VERTICES,
    COLLADA_FLOAT_ARRAY,
    COLLADA_OTHER_ARRAY, // of integers, names, truth values
    COLLADA_KINDS
} collada_kind;

// An element with an id, or one without that may be the scene's. The table is sorted by kind and id.
typedef struct collada_id {
    const char *id;
    const xml_element *element;
    collada_kind kind;
    bool repeated;   // another element of this kind has the same id
    bool open;       // a node that is being walked through an instance_node
    uint64_t mesh;   // of a geometry: among the model's meshes; COLLADA_NONE: not read yet
    double *numbers; // of an array: NULL: not read yet
    uint64_t number_count;
} collada_id;

// A node on the way from the scene to where the walk is.
typedef struct collada_frame {
    const xml_element *node, *next; // `next`: the child to be looked at next
    const char *name;               // its own, or of the nearest node around it that has one; NULL: none
    scene_matrix world;
    collada_id *opened; // of an instance_node
} collada_frame;

typedef struct collada {
    reader *r;
    xml_tree tree;
    collada_id *ids;
    size_t id_count;
    const xml_element *scene;
    collada_frame *stack;
    size_t depth, stack_room;
    scene_showings showings;
    char **names; // those that are no element's
    size_t name_count, name_room;
    uint64_t lines, short_faces, geometries, skinned, morphed; // for the notes
    uint64_t work, next_look;                                  // bytes and elements looked at
} collada;

// ---- collada_fail.c

// Report that the file is damaged: "line 12: geometry "lid": polylist: …". The element `at`, where it has no id itself,
// comes behind the nearest around it that has. Returns false.
bool grz_io_collada_fail(collada *c, const xml_element *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// A text of the file for a message: in quotes.
const char *grz_io_collada_quote(const char *text, char buffer[SCAN_QUOTE_SIZE]);

// An element's name, else its id; NULL where it has neither.
const char *grz_io_collada_name(const xml_element *of);

// So much more was looked at, in bytes. False, with the reason, where the call is to end, or where a small file makes
// more work than a large one could.
bool grz_io_collada_work(collada *c, const xml_element *at, uint64_t bytes);

// An array of zeros under the control; NULL, with the reason, without memory. At least one byte is taken.
void *grz_io_collada_allocate(collada *c, uint64_t count, size_t element_size);
void grz_io_collada_release(collada *c, void *block, uint64_t count, size_t element_size);

// ---- collada_ids.c

bool grz_io_collada_index(collada *c);

// The next element of the document, those within an <extra>, a <technique> or another namespace left out; NULL at the
// end.
const xml_element *grz_io_collada_following(const xml_element *e);

// The element that "#id" names, which is an attribute or the text of `at`. NULL, with the reason, where there is none.
collada_id *grz_io_collada_find(collada *c, const xml_element *at, const char *url, collada_kind kind);

// The same, without a failure where no element of this kind has the id. `found` may be NULL then.
bool grz_io_collada_try(collada *c, const xml_element *at, const char *url, collada_kind kind, collada_id **found);

// The same for an id by itself.
bool grz_io_collada_try_id(collada *c, const xml_element *at, const char *id, collada_kind kind, collada_id **found);

const char *grz_io_collada_kind_name(collada_kind kind);

// ---- collada_numbers.c

// An attribute that is a whole number of at most 2^53; `fallback` where there is none. COLLADA_NONE: it has to be
// there.
bool grz_io_collada_count(collada *c, const xml_element *of, const char *name, uint64_t fallback, uint64_t *out);

// The text of an element as exactly `count` finite numbers.
bool grz_io_collada_numbers(collada *c, const xml_element *of, double *out, uint64_t count);

// The numbers of a float_array, read once. Those that are not finite are so in the array.
bool grz_io_collada_array(collada *c, collada_id *array);

// A text as a cursor.
text_scan grz_io_collada_scan(const xml_element *of);

// Take the next whole number, the `place`-th. *ended: there is none.
bool grz_io_collada_take(collada *c, const xml_element *of, text_scan *s, uint64_t place, int64_t *value, bool *ended);

// ---- collada_source.c

// A source whose counts were checked against its array.
typedef struct collada_source {
    const xml_element *accessor;
    const double *numbers; // of the first element; NULL where the array has no numbers
    uint64_t count, stride;
} collada_source;

// The source that an input names: `values` numbers an element. Where there are three, those named X, Y and Z become
// `order`: where each is in an element.
bool grz_io_collada_source(collada *c, const xml_element *input, uint64_t values, unsigned order[3],
                           collada_source *out);

// A source of names: its accessor's count was checked against the names of its Name_array or IDREF_array.
typedef struct collada_names {
    const xml_element *array;
    bool are_ids;
    uint64_t count;
} collada_names;

bool grz_io_collada_name_source(collada *c, const xml_element *input, collada_names *out);

// Take the next name of the array at the cursor.
bool grz_io_collada_take_name(collada *c, const collada_names *names, text_scan *s, char out[COLLADA_NAME_SIZE]);

// The one input with this semantic; *input is NULL where there is none.
bool grz_io_collada_input(collada *c, const xml_element *of, const char *semantic, const xml_element **input);

// Add the positions of a source as vertices.
bool grz_io_collada_add_positions(collada *c, const collada_source *s, const unsigned order[3]);

// ---- collada_mesh.c

// Read a geometry's mesh, once: geometry->mesh.
bool grz_io_collada_read_geometry(collada *c, collada_id *geometry);

// Whether so many more vertices, corners and faces are within what a file of this size may make.
bool grz_io_collada_has_room(collada *c, const xml_element *at, uint64_t vertices, uint64_t corners, uint64_t faces);

// ---- collada_faces.c

// Add the faces of a primitive element of a mesh with these vertices; *known is false where it is none.
bool grz_io_collada_add_faces(collada *c, const xml_element *element, const xml_element *vertices,
                              uint64_t vertex_count, bool *known);

// ---- collada_transform.c

// The product of a node's transforms.
bool grz_io_collada_local_matrix(collada *c, const xml_element *node, scene_matrix *out);

// ---- collada_asset.c

// Unit and up axis.
bool grz_io_collada_read_asset(collada *c);

// Whether an element, or a library around it, has no asset of its own with another unit or up axis.
bool grz_io_collada_check_asset(collada *c, const xml_element *of);

// ---- collada_scene.c

// Choose the visual scene and note what is shown.
bool grz_io_collada_walk(collada *c);

// ---- collada_controller.c

// The mesh of a controller shown by `instance`: *mesh among the model's meshes. *placed: it is in the scene already.
bool grz_io_collada_read_controller(collada *c, const xml_element *instance, collada_id *controller, uint64_t *mesh,
                                    bool *placed);

// ---- collada_morph.c

// Read the mesh that a morph makes at its weights, once: controller->mesh.
bool grz_io_collada_read_morph(collada *c, collada_id *controller, const xml_element *morph);

// Begin a mesh with the vertices and faces of another, turned over if `mirrored`.
bool grz_io_collada_copy_mesh(collada *c, const xml_element *at, uint64_t from, bool mirrored);

// ---- collada_skin.c

// Make a mesh of mesh `from`, placed by the joints of a skin that `instance` shows.
bool grz_io_collada_read_skin(collada *c, const xml_element *instance, const xml_element *skin, uint64_t from);

// ---- collada_joints.c

// The matrices of the joints that these names mean, from their nodes to the scene. `out` has room for all.
bool grz_io_collada_read_joints(collada *c, const xml_element *instance, const collada_names *names, scene_matrix *out);

#endif
