/* SPDX-License-Identifier: BSD-3-Clause
 * Process: what belongs to the program and is kept by the process or by libraries. */
#define _GNU_SOURCE
#include "act/image/image.h"
#include "image/pins.h"
#include "image/process.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "image/memory/arena.h"
#include "image/environment.h"
#include "image/library_words.h"
#include "image/memory/memory.h"
#include "image/streams.h"
#include "image/variables.h"
#include "xmpi_gen.h"

int __real_fflush(FILE *file);

enum { SIGNALS = 65, RANDOM_BYTES = 128, LOCALE_MAX = 512, FOLDER_MAX = 4096 };

/* While the program stands still. */
static struct {
    char *thread_data; /* of the main thread */
    char **environment;
    char folder[FOLDER_MAX];
    char locale[LOCALE_MAX];
    mode_t mask;
    sigset_t blocked;
    bool known[SIGNALS]; /* the action is the program's own, or none */
    struct sigaction action[SIGNALS];
    unsigned short drawn[3]; /* the state of drand48 */
} kept;

static char numbers[RANDOM_BYTES];                  /* the state of random() */
XMPI_NATIVE static char idle_numbers[RANDOM_BYTES]; /* in use while numbers are sent */

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

void xmpi_process_begin(int argc, char ***argv, char ***envp)
{
    size_t bytes;
    (void)argc;
    xmpi_variables_begin();
    *argv = copy_texts(*argv);
    if (!xmpi_environment_own())
        xmpi_arena_fail(XMPI_ARENA_NO_MEMORY);
    *envp = environ;
    xmpi_variables_of_thread(&bytes);
    kept.thread_data = __wrap_malloc(bytes + 1);
    xmpi_library_words_begin();
    initstate(1, idle_numbers, sizeof idle_numbers);
    initstate(1, numbers, sizeof numbers);
}

/* --- signals ------------------------------------------------------------------------------------
 */

/* Those of libraries are for the process. */
static bool is_programs(const struct sigaction *action)
{
    return action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN ||
           xmpi_variables_is_code((const void *)(uintptr_t)action->sa_handler);
}

static void pack_signals(void)
{
    for (int i = 1; i < SIGNALS; i++)
        kept.known[i] = sigaction(i, NULL, &kept.action[i]) == 0 && is_programs(&kept.action[i]);
    sigprocmask(SIG_BLOCK, NULL, &kept.blocked);
}

static void unpack_signals(void)
{
    for (int i = 1; i < SIGNALS; i++) {
        struct sigaction here;
        if (kept.known[i] && sigaction(i, NULL, &here) == 0 && is_programs(&here))
            sigaction(i, &kept.action[i], NULL);
    }
    sigprocmask(SIG_SETMASK, &kept.blocked, NULL);
}

/* --- all ----------------------------------------------------------------------------------------
 */

void xmpi_process_pack(void)
{
    size_t bytes;
    unsigned short nothing[3] = {0};
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
    pack_signals();
    memcpy(kept.drawn, seed48(nothing), sizeof kept.drawn);
    xmpi_process_let_go();
}

void xmpi_process_let_go(void)
{
    setstate(idle_numbers);
}

void xmpi_process_stay(void)
{
    seed48(kept.drawn);
    setstate(numbers);
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
    environ = kept.environment;
    setlocale(LC_ALL, kept.locale);
    umask(kept.mask);
    unpack_signals();
    xmpi_process_stay();
    if (!xmpi_streams_unpack(why))
        return false;
    if (kept.folder[0] == '\0' ||
        (getcwd(here, sizeof here) != NULL && strcmp(here, kept.folder) == 0) ||
        chdir(kept.folder) == 0)
        return true;
    snprintf(why, XMPI_IMAGE_WHY_MAX, "its folder %.64s: %s", kept.folder, strerror(errno));
    return false;
}

void xmpi_process_held(char *why)
{
    static const int clocks[] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};
    const char *call = xmpi_pins_call();
    xmpi_streams_held(why);
    if (call != NULL)
        snprintf(why, XMPI_IMAGE_WHY_MAX, "what %s has made is still open", call);
    for (int i = 0; i < 3 && why[0] == '\0'; i++) {
        struct itimerval timer;
        if (getitimer(clocks[i], &timer) == 0 &&
            (timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0))
            snprintf(why, XMPI_IMAGE_WHY_MAX, "a timer of setitimer or alarm is running");
    }
}
