/* SPDX-License-Identifier: BSD-3-Clause
 * Settings: one table of environment variables. */
#define _POSIX_C_SOURCE 200809L
#include "settings/settings.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data/size_text.h"
#include "decide/policies/catalogue.h"
#include "decide/configurations/configurations.h"
#include "decide/policy/policy.h"
#include "libraries/glpk_library.h"
#include "libraries/scotch_library.h"
#include "settings/goal_text.h"

#define AT(field) offsetof(xmpi_settings_t, field)

/* What the policies say of themselves, one behind the other. */
static char policy_help[2048];

static const xmpi_setting_t table[] = {
    {"XMPI_POLICY", XMPI_SETTING_TEXT, AT(policy), "balance", 0, 0, policy_help, NULL},
    {"XMPI_SCHEDULE", XMPI_SETTING_TEXT, AT(schedule), "", 0, 0,
     "schedule file of the policies smp and schedule: lines of action (spawn, remove), "
     "processes, class (or any), iteration; or of layout, loop, iteration and PE:rows of each "
     "member, for layouts as they stand there",
     NULL},
    {"XMPI_SEED", XMPI_SETTING_INTEGER, AT(seed), "1", 0, 9e15, "seed of the policy random", NULL},
    {"XMPI_INTERVAL", XMPI_SETTING_AUTO, AT(interval), "auto", 1, 1e12,
     "iterations of a sampling interval; auto: as many as clocks and noise ask for", NULL},
    {"XMPI_IMBALANCE", XMPI_SETTING_REAL, AT(imbalance), "0.03", 0, 1,
     "difference of computation times, as a share of the longest, that is tolerated (TH1)", NULL},
    {"XMPI_INTERFERENCE", XMPI_SETTING_REAL, AT(interference), "0.05", 0, 1,
     "share of its computation time that a process may lack the CPU on a PE that counts as "
     "dedicated",
     NULL},
    {"XMPI_WINDOW", XMPI_SETTING_INTEGER, AT(window), "3", 1, XMPI_WINDOW_MAX,
     "intervals in a row with interference after which the load is divided by it; before, it is "
     "tolerated as a burst",
     NULL},
    {"XMPI_LB", XMPI_SETTING_CHOICE, AT(lb), "auto", 0, 0,
     "what makes rows work: rows (alike, or as is learnt), nnz (the nonzeros of registered sparse "
     "matrices), weight (as the program says), auto: the last of these that the program has",
     "auto rows nnz weight"},
    {"XMPI_WAIT", XMPI_SETTING_CHOICE, AT(wait), "auto", 0, 0,
     "how MPI calls wait: spin, as most MPIs do; sleep: tested now and then, so that members that "
     "share cores let each other compute; auto: asleep where a host has more members than cores",
     "auto spin sleep"},
    {"XMPI_BIND", XMPI_SETTING_CHOICE, AT(bind), "off", 0, 0,
     "core: each process of the program is bound to the core of its node that its processing "
     "element stands for, also who joins, and a program that moves to the core of where it goes; "
     "the policies map and migrate then go by packages, memory and caches, too. Where the launcher "
     "has bound processes of a node to different CPUs they stay as they are. For programs with one "
     "thread in each process, on nodes that nobody else uses",
     "off core"},
    {"XMPI_BACKEND", XMPI_SETTING_CHOICE, AT(backend), "auto", 0, 0,
     "new processes by spawn, or from a pool of spares; auto: pool when there are spares",
     "auto spawn pool"},
    {"XMPI_STRATEGY", XMPI_SETTING_CHOICE, AT(strategy), "auto", 0, 0,
     "several new processes are spawned one by one (serial), in one call (group), one by one at "
     "the same time (concurrent), or those of each node in one call (nodes); auto: nodes where "
     "nodes can be withdrawn (a machine file) and the MPI does not let each process of a group end "
     "alone, else group",
     "auto serial group concurrent nodes"},
    {"XMPI_BACKGROUND", XMPI_SETTING_INTEGER, AT(background), "0", 0, 1,
     "1: the program iterates on while processes are got, and they join when they are there", NULL},
    {"XMPI_TIMEOUT", XMPI_SETTING_INTEGER, AT(timeout), "120", 1, 1e6,
     "seconds after which a process that was called and is not ready is given up; its node is "
     "not asked again for 8 times as long, then for 16 times, and so on, up to an hour",
     NULL},
    {"XMPI_PLACEMENT", XMPI_SETTING_CHOICE, AT(placement), "all", 0, 0,
     "processes come and go so that nodes of a class are equally filled: all of them, or only the "
     "occupied ones",
     "all occupied"},
    {"XMPI_ACTIVE", XMPI_SETTING_INTEGER, AT(active), "0", 0, 1e6,
     "how many processes of mpiexec are active at first; the rest are spares; 0: all", NULL},
    {"XMPI_START", XMPI_SETTING_CHOICE, AT(start), "auto", 0, 0,
     "which processes are active at first where there are spares, beside the first one: those on "
     "the processing elements that are the quickest, by their CPUs and what others leave of them "
     "(fastest, which takes a tenth of a second), or the next ones (order); auto: fastest for swap",
     "auto order fastest"},
    {"XMPI_MAX", XMPI_SETTING_INTEGER, AT(max), "0", 0, 1e6,
     "most members at any time; 0: as many as there are processing elements. Where no machine "
     "file lists nodes, members beyond the cores of the machine share them, which is said",
     NULL},
    {"XMPI_MACHINES", XMPI_SETTING_TEXT, AT(machines), "", 0, 0,
     "machine file: lines of "
     "hostname:procType:numPE[:cost[:switches[:memory:bandwidth[:latency]]]]; gives the classes; "
     "it may be changed while the program runs",
     NULL},
    {"XMPI_TOPOLOGY", XMPI_SETTING_TEXT, AT(topology), "", 0, 0,
     "file with the switches between nodes, for the policies map and migrate, where the machine "
     "file does not say them: Slurm's topology.conf, or what `scontrol show topology` prints "
     "(which "
     "is asked in an allocation of Slurm's without it)",
     NULL},
    {"XMPI_GRACE", XMPI_SETTING_REAL, AT(grace), "60", 0, 1e9,
     "seconds that members have to leave a node which the machine file does not list any more, "
     "which Slurm drains, or which others wait for in its queue; and before the end of a job of "
     "Slurm's in which checkpoints follow one another",
     NULL},
    {"XMPI_SLURM", XMPI_SETTING_CHOICE, AT(slurm), "auto", 0, 0,
     "whether Slurm says which nodes there are; auto: in an allocation of Slurm's, where no "
     "machine file does",
     "auto off"},
    {"XMPI_NODES", XMPI_SETTING_INTEGER, AT(nodes), "0", 0, 1e5,
     "most nodes that the job has of Slurm's, with those that it asks for while it runs; 0: those "
     "of its allocation, and it asks for none",
     NULL},
    {"XMPI_SLURM_PERIOD", XMPI_SETTING_REAL, AT(slurm_period), "5", 0.05, 1e6,
     "seconds from one look at Slurm's queue to the next", NULL},
    {"XMPI_ITERATIONS", XMPI_SETTING_INTEGER, AT(iterations), "0", 0, 9e15,
     "iterations that the loop will make, where the program does not tell; 0: not known", NULL},
    {"XMPI_GOAL", XMPI_SETTING_TEXT, AT(goal_text), "", 0, 0,
     "of amp: 10m, 1h30m or 90s (after the start), 30% (less than the static time), 18:00 or "
     "2030-05-31T18:00",
     NULL},
    {"XMPI_TOLERANCE", XMPI_SETTING_REAL, AT(tolerance), "0.01", 0, 1,
     "of amp and hpmp: difference from the goal, or gain, as a share of the time, that is not "
     "worth a change",
     NULL},
    {"XMPI_CONSTRAINT", XMPI_SETTING_CHOICE, AT(constraint), "efficiency", 0, 0,
     "what the policy amp reaches the goal with: the fewest members (efficiency), the least cost",
     "efficiency cost"},
    {"XMPI_FORECAST", XMPI_SETTING_CHOICE, AT(forecast), "auto", 0, 0,
     "how speeds are foretold: the mean since they last changed (level), the last interval, mean, "
     "median or exponential smoothing of the last XMPI_HISTORY seconds, or which of these erred "
     "least so far (best); auto: best for swap, smp, hpmp and amp, level for others",
     "auto level last mean median exponential best"},
    {"XMPI_HISTORY", XMPI_SETTING_AUTO_REAL, AT(history), "auto", 0, 1e9,
     "seconds from which speeds are foretold; auto: 0 where XMPI_SWAP is greedy, 300 where it is "
     "safe, else 60",
     NULL},
    {"XMPI_SWAP", XMPI_SETTING_CHOICE, AT(swap), "friendly", 0, 0,
     "of swap, what the settings below are: greedy swaps for any gain, safe for 20 % of a process "
     "and where it is paid back within half an iteration, friendly for 2 % of the program",
     "greedy safe friendly"},
    {"XMPI_PAYBACK", XMPI_SETTING_AUTO_REAL, AT(payback), "auto", 0, 1e15,
     "of swap: iterations in which a change has to have paid for itself; auto: 0.5 where XMPI_SWAP "
     "is safe, else any number",
     NULL},
    {"XMPI_PROCESS_GAIN", XMPI_SETTING_AUTO_REAL, AT(process_gain), "auto", 0, 1e6,
     "of swap: share by which a process must become quicker; auto: 0.2 where XMPI_SWAP is safe, "
     "else 0",
     NULL},
    {"XMPI_APPLICATION_GAIN", XMPI_SETTING_AUTO_REAL, AT(application_gain), "auto", 0, 1e6,
     "of swap: share by which the program must become quicker; auto: 0.02 where XMPI_SWAP is "
     "friendly, else 0",
     NULL},
    {"XMPI_SWAPS", XMPI_SETTING_AUTO, AT(swaps), "auto", 1, 1e6,
     "of swap: most swaps at a time; auto: as many as gain", NULL},
    {"XMPI_SHARE", XMPI_SETTING_CHOICE, AT(share), "full", 0, 0,
     "of map and migrate, how many processes a node may have: as many as it has cores, or more "
     "where there are more processes than cores (full); or as many as its share of the cores, so "
     "that all have alike (even)",
     "full even"},
    {"XMPI_DIVISION", XMPI_SETTING_CHOICE, AT(division), "best", 0, 0,
     "how rows are divided among members whose memory, disks and speeds differ (the machine file "
     "says memory and disks): so that who is last is done as early as can be (best); equal blocks "
     "(blk); computation balanced, whatever is read from disks (bal); the least I/O, whatever is "
     "computed (ic); as many members as possible without I/O, then balanced (icbal)",
     "best blk bal ic icbal"},
    {"XMPI_WATCH_IDLE", XMPI_SETTING_CHOICE, AT(watch_idle), "auto", 0, 0,
     "whether parked processes, or members where nobody is parked, say now and then what their "
     "nodes are used for, by which the speed of processing elements without a member is known; "
     "auto: where the policy goes by it (swap, smp, hpmp, amp); agents: on, and nodes without a "
     "process of the program are seen by small ones that $XMPI_RSH (ssh) starts there",
     "auto off on agents"},
    {"XMPI_PROC", XMPI_SETTING_TEXT, AT(proc), "/proc", 0, 0,
     "folder with the file stat that says what a node is used for, or, where nodes have one each, "
     "with folders of their names",
     NULL},
    {"XMPI_NODE", XMPI_SETTING_TEXT, AT(node), "", 0, 0,
     "name of the node a process runs on; default: its host name", NULL},
    {"XMPI_SPENT", XMPI_SETTING_TEXT, AT(spent), "", 0, 0,
     "what the job had before it was started again, as xmpirun says it: node-seconds held, used, "
     "lost "
     "and given back, cost, and until when (seconds since 1970)",
     NULL},
    {"XMPI_COUNTER", XMPI_SETTING_TEXT, AT(counter), "auto", 0, 0,
     "what measures work: a list of PAPI events, of which the first that can be counted is taken, "
     "work (what is registered with the pragma), or auto: floating-point operations or "
     "instructions, "
     "or work where the processor counts none, or a hypervisor makes counting slow",
     NULL},
    {"XMPI_MEMORY", XMPI_SETTING_MIB, AT(memory), "0", 0, 1e9,
     "MiB of data that a processing element has room for: the policy amp keeps as many members as "
     "hold them; 0: not known",
     NULL},
    {"XMPI_MEMORY_LIMIT", XMPI_SETTING_MIB, AT(memory_limit), "0", 0, 1e9,
     "MiB of new storage that a member fills in a move before it gives old storage back, larger "
     "moves go in rounds; 0: by what the cgroup or the machine has left",
     NULL},
    {"XMPI_OOC_DIR", XMPI_SETTING_TEXT, AT(ooc_dir), "/var/tmp", 0, 0,
     "folder on a disk of each node, for arrays that are out of core: of outofcore(...) in a "
     "pragma "
     "or XMPI_Declare_out_of_core, where they do not fit in the memory that the machine file gives "
     "the node, else XMPI_MEMORY, else half of what the cgroup or the machine has left",
     NULL},
    {"XMPI_OOC_AHEAD", XMPI_SETTING_INTEGER, AT(ooc_ahead), "1", 0, 1,
     "0: arrays that are out of core are not read ahead of the loop, but for what the kernel does "
     "by itself: to see what reading ahead is worth",
     NULL},
    {"XMPI_MOVE", XMPI_SETTING_CHOICE, AT(move), "auto", 0, 0,
     "how data move: p2p messages, one alltoallv, one-sided rma; auto: direct copies between "
     "processes of a node, p2p between nodes",
     "auto p2p alltoallv rma"},
    {"XMPI_MOVE_BACKGROUND", XMPI_SETTING_REAL_MIB, AT(move_background), "16", 0, 1e9,
     "MiB of arrays that the loop only reads, or of a whole program, from which on they move while "
     "the program goes on iterating; 0: never",
     NULL},
    {"XMPI_CHECK", XMPI_SETTING_CHOICE, AT(check), "auto", 0, 0,
     "which changes are checked by running an iteration in the old and in the new layout: off, "
     "all, "
     "first (of each loop, the first that brings processes, the first that gives rows odd indices "
     "for even ones, and the first to each number of members), abort (all, and a difference ends "
     "the job); auto: as first, where that has no side effects and costs little; the first of all "
     "whatever it costs, where the loop relies on functions of other files",
     "auto off first all abort"},
    {"XMPI_CHECK_TOLERANCE", XMPI_SETTING_REAL, AT(check_tolerance), "0", 0, 1,
     "relative difference of floating-point values that a check takes for sums in another order; "
     "0: 4e-10 of double, 7e-5 of float",
     NULL},
    {"XMPI_CHECK_ROUNDING", XMPI_SETTING_CHOICE, AT(check_rounding), "nearest", 0, 0,
     "in which direction the program rounds: xmpirun --check has it rounded up and down to see "
     "what "
     "the program makes of other roundings",
     "nearest up down"},
    {"XMPI_TRACE", XMPI_SETTING_TEXT, AT(trace), "", 0, 0, "file for the trace (JSON lines)", NULL},
    {"XMPI_CONTROL", XMPI_SETTING_TEXT, AT(control), "on", 0, 0,
     "whether xmpictl can steer the job: on, off, or the path of the socket", NULL},
    {"XMPI_JOBS", XMPI_SETTING_TEXT, AT(jobs), "", 0, 0,
     "folder that all nodes share in which xmpictl, where it has the same setting, finds the jobs "
     "of a user from any node; only the user may be able to write into it",
     NULL},
    {"XMPI_TRACE_LIMIT", XMPI_SETTING_MIB, AT(trace_limit), "64", 1, 1e9,
     "MiB that the trace may have; events become rarer as it is approached", NULL},
    {"XMPI_FINGERPRINT", XMPI_SETTING_INTEGER, AT(fingerprint), "0", 0, 1,
     "1: write into the trace what the data are at the end of the loop, in a form that can be "
     "compared with that of other runs (xmpirun --check does)",
     NULL},
    {"XMPI_MATRIX", XMPI_SETTING_INTEGER, AT(matrix), "0", 0, 1,
     "1: write into the trace at the end of the loop who has sent how much to whom since its last "
     "change (while it runs, xmpictl matrix asks for that)",
     NULL},
    {"XMPI_CHECKPOINT", XMPI_SETTING_TEXT, AT(checkpoint), "", 0, 0,
     "folder for checkpoints of the loop's data, from which the program can go on with any number "
     "of processes (XMPI_RESTART)",
     NULL},
    {"XMPI_CHECKPOINT_INTERVAL", XMPI_SETTING_AUTO_REAL, AT(checkpoint_interval), "auto", 0, 1e9,
     "seconds from one checkpoint to the next; auto: by what they cost and XMPI_MTBF", NULL},
    {"XMPI_CHECKPOINT_KEEP", XMPI_SETTING_INTEGER, AT(checkpoint_keep), "2", 1, 1e6,
     "how many checkpoints are kept, the newest ones of each loop", NULL},
    {"XMPI_MTBF", XMPI_SETTING_REAL, AT(mtbf), "86400", 1, 1e12,
     "seconds from one failure that ends the job to the next, on average", NULL},
    {"XMPI_RESTART", XMPI_SETTING_INTEGER, AT(restart), "0", 0, 2,
     "1: the loop goes on from the newest checkpoint in XMPI_CHECKPOINT that can be taken, where "
     "there is one; 2: also where the program's start makes another value of what the loop only "
     "reads, and with that value; 1 by itself in a job that Slurm has put back into its queue",
     NULL},
    {"XMPI_CALIBRATION", XMPI_SETTING_TEXT, AT(calibration), "", 0, 0,
     "file that xmpi-calibrate wrote; default: xmpi/calibration.json in the cache of the user",
     NULL},
    {"XMPI_PROFILE", XMPI_SETTING_TEXT, AT(profile), "", 0, 0,
     "profile of the program that an earlier run recorded: for predictions, where it is irregular, "
     "and for the first layout of its loop, which begins balanced on nodes whose classes it knows",
     NULL},
    {"XMPI_RECORD", XMPI_SETTING_TEXT, AT(record), "", 0, 0,
     "file for the profile of the program: its work by iteration, how quick each class is in it, "
     "and what rows weigh where that was learnt",
     NULL},
    {"XMPI_SUMMARY", XMPI_SETTING_INTEGER, AT(summary), "0", 0, 1,
     "1: write to stderr at the end of the loop how good the predictions were", NULL},
    {"XMPI_DEBUG", XMPI_SETTING_INTEGER, AT(debug), "0", 0, 1,
     "1: compare the collective operations that XMPI itself makes before each of them, and end the "
     "job with a line where processes differ; for whoever works on XMPI",
     NULL},
};

