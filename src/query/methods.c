// SPDX-License-Identifier: MIT
// The table of methods, made from method_list.h; choosing a method by name or by capabilities.
#include "query/methods.h"

#include <string.h>

#include "base/fail.h"

// A test of a method that is not part of the library defines another list.
#ifndef GRZ_METHOD_LIST
#define GRZ_METHOD_LIST "query/method_list.h"
#endif

// In a build without OpenGL, a method that needs OpenGL has its name but no capabilities.
#ifdef GRZ_HAVE_GL
#define METHOD_GL(method) METHOD(method)
#else
#define METHOD_GL(method) static const grz_filter grz_missing_##method = {.name = #method, .capabilities = GRZ_USES_GL};
#endif

#define METHOD(method) extern const grz_filter grz_filter_##method;
#include GRZ_METHOD_LIST
#undef METHOD
#undef METHOD_GL

#ifdef GRZ_HAVE_GL
#define METHOD_GL(method) &grz_filter_##method,
#else
#define METHOD_GL(method) &grz_missing_##method,
#endif
#define METHOD(method) &grz_filter_##method,

static const grz_filter *const filters[] = {
#include GRZ_METHOD_LIST
};

enum {
    FILTER_COUNT = sizeof filters / sizeof filters[0]
};

const grz_filter *grz_filter_at(size_t index)
{
    return index < FILTER_COUNT ? filters[index] : NULL;
}

const grz_filter *grz_filter_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < FILTER_COUNT; i++)
        if (strcmp(filters[i]->name, name) == 0)
            return filters[i];
    return NULL;
}

const grz_filter *grz_filter_choose(uint32_t capabilities)
{
    for (size_t i = 0; i < FILTER_COUNT; i++)
        if (grz_filter_can(filters[i], capabilities) && !grz_filter_can(filters[i], GRZ_IS_REFERENCE))
            return filters[i];
    return NULL;
}

grz_status grz_filter_read(const char *name, uint32_t capability, const char *cannot, const grz_filter **filter,
                           grz_error *error)
{
    const grz_filter *found =
        name == NULL || strcmp(name, "auto") == 0 ? grz_filter_choose(capability) : grz_filter_find(name);
    if (found == NULL)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "no method is called \"%s\" in this build", name);
    if (!grz_filter_can(found, capability))
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "method %s %s", name, cannot);
    *filter = found;
    return GRZ_OK;
}

const char *grz_method_name(size_t index)
{
    const grz_filter *filter = grz_filter_at(index);
    return filter != NULL ? filter->name : NULL;
}

bool grz_method_info(size_t index, grz_method *method)
{
    const grz_filter *filter = grz_filter_at(index);
    if (method == NULL)
        return false;
    *method = (grz_method){.name = NULL};
    if (filter == NULL)
        return false;
    *method = (grz_method){.name = filter->name,
                           .exact = grz_filter_can(filter, GRZ_CAN_PAIR) || grz_filter_can(filter, GRZ_CAN_SELF),
                           .discrete = (filter->capabilities & GRZ_CAN_DISCRETE) != 0,
                           .self = grz_filter_can(filter, GRZ_CAN_SELF),
                           .gl = grz_filter_can(filter, GRZ_USES_GL)};
    return true;
}
