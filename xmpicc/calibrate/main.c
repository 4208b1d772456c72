/* SPDX-License-Identifier: BSD-3-Clause
 * xmpi-calibrate: measures what the prediction model has to know about a machine and its MPI. */
#define _GNU_SOURCE
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calibrate/calibrate.h"
#include "decide/communication/mpi_cost.h"
#include "files/machine_file.h"
#include "tool/tool.h"

enum {
    MEMBERS = 2,
    LIMIT = 60,
    STEPS = 6,
    CYCLES = 3,
    MOVED = 1 << 24,
    REBALANCES = 8,
    NODES_MAX = 1024
};

/* Seconds that measuring may take: a quick machine is done before, a slow one is measured less
 * often. What is under way then is still finished, so that the sum leaves room in a minute. */
static const double disk_seconds = 6, link_seconds = 2, creation_seconds = 24, pool_seconds = 4,
                    move_seconds = 2;

typedef struct {
    char mpiexec[TOOL_PATH_MAX]; /* %n: number of processes; the program follows */
    char output[TOOL_PATH_MAX];
    char probe[TOOL_PATH_MAX];
    char folder[64]; /* for schedules and traces */
    int joiners;     /* the most that are created at once */
    int quiet;
    int strategy; /* xmpi_curve_kind_t, or -1: all */
    int classes;  /* whose speeds were given */
    xmpi_class_speed_t given[XMPI_CLASSES_MAX];
    int step;
    const char *disks; /* the folder whose disk is measured, and nothing else; NULL */
    int nodes;
    node_disk_t node[NODES_MAX];
    xmpi_machine_t machine;
    xmpi_calibration_t calibration;
} job_t;

/* --- progress and commands --------------------------------------------------------------------
 */

static void progress(job_t *job, const char *what)
{
    job->step++;
    if (!job->quiet)
        fprintf(stderr, "%s[%d/%d] %-50s%s", isatty(2) ? "\r" : "", job->step, STEPS, what,
                isatty(2) ? "" : "\n");
}

static void progress_end(const job_t *job)
{
    if (!job->quiet && isatty(2))
        fprintf(stderr, "\r%60s\r", "");
}

/* The command of N processes of the probe with ARGUMENTS and SETTINGS; malloc. */
static char *command_of(const job_t *job, const char *settings, int n, const char *arguments)
{
    char *command = NULL;
    const char *mark = strstr(job->mpiexec, "%n");
    int length = mark != NULL ? (int)(mark - job->mpiexec) : (int)strlen(job->mpiexec);
    if (asprintf(&command, "%s timeout -k 5 %d %.*s%d%s '%s' %s </dev/null", settings, LIMIT,
                 length, job->mpiexec, n, mark != NULL ? mark + 2 : "", job->probe, arguments) < 0)
        return NULL;
    return command;
}

/* Runs it, giving each line of its output to TAKE. 0, or TOOL_FAILED. */
static int run(job_t *job, const char *settings, int n, const char *arguments,
               void (*take)(job_t *job, char *line))
{
    char *line = NULL, *command = command_of(job, settings, n, arguments);
    size_t room = 0;
    FILE *pipe = command != NULL ? popen(command, "r") : NULL;
    if (pipe == NULL) {
        free(command);
        return tool_complain("a command cannot be started: %s", strerror(errno));
    }
    while (getline(&line, &room, pipe) > 0)
        if (take != NULL)
            take(job, line);
    int status = pclose(pipe);
    if (status != 0)
        tool_complain("this command failed (status %d): %s",
                      WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), command);
    free(line);
    free(command);
    return status == 0 ? TOOL_OK : TOOL_FAILED;
}

/* --- links and speeds -------------------------------------------------------------------------
 */

static void take_text(const char *line, const char *name, char *text, size_t size)
{
    size_t length = strlen(name);
    if (strncmp(line, name, length) != 0 || line[length] != ' ')
        return;
    snprintf(text, size, "%s", line + length + 1);
    text[strcspn(text, "\n")] = '\0';
}

static void take_link(xmpi_calibration_t *calibration, const char *line)
{
    char name[32];
    xmpi_link_t link;
    if (sscanf(line, "link %31s %lf %lf %lf %lf %lf", name, &link.alpha, &link.beta,
               &link.long_alpha, &link.long_beta, &link.eager) != 6)
        return;
    for (int i = 0; i < XMPI_LINKS; i++)
        if (strcmp(name, xmpi_link_name((xmpi_link_class_t)i)) == 0)
            calibration->link[i] = link;
}