/* What xmpicc and xmpictl read, when a shell exports it for builds and runs alike. */
static const char *const compiler_names[] = {"XMPI_MPICC", "XMPI_MPICXX", "XMPI_MPIFORT",
                                             "XMPI_REWRITE", "XMPI_RSH"};

__attribute__((constructor)) static void describe_policies(void)
{
    snprintf(policy_help, sizeof policy_help, "what decides on changes: off");
    for (int i = 0; xmpi_policy_at(i) != NULL; i++) {
        size_t used = strlen(policy_help);
        snprintf(policy_help + used, sizeof policy_help - used, "; %s: %s", xmpi_policy_at(i)->name,
                 xmpi_policy_at(i)->help);
    }
}

const xmpi_setting_t *xmpi_settings_table(size_t *length)
{
    *length = sizeof table / sizeof *table;
    return table;
}

static const char *lookup(char *const *env, const char *name)
{
    size_t length = strlen(name);
    for (; *env != NULL; env++)
        if (strncmp(*env, name, length) == 0 && (*env)[length] == '=')
            return *env + length + 1;
    return NULL;
}

static xmpi_status_t set_text(const xmpi_setting_t *setting, const char *value, char *to,
                              xmpi_error_t *error)
{
    if (strlen(value) >= XMPI_TEXT_MAX)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s: longer than %d characters", setting->name,
                              XMPI_TEXT_MAX - 1);
    strcpy(to, value);
    return XMPI_OK;
}

