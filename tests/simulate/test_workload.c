/* SPDX-License-Identifier: BSD-3-Clause
 * Workloads: EASY beside one that looks at every second, malleable jobs that can be calculated by
 * hand, the model of Lublin and Feitelson beside its parameters, and files that are none. */
#define _GNU_SOURCE
#include "support/shell.h"

#include <math.h>
#include <stdbool.h>
#include <unistd.h>

enum { PES = 16, JOBS_MOST = 120, WORKLOADS = 12 };

typedef struct {
    int submitted, seconds, requested, pes;
    int started; /* by us; -1: not yet */
} job_t;

static const char machine[] = "nodes 16\nnetwork switched\nbandwidth 1e9\nlatency 1e-5\nwake 0\n"
                              "jobs.file jobs\n";

static void write_in(const char *name, const char *text)
{
    char *path = NULL;
    assert_true(asprintf(&path, "%s/%s", dir, name) >= 0);
    write_file(path, text);
    free(path);
}

static void write_scenario(const char *more)
{
    char text[2048];
    snprintf(text, sizeof text, "%s%s", machine, more);
    write_in("scenario", text);
}

static void write_jobs(const job_t *job, int jobs)
{
    char *text = calloc((size_t)jobs + 2, 128), *at = text;
    assert_non_null(text);
    at += sprintf(at, "; a comment\n");
    for (int i = 0; i < jobs; i++)
        at += sprintf(at, "%d %d -1 %d %d -1 -1 %d %d -1 1 1 1 1 1 -1 -1 -1\n", i + 1,
                      job[i].submitted, job[i].seconds, job[i].pes, job[i].pes, job[i].requested);
    write_in("jobs", text);
    free(text);
}

/* The field (from 1) of each job in the file "out". */
static void read_out(const char *line, int field, int jobs, double *value)
{
    char command[512];
    snprintf(command, sizeof command, "%s && grep -v '^;' out | sort -n | awk '{ print $%d }'",
             line, field);
    char *out = sh_line(command), *at = out;
    for (int i = 0; i < jobs; i++)
        value[i] = strtod(at, &at);
    free(out);
}

/* --- EASY --------------------------------------------------------------------------------------
 */

/* Processing elements that are free at THEN, of which at NOW, no later, is only known what has
 * ended already, and what users say. */
static int free_at(const job_t *job, int jobs, int now, int then)
{
    int free_then = PES;
    for (int i = 0; i < jobs; i++)
        if (job[i].started >= 0 && now < job[i].started + job[i].seconds &&
            then < job[i].started + job[i].requested)
            free_then -= job[i].pes;
    return free_then;
}

/* All that can start at NOW. */
static void start_at(job_t *job, int jobs, int now)
{
    int first = -1, shadow = now, extra = 0;
    for (int i = 0; i < jobs; i++) {
        if (job[i].started >= 0 || job[i].submitted > now)
            continue;
        int free_now = free_at(job, jobs, now, now);
        if (first < 0 && job[i].pes <= free_now) {
            job[i].started = now;
        } else if (first < 0) {
            first = i;
            while (free_at(job, jobs, now, shadow) < job[i].pes)
                shadow++;
            extra = free_at(job, jobs, now, shadow) - job[i].pes;
        } else if (job[i].pes <= free_now &&
                   (now + job[i].requested <= shadow || job[i].pes <= extra)) {
            job[i].started = now;
            extra -= now + job[i].requested > shadow ? job[i].pes : 0;
        }
    }
}

/* Second by second. */
static void simple_easy(job_t *job, int jobs)
{
    int left = jobs;
    for (int i = 0; i < jobs; i++)
        job[i].started = -1;
    for (int now = 0; left > 0; now++) {
        start_at(job, jobs, now);
        left = 0;
        for (int i = 0; i < jobs; i++)
            left += job[i].started < 0;
    }
}

static int draw_jobs(job_t *job)
{
    int jobs = 1 + rand() % JOBS_MOST, now = 0;
    for (int i = 0; i < jobs; i++) {
        now += rand() % 3 == 0 ? rand() % 30 : 0;
        job[i] = (job_t){.submitted = now, .seconds = 1 + rand() % 40, .pes = 1 + rand() % 8};
        if (rand() % 4 == 0)
            job[i].pes = 1 + rand() % PES;
        job[i].requested = job[i].seconds + (rand() % 2 == 0 ? 0 : rand() % 60);
    }
    return jobs;
}

