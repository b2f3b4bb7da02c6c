// SPDX-License-Identifier: MIT
// What the current context says of itself: vendor, name, version, and whether it is a software renderer.
#include <stdio.h>
#include <string.h>

#include "gl/gl_parts.h"

static void copy_text(char *to, size_t size, GLenum name)
{
    const GLubyte *text = glGetString(name);
    snprintf(to, size, "%s", text != NULL ? (const char *)text : "");
}

void grz_gl_describe(grz_renderer *renderer)
{
    static const char *const programs[] = {"llvmpipe", "softpipe", "swrast", "SwiftShader", "Software Rasterizer"};
    copy_text(renderer->vendor, sizeof renderer->vendor, GL_VENDOR);
    copy_text(renderer->name, sizeof renderer->name, GL_RENDERER);
    copy_text(renderer->version, sizeof renderer->version, GL_VERSION);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        renderer->software = renderer->software || strstr(renderer->name, programs[i]) != NULL;
}
