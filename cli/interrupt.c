// SPDX-License-Identifier: MIT
// A handler for SIGINT that sets a flag, put in place only while something looks at the flag.
#define _POSIX_C_SOURCE 200809L

#include "interrupt.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

// The handler has no other way to say it than a global.
static volatile int raised;
static struct sigaction before;
static bool watching;

static void on_interrupt(int number)
{
    (void)number;
    raised = 1;
}

const volatile int *interrupt_flag(void)
{
    return &raised;
}

void interrupt_watch(void)
{
    struct sigaction now = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&now.sa_mask);
    // Who ignores the signal, as programs in the background do, is to go on.
    if (!watching && sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        watching = sigaction(SIGINT, &now, NULL) == 0;
}

void interrupt_unwatch(void)
{
    if (watching)
        (void)sigaction(SIGINT, &before, NULL);
    watching = false;
}

int interrupt_exit(int status)
{
    if (raised != 0) {
        interrupt_unwatch();
        (void)raise(SIGINT);
    }
    return status;
}
