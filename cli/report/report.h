// SPDX-License-Identifier: MIT
// A report as plain data. A command turns its answer into a report; text.c and json.c write it. Neither knows the
// commands, and the commands know nothing of layout.
//
// A report has two halves:
//   for people: a verdict of one sentence, then lines, each with an optional label: "region   0 0 0 to 2 2 2"
//   for programs: members, each a key with a value; values nest
// A list that may be long is kept as rows: a function that makes row i when it is written, so that the list takes no
// memory.
//
//     report r = report_begin("check");
//     report_verdict(&r, TONE_TOUCHES, "colliding: %s and %s touch", a, b);
//     report_line(&r, r.lines, LINE_FACT, "region", "%g to %g", low, high);
//     report_put_bool(&r, r.members, "colliding", true);
//     …
//     report_finish(&r);
//
// Memory: a report owns all that it holds, but for keys and labels, which are static text, and the sources of rows,
// which must outlive it. When memory runs out, `failed` becomes true and every later call does nothing. So only the
// writer has to look.
#ifndef GRZ_CLI_REPORT_H
#define GRZ_CLI_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct report report;
typedef struct report_value report_value;

typedef enum report_kind {
    REPORT_NULL,
    REPORT_BOOL,
    REPORT_COUNT,
    REPORT_REAL, // written as null if it is not finite
    REPORT_TEXT, // any bytes, as in names of files: each writer makes them fit
    REPORT_LIST,
    REPORT_OBJECT,
    REPORT_ROWS // a long list
} report_kind;

// How a verdict is meant.
typedef enum report_tone {
    TONE_PLAIN, // information only
    TONE_APART,
    TONE_TOUCHES,
    TONE_UNDECIDED
} report_tone;

// What a line for people is.
typedef enum report_line_kind {
    LINE_FACT,
    LINE_WARNING,
    LINE_TIME, // differs from run to run
    LINE_ITEM  // one of a list that was asked for
} report_line_kind;

// Makes row `index` of a list: adds any number of values to `into`; none leaves the row out. A list for people is made
// of lines.
typedef void report_make_row(const void *source, uint64_t index, report *r, report_value *into);

struct report_value {
    const char *key; // the key in an object, the label of a line; NULL: none
    report_kind kind;
    report_line_kind line; // of a line
    bool one_a_line;       // the list is long: lay it out with one element a line
    union {
        bool yes;
        uint64_t count;
        double real;
        const char *text;
        struct {
            report_value *first, *last;
        } items; // of a list or an object
        struct {
            uint64_t count;
            const void *source;
            report_make_row *make;
        } rows;
    } as;
    report_value *next; // in the same list or object
};

struct report_block; // of memory

struct report {
    const char *command;
    report_tone tone;
    const char *verdict;   // NULL: there is none
    report_value *lines;   // a list
    report_value *members; // an object; its first member is "command"
    bool failed;           // memory ran out
    struct report_block *blocks;
};

// Begin the report of a command, whose name is static text or argv's.
report report_begin(const char *command);

// Free all that the report holds.
void report_finish(report *r);

// The sentence that answers the question. Text before the first colon names the verdict.
void report_verdict(report *r, report_tone tone, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Add a line to r->lines, or to the lines of a row. `label` may be NULL.
void report_line(report *r, report_value *to, report_line_kind kind, const char *label, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// Text that lives as long as the report; "" after a failure.
const char *report_format(report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Add a member to an object, or an element to a list, whose elements have the key NULL. Text is copied; NULL becomes
// null. An object or list of NULL is accepted, as report_put_object() gives it after a failure.
void report_put_null(report *r, report_value *in, const char *key);
void report_put_bool(report *r, report_value *in, const char *key, bool value);
void report_put_count(report *r, report_value *in, const char *key, uint64_t value);
void report_put_real(report *r, report_value *in, const char *key, double value);
void report_put_text(report *r, report_value *in, const char *key, const char *value);
// Put a file's name under `key`, and under `bytes_key` the same with every byte kept: null if the name is UTF-8, which
// each writer keeps as it is; else percent-encoded as in a URL ("a%FF.obj").
void report_put_name(report *r, report_value *in, const char *key, const char *bytes_key, const char *name);
void report_put_name_bytes(report *r, report_value *in, const char *key, const char *name); // the second alone
report_value *report_put_object(report *r, report_value *in, const char *key);
report_value *report_put_list(report *r, report_value *in, const char *key);
report_value *report_put_rows(report *r, report_value *in, const char *key, uint64_t count, const void *source,
                              report_make_row *make);

// For writers: make a row, write what the list returned holds, and drop it before the next one. Returns NULL after a
// failure.
//
//     const report_mark mark = report_begin_row(r);
//     write(report_make(r, value, i));
//     report_drop_row(r, mark);
typedef struct report_mark {
    struct report_block *block;
    size_t used;
} report_mark;

report_mark report_begin_row(report *r);
const report_value *report_make(report *r, const report_value *rows, uint64_t index);
void report_drop_row(report *r, report_mark mark);

#endif
