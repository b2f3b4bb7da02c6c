// SPDX-License-Identifier: MIT
// Runs a fuzzer's function on files, without libFuzzer and so with any compiler: `replay_fuzz_mesh PATH…`, where a path
// is an input or a folder of inputs. The tests run it on each fuzzer's folder of tests/corpus; a finding is replayed in
// the same way. Prints the number of inputs and fails if there are none, because a test without inputs must not pass.
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "fuzz_input.h"

// In place of libFuzzer's function. The fuzzers' mutators call it, but no mutator runs here.
// NOLINTNEXTLINE(readability-non-const-parameter)
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    (void)data;
    (void)max_size;
    return size;
}

static _Noreturn void give_up(const char *path)
{
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    exit(2);
}

static size_t replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        give_up(path);
    const long length = ftell(file);
    if (length < 0)
        give_up(path);
    rewind(file);
    // Of exactly this size, so that the address sanitizer sees a byte read behind it.
    uint8_t *bytes = malloc(length > 0 ? (size_t)length : 1);
    if (bytes == NULL)
        give_up(path);
    if (fread(bytes, 1, (size_t)length, file) != (size_t)length)
        give_up(path);
    fclose(file);
    // Print each path first: if the program crashes, the last line names the input.
    printf("%s\n", path);
    fflush(stdout);
    LLVMFuzzerTestOneInput(bytes, (size_t)length);
    free(bytes);
    return (size_t)length;
}

typedef struct tally {
    size_t inputs, bytes;
} tally;

static void replay(const char *path, tally *t)
{
    struct stat about;
    if (stat(path, &about) != 0)
        give_up(path);
    if (!S_ISDIR(about.st_mode)) {
        t->bytes += replay_file(path);
        t->inputs++;
        return;
    }
    DIR *folder = opendir(path);
    if (folder == NULL)
        give_up(path);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char inner[4096];
        if (entry->d_name[0] == '.')
            continue;
        if ((size_t)snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name) >= sizeof inner) {
            errno = ENAMETOOLONG;
            give_up(path);
        }
        replay(inner, t);
    }
    closedir(folder);
}

int main(int argc, char **argv)
{
    tally t = {.inputs = 0};
    for (int i = 1; i < argc; i++)
        replay(argv[i], &t);
    printf("%zu inputs, %zu bytes\n", t.inputs, t.bytes);
    if (t.inputs == 0) {
        fprintf(stderr, "no inputs to replay\n");
        return 1;
    }
    return 0;
}
