// SPDX-License-Identifier: MIT
// Lets particles rise from a burner. Random numbers are from a fixed seed.
#include "burner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979324, longest_life = 1.0;

static double uniform(burner *b)
{
    b->random = b->random * 6364136223846793005u + 1442695040888963407u;
    return (double)(b->random >> 40) * 0x1p-24;
}

// A particle starts anywhere on the burner.
static void start(burner *b, flame *one, double age)
{
    const double angle = 2.0 * pi * uniform(b), radius = 0.085 * sqrt(uniform(b));
    one->position[0] = (float)(radius * cos(angle));
    one->position[1] = (float)(radius * sin(angle));
    one->position[2] = (float)(0.01 * uniform(b));
    one->velocity[0] = (float)(0.2 * (uniform(b) - 0.5));
    one->velocity[1] = (float)(0.2 * (uniform(b) - 0.5));
    one->velocity[2] = (float)(0.35 + 0.25 * uniform(b));
    one->age = (float)age;
    one->life = (float)(longest_life * (0.35 + 0.65 * uniform(b)));
}

void burner_light(burner *b, uint32_t count)
{
    *b = (burner){.particles = calloc(count, sizeof *b->particles), .count = count, .random = 7};
    if (b->particles == NULL) {
        fprintf(stderr, "fire: out of memory\n");
        exit(1);
    }
    for (uint32_t i = 0; i < count; i++) {
        start(b, &b->particles[i], 0.0);
        b->particles[i].age = (float)(uniform(b) * (double)b->particles[i].life);
    }
}

void burner_free(burner *b)
{
    free(b->particles);
}

void burner_stir(burner *b, double time, double seconds)
{
    for (uint32_t i = 0; i < b->count; i++) {
        flame *one = &b->particles[i];
        one->age += (float)seconds;
        if (one->age > one->life)
            start(b, one, fmod((double)one->age, seconds));
        const double x = 30.0 * (double)one->position[0], y = 30.0 * (double)one->position[1],
                     z = 22.0 * (double)one->position[2] - 11.0 * time;
        const double swirl[3] = {sin(y + 1.7 * sin(z)) + 0.6 * sin(2.3 * z + x),
                                 cos(x + 1.3 * cos(z)) + 0.6 * cos(2.1 * z - y), 0.4 * sin(x + y + z)};
        for (int k = 0; k < 3; k++) {
            const double pull = k == 2 ? 3.0 : -5.0 * (double)one->position[k];
            const double drag = 2.2 * (double)one->velocity[k], noise = 3.0 * (uniform(b) - 0.5);
            one->velocity[k] += (float)(seconds * (2.6 * swirl[k] + pull - drag + noise));
        }
    }
}

grz_pose burner_skillet(double share)
{
    const double tilt = 0.12 * cos(2.0 * pi * share);
    grz_pose pose = grz_pose_identity();
    pose.m[0][0] = pose.m[2][2] = cos(tilt);
    pose.m[0][2] = sin(tilt);
    pose.m[2][0] = -sin(tilt);
    pose.m[0][3] = 0.09 * sin(2.0 * pi * share);
    pose.m[1][3] = 0.02 * cos(4.0 * pi * share);
    pose.m[2][3] = 0.2;
    return pose;
}
