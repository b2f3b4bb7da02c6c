// SPDX-License-Identifier: MIT
// Flights through a room with a cow in it: grz_flight_advance() with balls, straight and under gravity, the whole way
// at once (up to 8 bounces) and from frame to frame; past a cow that stands, goes straight, and turns. Microseconds of
// processor time a bounce, or a frame of 1/60 second. Usage: bench_flight [--quick]
#include <graze/graze.h>
#include <graze/io.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>

namespace
{

grz_device *device;

void need(grz_status status, const grz_error &error)
{
    if (status == GRZ_OK)
        return;
    fprintf(stderr, "bench_flight: %s\n", error.message);
    exit(1);
}

double processor_seconds()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

grz_object make(const grz_mesh_description &d)
{
    grz_mesh *mesh;
    grz_error error;
    need(grz_mesh_create(device, &d, &mesh, &error), error);
    return grz_object_at_origin(mesh);
}

grz_object make_room()
{
    double p[24];
    static const uint32_t faces[24] = {0, 1, 3, 2, 4, 6, 7, 5, 0, 4, 5, 1, 2, 3, 7, 6, 0, 2, 6, 4, 1, 5, 7, 3};
    for (int i = 0; i < 24; i++)
        p[i] = (i / 3) >> (i % 3) & 1 ? 2.0 : -2.0;
    grz_mesh_description d = grz_default_mesh_description();
    d.positions = p;
    d.position_type = GRZ_FLOAT64;
    d.vertex_count = 8;
    d.indices = faces;
    d.index_count = 24;
    d.face_count = 6;
    d.corners_per_face = 4;
    return make(d);
}

grz_object load(const char *path)
{
    grz_io_model *model;
    grz_mesh_description d = grz_default_mesh_description();
    grz_error error;
    need(grz_io_load_file(path, nullptr, &model, &error), error);
    need(grz_io_describe(model, &d, &error), error);
    const grz_object object = make(d);
    grz_io_model_destroy(model);
    return object;
}

enum cow {
    STANDS,
    GOES,
    TURNS
};

// From frame to frame the motions are the same: functions of the time.
grz_flight_motion motion_of(cow does)
{
    grz_flight_motion motion = {};
    motion.velocity[0] = does == GOES ? 0.5 : 0.0;
    motion.spin[2] = does == TURNS ? 1.0 : 0.0;
    return motion;
}

void measure(const grz_object objects[2], double radius, double gravity, bool frames, cow does, double seconds)
{
    grz_flight_options options = grz_default_flight_options();
    options.radius = radius;
    options.skin = radius > 0.0 ? 0.0 : 0x1p-20;
    options.acceleration[2] = -gravity;
    options.restitution = 0.8;
    const grz_flight_motion motions[2] = {motion_of(STANDS), motion_of(does)};
    options.motions = does == STANDS ? nullptr : motions;
    grz_bounce bounces[8];
    uint64_t found, count = 0, flights = 0;
    grz_error error;
    const double begin = processor_seconds();
    double spent = 0.0;
    for (; spent < seconds; flights++, spent = processor_seconds() - begin) {
        const double turn = 0.61803398875 * double(flights),
                     start[3] = {1.5 * cos(9.0 * turn), 1.5 * sin(7.0 * turn), 1.5},
                     velocity[3] = {6.0 * cos(6.28 * turn), 6.0 * sin(6.28 * turn), -2.0 + sin(turn)};
        grz_flight flight = grz_flight_from(start, velocity, 0.0);
        for (int i = 1; i <= (frames ? 60 : 1); i++) {
            need(grz_flight_advance(device, objects, 2, &options, frames ? i / 60.0 : HUGE_VAL, &flight, bounces, 8,
                                    &found, &error),
                 error);
            count += frames ? 1 : found;
        }
    }
    static const char *const cows[] = {"stands", "goes", "turns"};
    printf("%-10s radius %-5g the cow %-7s %-12s %8.2f\n", gravity > 0.0 ? "ballistic" : "straight", radius, cows[does],
           frames ? "us a frame" : "us a bounce", 1e6 * spent / double(count));
}

} // namespace

int main(int argc, char **argv)
{
    const double seconds = argc > 1 && strcmp(argv[1], "--quick") == 0 ? 0.1 : 2.0;
    grz_error error;
    need(grz_device_open(nullptr, &device, &error), error);
    const grz_object objects[2] = {make_room(), load("data/cow_spot.ply")};
    for (double gravity : {0.0, 9.81})
        for (double radius : {0.0, 0.05})
            for (bool frames : {false, true})
                for (cow does : {STANDS, GOES, TURNS})
                    measure(objects, radius, gravity, frames, does, seconds);
    return 0;
}