static xmpi_status_t set_size(const xmpi_setting_t *setting, const char *value, void *to,
                              xmpi_error_t *error)
{
    bool integer = setting->type == XMPI_SETTING_MIB;
    double mib;
    if (!xmpi_size_parse(value, &mib) || (integer && mib != floor(mib)) ||
        !(mib >= setting->least) || !(mib <= setting->most))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s=%.64s: must be %s number of MiB from %.10g to %.10g, or of what "
                              "stands behind it: 512, 512M or 4G",
                              setting->name, value, integer ? "a whole" : "a", setting->least,
                              setting->most);
    if (integer)
        *(int64_t *)to = (int64_t)mib;
    else
        *(double *)to = mib;
    return XMPI_OK;
}

static xmpi_status_t set_number(const xmpi_setting_t *setting, const char *value, void *to,
                                xmpi_error_t *error)
{
    char *end;
    int automatic = setting->type == XMPI_SETTING_AUTO || setting->type == XMPI_SETTING_AUTO_REAL;
    int integer = setting->type == XMPI_SETTING_AUTO || setting->type == XMPI_SETTING_INTEGER;
    if (automatic && strcmp(value, "auto") == 0) {
        if (integer)
            *(int64_t *)to = 0;
        else
            *(double *)to = -1;
        return XMPI_OK;
    }
    errno = 0;
    long long whole = integer ? strtoll(value, &end, 10) : 0;
    double real = integer ? (double)whole : strtod(value, &end);
    if (*value == '\0' || *end != '\0' || errno != 0 || !(real >= setting->least) ||
        !(real <= setting->most))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%s=%.64s: must be %s%s number from %.10g to %.10g", setting->name,
                              value, automatic ? "auto or " : "", integer ? "a whole" : "a",
                              setting->least, setting->most);
    if (integer)
        *(int64_t *)to = whole;
    else
        *(double *)to = real;
    return XMPI_OK;
}

