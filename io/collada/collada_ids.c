// SPDX-License-Identifier: MIT
// The table of elements with ids, sorted by a heap sort, so that a million of them are no trouble whatever they are.
// What stands in an <extra> or a <technique> of a program is no part of the document, nor what is in an element of
// another namespace. Elements of different kinds may have the same id: what refers to one says which kind it means.
#include "collada/collada.h"

#include <string.h>

static const struct {
    const char *tag;
    collada_kind kind;
} tags[] = {{"geometry", COLLADA_GEOMETRY},
            {"node", COLLADA_NODE},
            {"visual_scene", COLLADA_VISUAL_SCENE},
            {"controller", COLLADA_CONTROLLER},
            {"source", COLLADA_SOURCE},
            {"vertices", COLLADA_VERTICES},
            {"float_array", COLLADA_FLOAT_ARRAY},
            {"int_array", COLLADA_OTHER_ARRAY},
            {"Name_array", COLLADA_OTHER_ARRAY},
            {"IDREF_array", COLLADA_OTHER_ARRAY},
            {"SIDREF_array", COLLADA_OTHER_ARRAY},
            {"bool_array", COLLADA_OTHER_ARRAY},
            {"token_array", COLLADA_OTHER_ARRAY}};

const char *grz_io_collada_kind_name(collada_kind kind)
{
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (tags[i].kind == kind)
            return kind == COLLADA_OTHER_ARRAY ? "array" : tags[i].tag;
    return "element";
}

static collada_kind kind_of(const xml_element *e)
{
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (strcmp(tags[i].tag, e->name) == 0)
            return tags[i].kind;
    return COLLADA_KINDS;
}

static int compare(const collada_id *a, const char *id, collada_kind kind)
{
    if (a->kind != kind)
        return a->kind < kind ? -1 : 1;
    return strcmp(a->id, id);
}

// Let the element at `i` sink to where it belongs in a heap of `count` elements, the largest on top.
static void sink(collada_id *heap, size_t i, size_t count)
{
    const collada_id moved = heap[i];
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        child += child + 1 < count && compare(&heap[child], heap[child + 1].id, heap[child + 1].kind) < 0;
        if (compare(&heap[child], moved.id, moved.kind) <= 0)
            break;
        heap[i] = heap[child];
    }
    heap[i] = moved;
}

static void sort(collada_id *ids, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sink(ids, i, count);
    for (size_t last = count; last-- > 1;) {
        const collada_id largest = ids[0];
        ids[0] = ids[last];
        ids[last] = largest;
        sink(ids, 0, last);
    }
}

const xml_element *grz_io_collada_following(const xml_element *e)
{
    static const char *const closed[] = {"extra", "technique"};
    bool opens = e->children != NULL && !grz_io_xml_is_foreign(e);
    for (size_t i = 0; i < sizeof closed / sizeof *closed; i++)
        opens = opens && strcmp(e->name, closed[i]) != 0;
    if (opens)
        return e->children;
    while (e != NULL && e->next == NULL)
        e = e->parent;
    return e != NULL ? e->next : NULL;
}

bool grz_io_collada_index(collada *c)
{
    size_t count = 0;
    for (const xml_element *e = c->tree.root; e != NULL; e = grz_io_collada_following(e))
        count += kind_of(e) != COLLADA_KINDS && grz_io_xml_value(e, "id") != NULL;
    c->ids = grz_io_collada_allocate(c, count, sizeof *c->ids);
    if (c->ids == NULL)
        return false;
    c->id_count = count;
    count = 0;
    for (const xml_element *e = c->tree.root; e != NULL; e = grz_io_collada_following(e)) {
        const char *id = grz_io_xml_value(e, "id");
        const collada_kind kind = kind_of(e);
        if (kind == COLLADA_KINDS || id == NULL)
            continue;
        c->ids[count++] = (collada_id){.id = id, .element = e, .kind = kind, .mesh = COLLADA_NONE};
    }
    sort(c->ids, count);
    for (size_t i = 1; i < count; i++)
        if (compare(&c->ids[i - 1], c->ids[i].id, c->ids[i].kind) == 0)
            c->ids[i - 1].repeated = c->ids[i].repeated = true;
    return grz_io_control_goes_on(c->r->control);
}

static collada_id *look_up(const collada *c, const char *id, collada_kind kind)
{
    size_t first = 0, past = c->id_count;
    while (first < past) {
        const size_t middle = first + (past - first) / 2;
        const int order = compare(&c->ids[middle], id, kind);
        if (order == 0)
            return &c->ids[middle];
        if (order < 0)
            first = middle + 1;
        else
            past = middle;
    }
    return NULL;
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// Look for an id with "%20" and the like decoded. False without memory.
static bool look_up_decoded(collada *c, const char *id, collada_kind kind, collada_id **found)
{
    const size_t length = strlen(id);
    if (strchr(id, '%') == NULL)
        return true;
    char *decoded = grz_io_collada_allocate(c, length + 1, 1);
    if (decoded == NULL)
        return false;
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        const int high = id[i] == '%' ? digit_of(id[i + 1]) : -1, low = high >= 0 ? digit_of(id[i + 2]) : -1;
        decoded[n++] = low >= 0 ? (char)(16 * high + low) : id[i];
        i += low >= 0 ? 2 : 0;
    }
    *found = look_up(c, decoded, kind);
    grz_io_collada_release(c, decoded, length + 1, 1);
    return true;
}

bool grz_io_collada_try_id(collada *c, const xml_element *at, const char *id, collada_kind kind, collada_id **found)
{
    char quote[SCAN_QUOTE_SIZE];
    *found = look_up(c, id, kind);
    if (*found == NULL && !look_up_decoded(c, id, kind, found))
        return false;
    if (*found != NULL && (*found)->repeated)
        return grz_io_collada_fail(c, at, "more than one %s has the id %s", grz_io_collada_kind_name(kind),
                                   grz_io_collada_quote(id, quote));
    return grz_io_collada_work(c, at, strlen(id));
}

bool grz_io_collada_try(collada *c, const xml_element *at, const char *url, collada_kind kind, collada_id **found)
{
    char quote[SCAN_QUOTE_SIZE];
    *found = NULL;
    if (url == NULL || *url == '\0')
        return grz_io_collada_fail(c, at, "it names no %s", grz_io_collada_kind_name(kind));
    if (*url != '#')
        return grz_io_collada_fail(c, at, "its %s %s is in another file, which is not read",
                                   grz_io_collada_kind_name(kind), grz_io_collada_quote(url, quote));
    return grz_io_collada_try_id(c, at, url + 1, kind, found);
}

collada_id *grz_io_collada_find(collada *c, const xml_element *at, const char *url, collada_kind kind)
{
    char quote[SCAN_QUOTE_SIZE];
    collada_id *found;
    if (grz_io_collada_try(c, at, url, kind, &found) && found == NULL)
        grz_io_collada_fail(c, at, "no %s has the id %s", grz_io_collada_kind_name(kind),
                            grz_io_collada_quote(url + 1, quote));
    return found;
}
