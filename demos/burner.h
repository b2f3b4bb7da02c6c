// SPDX-License-Identifier: MIT
// A fire of particles under a skillet that moves: of the demo `fire`, and of bench/heightmap. Metres and seconds; up is
// z.
#ifndef GRZ_DEMOS_BURNER_H
#define GRZ_DEMOS_BURNER_H

#include <graze/object.h>

// A particle, as <graze/particles.h> has it. Age and life are in seconds.
typedef struct flame {
    float position[3], age, velocity[3], life;
} flame;

typedef struct burner {
    flame *particles;
    uint32_t count;
    uint64_t random;
} burner;

// Light a burner of so many particles, as if it had burnt for a while. Release it with burner_free().
void burner_light(burner *b, uint32_t count);
void burner_free(burner *b);

// Change the velocities, as hot air rises and swirls, and start anew what has burnt out. Positions stay.
void burner_stir(burner *b, double time, double seconds);

// Where the skillet is; it goes to and fro once from 0 to 1.
grz_pose burner_skillet(double share);

#endif
