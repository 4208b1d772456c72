/* SPDX-License-Identifier: BSD-3-Clause
 * The values of a scenario. */
#include "simulate/scenario/values.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef enum { WHOLE, REAL, CHOICE, TEXT } type_t;

typedef struct {
    const char *key;
    type_t type;
    size_t offset;
    const char *standard;
    double least, most;
    const char *help, *choices;
} entry_t;

#define AT(member) offsetof(sim_values_t, member)

static const entry_t table[] = {
    {"nodes", WHOLE, AT(nodes), "32", 1, 1e6, "nodes of the platform", NULL},
    {"cores", WHOLE, AT(cores), "1", 1, 1024, "processing elements of a node", NULL},
    {"speed", REAL, AT(speed), "100", 1e-9, 1e18,
     "units of work that a processing element does in a second", NULL},
    {"speed.most", REAL, AT(speed_most), "0", 0, 1e18,
     "where it is more than speed: nodes have speeds from that to this, drawn by the seed", NULL},
    {"speed.levels", WHOLE, AT(levels), "16", 2, 64,
     "so many speeds there are then, evenly apart: each is a class", NULL},
    {"memory", REAL, AT(memory), "0", 0, 1e18,
     "bytes of a node that rows may take, of all members there together: rows of a member that do "
     "not fit are read and written in each iteration; 0: all fit",
     NULL},
    {"memory.most", REAL, AT(memory_most), "0", 0, 1e18,
     "where it is more than memory: nodes have from that to this, drawn by the seed", NULL},
    {"disk.bandwidth", REAL, AT(disk_bandwidth), "1e8", 1, 1e15,
     "bytes per second of the disk of a node", NULL},
    {"disk.latency", REAL, AT(disk_latency), "5e-3", 0, 60, "seconds of an access of it", NULL},
    {"cost", REAL, AT(cost), "0", 0, 1e9, "of a processing element, per hour and unit of speed",
     NULL},
    {"network", CHOICE, AT(network), "shared", 0, 0,
     "one link that all messages share, or a link of each node to a switch", "shared switched"},
    {"bandwidth", REAL, AT(bandwidth), "6e6", 1, 1e15, "bytes per second of a link", NULL},
    {"latency", REAL, AT(latency), "1e-4", 1e-9, 60, "seconds from node to node", NULL},
    {"platform", TEXT, AT(platform_file), "", 0, 0,
     "a platform file of SimGrid's (XML), whose hosts are the nodes: nodes, cores, speeds (in "
     "flop/s) and the network are as it says, whatever lines there are",
     NULL},
    {"active", WHOLE, AT(active), "4", 1, 1e6, "processes that compute at first", NULL},
    {"spares", WHOLE, AT(spares), "-1", -1, 1e6,
     "processes that wait to be called; -1: one on each processing element that is left", NULL},
    {"start", CHOICE, AT(start), "fastest", 0, 0,
     "processes begin on the processing elements that are the fastest at the start, or on the "
     "first ones",
     "fastest order"},
    {"iterations", WHOLE, AT(iterations), "100", 1, 1e9, "of the loop", NULL},
    {"rows", WHOLE, AT(rows), "1000", 1, 1e12, "of the domain", NULL},
    {"work", REAL, AT(work), "24000", 1e-9, 1e18, "units of an iteration, all rows together", NULL},
    {"pattern", CHOICE, AT(pattern), "halo", 0, 0,
     "to whom a process sends a message in each iteration: nobody, its neighbours, the next one, "
     "all others",
     "none halo ring all"},
    {"bytes", REAL, AT(bytes), "1e3", 0, 1e15, "of such a message", NULL},
    {"sums", REAL, AT(sums), "0", 0, 1e6,
     "operations of an iteration in which all get a sum of what all have (MPI_Allreduce and what "
     "is like it)",
     NULL},
    {"sums.bytes", REAL, AT(sum_bytes), "8", 0, 1e15, "of such a sum", NULL},
    {"gathers", REAL, AT(gathers), "0", 0, 1e6,
     "operations of an iteration in which all get the rows of all (MPI_Allgatherv and what is like "
     "it)",
     NULL},
    {"gathers.bytes", REAL, AT(gather_bytes), "1e3", 0, 1e15, "of all rows together in one", NULL},
    {"state", REAL, AT(state), "1e6", 0, 1e15,
     "bytes of the rows of a process, where they are divided evenly", NULL},
    {"from", TEXT, AT(from), "", 0, 0,
     "a trace of a run (XMPI_TRACE): active, iterations, rows, work, pattern, bytes, sums, gathers "
     "and state that have no line are those of its program",
     NULL},
    {"from.speed", REAL, AT(from_speed), "0", 0, 1e18,
     "speed of the processing element on which that program was fastest; 0: as speed", NULL},
    {"profile", TEXT, AT(profile_file), "", 0, 0,
     "a profile of a run (XMPI_RECORD): how the work goes over iterations, and parts of the "
     "domain; work, in its units, and iterations, where these have no line",
     NULL},
    {"startup", REAL, AT(startup), "0", 0, 3600, "seconds in which MPI starts a process", NULL},
    {"wake", REAL, AT(wake), "1e-3", 0, 3600, "seconds in which a spare is called", NULL},
    {"look", REAL, AT(look), "0", 0, 1,
     "seconds that a spare computes to say what its node is used for: it says so as seldom as is a "
     "ten-thousandth of a core; 0: at the end of each interval",
     NULL},
    {"load", CHOICE, AT(load), "none", 0, 0,
     "what others want of the processing elements: nothing, sources that are on or off, jobs, or "
     "as load.file says",
     "none onoff jobs file"},
    {"load.scale", REAL, AT(load_scale), "1", 1e-9, 1e9,
     "all times of loads are so many times as long as is said", NULL},
    {"load.sources", WHOLE, AT(load_sources), "1", 1, 1000, "of onoff: sources on each node", NULL},
    {"load.step", REAL, AT(load_step), "60", 1e-6, 1e12, "of onoff: seconds of a step", NULL},
    {"load.start", REAL, AT(load_start), "0.08", 0, 1,
     "of onoff: probability that a source which is off goes on in a step", NULL},
    {"load.stop", REAL, AT(load_stop), "0.3", 0, 1,
     "of onoff: probability that one which is on goes off", NULL},
    {"load.between", REAL, AT(load_between), "60", 1e-6, 1e12,
     "of jobs: mean seconds from one to the next on a node", NULL},
    {"load.mean", REAL, AT(load_mean), "30", 0, 1e12, "of jobs: mean seconds that they last", NULL},
    {"load.share", REAL, AT(load_share), "0.25", 1e-9, 1,
     "of jobs: share of those that last at all", NULL},
    {"load.file", TEXT, AT(load_file), "", 0, 0,
     "recorded loads: lines of WHENs NODE load=N, from when on so many others want each processing "
     "element of the node; nodes are n0, n1, ...",
     NULL},
    {"jobs", WHOLE, AT(jobs), "0", 0, 1e6,
     "jobs of a workload, in place of one program: generated ones, or the first ones of jobs.file",
     NULL},
    {"jobs.file", TEXT, AT(jobs_file), "", 0, 0,
     "a workload in the Standard Workload Format; jobs 0: all that ran", NULL},
    {"jobs.load", REAL, AT(jobs_load), "0", 0, 100,
     "where it is more than 0: the times between jobs are scaled until their work is this share of "
     "what all processing elements could do from the first to the last",
     NULL},
    {"jobs.estimate", REAL, AT(jobs_estimate), "1", 1, 1000,
     "seconds that users ask for, where the file does not say it, by those that the job takes",
     NULL},
    {"jobs.due", REAL, AT(jobs_due), "3", 1, 1e6,
     "a job is late when it takes longer, from its submission on, than so many times what it takes "
     "on the processing elements that it asks for, ...",
     NULL},
    {"jobs.grace", REAL, AT(jobs_grace), "60", 0, 1e12, "... and so many seconds", NULL},
    {"jobs.moldable", REAL, AT(jobs_moldable), "0", 0, 1,
     "share of jobs that can be started with other numbers of processing elements", NULL},
    {"jobs.malleable", REAL, AT(jobs_malleable), "0", 0, 1,
     "share of jobs that can also change them as they go on", NULL},
    {"jobs.least", REAL, AT(jobs_least), "0.25", 0, 1,
     "of these jobs: the fewest processing elements, by what is asked for", NULL},
    {"jobs.most", REAL, AT(jobs_most), "2", 1, 1e6,
     "of malleable jobs: the most, by what is asked for", NULL},
    {"jobs.iteration", REAL, AT(jobs_iteration), "10", 1e-3, 1e6,
     "seconds of an iteration of a job, on the processing elements that it asks for", NULL},
    {"jobs.communication", REAL, AT(jobs_communication), "0.05", 0, 0.99,
     "share of these that is messages to neighbours, which more processing elements do not make "
     "shorter",
     NULL},
    {"power.busy", REAL, AT(power_busy), "10", 0, 1e6,
     "watts of a processing element that a job has", NULL},
    {"gang.jobs", WHOLE, AT(gang_jobs), "0", 0, 1e5,
     "jobs of a gang scheduler, in place of one program", NULL},
    {"gang.seconds", REAL, AT(gang_seconds), "200", 1e-9, 1e12,
     "of computation of such a job, on one processing element", NULL},
    {"gang.parallel", REAL, AT(gang_parallel), "0.65", 0, 1,
     "the least share of them that is divided ...", NULL},
    {"gang.parallel.most", REAL, AT(gang_parallel_most), "0.9", 0, 1,
     "... and the largest; each job has one in between, drawn by the seed", NULL},
    {"gang.critical", REAL, AT(gang_critical), "1", 0, 1e3,
     "the largest number of processing elements that a job needs for its data to fit into memory, "
     "by those that there are; each job has one from 1 on, rounded up to a power of two",
     NULL},
    {"gang.iterations", WHOLE, AT(gang_iterations), "100", 1, 1e9,
     "of such a job: what does not fit is read in each", NULL},
    {"gang.read", REAL, AT(gang_read), "2", 0, 1e12, "seconds in which a piece is read", NULL},
    {"gang.slice", REAL, AT(gang_slice), "20", 1e-6, 1e12, "seconds of a row of the trace matrix",
     NULL},
    {"gang.switch", REAL, AT(gang_switch), "0", 0, 1e12,
     "seconds of a slice that are lost as jobs change", NULL},
    {"gang.reload", REAL, AT(gang_reload), "0", 0, 1e12,
     "seconds more of a slice that a job loses which is in several rows, but did not run in the "
     "slice before: it restores its state and loads what it needs",
     NULL},
    {"power.idle", REAL, AT(power_idle), "5", 0, 1e6, "watts of one that none has", NULL},
};

