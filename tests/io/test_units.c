// SPDX-License-Identifier: MIT
// Conversion of units: every number is the exact product, rounded once, against GMP's rationals, which work it out in
// another way: the product must lie between the midpoints to the doubles beside the answer, and on a midpoint only
// where the answer is even. Then names, words, models with instances, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fenv.h>
#include <float.h>
#include <gmp.h>
#include <graze/io.h>
#include <math.h>

// A unit, in metres, and the same as a fraction.
typedef struct unit {
    double metres;
    const char *fraction;
} unit;

static const unit UNITS[] = {
    {0.001, "1/1000"},
    {0.01, "1/100"},
    {1, "1"},
    {0.0254, "254/10000"},
    {0.3048, "3048/10000"},
    {1e-6, "1/1000000"},
    {0.0035, "35/10000"},
    {1000, "1000"},
    {0.30480060960121924, "30480060960121924/100000000000000000"},
    {3, "3"},
    {7e-9, "7/1000000000"},
    {1.7e5, "170000"},
    {0.1, "1/10"},
};
enum {
    UNIT_COUNT = sizeof UNITS / sizeof *UNITS
};

static uint64_t state = 0x9e3779b97f4a7c15;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// Finite doubles of every size, subnormal ones and short decimals among them.
static double draw_number(void)
{
    const uint64_t kind = draw() % 4;
    if (kind == 0)
        return (double)(int64_t)(draw() % 2000001 - 1000000) / 1000;
    if (kind == 1)
        return of_bits(draw() % (UINT64_C(1) << 52)); // subnormal
    for (;;) {
        const double x = of_bits(draw());
        if (isfinite(x) && (kind == 2 || (fabs(x) < 1e6 && fabs(x) > 1e-6)))
            return x;
    }
}

// The midpoint of two doubles; DBL_MAX and infinity meet where rounding turns to infinity.
static void midpoint(mpq_t to, double a, double b)
{
    mpq_t other;
    mpq_init(other);
    mpq_set_d(to, isinf(a) ? copysign(DBL_MAX, a) : a);
    mpq_set_d(other, isinf(b) ? copysign(DBL_MAX, b) : b);
    mpq_add(to, to, other);
    mpq_div_2exp(to, to, 1);
    if (isinf(a) || isinf(b)) {
        mpq_set_d(to, copysign(DBL_MAX, isinf(a) ? a : b));
        mpq_set_d(other, copysign(ldexp(1, 1023 - 53), isinf(a) ? a : b));
        mpq_add(to, to, other);
    }
    mpq_clear(other);
}

// Whether `got` is the double nearest to the exact number, ties to even.
static bool is_nearest(double got, const mpq_t exact)
{
    mpq_t low, high;
    uint64_t bits;
    mpq_inits(low, high, NULL);
    memcpy(&bits, &got, sizeof bits);
    midpoint(low, nextafter(got, -HUGE_VAL), got);
    midpoint(high, got, nextafter(got, HUGE_VAL));
    const int below = mpq_cmp(low, exact), above = mpq_cmp(exact, high);
    const bool even = bits % 2 == 0;
    mpq_clears(low, high, NULL);
    return (below < 0 || (below == 0 && even)) && (above < 0 || (above == 0 && even));
}

static void exact_product(mpq_t to, double x, const unit *from, const unit *into)
{
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    mpq_set_str(a, from->fraction, 10);
    mpq_set_str(b, into->fraction, 10);
    mpq_canonicalize(a);
    mpq_canonicalize(b);
    mpq_set_d(to, x);
    mpq_mul(to, to, a);
    mpq_div(to, to, b);
    mpq_clears(a, b, NULL);
}

static void check_number(double x, const unit *from, const unit *into)
{
    double got = x;
    grz_error error = {0};
    mpq_t exact;
    mpq_init(exact);
    exact_product(exact, x, from, into);
    const grz_status status = grz_io_convert_lengths(&got, 1, from->metres, into->metres, &error);
    if (status == GRZ_OK) {
        if (!isfinite(got) || !is_nearest(got, exact) || signbit(got) != signbit(x))
            fail_msg("%a from %s to %s is %a", x, from->fraction, into->fraction, got);
    } else { // only where it is too large
        mpq_t limit;
        mpq_init(limit);
        midpoint(limit, DBL_MAX, HUGE_VAL);
        mpq_abs(exact, exact);
        if (status != GRZ_ERROR_ARGUMENT || mpq_cmp(exact, limit) < 0 || memcmp(&got, &x, sizeof x) != 0)
            fail_msg("%a from %s to %s is refused: %s", x, from->fraction, into->fraction, error.message);
        mpq_clear(limit);
    }
    mpq_clear(exact);
}

