// SPDX-License-Identifier: MIT
// 3MF: a package of model files in a zip archive, whose build shows objects at their places. threemf/README.md says
// which file does what.
// Source: 3MF Consortium, "3MF Core Specification", version 1.3.
#include "format.h"
#include "threemf/threemf.h"

#include <string.h>

static bool is_zip(const unsigned char *bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, "PK\3\4", 4) == 0;
}

// A zip archive in whose first bytes the usual name of a 3MF's root model stands. Others are told by their extension.
static bool has_signature(const unsigned char *bytes, size_t size)
{
    static const char name[] = "3D/3dmodel.model";
    const size_t most = size < SIGNATURE_SIZE ? size : SIGNATURE_SIZE, length = sizeof name - 1;
    if (!is_zip(bytes, size))
        return false;
    for (size_t i = 0; i + length <= most; i++)
        if (bytes[i] == '3' && memcmp(bytes + i, name, length) == 0)
            return true;
    return false;
}

bool grz_io_threemf_count_element(threemf *t)
{
    if (t->object_count + t->components.count + t->items.count < t->most_elements)
        return true;
    return grz_io_fail(t->r, "it has more than %llu objects, components and items, too many for a file of this size",
                       (unsigned long long)t->most_elements);
}

bool grz_io_threemf_grow(threemf *t, void **array, size_t *capacity, size_t count, size_t element_size)
{
    enum {
        FIRST = 16
    };
    if (count < *capacity)
        return true;
    const size_t wanted = *capacity > 0 ? 2 * *capacity : FIRST;
    void *moved = NULL;
    if (wanted <= SIZE_MAX / element_size)
        moved = grz_io_control_reallocate(t->r->control, *array, *capacity * element_size, wanted * element_size);
    if (moved == NULL)
        return grz_io_fail_memory(t->r);
    *array = moved;
    *capacity = wanted;
    return true;
}

bool grz_io_threemf_add_text(threemf *t, threemf_texts *to, const char *text, size_t length, size_t *at)
{
    enum {
        FIRST = 256
    };
    if (to->capacity - to->size <= length) {
        const size_t doubled = to->capacity > 0 ? 2 * to->capacity : FIRST, needed = to->size + length + 1;
        const size_t wanted = doubled > needed ? doubled : needed;
        char *moved = grz_io_control_reallocate(t->r->control, to->bytes, to->capacity, wanted);
        if (moved == NULL)
            return grz_io_fail_memory(t->r);
        to->bytes = moved;
        to->capacity = wanted;
    }
    *at = to->size;
    if (text != NULL)
        memcpy(to->bytes + to->size, text, length);
    else
        memset(to->bytes + to->size, 0, length);
    to->bytes[to->size + length] = '\0';
    to->size += length + 1;
    return true;
}

// The model files that the root names, each once; they name no others.
static bool read_others(threemf *t)
{
    const size_t components = t->components.count;
    for (size_t i = 0; i < components; i++) {
        const size_t file = t->components.list[i].file;
        if (!t->files[file].is_model && !grz_io_threemf_read_model(t, file))
            return false;
    }
    for (size_t i = 0; i < t->items.count; i++) {
        const size_t file = t->items.list[i].file;
        if (!t->files[file].is_model && !grz_io_threemf_read_model(t, file))
            return false;
    }
    return true;
}

static void finish(threemf *t)
{
    load_control *c = t->r->control;
    grz_io_control_release(c, t->names.bytes, t->names.capacity);
    grz_io_control_release(c, t->texts.bytes, t->texts.capacity);
    grz_io_control_release(c, t->files, t->file_capacity * sizeof *t->files);
    grz_io_control_release(c, t->objects, t->object_capacity * sizeof *t->objects);
    grz_io_control_release(c, t->components.list, t->components.capacity * sizeof *t->components.list);
    grz_io_control_release(c, t->items.list, t->items.capacity * sizeof *t->items.list);
}

static bool read(reader *r)
{
    enum {
        BYTES_AN_ELEMENT = 256
    }; // with what an object's mesh has beside vertices and triangles
    threemf t = {.r = r, .root = THREEMF_NONE};
    t.most_elements = grz_io_most_model_bytes(r, r->size) / BYTES_AN_ELEMENT;
    const bool ok = grz_io_threemf_list_files(&t) && grz_io_threemf_sort_files(&t) && grz_io_threemf_find_root(&t) &&
                    grz_io_threemf_read_model(&t, t.root) && read_others(&t) && grz_io_threemf_show(&t);
    finish(&t);
    r->unit_in_metres = t.unit_in_metres;
    r->up_axis = GRZ_IO_UP_Z;
    return ok;
}

const file_format grz_io_format_3mf = {
    .about = {"3MF", "3mf"}, .has_signature = has_signature, .fits = is_zip, .read = read};
