// SPDX-License-Identifier: MIT
// What --clearance makes of an answer, as text and for programs.
#include "verdicts/clearance.h"
#include "answers/describe_summary.h"
#include "report/number.h"

const char *clearance_text(const options *given, const clearance_facts *facts, report *r)
{
    switch (clearance_judge(given, facts)) {
    case CLEARANCE_MET:
        return "met, proved";
    case CLEARANCE_EXCUSED:
        if (facts->within)
            return "not met, but they overlap no deeper than is allowed";
        return "not met, but they only touch, which is allowed";
    case CLEARANCE_UNKNOWN:
        if (facts->relation == GRZ_APART)
            return "cannot be decided, because one may lie inside the other";
        return report_format(r, "cannot be decided: %s", facts->reason != NULL ? facts->reason : "no reason is given");
    case CLEARANCE_NOT_MET:
    case CLEARANCE_VERDICT_COUNT:
        break;
    }
    if (facts->relation == GRZ_COLLIDING)
        return (given->flags & OPTION_ALLOW_TOUCHING) != 0 ? "not met, they do more than touch" : "not met, they touch";
    if (facts->relation != GRZ_APART || facts->solids == GRZ_SOLIDS_PENETRATING)
        return "not met, one lies inside the other, wholly or in part";
    if (!facts->counted)
        return "not met, faces are nearer";
    return report_format(r, "not met, %s nearer",
                         describe_count(r, facts->near_count, "pair of faces is", "pairs of faces are"));
}

const char *clearance_tolerance_text(const options *given, report *r)
{
    char tolerance[NUMBER_SIZE];

    if (given->clearance_tolerance == 0.0)
        return "";
    return report_format(r, ", less %s of it", number_shortest(given->clearance_tolerance, tolerance));
}

void clearance_describe(const options *given, const clearance_facts *facts, report *r)
{
    char required[NUMBER_SIZE];

    if (facts->asked)
        report_line(r, r->lines, clearance_judge(given, facts) == CLEARANCE_UNKNOWN ? LINE_WARNING : LINE_FACT, NULL,
                    "clearance %s%s: %s", number_shortest(facts->required, required),
                    clearance_tolerance_text(given, r), clearance_text(given, facts, r));
}

void clearance_put(const options *given, const clearance_facts *facts, report *r, report_value *in)
{
    if (!facts->asked) {
        report_put_null(r, in, "clearance");
        return;
    }
    const clearance_verdict verdict = clearance_judge(given, facts);
    report_value *clearance = report_put_object(r, in, "clearance");
    report_put_real(r, clearance, "required", facts->required);
    report_put_real(r, clearance, "tolerance", given->clearance_tolerance);
    if (verdict == CLEARANCE_UNKNOWN)
        report_put_null(r, clearance, "met");
    else
        report_put_bool(r, clearance, "met", verdict == CLEARANCE_MET);
}
