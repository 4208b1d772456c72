/* SPDX-License-Identifier: BSD-3-Clause
 * xmpictl: looks at running jobs of the same user and steers them. */
#define _GNU_SOURCE
#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process/seconds.h"
#include "decide/policies/policies.h"
#include "jobs.h"
#include "remote/remote.h"
#include "show.h"
#include "through.h"
#include "tool/tool.h"

enum { WORDS_MAX = 3, NEGATIVE = '\001' /* before a word that argp would take for options */ };

typedef struct {
    const char *job;  /* NULL: the only one */
    const char *user; /* who is root becomes that one; NULL: nobody else */
    bool json, asks, waits, follows;
    double patience;           /* seconds */
    const char *patience_text; /* as the user gave it; NULL: as by default */
    int words;
    char *word[WORDS_MAX]; /* the command and its arguments */
} order_t;

typedef struct {
    const char *name;
    int least, most; /* arguments */
    int (*carry_out)(const order_t *order);
} command_t;

static const struct argp_option options[] = {
    {"job", 'j', "JOB", 0,
     "The job: its number, or the name of its program (see list), or the path of its socket", 0},
    {"dry-run", 'n', NULL, 0,
     "Of move and swap: change nothing, wait for what would come of it, and say what it would cost "
     "and when it would be paid back",
     0},
    {"wait", 'w', NULL, 0,
     "Of what changes the job: wait for what comes of it, and say that; exit status 1 when nothing "
     "does",
     0},
    {"follow", 'f', NULL, 0, "Of log: go on with what comes, until the job ends", 0},
    {"patience", 't', "SECONDS", 0,
     "How long a job is waited for that does not answer (default: 10)", 0},
    {"as", 'u', "USER", 0, "Of root: as this user, whose jobs are meant", 0},
    {"json", 'J', NULL, 0, "Print what the job says as JSON, a line for each answer", 0},
    {0},
};

static const char usage[] =
    "list\nstatus\nwatch\ngrow N [CLASS]\nshrink N [CLASS]\n"
    "members N\nworth\n"
    "policy NAME\ngoal GOAL\ntrace on FILE\ntrace off\n"
    "move RANK PE\nswap RANK RANK\nwithdraw NODE\noffer NODE\nmatrix\nlog\nconnect";

#define POLICY_NAME(name) ", " #name