/* The mean of all that are of a class. */
static void take_class(xmpi_calibration_t *calibration, const char *line)
{
    static int seen[XMPI_CLASSES_MAX];
    char name[XMPI_NAME_MAX];
    double speed;
    int i = 0;
    if (sscanf(line, "class %63s %lf", name, &speed) != 2)
        return;
    while (i < calibration->classes && strcmp(calibration->class_speed[i].name, name) != 0)
        i++;
    if (i == XMPI_CLASSES_MAX)
        return;
    if (i == calibration->classes)
        strcpy(calibration->class_speed[calibration->classes++].name, name);
    double *mean = &calibration->class_speed[i].speed;
    *mean += (speed - *mean) / ++seen[i];
}

static void take_measure(job_t *job, char *line)
{
    xmpi_machine_t *machine = &job->machine;
    take_text(line, "processor", machine->processor, sizeof machine->processor);
    take_text(line, "mpi", machine->mpi, sizeof machine->mpi);
    sscanf(line, "cores %d", &machine->cores);
    sscanf(line, "gamma %lf", &job->calibration.gamma);
    sscanf(line, "fresh %lf", &job->calibration.fresh);
    take_link(&job->calibration, line);
    take_class(&job->calibration, line);
}

/* A link that no two processes have is taken for the other one. */
static int measure_links(job_t *job)
{
    xmpi_link_t *link = job->calibration.link;
    memset(link, 0, XMPI_LINKS * sizeof *link);
    progress(job, "messages, and the speed of processors");
    char arguments[32];
    snprintf(arguments, sizeof arguments, "links %g", link_seconds);
    int status = run(job, "XMPI_POLICY=off", 2 * MEMBERS, arguments, take_measure);
    if (status != TOOL_OK)
        return status;
    if (link[XMPI_LINK_NODE].eager <= 0)
        link[XMPI_LINK_NODE] = link[XMPI_LINK_NETWORK];
    if (link[XMPI_LINK_NETWORK].eager <= 0)
        link[XMPI_LINK_NETWORK] = link[XMPI_LINK_NODE];
    return link[XMPI_LINK_NODE].eager > 0 ? TOOL_OK : tool_complain("no link could be measured");
}

/* --- disks --------------------------------------------------------------------------------------
 */

static void take_disk(job_t *job, char *line)
{
    node_disk_t *node = &job->node[job->nodes];
    if (strncmp(line, "failed ", 7) == 0)
        tool_complain("%.*s", (int)strcspn(line + 7, "\n"), line + 7);
    else if (job->nodes < NODES_MAX && sscanf(line, "disk %63s %lf %lf %lf", node->node,
                                              &node->memory, &node->bandwidth, &node->latency) == 4)
        job->nodes++;
}

/* (A process for each processing element: on all nodes.) */
static int measure_disks(job_t *job)
{
    char arguments[TOOL_PATH_MAX + 64];
    xmpi_resources_t resources = {.pes = 1};
    xmpi_error_t error;
    const char *machines = getenv("XMPI_MACHINES");
    if (machines != NULL && xmpi_machines_read(machines, &resources, &error) != XMPI_OK)
        return tool_complain("%s", error.text);
    snprintf(arguments, sizeof arguments, "disks '%s' %g", job->disks, disk_seconds);
    int status = run(job, "XMPI_POLICY=off", resources.pes, arguments, take_disk);
    xmpi_resources_free(&resources);
    status = status == TOOL_OK && job->nodes == 0 ? TOOL_FAILED : status;
    return status == TOOL_OK
               ? disks_print(machines, job->node, job->nodes, (int)sysconf(_SC_NPROCESSORS_ONLN))
               : status;
}

/* --- changes ----------------------------------------------------------------------------------
 */

static void schedule(FILE *file, const char *what, int n, int *at)
{
    fprintf(file, "%s %d any %d\n", what, n, ++*at);
}

/* More come again and again, as where a program grows for the first time, and go all together; then
 * each number comes to few members and goes. The more there are, the longer it takes, so that what
 * there is no time for is what is least needed. */
static void schedule_cycle(FILE *file, int joiners, int *at)
{
    int there = 0;
    for (int n = 1; there + n <= joiners; n *= 2) {
        schedule(file, "spawn", n, at);
        there += n;
    }
    schedule(file, "remove", there, at);
    for (int n = 1; n <= joiners; n *= 2) {
        schedule(file, "spawn", n, at);
        schedule(file, "remove", n, at);
    }
}

