// SPDX-License-Identifier: MIT
// grz_shapes_compare_many(): blocks of pairs are spread over the threads of the device. Everything that may be wrong
// with the input is found before, but for lines that are too nearly parallel.
#include <stdatomic.h>
#include <stdio.h>

#include "ask/shape/placed.h"
#include "ask/shape/shape_request.h"
#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"

enum {
    BLOCK = 16 // pairs
};

// What was asked, and what is needed to answer it.
typedef struct question {
    const grz_shape *shapes;
    uint64_t shape_count;
    const uint32_t *pairs;
    uint64_t pair_count;
    grz_shape_options options;
    grz_call call;
    grz_shape_answer *answers;
    atomic_ullong unsupported; // the first pair of lines that are too nearly parallel; pair_count: none
} question;

static void compare_block(size_t block, void *context)
{
    question *q = context;
    const uint64_t first = (uint64_t)block * BLOCK, end = q->pair_count - first < BLOCK ? q->pair_count : first + BLOCK;
    for (uint64_t i = first; i < end && !grz_control_expired(&q->call.control); i++) {
        const grz_shape *a = &q->shapes[q->pairs[2 * i]], *b = &q->shapes[q->pairs[2 * i + 1]];
        const grz_status status = grz_shapes_compare_two(a, b, &q->options, &q->call.control, &q->answers[i], NULL);
        if (status == GRZ_ERROR_UNSUPPORTED) {
            unsigned long long least = atomic_load(&q->unsupported);
            while (i < least && !atomic_compare_exchange_weak(&q->unsupported, &least, i)) {
            }
        } else if (status != GRZ_OK) {
            grz_control_fail(&q->call.control, status);
            return;
        }
    }
}

static grz_status check(question *q, grz_error *error)
{
    if ((q->shape_count > 0 && q->shapes == NULL) || (q->pair_count > 0 && (q->pairs == NULL || q->answers == NULL)))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "shapes: the %s are NULL",
                        q->shape_count > 0 && q->shapes == NULL ? "shapes"
                        : q->pairs == NULL                      ? "pairs"
                                                                : "answers");
    for (uint64_t i = 0; i < 2 * q->pair_count; i++)
        if (q->pairs[i] >= q->shape_count)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, i / 2, "shapes: pair %llu has shape %u, there are %llu",
                            (unsigned long long)(i / 2), (unsigned)q->pairs[i], (unsigned long long)q->shape_count);
    for (uint64_t i = 0; i < q->shape_count; i++) {
        char what[32];
        snprintf(what, sizeof what, "shape %llu", (unsigned long long)i);
        const grz_status status = grz_placed_check("shapes", &q->shapes[i], what, i, error);
        if (status != GRZ_OK)
            return status;
    }
    return GRZ_OK;
}

static grz_status compare_all(question *q)
{
    grz_error *error = q->call.error;
    grz_status status = check(q, error);
    if (status != GRZ_OK || q->pair_count == 0)
        return status;
    grz_parallel(q->call.device, (size_t)((q->pair_count - 1) / BLOCK + 1), compare_block, q);
    status = grz_control_status(&q->call.control);
    if (status != GRZ_OK)
        return grz_control_explain(&q->call.control, status, "shapes", error);
    const uint64_t bad = atomic_load(&q->unsupported);
    return bad == q->pair_count ? GRZ_OK
                                : grz_fail(error, GRZ_ERROR_UNSUPPORTED, bad,
                                           "shapes: the two of pair %llu are so nearly parallel that they are nearest "
                                           "beyond 2^300",
                                           (unsigned long long)bad);
}

grz_status grz_shapes_compare_many(grz_device *device, const grz_shape *shapes, uint64_t shape_count,
                                   const uint32_t *pairs, uint64_t pair_count, const grz_shape_options *options,
                                   grz_shape_answer *answers, grz_error *error)
{
    question q = {
        .shapes = shapes, .shape_count = shape_count, .pairs = pairs, .pair_count = pair_count, .answers = answers};
    atomic_init(&q.unsupported, pair_count);
    for (uint64_t i = 0; i < pair_count && answers != NULL; i++)
        answers[i] = grz_shape_nothing;
    grz_status status = grz_shape_begin(&q.call, "shapes", device, options, &q.options, error);
    if (status == GRZ_OK)
        status = compare_all(&q);
    return grz_call_end(&q.call, status);
}
