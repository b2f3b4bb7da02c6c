// SPDX-License-Identifier: MIT
// A user's program of libgraze_io, in C99 and C++11: loads two solids from a text in memory, and writes a picture of
// one pixel to the file that its argument names. scripts/test-install builds it with libgraze_io alone, which needs
// nothing of libgraze.
#include <graze/io.h>

#include <stdio.h>
#include <string.h>

static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\no first\nf 1 2 3\no second\nf 3 2 1\n";

int main(int argc, char **argv)
{
    const uint8_t pixel[4] = {255, 128, 0, 255};
    grz_io_model *model = NULL;
    grz_error error;
    if (argc != 2 || grz_io_load_memory("two.obj", text, strlen(text), NULL, &model, &error) != GRZ_OK ||
        grz_io_write_png(argv[1], 1, 1, pixel, &error) != GRZ_OK) {
        fprintf(stderr, "%s\n", argc == 2 ? error.message : "usage: client_io FILE.png");
        return 1;
    }
    printf("%lu vertices, parts %s and %s\n", (unsigned long)model->vertex_count, model->parts[0].name,
           model->parts[1].name);
    grz_io_model_destroy(model);
    return 0;
}
