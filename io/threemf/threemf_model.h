// SPDX-License-Identifier: MIT
// A model file of the package while it is read: what the files that know its elements share.
#ifndef GRZ_IO_THREEMF_THREEMF_MODEL_H
#define GRZ_IO_THREEMF_THREEMF_MODEL_H

#include "threemf/threemf.h"

// In which element the reading stands.
typedef enum threemf_inside {
    INSIDE_NOTHING,
    INSIDE_MODEL,
    INSIDE_RESOURCES,
    INSIDE_OBJECT,
    INSIDE_MESH,
    INSIDE_VERTICES,
    INSIDE_TRIANGLES,
    INSIDE_COMPONENTS,
    INSIDE_BUILD,
    INSIDE_ITEM,
    INSIDE_LEAF_OF_VERTICES, // a vertex, and so on: what they hold is not ours
    INSIDE_LEAF_OF_TRIANGLES,
    INSIDE_LEAF_OF_COMPONENTS
} threemf_inside;

#define THREEMF_COMPATIBILITY "http://schemas.openxmlformats.org/markup-compatibility/2006"

typedef struct threemf_model {
    threemf *t;
    xml_stream *x;
    size_t file;
    bool is_root;
    threemf_inside inside;
    size_t skipping;        // so many elements deep in one that is not read
    threemf_texts prefixes; // prefix NUL address NUL …, those of the element model
    size_t prefix_count;
    bool has_resources, has_build;
    // Of the object being read:
    bool has_vertices, has_triangles;
    uint64_t mesh_first, vertex_count, triangle_count;
} threemf_model;

// Attributes: name, value, name, value, …, NULL. Each function fails with the line being read.

// The object being read; the last of threemf::objects.
static inline threemf_object *threemf_current_object(const threemf_model *m)
{
    return &m->t->objects[m->t->object_count - 1];
}

// threemf_values.c
// Fail at the line being read: "3D/3dmodel.model: line 3: object 5: …". Returns false.
bool grz_io_threemf_fail_object(threemf_model *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Report a number that could not be taken. `of`: "transform". Returns false.
bool grz_io_threemf_fail_number(threemf_model *m, text_token token, scan_result result, const char *of);
// The next number of a text; false, with the reason, where there is none.
bool grz_io_threemf_read_number(threemf_model *m, text_scan *s, const char *of, double *out);
// A whole number without a sign, of at most 10^18, white space around it.
bool grz_io_threemf_take_whole(const char *text, uint64_t *out);

// threemf_rows.c: bytes of the model, to be read or to be handed to the XML reader.
bool grz_io_threemf_feed_model(threemf_model *m, const unsigned char *bytes, size_t size, bool last);

// strtod takes hexadecimal numbers, which XML has not.
static inline bool threemf_is_hexadecimal(const unsigned char *p, const unsigned char *end)
{
    p += p < end && (*p == '-' || *p == '+');
    return end - p >= 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
}

// threemf_mesh.c
// Whether all three are vertices of the mesh being read.
bool grz_io_threemf_are_corners(const threemf_model *m, const uint32_t corners[3]);
bool grz_io_threemf_add_triangle(threemf_model *m, const uint32_t corners[3]);
bool grz_io_threemf_begin_mesh(threemf_model *m, const char **attributes);
bool grz_io_threemf_begin_vertices(threemf_model *m, const char **attributes);
bool grz_io_threemf_begin_triangles(threemf_model *m, const char **attributes);
bool grz_io_threemf_read_vertex(threemf_model *m, const char **attributes);
bool grz_io_threemf_read_triangle(threemf_model *m, const char **attributes);
bool grz_io_threemf_end_mesh(threemf_model *m);

// threemf_elements.c
bool grz_io_threemf_begin_object(threemf_model *m, const char **attributes);
bool grz_io_threemf_end_object(threemf_model *m);
bool grz_io_threemf_begin_components(threemf_model *m, const char **attributes);
bool grz_io_threemf_read_component(threemf_model *m, const char **attributes);
bool grz_io_threemf_read_item(threemf_model *m, const char **attributes);

// threemf_attributes.c
// Refuse an attribute of an element that is almost one of the first `vital` names in `known`, which are separated by
// blanks, and count others that are none of them. Attributes of extensions are let through.
bool grz_io_threemf_check_attributes(threemf_model *m, const char *element, const char *known, int vital,
                                     const char **attributes);
// Count an attribute that 3MF does not have; not those of extensions.
void grz_io_threemf_count_attribute(threemf_model *m, const char *name);

// threemf_extensions.c
bool grz_io_threemf_add_prefix(threemf_model *m, const char *prefix, const char *address);
bool grz_io_threemf_check_extensions(threemf_model *m, const char **attributes); // of the element model
// A list of prefixes, as in the attribute MustUnderstand.
bool grz_io_threemf_check_must_understand(threemf_model *m, const char *list);
// An element of another namespace.
bool grz_io_threemf_meet_foreign(threemf_model *m, const char *name);

#endif
