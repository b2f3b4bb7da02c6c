// SPDX-License-Identifier: MIT
// Builds the tree from expat's events. A handler that must give up stops the parser and leaves the reason in `wrong`.
#include "robot/xml.h"

#include <expat.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEEPEST = 100 // elements within each other; URDF needs five
};

typedef struct building {
    XML_Parser parser;
    xml_element *root, *open; // the innermost that is not closed yet
    size_t depth;
    const char *wrong; // why the reading was stopped; NULL: it was not
} building;

static void give_up(building *b, const char *why)
{
    if (b->wrong == NULL)
        b->wrong = why;
    XML_StopParser(b->parser, XML_FALSE);
}

static char **copy_attributes(const XML_Char **attributes)
{
    size_t count = 0;
    while (attributes[count] != NULL)
        count++;
    char **copies = calloc(count + 1, sizeof *copies);
    for (size_t i = 0; copies != NULL && i < count; i++) {
        copies[i] = strdup(attributes[i]);
        if (copies[i] != NULL)
            continue;
        while (i > 0)
            free(copies[--i]);
        free(copies);
        return NULL;
    }
    return copies;
}

static void free_element(xml_element *element)
{
    for (size_t i = 0; element->attributes != NULL && element->attributes[i] != NULL; i++)
        free(element->attributes[i]);
    free(element->attributes);
    free(element->name);
    free(element);
}

static void XMLCALL begin_element(void *user, const XML_Char *name, const XML_Char **attributes)
{
    building *b = user;
    if (b->wrong != NULL)
        return;
    if (b->depth++ == DEEPEST) {
        give_up(b, "elements are nested too deep");
        return;
    }
    xml_element *made = calloc(1, sizeof *made);
    if (made == NULL) {
        give_up(b, "out of memory");
        return;
    }
    made->name = strdup(name);
    made->attributes = copy_attributes(attributes);
    made->line = XML_GetCurrentLineNumber(b->parser);
    if (made->name == NULL || made->attributes == NULL) {
        free_element(made);
        give_up(b, "out of memory");
        return;
    }
    made->parent = b->open;
    if (b->open == NULL)
        b->root = made;
    else if (b->open->last == NULL)
        b->open->children = made;
    else
        b->open->last->next = made;
    if (b->open != NULL)
        b->open->last = made;
    b->open = made;
}

static void XMLCALL end_element(void *user, const XML_Char *name)
{
    building *b = user;
    (void)name;
    if (b->wrong != NULL || b->open == NULL)
        return;
    b->open = b->open->parent;
    b->depth--;
}

static void XMLCALL declare_entity(void *user, const XML_Char *name, int is_parameter, const XML_Char *value,
                                   int length, const XML_Char *base, const XML_Char *system, const XML_Char *public_id,
                                   const XML_Char *notation)
{
    (void)name, (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public_id,
        (void)notation;
    give_up(user, "it declares an entity, which is not allowed here");
}

// What another document declares would be left out without a word.
static void XMLCALL begin_doctype(void *user, const XML_Char *name, const XML_Char *system, const XML_Char *public_id,
                                  int has_internal_subset)
{
    (void)name, (void)public_id, (void)has_internal_subset;
    if (system != NULL)
        give_up(user, "it refers to another document, which is not allowed here");
}

static bool parse_all(building *b, const unsigned char *bytes, size_t count)
{
    const size_t most = 1 << 20; // expat takes int
    do {
        const size_t some = count < most ? count : most;
        if (XML_Parse(b->parser, (const char *)bytes, (int)some, some == count) != XML_STATUS_OK)
            return false;
        bytes += some;
        count -= some;
    } while (count > 0);
    return b->wrong == NULL;
}

xml_element *xml_read(const unsigned char *bytes, size_t count, char *message, size_t size)
{
    static const unsigned char nothing[1];
    building b = {.parser = XML_ParserCreate(NULL)};
    if (b.parser == NULL) {
        snprintf(message, size, "out of memory");
        return NULL;
    }
    XML_SetUserData(b.parser, &b);
    XML_SetElementHandler(b.parser, begin_element, end_element);
    XML_SetEntityDeclHandler(b.parser, declare_entity);
    XML_SetStartDoctypeDeclHandler(b.parser, begin_doctype);
    const bool read = parse_all(&b, bytes != NULL ? bytes : nothing, bytes != NULL ? count : 0);
    if (!read)
        snprintf(message, size, "line %lu: %s", (unsigned long)XML_GetCurrentLineNumber(b.parser),
                 b.wrong != NULL ? b.wrong : XML_ErrorString(XML_GetErrorCode(b.parser)));
    XML_ParserFree(b.parser);
    if (read)
        return b.root;
    xml_free(b.root);
    return NULL;
}

// Without recursion: a child is freed before its parent, and its brothers take its place.
void xml_free(xml_element *root)
{
    while (root != NULL) {
        if (root->children != NULL) {
            xml_element *child = root->children;
            root->children = child->next;
            child->parent = root;
            child->next = NULL;
            root = child;
            continue;
        }
        xml_element *parent = root->parent;
        free_element(root);
        root = parent;
    }
}

const char *xml_attribute(const xml_element *of, const char *name)
{
    for (size_t i = 0; of->attributes[i] != NULL; i += 2)
        if (strcmp(of->attributes[i], name) == 0)
            return of->attributes[i + 1];
    return NULL;
}

const xml_element *xml_child(const xml_element *of, const char *name, const xml_element *after)
{
    const xml_element *child = after != NULL ? after->next : of->children;
    while (child != NULL && strcmp(child->name, name) != 0)
        child = child->next;
    return child;
}

bool xml_begins(const unsigned char *bytes, size_t count)
{
    size_t at = count >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < count && strchr(" \t\r\n", bytes[at]) != NULL && bytes[at] != '\0')
        at++;
    return at < count && bytes[at] == '<';
}
