/* SPDX-License-Identifier: BSD-3-Clause
 * Measures how much of what the disk gives a program gets whose array is twice as large as memory
 * may be: the time in which the bytes that it reads and writes in a pass are read and written
 * alone, one after the other in long pieces and past the page cache, as a share of what the pass
 * takes. */
#define _GNU_SOURCE
#include "bench/measure.h"

enum { LIMIT = 250, MIB = 512, PASSES = 5, STREAMED = 256 };
static const char folder[] = "/var/tmp";

/* Bytes per second of reading and of writing in long pieces. */
static void stream(const char *dir, double *read_rate, double *write_rate)
{
    char *text = measure_run(
        dir, LIMIT,
        measure_text("%s ./outofcore %d %s bare", measure_priority(), STREAMED, folder));
    if (sscanf(text, "bare %lf %lf", read_rate, write_rate) != 2)
        measure_fail("no rates: %.100s", text);
    free(text);
}

/* The median share of passes that read, or read and write; the disk is looked at before each run.
 */
static double share(const char *dir, const char *what)
{
    enum { RUNS = 3 };
    series_t series = {0};
    for (int i = 0; i < RUNS; i++) {
        double read_rate = 0, write_rate = 0, seconds, read, written;
        stream(dir, &read_rate, &write_rate);
        char *text = measure_run(
            dir, LIMIT,
            measure_text("XMPI_POLICY=balance XMPI_OOC_DIR=%s XMPI_MEMORY=%d %s "
                         "'%s/bin/mpiexec' -n 1 ./outofcore %d %d %s",
                         folder, MIB / 2, measure_priority(), build_dir(), MIB, PASSES, what));
        for (const char *line = text; (line = strstr(line, "pass ")) != NULL; line++)
            if (sscanf(line, "pass %lf %lf %lf", &seconds, &read, &written) == 3)
                series_add(&series, (read / read_rate + written / write_rate) / seconds);
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
                     measure_text("'%s/bin/mpicc' -O2 -I'%s/runtime/include' "
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
