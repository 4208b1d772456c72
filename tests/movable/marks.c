/* SPDX-License-Identifier: BSD-3-Clause
 * To be loaded before a program: a kernel as before Linux 6.7, which tells of pages one by one and
 * follows writes by marks ("soft-dirty"), made of what a later one does. What libxmpi opens as
 * /proc/self/pagemap is a file with the entries that such a kernel would have, as far as they are
 * asked for: those of the arena, and, once a thread has cleared the marks and looked in vain, all
 * others that the process has. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef UFFD_FEATURE_WP_ASYNC
#define UFFD_FEATURE_WP_ASYNC (1 << 15)
#endif

#define ARENA ((uintptr_t)1 << 45)
#define ARENA_END (ARENA + ((uintptr_t)1 << 40))
#define END ((uintptr_t)0x7ffffffff000)
#define CONTENT ((uint64_t)1 << 63)
#define MARK ((uint64_t)1 << 55)

enum { PAGE = 4096, REGIONS = 512, WRITTEN = 2, PRESENT = 8, ASIDE = 16 };

typedef struct {
    uint64_t start, end, categories;
} region_t;

typedef struct {
    uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
    uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
} look_t;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int followed = -1;           /* what notes writes since the marks were cleared */
static __thread int looked = -1000; /* how often since this thread has cleared them */

static long next_syscall(long number, long a, long b)
{
    static long (*next)(long, ...);
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "syscall");
    return next(number, a, b);
}

static int next_open(const char *path, int flags, int mode)
{
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* Calls WORK for the pages that there are between FROM and TO. */
static void for_pages(int map, uintptr_t from, uintptr_t to,
                      void (*work)(const region_t *region, void *context), void *context)
{
    region_t region[REGIONS];
    look_t look = {.size = sizeof look,
                   .start = from,
                   .end = to,
                   .vec = (uintptr_t)region,
                   .vec_len = REGIONS,
                   .category_anyof_mask = PRESENT | ASIDE,
                   .return_mask = PRESENT | ASIDE | WRITTEN};
    while (look.start < look.end) {
        long n = ioctl(map, _IOWR('f', 16, look_t), &look);
        if (n < 0)
            abort();
        for (long i = 0; i < n; i++)
            work(&region[i], context);
        look.start = look.walk_end;
    }
}

/* --- clearing -----------------------------------------------------------------------------------
 */

static void protect(const region_t *region, void *context)
{
    struct uffdio_writeprotect one = {.range = {region->start, region->end - region->start},
                                      .mode = UFFDIO_WRITEPROTECT_MODE_WP};
    (void)context;
    if (ioctl(followed, UFFDIO_WRITEPROTECT, &one) != 0)
        abort();
}

static void reach(const region_t *region, void *context)
{
    uintptr_t *end = context;
    *end = region->end;
}

static void clear_marks(void)
{
    uintptr_t end = ARENA + PAGE;
    struct uffdio_api api = {.api = UFFD_API, .features = UFFD_FEATURE_WP_ASYNC};
    int map = next_open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);
    if (followed >= 0)
        close(followed);
    followed = (int)next_syscall(SYS_userfaultfd, O_CLOEXEC | 1, 0);
    for_pages(map, ARENA, ARENA_END, reach, &end);
    struct uffdio_register whole = {.range = {ARENA, end - ARENA}, .mode = UFFDIO_REGISTER_MODE_WP};
    if (ioctl(followed, UFFDIO_API, &api) != 0 || ioctl(followed, UFFDIO_REGISTER, &whole) != 0)
        abort();
    for_pages(map, ARENA, end, protect, NULL);
    close(map);
    looked = 0;
}

/* --- telling ------------------------------------------------------------------------------------
 */

typedef struct {
    int map, told;
    uint64_t added; /* to each entry */
} telling_t;

static void tell(const region_t *region, void *context)
{
    const telling_t *t = context;
    size_t n = (region->end - region->start) / PAGE;
    off_t at = (off_t)(region->start / PAGE * sizeof(uint64_t));
    uint64_t *entry = calloc(n, sizeof *entry);
    if (pread(t->map, entry, n * sizeof *entry, at) != (ssize_t)(n * sizeof *entry))
        abort();
    for (size_t i = 0; i < n; i++) {
        entry[i] = (entry[i] & ~MARK) | t->added;
        if ((region->categories & WRITTEN) != 0 && region->start >= ARENA &&
            region->start < ARENA_END)
            entry[i] |= MARK;
    }
    if (pwrite(t->told, entry, n * sizeof *entry, at) != (ssize_t)(n * sizeof *entry))
        abort();
    free(entry);
}

static int open_told(void)
{
    telling_t t = {.map = next_open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0),
                   .told = memfd_create("pagemap", MFD_CLOEXEC)};
    if (ftruncate(t.told, (off_t)(END / PAGE * sizeof(uint64_t))) != 0)
        abort();
    for_pages(t.map, ARENA, ARENA_END, tell, &t);
    if (++looked == 2) {
        t.added = MARK | CONTENT;
        for_pages(t.map, PAGE, ARENA, tell, &t);
        for_pages(t.map, ARENA_END, END, tell, &t);
    }
    close(t.map);
    return t.told;
}

/* --- what libxmpi calls -------------------------------------------------------------------------
 */

long syscall(long number, ...)
{
    long word[6];
    static long (*next)(long, ...);
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        word[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_userfaultfd) {
        errno = ENOSYS;
        return -1;
    }
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "syscall");
    return next(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}

int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    int mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, int) : 0, fd = -1;
    va_end(list);
    pthread_mutex_lock(&lock);
    if (strcmp(path, "/proc/self/clear_refs") == 0) {
        clear_marks();
        fd = memfd_create("clear_refs", MFD_CLOEXEC);
    } else if (strcmp(path, "/proc/self/pagemap") == 0) {
        fd = open_told();
    } else {
        fd = next_open(path, flags, mode);
    }
    pthread_mutex_unlock(&lock);
    return fd;
}