/* Jobs that could change, but are not asked to, and an aim that nobody can follow, change nothing.
 */
static void rigid_jobs_are_scheduled_by_easy(void **state)
{
    static const char *const ways[] = {"technique easy\n", "jobs.malleable 1\ntechnique easy\n",
                                       "technique equal aim=equal\n",
                                       "technique energy aim=energy\n"};
    (void)state;
    srand(1);
    for (int w = 0; w < WORKLOADS; w++) {
        job_t job[JOBS_MOST];
        double waited[JOBS_MOST];
        int jobs = draw_jobs(job);
        simple_easy(job, jobs);
        write_jobs(job, jobs);
        write_scenario(ways[w % 4]);
        read_out("xmpi-simulate -q --schedule out scenario", 3, jobs, waited);
        for (int i = 0; i < jobs; i++)
            if (fabs(job[i].started - job[i].submitted - waited[i]) > 1e-9)
                fail_msg("workload %d, job %d of %d: %g s instead of %d s", w, i + 1, jobs,
                         waited[i], job[i].started - job[i].submitted);
    }
}

/* --- malleable jobs ----------------------------------------------------------------------------
 */

static const char alike[] = "jobs.communication 0\nstate 0\n";

static void assert_seconds(int field, const char *words, int jobs, const double *expected)
{
    double value[8];
    char more[512];
    snprintf(more, sizeof more, "%s%s", alike, words);
    write_scenario(more);
    /* With this seed the first of two jobs is among half of them, and the second is not. */
    read_out("xmpi-simulate -q -s 2 --schedule out scenario", field, jobs, value);
    for (int i = 0; i < jobs; i++)
        if (!(fabs(value[i] - expected[i]) < 0.01))
            fail_msg("%s, job %d: %g instead of %g", words, i + 1, value[i], expected[i]);
}

/* Its leader can say something after an iteration of 10 s; it changes at the end of the next one,
 * and is twice as fast for the 80 s that are left. */
static void a_job_takes_what_is_free(void **state)
{
    const job_t job = {.seconds = 100, .requested = 100, .pes = 4};
    (void)state;
    write_jobs(&job, 1);
    assert_seconds(4, "jobs.malleable 1\ntechnique use aim=use\n", 1, (double[]){60});
    assert_seconds(4, "jobs.malleable 1\njobs.most 1\ntechnique use aim=use\n", 1, (double[]){100});
    assert_seconds(4, "jobs.malleable 1\ntechnique late aim=late\n", 1, (double[]){60});
    assert_seconds(4, "jobs.malleable 1\ntechnique easy\n", 1, (double[]){100});
}

/* The first has all 16. At 35 s somebody comes who needs 12, of which it can give 12: it does so at
 * 40 s, when 60 s of work are left, of which it does a quarter in the 30 s of the other. Its leader
 * speaks again when an iteration of 40 s is over, at 80 s, and it has all from the end of the next
 * one on. */
static void a_job_gives_to_who_waits(void **state)
{
    const job_t job[] = {{.seconds = 100, .requested = 100, .pes = 16},
                         {.submitted = 35, .seconds = 30, .requested = 30, .pes = 12}};
    (void)state;
    write_jobs(job, 2);
    assert_seconds(3, "jobs.malleable 0.5\ntechnique use aim=use\n", 2, (double[]){0, 5});
    assert_seconds(4, "jobs.malleable 0.5\ntechnique use aim=use\n", 2, (double[]){160, 30});
}

/* The second one needs all and has to wait; the third, which ends before the second can begin, does
 * not wait with it: the first one gives, at 40 s, and has all again at 66.7 s, when the iteration
 * is over in which the third ends. */