/* How many iterations it takes. */
static int write_schedule(const job_t *job)
{
    char path[128];
    int at = 0;
    snprintf(path, sizeof path, "%s/schedule", job->folder);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return -1;
    for (int cycle = 0; cycle < CYCLES; cycle++)
        schedule_cycle(file, job->joiners, &at);
    return fclose(file) == 0 ? at + 2 : -1;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What it took to make a communicator of so many processes, in rounds: the median of all times. */
static void take_communicator(job_t *job, char *line)
{
    static double rounds[XMPI_TIMED_CHANGES_MAX];
    static int n;
    double seconds;
    int processes;
    if (sscanf(line, "communicator %d %lf", &processes, &seconds) != 2 ||
        n == XMPI_TIMED_CHANGES_MAX)
        return;
    double round = xmpi_round_seconds(processes, &job->calibration.link[XMPI_LINK_NETWORK]);
    if (!(round > 0))
        return;
    rounds[n++] = seconds / round;
    qsort(rounds, (size_t)n, sizeof *rounds, compare);
    job->calibration.agreement[XMPI_AGREE_COMMUNICATOR].rounds = rounds[n / 2];
}

/* Runs the probe with the settings and reads the changes from its trace. */
static int evolve(job_t *job, const char *settings, int n, int iterations, long bytes,
                  double seconds, xmpi_timed_changes_t *changes)
{
    char *all = NULL, trace[128], arguments[96];
    snprintf(trace, sizeof trace, "%s/trace", job->folder);
    snprintf(arguments, sizeof arguments, "evolve %d %ld %g", iterations, bytes, seconds);
    if (asprintf(&all,
                 "XMPI_TRACE=%s XMPI_SCHEDULE=%s/schedule XMPI_COUNTER=work XMPI_INTERVAL=1 %s",
                 trace, job->folder, settings) < 0)
        return tool_complain("no memory");
    unlink(trace);
    int status = run(job, all, n, arguments, take_communicator);
    free(all);
    if (status == TOOL_OK && changes_read(trace, changes) < 0)
        status = tool_complain("%s: the probe wrote no trace", trace);
    return status;
}

/* Appends the changes of MORE. */
static void gather(xmpi_timed_changes_t *all, const xmpi_timed_changes_t *more)
{
    for (int i = 0; i < more->n && all->n < XMPI_TIMED_CHANGES_MAX; i++)
        all->change[all->n++] = more->change[i];
}

/* Creation by each strategy. An MPI that cannot create processes has no such curves. */
static int measure_creation(job_t *job, xmpi_timed_changes_t *all)
{
    static const xmpi_curve_kind_t kinds[] = {XMPI_CURVE_SERIAL, XMPI_CURVE_GROUP,
                                              XMPI_CURVE_CONCURRENT};
    static xmpi_timed_changes_t changes;
    int iterations = write_schedule(job), strategies = job->strategy >= 0 ? 1 : 3;
    if (iterations < 0)
        return tool_complain("%s/schedule: %s", job->folder, strerror(errno));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char settings[256], what[64];
        const char *name = xmpi_curve_name(kinds[i]);
        if (job->strategy >= 0 && job->strategy != (int)kinds[i])
            continue;
        snprintf(what, sizeof what, "creation of processes, strategy %s", name);
        snprintf(settings, sizeof settings,
                 "XMPI_POLICY=schedule XMPI_BACKEND=spawn XMPI_STRATEGY=%s XMPI_MAX=%d", name,
                 MEMBERS + job->joiners);
        progress(job, what);
        if (evolve(job, settings, MEMBERS, iterations, 0, creation_seconds / strategies,
                   &changes) != TOOL_OK)
            continue; /* it has been said */
        changes_count_worlds(&changes, MEMBERS, kinds[i]);
        xmpi_curve_t *curve = &job->calibration.curve[kinds[i]];
        xmpi_fit_curve(&changes, &job->calibration, curve);
        job->calibration.first_creation = /* concurrent comes last and has most to start */
            xmpi_fit_first(&changes, &job->calibration, curve);
        gather(all, &changes);
    }
    return TOOL_OK;
}

static int measure_pool(job_t *job, xmpi_timed_changes_t *all)
{
    static xmpi_timed_changes_t changes;
    char settings[128];
    progress(job, "waking and parking");
    snprintf(settings, sizeof settings, "XMPI_POLICY=schedule XMPI_BACKEND=pool XMPI_ACTIVE=%d",
             MEMBERS);
    int status = evolve(job, settings, MEMBERS + job->joiners, write_schedule(job), 0, pool_seconds,
                        &changes);
    if (status != TOOL_OK)
        return status;
    xmpi_fit_curve(&changes, &job->calibration, &job->calibration.curve[XMPI_CURVE_WAKE]);
    if (all->n == 0) /* this MPI cannot create processes: there are no others */
        gather(all, &changes);
    return TOOL_OK;
}

