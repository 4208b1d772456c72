/* SPDX-License-Identifier: BSD-3-Clause
 * Loads of the emulated cluster: writes scripts of loads that come and go, and plays a script to
 * those who look at nodes without a member (XMPI_PROC).
 *
 *   load onoff MACHINES SECONDS SEED SOURCES STEP START STOP (xmpicc/simulate/loads/load_model.h)
 *   load jobs  MACHINES SECONDS SEED BETWEEN MEAN SHARE
 *   load play  MACHINES SCRIPT FOLDER     keeps FOLDER/NODE/stat, like /proc/stat, until it is
 *                                         ended; EMU_STARTED is when the script began
 *
 * The exit status is 2 for bad usage. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cluster/emulation/pace_model.c"
#include "simulate/loads/load_model.c"

enum { NODES_MAX = 1024, PATH_ROOM = 4096 };

typedef struct {
    char name[PACE_NAME];
    int cores;
    double busy; /* CPU seconds that others have used */
} node_t;

typedef struct {
    int n;
    node_t node[NODES_MAX];
} nodes_t;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "load: %s: %s\n", what, why);
    exit(2);
}

static void read_machines(const char *path, nodes_t *nodes)
{
    char line[PACE_WHY], class[PACE_NAME];
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail(path, strerror(errno));
    nodes->n = 0;
    while (fgets(line, sizeof line, file) != NULL && nodes->n < NODES_MAX) {
        node_t *node = &nodes->node[nodes->n];
        line[strcspn(line, "#\n")] = '\0';
        *node = (node_t){.busy = 0};
        if (sscanf(line, " %63[^: ]:%63[^:]:%d", node->name, class, &node->cores) == 3)
            nodes->n++;
    }
    fclose(file);
    if (nodes->n == 0)
        fail(path, "no nodes");
}

/* The next argument, a number. */
static double number(char ***argv)
{
    char *end;
    double value = **argv != NULL ? strtod(**argv, &end) : NAN;
    if (**argv == NULL || end == **argv || *end != '\0' || !isfinite(value) || value < 0)
        fail(**argv != NULL ? **argv : "arguments", "expected a number that is not negative");
    (*argv)++;
    return value;
}

static load_run_t read_run(char ***argv)
{
    double seconds = number(argv);
    return (load_run_t){.seconds = seconds, .seed = (uint64_t)number(argv)};
}

/* A line of a script, for the node in CONTEXT. */
static void write_line(void *context, double when, int load)
{
    printf("%.3fs %s load=%d\n", when, (const char *)context, load);
}

static void write_onoff(nodes_t *nodes, char **argv)
{
    load_run_t run = read_run(&argv);
    load_onoff_t onoff = {.sources = (int)number(&argv)};
    onoff.step = number(&argv);
    onoff.start = number(&argv);
    onoff.stop = number(&argv);
    if (!(onoff.step > 0))
        fail("STEP", "expected more than 0 seconds");
    for (int i = 0; i < nodes->n; i++)
        load_onoff(&run, &onoff, i, write_line, nodes->node[i].name);
}

static void write_jobs(nodes_t *nodes, char **argv)
{
    load_run_t run = read_run(&argv);
    load_jobs_t jobs = {.between = number(&argv)};
    jobs.mean = number(&argv);
    jobs.share = number(&argv);
    if (!(jobs.between > 0) || !(jobs.share > 0) || jobs.share > 1)
        fail("jobs", "expected more than 0 seconds between them, and a share of at most 1");
    for (int i = 0; i < nodes->n; i++)
        if (load_jobs(&run, &jobs, i, write_line, nodes->node[i].name) != 0)
            fail("jobs", "there is no memory for them");
}

/* --- playing -----------------------------------------------------------------------------------
 */

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What is read is never half a file: a new one takes the place of the old one. */
static void write_stat(const char *folder, const node_t *node)
{
    char path[PATH_ROOM], made[PATH_ROOM + 8];
    snprintf(path, sizeof path, "%s/%s/stat", folder, node->name);
    snprintf(made, sizeof made, "%s.new", path);
    FILE *file = fopen(made, "w");
    if (file == NULL)
        fail(made, strerror(errno));
    for (int i = 0; i < node->cores; i++)
        fprintf(file, "cpu%d %.4f 0 0 0\n", i,
                node->busy / node->cores * (double)sysconf(_SC_CLK_TCK));
    if (fclose(file) != 0 || rename(made, path) != 0)
        fail(path, strerror(errno));
}

static void play(nodes_t *nodes, const char *script, const char *folder)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    const char *given = getenv("EMU_STARTED");
    double started = given != NULL ? atof(given) : clock_seconds(), before = started;
    mkdir(folder, 0777);
    for (int i = 0; i < nodes->n; i++) {
        char path[PATH_ROOM];
        snprintf(path, sizeof path, "%s/%s", folder, nodes->node[i].name);
        mkdir(path, 0777);
    }
    for (;; nanosleep(&pause, NULL)) {
        double now = clock_seconds();
        for (int i = 0; i < nodes->n; i++) {
            node_t *node = &nodes->node[i];
            pace_why_t why;
            pace_state_t state;
            if (pace_state(script, node->name, 0, now - started, &state, &why) != 0)
                fail("script", why.text);
            node->busy += (now - before) * node->cores * fmin(state.load, 1);
            write_stat(folder, node);
        }
        before = now;
    }
}

int main(int argc, char **argv)
{
    static nodes_t nodes;
    if (argc < 5)
        fail("usage", "load onoff|jobs|play MACHINES ...");
    read_machines(argv[2], &nodes);
    if (strcmp(argv[1], "onoff") == 0)
        write_onoff(&nodes, argv + 3);
    else if (strcmp(argv[1], "jobs") == 0)
        write_jobs(&nodes, argv + 3);
    else if (strcmp(argv[1], "play") == 0)
        play(&nodes, argv[3], argv[4]);
    else
        fail(argv[1], "expected onoff, jobs or play");
    return fflush(stdout) == 0 ? 0 : 1;
}