static void every_number_is_rounded_once(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < UNIT_COUNT; i++)
        for (size_t k = 0; k < UNIT_COUNT; k++)
            for (int n = 0; n < 400; n++)
                check_number(draw_number(), &UNITS[i], &UNITS[k]);
}

// Products that lie on a midpoint, or as near as can be: 127/5 and 5/127 of odd numbers of 53 bits and of subnormals.
static void midpoints_go_to_the_even_one(void **unused)
{
    (void)unused;
    static const unit half = {0.5, "1/2"}, three = {1.5, "3/2"}, metre = {1, "1"};
    for (int n = 0; n < 2000; n++) {
        check_number(of_bits(draw() % 4096), &half, &metre);
        check_number(of_bits(draw() % 4096), &three, &metre); // the midpoints of odd ones
        check_number((double)((UINT64_C(1) << 52) | draw() % (UINT64_C(1) << 52)), &three, &metre);
        check_number(of_bits(draw() % 4096), &UNITS[3], &UNITS[2]);
    }
    // A denominator of 63 bits, 5^27: what is left of the division often decides.
    static const unit tiny = {1e-27, "1/1000000000000000000000000000"};
    for (int n = 0; n < 20000; n++)
        check_number(draw_number(), &tiny, &metre);
    double smallest = of_bits(1); // half of it is a tie between 0 and itself
    assert_int_equal(grz_io_convert_lengths(&smallest, 1, 0.5, 1, NULL), GRZ_OK);
    assert_true(smallest == 0 && !signbit(smallest));
}

static void known_numbers(void **unused)
{
    (void)unused;
    double numbers[] = {0.1, -25.4, 0.0, -0.0, HUGE_VAL, 12.7};
    assert_int_equal(grz_io_convert_lengths(numbers, 6, 0.0254, 0.001, NULL), GRZ_OK);
    assert_true(numbers[0] == 2.54 && numbers[1] == -645.16 && numbers[2] == 0 && isinf(numbers[4]));
    assert_true(signbit(numbers[3]) && !signbit(numbers[2]) && numbers[5] == 322.58);
    double mm[] = {1, 3, 0.3};
    assert_int_equal(grz_io_convert_lengths(mm, 3, 0.001, 1, NULL), GRZ_OK);
    assert_true(mm[0] == 0.001 && mm[1] == 0.003 && mm[2] == 0.3 / 1000);
}

// The caller's rounding mode changes nothing, and is there afterwards.
static void the_rounding_mode_does_not_matter(void **unused)
{
    (void)unused;
    double plain[64], other[64];
    for (int i = 0; i < 64; i++)
        plain[i] = other[i] = ldexp(draw_number(), -2) * 0.5;
    assert_int_equal(grz_io_convert_lengths(plain, 64, 0.0254, 1, NULL), GRZ_OK);
    assert_int_equal(fesetround(FE_UPWARD), 0);
    const grz_status status = grz_io_convert_lengths(other, 64, 0.0254, 1, NULL);
    const int mode = fegetround();
    fesetround(FE_TONEAREST);
    assert_int_equal(status, GRZ_OK);
    assert_int_equal(mode, FE_UPWARD);
    assert_memory_equal(plain, other, sizeof plain);
}