static const char description[] =
    "Looks at the running XMPI jobs of this user on this machine, and steers them."
    "\v"
    "  list               the jobs that run here\n"
    "  status             how the job is, and what its members compute\n"
    "  watch              a line every time something is new, until the loop ends\n"
    "  grow N [CLASS]     have N members more, on processors of a class\n"
    "  shrink N [CLASS]   have N members less; their processors rest until grow\n"
    "  members N          have N members; all other processors rest until grow or\n"
    "                     members\n"
    "  worth              how long the job takes still with each number of members\n"
    "  policy NAME        decide by another policy from now on (see below)\n"
    "  goal GOAL          give the policy amp another goal\n"
    "  trace on FILE      write a trace from now on; trace off: stop it\n"
    "  move RANK PE       the process with this rank goes to another processing\n"
    "                     element, numbered as in the trace\n"
    "  swap RANK RANK     two change places (movable and resizable loops)\n"
    "  withdraw NODE      the job leaves this node, until offer NODE\n"
    "  offer NODE         the job may use it again\n"
    "  matrix             who has sent how much to whom since the loop began or its\n"
    "                     last change\n"
    "  log                what the job has done, and what came of requests\n"
    "  connect            the line to the job itself: requests from standard input,\n"
    "                     answers to standard output\n"
    "\n"
    "What changes the job is done at the end of its sampling interval; log shows what came of it, "
    "and so does --wait.\n\n"
    "The policies are off" XMPI_POLICIES(
        POLICY_NAME) ".\n\n"
                     "With XMPI_JOBS, a folder that all nodes share, which the jobs have as well, "
                     "list also shows "
                     "those whose leader is on another node, and --job steers them there, by "
                     "$XMPI_RSH (ssh).\n\n"
                     "Exit status: 0 done or accepted, 1 refused by the job, 2 wrong usage, 3 no "
                     "such job, or one "
                     "that does not answer.";

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    order_t *order = state->input;
    switch (key) {
    case 'j':
        order->job = value;
        return 0;
    case 'n':
        order->asks = true;
        return 0;
    case 'w':
        order->waits = true;
        return 0;
    case 'f':
        order->follows = true;
        return 0;
    case 'u':
        order->user = value;
        return 0;
    case 'J':
        order->json = true;
        return 0;
    case 't':
        order->patience = tool_number("patience", value, 0.01);
        order->patience_text = value;
        return 0;
    case ARGP_KEY_ARG:
        value += value[0] == NEGATIVE;
        if (order->words == WORDS_MAX)
            tool_misuse("\"%s\" is one word too many", value);
        order->word[order->words++] = value;
        return 0;
    case ARGP_KEY_END:
        if (order->words == 0)
            tool_misuse(
                "no command: list, status, watch, grow, shrink, members, worth, policy, goal, "
                "trace, move, swap, withdraw, offer, matrix, log, connect");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* --- one request, one answer ------------------------------------------------------------------ */

static void print_json(const cJSON *answer)
{
    char *text = cJSON_PrintUnformatted(answer);
    printf("%s\n", text != NULL ? text : "");
    fflush(stdout);
    cJSON_free(text);
}

/* 0 when JOB agrees; else the exit status after a message. */
static int check(const order_t *order, const job_t *job, const cJSON *answer)
{
    if (answer == NULL && job->silent)
        return jobs_say_silent(order->job != NULL ? order->job : job->path, job);
    if (answer == NULL) {
        tool_complain("the job has gone");
        return CTL_NO_JOB;
    }
    if (order->json)
        print_json(answer);
    if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "ok")))
        return 0;
    tool_complain("refused: %s", job_text(answer, "error"));
    return CTL_REFUSED;
}

static cJSON *request_of(const char *command)
{
    cJSON *request = cJSON_CreateObject();
    cJSON_AddStringToObject(request, "command", command);
    return request;
}

/* Sends REQUEST, which it deletes, to the leader of JOB, which it connects to where that is not
 * done yet, and hears the answer, which the caller deletes. */
static int ask(const order_t *order, job_t *job, cJSON *request, cJSON **answer)
{
    int status = job->fd < 0 ? jobs_connect(order->job, order->patience, job) : 0;
    *answer = NULL;
    if (status == 0) {
        *answer = job_ask_leader(job, request);
        status = check(order, job, *answer);
    }
    cJSON_Delete(request);
    return status;
}

/* The same once. */
static int ask_once(const order_t *order, cJSON *request, cJSON **answer)
{
    job_t job = {.fd = -1};
    int status = ask(order, &job, request, answer);
    job_close(&job);
    return status;
}

static cJSON *log_request(double known)
{
    cJSON *request = request_of("log");
    cJSON_AddNumberToObject(request, "known", known);
    return request;
}

/* After each PATIENCE: 0 when the job gets on; else the exit status after a message. */
static int look_after(const order_t *order, job_t *job, double *looked)
{
    cJSON *answer;
    double now = xmpi_seconds_now();
    if (now - *looked < order->patience)
        return 0;
    *looked = now;
    int status = ask(order, job, request_of("status"), &answer);
    if (status == 0 && job_stands_still(job, answer))
        status = jobs_say_silent(order->job != NULL ? order->job : job->path, job);
    cJSON_Delete(answer);
    return status;
}

