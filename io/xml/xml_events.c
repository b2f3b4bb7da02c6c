// SPDX-License-Identifier: MIT
// Hands expat's events on. A handler that stops the reading stops the parser.
#include "xml/xml_events.h"

#include <expat.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    DEEPEST = 1000,      // elements within each other
    PIECE_SIZE = 1 << 18 // bytes between two looks at the flag and the clock
};

struct xml_stream {
    load_control *control;
    XML_Parser parser;
    const char *place;
    xml_handlers handlers;
    void *user;
    size_t depth;
    bool stopped;
};

bool grz_io_xml_fail(xml_stream *x, const char *format, ...)
{
    char what[REASON_SIZE];
    const uint64_t line = grz_io_xml_line(x);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return grz_io_control_fail(x->control, GRZ_ERROR_FORMAT, line, "%sline %llu: %s", x->place,
                               (unsigned long long)line, what);
}

static void stop(xml_stream *x)
{
    if (!x->stopped)
        XML_StopParser(x->parser, XML_FALSE);
    x->stopped = true;
}

static void XMLCALL begin_element(void *user, const XML_Char *name, const XML_Char **attributes)
{
    xml_stream *x = user;
    if (x->stopped)
        return;
    if (x->depth++ == DEEPEST)
        grz_io_xml_fail(x, "more than %d elements within each other", (int)DEEPEST);
    else if (x->handlers.begin(x->user, name, attributes))
        return;
    stop(x);
}

static void XMLCALL end_element(void *user, const XML_Char *name)
{
    xml_stream *x = user;
    if (x->stopped)
        return;
    x->depth--;
    if (!x->handlers.end(x->user, name))
        stop(x);
}

static void XMLCALL take_text(void *user, const XML_Char *text, int length)
{
    xml_stream *x = user;
    if (!x->stopped && !x->handlers.text(x->user, text, (size_t)length))
        stop(x);
}

static void XMLCALL take_prefix(void *user, const XML_Char *prefix, const XML_Char *address)
{
    xml_stream *x = user;
    if (!x->stopped && !x->handlers.prefix(x->user, prefix != NULL ? prefix : "", address != NULL ? address : ""))
        stop(x);
}

static void XMLCALL refuse_entity(void *user, const XML_Char *name, int is_parameter, const XML_Char *value, int length,
                                  const XML_Char *base, const XML_Char *system, const XML_Char *public_id,
                                  const XML_Char *notation)
{
    xml_stream *x = user;
    (void)name, (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public_id,
        (void)notation;
    if (!x->stopped)
        grz_io_xml_fail(x, "it declares an entity, which is not allowed here");
    stop(x);
}

// What another document declares would be left out without a word.
static void XMLCALL refuse_document(void *user, const XML_Char *name, const XML_Char *system, const XML_Char *public_id,
                                    int has_internal_subset)
{
    xml_stream *x = user;
    (void)name, (void)public_id, (void)has_internal_subset;
    if (system == NULL || x->stopped)
        return;
    grz_io_xml_fail(x, "it refers to another document, which is not allowed here");
    stop(x);
}

xml_stream *grz_io_xml_open(load_control *control, const char *place, const xml_handlers *handlers, void *user,
                            bool namespaces)
{
    xml_stream *x = grz_io_control_reallocate(control, NULL, 0, sizeof *x);
    XML_Parser parser = NULL;
    if (x != NULL)
        parser = namespaces ? XML_ParserCreateNS(NULL, XML_NAMESPACE_END) : XML_ParserCreate(NULL);
    if (parser == NULL) {
        grz_io_control_release(control, x, sizeof *x);
        grz_io_control_fail(control, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "not enough memory for the model");
        return NULL;
    }
    *x = (xml_stream){.control = control, .parser = parser, .place = place, .handlers = *handlers, .user = user};
    XML_SetUserData(parser, x);
    XML_SetElementHandler(parser, begin_element, end_element);
    if (handlers->text != NULL)
        XML_SetCharacterDataHandler(parser, take_text);
    if (namespaces && handlers->prefix != NULL)
        XML_SetStartNamespaceDeclHandler(parser, take_prefix);
    XML_SetEntityDeclHandler(parser, refuse_entity);
    XML_SetStartDoctypeDeclHandler(parser, refuse_document);
    return x;
}

static bool feed_piece(xml_stream *x, const unsigned char *bytes, size_t size, bool last)
{
    if (!grz_io_control_goes_on(x->control))
        return false;
    if (XML_Parse(x->parser, (const char *)bytes, (int)size, last) == XML_STATUS_OK)
        return !x->stopped;
    const enum XML_Error why = XML_GetErrorCode(x->parser);
    if (why == XML_ERROR_NO_MEMORY)
        return grz_io_control_fail(x->control, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "not enough memory for the model");
    return grz_io_xml_fail(x, "%s", XML_ErrorString(why)); // nothing where a handler gave the reason already
}

bool grz_io_xml_feed(xml_stream *x, const unsigned char *bytes, size_t size, bool last)
{
    static const unsigned char nothing[1];
    const unsigned char *at = bytes != NULL ? bytes : nothing;
    while (size > PIECE_SIZE) {
        if (!feed_piece(x, at, PIECE_SIZE, false))
            return false;
        at += PIECE_SIZE;
        size -= PIECE_SIZE;
    }
    return feed_piece(x, at, size, last);
}

uint64_t grz_io_xml_line(const xml_stream *x)
{
    return XML_GetCurrentLineNumber(x->parser);
}

void grz_io_xml_close(xml_stream *x)
{
    if (x == NULL)
        return;
    XML_ParserFree(x->parser);
    grz_io_control_release(x->control, x, sizeof *x);
}

const char *grz_io_xml_attribute(const char *const *attributes, const char *name)
{
    for (size_t i = 0; attributes[i] != NULL; i += 2)
        if (strcmp(attributes[i], name) == 0)
            return attributes[i + 1];
    return NULL;
}

bool grz_io_xml_begins(const unsigned char *bytes, size_t size)
{
    if (size >= 4 && bytes[0] == 0xff && bytes[1] == 0xfe)
        return bytes[2] == '<' && bytes[3] == 0;
    if (size >= 4 && bytes[0] == 0xfe && bytes[1] == 0xff)
        return bytes[2] == 0 && bytes[3] == '<';
    size_t at = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < size && (bytes[at] == ' ' || (bytes[at] >= '\t' && bytes[at] <= '\r')))
        at++;
    return at < size && bytes[at] == '<';
}
