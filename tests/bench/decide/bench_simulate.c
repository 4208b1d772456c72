/* SPDX-License-Identifier: BSD-3-Clause
 * Measures how long the simulator itself takes: 1,000 intervals with a decision each of a loop on
 * 10,000 processing elements, and 1,000 jobs, half of them malleable, on 1,024; and how much sooner
 * these jobs are done than rigid ones under EASY backfilling, which time on this machine has no
 * part in. */
#define _GNU_SOURCE
#include "bench/measure.h"

enum { SECONDS = 1200 };

static char *dir;

static char *simulate(const char *arguments)
{
    return measure_run(dir, SECONDS,
                       measure_text("'%s/bin/xmpi-simulate' -q %s", build_dir(), arguments));
}

static void measure_time(const char *figure, const char *arguments)
{
    char *line = measure_text("%s/scenarios/%s", source_dir(), arguments);
    double begin = measure_clock();
    free(simulate(line));
    measure_figure(figure, measure_clock() - begin, "s");
    free(line);
}

/* The means of two seeds: the columns of the line of TECHNIQUE. */
static double column(const char *technique, int field)
{
    char *text = measure_run(
        dir, SECONDS, measure_text("awk -F, '$2 == \"%s\" { print $%d }' table", technique, field));
    double value = atof(text);
    free(text);
    return value;
}

int main(void)
{
    enum { GAIN = 5, UTILISATION = 9, USEFUL };
    dir = measure_begin("simulate");
    measure_time("simulate.10000.s", "ten-thousand -n 1");
    measure_time("simulate.workload.s", "workload -n 1 --technique equal --set jobs.malleable=0.5");
    free(measure_run(dir, SECONDS,
                     measure_text("grep -vE '^technique (late|use|energy) ' "
                                  "'%s/scenarios/workload' >jobs",
                                  source_dir())));
    free(simulate("jobs -n 2 --set jobs.malleable=0.5 --output table"));
    measure_figure("workload.turnaround_gain_percent", column("equal", GAIN), "%");
    measure_figure("workload.utilisation_gain_percent",
                   column("equal", UTILISATION) - column("easy", UTILISATION), "%");
    measure_figure("workload.useful_gain_percent", column("equal", USEFUL) - column("easy", USEFUL),
                   "%");
    free(dir);
    return 0;
}
