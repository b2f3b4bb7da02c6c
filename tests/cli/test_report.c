// SPDX-License-Identifier: MIT
// Reports as data: how the two writers print every kind of value and line, nested rows, and a report that ran out of
// memory. JSON is read back by jansson.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>

#include "report/json.h"
#include "report/report.h"
#include "report/text.h"

static char *as_json(report *r)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    report_json(r, stream);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static char *as_text(report *r, report_look look)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    report_text(r, look, stream);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void expect(char *got, const char *expected)
{
    assert_string_equal(got, expected);
    free(got);
}

static void every_kind_of_value_becomes_json(void **state)
{
    (void)state;
    report r = report_begin("check");
    report_put_null(&r, r.members, "nothing");
    report_put_bool(&r, r.members, "yes", true);
    report_put_count(&r, r.members, "most", UINT64_MAX);
    report_put_real(&r, r.members, "whole", 2);
    report_put_real(&r, r.members, "minus_zero", -0.0);
    report_put_real(&r, r.members, "tenth", 0.1);
    report_put_real(&r, r.members, "large", 1e300);
    report_put_real(&r, r.members, "not_finite", (double)NAN);
    report_put_text(&r, r.members, "text", "a\"b\\c\n\x01");
    report_put_text(&r, r.members, "no_text", NULL);
    report_value *list = report_put_list(&r, r.members, "list");
    report_put_list(&r, list, NULL);
    report_put_object(&r, list, NULL);
    report_put_count(&r, list, NULL, 3);
    report_value *object = report_put_object(&r, r.members, "object");
    report_put_count(&r, object, "one", 1);
    report_put_count(&r, object, "two", 2);
    expect(as_json(&r), "{\n"
                        "  \"command\": \"check\",\n"
                        "  \"nothing\": null,\n"
                        "  \"yes\": true,\n"
                        "  \"most\": 18446744073709551615,\n"
                        "  \"whole\": 2.0,\n"
                        "  \"minus_zero\": -0.0,\n"
                        "  \"tenth\": 0.1,\n"
                        "  \"large\": 1e+300,\n"
                        "  \"not_finite\": null,\n"
                        "  \"text\": \"a\\\"b\\\\c\\n\\u0001\",\n"
                        "  \"no_text\": null,\n"
                        "  \"list\": [[], {}, 3],\n"
                        "  \"object\": {\"one\": 1, \"two\": 2}\n"
                        "}\n");
    report_finish(&r);
}

static void every_kind_of_line_becomes_text(void **state)
{
    (void)state;
    report r = report_begin("check");
    report_verdict(&r, TONE_TOUCHES, "colliding: %s and %s", "a\nb", "c");
    report_line(&r, r.lines, LINE_FACT, "region", "%d", 1);
    report_line(&r, r.lines, LINE_FACT, NULL, "no label");
    report_line(&r, r.lines, LINE_WARNING, NULL, "cannot decide");
    report_line(&r, r.lines, LINE_TIME, "time", "3 ms");
    report_line(&r, r.lines, LINE_ITEM, NULL, "pair \\");
    expect(as_text(&r, (report_look){0}), "colliding: a\\x0ab and c\n"
                                          "  region   1\n"
                                          "  no label\n"
                                          "  cannot decide\n"
                                          "pair \\\\\n");
    expect(as_text(&r, (report_look){.times = true, .colours = true}), "\033[1;31mcolliding\033[0m: a\\x0ab and c\n"
                                                                       "  region   1\n"
                                                                       "  no label\n"
                                                                       "  \033[33mcannot decide\033[0m\n"
                                                                       "  time     3 ms\n"
                                                                       "pair \\\\\n");
    report_finish(&r);
}

// The square of each digit of the source, but none of 2.
static void add_square(const void *source, uint64_t index, report *r, report_value *into)
{
    const uint64_t digit = (uint64_t)(((const char *)source)[index] - '0');
    if (digit != 2)
        report_put_count(r, into, NULL, digit * digit);
}

// A row that is a list of rows itself, and longer than a block of the report's memory.
static void add_squares(const void *source, uint64_t index, report *r, report_value *into)
{
    (void)report_format(r, "%20000d", 1);
    report_put_rows(r, into, NULL, index, source, add_square);
}

static void add_line(const void *source, uint64_t index, report *r, report_value *into)
{
    report_line(r, into, LINE_ITEM, NULL, "%s %d", (const char *)source, (int)index);
}

static void rows_are_made_as_they_are_written(void **state)
{
    (void)state;
    report r = report_begin("check");
    report_put_rows(&r, r.members, "flat", 4, "1234", add_square);
    report_put_rows(&r, r.members, "nested", 4, "1234", add_squares);
    report_put_rows(&r, r.members, "empty", 1, "2", add_square);
    report_put_rows(&r, r.members, "one_a_line", 3, "123", add_square)->one_a_line = true;
    report_put_rows(&r, r.members, "none_a_line", 1, "2", add_square)->one_a_line = true;
    report_put_rows(&r, r.lines, NULL, 2, "line", add_line);
    const struct report_block *blocks = r.blocks;
    expect(as_json(&r), "{\n"
                        "  \"command\": \"check\",\n"
                        "  \"flat\": [1, 9, 16],\n"
                        "  \"nested\": [[], [1], [1], [1, 9]],\n"
                        "  \"empty\": [],\n"
                        "  \"one_a_line\": [\n    1,\n    9\n  ],\n"
                        "  \"none_a_line\": []\n"
                        "}\n");
    expect(as_text(&r, (report_look){0}), "line 0\nline 1\n");
    assert_ptr_equal(r.blocks, blocks); // rows leave nothing behind
    report_finish(&r);
}

static void a_report_without_memory_accepts_calls_and_writes_nothing(void **state)
{
    (void)state;
    report r = report_begin("check");
    r.failed = true;
    report_verdict(&r, TONE_APART, "apart");
    report_put_count(&r, report_put_object(&r, r.members, "object"), "one", 1);
    report_put_rows(&r, report_put_list(&r, r.members, "list"), NULL, 1, "1", add_square);
    report_put_text(&r, r.members, "text", "text");
    report_line(&r, r.lines, LINE_FACT, NULL, "%s", report_format(&r, "text"));
    expect(as_json(&r), "");
    expect(as_text(&r, (report_look){.times = true}), "");
    report_finish(&r);
}

static void doubles_survive_json(void **state)
{
    (void)state;
    static const double values[] = {0.1, -0.0, 1.0 / 3.0, 5e-324, 1.7976931348623157e308, 0x1p-44, 1e22, 123456.789};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        report r = report_begin("check");
        report_put_real(&r, r.members, "value", values[i]);
        char *text = as_json(&r);
        json_t *read = json_loads(text, 0, NULL);
        assert_non_null(read);
        assert_true(json_is_real(json_object_get(read, "value")));
        const double value = json_real_value(json_object_get(read, "value"));
        assert_memory_equal(&value, &values[i], sizeof value);
        json_decref(read);
        free(text);
        report_finish(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_value_becomes_json),
        cmocka_unit_test(every_kind_of_line_becomes_text),
        cmocka_unit_test(rows_are_made_as_they_are_written),
        cmocka_unit_test(a_report_without_memory_accepts_calls_and_writes_nothing),
        cmocka_unit_test(doubles_survive_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
