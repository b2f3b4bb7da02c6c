// SPDX-License-Identifier: MIT
// What the report says of the files themselves: their units and axes, what was converted, left out or read in an
// unusual way.
#ifndef GRZ_CLI_DESCRIBE_FILES_H
#define GRZ_CLI_DESCRIBE_FILES_H

#include "arguments/options.h"
#include "file_facts.h"
#include "report/report.h"

// For people: a line on the unit where the file declares one or --unit was given, and a line a note.
void describe_file(report *r, const options *given, const file_facts *facts);

// For programs: unit, declared_unit, up, and notes, what was converted among them.
void put_file_facts(report *r, report_value *in, const options *given, const file_facts *facts);

// The same without the notes.
void put_units(report *r, report_value *in, const file_facts *facts);

// "mm, converted to m: divided by 1000"; "mm"; NULL where there is nothing to say.
const char *describe_unit(report *r, const options *given, const file_facts *facts);

// "z"; NULL where it is not known.
const char *describe_up(const file_facts *facts);

#endif
