// SPDX-License-Identifier: MIT
// Builds the tree from events. An element, its name and its attributes are one block of memory; its text is another,
// which doubles as it grows.
#include "xml/xml_tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    LEAST_TEXT = 32 // bytes
};

static bool fail_memory(const xml_tree *t)
{
    return grz_io_control_fail(t->control, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "not enough memory for the model");
}

static size_t address_size(const char *name)
{
    const char *end = strrchr(name, XML_NAMESPACE_END);
    return end != NULL ? (size_t)(end - name) : 0;
}

// Without the address of its namespace, where that is the root's.
static const char *local_name(const xml_tree *t, const char *name)
{
    const size_t size = t->namespaces ? address_size(name) : 0;
    return size > 0 && size == t->own_size && memcmp(name, t->own, size) == 0 ? name + size + 1 : name;
}

bool grz_io_xml_is_foreign(const xml_element *e)
{
    return strchr(e->name, XML_NAMESPACE_END) != NULL;
}

static char *put_text(char **room, const char *text)
{
    char *put = *room;
    const size_t size = strlen(text) + 1;
    memcpy(put, text, size);
    *room += size;
    return put;
}

// A new element with copies of its name and its attributes.
static xml_element *make(xml_tree *t, const char *name, const char **attributes)
{
    size_t count = 0, size = sizeof(xml_element) + strlen(name) + 1;
    for (; attributes[count] != NULL; count++)
        size += strlen(attributes[count]) + 1;
    size += (count + 1) * sizeof(char *);
    xml_element *made = grz_io_control_reallocate(t->control, NULL, 0, size);
    if (made == NULL)
        return NULL;
    const char **copies = (const char **)(made + 1);
    char *room = (char *)(copies + count + 1);
    *made = (xml_element){.attributes = copies, .block_size = size};
    const char *copy = put_text(&room, name);
    if (t->root == NULL) {
        t->own = copy;
        t->own_size = t->namespaces ? address_size(copy) : 0;
    }
    made->name = local_name(t, copy);
    for (size_t i = 0; i < count; i++)
        copies[i] = put_text(&room, i % 2 == 0 ? local_name(t, attributes[i]) : attributes[i]);
    copies[count] = NULL;
    return made;
}

static bool begin(void *user, const char *name, const char **attributes)
{
    xml_tree *t = user;
    xml_element *made = make(t, name, attributes);
    if (made == NULL)
        return fail_memory(t);
    made->line = grz_io_xml_line(t->stream);
    made->parent = t->open;
    made->before = t->newest;
    t->newest = made;
    t->element_count++;
    if (t->open == NULL)
        t->root = made;
    else if (t->open->last == NULL)
        t->open->children = made;
    else
        t->open->last->next = made;
    if (t->open != NULL)
        t->open->last = made;
    t->open = made;
    return true;
}

static bool end(void *user, const char *name)
{
    xml_tree *t = user;
    (void)name;
    t->open = t->open->parent;
    return true;
}

static bool is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (strchr(" \t\r\n", text[i]) == NULL)
            return false;
    return true;
}

static bool add_text(void *user, const char *text, size_t length)
{
    xml_tree *t = user;
    xml_element *e = t->open;
    if (e == NULL || (e->text_length == 0 && is_blank(text, length)))
        return true;
    if (length >= e->text_room - e->text_length) { // one more for the NUL
        const size_t doubled = 2 * e->text_room, needed = e->text_length + length + 1;
        const size_t room = doubled > needed ? doubled : needed < LEAST_TEXT ? LEAST_TEXT : needed;
        void *moved = grz_io_control_reallocate(t->control, (void *)e->text, e->text_room, room);
        if (moved == NULL)
            return fail_memory(t);
        e->text = moved;
        e->text_room = room;
    }
    char *to = (char *)e->text + e->text_length;
    memcpy(to, text, length);
    to[length] = '\0';
    e->text_length += length;
    return true;
}

bool grz_io_xml_read(load_control *control, const unsigned char *bytes, size_t size, bool keeps_text, bool namespaces,
                     xml_tree *tree)
{
    *tree = (xml_tree){.control = control, .namespaces = namespaces};
    const xml_handlers handlers = {.begin = begin, .end = end, .text = keeps_text ? add_text : NULL};
    tree->stream = grz_io_xml_open(control, "", &handlers, tree, namespaces);
    const bool ok = tree->stream != NULL && grz_io_xml_feed(tree->stream, bytes, size, true);
    grz_io_xml_close(tree->stream);
    tree->stream = NULL;
    return ok;
}

void grz_io_xml_free(xml_tree *tree)
{
    for (xml_element *e = tree->newest, *before; e != NULL; e = before) {
        before = e->before;
        grz_io_control_release(tree->control, (void *)e->text, e->text_room);
        grz_io_control_release(tree->control, e, e->block_size);
    }
    tree->root = tree->newest = NULL;
}

const char *grz_io_xml_value(const xml_element *of, const char *name)
{
    return grz_io_xml_attribute(of->attributes, name);
}

const xml_element *grz_io_xml_child(const xml_element *of, const char *name, const xml_element *after)
{
    const xml_element *child = after != NULL ? after->next : of->children;
    while (child != NULL && strcmp(child->name, name) != 0)
        child = child->next;
    return child;
}

bool grz_io_xml_fail_at(load_control *control, const xml_element *at, const char *format, ...)
{
    char what[REASON_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return grz_io_control_fail(control, GRZ_ERROR_FORMAT, at->line, "line %llu: %s", (unsigned long long)at->line,
                               what);
}
