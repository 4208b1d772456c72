/* SPDX-License-Identifier: BSD-3-Clause
 * Measures how much of what the disk gives a program gets whose array is twice as large as memory
 * may be: the time in which the bytes that passes over it read and write are read and written alone
 * (programs/outofcore.c), as a share of what the passes take. Both in turns, as others may use the
 * disk; the median of all turns. */
#define _GNU_SOURCE
#include "bench/measure.h"

enum { LIMIT = 120, MIB = 512, RUNS = 3, TURNS = 4 };
static const char folder[] = "/var/tmp";

/* Not in real time, where what the kernel does for files would have to wait for the program. */
static const char *priority(void)
{
    return geteuid() == 0 ? "nice -n -15" : "";
}

/* The shares of passes that read, or read and write. In the first turn the array may not have been
 * on the disk before. */
static double share(const char *dir, const char *what)
{
    series_t series = {0};
    for (int i = 0; i < RUNS; i++) {
        double seconds, read, written, bare;
        int turns = 0;
        char *text = measure_run(
            dir, LIMIT,
            measure_text("XMPI_POLICY=balance XMPI_OOC_DIR=%s XMPI_MEMORY=%d %s "
                         "'%s/bin/mpiexec' -n 1 ./outofcore %d %d %s %s",
                         folder, MIB / 2, priority(), build_dir(), MIB, TURNS, what, folder));
        for (const char *line = text; (line = strstr(line, "turn ")) != NULL; line++)
            if (sscanf(line, "turn %lf %lf %lf %lf", &seconds, &read, &written, &bare) == 4 &&
                turns++ > 0)
                series_add(&series, bare / seconds);
        free(text);
    }
    double median = series_median(&series);
    series_free(&series);
    return median;
}

int main(void)
{
    char *dir = measure_begin("outofcore");
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/bin/mpicc' -O2 -pthread -I'%s/runtime/include' "
                                  "'%s/tests/bench/programs/outofcore.c' -o outofcore "
                                  "-L'%s/lib' -lxmpi -Wl,-rpath,'%s/lib'",
                                  build_dir(), source_dir(), source_dir(), build_dir(),
                                  build_dir())));
    double reading = share(dir, "read"), writing = share(dir, "write");
    measure_figure("ooc.reading.share_of_disk", reading, "");
    measure_figure("ooc.writing.share_of_disk", writing, "");
    measure_figure("ooc.share_of_disk", reading < writing ? reading : writing, "");
    free(dir);
    return 0;
}
