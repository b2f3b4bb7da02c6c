// SPDX-License-Identifier: MIT
// TEST_SANITIZED is 1 if the test runs under a sanitizer, where it is ten times slower and needs more memory.
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

#endif
