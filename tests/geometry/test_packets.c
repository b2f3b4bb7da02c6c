// SPDX-License-Identifier: MIT
// Packets against the exact predicates, for every class of triangle pairs and every SIMD width of this processor. A
// packet's verdict on a pair must be right, each width must give the same verdict, and few random pairs may be left
// undecided.
// ctest: timeout 600
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/fp_guard.h"
#include "geometry/triangle/packet.h"
#include "geometry/triangle/pair.h"
#include "pair_generator.h"
#include "support_sanitizer.h"

enum {
    BLOCKS = TEST_SANITIZED ? 100 : TEST_SHORT ? 300 : 2000, // of GRZ_PACKET_MOST pairs, of each class
    VERDICTS = 4
};

// A block of pairs as two meshes without shared vertices.
typedef struct block {
    double a[GRZ_PACKET_MOST][3][3], b[GRZ_PACKET_MOST][3][3];
    uint32_t triangles[GRZ_PACKET_MOST * 3];
    grz_packet_pair pairs[GRZ_PACKET_MOST];
} block;

static void make_block(block *made, pair_class group, uint64_t number)
{
    random_stream random = random_stream_of_block(group, number);
    for (uint32_t i = 0; i < GRZ_PACKET_MOST; i++) {
        pair_generate(group, &random, made->a[i], made->b[i]);
        made->pairs[i] = (grz_packet_pair){i, i};
        for (uint32_t k = 0; k < 3; k++)
            made->triangles[3 * i + k] = 3 * i + k;
    }
}

static void judge(const block *made, const grz_pose *pose_a, const grz_pose *pose_b, size_t count, grz_simd simd,
                  unsigned char verdicts[GRZ_PACKET_MOST])
{
    const grz_packet_side a = {&made->a[0][0][0], made->triangles, pose_a, NULL},
                          b = {&made->b[0][0][0], made->triangles, pose_b, NULL};
    memset(verdicts, 255, GRZ_PACKET_MOST);
    grz_packet_judge_for(simd)(&a, &b, made->pairs, count, verdicts);
    for (size_t i = 0; i < count; i++)
        assert_in_range(verdicts[i], 0, VERDICTS - 1);
    for (size_t i = count; i < GRZ_PACKET_MOST; i++)
        assert_int_equal(verdicts[i], 255);
}

static void world(const double corners[3][3], const grz_pose *pose, double out[3][3])
{
    for (int i = 0; i < 3; i++)
        if (pose != NULL)
            grz_world_position(pose, corners[i], out[i]);
        else
            memcpy(out[i], corners[i], sizeof out[i]);
}

// Check a verdict by the exact predicates.
static void expect_true(pair_class group, const double a[3][3], const double b[3][3], unsigned verdict)
{
    grz_intersection exact;
    grz_triangles_intersect(a, b, &exact);
    if ((verdict == GRZ_PACKET_APART && exact.node_count > 0) ||
        (verdict == GRZ_PACKET_CROSSING && (exact.node_count == 0 || exact.kind != GRZ_CROSSING)) ||
        (verdict == GRZ_PACKET_COPLANAR && (exact.node_count == 0 || exact.kind != GRZ_COPLANAR)))
        fail_msg(
            "%s: verdict %u, but %u nodes of kind %d: %a %a %a  %a %a %a  %a %a %a and %a %a %a  %a %a %a  %a %a %a",
            pair_class_name(group), verdict, exact.node_count, (int)exact.kind, a[0][0], a[0][1], a[0][2], a[1][0],
            a[1][1], a[1][2], a[2][0], a[2][1], a[2][2], b[0][0], b[0][1], b[0][2], b[1][0], b[1][1], b[1][2], b[2][0],
            b[2][1], b[2][2]);
}

static void verdicts_are_right(void **state)
{
    (void)state;
    static block made;
    print_message("  %-14s %10s %10s %10s %10s\n", "class", "open", "apart", "crossing", "coplanar");
    for (int group = 0; group < PAIR_CLASS_COUNT; group++) {
        uint64_t counts[VERDICTS] = {0};
        for (uint64_t number = 0; number < BLOCKS; number++) {
            unsigned char verdicts[GRZ_PACKET_MOST], others[GRZ_PACKET_MOST];
            const size_t count = number % 5 == 0 ? number / 5 % GRZ_PACKET_MOST + 1 : GRZ_PACKET_MOST;
            make_block(&made, (pair_class)group, number);
            judge(&made, NULL, NULL, count, GRZ_SIMD_SCALAR, verdicts);
            for (int simd = 0; simd < GRZ_SIMD_COUNT; simd++) {
                if (!grz_simd_available((grz_simd)simd))
                    continue;
                judge(&made, NULL, NULL, count, (grz_simd)simd, others);
                assert_memory_equal(verdicts, others, GRZ_PACKET_MOST);
            }
            for (size_t i = 0; i < count; i++) {
                expect_true((pair_class)group, (const double(*)[3])made.a[i], (const double(*)[3])made.b[i],
                            verdicts[i]);
                counts[verdicts[i]]++;
            }
        }
        print_message("  %-14s %10llu %10llu %10llu %10llu\n", pair_class_name((pair_class)group),
                      (unsigned long long)counts[GRZ_PACKET_OPEN], (unsigned long long)counts[GRZ_PACKET_APART],
                      (unsigned long long)counts[GRZ_PACKET_CROSSING], (unsigned long long)counts[GRZ_PACKET_COPLANAR]);
        assert_true(group != PAIR_COPLANAR || counts[GRZ_PACKET_COPLANAR] > 0);
        assert_true(TEST_SANITIZED || counts[GRZ_PACKET_APART] > 0); // a few blocks of shared edges may have none
    }
}

