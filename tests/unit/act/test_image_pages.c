/* SPDX-License-Identifier: BSD-3-Clause
 * The pages of an image that comes: which large ones are made ahead of it, and what becomes of what
 * has come and is not needed. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "act/image/pages.h"

enum { PAGE = 4096, LARGE = 2 << 20, PLACES = 8 };

static char *memory; /* of PLACES large pages, at a multiple of one */

static int make_memory(void **state)
{
    (void)state;
    size_t bytes = (size_t)(PLACES + 1) * LARGE;
    char *all = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    memory = (char *)(((uintptr_t)all + LARGE - 1) / LARGE * LARGE);
    return all == MAP_FAILED;
}

static int clear_memory(void **state)
{
    (void)state;
    return madvise(memory, (size_t)PLACES * LARGE, MADV_DONTNEED);
}

static xmpi_span_t place(void)
{
    return (xmpi_span_t){(uintptr_t)memory, (uintptr_t)memory + (size_t)PLACES * LARGE};
}

static uintptr_t at(double large_pages)
{
    return (uintptr_t)memory + (uintptr_t)(large_pages * LARGE);
}

/* Bytes from AT on that are in memory, of a large page. */
static int64_t present(uintptr_t from)
{
    const xmpi_span_t span = {from, from + LARGE};
    xmpi_spans_t spans = {.status = XMPI_OK};
    xmpi_spans_add_touched(&spans, &span);
    int64_t bytes = xmpi_spans_bytes(&spans);
    xmpi_spans_free(&spans);
    return bytes;
}

static void pages_that_are_covered_are_made(void **state)
{
    (void)state;
    const xmpi_span_t all = place();
    xmpi_spans_t spans = {.status = XMPI_OK};
    *(char *)at(1.5) = 7;
    xmpi_spans_add(&spans, at(0.5), at(1) + 5 * PAGE);   /* half of number 0 */
    xmpi_spans_add(&spans, at(1) + 20 * PAGE, at(2.5));  /* all but 15 small pages of number 1, */
    xmpi_spans_add(&spans, at(2.53), at(3) - PAGE);      /* most of number 2, */
    xmpi_spans_add(&spans, at(3.1), at(4));              /* too little of number 3, */
    xmpi_spans_add(&spans, at(5), at(6) + PAGE);         /* all of number 5 */
    xmpi_spans_add(&spans, at(PLACES), at(PLACES) + 10); /* and what is elsewhere */
    xmpi_image_pages_make(&all, &spans);
    const bool made[PLACES] = {[1] = true, [2] = true, [5] = true};
    for (int i = 0; i < PLACES; i++)
        assert_int_equal(present(at(i)), made[i] ? LARGE : 0);
    for (uintptr_t byte = at(1); byte < at(2); byte++)
        assert_int_equal(*(char *)byte, byte == at(1.5) ? 7 : 0);
    xmpi_spans_free(&spans);
}

static bool are_everywhere(void)
{
    char text[64] = "";
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    bool told = file != NULL && fgets(text, sizeof text, file) != NULL;
    if (file != NULL)
        fclose(file);
    return told && strstr(text, "[always]") != NULL;
}

/* Where the machine gives large pages by itself there is nothing to see. */
static void what_is_touched_later_gets_a_small_page(void **state)
{
    (void)state;
    const xmpi_span_t all = place();
    xmpi_spans_t spans = {.status = XMPI_OK};
    if (are_everywhere())
        skip();
    xmpi_spans_add(&spans, at(1), at(3));
    xmpi_image_pages_make(&all, &spans);
    *(char *)at(6.5) = 1;
    assert_int_equal(present(at(6)), PAGE);
    xmpi_spans_free(&spans);
}

static void little_is_left_alone(void **state)
{
    (void)state;
    const xmpi_span_t all = place();
    xmpi_spans_t spans = {.status = XMPI_OK};
    for (int i = 0; i < PLACES; i++)
        xmpi_spans_add(&spans, at(i), at(i + 0.2));
    xmpi_image_pages_make(&all, &spans);
    for (int i = 0; i < PLACES; i++)
        assert_int_equal(present(at(i)), 0);
    xmpi_spans_free(&spans);
}

static void what_is_not_kept_is_zeros(void **state)
{
    (void)state;
    xmpi_spans_t had = {.status = XMPI_OK}, kept = {.status = XMPI_OK};
    const xmpi_span_t all = place();
    xmpi_spans_add(&had, at(2), at(4)); /* as they came in two rounds */
    xmpi_spans_add(&had, at(0), at(2.5));
    xmpi_image_pages_make(&all, &had);
    memset(memory, 1, 5 * (size_t)LARGE);
    xmpi_spans_add(&kept, at(1) + 100, at(1) + 200);
    xmpi_spans_add(&kept, at(3), at(5));
    xmpi_image_pages_drop(&had, &kept);
    for (uintptr_t byte = at(0); byte < at(5); byte++) {
        bool kept_here = byte >= at(3) || byte / PAGE == at(1) / PAGE;
        assert_int_equal(*(char *)byte, kept_here);
    }
    xmpi_spans_free(&had);
    xmpi_spans_free(&kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(pages_that_are_covered_are_made, clear_memory),
        cmocka_unit_test_teardown(what_is_touched_later_gets_a_small_page, clear_memory),
        cmocka_unit_test_teardown(little_is_left_alone, clear_memory),
        cmocka_unit_test_teardown(what_is_not_kept_is_zeros, clear_memory),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, make_memory, NULL);
}
