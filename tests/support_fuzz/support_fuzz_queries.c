// SPDX-License-Identifier: MIT
// Runs a query by every method and compares the answers. Results are reused, so that what one query leaves behind is
// tested, too.
#include "support_fuzz_queries.h"

#include "mesh/mesh.h"
#include "support_contacts.h"

static grz_device *device;
static grz_result *result;

grz_device *fuzz_device(void)
{
    if (device == NULL) {
        device = test_device_open(1);
        result = test_result_create(device);
    }
    return device;
}

static grz_status ask(const grz_object *a, const grz_object *b, const grz_collide_options *options, grz_error *error)
{
    *error = (grz_error){.code = GRZ_OK};
    const grz_status status = b != NULL ? grz_collide(fuzz_device(), a, b, options, result, error)
                                        : grz_collide_self(fuzz_device(), a, options, result, error);
    const grz_summary *s = grz_result_summary(result);
    FUZZ_REQUIRE(status == error->code && (status == GRZ_OK) == (error->message[0] == '\0'));
    FUZZ_REQUIRE((s->certainty == GRZ_EXACT) == (status == GRZ_OK || status == GRZ_ERROR_LIMIT));
    FUZZ_REQUIRE(s->colliding == (s->relation != GRZ_APART));
    return status;
}

// After a failed query all lists are empty.
static void require_empty(void)
{
    const test_answer none = test_answer_of(result);
    FUZZ_REQUIRE(none.pair_count == 0 && none.contact_count == 0 && none.point_count == 0 && none.curve_count == 0 &&
                 none.summary.pair_count == 0 && !none.summary.has_region);
    test_answer copy = none;
    test_answer_finish(&copy);
}

bool fuzz_ask(const grz_object *a, const grz_object *b, test_answer *answer)
{
    grz_collide_options options = grz_default_collide_options();
    grz_error first, error;
    options.find = FUZZ_FIND_ALL;
    options.method = test_exact_method(0);
    const grz_status status = ask(a, b, &options, &first);
    if (status != GRZ_OK) {
        FUZZ_REQUIRE(status == GRZ_ERROR_POSE);
        require_empty();
    } else {
        *answer = test_answer_of(result);
        answer->self = b == NULL;
        FUZZ_REQUIRE(answer->summary.pair_count == answer->pair_count && answer->summary.pairs_complete);
    }
    // Which of the other methods is asked depends on the input alone.
    const size_t turn = a->mesh->triangle_count + (b != NULL ? b->mesh->vertex_count : 0);
    for (size_t i = 1; (options.method = test_exact_method_in_turn(i, turn)) != NULL; i++) {
        FUZZ_REQUIRE(ask(a, b, &options, &error) == status);
        if (status != GRZ_OK) {
            FUZZ_REQUIRE(error.element == first.element && strcmp(error.message, first.message) == 0);
            continue;
        }
        test_answer other = test_answer_of(result);
        FUZZ_REQUIRE(test_answers_equal("two methods", answer, &other));
        test_answer_finish(&other);
    }
    if (status != GRZ_OK)
        return false;
    test_expect_contact_laws("the answer", answer);
    test_expect_curve_laws("the answer", answer);
    return true;
}

test_answer fuzz_ask_once(const grz_object *a, const grz_object *b, uint32_t find)
{
    grz_collide_options options = grz_default_collide_options();
    grz_error error;
    options.find = find;
    FUZZ_REQUIRE(ask(a, b, &options, &error) == GRZ_OK);
    return test_answer_of(result);
}

// Query for some of the lists only: these must be the same.
static void find_less(const grz_object *a, const grz_object *b, const test_answer *answer, grz_collide_options options)
{
    grz_error error;
    options.find &= FUZZ_FIND_ALL;
    const bool list = (options.find & ~(uint32_t)GRZ_FIND_CONTAINMENT) != 0,
               contained = (options.find & GRZ_FIND_CONTAINMENT) != 0;
    FUZZ_REQUIRE(ask(a, b, &options, &error) == GRZ_OK);
    test_answer less = test_answer_of(result);
    FUZZ_REQUIRE((less.summary.relation == GRZ_COLLIDING) == (answer->summary.relation == GRZ_COLLIDING));
    FUZZ_REQUIRE(!contained || (less.summary.relation == answer->summary.relation &&
                                less.summary.containment == answer->summary.containment));
    FUZZ_REQUIRE(contained || less.summary.containment == GRZ_CONTAINMENT_NOT_ASKED);
    FUZZ_REQUIRE(less.pair_count == (list ? answer->pair_count : 0));
    FUZZ_REQUIRE(less.pair_count == 0 ||
                 memcmp(less.pairs, answer->pairs, (size_t)less.pair_count * sizeof *less.pairs) == 0);
    FUZZ_REQUIRE(less.contact_count ==
                 (options.find & (GRZ_FIND_CONTACTS | GRZ_FIND_CURVES) ? answer->contact_count : 0));
    FUZZ_REQUIRE(less.curve_count == (options.find & GRZ_FIND_CURVES ? answer->curve_count : 0));
    test_answer_finish(&less);
}

// With a smaller max_pairs: the whole list, or GRZ_ERROR_LIMIT with the yes/no answer.
static void allow_fewer(const grz_object *a, const grz_object *b, const test_answer *answer,
                        grz_collide_options options)
{
    grz_error error;
    const grz_status status = ask(a, b, &options, &error);
    FUZZ_REQUIRE(status == (answer->pair_count > options.max_pairs ? GRZ_ERROR_LIMIT : GRZ_OK));
    if (status != GRZ_OK) {
        FUZZ_REQUIRE(grz_result_summary(result)->relation == GRZ_COLLIDING &&
                     !grz_result_summary(result)->pairs_complete);
        require_empty();
        return;
    }
    test_answer same = test_answer_of(result);
    FUZZ_REQUIRE(test_answers_equal("a limit that is not met", answer, &same));
    test_answer_finish(&same);
}

void fuzz_ask_otherwise(fuzz_input *in, const grz_object *a, const grz_object *b, const test_answer *answer)
{
    static const volatile int raised = 1;
    grz_collide_options options = grz_default_collide_options();
    grz_error error;
    const uint8_t kind = fuzz_byte(in);
    options.method = test_exact_method_in_turn(kind >> 6, kind); // NULL past the last one
    options.find = FUZZ_FIND_ALL;
    switch (kind % 6) {
    default:
        options.find = fuzz_byte(in);
        find_less(a, b, answer, options);
        break;
    case 3:
        options.max_pairs = fuzz_byte(in) % (answer->pair_count + 2);
        allow_fewer(a, b, answer, options);
        break;
    case 4:
        options.limits.cancel = &raised;
        FUZZ_REQUIRE(ask(a, b, &options, &error) == GRZ_ERROR_CANCELLED);
        require_empty();
        break;
    case 5:
        options.limits.deadline = 1e-12;
        FUZZ_REQUIRE(ask(a, b, &options, &error) == GRZ_ERROR_DEADLINE);
        require_empty();
        break;
    }
}
