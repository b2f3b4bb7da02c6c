// SPDX-License-Identifier: MIT
// Splits dispatches. A dispatch cannot be stopped, and software renderers run it before the call returns. So the number
// of work groups is read back where somebody may want to stop, and they run in parts of bounded work.
#include "gpu/dispatch.h"

#include <assert.h>

#include "base/control.h"
#include "gpu/shaders/mesh_bindings.h"

enum {
    SOFTWARE_GROUPS = 64,
    HARDWARE_GROUPS = 1 << 15 // at most the smallest limit that OpenGL allows
};

uint32_t grz_dispatch_most(const grz_gl *gl, const grz_control *control)
{
    if (!grz_control_may_end(control))
        return grz_gl_get_limits(gl)->groups;
    return grz_gl_get_limits(gl)->software ? SOFTWARE_GROUPS : HARDWARE_GROUPS;
}

static void finish_dispatch(void)
{
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
}

grz_status grz_dispatch(const grz_gl *gl, grz_control *control, size_t offset)
{
    GLuint groups[3];
    if (!grz_control_may_end(control)) {
        glUniform1ui(GRZ_AT_FIRST_GROUP, 0);
        glDispatchComputeIndirect((GLintptr)offset);
        finish_dispatch();
        return GRZ_OK;
    }
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    const grz_status status = grz_gl_wait(control);
    if (status != GRZ_OK)
        return status;
    glGetBufferSubData(GL_DISPATCH_INDIRECT_BUFFER, (GLintptr)offset, sizeof groups, groups);
    assert(groups[2] == 1);
    return grz_dispatch_groups(gl, control, (uint64_t)groups[0] * groups[1]);
}

grz_status grz_dispatch_groups(const grz_gl *gl, grz_control *control, uint64_t groups)
{
    const uint32_t most = grz_dispatch_most(gl, control);
    grz_status status = GRZ_OK;
    for (uint64_t first = 0; first < groups && status == GRZ_OK; first += most) {
        glUniform1ui(GRZ_AT_FIRST_GROUP, (GLuint)first);
        glDispatchCompute((GLuint)(groups - first < most ? groups - first : most), 1, 1);
        finish_dispatch();
        status = grz_gl_wait(control);
    }
    return status;
}
