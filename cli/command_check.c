// SPDX-License-Identifier: MIT
// graze check A B: do two meshes touch, and where; if nothing touches, does one lie inside the other. The same file may be given
// twice: it is then two meshes that happen to be equal.

#include "commands.h"
#include "query.h"

int command_check(const options *given)
{
    query q;
    grz_error error = {0};
    int status = STATUS_TROUBLE;

    if (query_open(&q, given)) {
        grz_collide_options wanted = query_collide_options(&q);
        grz_status ended = grz_collide(q.device, &q.objects[0], &q.objects[1], &wanted, q.result, &error);
        status = query_report(&q, ended, &error);
    }
    query_close(&q);
    return status;
}
