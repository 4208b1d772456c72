/* SPDX-License-Identifier: BSD-3-Clause
 * Process: what belongs to the program and is kept by the process or by libraries. */
#define _GNU_SOURCE
#include "act/image/image.h"
#include "image/calls/pins.h"
#include "image/process.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "image/calls/clocks.h"
#include "image/memory/arena.h"
#include "image/memory/lent.h"
#include "image/calls/environment.h"
#include "image/libraries/lenders.h"
#include "image/libraries/libraries.h"
#include "image/library_words.h"
#include "image/memory/memory.h"
#include "image/libraries/openmp.h"
#include "image/signals.h"
#include "image/calls/streams.h"
#include "image/variables.h"
#include "xmpi_gen.h"

int __real_fflush(FILE *file);

enum { RANDOM_BYTES = 128, LOCALE_MAX = 512, FOLDER_MAX = 4096, VALUES = 5 };

/* Variables of the C library that the program reads and writes, and their bytes. */
static const struct {
    const char *name;
    size_t bytes;
} value_of[VALUES] = {{"optarg", sizeof optarg},
                      {"optind", sizeof optind},
                      {"opterr", sizeof opterr},
                      {"optopt", sizeof optopt},
                      {"signgam", sizeof(int)}};

/* While the program stands still. */
static struct {
    char *thread_data; /* of the main thread */
    char **environment;
    char folder[FOLDER_MAX];
    char locale[LOCALE_MAX];
    mode_t mask;
    bool packed;             /* and neither stay nor unpack has been called since */
    char *random;            /* the state of random() that is in use */
    unsigned short drawn[7]; /* that of drand48: the last number, the factor and the summand */
    int64_t value[VALUES];
} kept;

/* What the process has had before its first program, and has when it has none. */
XMPI_NATIVE static struct {
    char **environment;
    char folder[FOLDER_MAX];
    char locale[LOCALE_MAX];
    mode_t mask;
} own;

/* Behind the program's name; it may change its own. */
static struct {
    char *text;
    size_t bytes;
} arguments;

static char numbers[RANDOM_BYTES];                  /* the first state of random() */
XMPI_NATIVE static char idle_numbers[RANDOM_BYTES]; /* in use while that of the program is sent */

/* --- before main --------------------------------------------------------------------------------
 */

static char **copy_texts(char **text)
{
    size_t n = 0;
    while (text[n] != NULL)
        n++;
    char **copy = __wrap_malloc((n + 1) * sizeof *copy);
    for (size_t i = 0; copy != NULL && i < n; i++)
        if ((copy[i] = __wrap_strdup(text[i])) == NULL)
            xmpi_arena_fail(XMPI_ARENA_NO_MEMORY);
    if (copy == NULL)
        xmpi_arena_fail(XMPI_ARENA_NO_MEMORY);
    copy[n] = NULL;
    return copy;
}

static void keep_arguments(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        arguments.bytes += strlen(argv[i]) + 1;
    char *to = arguments.text = __wrap_malloc(arguments.bytes + 1);
    if (to == NULL)
        xmpi_arena_fail(XMPI_ARENA_NO_MEMORY);
    for (int i = 1; i < argc; i++)
        to = stpcpy(to, argv[i]) + 1;
}

const char *xmpi_process_arguments(size_t *bytes)
{
    *bytes = arguments.bytes;
    return arguments.text;
}

static void note_own(void)
{
    const char *name = setlocale(LC_ALL, NULL);
    own.environment = environ;
    if (getcwd(own.folder, sizeof own.folder) == NULL)
        own.folder[0] = '\0';
    snprintf(own.locale, sizeof own.locale, "%s", name != NULL ? name : "C");
    own.mask = umask(0);
    umask(own.mask);
    xmpi_signals_begin();
}

void xmpi_process_begin(int argc, char ***argv, char ***envp)
{
    size_t bytes;
    note_own();
    xmpi_variables_begin();
    keep_arguments(argc, *argv);
    *argv = copy_texts(*argv);
    if (!xmpi_environment_own())
        xmpi_arena_fail(XMPI_ARENA_NO_MEMORY);
    *envp = environ;
    xmpi_variables_of_thread(&bytes);
    kept.thread_data = __wrap_malloc(bytes + 1);
    xmpi_library_words_begin();
    xmpi_lenders_begin();
    xmpi_pins_begin();
    initstate(1, idle_numbers, sizeof idle_numbers);
    initstate(1, numbers, sizeof numbers);
}

/* --- random numbers -----------------------------------------------------------------------------
 */

/* What comes behind {FROM, 0, 0}: the C library tells neither factor nor summand. */
static uint64_t next_of(unsigned short from)
{
    unsigned short x[3] = {from, 0, 0};
    jrand48(x);
    return x[0] | (uint64_t)x[1] << 16 | (uint64_t)x[2] << 32;
}

static void pack_random(void)
{
    unsigned short nothing[3] = {0};
    uint64_t summand = next_of(0), factor = next_of(1) - summand;
    kept.random = setstate(idle_numbers);
    for (int i = 0; i < 3; i++)
        kept.drawn[3 + i] = (unsigned short)(factor >> 16 * i);
    kept.drawn[6] = (unsigned short)summand;
    memcpy(kept.drawn, seed48(nothing), 3 * sizeof *kept.drawn);
}

