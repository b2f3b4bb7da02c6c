// SPDX-License-Identifier: MIT
// Sources: an accessor says which numbers of an array are an element. Nothing is read before its place was checked
// against the array. A param without a name is skipped, as the specification says (1.4.1, "accessor").
#include "collada/collada.h"

#include <math.h>
#include <string.h>

bool grz_io_collada_input(collada *c, const xml_element *of, const char *semantic, const xml_element **input)
{
    *input = NULL;
    for (const xml_element *e = NULL; (e = grz_io_xml_child(of, "input", e)) != NULL;) {
        const char *is = grz_io_xml_value(e, "semantic");
        if (is == NULL || strcmp(is, semantic) != 0)
            continue;
        if (*input != NULL)
            return grz_io_collada_fail(c, e, "there is another %s", semantic);
        *input = e;
    }
    return true;
}

// The first child with this name, counted as work: many may refer to one source. NULL where there is none, or where the
// call is to end.
static const xml_element *find_child(collada *c, const xml_element *of, const char *name)
{
    const xml_element *e = of->children;
    while (e != NULL && strcmp(e->name, name) != 0 && grz_io_collada_work(c, e, COLLADA_WORK_A_CHILD))
        e = e->next;
    return e != NULL && strcmp(e->name, name) == 0 ? e : NULL;
}

// Where the numbers of an element are: all params, the named ones, and x, y and z among the params.
typedef struct params {
    uint64_t count, named;
    unsigned first[3]; // of the named ones
    unsigned axis[3];  // which params are called X, Y and Z
    unsigned axes;     // bits of those that there are
    bool repeats_axis;
} params;

static bool read_params(collada *c, const xml_element *accessor, params *p)
{
    *p = (params){.count = 0};
    for (const xml_element *e = NULL; (e = grz_io_xml_child(accessor, "param", e)) != NULL; p->count++) {
        const char *name = grz_io_xml_value(e, "name");
        if (!grz_io_collada_work(c, e, COLLADA_WORK_A_CHILD))
            return false;
        if (name == NULL || *name == '\0')
            continue;
        if (p->named < 3)
            p->first[p->named] = (unsigned)p->count;
        p->named++;
        const unsigned axis = (unsigned)(*name | ('a' ^ 'A')) - 'x';
        if (name[1] != '\0' || axis > 2)
            continue;
        p->repeats_axis = p->repeats_axis || (p->axes >> axis & 1) != 0;
        p->axes |= 1U << axis;
        p->axis[axis] = (unsigned)p->count;
    }
    return true;
}

// Three named params are x, y and z: by their names, where they are those; in their order, where they have others.
static bool order_axes(collada *c, const xml_element *accessor, const params *p, unsigned order[3])
{
    if (p->named != 3)
        return grz_io_collada_fail(
            c, accessor, "it gives %llu numbers for a position, not 3: of its %llu params so many have a name",
            (unsigned long long)p->named, (unsigned long long)p->count);
    if (p->repeats_axis || (p->axes != 0 && p->axes != 7))
        return grz_io_collada_fail(c, accessor, "its params are not X, Y and Z, but some of them");
    memcpy(order, p->axes == 7 ? p->axis : p->first, sizeof p->axis);
    return true;
}

static bool find_array(collada *c, const xml_element *accessor, collada_id **array)
{
    collada_id *other;
    const char *url = grz_io_xml_value(accessor, "source");
    if (!grz_io_collada_try(c, accessor, url, COLLADA_FLOAT_ARRAY, array))
        return false;
    if (*array != NULL)
        return grz_io_collada_array(c, *array);
    other = grz_io_collada_find(c, accessor, url, COLLADA_OTHER_ARRAY);
    return other != NULL && grz_io_collada_fail(c, accessor,
                                                "its numbers are no float_array, but in the element of line "
                                                "%llu",
                                                (unsigned long long)other->element->line);
}

// Whether `count` elements of `width` numbers, `stride` apart, are in the array.
static bool check_room(collada *c, const xml_element *accessor, const collada_source *s, uint64_t offset,
                       uint64_t width, uint64_t numbers)
{
    if (s->stride < width || s->stride == 0)
        return grz_io_collada_fail(c, accessor, "its stride %llu is less than the %llu numbers of an element",
                                   (unsigned long long)s->stride, (unsigned long long)width);
    const uint64_t left = offset < numbers ? numbers - offset : 0;
    if (s->count > 0 && (left < width || (left - width) / s->stride < s->count - 1))
        return grz_io_collada_fail(c, accessor,
                                   "%llu elements, %llu apart from number %llu on, end past the %llu numbers of the "
                                   "array",
                                   (unsigned long long)s->count, (unsigned long long)s->stride,
                                   (unsigned long long)offset, (unsigned long long)numbers);
    return true;
}