/* Rebalances of few and of many bytes. */
static int measure_moves(job_t *job)
{
    static const char settings[] = "XMPI_POLICY=balance XMPI_WINDOW=1 XMPI_IMBALANCE=0.1";
    static xmpi_timed_changes_t changes;
    progress(job, "rebalances");
    int status = evolve(job, settings, 2 * MEMBERS, REBALANCES, 0, move_seconds, &changes);
    if (status != TOOL_OK)
        return status;
    static xmpi_timed_changes_t all;
    gather(&all, &changes);
    status = evolve(job, settings, MEMBERS, REBALANCES, 0, move_seconds, &changes);
    if (status != TOOL_OK)
        return status;
    gather(&all, &changes);
    xmpi_fit_agreement(&all, XMPI_AGREE_REBALANCE, &job->calibration);
    status = evolve(job, settings, MEMBERS, REBALANCES, MOVED, move_seconds, &changes);
    if (status == TOOL_OK && changes.link == XMPI_LINK_NODE) /* others are reached by messages */
        job->calibration.move_beta[changes.link] = xmpi_fit_move(&changes, &job->calibration);
    return status;
}

/* What processes do together, of all strategies; how many leave makes no difference that could be
 * measured. */
static void fit_changes(job_t *job, const xmpi_timed_changes_t *all)
{
    xmpi_calibration_t *calibration = &job->calibration;
    xmpi_fit_agreement(all, XMPI_AGREE_JOINED, calibration);
    xmpi_fit_agreement(all, XMPI_AGREE_LEFT, calibration);
}

/* Speeds that were given count more than those measured: mixed they would not fit together. */
static void use_given_speeds(job_t *job)
{
    if (job->classes == 0)
        return;
    job->calibration.classes = job->classes;
    memcpy(job->calibration.class_speed, job->given, sizeof job->given);
}

static int calibrate(job_t *job)
{
    static xmpi_timed_changes_t all;
    xmpi_error_t error;
    xmpi_calibration_assume(&job->calibration);
    for (int i = 0; i < XMPI_CURVES; i++)
        job->calibration.curve[i].points = 0;
    int status = measure_links(job);
    if (status == TOOL_OK)
        status = measure_creation(job, &all);
    if (status == TOOL_OK)
        status = measure_pool(job, &all);
    if (status == TOOL_OK)
        status = measure_moves(job);
    progress_end(job);
    if (status != TOOL_OK)
        return status;
    fit_changes(job, &all);
    use_given_speeds(job);
    if (xmpi_calibration_write(job->output, &job->machine, &job->calibration, &error) != XMPI_OK)
        return tool_complain("%s", error.text);
    printf("%s\n", job->output);
    return TOOL_OK;
}

/* --- the command line -------------------------------------------------------------------------
 */

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "Write to FILE instead of where runs look for it", 0},
    {"mpiexec", 'm', "COMMAND", 0,
     "Start %n processes with COMMAND, behind which the program is put; default: \"mpiexec -n %n\"",
     0},
    {"joiners", 'j', "N", 0, "Create up to N processes at once (default 8)", 0},
    {"strategy", 't', "NAME", 0,
     "Measure the creation of processes by one strategy only: serial, group or concurrent", 0},
    {"speed", 's', "CLASS=SPEED", 0, "The speed of a class, in any unit, instead of measuring it",
     0},
    {"disks", 'd', "FOLDER", 0,
     "Measure only the disk of FOLDER and the memory of each node, with a file of 64 MiB, and "
     "print "
     "the machine file (XMPI_MACHINES) with them",
     0},
    {"quiet", 'q', NULL, 0, "No progress line", 0},
    {0},
};

static int set_speed(job_t *job, const char *text)
{
    const char *equals = strchr(text, '=');
    xmpi_class_speed_t *class = &job->given[job->classes];
    if (equals == NULL || equals == text || equals - text >= XMPI_NAME_MAX ||
        job->classes == XMPI_CLASSES_MAX || !(strtod(equals + 1, NULL) > 0))
        return 0;
    snprintf(class->name, sizeof class->name, "%.*s", (int)(equals - text), text);
    class->speed = strtod(equals + 1, NULL);
    job->classes++;
    return 1;
}

