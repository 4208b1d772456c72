/* SPDX-License-Identifier: BSD-3-Clause
 * Which pages have content: of memory with holes, pages that were only read, and pages that were
 * written, in patterns of more pieces than are asked for at once. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "act/image/touched.h"

enum { PAGE = 4096, PAGES = 8192, PATTERNS = 24, HOLE = 512 };

static unsigned next_random(unsigned *state)
{
    return (*state = *state * 1664525u + 1013904223u) >> 10;
}

/* Whether a page that is only read gets memory of its own, as with a kernel that maps no common
 * page of zeros (some virtual machines): that it was not written cannot be told then. MEMORY:
 * untouched. */
static bool reading_takes_a_page(volatile char *memory)
{
    const uint64_t is_own = (uint64_t)1 << 56;
    uint64_t entry = 0;
    (void)*memory;
    int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    const off_t at = (off_t)((uintptr_t)memory / PAGE * sizeof entry);
    assert_int_equal(pread(map, &entry, sizeof entry, at), sizeof entry);
    close(map);
    return (entry & is_own) != 0;
}

/* Page I of PATTERN: every second pattern has holes of 2 MiB; few or most others are written, and
 * some of those that are not, read, which is the same with READING_WRITES. */
static void touch(volatile char *memory, bool *written, int pattern, bool reading_writes,
                  unsigned *state)
{
    for (int i = 0; i < PAGES; i++) {
        const unsigned one = next_random(state);
        const bool hole = pattern % 2 == 1 && i / HOLE % 5 == 3;
        const bool writes = (one >> 8) % (unsigned)(2 + pattern) == 0;
        written[i] = !hole && (pattern % 3 == 0 ? writes : !writes) && one % 7 != 0;
        if (written[i])
            memory[(size_t)i * PAGE] = 1;
        else if (!hole && one % 3 == 0) {
            (void)memory[(size_t)i * PAGE];
            written[i] = reading_writes;
        }
    }
}

/* SPANS are inside SPAN, in order, and hold what was written of it; and, where EXACT, no more. */
static void compare(const xmpi_spans_t *spans, const xmpi_span_t *span, const char *memory,
                    const bool *written, bool exact)
{
    static bool held[PAGES];
    const uintptr_t begin = (uintptr_t)memory;
    uintptr_t last = span->from;
    memset(held, 0, sizeof held);
    for (int64_t i = 0; i < spans->n; last = spans->span[i++].to) {
        assert_true(spans->span[i].from >= last && spans->span[i].from < spans->span[i].to);
        assert_true(spans->span[i].to <= span->to);
        for (uintptr_t at = spans->span[i].from / PAGE * PAGE; at < spans->span[i].to; at += PAGE)
            held[(at - begin) / PAGE] = true;
    }
    for (int i = 0; i < PAGES; i++) {
        const uintptr_t at = begin + (uintptr_t)i * PAGE;
        const bool inside = at + PAGE > span->from && at < span->to;
        if (inside && (held[i] != written[i]) && (exact || written[i]))
            fail_msg("page %d of %d: %s", i, PAGES, held[i] ? "was not written" : "is left out");
    }
}

static void what_was_written_is_listed(void **state)
{
    (void)state;
    const size_t bytes = (size_t)PAGES * PAGE;
    static bool written[PAGES];
    unsigned random = 1;
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(memory != MAP_FAILED && madvise(memory, bytes, MADV_NOHUGEPAGE) == 0);
    const bool reading_writes = reading_takes_a_page(memory);
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        xmpi_spans_t asked = {0}, spans = {0};
        assert_int_equal(madvise(memory, bytes, MADV_DONTNEED), 0);
        touch(memory, written, pattern, reading_writes, &random);
        const xmpi_span_t span = {(uintptr_t)memory + 100 + (uintptr_t)(pattern % 3) * PAGE,
                                  (uintptr_t)memory + bytes - 5000};
        if (xmpi_spans_look(&span, XMPI_TOUCHED, &asked))
            compare(&asked, &span, memory, written, true);
        xmpi_spans_add_touched(&spans, &span);
        compare(&spans, &span, memory, written, false);
        assert_int_equal(spans.status, XMPI_OK);
        xmpi_spans_free(&asked);
        xmpi_spans_free(&spans);
    }
    munmap(memory, bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_written_is_listed)};
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
