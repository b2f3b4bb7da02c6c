// SPDX-License-Identifier: MIT
// The report of a query about one or two meshes.
#ifndef GRZ_CLI_DESCRIBE_QUERY_H
#define GRZ_CLI_DESCRIBE_QUERY_H

#include "answers/query.h"
#include "report/report.h"

// Describe a query that query_conclude() has concluded; the query must outlive the report. report_finish() is due.
report describe_query(const query *q);

// For people: what each file says of itself, its unit among that.
void describe_meshes(const query *q, report *r);

// With --rule: by which rule the inside of each file was told, and why.
void describe_rules(const query *q, report *r);

// For programs: the files and what they hold.
void put_meshes(const query *q, report *r);

// Describe it and hand the report to the user. Returns the exit status.
int deliver_query(const query *q);

#endif
