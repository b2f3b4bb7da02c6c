// SPDX-License-Identifier: MIT
// How much a test does. TEST_SANITIZED is 1 if it runs under a sanitizer, where it is ten times slower and needs more
// memory. TEST_SHORT is 1 unless the tests are compiled with -DTEST_LONG=1: those that would take longest have fewer
// random cases then.
#ifndef SUPPORT_SANITIZER_H
#define SUPPORT_SANITIZER_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define TEST_SANITIZED 1
#endif
#endif
#ifndef TEST_SANITIZED
#define TEST_SANITIZED 0
#endif

#ifndef TEST_LONG
#define TEST_LONG 0
#endif
#define TEST_SHORT (TEST_SANITIZED || !TEST_LONG)

#endif
