// SPDX-License-Identifier: MIT
// Reasons of failures, work, and memory of the COLLADA reader.
#include "collada/collada.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    WORK_BETWEEN_LOOKS = 1 << 16,
    WORK_A_BYTE = 16,
    TAG_SHOWN = 40, // bytes of an element's name in a message
    PLACE_SIZE = 200
};

// What any file may cost, in bytes looked at: well below a second.
#define LEAST_WORK_LIMIT (UINT64_C(1) << 25)

const char *grz_io_collada_quote(const char *text, char buffer[SCAN_QUOTE_SIZE])
{
    return grz_io_token_quote((text_token){(const unsigned char *)text, strlen(text)}, buffer);
}

const char *grz_io_collada_name(const xml_element *of)
{
    const char *name = grz_io_xml_value(of, "name");
    if (name == NULL || *name == '\0')
        name = grz_io_xml_value(of, "id");
    return name != NULL && *name != '\0' ? name : NULL;
}

static const char *id_of(const xml_element *e)
{
    const char *id = grz_io_xml_value(e, "id");
    return id != NULL && *id != '\0' ? id : grz_io_collada_name(e);
}

// An element's name in a message: what is not plain ASCII becomes '?'.
static void print_tag(const xml_element *e, char tag[TAG_SHOWN])
{
    size_t n = 0;
    for (; n + 1 < TAG_SHOWN && e->name[n] != '\0'; n++)
        tag[n] = e->name[n] > ' ' && e->name[n] < 0x7f ? e->name[n] : '?';
    tag[n] = '\0';
}

bool grz_io_collada_fail(collada *c, const xml_element *at, const char *format, ...)
{
    char what[REASON_SIZE], place[PLACE_SIZE], tag[TAG_SHOWN], around[TAG_SHOWN], quote[SCAN_QUOTE_SIZE];
    const xml_element *named = at;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    while (named->parent != NULL && id_of(named) == NULL)
        named = named->parent;
    print_tag(at, tag);
    if (named->parent == NULL) { // the root, whose name says nothing
        (void)snprintf(place, sizeof place, "%s", tag);
    } else {
        print_tag(named, around);
        (void)snprintf(place, sizeof place, "%s %s%s%s", around, grz_io_collada_quote(id_of(named), quote),
                       named != at ? ": " : "", named != at ? tag : "");
    }
    return grz_io_xml_fail_at(c->r->control, at, "%s: %s", place, what);
}

bool grz_io_collada_work(collada *c, const xml_element *at, uint64_t bytes)
{
    c->work += bytes;
    if (c->work < c->next_look)
        return true;
    c->next_look = c->work + WORK_BETWEEN_LOOKS;
    if (c->work > LEAST_WORK_LIMIT + WORK_A_BYTE * (uint64_t)c->r->size)
        return grz_io_collada_fail(c, at,
                                   "what the scene shows, as often as it says, is more than a file of this "
                                   "size may make");
    const double all = (double)c->r->size, done = (double)c->work;
    grz_io_control_progress(c->r->control, done / (done + all));
    return grz_io_control_goes_on(c->r->control);
}

void *grz_io_collada_allocate(collada *c, uint64_t count, size_t element_size)
{
    const uint64_t elements = count > 0 ? count : 1;
    void *block = NULL;
    if (elements <= SIZE_MAX / element_size)
        block = grz_io_control_reallocate(c->r->control, NULL, 0, (size_t)elements * element_size);
    if (block == NULL)
        grz_io_fail_memory(c->r);
    else
        memset(block, 0, (size_t)elements * element_size);
    return block;
}

void grz_io_collada_release(collada *c, void *block, uint64_t count, size_t element_size)
{
    grz_io_control_release(c->r->control, block, (size_t)(count > 0 ? count : 1) * element_size);
}