enum { KEYS = sizeof table / sizeof *table };

static const entry_t *find(const char *key)
{
    for (int i = 0; i < KEYS; i++)
        if (strcmp(table[i].key, key) == 0)
            return &table[i];
    return NULL;
}

_Static_assert((int)KEYS <= (int)SIM_KEYS_MAX, "all keys have a number");

int sim_values_find(const char *key)
{
    const entry_t *entry = find(key);
    return entry != NULL ? (int)(entry - table) : -1;
}

static xmpi_status_t set_number(sim_values_t *values, const entry_t *key, const char *text,
                                xmpi_error_t *error)
{
    char *end;
    double number = strtod(text, &end);
    bool whole = key->type == WHOLE;
    if (end == text || *end != '\0' || !(number >= key->least && number <= key->most) ||
        (whole && number != floor(number)))
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s %.64s: must be a %snumber from %g to %g",
                              key->key, text, whole ? "whole " : "", key->least, key->most);
    if (whole)
        *(int64_t *)((char *)values + key->offset) = (int64_t)number;
    else
        *(double *)((char *)values + key->offset) = number;
    return XMPI_OK;
}

void sim_values_set_number(sim_values_t *values, const char *name, double number)
{
    const entry_t *key = find(name);
    number = fmin(fmax(number, key->least), key->most);
    if (key->type == WHOLE)
        *(int64_t *)((char *)values + key->offset) = (int64_t)number;
    else if (key->type == REAL)
        *(double *)((char *)values + key->offset) = number;
}