/* "auto spawn pool" as "auto, spawn or pool". */
static void list_choices(const char *choices, char *text, size_t room)
{
    size_t used = 0;
    text[0] = '\0';
    while (*choices != '\0' && used < room) {
        int length = (int)strcspn(choices, " ");
        const char *next = choices + length + (choices[length] == ' ');
        const char *between = used == 0 ? "" : *next == '\0' ? " or " : ", ";
        used += (size_t)snprintf(text + used, room - used, "%s%.*s", between, length, choices);
        choices = next;
    }
}

/* Choices are numbered in their order, as the enumeration is that they stand for. */
static xmpi_status_t set_choice(const xmpi_setting_t *setting, const char *value, int *to,
                                xmpi_error_t *error)
{
    char all[128];
    size_t length = strlen(value);
    const char *choice = setting->choices;
    for (int i = 0; *choice != '\0'; i++) {
        size_t end = strcspn(choice, " ");
        if (end == length && strncmp(choice, value, length) == 0) {
            *to = i;
            return XMPI_OK;
        }
        choice += end + (choice[end] == ' ');
    }
    list_choices(setting->choices, all, sizeof all);
    return xmpi_error_set(error, XMPI_ERR_INPUT, "%s=%.64s: must be %s", setting->name, value, all);
}