static int strategy_of(const char *name)
{
    for (int i = XMPI_CURVE_SERIAL; i <= XMPI_CURVE_CONCURRENT; i++)
        if (strcmp(name, xmpi_curve_name((xmpi_curve_kind_t)i)) == 0)
            return i;
    return -1;
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    job_t *job = state->input;
    switch (key) {
    case 'o':
        snprintf(job->output, sizeof job->output, "%s", value);
        return 0;
    case 'm':
        if (strstr(value, "%n") == NULL)
            tool_misuse("--mpiexec needs %%n where the number of processes belongs");
        snprintf(job->mpiexec, sizeof job->mpiexec, "%s", value);
        return 0;
    case 'j':
        job->joiners = atoi(value);
        if (job->joiners < 1 || job->joiners > 128)
            tool_misuse("--joiners must be from 1 to 128");
        return 0;
    case 't':
        job->strategy = strategy_of(value);
        if (job->strategy < 0)
            tool_misuse("--strategy must be serial, group or concurrent");
        return 0;
    case 's':
        if (!set_speed(job, value))
            tool_misuse("--speed must be CLASS=SPEED, and not \"%s\"", value);
        return 0;
    case 'd':
        if (strchr(value, '\'') != NULL || strlen(value) >= TOOL_PATH_MAX)
            tool_misuse("--disks cannot be \"%s\"", value);
        job->disks = value;
        return 0;
    case 'q':
        job->quiet = 1;
        return 0;
    case ARGP_KEY_ARG:
        tool_misuse("there is nothing to be done with \"%s\"", value);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Settings of the user's would make it another measurement, but for those that say where processes
 * run and how data move. */
static void forget_settings(void)
{
    static const char *const kept[] = {"XMPI_MACHINES", "XMPI_NODE", "XMPI_MOVE", "XMPI_BUILD",
                                       "XMPI_SOURCE"};
    for (char **entry = environ; *entry != NULL;) {
        char name[128];
        int keep = strncmp(*entry, "XMPI_", 5) != 0;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*entry, "="), *entry);
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
            keep = keep || strcmp(name, kept[i]) == 0;
        if (!keep)
            unsetenv(name);
        entry = keep ? entry + 1 : environ;
    }
}

/* Before a minute is spent on what could not be written then. */
static int check_output(const char *path)
{
    char folder[TOOL_PATH_MAX];
    snprintf(folder, sizeof folder, "%.4000s", path);
    char *slash = strrchr(folder, '/');
    strcpy(slash == NULL ? folder : slash == folder ? folder + 1 : slash, slash == NULL ? "." : "");
    return access(folder, W_OK | X_OK) == 0 ? TOOL_OK
                                            : tool_complain("%s: %s", path, strerror(errno));
}

/* The standard place, with the folders that it needs. */
static int choose_output(job_t *job)
{
    if (job->output[0] != '\0')
        return check_output(job->output);
    xmpi_calibration_path(job->output, sizeof job->output);
    if (job->output[0] == '\0')
        return tool_complain("there is no home to write to: use --output");
    for (char *slash = strchr(job->output + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(job->output, 0777);
        *slash = '/';
    }
    return TOOL_OK;
}

static int prepare(job_t *job)
{
    char mpiexec[TOOL_PATH_MAX];
    int status = tool_installed("lib/xmpi", "calibration-probe", job->probe);
    if (status == TOOL_OK && job->mpiexec[0] == '\0') {
        status = tool_installed("bin", "mpiexec", mpiexec);
        if (status != TOOL_OK)
            snprintf(mpiexec, sizeof mpiexec, "mpiexec");
        status = TOOL_OK;
        snprintf(job->mpiexec, sizeof job->mpiexec, "'%.4000s' -n %%n", mpiexec);
    }
    if (status == TOOL_OK)
        status = choose_output(job);
    strcpy(job->folder, "/tmp/xmpi-calibrate.XXXXXX");
    if (status == TOOL_OK && mkdtemp(job->folder) == NULL)
        status = tool_complain("%s: %s", job->folder, strerror(errno));
    return status;
}

static void clean_up(const job_t *job)
{
    char path[128];
    snprintf(path, sizeof path, "%s/schedule", job->folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/trace", job->folder);
    unlink(path);
    rmdir(job->folder);
}

int main(int argc, char **argv)
{
    static const struct argp argp = {options,
                                     parse_option,
                                     NULL,
                                     "Measures what messages, changes of processes and moves of "
                                     "data cost on this machine, for the "
                                     "predictions of XMPI. Takes less than a minute.",
                                     NULL,
                                     NULL,
                                     NULL};
    static job_t job = {.joiners = 8, .strategy = -1};
    tool_parse(&argp, argc, argv, 0, &job);
    forget_settings();
    int status = prepare(&job);
    if (status == TOOL_OK) {
        status = job.disks != NULL ? measure_disks(&job) : calibrate(&job);
        clean_up(&job);
    }
    return status;
}
