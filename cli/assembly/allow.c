// SPDX-License-Identifier: MIT
// Reads rules. In a file of lines a # begins a comment at the start of a line or behind white space, so that names may
// hold one. SRDF (the semantics of a robot, as MoveIt writes it) is XML: each <disable_collisions> below its root
// <robot> is a rule, with link1, link2 and perhaps a reason. All else is left alone.
#include "assembly/allow.h"

#include "robot/xml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WHY_SIZE = 800,
    REASON_SIZE = 700, // of what is wrong with a rule
    FILE_SHOWN = 300,
    TEXT_SHOWN = 100
};

// Where rules come from, and where they go.
typedef struct rule_reading {
    const char *file;
    const scene_objects *objects;
    exclusions *out;
    char *message;
} rule_reading;

static bool fail(const rule_reading *r, unsigned long line, const char *reason)
{
    snprintf(r->message, LOAD_MESSAGE_SIZE, "%.*s: line %lu: %s", FILE_SHOWN, r->file, line, reason);
    return false;
}

static bool read_line(const rule_reading *r, unsigned long number, char *line)
{
    char why[WHY_SIZE], reason[REASON_SIZE], shown[REASON_SIZE + TEXT_SHOWN + 8];
    size_t length = strlen(line);

    for (size_t i = 0; i < length; i++)
        if (line[i] == '#' && (i == 0 || strchr(" \t", line[i - 1]) != NULL))
            length = i;
    while (length > 0 && strchr(" \t\r", line[length - 1]) != NULL)
        length--;
    line[length] = '\0';
    while (*line == ' ' || *line == '\t')
        line++;
    if (*line == '\0')
        return true;
    snprintf(why, sizeof why, "%.*s line %lu", FILE_SHOWN, r->file, number);
    if (exclusions_add_pair(r->out, r->objects, line, why, reason, sizeof reason))
        return true;
    snprintf(shown, sizeof shown, "%.*s: %s", TEXT_SHOWN, line, reason);
    return fail(r, number, shown);
}

static bool read_lines(const rule_reading *r, const unsigned char *bytes, size_t count)
{
    static const unsigned char mark[] = {0xef, 0xbb, 0xbf}; // of UTF-8, as Windows writes it
    const bool marked = count >= sizeof mark && memcmp(bytes, mark, sizeof mark) == 0;
    unsigned long number = 1;
    for (size_t at = marked ? sizeof mark : 0; at < count; number++) {
        const unsigned char *end = memchr(bytes + at, '\n', count - at);
        const size_t length = end != NULL ? (size_t)(end - bytes) - at : count - at;
        if (memchr(bytes + at, '\0', length) != NULL)
            return fail(r, number, "it holds a zero byte: this is no text");
        char *line = strndup((const char *)bytes + at, length);
        const bool read = line != NULL ? read_line(r, number, line) : fail(r, number, "out of memory");
        free(line);
        if (!read)
            return false;
        at += length + 1;
    }
    return true;
}

static bool read_srdf(const rule_reading *r, const xml_element *root)
{
    char why[WHY_SIZE], reason[REASON_SIZE];

    if (strcmp(root->name, "robot") != 0)
        return fail(r, root->line, "the root of this XML is not <robot>: only SRDF is read");
    for (const xml_element *rule = NULL; (rule = xml_child(root, "disable_collisions", rule)) != NULL;) {
        const char *a = xml_attribute(rule, "link1"), *b = xml_attribute(rule, "link2");
        const char *told = xml_attribute(rule, "reason");
        if (a == NULL || b == NULL)
            return fail(r, rule->line, "disable_collisions needs link1 and link2");
        snprintf(why, sizeof why, "%.*s line %lu%s%.*s%s", FILE_SHOWN, r->file, rule->line, told != NULL ? " (" : "",
                 TEXT_SHOWN, told != NULL ? told : "", told != NULL ? ")" : "");
        if (!exclusions_add_named(r->out, r->objects, a, b, why, reason, sizeof reason))
            return fail(r, rule->line, reason);
    }
    return true;
}

bool allow_read_bytes(const char *file, const unsigned char *bytes, size_t count, const scene_objects *objects,
                      exclusions *out, char message[LOAD_MESSAGE_SIZE])
{
    const rule_reading r = {.file = file, .objects = objects, .out = out, .message = message};
    char reason[REASON_SIZE];

    if (!xml_begins(bytes, count))
        return read_lines(&r, bytes, count);
    xml_element *root = xml_read(bytes, count, reason, sizeof reason);
    if (root == NULL) {
        snprintf(message, LOAD_MESSAGE_SIZE, "%.*s: %s", FILE_SHOWN, file, reason);
        return false;
    }
    const bool read = read_srdf(&r, root);
    xml_free(root);
    return read;
}

static bool read_file(const char *file, const scene_objects *objects, exclusions *out, char *message)
{
    grz_io_file *opened;
    grz_error error = {0};

    if (grz_io_file_open(file, NULL, &opened, &error) != GRZ_OK) {
        snprintf(message, LOAD_MESSAGE_SIZE, "%s", error.message);
        return false;
    }
    const bool read = allow_read_bytes(file, opened->bytes, opened->size, objects, out, message);
    grz_io_file_close(opened);
    return read;
}

bool allow_read(const options *given, const scene_objects *objects, exclusions *out, char message[LOAD_MESSAGE_SIZE])
{
    for (size_t i = 0; i < given->value_count; i++) {
        const option_value *value = &given->values[i];
        char why[WHY_SIZE], reason[REASON_SIZE];
        if (value->option == OPTION_ALLOW_FILE && !read_file(value->text, objects, out, message))
            return false;
        if (value->option != OPTION_ALLOW)
            continue;
        snprintf(why, sizeof why, "--allow %.*s", (int)(sizeof why - 16), value->text);
        if (exclusions_add_pair(out, objects, value->text, why, reason, sizeof reason))
            continue;
        snprintf(message, LOAD_MESSAGE_SIZE, "--allow %.*s: %s", FILE_SHOWN, value->text, reason);
        return false;
    }
    return true;
}