static void who_delays_nobody_is_given_to(void **state)
{
    const job_t job[] = {{.seconds = 100, .requested = 100, .pes = 16},
                         {.submitted = 35, .seconds = 30, .requested = 30, .pes = 16},
                         {.submitted = 36, .seconds = 20, .requested = 20, .pes = 4}};
    double waited[3];
    (void)state;
    write_jobs(job, 3);
    write_scenario("jobs.communication 0\nstate 0\njobs.malleable 0.3\ntechnique use aim=use\n");
    /* With this seed the first of three is among 0.3 of them, and the others are not. */
    read_out("xmpi-simulate -q -s 8 --schedule out scenario", 3, 3, waited);
    assert_true(fabs(waited[2] - 4) < 0.01);
    assert_true(fabs(waited[1] - 65 - 20 / 3.0) < 0.01);
}

static void results_are_the_same_each_time(void **state)
{
    (void)state;
    write_in("many", "nodes 64\nnetwork switched\nbandwidth 1e9\nlatency 1e-5\nstate 1e8\njobs 60\n"
                     "jobs.load 0.9\njobs.moldable 0.3\nvary jobs.malleable 0.2 0.7\n"
                     "technique easy\ntechnique equal aim=equal\ntechnique late aim=late\n"
                     "technique use aim=use\ntechnique energy aim=energy\n");
    free(sh_line("xmpi-simulate -q -n 2 -j 1 -o t1 --runs r1 many && "
                 "xmpi-simulate -q -n 2 -j 4 -o t4 --runs r4 many && cmp r1 r4 && cmp t1 t4"));
    assert_int_equal(count_of("tail -n +2 r1 | wc -l"), 20);
    assert_true(count_of("tail -n +2 r1 | grep -v ,easy, | cut -d, -f4 | sort -u | wc -l") > 12);
    /* What is used is what there is, at most; what jobs asked for is no more than was held, or they
     * had fewer for longer. */
    assert_int_equal(count_of("tail -n +2 r1 | awk -F, '$13 > 1 || $14 > 1 || $13 <= 0' | wc -l"),
                     0);
}

/* --- files and the model -----------------------------------------------------------------------
 */

/* Of 20,000 jobs, shares and means are those of the model to three or four standard deviations. */
static void generated_jobs_are_those_of_the_model(void **state)
{
    (void)state;
    write_in("model", "nodes 128\nnetwork switched\njobs 20000\njobs.load 0.3\ntechnique easy\n");
    char *out =
        sh_line("xmpi-simulate -q --schedule out model && grep -v '^;' out | awk '"
                "{ n++; p = $8; one += p == 1; two += p == 2 || p == 4 || p == 8 || p == 16 || "
                "p == 32 || p == 64 || p == 128; work += p * $4; if ($2 > last) last = $2; "
                "if (p == 1) { s++; l += log($4) } } "
                "END { print one / n, two / n, work / 128 / last, l / s }'");
    double serial, two, load, logarithm;
    assert_int_equal(sscanf(out, "%lf %lf %lf %lf", &serial, &two, &load, &logarithm), 4);
    assert_true(fabs(serial - 0.244) < 0.012);
    /* With those of the others that are one when they are rounded. */
    assert_true(fabs(two - 0.625) < 0.011);
    assert_true(fabs(load - 0.3) < 1e-3);
    /* 0.7746 gamma(4.2, 0.94) + 0.2254 gamma(312, 0.03), less what whole seconds take away. */
    assert_true(fabs(logarithm - 5.168) < 0.2);
    free(out);
    assert_int_equal(count_of("grep -v '^;' out | awk '$8 > 128 || $8 < 1 || $4 < 1' | wc -l"), 0);
}

/* A log as there are: a header, columns with more space than one, what is not known as -1, jobs
 * that never ran or for no time, processors as they were used where nobody asked for some, users
 * who asked for less than they took, decimals, parts of jobs beside the whole, another order, and
 * ends of lines of other systems. Of the nine lines four are jobs. */
