/* SPDX-License-Identifier: BSD-3-Clause
 * xmpi-agent: tells what the node that it runs on is used for, where no process of a program is
 * that could. Started by the leader of a job through a remote shell; sleeps until it is asked by a
 * line, answers with one, and ends with its input. Usage: xmpi-agent PROC NODE, as in XMPI_PROC. */
#include <stdio.h>

#include "act/machine/load.h"
#include "act/machine/rate.h"
#include "base/process/seconds.h"

/* Machines may become slower and quicker, as they become hot; rarely. */
static const double rate_lasts = 1000;

int main(int argc, char **argv)
{
    char line[64];
    double rate = 0, rated = 0;
    if (argc != 3) {
        fputs("usage: xmpi-agent PROC NODE (XMPI_WATCH_IDLE=agents starts it)\n", stderr);
        return 2;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        xmpi_cpu_use_t use = {0};
        double now = xmpi_seconds_now();
        if (!(rate > 0) || now - rated > rate_lasts) {
            rate = xmpi_rate_measure();
            rated = now;
        }
        xmpi_cpu_use(argv[1], argv[2], &use);
        printf("%.9f %.9f %.9g %.9f %.9g\n", now, xmpi_seconds_cpu(), use.cores, use.busy, rate);
        if (fflush(stdout) != 0)
            return 1;
    }
    return 0;
}