static xmpi_status_t set(const xmpi_setting_t *setting, const char *value,
                         xmpi_settings_t *settings, xmpi_error_t *error)
{
    void *to = (char *)settings + setting->offset;
    return setting->type == XMPI_SETTING_TEXT     ? set_text(setting, value, to, error)
           : setting->type == XMPI_SETTING_CHOICE ? set_choice(setting, value, to, error)
           : setting->type == XMPI_SETTING_MIB || setting->type == XMPI_SETTING_REAL_MIB
               ? set_size(setting, value, to, error)
               : set_number(setting, value, to, error);
}

/* What depends on more than one value. */
static xmpi_status_t check_together(xmpi_settings_t *settings, xmpi_error_t *error)
{
    const xmpi_policy_t *policy = xmpi_policy_find(settings->policy);
    unsigned needs = policy != NULL ? policy->needs : 0;
    if (policy == NULL && strcmp(settings->policy, "off") != 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "XMPI_POLICY=%.64s: must be one of %s",
                              settings->policy, xmpi_policy_names());
    if ((needs & XMPI_OF_SCHEDULE) != 0 && settings->schedule[0] == '\0')
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "XMPI_POLICY=%s needs a file: set XMPI_SCHEDULE=FILE", policy->name);
    xmpi_status_t status = xmpi_goal_parse(settings->goal_text, time(NULL), &settings->goal, error);
    if (status == XMPI_OK && (needs & XMPI_OF_GOAL) != 0 && settings->goal.kind == XMPI_GOAL_NONE)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "XMPI_POLICY=%s needs a goal: set XMPI_GOAL, to 10m or 30%% say",
                              policy->name);
    if (status == XMPI_OK && (needs & XMPI_OF_TRAFFIC) != 0 && xmpi_scotch(error) == NULL)
        status = XMPI_ERR_INPUT; /* nor this */
    if (status == XMPI_OK && (needs & XMPI_OF_GLPK) != 0 && xmpi_glpk(error) == NULL)
        status = XMPI_ERR_INPUT; /* it may not be installed */
    return status;
}

