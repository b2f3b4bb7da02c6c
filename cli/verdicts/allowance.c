// SPDX-License-Identifier: MIT
// The rule of --allow-touching. Open meshes have no solids; they are fine only if they are apart beyond doubt.
#include "verdicts/allowance.h"

allowance allowance_of(grz_relation relation, grz_containment containment, grz_solids solids)
{
    switch (solids) {
    case GRZ_SOLIDS_APART:
    case GRZ_SOLIDS_TOUCHING:
        return ALLOWANCE_FINE;
    case GRZ_SOLIDS_PENETRATING:
    case GRZ_SOLIDS_A_INSIDE_B:
    case GRZ_SOLIDS_B_INSIDE_A:
    case GRZ_SOLIDS_SAME:
        return ALLOWANCE_REFUSED;
    case GRZ_SOLIDS_NOT_ASKED:
    case GRZ_SOLIDS_UNDECIDABLE:
        break;
    }
    // The library says `decided` of an open mesh, too, where the boxes show that neither holds the other.
    return relation == GRZ_APART && containment == GRZ_CONTAINMENT_DECIDED ? ALLOWANCE_FINE : ALLOWANCE_UNKNOWN;
}
