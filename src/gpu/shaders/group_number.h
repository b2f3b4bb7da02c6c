// SPDX-License-Identifier: MIT
// The number of a work group, and of an invocation, in a dispatch that may run in parts (gpu/dispatch.h).
#include "gpu/shaders/mesh_bindings.h"

layout(location = GRZ_AT_FIRST_GROUP) uniform uint first_group; // of this part

uint group_number()
{
    return first_group + gl_WorkGroupID.y * GRZ_DISPATCH_ROW + gl_WorkGroupID.x;
}

uint invocation_number()
{
    return group_number() * GRZ_DISPATCH_GROUP + gl_LocalInvocationIndex;
}