static void what_cannot_be_converted_is_refused(void **unused)
{
    (void)unused;
    static const double bad[] = {0, -1, (double)NAN, HUGE_VAL};
    double number = 1, many[] = {1, -1e300, 2, 1e308};
    const double before[] = {1, -1e300, 2, 1e308};
    grz_error error = {0};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(grz_io_convert_lengths(&number, 1, bad[i], 1, &error), GRZ_ERROR_ARGUMENT);
        assert_int_equal(grz_io_convert_lengths(&number, 1, 1, bad[i], &error), GRZ_ERROR_ARGUMENT);
    }
    assert_int_equal(grz_io_convert_lengths(&number, 1, 1e-200, 1, &error), GRZ_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "1e-200 m and m"));
    assert_int_equal(grz_io_convert_lengths(NULL, 1, 1, 1, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_io_convert_lengths(NULL, 0, 1, 1, &error), GRZ_OK);
    assert_int_equal(grz_io_convert_lengths(many, 4, 1, 0.001, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(error.element, 3);
    assert_memory_equal(many, before, sizeof many);
}

static void units_have_names(void **unused)
{
    (void)unused;
    static const struct {
        double metres;
        const char *name;
    } rows[] = {{0.001, "mm"},
                {0.01, "cm"},
                {1, "m"},
                {0.0254, "inch"},
                {0.3048, "foot"},
                {1e-6, "micron"},
                {0.0035, "0.0035 m"},
                {1000, "1000 m"},
                {1e7, "1e7 m"},
                {1.25e-9, "1.25e-9 m"},
                {12.5, "12.5 m"},
                {0, ""},
                {-1, ""},
                {(double)NAN, ""},
                {HUGE_VAL, ""},
                {0.30480060960121924, "0.30480060960121924 m"}};
    char name[GRZ_IO_UNIT_NAME_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double found = -7;
        grz_io_unit_name(rows[i].metres, name);
        assert_string_equal(name, rows[i].name);
        const bool known = *name != '\0' && strchr(name, ' ') == NULL;
        assert_int_equal(grz_io_find_unit(name, &found), known);
        assert_true(known ? found == rows[i].metres : found == -7);
    }
    double unchanged = 3;
    assert_false(grz_io_find_unit(NULL, &unchanged) || grz_io_find_unit("km", &unchanged) || unchanged != 3);
}

static void conversions_have_words(void **unused)
{
    (void)unused;
    static const struct {
        double from, to;
        const char *words;
    } rows[] = {{0.001, 1, "mm, converted to m: divided by 1000"},
                {1, 0.001, "m, converted to mm: multiplied by 1000"},
                {0.0254, 0.001, "inch, converted to mm: multiplied by 127/5"},
                {1, 0.0254, "m, converted to inch: multiplied by 5000/127"},
                {1, 1, "m, as it is"},
                {0, 0.001, "declares no unit, taken as mm"},
                {1e-200, 1, "1e-200 m, cannot be converted to m exactly"}};
    char words[GRZ_IO_CONVERSION_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        grz_io_describe_conversion(rows[i].from, rows[i].to, words);
        assert_string_equal(words, rows[i].words);
    }
}

// Two nodes that show one triangle.
static const char NODES[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0},{\"mesh\":0,"
    "\"translation\":[7,0.3,-2],\"scale\":[2,2,2]}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],\"bufferViews\":[{"
    "\"buffer\":0,\"byteLength\":36}],\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,"
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}]}";

static grz_io_model *load_nodes(bool keep)
{
    grz_io_options options = grz_io_default_options();
    grz_io_model *model;
    options.keep_instances = keep;
    assert_int_equal(grz_io_load_memory("a.gltf", NODES, sizeof NODES - 1, &options, &model, NULL), GRZ_OK);
    return model;
}

static void models_are_converted_with_their_instances(void **unused)
{
    (void)unused;
    grz_io_model *model = load_nodes(true);
    assert_int_equal(grz_io_model_convert(model, 0.001, NULL), GRZ_OK);
    assert_true(model->unit_in_metres == 0.001 && model->instance_count == 2 && model->positions[3] == 1000);
    const double(*m)[4] = model->instances[1].matrix;
    assert_true(m[0][3] == 7000 && m[1][3] == 300 && m[2][3] == -2000 && m[0][0] == 2);
    grz_error error = {0};
    assert_int_equal(grz_io_model_convert(model, 0, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_io_model_convert(NULL, 1, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_io_model_convert(model, 1e300, &error), GRZ_ERROR_UNSUPPORTED);
    assert_true(model->unit_in_metres == 0.001 && model->positions[3] == 1000);
    model->positions[3] = DBL_MAX;
    assert_int_equal(grz_io_model_convert(model, 1e-6, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(error.element, 1);
    assert_true(model->positions[3] == DBL_MAX && m[0][3] == 7000 && model->unit_in_metres == 0.001);
    grz_io_model_destroy(model);

    model = load_nodes(false);
    assert_int_equal(grz_io_model_convert(model, 0.0254, NULL), GRZ_OK);
    double x = 1;
    assert_int_equal(grz_io_convert_lengths(&x, 1, 1, 0.0254, NULL), GRZ_OK);
    assert_true(model->positions[3] == x);
    grz_io_model_destroy(model);
}

static void a_model_without_a_unit_keeps_its_numbers(void **unused)
{
    (void)unused;
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    grz_io_model *model;
    assert_int_equal(grz_io_load_memory("a.obj", text, sizeof text - 1, NULL, &model, NULL), GRZ_OK);
    assert_true(model->unit_in_metres == 0);
    assert_int_equal(grz_io_model_convert(model, 0.001, NULL), GRZ_OK);
    assert_true(model->unit_in_metres == 0.001 && model->positions[3] == 1);
    grz_io_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_is_rounded_once),
        cmocka_unit_test(midpoints_go_to_the_even_one),
        cmocka_unit_test(known_numbers),
        cmocka_unit_test(the_rounding_mode_does_not_matter),
        cmocka_unit_test(what_cannot_be_converted_is_refused),
        cmocka_unit_test(units_have_names),
        cmocka_unit_test(conversions_have_words),
        cmocka_unit_test(models_are_converted_with_their_instances),
        cmocka_unit_test(a_model_without_a_unit_keeps_its_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