// The source of an input, and its accessor.
static bool find_accessor(collada *c, const xml_element *input, const xml_element **source,
                          const xml_element **accessor)
{
    const collada_id *found = grz_io_collada_find(c, input, grz_io_xml_value(input, "source"), COLLADA_SOURCE);
    if (found == NULL)
        return false;
    *source = found->element;
    const xml_element *common = find_child(c, *source, "technique_common");
    *accessor = common != NULL ? find_child(c, common, "accessor") : NULL;
    return *accessor != NULL || grz_io_collada_fail(c, *source, "it has no accessor in a technique_common");
}

bool grz_io_collada_source(collada *c, const xml_element *input, uint64_t values, unsigned order[3],
                           collada_source *out)
{
    const xml_element *source, *accessor;
    collada_id *array;
    uint64_t offset;
    params p;
    if (!find_accessor(c, input, &source, &accessor))
        return false;
    *out = (collada_source){.accessor = accessor};
    if (!find_array(c, accessor, &array) || !grz_io_collada_count(c, accessor, "count", COLLADA_NONE, &out->count) ||
        !grz_io_collada_count(c, accessor, "stride", 1, &out->stride) ||
        !grz_io_collada_count(c, accessor, "offset", 0, &offset))
        return false;
    if (!read_params(c, accessor, &p) || (order != NULL && !order_axes(c, accessor, &p, order)))
        return false;
    const uint64_t width = p.count > values ? p.count : values;
    if (!check_room(c, accessor, out, offset, width, array->number_count))
        return false;
    out->numbers = out->count > 0 ? array->numbers + offset : array->numbers;
    return true;
}

bool grz_io_collada_add_positions(collada *c, const collada_source *s, const unsigned order[3])
{
    for (uint64_t i = 0; i < s->count; i++) {
        const double *p = s->numbers + i * s->stride;
        const double x = p[order[0]], y = p[order[1]], z = p[order[2]];
        if (!isfinite(x) || !isfinite(y) || !isfinite(z))
            return grz_io_collada_fail(c, s->accessor, "the %c coordinate of position %llu is not a finite number",
                                       !isfinite(x)   ? 'x'
                                       : !isfinite(y) ? 'y'
                                                      : 'z',
                                       (unsigned long long)i);
        if (!reader_add_vertex(c->r, x, y, z))
            return false;
    }
    return grz_io_collada_work(c, s->accessor, s->count);
}

// Count the names of an array.
static bool count_names(collada *c, const xml_element *array, uint64_t *count)
{
    text_scan s = grz_io_collada_scan(array);
    text_token token;
    for (*count = 0; grz_io_scan_more_lines(&s); ++*count)
        if (!grz_io_scan_token(&s, &token) || !grz_io_collada_work(c, array, token.length + 1))
            return false;
    return true;
}

bool grz_io_collada_name_source(collada *c, const xml_element *input, collada_names *out)
{
    const xml_element *source, *accessor;
    uint64_t stated, held, offset, stride;
    if (!find_accessor(c, input, &source, &accessor))
        return false;
    const collada_id *array =
        grz_io_collada_find(c, accessor, grz_io_xml_value(accessor, "source"), COLLADA_OTHER_ARRAY);
    if (array == NULL)
        return false;
    *out = (collada_names){.array = array->element, .are_ids = strcmp(array->element->name, "IDREF_array") == 0};
    if (!out->are_ids && strcmp(array->element->name, "Name_array") != 0)
        return grz_io_collada_fail(c, array->element, "no names are read from it");
    if (!grz_io_collada_count(c, accessor, "count", COLLADA_NONE, &out->count) ||
        !grz_io_collada_count(c, accessor, "stride", 1, &stride) ||
        !grz_io_collada_count(c, accessor, "offset", 0, &offset) ||
        !grz_io_collada_count(c, array->element, "count", COLLADA_NONE, &stated) ||
        !count_names(c, array->element, &held))
        return false;
    if (stated != held)
        return grz_io_collada_fail(c, array->element, "its count is %llu, but it has %llu names",
                                   (unsigned long long)stated, (unsigned long long)held);
    if (offset != 0 || stride != 1 || out->count > held)
        return grz_io_collada_fail(c, accessor, "it gives %llu names, %llu apart from name %llu on, of %llu",
                                   (unsigned long long)out->count, (unsigned long long)stride,
                                   (unsigned long long)offset, (unsigned long long)held);
    return true;
}

bool grz_io_collada_take_name(collada *c, const collada_names *names, text_scan *s, char out[COLLADA_NAME_SIZE])
{
    text_token token;
    if (!grz_io_scan_more_lines(s) || !grz_io_scan_token(s, &token))
        return false; // not reached: they were counted
    if (token.length >= COLLADA_NAME_SIZE)
        return grz_io_collada_fail(c, names->array, "a name in it has more than %d bytes", COLLADA_NAME_SIZE - 1);
    memcpy(out, token.at, token.length);
    out[token.length] = '\0';
    return grz_io_collada_work(c, names->array, token.length + 1);
}