/* What came of request NUMBER. */
static int wait_for(const order_t *order, job_t *job, double number)
{
    enum { PAUSE = 100000 };
    double known = 0, looked = xmpi_seconds_now();
    for (;; usleep(PAUSE)) {
        cJSON *answer;
        const cJSON *line;
        order_t quiet = {.job = order->job, .patience = order->patience};
        int status = look_after(&quiet, job, &looked);
        if (status != 0 || (status = ask(&quiet, job, log_request(known), &answer)) != 0)
            return status;
        known = job_number(answer, "said");
        cJSON_ArrayForEach(line, cJSON_GetObjectItemCaseSensitive(answer, "lines"))
        {
            if (job_number(line, "request") < number || job_number(line, "request") > number)
                continue;
            bool refused = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(line, "refused"));
            if (order->json)
                print_json(line);
            else if (!refused)
                printf("%s%s\n", order->asks ? "" : "done: ", job_text(line, "text"));
            if (refused)
                tool_complain("nothing comes of it: %s", job_text(line, "text"));
            cJSON_Delete(answer);
            return refused ? CTL_REFUSED : 0;
        }
        cJSON_Delete(answer);
    }
}

static int tell(const order_t *order, cJSON *request)
{
    cJSON *answer;
    job_t job = {.fd = -1};
    int status = ask(order, &job, request, &answer);
    double number = job_number(answer, "request");
    cJSON_Delete(answer);
    if (status == 0 && (order->waits || order->asks))
        status = wait_for(order, &job, number);
    else if (status == 0 && !order->json)
        printf("accepted: it is done at the end of the sampling interval\n");
    job_close(&job);
    return status;
}

/* --- commands --------------------------------------------------------------------------------- */

static int carry_out_list(const order_t *order)
{
    found_t *found;
    int jobs = jobs_find(&found, true, order->patience);
    if (jobs < 0)
        return TOOL_MISUSED;
    for (int i = 0; i < jobs && order->json; i++) {
        cJSON_AddStringToObject(found[i].status, "job", found[i].name);
        print_json(found[i].status);
    }
    if (!order->json)
        show_list(found, jobs);
    jobs_free(found, jobs);
    return 0;
}

static int carry_out_status(const order_t *order)
{
    cJSON *answer;
    job_t job = {.fd = -1};
    int status = ask(order, &job, request_of("status"), &answer);
    if (status == 0 && !order->json)
        show_status(answer, job.path);
    cJSON_Delete(answer);
    job_close(&job);
    return status;
}

static int carry_out_watch(const order_t *order)
{
    job_t job;
    bool over = false;
    int status = jobs_connect(order->job, order->patience, &job);
    if (status != 0)
        return status;
    status = job_ask(&job, request_of("watch")) == 0 ? 0 : CTL_NO_JOB;
    for (int lines = 0; status == 0 && !over; lines++) {
        cJSON *answer = job_await(&job);
        if (answer == NULL && lines > 0 && !job.silent)
            break; /* it has ended */
        status = check(order, &job, answer);
        if (status == 0 && !order->json)
            show_line(answer);
        over = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "over"));
        cJSON_Delete(answer);
    }
    job_close(&job);
    return status;
}

static int carry_out_members(const order_t *order)
{
    char *end;
    errno = 0;
    long processes = strtol(order->word[1], &end, 10);
    if (*end != '\0' || errno != 0 || processes < 1 || processes > 1000000)
        return tool_complain("%s %s: expected a number of processes from 1 to 1000000",
                             order->word[0], order->word[1]);
    cJSON *request = request_of(order->word[0]);
    cJSON_AddNumberToObject(request, "processes", (double)processes);
    if (order->words > 2)
        cJSON_AddStringToObject(request, "class", order->word[2]);
    return tell(order, request);
}

/* A whole number that is not negative; -1 after a message. */
static int index_of(const order_t *order, int i)
{
    char *end;
    errno = 0;
    long value = strtol(order->word[i], &end, 10);
    if (*end == '\0' && end != order->word[i] && errno == 0 && value >= 0 && value <= 1000000)
        return (int)value;
    tool_complain("%s %s: expected a number from 0 to 1000000", order->word[0], order->word[i]);
    return -1;
}

