// SPDX-License-Identifier: MIT
// graze self A: does a mesh touch itself, other than where its faces join. Decided where the file puts the mesh; --pose-a only
// moves the points that are reported, and containment has no meaning here.

#include "commands.h"
#include "query.h"

int command_self(const options *given)
{
    query q;
    grz_error error = {0};
    int status = STATUS_TROUBLE;

    if (query_open(&q, given)) {
        grz_collide_options wanted = query_collide_options(&q);
        wanted.find &= ~(uint32_t)GRZ_FIND_CONTAINMENT;
        grz_status ended = grz_collide_self(q.device, &q.objects[0], &wanted, q.result, &error);
        status = query_report(&q, ended, &error);
    }
    query_close(&q);
    return status;
}
