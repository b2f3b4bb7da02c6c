// SPDX-License-Identifier: MIT
// Ctrl-C while the tool reads a file: reading ends with a message, the caller can clean up, and then the signal ends
// the program. Each case runs in its own process.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interrupt.h"
#include "load.h"
#include "support_files.h"
#include "support_meshes.h"

static char directory[FILE_PATH_SIZE];

static void say(int to, const char *text)
{
    if (write(to, text, strlen(text)) != (ssize_t)strlen(text))
        _exit(9);
}

// Read a pipe that never ends, and report the error message.
static void read_for_ever(const char *path, int report)
{
    char message[LOAD_MESSAGE_SIZE] = "";
    loaded_mesh loaded;
    grz_device *device = test_device_open(1);
    (void)signal(SIGINT, SIG_DFL);
    interrupt_watch();
    say(report, "?"); // from here on the signal may come
    if (load_mesh(device, path, NULL, NULL, &loaded, message))
        _exit(8);
    say(report, message);
    grz_device_close(device);
    _exit(interrupt_exit(7));
}

static void an_interrupted_reading_ends_by_the_signal(void **state)
{
    (void)state;
    char path[FILE_PATH_SIZE + 10], said[LOAD_MESSAGE_SIZE + 1] = "", expected[FILE_PATH_SIZE + 30];
    int ends[2], status = 0;
    size_t length = 0;
    (void)snprintf(path, sizeof path, "%s/pipe", directory);
    assert_int_equal(mkfifo(path, 0600), 0);
    const int writer = open(path, O_RDWR);
    assert_true(writer >= 0 && write(writer, "v 0 0 0\n", 8) == 8);
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        read_for_ever(path, ends[1]);
    close(ends[1]);
    assert_true(read(ends[0], said, 1) == 1);
    assert_int_equal(kill(child, SIGINT), 0);
    for (ssize_t n = 1; n > 0 && length<sizeof said - 1; length += n> 0 ? (size_t)n : 0)
        n = read(ends[0], said + length, sizeof said - 1 - length);
    said[length] = '\0';
    assert_true(waitpid(child, &status, 0) == child);
    close(ends[0]);
    close(writer);
    (void)snprintf(expected, sizeof expected, "%s: cancelled", path);
    assert_string_equal(said, expected);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

static void an_ignored_signal_does_not_interrupt(void **state)
{
    (void)state;
    struct sigaction now;
    (void)signal(SIGINT, SIG_IGN);
    interrupt_watch();
    assert_int_equal(raise(SIGINT), 0);
    assert_int_equal(*interrupt_flag(), 0);
    interrupt_unwatch();
    assert_int_equal(sigaction(SIGINT, NULL, &now), 0);
    assert_true(now.sa_handler == SIG_IGN);
    assert_int_equal(interrupt_exit(3), 3);
    (void)signal(SIGINT, SIG_DFL);
    interrupt_watch();
    interrupt_unwatch();
    assert_int_equal(sigaction(SIGINT, NULL, &now), 0);
    assert_true(now.sa_handler == SIG_DFL);
}

static int begin(void **state)
{
    (void)state;
    make_test_directory(directory);
    return 0;
}

static int end(void **state)
{
    (void)state;
    remove_test_directory(directory);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interrupted_reading_ends_by_the_signal),
        cmocka_unit_test(an_ignored_signal_does_not_interrupt),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