static int carry_out_move(const order_t *order)
{
    int rank = index_of(order, 1), other = rank >= 0 ? index_of(order, 2) : -1;
    if (other < 0)
        return TOOL_MISUSED;
    cJSON *request = request_of(order->word[0]);
    cJSON_AddNumberToObject(request, "rank", rank);
    cJSON_AddNumberToObject(request, strcmp(order->word[0], "move") == 0 ? "pe" : "with", other);
    if (order->asks)
        cJSON_AddTrueToObject(request, "dry_run");
    return tell(order, request);
}

static int carry_out_text(const order_t *order)
{
    cJSON *request = request_of(order->word[0]);
    cJSON_AddStringToObject(request, "text", order->word[1]);
    return tell(order, request);
}

/* The job may run in another folder. */
static int carry_out_trace(const order_t *order)
{
    char here[TOOL_PATH_MAX], path[2 * TOOL_PATH_MAX] = "";
    bool on = strcmp(order->word[1], "on") == 0;
    if (on != (order->words == 3) || (!on && strcmp(order->word[1], "off") != 0))
        return tool_complain("trace: expected \"trace on FILE\" or \"trace off\"");
    if (on && order->word[2][0] != '/' && getcwd(here, sizeof here) != NULL)
        snprintf(path, sizeof path, "%s/%s", here, order->word[2]);
    else if (on)
        snprintf(path, sizeof path, "%.*s", TOOL_PATH_MAX, order->word[2]);
    cJSON *request = request_of("trace");
    cJSON_AddStringToObject(request, "text", path);
    return tell(order, request);
}

static int carry_out_question(const order_t *order)
{
    cJSON *answer;
    int status = ask_once(order, request_of(order->word[0]), &answer);
    if (status == 0 && !order->json)
        strcmp(order->word[0], "worth") == 0 ? show_worth(answer) : show_matrix(answer);
    cJSON_Delete(answer);
    return status;
}

/* Prints the lines that are new. How many there have been. */
static double print_log(const order_t *order, const cJSON *answer)
{
    if (!order->json)
        show_log(answer);
    return job_number(answer, "said");
}

static int carry_out_log(const order_t *order)
{
    enum { PAUSE = 200000 };
    cJSON *answer;
    job_t job = {.fd = -1};
    int status = ask(order, &job, log_request(0), &answer);
    while (status == 0 && answer != NULL) {
        double known = print_log(order, answer);
        cJSON_Delete(answer);
        answer = NULL;
        if (!order->follows)
            break;
        usleep(PAUSE);
        cJSON *request = log_request(known);
        answer = job_ask_leader(&job, request); /* NULL: it has ended */
        cJSON_Delete(request);
        if (answer != NULL && order->json)
            print_json(answer);
    }
    cJSON_Delete(answer);
    job_close(&job);
    return status;
}

/* A leader that hands over ends it: who wants to go on connects again. */
static int carry_out_connect(const order_t *order)
{
    job_t job = {.fd = -1};
    int status = jobs_connect(order->job, order->patience, &job);
    if (status == 0)
        status = through_pass(&job);
    job_close(&job);
    return status;
}

static const command_t commands[] = {
    {"list", 0, 0, carry_out_list},       {"status", 0, 0, carry_out_status},
    {"watch", 0, 0, carry_out_watch},     {"grow", 1, 2, carry_out_members},
    {"shrink", 1, 2, carry_out_members},  {"policy", 1, 1, carry_out_text},
    {"goal", 1, 1, carry_out_text},       {"trace", 1, 2, carry_out_trace},
    {"move", 2, 2, carry_out_move},       {"swap", 2, 2, carry_out_move},
    {"withdraw", 1, 1, carry_out_text},   {"offer", 1, 1, carry_out_text},
    {"matrix", 0, 0, carry_out_question}, {"worth", 0, 0, carry_out_question},
    {"members", 1, 1, carry_out_members}, {"log", 0, 0, carry_out_log},
    {"connect", 0, 0, carry_out_connect},
};

