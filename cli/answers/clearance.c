// SPDX-License-Identifier: MIT
// The rule of --clearance. That surfaces are so far apart does not say that no object is inside the other.
#include "answers/clearance.h"

#include "answers/allowance.h"
#include "answers/describe_summary.h"
#include "command.h"
#include "report/number.h"

#include <inttypes.h>

static bool is_asked(const options *given)
{
    return (given->flags & OPTION_CLEARANCE) != 0;
}

static bool allows_touching(const options *given)
{
    return (given->flags & OPTION_ALLOW_TOUCHING) != 0;
}

void clearance_ask(const options *given, grz_collide_options *wanted)
{
    if (!is_asked(given))
        return;
    wanted->clearance = given->clearance;
    if (allows_touching(given)) // then surfaces may touch
        wanted->find |= GRZ_FIND_SOLIDS;
}

clearance_facts clearance_of_summary(const grz_summary *summary, bool counted)
{
    return (clearance_facts){.relation = summary->relation,
                             .containment = summary->containment,
                             .solids = summary->solids,
                             .surfaces = summary->clearance,
                             .reason = summary->reason != NULL ? summary->reason : summary->solids_reason,
                             .near_count = summary->near_count,
                             .counted = counted};
}

clearance_verdict clearance_judge(const options *given, const clearance_facts *facts)
{
    const allowance only_touch = allowance_of(facts->relation, facts->containment, facts->solids);
    const bool touching = facts->relation == GRZ_COLLIDING;

    if (facts->relation != GRZ_APART && !touching) // one, or a part of it, is inside the other
        return CLEARANCE_NOT_MET;
    if (only_touch == ALLOWANCE_REFUSED || (!touching && facts->surfaces == GRZ_CLEARANCE_NOT_MET))
        return CLEARANCE_NOT_MET;
    if (touching && !allows_touching(given)) // of any clearance, one of 0 as well
        return CLEARANCE_NOT_MET;
    if (only_touch == ALLOWANCE_UNKNOWN)
        return CLEARANCE_UNKNOWN;
    return touching ? CLEARANCE_EXCUSED : CLEARANCE_MET;
}

int clearance_status(clearance_verdict worst)
{
    static const int statuses[CLEARANCE_VERDICT_COUNT] = {[CLEARANCE_MET] = STATUS_APART,
                                                          [CLEARANCE_EXCUSED] = STATUS_APART,
                                                          [CLEARANCE_UNKNOWN] = STATUS_UNDECIDED,
                                                          [CLEARANCE_NOT_MET] = STATUS_TOUCHES};
    return statuses[worst];
}

report_tone clearance_tone(clearance_verdict worst)
{
    static const report_tone tones[CLEARANCE_VERDICT_COUNT] = {[CLEARANCE_MET] = TONE_APART,
                                                               [CLEARANCE_EXCUSED] = TONE_APART,
                                                               [CLEARANCE_UNKNOWN] = TONE_UNDECIDED,
                                                               [CLEARANCE_NOT_MET] = TONE_TOUCHES};
    return tones[worst];
}

const char *clearance_text(const options *given, const clearance_facts *facts, report *r)
{
    switch (clearance_judge(given, facts)) {
    case CLEARANCE_MET:
        return "met, proved";
    case CLEARANCE_EXCUSED:
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
        return allows_touching(given) ? "not met, they do more than touch" : "not met, they touch";
    if (facts->relation != GRZ_APART || facts->solids == GRZ_SOLIDS_PENETRATING)
        return "not met, one lies inside the other, wholly or in part";
    if (!facts->counted)
        return "not met, faces are nearer";
    return report_format(r, "not met, %s nearer",
                         describe_count(r, facts->near_count, "pair of faces is", "pairs of faces are"));
}

void clearance_describe(const options *given, const clearance_facts *facts, report *r)
{
    char required[NUMBER_SIZE];

    if (is_asked(given))
        report_line(r, r->lines, clearance_judge(given, facts) == CLEARANCE_UNKNOWN ? LINE_WARNING : LINE_FACT, NULL,
                    "clearance %s: %s", number_shortest(given->clearance, required), clearance_text(given, facts, r));
}

void clearance_put(const options *given, const clearance_facts *facts, report *r, report_value *in)
{
    if (!is_asked(given)) {
        report_put_null(r, in, "clearance");
        return;
    }
    const clearance_verdict verdict = clearance_judge(given, facts);
    report_value *clearance = report_put_object(r, in, "clearance");
    report_put_real(r, clearance, "required", given->clearance);
    if (verdict == CLEARANCE_UNKNOWN)
        report_put_null(r, clearance, "met");
    else
        report_put_bool(r, clearance, "met", verdict == CLEARANCE_MET);
}
