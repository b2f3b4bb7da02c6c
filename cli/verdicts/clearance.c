// SPDX-License-Identifier: MIT
// The rule of --clearance. That surfaces are so far apart does not say that no object is inside the other.
#include "verdicts/clearance.h"

#include "verdicts/allowance.h"
#include "command.h"

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
    wanted->clearance = clearance_least(given, given->clearance);
    if (allows_touching(given)) // then surfaces may touch
        wanted->find |= GRZ_FIND_SOLIDS;
}

double clearance_least(const options *given, double required)
{
    return required * (1.0 - given->clearance_tolerance);
}

clearance_facts clearance_of_summary(const options *given, const grz_summary *summary, bool counted)
{
    return (clearance_facts){.relation = summary->relation,
                             .containment = summary->containment,
                             .solids = summary->solids,
                             .surfaces = summary->clearance,
                             .asked = is_asked(given),
                             .required = given->clearance,
                             .reason = summary->reason != NULL ? summary->reason : summary->solids_reason,
                             .near_count = summary->near_count,
                             .counted = counted};
}

void clearance_excuse(clearance_facts *facts, bool within)
{
    facts->within = within;
    if (within)
        facts->solids = GRZ_SOLIDS_TOUCHING;
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
