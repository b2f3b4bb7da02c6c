// SPDX-License-Identifier: MIT
// Reports live in blocks of memory that only grow, and are freed together. A row is dropped by going back to where it
// began.

#include "report/report.h"

#include "report/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_SIZE = 16384
};

// The latest block comes first.
struct report_block {
    struct report_block *before;
    size_t size, used;
    max_align_t bytes[];
};

static void *take(report *r, size_t size)
{
    struct report_block *block = r->blocks;
    const size_t rounded = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);

    if (r->failed)
        return NULL;
    if (block == NULL || block->size - block->used < rounded) {
        const size_t room = rounded > BLOCK_SIZE ? rounded : BLOCK_SIZE;
        block = malloc(sizeof *block + room);
        if (block == NULL) {
            r->failed = true;
            return NULL;
        }
        *block = (struct report_block){.before = r->blocks, .size = room};
        r->blocks = block;
    }
    void *taken = (char *)block->bytes + block->used;
    block->used += rounded;
    return taken;
}

static void free_blocks_after(report *r, const struct report_block *last)
{
    while (r->blocks != last) {
        struct report_block *block = r->blocks;
        r->blocks = block->before;
        free(block);
    }
}

// A value that belongs to nothing yet.
static report_value *make_value(report *r, report_kind kind, const char *key)
{
    report_value *value = take(r, sizeof *value);

    if (value != NULL)
        *value = (report_value){.key = key, .kind = kind};
    return value;
}

static report_value *put(report *r, report_value *in, report_kind kind, const char *key)
{
    report_value *value = in != NULL ? make_value(r, kind, key) : NULL;

    if (value == NULL)
        return NULL;
    if (in->as.items.last != NULL)
        in->as.items.last->next = value;
    else
        in->as.items.first = value;
    in->as.items.last = value;
    return value;
}

static const char *format_list(report *r, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

static const char *format_list(report *r, const char *format, va_list arguments)
{
    struct report_block *block = r->blocks;
    const size_t room = block != NULL ? block->size - block->used : 0;
    char *text = block != NULL ? (char *)block->bytes + block->used : NULL;

    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(text, room, format, arguments); // it mostly fits into what is left of the block
    const bool fits = length >= 0 && (size_t)length < room;
    text = length >= 0 ? take(r, (size_t)length + 1) : NULL;
    if (text != NULL && !fits)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text != NULL ? text : "";
}

report report_begin(const char *command)
{
    report r = {.command = command};

    r.lines = make_value(&r, REPORT_LIST, NULL);
    r.members = make_value(&r, REPORT_OBJECT, NULL);
    report_put_text(&r, r.members, "command", command);
    return r;
}

void report_finish(report *r)
{
    free_blocks_after(r, NULL);
    *r = (report){0};
}

void report_verdict(report *r, report_tone tone, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    r->tone = tone;
    r->verdict = format_list(r, format, arguments);
    va_end(arguments);
}

void report_line(report *r, report_value *to, report_line_kind kind, const char *label, const char *format, ...)
{
    report_value *value = put(r, to, REPORT_TEXT, label);

    va_list arguments;
    va_start(arguments, format);
    if (value != NULL) {
        value->line = kind;
        value->as.text = format_list(r, format, arguments);
    }
    va_end(arguments);
}

const char *report_format(report *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = format_list(r, format, arguments);
    va_end(arguments);
    return text;
}

void report_put_null(report *r, report_value *in, const char *key)
{
    put(r, in, REPORT_NULL, key);
}

void report_put_bool(report *r, report_value *in, const char *key, bool value)
{
    report_value *made = put(r, in, REPORT_BOOL, key);
    if (made != NULL)
        made->as.yes = value;
}

void report_put_count(report *r, report_value *in, const char *key, uint64_t value)
{
    report_value *made = put(r, in, REPORT_COUNT, key);
    if (made != NULL)
        made->as.count = value;
}

void report_put_real(report *r, report_value *in, const char *key, double value)
{
    report_value *made = put(r, in, REPORT_REAL, key);
    if (made != NULL)
        made->as.real = value;
}

void report_put_text(report *r, report_value *in, const char *key, const char *value)
{
    report_value *made = put(r, in, value != NULL ? REPORT_TEXT : REPORT_NULL, key);
    if (made != NULL && value != NULL)
        made->as.text = report_format(r, "%s", value);
}

// What RFC 3986 leaves as it is in a path: unreserved characters and the slash.
static bool is_plain(unsigned char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           (byte != '\0' && strchr("-._~/", byte) != NULL);
}

static const char *percent_encode(report *r, const char *bytes)
{
    char *text = take(r, strlen(bytes) * 3 + 1), *end = text;

    if (text == NULL)
        return "";
    for (; *bytes != '\0'; bytes++) {
        const unsigned char byte = (unsigned char)*bytes;
        if (is_plain(byte))
            *end++ = *bytes;
        else
            end += snprintf(end, 4, "%%%02X", byte);
    }
    *end = '\0';
    return text;
}

void report_put_name(report *r, report_value *in, const char *key, const char *bytes_key, const char *name)
{
    report_put_text(r, in, key, name);
    report_put_name_bytes(r, in, bytes_key, name);
}

void report_put_name_bytes(report *r, report_value *in, const char *key, const char *name)
{
    report_put_text(r, in, key, printable_is_utf8(name) ? NULL : percent_encode(r, name));
}

report_value *report_put_object(report *r, report_value *in, const char *key)
{
    return put(r, in, REPORT_OBJECT, key);
}

report_value *report_put_list(report *r, report_value *in, const char *key)
{
    return put(r, in, REPORT_LIST, key);
}

report_value *report_put_rows(report *r, report_value *in, const char *key, uint64_t count, const void *source,
                              report_make_row *make)
{
    report_value *made = put(r, in, REPORT_ROWS, key);
    if (made != NULL) {
        made->as.rows.count = count;
        made->as.rows.source = source;
        made->as.rows.make = make;
    }
    return made;
}

report_mark report_begin_row(report *r)
{
    return (report_mark){r->blocks, r->blocks != NULL ? r->blocks->used : 0};
}

const report_value *report_make(report *r, const report_value *rows, uint64_t index)
{
    report_value *made = make_value(r, REPORT_LIST, NULL);

    if (made != NULL)
        rows->as.rows.make(rows->as.rows.source, index, r, made);
    return r->failed ? NULL : made;
}

void report_drop_row(report *r, report_mark mark)
{
    free_blocks_after(r, mark.block);
    if (r->blocks != NULL)
        r->blocks->used = mark.used;
}