static xmpi_status_t set_choice(sim_values_t *values, const entry_t *key, const char *text,
                                xmpi_error_t *error)
{
    int number = 0;
    size_t length = strlen(text);
    for (const char *at = key->choices; *at != '\0'; number++) {
        size_t word = strcspn(at, " ");
        if (word == length && strncmp(at, text, word) == 0) {
            *(int *)((char *)values + key->offset) = number;
            return XMPI_OK;
        }
        at += word + (at[word] == ' ');
    }
    return xmpi_error_set(error, XMPI_ERR_INPUT, "%s %.64s: must be one of %s", key->key, text,
                          key->choices);
}

xmpi_status_t sim_values_set(sim_values_t *values, const char *name, const char *value,
                             xmpi_error_t *error)
{
    const entry_t *key = find(name);
    if (key == NULL)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "there is no key %.64s", name);
    if (key->type == CHOICE)
        return set_choice(values, key, value, error);
    if (key->type != TEXT)
        return set_number(values, key, value, error);
    if (strlen(value) >= SIM_TEXT_MAX)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "%s: longer than %d bytes", name,
                              SIM_TEXT_MAX - 1);
    strcpy((char *)values + key->offset, value);
    return XMPI_OK;
}

void sim_values_standard(sim_values_t *values)
{
    xmpi_error_t error;
    memset(values, 0, sizeof *values);
    for (int i = 0; i < KEYS; i++)
        sim_values_set(values, table[i].key, table[i].standard, &error);
}