/* Where this process was before anything of the program ran. */
static char started_in[XMPI_TEXT_MAX];

__attribute__((constructor)) static void note_folder(void)
{
    if (getcwd(started_in, sizeof started_in) == NULL)
        started_in[0] = '\0';
}

void xmpi_settings_path(const xmpi_settings_t *settings, const char *name, char path[XMPI_PATH_MAX])
{
    char here[XMPI_TEXT_MAX];
    bool leads_there = name[0] == '\0' || name[0] == '/' || settings->folder[0] == '\0' ||
                       (getcwd(here, sizeof here) != NULL && strcmp(here, settings->folder) == 0);
    int length = leads_there ? -1 : snprintf(path, XMPI_PATH_MAX, "%s/%s", settings->folder, name);
    if (length < 0 || length >= XMPI_PATH_MAX)
        snprintf(path, XMPI_PATH_MAX, "%s", name);
}

xmpi_status_t xmpi_settings_read(char *const *env, xmpi_settings_t *settings, xmpi_error_t *error)
{
    memset(settings, 0, sizeof *settings);
    strcpy(settings->folder, started_in);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const char *value = lookup(env, table[i].name);
        xmpi_status_t status =
            set(&table[i], value != NULL ? value : table[i].standard, settings, error);
        if (value != NULL)
            xmpi_mark(&settings->given, (int)i);
        if (status != XMPI_OK)
            return status;
    }
    return check_together(settings, error);
}

