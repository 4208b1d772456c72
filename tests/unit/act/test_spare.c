/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of storage that is kept for the next moves. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "act/moving/storage/spare.h"

static const size_t mib = (size_t)1 << 20;

static void what_fits_is_taken(void **state)
{
    (void)state;
    char *one = malloc(8 * mib), *other = malloc(9 * mib);
    xmpi_spare_give(other);
    xmpi_spare_give(one);
    assert_null(xmpi_spare_take(20 * mib));
    assert_null(xmpi_spare_take(4 * mib)); /* too much of it would not be used */
    assert_ptr_equal(xmpi_spare_take(8 * mib), one);
    assert_ptr_equal(xmpi_spare_take(8 * mib), other);
    assert_null(xmpi_spare_take(8 * mib));
    free(one);
    free(other);
}

static void little_and_too_much_is_not_kept(void **state)
{
    (void)state;
    xmpi_spare_give(NULL);
    xmpi_spare_give(malloc(1000));
    assert_null(xmpi_spare_take(1000));
    xmpi_spare_give(malloc(65 * mib));
    assert_null(xmpi_spare_take(65 * mib));
}

/* The oldest goes first, by bytes and by number. */
static void what_is_kept_is_bounded(void **state)
{
    int blocks = 0;
    void *block;
    (void)state;
    xmpi_spare_give(malloc(30 * mib));
    xmpi_spare_age();
    xmpi_spare_give(malloc(20 * mib));
    xmpi_spare_give(malloc(24 * mib));
    assert_null(xmpi_spare_take(30 * mib));
    for (int i = 0; i < 2; i++) {
        block = xmpi_spare_take(20 * mib);
        assert_non_null(block);
        free(block);
    }
    for (int i = 0; i < 40; i++)
        xmpi_spare_give(malloc(mib));
    for (; (block = xmpi_spare_take(mib)) != NULL; blocks++)
        free(block);
    assert_int_equal(blocks, 16);
}

static void what_nobody_takes_is_freed(void **state)
{
    (void)state;
    xmpi_spare_give(malloc(2 * mib));
    for (int i = 0; i < 4; i++)
        xmpi_spare_age();
    void *block = xmpi_spare_take(2 * mib);
    assert_non_null(block);
    xmpi_spare_give(block);
    for (int i = 0; i < 5; i++)
        xmpi_spare_age();
    assert_null(xmpi_spare_take(2 * mib));
    xmpi_spare_give(malloc(2 * mib));
    xmpi_spare_free();
    assert_null(xmpi_spare_take(2 * mib));
}

/* Whether there is memory at AT. */
static bool is_mapped(char *at)
{
    unsigned char there;
    return mincore((void *)((uintptr_t)at / 4096 * 4096), 4096, &there) == 0;
}

#ifdef __SANITIZE_ADDRESS__
enum { FREED_IS_GIVEN_BACK = 0 }; /* it is watched for a while */
#else
enum { FREED_IS_GIVEN_BACK = 1 };
#endif

/* What is kept is kept at once; the rest is given back some time. */
static void what_is_large_is_freed_aside(void **state)
{
    (void)state;
    char *one = malloc(8 * mib), *large = malloc(65 * mib);
    memset(large, 1, 65 * mib);
    xmpi_spare_give_aside(NULL);
    xmpi_spare_give_aside(one);
    assert_ptr_equal(xmpi_spare_take(8 * mib), one);
    xmpi_spare_give_aside(large);
    assert_null(xmpi_spare_take(65 * mib));
    for (int i = 0; i < 60000 && FREED_IS_GIVEN_BACK && is_mapped(large); i++)
        usleep(1000);
    assert_false(FREED_IS_GIVEN_BACK && is_mapped(large));
    free(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_is_taken),
        cmocka_unit_test(little_and_too_much_is_not_kept),
        cmocka_unit_test(what_is_kept_is_bounded),
        cmocka_unit_test(what_nobody_takes_is_freed),
        cmocka_unit_test(what_is_large_is_freed_aside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
