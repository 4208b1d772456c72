/* SPDX-License-Identifier: BSD-3-Clause
 * What the C library keeps for the program: options that getopt has read, random numbers of states
 * of its own, a stack for signals, a time zone, the sign of a logarithm, wide streams. Arguments:
 * iterations, options, names.
 */
// flags: -lm
#define _GNU_SOURCE
#include <math.h>
#include <signal.h>
#include <stdio_ext.h>
#include <time.h>
#include <wchar.h>

#include "point.h"

enum { STACK = 1 << 16 };

static char *alternate, numbers[256];
static volatile sig_atomic_t there, elsewhere;

static void count(int signal)
{
    char here;
    (void)signal;
    if (&here >= alternate && &here < alternate + STACK)
        there = there + 1;
    else
        elsewhere = elsewhere + 1;
}

static void begin(void)
{
    unsigned short drawn[7] = {1, 2, 3, 4, 5, 6, 7};
    stack_t stack = {.ss_sp = alternate = malloc(STACK), .ss_size = STACK};
    struct sigaction action = {.sa_handler = count, .sa_flags = SA_ONSTACK};
    initstate(7, numbers, sizeof numbers);
    lcong48(drawn);
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR2, &action, NULL);
    sigaction(SIGUSR1, &action, NULL); /* which MPICH had */
    setenv("TZ", "XYZ+5", 1);
    tzset();
    lgamma(-0.5); /* the only one of the logarithms that is negative */
}

static unsigned long step_of(unsigned long sum, FILE *wide)
{
    time_t moment = 1000000;
    struct tm local;
    wchar_t word[8] = L"";
    sum = mix(sum, (double)random());
    sum = mix(sum, (double)lrand48());
    raise(SIGUSR2);
    raise(SIGUSR1);
    localtime_r(&moment, &local);
    sum = mix(sum, local.tm_hour + (double)timezone);
    rewind(wide);
    fwscanf(wide, L"%7ls", word);
    return mix(sum, (double)wcslen(word) + (double)__fpending(wide));
}

int main(int argc, char **argv)
{
    int size, option, letters = 0;
    char *given = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    optind = 2; /* options are behind the number of iterations */
    while ((option = getopt(argc, argv, "ac:")) != -1) {
        letters += option;
        given = option == 'c' ? optarg : given;
    }
    begin();
    FILE *wide = fopen("wide.text", "r");
    unsigned long sum = 0;
    for (int step = 0; step < atoi(argv[1]); step++) {
        XMPI_Point();
        sum = step_of(sum, wide);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = optind; i < argc; i++)
        sum = mix(sum, argv[i][0]);
    sum = mix(sum, letters + given[0] + 2 * signgam);
    sum = mix(sum, there - elsewhere);
    fclose(wide);
    say("kept", sum);
    MPI_Finalize();
    return 0;
}