/* What "auto" came to was chosen once, when the job began. */
static void keep_choices(const xmpi_settings_t *settings, xmpi_settings_t *next)
{
    next->backend = settings->backend;
    next->strategy = settings->strategy;
}

/* Place in the table, or -1. */
static int find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return (int)i;
    return -1;
}

int xmpi_settings_given(const xmpi_settings_t *settings, const char *name)
{
    int i = find(name);
    return i >= 0 && xmpi_is_marked(&settings->given, i);
}

xmpi_status_t xmpi_settings_change(xmpi_settings_t *settings, const char *name, const char *value,
                                   xmpi_error_t *error)
{
    xmpi_settings_t next = *settings;
    int i = find(name);
    xmpi_status_t status =
        i >= 0 ? set(&table[i], value, &next, error)
               : xmpi_error_set(error, XMPI_ERR_INPUT, "there is no setting %.64s", name);
    if (status == XMPI_OK)
        status = check_together(&next, error);
    if (i >= 0)
        xmpi_mark(&next.given, i);
    if (status != XMPI_OK)
        return status;
    keep_choices(settings, &next);
    *settings = next;
    return XMPI_OK;
}

/* --- the pragma of a loop -----------------------------------------------------------------------
 */

_Static_assert(sizeof table / sizeof *table <= XMPI_MARKS_MAX, "there is a mark for each setting");

