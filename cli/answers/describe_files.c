// SPDX-License-Identifier: MIT
#include "answers/describe_files.h"

const char *describe_up(const file_facts *facts)
{
    static const char *const names[] = {NULL, "y", "z", "x"};
    return names[facts->up_axis];
}

// NULL where the unit is not known.
static const char *unit_name(report *r, double unit)
{
    char name[GRZ_IO_UNIT_NAME_SIZE];
    grz_io_unit_name(unit, name);
    return *name != '\0' ? report_format(r, "%s", name) : NULL;
}

const char *describe_unit(report *r, const options *given, const file_facts *facts)
{
    char text[GRZ_IO_CONVERSION_SIZE];
    const bool other = facts->declared > 0 && (facts->declared < facts->unit || facts->declared > facts->unit);
    if (facts->counts_as_unit && other)
        return report_format(r, "%s, taken as %s", unit_name(r, facts->declared), unit_name(r, facts->unit));
    if ((given->flags & OPTION_UNIT) == 0)
        return unit_name(r, facts->unit);
    grz_io_describe_conversion(facts->declared, facts->unit, text);
    return report_format(r, "%s", text);
}

void describe_file(report *r, const options *given, const file_facts *facts)
{
    const char *unit = describe_unit(r, given, facts), *up = describe_up(facts);
    if (unit != NULL)
        report_line(r, r->lines, LINE_FACT, "unit", "%s: %s", facts->file, unit);
    if (up != NULL)
        report_line(r, r->lines, LINE_FACT, "up", "%s: %s", facts->file, up);
    for (size_t i = 0; i < facts->note_count; i++)
        report_line(r, r->lines, LINE_FACT, "note", "%s: %s", facts->file, facts->notes[i]);
}

static void put_text_or_null(report *r, report_value *in, const char *key, const char *text)
{
    if (text != NULL)
        report_put_text(r, in, key, text);
    else
        report_put_null(r, in, key);
}

void put_units(report *r, report_value *in, const file_facts *facts)
{
    put_text_or_null(r, in, "unit", unit_name(r, facts->unit));
    put_text_or_null(r, in, "declared_unit", unit_name(r, facts->declared));
    put_text_or_null(r, in, "up", describe_up(facts));
}

void put_file_facts(report *r, report_value *in, const options *given, const file_facts *facts)
{
    put_units(r, in, facts);
    report_value *notes = report_put_list(r, in, "notes");
    if ((given->flags & OPTION_UNIT) != 0)
        report_put_text(r, notes, NULL, describe_unit(r, given, facts));
    for (size_t i = 0; i < facts->note_count; i++)
        report_put_text(r, notes, NULL, facts->notes[i]);
}
