// SPDX-License-Identifier: MIT
// Objects, their components, and items of the build.
// Source: 3MF Core Specification, 3.3, 3.4.3 and 4; 3MF Production Extension, 3; 3MF Slice Extension, 2.1.
#include "threemf/threemf_model.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PRODUCTION_PATH "http://schemas.microsoft.com/3dmanufacturing/production/2015/06|path"
#define SLICE_STACK "http://schemas.microsoft.com/3dmanufacturing/slice/2015/07|slicestackid"

static const char *const types[THREEMF_TYPES] = {"model", "solidsupport", "support", "surface", "other"};

static const char *value_of(const char **attributes, const char *name)
{
    return grz_io_xml_attribute((const char *const *)attributes, name);
}

static const char *quote(const char *text, char buffer[SCAN_QUOTE_SIZE])
{
    return grz_io_token_quote((text_token){(const unsigned char *)text, strlen(text)}, buffer);
}

static bool keep_text(threemf *t, const char *text, threemf_text *out)
{
    *out = (threemf_text){0};
    if (text == NULL || *text == '\0')
        return true;
    out->length = strlen(text);
    return grz_io_threemf_add_text(t, &t->texts, text, out->length, &out->at);
}

static bool read_id(threemf_model *m, const char **attributes, const char *element, const char *name, uint64_t *out)
{
    char buffer[SCAN_QUOTE_SIZE];
    const char *text = value_of(attributes, name);
    if (text == NULL)
        return grz_io_xml_fail(m->x, "the %s has no %s", element, name);
    return grz_io_threemf_take_whole(text, out) ||
           grz_io_xml_fail(m->x, "the %s's %s %s is not a whole number", element, name, quote(text, buffer));
}

static bool read_type(threemf_model *m, const char *text, threemf_type *out)
{
    char buffer[SCAN_QUOTE_SIZE];
    *out = THREEMF_MODEL;
    for (unsigned i = 0; text != NULL && i < THREEMF_TYPES; i++)
        if (strcmp(types[i], text) == 0) {
            *out = (threemf_type)i;
            return true;
        }
    return text == NULL || grz_io_threemf_fail_object(m, "the type %s is not one of 3MF's", quote(text, buffer));
}

// What an extension says about how true the object's own mesh is: "meshresolution" of slices, "modelresolution" of
// alternatives. Anything but "fullres" stands for a shape that is not in the mesh.
static bool stands_for_another(const char **attributes)
{
    for (const char **a = attributes; *a != NULL; a += 2) {
        const char *end = strrchr(a[0], XML_NAMESPACE_END);
        if (end != NULL && (strcmp(end + 1, "meshresolution") == 0 || strcmp(end + 1, "modelresolution") == 0) &&
            strcmp(a[1], "fullres") != 0)
            return true;
    }
    return false;
}

bool grz_io_threemf_begin_object(threemf_model *m, const char **attributes)
{
    threemf *t = m->t;
    uint64_t id;
    void *array = t->objects;
    if (!read_id(m, attributes, "object", "id", &id) || !grz_io_threemf_count_element(t))
        return false;
    const bool ok = grz_io_threemf_grow(t, &array, &t->object_capacity, t->object_count, sizeof *t->objects);
    t->objects = array;
    if (!ok)
        return false;
    threemf_object *object = &t->objects[t->object_count++];
    *object = (threemf_object){.id = id,
                               .file = m->file,
                               .line = grz_io_xml_line(m->x),
                               .mesh = THREEMF_NONE,
                               .first_component = t->components.count,
                               .is_substitute = stands_for_another(attributes)};
    t->counts.sliced += value_of(attributes, SLICE_STACK) != NULL;
    return read_type(m, value_of(attributes, "type"), &object->type) &&
           keep_text(t, value_of(attributes, "name"), &object->name) &&
           keep_text(t, value_of(attributes, "partnumber"), &object->part_number);
}

bool grz_io_threemf_end_object(threemf_model *m)
{
    const threemf_object *object = threemf_current_object(m);
    return object->mesh != THREEMF_NONE || object->component_count > 0 || object->unread.length > 0 ||
           grz_io_threemf_fail_object(m, "it has neither a mesh nor components");
}

bool grz_io_threemf_begin_components(threemf_model *m, const char **attributes)
{
    const threemf_object *object = threemf_current_object(m);
    (void)attributes;
    if (object->mesh != THREEMF_NONE || object->component_count > 0)
        return grz_io_threemf_fail_object(m, "it has more than one mesh or list of components");
    return true;
}