// Random triangles without planted contacts: the bound decides all of them.
static void random_triangles_are_all_decided(void **state)
{
    (void)state;
    static block made;
    random_stream random = {.state = 1};
    uint64_t counts[VERDICTS] = {0};
    make_block(&made, PAIR_RANDOM, 0); // the numbers of triangles
    for (uint64_t number = 0; number < BLOCKS; number++) {
        unsigned char verdicts[GRZ_PACKET_MOST];
        for (int i = 0; i < GRZ_PACKET_MOST * 9; i++) {
            (&made.a[0][0][0])[i] = random_signed(&random);
            (&made.b[0][0][0])[i] = random_signed(&random);
        }
        judge(&made, NULL, NULL, GRZ_PACKET_MOST, GRZ_SIMD_BASE, verdicts);
        for (size_t i = 0; i < GRZ_PACKET_MOST; i++)
            counts[verdicts[i]]++;
    }
    print_message("  %llu open, %llu apart, %llu crossing\n", (unsigned long long)counts[GRZ_PACKET_OPEN],
                  (unsigned long long)counts[GRZ_PACKET_APART], (unsigned long long)counts[GRZ_PACKET_CROSSING]);
    assert_int_equal(counts[GRZ_PACKET_OPEN], 0);
    assert_int_equal(counts[GRZ_PACKET_COPLANAR], 0);
    assert_true(counts[GRZ_PACKET_CROSSING] > 0);
}

// Random triangles in a plane perpendicular to an axis: the bound decides all of these, too.
static void flat_random_triangles_are_all_decided(void **state)
{
    (void)state;
    static block made;
    random_stream random = {.state = 2};
    uint64_t counts[VERDICTS] = {0};
    make_block(&made, PAIR_RANDOM, 0);
    for (uint64_t number = 0; number < BLOCKS; number++) {
        unsigned char verdicts[GRZ_PACKET_MOST];
        const double height = random_signed(&random);
        for (int i = 0; i < GRZ_PACKET_MOST * 9; i++) {
            const bool across = i % 3 == (int)(number % 3);
            (&made.a[0][0][0])[i] = across ? height : random_signed(&random);
            (&made.b[0][0][0])[i] = across ? height : random_signed(&random);
        }
        judge(&made, NULL, NULL, GRZ_PACKET_MOST, GRZ_SIMD_BASE, verdicts);
        for (size_t i = 0; i < GRZ_PACKET_MOST; i++) {
            expect_true(PAIR_COPLANAR, (const double(*)[3])made.a[i], (const double(*)[3])made.b[i], verdicts[i]);
            counts[verdicts[i]]++;
        }
    }
    print_message("  %llu open, %llu apart, %llu coplanar\n", (unsigned long long)counts[GRZ_PACKET_OPEN],
                  (unsigned long long)counts[GRZ_PACKET_APART], (unsigned long long)counts[GRZ_PACKET_COPLANAR]);
    assert_int_equal(counts[GRZ_PACKET_OPEN], 0);
    assert_int_equal(counts[GRZ_PACKET_CROSSING], 0);
    assert_true(counts[GRZ_PACKET_APART] > 0 && counts[GRZ_PACKET_COPLANAR] > 0);
}

// The packets use the positions of grz_world_position(), to the last bit: some contacts exist only because of rounding.
static void poses_round_as_defined(void **state)
{
    (void)state;
    static block made;
    random_stream random = {.state = 3};
    for (uint64_t number = 0; number < BLOCKS / 4; number++) {
        const pair_class group = (pair_class)(number % PAIR_TINY_SCALE);
        unsigned char verdicts[GRZ_PACKET_MOST], others[GRZ_PACKET_MOST];
        grz_pose poses[2];
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 4; j++)
                    poses[k].m[i][j] = random_signed(&random) * (j == 3 ? 4.0 : 1.0);
        poses[1] = number % 2 == 0 ? poses[0] : poses[1]; // so that close triangles stay close
        make_block(&made, group, number);
        judge(&made, &poses[0], &poses[1], GRZ_PACKET_MOST, GRZ_SIMD_SCALAR, verdicts);
        for (int simd = 0; simd < GRZ_SIMD_COUNT; simd++) {
            if (!grz_simd_available((grz_simd)simd))
                continue;
            judge(&made, &poses[0], &poses[1], GRZ_PACKET_MOST, (grz_simd)simd, others);
            assert_memory_equal(verdicts, others, GRZ_PACKET_MOST);
        }
        for (size_t i = 0; i < GRZ_PACKET_MOST; i++) {
            double a[3][3], b[3][3];
            world((const double(*)[3])made.a[i], &poses[0], a);
            world((const double(*)[3])made.b[i], &poses[1], b);
            expect_true(group, (const double(*)[3])a, (const double(*)[3])b, verdicts[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_right),
        cmocka_unit_test(random_triangles_are_all_decided),
        cmocka_unit_test(flat_random_triangles_are_all_decided),
        cmocka_unit_test(poses_round_as_defined),
    };
    grz_fp_enter();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
