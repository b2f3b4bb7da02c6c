// SPDX-License-Identifier: MIT
// Which classes of solids have common inner points.
#include "ask/solids_overlap.h"

bool grz_solids_overlap(grz_solids solids)
{
    return solids == GRZ_SOLIDS_PENETRATING || solids == GRZ_SOLIDS_A_INSIDE_B || solids == GRZ_SOLIDS_B_INSIDE_A ||
           solids == GRZ_SOLIDS_SAME;
}

bool grz_summary_overlaps(const grz_summary *summary)
{
    if (summary->solids == GRZ_SOLIDS_UNDECIDABLE || summary->solids == GRZ_SOLIDS_NOT_ASKED)
        return summary->kinds[GRZ_CROSSING] > 0 || summary->relation > GRZ_COLLIDING;
    return grz_solids_overlap(summary->solids);
}
