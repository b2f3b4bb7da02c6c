// SPDX-License-Identifier: MIT
#include "support_allocator.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef union block_head {
    size_t size;
    max_align_t alignment;
} block_head;

static void release(void *block, size_t size, void *user)
{
    test_strict_allocator *strict = user;
    block_head *head = (block_head *)block - 1;
    pthread_mutex_lock(&strict->lock);
    strict->misused = strict->misused || block == NULL || head->size != size;
    strict->blocks--;
    strict->bytes -= (long)size;
    pthread_mutex_unlock(&strict->lock);
    memset(block, 0xdd, size);
    free(head);
}

static void *reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    test_strict_allocator *strict = user;
    pthread_mutex_lock(&strict->lock);
    strict->calls++;
    bool fail = strict->fail_at != 0 &&
                (strict->for_good ? strict->calls >= strict->fail_at : strict->calls == strict->fail_at);
    strict->failed = strict->failed || fail;
    strict->misused = strict->misused || new_size == 0 || (block == NULL && old_size != 0);
    block_head *head = fail ? NULL : malloc(sizeof *head + new_size);
    if (head != NULL) {
        strict->blocks++;
        strict->bytes += (long)new_size;
        strict->most = strict->bytes > strict->most ? strict->bytes : strict->most;
    }
    pthread_mutex_unlock(&strict->lock);
    if (head == NULL)
        return NULL;
    head->size = new_size;
    memset(head + 1, 0xa5, new_size);
    if (block != NULL) {
        memcpy(head + 1, block, old_size < new_size ? old_size : new_size);
        release(block, old_size, user);
    }
    return head + 1;
}

grz_allocator test_strict_allocator_of(test_strict_allocator *strict)
{
    return (grz_allocator){.reallocate = reallocate, .release = release, .user = strict};
}
