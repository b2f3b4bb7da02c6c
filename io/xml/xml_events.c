// SPDX-License-Identifier: MIT
// Hands expat's events on. A handler that stops the reading stops the parser.
#include "xml/xml_events.h"

#include "text_scan.h"

#include <expat.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
    DEEPEST = 1000,       // elements within each other
    PIECE_SIZE = 1 << 18, // bytes between two looks at the flag and the clock
    LONGEST_TAG = 1 << 20 // bytes of a tag or comment, which expat scans again from its start with each piece
};

// What expat may take: it keeps every name of an element or attribute to the end, and a file of other names only would
// grow without bound.
#define MOST_MEMORY (UINT64_C(64) << 20)

struct xml_stream {
    load_control *control;
    XML_Parser parser;
    const char *place;
    xml_handlers handlers;
    void *user;
    size_t depth;
    bool stopped;
    uint64_t lines_skipped;
    uint64_t pending; // bytes of a tag or comment that is not complete
    uint64_t fed;     // bytes so far
    uint64_t memory;  // bytes that expat has
    bool too_much;    // it asked for more than MOST_MEMORY
};

// Whose parser runs on this thread: expat's functions of memory are not told. Set only within calls of this file.
static _Thread_local xml_stream *running;

// Before each block stands its size, in room that keeps the alignment of malloc.
#define SIZE_ROOM sizeof(max_align_t)

static size_t size_of(const unsigned char *block)
{
    size_t size = 0;
    if (block != NULL)
        memcpy(&size, block, sizeof size);
    return size;
}

static void *reallocate(void *address, size_t size)
{
    unsigned char *block = address != NULL ? (unsigned char *)address - SIZE_ROOM : NULL;
    const size_t before = size_of(block);
    if (size > MOST_MEMORY || running->memory - before + size > MOST_MEMORY) {
        running->too_much = true;
        return NULL;
    }
    const size_t wanted = size + SIZE_ROOM;
    unsigned char *moved = grz_io_control_reallocate(running->control, block, before, wanted);
    if (moved == NULL)
        return NULL;
    running->memory = running->memory - before + wanted;
    memcpy(moved, &wanted, sizeof wanted);
    return moved + SIZE_ROOM;
}

static void *allocate(size_t size)
{
    return reallocate(NULL, size);
}

static void release(void *address)
{
    if (address == NULL)
        return;
    unsigned char *block = (unsigned char *)address - SIZE_ROOM;
    running->memory -= size_of(block);
    grz_io_control_release(running->control, block, size_of(block));
}

static const XML_Memory_Handling_Suite memory = {allocate, reallocate, release};

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

static bool fail_memory(load_control *control)
{
    return grz_io_control_fail(control, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "not enough memory for the model");
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
static int XMLCALL refuse_encoding(void *user, const XML_Char *name, XML_Encoding *encoding)
{
    xml_stream *x = user;
    char quote[SCAN_QUOTE_SIZE];
    (void)encoding;
    const text_token token = {(const unsigned char *)name, strlen(name)};
    (void)grz_io_xml_fail(x, "the encoding %s is not read: save it as UTF-8", grz_io_token_quote(token, quote));
    return XML_STATUS_ERROR;
}

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
    static const char separator[] = {XML_NAMESPACE_END, '\0'};
    xml_stream *x = grz_io_control_reallocate(control, NULL, 0, sizeof *x);
    XML_Parser parser = NULL;
    if (x != NULL) {
        *x = (xml_stream){.control = control, .place = place, .handlers = *handlers, .user = user};
        running = x;
        parser = XML_ParserCreate_MM(NULL, &memory, namespaces ? separator : NULL);
        running = NULL;
    }
    if (parser == NULL) {
        grz_io_control_release(control, x, sizeof *x);
        fail_memory(control);
        return NULL;
    }
    x->parser = parser;
    XML_SetUserData(parser, x);
    XML_SetElementHandler(parser, begin_element, end_element);
    if (handlers->text != NULL)
        XML_SetCharacterDataHandler(parser, take_text);
    if (namespaces && handlers->prefix != NULL)
        XML_SetStartNamespaceDeclHandler(parser, take_prefix);
    XML_SetUnknownEncodingHandler(parser, refuse_encoding, x);
    XML_SetEntityDeclHandler(parser, refuse_entity);
    XML_SetStartDoctypeDeclHandler(parser, refuse_document);
    return x;
}

static bool feed_piece(xml_stream *x, const unsigned char *bytes, size_t size, bool last)
{
    if (!grz_io_control_goes_on(x->control))
        return false;
    running = x;
    const enum XML_Status status = XML_Parse(x->parser, (const char *)bytes, (int)size, last);
    running = NULL;
    x->fed += size;
    if (status == XML_STATUS_OK) {
        const XML_Index at = XML_GetCurrentByteIndex(x->parser);
        x->pending = at >= 0 && !last ? x->fed - (uint64_t)at : 0;
        if (!x->stopped && x->pending > LONGEST_TAG)
            return grz_io_xml_fail(x, "a tag or comment of more than %d MiB", LONGEST_TAG >> 20);
        return !x->stopped;
    }
    if (x->too_much)
        return grz_io_xml_fail(x, "its names and tags need more than %llu MiB of memory",
                               (unsigned long long)(MOST_MEMORY >> 20));
    const enum XML_Error why = XML_GetErrorCode(x->parser);
    if (why == XML_ERROR_NO_MEMORY)
        return fail_memory(x->control);
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

uint64_t grz_io_xml_pending(const xml_stream *x)
{
    return x->pending;
}

void grz_io_xml_skip_lines(xml_stream *x, uint64_t lines)
{
    x->lines_skipped += lines;
}

uint64_t grz_io_xml_line(const xml_stream *x)
{
    return XML_GetCurrentLineNumber(x->parser) + x->lines_skipped;
}

void grz_io_xml_close(xml_stream *x)
{
    if (x == NULL)
        return;
    running = x;
    XML_ParserFree(x->parser);
    running = NULL;
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
