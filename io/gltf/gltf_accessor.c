// SPDX-License-Identifier: MIT
// Accessors: typed elements in a buffer view, at a stride, with a sparse list of other values over them. Nothing is
// read before its place was checked against the view.
#include "gltf/gltf.h"

#include <stdio.h>
#include <string.h>

static uint32_t load_u32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t load_u16(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static unsigned size_of_type(uint64_t component_type)
{
    switch (component_type) {
    case GLTF_BYTE:
    case GLTF_UNSIGNED_BYTE:
        return 1;
    case GLTF_SHORT:
    case GLTF_UNSIGNED_SHORT:
        return 2;
    case GLTF_UNSIGNED_INT:
    case GLTF_FLOAT:
        return 4;
    default:
        return 0;
    }
}

static unsigned components_of(const char *type)
{
    static const struct {
        const char *name;
        unsigned components;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    for (size_t i = 0; type != NULL && i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, type) == 0)
            return types[i].components;
    return 0;
}

// Check that `count` elements of `size` bytes, `stride` apart, fit behind `offset` into a view.
static bool check_room(gltf *g, uint64_t view, uint64_t offset, uint64_t count, uint64_t stride, uint64_t size,
                       uint64_t view_size)
{
    if (count > UINT32_MAX)
        return grz_io_gltf_fail(g, "%llu elements are more than 4294967295", (unsigned long long)count);
    const uint64_t needed = (count - 1) * stride + size;
    if (offset > view_size || needed > view_size - offset)
        return grz_io_gltf_fail(g, "%llu elements end %llu bytes past the end of bufferViews[%llu]",
                                (unsigned long long)count, (unsigned long long)(offset + needed - view_size),
                                (unsigned long long)view);
    return true;
}

// The indices of a sparse accessor have to rise and to stay below its count.
static bool check_sparse_indices(gltf *g, const gltf_accessor *a)
{
    const gltf_accessor indices = {.data = a->sparse_indices,
                                   .count = a->sparse_count,
                                   .stride = size_of_type(a->sparse_index_type),
                                   .component_type = a->sparse_index_type};
    uint64_t least = 0;
    for (uint64_t i = 0; i < a->sparse_count; i++) {
        uint32_t index;
        grz_io_gltf_read_whole(&indices, i, 1, &index);
        if (index < least || index >= a->count)
            return grz_io_gltf_fail(g, "its sparse index %llu is %u: indices rise and are below %llu",
                                    (unsigned long long)i, (unsigned)index, (unsigned long long)a->count);
        least = (uint64_t)index + 1;
    }
    return true;
}

static bool read_sparse_part(gltf *g, const json_t *sparse, const char *key, uint64_t size, uint64_t count,
                             const unsigned char **bytes)
{
    const json_t *part;
    uint64_t view, offset, view_size, stride;
    if (!grz_io_gltf_object(g, sparse, key, &part))
        return false;
    if (part == NULL)
        return grz_io_gltf_fail(g, "its sparse part has no \"%s\"", key);
    if (!grz_io_gltf_count(g, part, "bufferView", GLTF_NONE, &view) ||
        !grz_io_gltf_count(g, part, "byteOffset", 0, &offset))
        return false;
    if (!grz_io_gltf_view(g, view, bytes, &view_size, &stride) ||
        !check_room(g, view, offset, count, size, size, view_size))
        return false;
    *bytes += offset;
    return true;
}

static bool read_sparse(gltf *g, const json_t *json, gltf_accessor *a)
{
    const json_t *sparse, *indices;
    uint64_t type;
    if (!grz_io_gltf_object(g, json, "sparse", &sparse))
        return false;
    if (sparse == NULL)
        return true;
    if (!grz_io_gltf_count(g, sparse, "count", 0, &a->sparse_count) ||
        !grz_io_gltf_object(g, sparse, "indices", &indices))
        return false;
    if (a->sparse_count == 0 || a->sparse_count > a->count)
        return grz_io_gltf_fail(g, "its sparse count is %llu, of %llu elements", (unsigned long long)a->sparse_count,
                                (unsigned long long)a->count);
    if (!grz_io_gltf_count(g, indices, "componentType", 0, &type))
        return false;
    if (type != GLTF_UNSIGNED_BYTE && type != GLTF_UNSIGNED_SHORT && type != GLTF_UNSIGNED_INT)
        return grz_io_gltf_fail(g, "the componentType of its sparse indices is %llu", (unsigned long long)type);
    a->sparse_index_type = (unsigned)type;
    return read_sparse_part(g, sparse, "indices", size_of_type(type), a->sparse_count, &a->sparse_indices) &&
           read_sparse_part(g, sparse, "values", (uint64_t)a->components * a->component_size, a->sparse_count,
                            &a->sparse_values) &&
           check_sparse_indices(g, a);
}

static bool read_data(gltf *g, const json_t *json, gltf_accessor *a)
{
    uint64_t view, offset, view_size = 0, stride = 0;
    const uint64_t size = (uint64_t)a->components * a->component_size;
    if (!grz_io_gltf_count(g, json, "bufferView", GLTF_NONE, &view) ||
        !grz_io_gltf_count(g, json, "byteOffset", 0, &offset))
        return false;
    a->stride = size;
    if (view == GLTF_NONE) {
        if (a->count > GLTF_MOST_ZEROS)
            return grz_io_gltf_fail(g, "%llu elements without a bufferView; at most %d are read",
                                    (unsigned long long)a->count, (int)GLTF_MOST_ZEROS);
        return true;
    }
    if (!grz_io_gltf_view(g, view, &a->data, &view_size, &stride))
        return false;
    if (stride != 0 && stride < size)
        return grz_io_gltf_fail(g, "bufferViews[%llu].byteStride is %llu, less than an element of %llu bytes",
                                (unsigned long long)view, (unsigned long long)stride, (unsigned long long)size);
    if (stride > 252)
        return grz_io_gltf_fail(g, "bufferViews[%llu].byteStride is %llu, more than 252", (unsigned long long)view,
                                (unsigned long long)stride);
    a->stride = stride != 0 ? stride : size;
    if (!check_room(g, view, offset, a->count, a->stride, size, view_size))
        return false;
    a->data += offset;
    return true;
}

static bool read_accessor(gltf *g, uint64_t index, gltf_accessor *out)
{
    const json_t *json;
    uint64_t type;
    if (!grz_io_gltf_element(g, "accessors", index, &json) || !grz_io_gltf_count(g, json, "count", 0, &out->count) ||
        !grz_io_gltf_count(g, json, "componentType", 0, &type))
        return false;
    out->component_size = size_of_type(type);
    out->components = components_of(grz_io_gltf_text(json, "type"));
    if (out->component_size == 0)
        return grz_io_gltf_fail(g, "its componentType %llu is none", (unsigned long long)type);
    if (out->components == 0)
        return grz_io_gltf_fail(g, "its type is none of SCALAR, VEC2, VEC3, VEC4, MAT4");
    if (out->count == 0)
        return grz_io_gltf_fail(g, "its count is 0");
    out->component_type = (unsigned)type;
    out->normalized = json_is_true(json_object_get(json, "normalized"));
    return read_data(g, json, out) && read_sparse(g, json, out);
}

bool grz_io_gltf_accessor(gltf *g, uint64_t index, gltf_accessor *out)
{
    char before[GLTF_WHERE_SIZE];
    *out = (gltf_accessor){.index = index};
    memcpy(before, g->where, sizeof before);
    const size_t length = strlen(g->where);
    (void)snprintf(g->where + length, sizeof g->where - length, ": accessors[%llu]", (unsigned long long)index);
    const bool ok = read_accessor(g, index, out);
    if (ok)
        memcpy(g->where, before, sizeof before);
    return ok;
}

bool grz_io_gltf_require(gltf *g, const gltf_accessor *a, const char *what, unsigned components, unsigned types)
{
    if (a->components != components || (types >> (a->component_type - GLTF_BYTE) & 1) == 0)
        return grz_io_gltf_fail(g, "%s is accessors[%llu], whose %u components of type %u it cannot have", what,
                                (unsigned long long)a->index, a->components, a->component_type);
    return true;
}

static double load_float(const unsigned char *p)
{
    const uint32_t bits = load_u32(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

// One component. A normalized integer is divided by its range; -128 and -32768 become -1, as -127 and -32767 do.
static double load_component(const gltf_accessor *a, const unsigned char *p)
{
    double value, range;
    switch (a->component_type) {
    case GLTF_FLOAT:
        return load_float(p);
    case GLTF_UNSIGNED_INT:
        return (double)load_u32(p);
    case GLTF_BYTE:
        value = (double)(int8_t)p[0];
        range = 127;
        break;
    case GLTF_UNSIGNED_BYTE:
        value = (double)p[0];
        range = 255;
        break;
    case GLTF_SHORT:
        value = (double)(int16_t)(uint16_t)load_u16(p);
        range = 32767;
        break;
    default:
        value = (double)load_u16(p);
        range = 65535;
        break;
    }
    if (!a->normalized)
        return value;
    return value < -range ? -1.0 : value / range;
}

static void load_element(const gltf_accessor *a, const unsigned char *p, double *out)
{
    for (unsigned k = 0; k < a->components; k++)
        out[k] = load_component(a, p + (size_t)k * a->component_size);
}

static void read_run(const gltf_accessor *a, uint64_t first, uint64_t count, double *out)
{
    const unsigned char *p = a->data + first * a->stride;
    if (a->component_type == GLTF_FLOAT && a->components == 3) { // as nearly all are
        for (uint64_t i = 0; i < count; i++, p += a->stride, out += 3) {
            out[0] = load_float(p);
            out[1] = load_float(p + 4);
            out[2] = load_float(p + 8);
        }
        return;
    }
    for (uint64_t i = 0; i < count; i++, p += a->stride, out += a->components)
        load_element(a, p, out);
}

bool grz_io_gltf_read(gltf *g, const gltf_accessor *a, double *out)
{
    const uint64_t run = 65536;
    const size_t size = (size_t)a->components * a->component_size;
    if (a->data == NULL)
        memset(out, 0, (size_t)a->count * a->components * sizeof *out);
    for (uint64_t first = 0; first < a->count && a->data != NULL; first += run) {
        const uint64_t count = a->count - first < run ? a->count - first : run;
        read_run(a, first, count, out + first * a->components);
        if (!grz_io_gltf_goes_on(g, count))
            return false;
    }
    const gltf_accessor indices = {.data = a->sparse_indices,
                                   .count = a->sparse_count,
                                   .stride = size_of_type(a->sparse_index_type),
                                   .component_type = a->sparse_index_type};
    for (uint64_t i = 0; i < a->sparse_count; i++) {
        uint32_t index;
        grz_io_gltf_read_whole(&indices, i, 1, &index);
        load_element(a, a->sparse_values + i * size, out + (size_t)index * a->components);
    }
    return true;
}

double *grz_io_gltf_read_new(gltf *g, const gltf_accessor *a)
{
    double *numbers = grz_io_gltf_allocate(g, a->count * a->components, sizeof *numbers);
    if (numbers != NULL && !grz_io_gltf_read(g, a, numbers)) {
        grz_io_gltf_release(g, numbers, a->count * a->components, sizeof *numbers);
        return NULL;
    }
    return numbers;
}

void grz_io_gltf_read_whole(const gltf_accessor *a, uint64_t first, uint64_t count, uint32_t *out)
{
    const unsigned char *p = a->data + first * a->stride;
    switch (a->component_type) {
    case GLTF_UNSIGNED_BYTE:
        for (uint64_t i = 0; i < count; i++, p += a->stride)
            out[i] = p[0];
        break;
    case GLTF_UNSIGNED_SHORT:
        for (uint64_t i = 0; i < count; i++, p += a->stride)
            out[i] = load_u16(p);
        break;
    default:
        for (uint64_t i = 0; i < count; i++, p += a->stride)
            out[i] = load_u32(p);
        break;
    }
}
