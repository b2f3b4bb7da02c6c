// SPDX-License-Identifier: MIT
// Graze's answers. Fails if one differs from the answer in cases.c. Also prints the list of cases.
#include "cases.h"

#include <graze/graze.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const peers_way way = {
    .name = "grz_collide, grz_collide_self: defaults", .ask = peers_ask_graze, .ask_self = peers_ask_graze_self};

static bool is_right(const peers_case *question, unsigned variant)
{
    static peers_mesh a, b;
    peers_answer answer = {.touches = PEERS_CANNOT_SAY, .pairs = calloc(PEERS_MAX_PAIRS, sizeof *answer.pairs)};
    if (!answer.pairs)
        return false;
    peers_build(question, variant, &a, &b);
    if (question->self)
        peers_ask_graze_self(&a, &answer);
    else
        peers_ask_graze(&a, &b, &answer);
    free(answer.pairs);
    return answer.touches == question->truth.touches &&
           strncmp(answer.remark, question->truth.relation, strlen(question->truth.relation)) == 0;
}

int main(void)
{
    int status = 0;
    char name[64];
    for (size_t i = 0; i < peers_case_count; i++) {
        printf("%-20s %s: %s\n", peers_cases[i].name, peers_cases[i].what, peers_cases[i].truth.relation);
        for (unsigned variant = 0; variant < peers_variant_count(&peers_cases[i]); variant++)
            if (!is_right(&peers_cases[i], variant)) {
                fprintf(stderr, "%s, variant %u: Graze's answer is not the one made by hand\n", peers_cases[i].name,
                        variant);
                status = 1;
            }
    }
    printf("\n");
    snprintf(name, sizeof name, "Graze %s", grz_version());
    const int asked = peers_run(name, &way, 1);
    return asked ? asked : status;
}
