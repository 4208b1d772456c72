/* SPDX-License-Identifier: BSD-3-Clause
 * xmpi-share: shares a machine, or a cluster of Slurm's, out among the running jobs of a user or of
 * all. All that has to be known the
 * jobs know: it may be ended, and another be started, at any time. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/process/seconds.h"
#include "cluster.h"
#include "division.h"
#include "sources/source.h"
#include "tool/tool.h"

typedef struct {
    division_t division;
    places_t places;
    cluster_t cluster; /* no partition: none */
    int keep, unit;    /* unit 0: not given */
    double patience;
    bool asks; /* tells nobody */
} order_t;

static double started;

static const struct argp_option options[] = {
    {"aim", 'a', "AIM", 0,
     "equal: as many processors to each job as it has a use for (the default); late: as few jobs "
     "as "
     "can be end after their goals; use: the most work per second; energy: the least energy until "
     "the jobs are done",
     0},
    {"pes", 'p', "N", 0, "The processors to share out (default: the cores of this machine)", 0},
    {"unit", 'u', "N", 0,
     "Each job has a multiple of N of them: those of a node (default: 1; with --slurm, those of a "
     "node)",
     0},
    {"slurm", 'S', "PARTITION", 0,
     "Share out the nodes of this partition of Slurm's that other jobs neither have nor wait for",
     0},
    {"users", 'U', NULL, 0,
     "Of root: among the jobs of all users who have a directory of jobs, a folder of their own, in "
     "the "
     "folder $XMPI_JOBS or --jobs",
     0},
    {"jobs", 'j', "FOLDER", 0,
     "The directory of jobs by which those on other nodes are found, which they have as XMPI_JOBS "
     "(default: $XMPI_JOBS)",
     0},
    {"keep", 'k', "N", 0, "So many of them are left to others (default: 0)", 0},
    {"period", 'e', "SECONDS", 0, "How often jobs are asked (default: 2)", 0},
    {"patience", 't', "SECONDS", 0,
     "How long a job is waited for that does not answer, or does not do what it is told (default: "
     "10)",
     0},
    {"settle", 's', "SECONDS", 0,
     "The longest that a division holds, where no job comes or goes (default: 30)", 0},
    {"busy", 'B', "WATTS", 0, "What a busy processor takes, for the energy (default: 10)", 0},
    {"idle", 'I', "WATTS", 0, "What an idle one takes (default: 5)", 0},
    {"dry-run", 'n', NULL, 0, "Ask once, show what each job would have, and tell nobody", 0},
    {0},
};

static const char description[] =
    "Shares this machine, or a partition of Slurm's, out among the running XMPI jobs of this user, "
    "or of "
    "all: asks each what more or fewer "
    "members are worth to it, and tells it how many to have."
    "\v"
    "Runs until it is ended; one for a user and a machine. Jobs on other nodes are reached by "
    "$XMPI_RSH "
    "(ssh). A line on standard output tells of each "
    "job that is told another number.\n\n"
    "Exit status: 0 shown (--dry-run), 1 another one runs already, 2 wrong usage, or Slurm does "
    "not "
    "answer at the start.";

/* --- the command line ------------------------------------------------------------------------- */

static int whole_of(const char *name, const char *text, int least)
{
    double value = tool_number(name, text, least);
    if (floor(value) < value)
        tool_misuse("--%s: expected a whole number, not \"%s\"", name, text);
    return (int)value;
}

