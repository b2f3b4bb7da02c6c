// SPDX-License-Identifier: MIT
// What the tests of <graze/graze.hpp> share. They do not use cmocka, whose longjmp() would skip destructors.
#ifndef CPP_CHECKS_HPP
#define CPP_CHECKS_HPP

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <vector>

#include <graze/graze.hpp>

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                               \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (0)

// The error that a call throws.
template <class Call> graze::error thrown_by(Call call)
{
    try {
        call();
    } catch (const graze::error &error) {
        REQUIRE(std::strlen(error.what()) > 0 && error.code() != GRZ_OK);
        return error;
    }
    std::fprintf(stderr, "nothing was thrown\n");
    std::exit(1);
}

// A cube from 0 to 2 in each direction.
inline const std::vector<double> corners = {0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0, 0, 0, 2, 2, 0, 2, 2, 2, 2, 0, 2, 2};
inline const std::vector<std::uint32_t> cube_faces = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                                      1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};

// A floor at z = 0, from -9 to 9.
inline const std::vector<double> floor_corners = {-9, -9, 0, 9, -9, 0, 9, 9, 0, -9, 9, 0};
inline const std::vector<std::uint32_t> floor_faces = {0, 1, 2, 0, 2, 3};

// Whether two numbers are equal but for rounding.
inline bool near(double a, double b)
{
    return std::fabs(a - b) < 1e-9;
}

// The whole of main().
template <class... Tests> int run(Tests... tests)
{
    try {
        (tests(), ...);
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "%s\n", failure.what());
        return 1;
    }
    return 0;
}

// A device with OpenGL; nothing where there is none.
inline std::optional<graze::device> device_with_gl()
{
    grz_device_options wanted = grz_default_device_options();
    wanted.kind = GRZ_DEVICE_GL;
    try {
        return graze::device(wanted);
    } catch (const graze::error &) {
        std::puts("no OpenGL: what needs it is not tested");
        return std::nullopt;
    }
}

#endif