/* What the user has not set was as by default before a pragma said something else. */
static xmpi_status_t restore(xmpi_settings_t *settings, xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    for (int i = 0; i < (int)(sizeof table / sizeof *table) && status == XMPI_OK; i++)
        if (xmpi_is_marked(&settings->by_pragma, i) && !xmpi_is_marked(&settings->given, i))
            status = set(&table[i], table[i].standard, settings, error);
    settings->by_pragma = (xmpi_marks_t){0};
    return status;
}

/* NAME, or NAME=VALUE, as in the pragma; without a name it is the policy. */
static xmpi_status_t set_word(char *word, xmpi_settings_t *settings, xmpi_error_t *error)
{
    char name[64] = "XMPI_POLICY", *value = strchr(word, '=');
    if (value != NULL)
        snprintf(name, sizeof name, "XMPI_%.*s", (int)(value - word), word);
    for (char *c = name; *c != '\0'; c++)
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
    int i = find(name);
    if (i < 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "there is no setting %.64s", name);
    if (xmpi_settings_given(settings, name))
        return XMPI_OK;
    xmpi_mark(&settings->by_pragma, i);
    return set(&table[i], value != NULL ? value + 1 : word, settings, error);
}

xmpi_status_t xmpi_settings_of_loop(xmpi_settings_t *settings, const char *clause,
                                    xmpi_error_t *error)
{
    xmpi_settings_t next = *settings;
    char words[XMPI_TEXT_MAX], *rest = NULL;
    xmpi_status_t status = restore(&next, error);
    snprintf(words, sizeof words, "%s", clause != NULL ? clause : "");
    for (char *word = strtok_r(words, " ", &rest); word != NULL && status == XMPI_OK;
         word = strtok_r(NULL, " ", &rest))
        status = set_word(word, &next, error);
    if (status == XMPI_OK)
        status = check_together(&next, error);
    if (status != XMPI_OK)
        return status;
    keep_choices(settings, &next);
    *settings = next;
    return XMPI_OK;
}

/* --- what is none of ours ------------------------------------------------------------------------
 */

static int is_name(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

static int is_known(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (is_name(table[i].name, text, length))
            return 1;
    for (size_t i = 0; i < sizeof compiler_names / sizeof *compiler_names; i++)
        if (is_name(compiler_names[i], text, length))
            return 1;
    return 0;
}

void xmpi_settings_warn_unknown(char *const *env, FILE *file)
{
    for (; *env != NULL; env++) {
        size_t length = strcspn(*env, "=");
        if (strncmp(*env, "XMPI_", 5) == 0 && !is_known(*env, length))
            fprintf(file, "xmpi: warning: unknown setting %.*s is ignored\n", (int)length, *env);
    }
}
