// SPDX-License-Identifier: MIT
// Ctrl-C while files are read: the reading stops and the command cleans up, where the system would end the program at
// once. The program then ends by the signal after all, so that a shell's loop over files ends, too.
#ifndef GRZ_CLI_INTERRUPT_H
#define GRZ_CLI_INTERRUPT_H

// What becomes non-zero at Ctrl-C while it is watched for.
const volatile int *interrupt_flag(void);

// From here on Ctrl-C sets the flag; a second one ends the program.
void interrupt_watch(void);

// From here on Ctrl-C ends the program at once, as it did before interrupt_watch().
void interrupt_unwatch(void);

// End the program by the signal where the flag was set. Returns `status` otherwise.
int interrupt_exit(int status);

#endif
