// SPDX-License-Identifier: MIT
// Reads rules. In a file of lines a # begins a comment at the start of a line or behind white space, so that names may
// hold one. SRDF (the semantics of a robot, as MoveIt writes it) is XML, read by libgraze_io: each <disable_collisions>
// is a rule.
#include "assembly/allow.h"

#include "assembly/robot_objects.h"

#include <graze/io_robot.h>

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

// The robot of the scene that bears another name than the one that SRDF is for. NULL: one bears that name, there is
// none, or the names are not known.
static const scene_robot *find_other_robot(const rule_reading *r, const grz_io_srdf *rules)
{
    const scene_objects *objects = r->objects;
    for (size_t i = 0; i < objects->robot_count; i++)
        if (*objects->robots[i].is->name == '\0' || strcmp(objects->robots[i].is->name, rules->name) == 0)
            return NULL;
    return objects->robot_count > 0 && *rules->name != '\0' ? objects->robots : NULL;
}

// A file for another robot may name links that this one has, too. That is only noted, as MoveIt does.
static bool note_robot(const rule_reading *r, const grz_io_srdf *rules, const scene_robot *other)
{
    char note[2 * WHY_SIZE];
    if (other == NULL)
        return true;
    snprintf(note, sizeof note,
             "%.*s: it is for a robot called %.*s, and that of %.*s is called %.*s: is it the right file?", FILE_SHOWN,
             r->file, TEXT_SHOWN, rules->name, FILE_SHOWN, other->file, TEXT_SHOWN, other->is->name);
    return exclusions_note(r->out, note) || fail(r, 1, "out of memory");
}

static bool add_rules(const rule_reading *r, const grz_io_srdf *rules)
{
    char why[WHY_SIZE], reason[REASON_SIZE], shown[REASON_SIZE + 2 * TEXT_SHOWN + 80];
    const scene_robot *other = find_other_robot(r, rules);

    for (size_t i = 0; i < rules->disabled_count; i++) {
        const grz_io_disabled_pair *rule = &rules->disabled[i];
        const char *told = rule->reason;
        snprintf(why, sizeof why, "%.*s line %llu%s%.*s%s", FILE_SHOWN, r->file, (unsigned long long)rule->line,
                 told != NULL ? " (" : "", TEXT_SHOWN, told != NULL ? told : "", told != NULL ? ")" : "");
        if (strcmp(rule->link1, rule->link2) == 0 && names_one_link(r->objects, rule->link1))
            continue; // a link is never tested against itself
        if (exclusions_add_named(r->out, r->objects, rule->link1, rule->link2, why, reason, sizeof reason))
            continue;
        snprintf(shown, sizeof shown, "%s", reason);
        if (other != NULL)
            snprintf(shown, sizeof shown, "%s; the file is for a robot called %.*s, not for %.*s", reason, TEXT_SHOWN,
                     rules->name, TEXT_SHOWN, other->is->name);
        return fail(r, (unsigned long)rule->line, shown);
    }
    return note_robot(r, rules, other);
}

static bool read_srdf(const rule_reading *r, const unsigned char *bytes, size_t count)
{
    char reason[REASON_SIZE] = "";
    grz_io_options wanted = grz_io_default_options();
    grz_io_srdf *rules;

    wanted.reason = reason;
    wanted.reason_size = sizeof reason;
    if (grz_io_srdf_load_memory(r->file, bytes, count, &wanted, &rules, NULL) != GRZ_OK) {
        snprintf(r->message, LOAD_MESSAGE_SIZE, "%.*s: %s", FILE_SHOWN, r->file, reason);
        return false;
    }
    const bool read = add_rules(r, rules);
    grz_io_srdf_destroy(rules);
    return read;
}

// Whether the text begins as XML does: '<' behind a byte order mark and white space, also in UTF-16.
static bool is_xml(const unsigned char *bytes, size_t count)
{
    size_t at = count >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    if (count >= 4 && (memcmp(bytes, "\xFF\xFE<\0", 4) == 0 || memcmp(bytes, "\xFE\xFF\0<", 4) == 0))
        return true;
    while (at < count && bytes[at] != '\0' && strchr(" \t\r\n", bytes[at]) != NULL)
        at++;
    return at < count && bytes[at] == '<';
}

bool allow_read_bytes(const char *file, const unsigned char *bytes, size_t count, const scene_objects *objects,
                      exclusions *out, char message[LOAD_MESSAGE_SIZE])
{
    rule_reading r = {.file = file, .objects = objects, .out = out};
    r.message = message;

    return is_xml(bytes, count) ? read_srdf(&r, bytes, count) : read_lines(&r, bytes, count);
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
