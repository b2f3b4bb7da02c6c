// SPDX-License-Identifier: MIT
// A GLFW window that shows pixels. It has its own context; the device's context is never current here.
#include "demo.h"

#include <epoxy/gl.h>
#include <stdio.h>
#include <stdlib.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

typedef struct window {
    GLFWwindow *glfw;
    GLuint texture, framebuffer;
} window;

void *demo_window_open(const char *title, uint32_t width, uint32_t height)
{
    const char *why = "out of memory";
    window *w = calloc(1, sizeof *w);
    if (w == NULL || glfwInit() == GLFW_FALSE) {
        glfwGetError(&why);
        fprintf(stderr, "%s: %s\n", title, why != NULL ? why : "GLFW does not start");
        free(w);
        return NULL;
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    w->glfw = glfwCreateWindow((int)width, (int)height, title, NULL, NULL);
    if (w->glfw == NULL) {
        glfwGetError(&why);
        fprintf(stderr, "%s: %s\n", title, why != NULL ? why : "GLFW makes no window");
        glfwTerminate();
        free(w);
        return NULL;
    }
    glfwMakeContextCurrent(w->glfw);
    glfwSwapInterval(1);
    glCreateTextures(GL_TEXTURE_2D, 1, &w->texture);
    glTextureStorage2D(w->texture, 1, GL_RGBA8, (GLsizei)width, (GLsizei)height);
    glCreateFramebuffers(1, &w->framebuffer);
    glNamedFramebufferTexture(w->framebuffer, GL_COLOR_ATTACHMENT0, w->texture, 0);
    glfwMakeContextCurrent(NULL);
    return w;
}

bool demo_window_show(void *window_of_demo, const uint8_t *pixels, uint32_t width, uint32_t height)
{
    window *w = window_of_demo;
    int across, down;
    glfwMakeContextCurrent(w->glfw);
    glfwGetFramebufferSize(w->glfw, &across, &down);
    glTextureSubImage2D(w->texture, 0, 0, 0, (GLsizei)width, (GLsizei)height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glBlitNamedFramebuffer(w->framebuffer, 0, 0, 0, (GLint)width, (GLint)height, 0, down, across, 0,
                           GL_COLOR_BUFFER_BIT, GL_LINEAR);
    glfwSwapBuffers(w->glfw);
    glfwPollEvents();
    glfwMakeContextCurrent(NULL);
    return glfwWindowShouldClose(w->glfw) == GLFW_FALSE && glfwGetKey(w->glfw, GLFW_KEY_ESCAPE) != GLFW_PRESS;
}

void demo_window_close(void *window_of_demo)
{
    window *w = window_of_demo;
    glfwMakeContextCurrent(w->glfw);
    glDeleteFramebuffers(1, &w->framebuffer);
    glDeleteTextures(1, &w->texture);
    glfwDestroyWindow(w->glfw);
    glfwTerminate();
    free(w);
}
