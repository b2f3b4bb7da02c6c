// SPDX-License-Identifier: MIT
// In place of a window, in builds without GLFW.
#include "demo.h"

#include <stdio.h>

void *demo_window_open(const char *title, uint32_t width, uint32_t height)
{
    (void)width;
    (void)height;
    fprintf(stderr, "%s: GLFW is not in this build\n", title);
    return NULL;
}

bool demo_window_show(void *window_of_demo, const uint8_t *pixels, uint32_t width, uint32_t height)
{
    (void)window_of_demo;
    (void)pixels;
    (void)width;
    (void)height;
    return false;
}

void demo_window_close(void *window_of_demo)
{
    (void)window_of_demo;
}