// Whether a matrix turns solids over, and whether it flattens them. The sign of the determinant is certain: it has
// sixteen roundings at most, so that its error is below 2^-48 of the sum of its products' magnitudes.
static bool find_mirroring(scene_matrix *matrix)
{
    double largest = 0, m[3][3];
    for (int i = 0; i < 9; i++)
        largest = fmax(largest, fabs(matrix->m[i / 3][i % 3]));
    for (int i = 0; i < 9; i++)
        m[i / 3][i % 3] = matrix->m[i / 3][i % 3] / (largest > 0 ? largest : 1);
    double determinant = 0, magnitude = 0;
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, n = (i + 2) % 3;
        determinant += m[0][i] * (m[1][k] * m[2][n] - m[1][n] * m[2][k]);
        magnitude += fabs(m[0][i]) * (fabs(m[1][k] * m[2][n]) + fabs(m[1][n] * m[2][k]));
    }
    matrix->mirrors = determinant < 0;
    return fabs(determinant) > 16 * DBL_EPSILON * magnitude;
}

// Twelve numbers, column after column: m00 m01 m02 m10 …, where a point is a row and stands before the matrix.
static bool read_matrix(threemf_model *m, const char *text, const char *element, scene_matrix *out)
{
    enum {
        NUMBERS = 12
    };
    char of[40];
    *out = grz_io_matrix_identity;
    if (text == NULL)
        return true;
    text_scan s = {.at = (const unsigned char *)text, .line = 1, .comment = SCAN_NO_COMMENTS};
    s.end = s.at + strlen(text);
    for (int i = 0; i < NUMBERS; i++) {
        if (!grz_io_scan_more_lines(&s))
            return grz_io_xml_fail(m->x, "the %s's transform has %d numbers, and needs 12", element, i);
        (void)snprintf(of, sizeof of, "the %s's transform", element);
        if (!grz_io_threemf_read_number(m, &s, of, &out->m[i % 3][i / 3]))
            return false;
    }
    if (grz_io_scan_more_lines(&s))
        return grz_io_xml_fail(m->x, "the %s's transform has more than 12 numbers", element);
    return find_mirroring(out) ||
           grz_io_xml_fail(m->x, "the %s's transform is singular: it makes solids flat", element);
}

// The file of the production extension's path; without one, the model's own.
static bool read_path(threemf_model *m, const char **attributes, const char *element, size_t *file)
{
    char buffer[SCAN_QUOTE_SIZE];
    const char *path = value_of(attributes, PRODUCTION_PATH);
    *file = m->file;
    if (value_of(attributes, "path") != NULL)
        return grz_io_xml_fail(m->x, "the %s has a path outside of the production extension's namespace", element);
    if (path == NULL)
        return true;
    if (!m->is_root)
        return grz_io_xml_fail(m->x, "the %s has a path, which only the root model's may have", element);
    if (!grz_io_threemf_find_file(m->t, path, file))
        return false;
    return *file != THREEMF_NONE ||
           grz_io_xml_fail(m->x, "the %s's path %s is no file of the package", element, quote(path, buffer));
}

static bool read_reference(threemf_model *m, const char **attributes, const char *element, threemf_references *to)
{
    void *array = to->list;
    const bool ok = grz_io_threemf_count_element(m->t) &&
                    grz_io_threemf_grow(m->t, &array, &to->capacity, to->count, sizeof *to->list);
    to->list = array;
    if (!ok)
        return false;
    threemf_reference *one = &to->list[to->count++];
    *one = (threemf_reference){.from = m->file, .line = grz_io_xml_line(m->x), .object = THREEMF_NONE};
    return read_id(m, attributes, element, "objectid", &one->id) && read_path(m, attributes, element, &one->file) &&
           read_matrix(m, value_of(attributes, "transform"), element, &one->matrix) &&
           keep_text(m->t, value_of(attributes, "partnumber"), &one->part_number);
}

bool grz_io_threemf_read_component(threemf_model *m, const char **attributes)
{
    threemf_current_object(m)->component_count++;
    return read_reference(m, attributes, "component", &m->t->components);
}

bool grz_io_threemf_read_item(threemf_model *m, const char **attributes)
{
    const char *printable = value_of(attributes, "printable");
    if (!m->is_root) { // the specification: such items have no meaning
        m->t->counts.child_items++;
        return true;
    }
    m->t->counts.unprintable += printable != NULL && strcmp(printable, "0") == 0;
    return read_reference(m, attributes, "item", &m->t->items);
}
