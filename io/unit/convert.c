// SPDX-License-Identifier: MIT
// Units of length: their names, and conversion from one to another.
#define _POSIX_C_SOURCE 200809L
#include "reader.h"
#include "scale.h"

#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    FACTOR_SIZE = 64
};

static const struct {
    const char *name;
    double metres;
} units[] = {{"mm", 0.001}, {"cm", 0.01}, {"m", 1}, {"inch", 0.0254}, {"foot", 0.3048}, {"micron", 1e-6}};

static bool is_unit(double metres)
{
    return metres > 0 && isfinite(metres);
}

void grz_io_unit_name(double unit_in_metres, char name[GRZ_IO_UNIT_NAME_SIZE])
{
    name[0] = '\0';
    if (!is_unit(unit_in_metres))
        return;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (unit_in_metres >= units[i].metres && unit_in_metres <= units[i].metres) {
            snprintf(name, GRZ_IO_UNIT_NAME_SIZE, "%s", units[i].name);
            return;
        }
    char number[GRZ_IO_NUMBER_SIZE];
    grz_io_write_shortest(unit_in_metres, number);
    snprintf(name, GRZ_IO_UNIT_NAME_SIZE, "%s m", number);
}

bool grz_io_find_unit(const char *name, double *unit_in_metres)
{
    for (size_t i = 0; name != NULL && unit_in_metres != NULL && i < sizeof units / sizeof *units; i++)
        if (strcmp(name, units[i].name) == 0) {
            *unit_in_metres = units[i].metres;
            return true;
        }
    return false;
}

// "divided by 1000", "multiplied by 127/5".
static void describe_factor(const unit_ratio *ratio, char text[FACTOR_SIZE])
{
    uint64_t numerator, denominator;
    if (!grz_io_ratio_in_full(ratio, &numerator, &denominator))
        snprintf(text, FACTOR_SIZE, "multiplied by %" PRIu64 "/%" PRIu64 " * 2^%d", ratio->numerator,
                 ratio->denominator, ratio->two);
    else if (numerator == 1 && denominator == 1)
        snprintf(text, FACTOR_SIZE, "as they are");
    else if (numerator == 1)
        snprintf(text, FACTOR_SIZE, "divided by %" PRIu64, denominator);
    else if (denominator == 1)
        snprintf(text, FACTOR_SIZE, "multiplied by %" PRIu64, numerator);
    else
        snprintf(text, FACTOR_SIZE, "multiplied by %" PRIu64 "/%" PRIu64, numerator, denominator);
}

void grz_io_describe_conversion(double from, double to, char text[GRZ_IO_CONVERSION_SIZE])
{
    char names[2][GRZ_IO_UNIT_NAME_SIZE], factor[FACTOR_SIZE];
    unit_ratio ratio;
    grz_io_unit_name(from, names[0]);
    grz_io_unit_name(to, names[1]);
    if (!is_unit(from))
        snprintf(text, GRZ_IO_CONVERSION_SIZE, "declares no unit, taken as %s", names[1]);
    else if (from >= to && from <= to)
        snprintf(text, GRZ_IO_CONVERSION_SIZE, "%s, as it is", names[0]);
    else if (!grz_io_find_ratio(from, to, &ratio))
        snprintf(text, GRZ_IO_CONVERSION_SIZE, "%s, cannot be converted to %s exactly", names[0], names[1]);
    else {
        describe_factor(&ratio, factor);
        snprintf(text, GRZ_IO_CONVERSION_SIZE, "%s, converted to %s: %s", names[0], names[1], factor);
    }
}

static grz_status refuse_units(const char *call, double from, double to, grz_error *error)
{
    char names[2][GRZ_IO_UNIT_NAME_SIZE], reason[REASON_SIZE];
    if (!is_unit(from) || !is_unit(to))
        return grz_io_refuse(call, "a unit is not a finite number of metres above 0", error);
    grz_io_unit_name(from, names[0]);
    grz_io_unit_name(to, names[1]);
    snprintf(reason, sizeof reason, "the quotient of the units, %s and %s, has too many digits", names[0], names[1]);
    return grz_io_explain(GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, call, reason, error);
}

// Multiply under the environment in which a double is rounded to the nearest. `per`: numbers an element has.
static grz_status scale_in_plain_environment(const char *call, double *numbers, uint64_t count, uint64_t stride,
                                             const unit_ratio *ratio, uint64_t per, grz_error *error)
{
    fenv_t arithmetic;
    if (fegetenv(&arithmetic) != 0 || fesetenv(FE_DFL_ENV) != 0)
        return grz_io_explain(GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, call,
                              "the floating-point environment cannot be set", error);
    const uint64_t bad = grz_io_scale_all(numbers, count, stride, ratio);
    (void)fesetenv(&arithmetic);
    if (bad == count)
        return GRZ_OK;
    return grz_io_explain(GRZ_ERROR_ARGUMENT, bad / per, call, "a number is too large for a double in the new unit",
                          error);
}

grz_status grz_io_convert_lengths(double *lengths, uint64_t count, double from, double to, grz_error *error)
{
    static const char call[] = "convert lengths";
    unit_ratio ratio;
    if (lengths == NULL && count > 0)
        return grz_io_refuse(call, "lengths is NULL", error);
    if (!grz_io_find_ratio(from, to, &ratio))
        return refuse_units(call, from, to, error);
    return scale_in_plain_environment(call, lengths, count, 1, &ratio, 1, error);
}

enum {
    ROW = 4,  // numbers from one row of a matrix to the next
    SHIFT = 3 // the column of the translation
};

// Whether the translations of all instances stay doubles.
static grz_status check_instances(const char *call, const grz_io_model *model, const unit_ratio *ratio,
                                  grz_error *error)
{
    for (size_t i = 0; i < model->instance_count; i++) {
        const double(*matrix)[ROW] = model->instances[i].matrix;
        double shift[3] = {matrix[0][SHIFT], matrix[1][SHIFT], matrix[2][SHIFT]};
        const grz_status status = scale_in_plain_environment(call, shift, 3, 1, ratio, 3, error);
        if (status != GRZ_OK && error != NULL)
            error->element = i;
        if (status != GRZ_OK)
            return status;
    }
    return GRZ_OK;
}

grz_status grz_io_model_convert(grz_io_model *model, double unit_in_metres, grz_error *error)
{
    static const char call[] = "convert model";
    unit_ratio ratio;
    if (model == NULL)
        return grz_io_refuse(call, "model is NULL", error);
    if (!is_unit(unit_in_metres))
        return refuse_units(call, unit_in_metres, unit_in_metres, error);
    if (is_unit(model->unit_in_metres)) {
        if (!grz_io_find_ratio(model->unit_in_metres, unit_in_metres, &ratio))
            return refuse_units(call, model->unit_in_metres, unit_in_metres, error);
        grz_status status = check_instances(call, model, &ratio, error);
        if (status == GRZ_OK)
            status = scale_in_plain_environment(call, model->positions, 3 * model->vertex_count, 1, &ratio, 3, error);
        if (status != GRZ_OK)
            return status;
        grz_io_instance *instances = ((owned_model *)model)->arrays.instances;
        for (size_t i = 0; i < model->instance_count; i++)
            (void)scale_in_plain_environment(call, &instances[i].matrix[0][SHIFT], 3, ROW, &ratio, 3, NULL);
    }
    model->unit_in_metres = unit_in_metres;
    return GRZ_OK;
}