static xmpi_share_aim_t aim_of(const char *text)
{
    for (int i = 0; i < XMPI_SHARE_AIMS; i++)
        if (strcmp(text, xmpi_share_aim_name[i]) == 0)
            return (xmpi_share_aim_t)i;
    tool_misuse("--aim: expected equal, late, use or energy, not \"%s\"", text);
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    order_t *order = state->input;
    switch (key) {
    case 'a':
        order->division.aim = aim_of(value);
        return 0;
    case 'p':
        order->division.pes = whole_of("pes", value, 1);
        return 0;
    case 'u':
        order->unit = whole_of("unit", value, 1);
        return 0;
    case 'S':
        if (!cluster_is_partition(value))
            tool_misuse("--slurm %s: expected the name of a partition", value);
        order->cluster.partition = value;
        return 0;
    case 'U':
        if (geteuid() != 0)
            tool_misuse("--users: only root can ask the jobs of others");
        order->places.all = true;
        return 0;
    case 'j':
        order->places.jobs = value;
        return 0;
    case 'k':
        order->keep = whole_of("keep", value, 0);
        return 0;
    case 'e':
        order->division.period = tool_number("period", value, 0.01);
        return 0;
    case 't':
        order->patience = tool_number("patience", value, 0.01);
        return 0;
    case 's':
        order->division.settle = tool_number("settle", value, 0);
        return 0;
    case 'B':
        order->division.busy = tool_number("busy", value, 0);
        return 0;
    case 'I':
        order->division.idle = tool_number("idle", value, 0);
        return 0;
    case 'n':
        order->asks = true;
        return 0;
    case ARGP_KEY_ARG:
        tool_misuse("\"%s\" is one word too many", value);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* --- the machine ------------------------------------------------------------------------------ */

/* The processing elements that a job finds here. */
static int count_pes(void)
{
    xmpi_resources_t resources = {0};
    xmpi_error_t error;
    if (xmpi_source_local_machine.read(NULL, &resources, &error) != XMPI_OK)
        tool_misuse("%s; say how many processors there are with --pes", error.text);
    int pes = resources.pes;
    xmpi_resources_free(&resources);
    return pes;
}

static void rest(double seconds)
{
    struct timespec pause = {.tv_sec = (time_t)seconds,
                             .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&pause, NULL);
}

/* One that was killed has the lock until it is gone, which may take its time. False: see errno. */
static bool lock(int fd)
{
    enum { LOOKS = 60 };
    int failed;
    for (int look = 0;
         (failed = flock(fd, LOCK_EX | LOCK_NB)) != 0 && errno == EWOULDBLOCK && look < LOOKS;
         look++)
        rest(0.05);
    return failed == 0;
}

/* 0, or the exit status after a message. The lock is held until the end. */
static int be_the_only_one(const char *folder)
{
    char path[XMPI_ADDRESS_MAX + 16];
    snprintf(path, sizeof path, "%s/share.lock", folder);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0 && lock(fd))
        return 0;
    if (errno != EWOULDBLOCK)
        return tool_complain("%s: %s", path, strerror(errno));
    tool_complain("another xmpi-share shares this machine out already");
    return TOOL_FAILED;
}

/* --- sharing ---------------------------------------------------------------------------------- */

static void say(const claim_t *claim, int before)
{
    printf("%10.1f s  %s (%s): %d members instead of %d\n", xmpi_seconds_now() - started,
           claim->program, claim->place.name, claim->share, before);
    fflush(stdout);
}

static void show(const division_t *division, const claims_t *claims)
{
    int used = 0;
    printf("%-10s %-20s %8s %8s\n", "job", "program", "members", "would be");
    for (int i = 0; i < claims->claims; i++) {
        const claim_t *claim = &claims->claim[i];
        used += claim->share;
        printf("%-10s %-20s %8d %8d%s\n", claim->place.name, claim->program, claim->members,
               claim->share, claim->claims ? "" : "  (keeps what it has)");
    }
    printf("%d of %d processors\n", used, division->pes);
}

/* How much there is to be shared out at present. False: nobody knows, nor has known. */
static bool measure(order_t *order, claims_t *claims)
{
    division_t *division = &order->division;
    cluster_t *cluster = &order->cluster;
    if (cluster->partition == NULL)
        return true;
    cluster_look(cluster, claims);
    if (cluster->nodes == 0)
        return false;
    division->pes = cluster_pes(cluster) - order->keep;
    division->unit = order->unit > 0 ? order->unit : cluster->each;
    return true;
}

static int share(order_t *order)
{
    claims_t claims = {.patience = order->patience};
    division_t *division = &order->division;
    for (;; rest(order->division.period)) {
        if (claims_find(&claims, &order->places) != 0)
            return TOOL_MISUSED;
        claims_hear(&claims);
        if (!measure(order, &claims))
            return TOOL_MISUSED;
        if (division_make(division, &claims) != XMPI_OK)
            continue; /* everybody keeps what they have */
        if (order->asks)
            break;
        division_tell(division, &claims, say);
    }
    show(division, &claims);
    claims_free(&claims);
    return TOOL_OK;
}

/* What is shared out without Slurm. 0, or the exit status after a message. */
static int count(order_t *order)
{
    division_t *division = &order->division;
    division->unit = order->unit > 0 ? order->unit : 1;
    if (order->cluster.partition != NULL)
        return TOOL_OK;
    if (division->pes == 0)
        division->pes = count_pes();
    if (order->keep >= division->pes)
        return tool_complain("--keep %d: there are %d processors", order->keep, division->pes);
    division->pes -= order->keep;
    return TOOL_OK;
}

int main(int argc, char **argv)
{
    static const struct argp argp = {options, parse_option, NULL, description, NULL, NULL, NULL};
    order_t order = {.division = {.settle = 30, .period = 2, .busy = 10, .idle = 5, .left = -1},
                     .patience = 10};
    const char *jobs = getenv("XMPI_JOBS");
    xmpi_error_t error;
    order.places.jobs = jobs != NULL && jobs[0] != '\0' ? jobs : NULL;
    tool_parse(&argp, argc, argv, 0, &order);
    if (order.places.all && order.places.jobs == NULL)
        return tool_complain("--users: --jobs says where users have their directories of jobs");
    int status = count(&order);
    if (status != TOOL_OK)
        return status;
    places_t *places = &order.places;
    if (xmpi_address_folder(places->folder, sizeof places->folder, &error) != XMPI_OK)
        return tool_complain("%s", error.text);
    status = order.asks ? TOOL_OK : be_the_only_one(places->folder);
    started = xmpi_seconds_now();
    return status != TOOL_OK ? status : share(&order);
}
