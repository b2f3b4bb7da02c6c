// SPDX-License-Identifier: MIT
// A file that appears whole or not at all: it is written under a temporary name in the same folder and renamed at the
// end. If the program fails, or is ended by Ctrl-C or a signal like it, the temporary file is removed, and what had the
// name before is still there. One file at a time.
//
//     if (!whole_file_begin("x.png"))  …  // errno says why: nobody waits for an answer that cannot be written
//     write_picture(whole_file_path());   // write and close it
//     if (!whole_file_end())  …           // errno says why
//     whole_file_drop();                  // in any case; does nothing after success
#ifndef GRZ_CLI_WHOLE_FILE_H
#define GRZ_CLI_WHOLE_FILE_H

#include <stdbool.h>

// Make the temporary file. A name that belongs to a pipe or a device is written directly later. On failure returns
// false, and errno says why: no such folder, no permission, or the name is a folder's.
bool whole_file_begin(const char *path);

// The name under which to write the file.
const char *whole_file_path(void);

// Give the file, which is closed now, its name. On failure returns false; errno says why.
bool whole_file_end(void);

// Remove the temporary file, if there is one.
void whole_file_drop(void);

#endif
