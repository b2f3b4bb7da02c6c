// SPDX-License-Identifier: MIT
// A plug-in that has the library inside it: it exports this function and nothing of the library's.

#include <graze/graze.h>

const char *plugin_version(void);

const char *plugin_version(void)
{
    return grz_version();
}
