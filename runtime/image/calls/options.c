/* SPDX-License-Identifier: BSD-3-Clause
 * Options: what getopt keeps beside the variables that everybody sees (image/process.h) is where it
 * is within an argument, which arguments it has passed over, and what order they are to have. In a
 * program that starts over it begins anew, as in the first process. */
#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct option option_t;

int __real_getopt(int argc, char *const *argv, const char *options);
int __real___posix_getopt(int argc, char *const *argv, const char *options) __attribute__((weak));
int __real_getopt_long(int argc, char *const *argv, const char *options, const option_t *names,
                       int *which);
int __real_getopt_long_only(int argc, char *const *argv, const char *options, const option_t *names,
                            int *which);
int __wrap_getopt(int argc, char *const *argv, const char *options);
int __wrap___posix_getopt(int argc, char *const *argv, const char *options);
int __wrap_getopt_long(int argc, char *const *argv, const char *options, const option_t *names,
                       int *which);
int __wrap_getopt_long_only(int argc, char *const *argv, const char *options, const option_t *names,
                            int *which);

static bool begun; /* the program's */

/* (Of a command without arguments nothing is read. 0 has the C library forget all else; what the
 * program has set for its first call it has afterwards.) */
static void begin(const char *options, int (*real)(int, char *const *, const char *))
{
    static char name[] = "";
    char *const none[] = {name, NULL};
    const int index = optind, says = opterr, wrong = optopt;
    char *const argument = optarg;
    if (begun)
        return;
    begun = true;
    optind = 0;
    real(1, none, options);
    optind = index;
    opterr = says;
    optopt = wrong;
    optarg = argument;
}

int __wrap_getopt(int argc, char *const *argv, const char *options)
{
    begin(options, __real_getopt);
    return __real_getopt(argc, argv, options);
}

int __wrap___posix_getopt(int argc, char *const *argv, const char *options)
{
    begin(options, __real___posix_getopt);
    return __real___posix_getopt(argc, argv, options);
}

int __wrap_getopt_long(int argc, char *const *argv, const char *options, const option_t *names,
                       int *which)
{
    begin(options, __real_getopt);
    return __real_getopt_long(argc, argv, options, names, which);
}

int __wrap_getopt_long_only(int argc, char *const *argv, const char *options, const option_t *names,
                            int *which)
{
    begin(options, __real_getopt);
    return __real_getopt_long_only(argc, argv, options, names, which);
}