/* With the lines of the usage that begin with NAME. */
static int complain_of_number(const char *name)
{
    char forms[128] = "";
    for (const char *line = usage; *line != '\0'; line += *line == '\n') {
        size_t length = strcspn(line, "\n"), used = strlen(forms);
        if (strcspn(line, " \n") == strlen(name) && strncmp(line, name, strlen(name)) == 0)
            snprintf(forms + used, sizeof forms - used, "%s%.*s", used > 0 ? " or " : "",
                     (int)length, line);
        line += length;
    }
    return tool_complain("%s: wrong number of arguments: it is %s", name, forms);
}

static int carry_out(const order_t *order)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const command_t *command = &commands[i];
        if (strcmp(order->word[0], command->name) != 0)
            continue;
        if (order->words - 1 < command->least || order->words - 1 > command->most)
            return complain_of_number(command->name);
        if (order->asks && command->carry_out != carry_out_move)
            return tool_complain("%s: --dry-run is for move and swap", command->name);
        return command->carry_out(order);
    }
    return tool_complain("there is no command \"%s\": list, status, watch, grow, shrink, members, "
                         "worth, policy, goal, trace, move, swap, withdraw, offer, matrix, log, "
                         "connect",
                         order->word[0]);
}

/* On the node of the job's leader. */
static int carry_out_there(const order_t *order, const xmpi_entry_t *entry)
{
    char *words[WORDS_MAX + 7];
    int n = 0;
    if (order->patience_text != NULL) {
        words[n++] = (char *)"--patience";
        words[n++] = (char *)order->patience_text;
    }
    if (order->json)
        words[n++] = (char *)"--json";
    if (order->asks)
        words[n++] = (char *)"--dry-run";
    if (order->waits)
        words[n++] = (char *)"--wait";
    if (order->follows)
        words[n++] = (char *)"--follow";
    for (int i = 0; i < order->words; i++)
        words[n++] = order->word[i];
    words[n] = NULL;
    int status = remote_run(entry, words);
    if (status != 255)
        return status;
    tool_complain("job %s: its leader is on %s, which cannot be reached by $XMPI_RSH (ssh)",
                  order->job, entry->host);
    return CTL_NO_JOB;
}

/* Whether WORD is an option that has its value in the next word. */
static bool takes_value(const char *word)
{
    size_t length = strlen(word);
    for (const struct argp_option *o = options; o->name != NULL; o++) {
        bool abbreviated = length > 2 && strncmp(word, "--", 2) == 0 &&
                           strncmp(word + 2, o->name, length - 2) == 0;
        bool letter = word[0] == '-' && word[1] == o->key && word[2] == '\0';
        if (o->arg != NULL && (abbreviated || letter))
            return true;
    }
    return false;
}

/* "-1" is no option: the command is to say which numbers it takes. */
static void mark_negatives(int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        char *word = argv[i], *marked;
        bool negative = word[0] == '-' && (isdigit((unsigned char)word[1]) || word[1] == '.');
        if (negative && !takes_value(argv[i - 1]) && asprintf(&marked, "%c%s", NEGATIVE, word) > 0)
            argv[i] = marked; /* for as long as the command runs */
    }
}

int main(int argc, char **argv)
{
    static const struct argp argp = {options, parse_option, usage, description, NULL, NULL, NULL};
    order_t order = {.patience = 10};
    xmpi_entry_t entry;
    mark_negatives(argc, argv);
    tool_parse(&argp, argc, argv, 0, &order);
    int status = order.user != NULL ? through_as(order.user) : 0;
    if (status != 0)
        return status;
    bool named =
        order.job != NULL && strcmp(order.word[0], "list") != 0 && remote_find(order.job, &entry);
    status = CTL_NO_JOB;
    for (bool moved = true; status == CTL_NO_JOB && moved;) {
        xmpi_entry_t now;
        status =
            named && !remote_is_here(&entry) ? carry_out_there(&order, &entry) : carry_out(&order);
        moved = named && remote_find(order.job, &now) && /* its leader, meanwhile */
                (now.pid != entry.pid || strcmp(now.host, entry.host) != 0);
        if (moved)
            entry = now;
    }
    return status;
}