/* (Where the state that is in use now is at the same place, as it is for a program that starts over
 * in a process that has been parked, setstate would write into it first how far that one was.) */
static void unpack_random(void)
{
    int32_t how_far;
    memcpy(&how_far, kept.random, sizeof how_far);
    setstate(idle_numbers);
    memcpy(kept.random, &how_far, sizeof how_far);
    setstate(kept.random);
    lcong48(kept.drawn);
}

/* --- more of the C library and the kernel -------------------------------------------------------
 */

static void pack_values(void)
{
    for (int i = 0; i < VALUES; i++) {
        const void *here = xmpi_libraries_find(value_of[i].name);
        if (here != NULL)
            memcpy(&kept.value[i], here, value_of[i].bytes);
    }
}

static void unpack_values(void)
{
    for (int i = 0; i < VALUES; i++) {
        void *here = xmpi_libraries_find(value_of[i].name);
        if (here != NULL)
            memcpy(here, &kept.value[i], value_of[i].bytes);
    }
}

/* What writes to the program's memory by itself does not any more. */
static void detach(void)
{
    setstate(idle_numbers);
    xmpi_signals_leave_stack();
}

/* --- all ----------------------------------------------------------------------------------------
 */

void xmpi_process_pack(void)
{
    size_t bytes;
    const char *data = xmpi_variables_of_thread(&bytes), *name = setlocale(LC_ALL, NULL);
    __real_fflush(NULL);
    memcpy(kept.thread_data, data, bytes);
    xmpi_streams_pack();
    xmpi_environment_own();
    kept.environment = environ;
    if (getcwd(kept.folder, sizeof kept.folder) == NULL)
        kept.folder[0] = '\0';
    snprintf(kept.locale, sizeof kept.locale, "%s", name != NULL ? name : "C");
    kept.mask = umask(0);
    umask(kept.mask);
    xmpi_signals_pack();
    xmpi_clocks_pack();
    if (!kept.packed)
        pack_random();
    pack_values();
    xmpi_openmp_pack();
    kept.packed = true;
    detach();
}

void xmpi_process_stay(void)
{
    if (!kept.packed)
        return;
    kept.packed = false;
    unpack_random();
    unpack_values();
    xmpi_signals_take_stack();
}

/* (A folder that is not there any more is none to go back to.) */
void xmpi_process_let_go(void)
{
    detach();
    xmpi_signals_left();
    xmpi_clocks_left();
    environ = own.environment;
    setlocale(LC_ALL, own.locale);
    tzset();
    umask(own.mask);
    if (own.folder[0] != '\0' && chdir(own.folder) != 0)
        own.folder[0] = '\0';
}

void xmpi_process_left(void)
{
    xmpi_streams_left();
    xmpi_process_let_go();
}

XMPI_NATIVE static bool gone;

void xmpi_process_clear(void)
{
    xmpi_arena_clear();
    gone = true;
}

bool xmpi_process_is_gone(void)
{
    return gone;
}

bool xmpi_process_unpack(char *why)
{
    size_t bytes;
    gone = false;
    char here[FOLDER_MAX] = "";
    char *data = xmpi_variables_of_thread(&bytes);
    memcpy(data, kept.thread_data, bytes);
    xmpi_library_words_mend();
    xmpi_lent_forget();
    environ = kept.environment;
    setlocale(LC_ALL, kept.locale);
    umask(kept.mask);
    xmpi_signals_unpack();
    xmpi_clocks_unpack();
    xmpi_openmp_unpack();
    tzset();
    xmpi_process_stay();
    if (!xmpi_streams_unpack(why)) {
        xmpi_process_let_go();
        return false;
    }
    if (kept.folder[0] == '\0' ||
        (getcwd(here, sizeof here) != NULL && strcmp(here, kept.folder) == 0) ||
        chdir(kept.folder) == 0)
        return true;
    snprintf(why, XMPI_IMAGE_WHY_MAX, "its folder %.64s: %s", kept.folder, strerror(errno));
    xmpi_process_left();
    return false;
}

void xmpi_process_held(char *why)
{
    static const int clocks[] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};
    const char *call = xmpi_pins_call();
    xmpi_streams_held(why);
    if (why[0] == '\0')
        xmpi_lenders_held(why);
    if (call != NULL)
        snprintf(why, XMPI_IMAGE_WHY_MAX, "what %s has made is still open", call);
    if (why[0] == '\0' && xmpi_openmp_in_region())
        snprintf(why, XMPI_IMAGE_WHY_MAX, "the loop is inside a parallel region of OpenMP");
    if (why[0] == '\0' && uselocale((locale_t)0) != LC_GLOBAL_LOCALE)
        snprintf(why, XMPI_IMAGE_WHY_MAX, "it has a locale of its own (uselocale)");
    for (int i = 0; i < 3 && why[0] == '\0'; i++) {
        struct itimerval timer;
        if (getitimer(clocks[i], &timer) == 0 &&
            (timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0))
            snprintf(why, XMPI_IMAGE_WHY_MAX, "a timer of setitimer or alarm is running");
    }
}