bool sim_values_have_jobs(const sim_values_t *values)
{
    return values->jobs > 0 || values->jobs_file[0] != '\0';
}

bool sim_values_name_file(const char *key)
{
    const entry_t *entry = find(key);
    return entry != NULL && entry->type == TEXT;
}

bool sim_values_have_gangs(const sim_values_t *values)
{
    return values->gang_jobs > 0;
}

static xmpi_status_t check_gangs(const sim_values_t *v, xmpi_error_t *error)
{
    if (sim_values_have_jobs(v))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "jobs are of a workload or of a gang scheduler");
    if (v->gang_switch + v->gang_reload >= v->gang_slice)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "gang.switch and gang.reload leave nothing of gang.slice");
    if (v->gang_parallel_most < v->gang_parallel)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "gang.parallel.most is below gang.parallel");
    return XMPI_OK;
}

static xmpi_status_t check_jobs(const sim_values_t *v, xmpi_error_t *error)
{
    if (v->jobs_moldable + v->jobs_malleable > 1)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "jobs.moldable and jobs.malleable are more than all jobs");
    if (v->speed_most > v->speed)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "speed.most: the processing elements of a workload are alike");
    if (v->load != SIM_LOAD_NONE)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "load: there are no loads beside a workload (load none)");
    if (v->network != SIM_NETWORK_SWITCHED)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "network: that of a workload is switched (network switched)");
    return XMPI_OK;
}

xmpi_status_t sim_values_check(const sim_values_t *v, xmpi_error_t *error)
{
    int64_t pes = v->nodes * v->cores;
    if (pes > 1000000)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "more than a million processing elements");
    if (v->platform_file[0] != '\0' && (sim_values_have_gangs(v) || sim_values_have_jobs(v)))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "platform is for one program, and there are "
                              "jobs");
    if (v->memory_most > 0 && v->memory <= 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "memory.most needs memory");
    if (v->memory > 0 && (sim_values_have_gangs(v) || sim_values_have_jobs(v)))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "memory is of one program's nodes, and there are jobs");
    bool recorded = v->from[0] != '\0' || v->profile_file[0] != '\0';
    if (recorded && (sim_values_have_gangs(v) || sim_values_have_jobs(v)))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "from and profile are of one program, and there are jobs");
    if (sim_values_have_gangs(v))
        return check_gangs(v, error);
    if (sim_values_have_jobs(v))
        return check_jobs(v, error);
    if (v->active > pes || (v->spares >= 0 && v->active + v->spares > pes))
        return xmpi_error_set(
            error, XMPI_ERR_INPUT,
            "%lld processes and %lld spares do not fit on %lld processing elements",
            (long long)v->active, (long long)(v->spares > 0 ? v->spares : 0), (long long)pes);
    if (v->rows < v->active)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "fewer rows than processes");
    if (v->load == SIM_LOAD_FILE && v->load_file[0] == '\0')
        return xmpi_error_set(error, XMPI_ERR_INPUT, "load file needs load.file");
    return XMPI_OK;
}

void sim_values_page(FILE *file)
{
    fprintf(file, "| key | default | |\n|---|---|---|\n");
    for (int i = 0; i < KEYS; i++) {
        fprintf(file, "| `%s` | %s | %s", table[i].key, table[i].standard, table[i].help);
        if (table[i].choices != NULL)
            fprintf(file, " (`%s`)", table[i].choices);
        fprintf(file, " |\n");
    }
}