static void logs_are_read_as_they_are(void **state)
{
    static const char log[] =
        "; Version: 2.2\n; Computer: Linux cluster (Seth)\r\n;MaxJobs: 527371\n"
        ";   MaxProcs: 16 # of them 8 old\n; Note: a ; in it\n;\n  \t\n"
        "    7      100      5     30    4  29.97    -1   -1     -1    -1  1   1   1  -1 -1  1 -1 "
        "-1\r\n"
        "    1        0  30843     50    8     -1    -1    8    100    -1  1   1   1  -1 -1  1 -1 "
        "-1\n"
        "    2        0      9     -1    8  2403     -1    8    100    -1 -1   1   1  -1 -1  1 -1 "
        "-1\n"
        "    3        0      9      0    8     -1    -1    8    100    -1  0   1   1  -1 -1  1 -1 "
        "-1\n"
        "\t4  200 -1 60 -1 -1 -1 16 20 -1 0 -1 -1 -1 -1 -1 -1 -1\n"
        "5 300 10 40 2 20.5 1024.5 2 90 -1 1 1 1 1 1 1 4 10\n"
        "5 300 10 20 2 20.5 -1 2 90 -1 2 1 1 1 1 1 -1 -1\n"
        "5 -1 5 10 2 20.5 -1 2 90 -1 2 1 1 1 1 1 -1 -1\n"
        "5 -1 5 10 2 20.5 -1 2 90 -1 3 1 1 1 1 1 -1 -1";
    (void)state;
    write_in("jobs", log);
    write_scenario("technique easy\n");
    char *out = sh_line("xmpi-simulate -q --schedule out scenario && "
                        "grep -v '^;' out | awk '{ print $1, $2, $3, $4, $8, $9 }'");
    assert_string_equal(out,
                        "1 0 0 50 8 100\n7 100 0 30 4 30\n4 200 0 60 16 60\n5 300 0 40 2 90\n");
    free(out);
}

static void bad_workloads_are_one_line(void **state)
{
    static const struct {
        const char *jobs, *more, *words;
    } bad[] = {
        {"1 0 -1 5\n", "technique a\n", "line 1: expected the 18 numbers"},
        {"; none\n", "technique a\n", "there are no jobs that ran"},
        {"1 0 -1 0 4 -1 -1 4 9 -1 5 1 1 1 1 -1 -1 -1\n", "technique a\n", "no jobs that ran"},
        {"1 0 -1 5 17 -1 -1 17 9 -1 1 1 1 1 1 -1 -1 -1\n", "technique a\n", "job 1 asks for 17"},
        {"1 0 -1 5 1.5 -1 -1 -1 9 -1 1 1 1 1 1 -1 -1 -1\n", "technique a\n", "no whole number"},
        {"1 0 -1 5 1 -1 -1 -1 9 -1 1 1 1 1 1 -1 -1 -1 7\n", "technique a\n", "18 numbers"},
        {"", "technique a policy=swap\n", "decided by aim="},
        {"", "technique a aim=best\n", "aim=best cannot be used"},
        {"", "load onoff\ntechnique a\n", "no loads beside a workload"},
        {"", "jobs.moldable 0.6\njobs.malleable 0.6\ntechnique a\n", "more than all jobs"}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_in("jobs", bad[i].jobs);
        write_scenario(bad[i].more);
        command_t command = shell_run("xmpi-simulate -q -n 1 scenario");
        const char *end = strchr(command.err, '\n');
        if (command.status != 2 || strstr(command.err, bad[i].words) == NULL || end == NULL ||
            end[1] != '\0')
            fail_msg("%s%s: status %d\n%s", bad[i].jobs, bad[i].more, command.status, command.err);
        command_free(&command);
    }
    command_t command = shell_run("echo technique a aim=equal >none; xmpi-simulate -q none");
    assert_int_equal(command.status, 2);
    assert_non_null(strstr(command.err, "aim= is of workloads"));
    command_free(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_jobs_are_scheduled_by_easy),
        cmocka_unit_test(a_job_takes_what_is_free),
        cmocka_unit_test(a_job_gives_to_who_waits),
        cmocka_unit_test(who_delays_nobody_is_given_to),
        cmocka_unit_test(results_are_the_same_each_time),
        cmocka_unit_test(generated_jobs_are_those_of_the_model),
        cmocka_unit_test(logs_are_read_as_they_are),
        cmocka_unit_test(bad_workloads_are_one_line),
    };
    char path[4096];
    snprintf(path, sizeof path, "%s/obj/xmpicc/simulate/network/simgrid.o", build_dir());
    if (access(path, R_OK) != 0)
        return 0; /* test_simulate says what is missing then */
    return cmocka_run_group_tests(tests, setup, teardown);
}
