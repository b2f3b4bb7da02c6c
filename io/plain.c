// SPDX-License-Identifier: MIT
#include "plain.h"

bool grz_io_enter_plain(load_control *control, plain_environment *out)
{
    out->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (out->plain == (locale_t)0)
        return grz_io_control_fail(control, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "not enough memory for the model");
    out->before = uselocale(out->plain);
    if (fegetenv(&out->arithmetic) == 0 && fesetenv(FE_DFL_ENV) == 0)
        return true;
    uselocale(out->before);
    freelocale(out->plain);
    return grz_io_control_fail(control, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                               "the floating-point environment cannot be set");
}

void grz_io_leave_plain(plain_environment *entered)
{
    (void)fesetenv(&entered->arithmetic);
    uselocale(entered->before);
    freelocale(entered->plain);
}
