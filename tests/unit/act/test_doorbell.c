/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of doors: who comes in, and that nobody else is in the way. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "act/processes/call.h"
#include "act/doors/doorbell.h"
#include "act/doors/line.h"
#include "act/doors/question.h"

/* Answers until somebody has come in and said a word. */
static void *wait_at_door(void *doorbell)
{
    xmpi_error_t error;
    xmpi_word_t word;
    xmpi_pack_t pack;
    int line;
    if (xmpi_doorbell_wait(doorbell, &line, &error) != XMPI_OK)
        return NULL;
    bool heard = xmpi_line_hear(line, &word, &pack) && word == XMPI_WORD_ORDER;
    xmpi_pack_free(&pack);
    close(line);
    return heard ? doorbell : NULL;
}

static void open_door(xmpi_doorbell_t *doorbell, bool outside)
{
    xmpi_error_t error;
    assert_int_equal(xmpi_doorbell_open(doorbell, &error), XMPI_OK);
    assert_int_equal(doorbell->door.port, 0);
    if (outside)
        assert_int_equal(xmpi_doorbell_reach_out(doorbell, &error), XMPI_OK);
}

/* A doorbell that a thread waits at: it outlives the test that fails, whose frame others take. */
static xmpi_doorbell_t *shared_door(bool outside)
{
    xmpi_doorbell_t *doorbell = calloc(1, sizeof *doorbell);
    assert_non_null(doorbell);
    open_door(doorbell, outside);
    return doorbell;
}

static void close_shared(xmpi_doorbell_t *doorbell)
{
    xmpi_doorbell_close(doorbell);
    free(doorbell);
}

/* The same door as seen by a process of this node, or of another. */
static xmpi_door_t seen(const xmpi_doorbell_t *doorbell, bool outside)
{
    xmpi_door_t door = doorbell->door;
    door.home += outside;
    return door;
}

static int touch(const xmpi_door_t *door)
{
    int fd = xmpi_door_connect(door, 1);
    assert_true(fd >= 0);
    return fd;
}

static void knock(const xmpi_door_t *door, const void *data, size_t size)
{
    int fd = touch(door);
    if (size > 0)
        assert_true(send(fd, data, size, MSG_NOSIGNAL) == (ssize_t)size);
    close(fd);
}

static xmpi_status_t ring_and_say(const xmpi_door_t *door)
{
    xmpi_error_t error;
    int line = -1;
    xmpi_status_t status = xmpi_doorbell_ring(door, 30, &line, &error);
    if (status == XMPI_OK && !xmpi_line_say(line, XMPI_WORD_ORDER, NULL))
        status = XMPI_ERR_PROCESS;
    xmpi_line_close(&line);
    return status;
}

/* Answers the word with itself, as a parked process does. */
static void *answer_at_door(void *doorbell)
{
    xmpi_error_t error;
    xmpi_word_t word;
    xmpi_pack_t pack;
    int line;
    if (xmpi_doorbell_wait(doorbell, &line, &error) != XMPI_OK)
        return NULL;
    bool heard = xmpi_line_hear(line, &word, &pack) && xmpi_line_say(line, word, NULL);
    xmpi_pack_free(&pack);
    close(line);
    return heard ? doorbell : NULL;
}

/* Steps that it takes to ask at DOOR until the question is over, with STATE; each only when
 * something has come. */
static int steps_of_question(const xmpi_door_t *door, xmpi_question_state_t *state)
{
    xmpi_question_t question;
    int steps = 0;
    *state = XMPI_QUESTION_FAILED;
    if (!xmpi_question_begin(&question, door, XMPI_WORD_LOAD))
        return 0;
    do {
        xmpi_pack_t answer;
        struct pollfd line = {.fd = question.line, .events = POLLIN};
        assert_int_equal(poll(&line, 1, 30000), 1);
        *state = xmpi_question_proceed(&question, door, &answer);
        xmpi_pack_free(&answer);
        steps++;
    } while (*state == XMPI_QUESTION_OPEN);
    assert_int_equal(question.line, -1);
    return steps;
}

static void questions_are_answered_in_steps(void **state)
{
    (void)state;
    for (int outside = 0; outside < 2; outside++) {
        xmpi_doorbell_t *doorbell = shared_door(outside);
        xmpi_question_state_t end;
        pthread_t sleeper;
        void *answered = NULL;
        xmpi_door_t door = seen(doorbell, outside), wrong = door;
        wrong.token.byte[31] ^= 1;
        assert_int_equal(pthread_create(&sleeper, NULL, answer_at_door, doorbell), 0);
        /* Who is no owner is sent away, perhaps before the word is out. */
        assert_in_range(steps_of_question(&wrong, &end), 1, 2);
        assert_int_equal(end, XMPI_QUESTION_FAILED);
        assert_int_equal(steps_of_question(&door, &end), 3);
        assert_int_equal(end, XMPI_QUESTION_ANSWERED);
        assert_int_equal(pthread_join(sleeper, &answered), 0);
        assert_ptr_equal(answered, doorbell);
        close_shared(doorbell);
        assert_int_equal(steps_of_question(&door, &end), 0);
    }
}

static void opens_for_the_right_token_only(bool outside)
{
    xmpi_doorbell_t *doorbell = shared_door(outside);
    pthread_t sleeper;
    void *woken = NULL;
    xmpi_door_t door = seen(doorbell, outside), wrong = door;
    wrong.token.byte[31] ^= 1;
    assert_int_equal(pthread_create(&sleeper, NULL, wait_at_door, doorbell), 0);
    knock(&door, NULL, 0);
    knock(&door, "garbage that is much longer than any answer that could be right", 63);
    knock(&door, &door.token, sizeof door.token);
    knock(&door, &door.token, 3);
    assert_int_equal(ring_and_say(&wrong), XMPI_ERR_PROCESS);
    assert_int_equal(pthread_tryjoin_np(sleeper, NULL), EBUSY);
    assert_int_equal(ring_and_say(&door), XMPI_OK);
    assert_int_equal(pthread_join(sleeper, &woken), 0);
    assert_ptr_equal(woken, doorbell);
    close_shared(doorbell);
    assert_int_equal(ring_and_say(&door), XMPI_ERR_PROCESS);
}

static void doors_open_for_the_right_token_only(void **state)
{
    (void)state;
    opens_for_the_right_token_only(false);
    opens_for_the_right_token_only(true);
}

/* No port that others could try, and no address but one when there has to be a port. */
static void doors_are_for_this_node_until_others_come(void **state)
{
    (void)state;
    xmpi_doorbell_t doorbell;
    xmpi_error_t error;
    int line = -1;
    open_door(&doorbell, false);
    xmpi_door_t door = seen(&doorbell, true);
    assert_int_equal(xmpi_doorbell_ring(&door, 1, &line, &error), XMPI_ERR_PROCESS);
    assert_non_null(strstr(error.text, "cannot be reached"));
    xmpi_doorbell_close(&doorbell);
}

/* More than there is room for, and they stay. */
static void silent_strangers_keep_nobody_out(bool outside)
{
    enum { STRANGERS = 3 * VISITORS_MAX };
    xmpi_doorbell_t *doorbell = shared_door(outside);
    pthread_t sleeper;
    void *woken = NULL;
    int fd[STRANGERS];
    xmpi_door_t door = seen(doorbell, outside);
    for (int i = 0; i < STRANGERS; i++)
        fd[i] = touch(&door);
    assert_int_equal(pthread_create(&sleeper, NULL, wait_at_door, doorbell), 0);
    assert_int_equal(ring_and_say(&door), XMPI_OK);
    assert_int_equal(pthread_join(sleeper, &woken), 0);
    assert_ptr_equal(woken, doorbell);
    for (int i = 0; i < STRANGERS; i++)
        close(fd[i]);
    close_shared(doorbell);
}

static void strangers_that_say_nothing_keep_nobody_out(void **state)
{
    (void)state;
    silent_strangers_keep_nobody_out(false);
    silent_strangers_keep_nobody_out(true);
}

/* One look at the door takes a few steps and never waits: what strangers do decides on nothing. */
static void a_look_at_the_door_never_waits(void **state)
{
    (void)state;
    enum { STRANGERS = 4 };
    xmpi_doorbell_t doorbell;
    int fd[STRANGERS];
    open_door(&doorbell, false);
    for (int i = 0; i < STRANGERS; i++)
        fd[i] = touch(&doorbell.door);
    assert_true(send(fd[0], "x", 1, MSG_NOSIGNAL) == 1);
    for (int i = 0; i < 100; i++)
        assert_int_equal(xmpi_doorbell_answer(&doorbell), -1);
    struct pollfd ready = {.fd = doorbell.fd, .events = POLLIN};
    assert_int_equal(poll(&ready, 1, 0), 0); /* nothing to do for who says nothing */
    for (int i = 0; i < STRANGERS; i++)
        close(fd[i]);
    xmpi_doorbell_close(&doorbell);
}

/* How many are let near in a window is fixed, however many come. */
static void the_quick_wait_in_the_kernel(void **state)
{
    (void)state;
    enum { STRANGERS = 4 * VISITORS_PER_WINDOW };
    xmpi_doorbell_t doorbell;
    int steps = 0, fd[STRANGERS];
    open_door(&doorbell, false);
    for (int i = 0; i < STRANGERS; i++)
        fd[i] = touch(&doorbell.door);
    struct pollfd ready = {.fd = doorbell.fd, .events = POLLIN};
    while (poll(&ready, 1, 0) > 0 && steps++ < STRANGERS)
        assert_int_equal(xmpi_doorbell_answer(&doorbell), -1);
    assert_true(doorbell.visitors.let_near <= VISITORS_PER_WINDOW);
    for (int i = 0; i < STRANGERS; i++)
        close(fd[i]);
    xmpi_doorbell_close(&doorbell);
}

typedef struct {
    const xmpi_door_t *door;
    atomic_bool over;
} flood_t;

static void *flood(void *context)
{
    flood_t *mine = context;
    while (!atomic_load(&mine->over)) {
        int fd = xmpi_door_connect(mine->door, 1);
        if (fd >= 0)
            close(fd);
        usleep(200);
    }
    return NULL;
}

static void a_flood_of_strangers_keeps_nobody_out(void **state)
{
    (void)state;
    xmpi_doorbell_t *doorbell = shared_door(false);
    pthread_t sleeper, crowd;
    void *woken = NULL;
    flood_t context = {.door = &doorbell->door};
    assert_int_equal(pthread_create(&sleeper, NULL, wait_at_door, doorbell), 0);
    assert_int_equal(pthread_create(&crowd, NULL, flood, &context), 0);
    usleep(100000);
    assert_int_equal(ring_and_say(&doorbell->door), XMPI_OK);
    assert_int_equal(pthread_join(sleeper, &woken), 0);
    assert_ptr_equal(woken, doorbell);
    atomic_store(&context.over, true);
    pthread_join(crowd, NULL);
    close_shared(doorbell);
}

/* --- what is seen on the way -------------------------------------------------------------------
 */

/* A door that somebody else has opened under the name of one that was closed. */
typedef struct {
    int listener;
    char heard[256];
    ssize_t size;
} impostor_t;

static void *impostor(void *context)
{
    impostor_t *mine = context;
    xmpi_challenge_t challenge = {{1, 2, 3}};
    xmpi_token_t lie = {{4, 5, 6}};
    struct pollfd caller = {.fd = mine->listener, .events = POLLIN};
    poll(&caller, 1, -1);
    int fd = accept(mine->listener, NULL, NULL);
    send(fd, &challenge, sizeof challenge, MSG_NOSIGNAL);
    mine->size = recv(fd, mine->heard, sizeof(xmpi_answer_t), MSG_WAITALL);
    send(fd, &lie, sizeof lie, MSG_NOSIGNAL);
    mine->size += recv(fd, mine->heard + mine->size, 64, 0); /* until it hangs up */
    close(fd);
    return NULL;
}

static void tokens_are_proved_and_not_told(void **state)
{
    (void)state;
    xmpi_door_t door = {.host = "here"};
    xmpi_error_t error;
    impostor_t other = {0};
    pthread_t thread;
    int line = -1;
    assert_int_equal(xmpi_proof_load(&error), XMPI_OK);
    assert_true(xmpi_proof_random(&door.token, sizeof door.token));
    other.listener = xmpi_door_listen_home(&door);
    assert_true(other.listener >= 0);
    assert_int_equal(pthread_create(&thread, NULL, impostor, &other), 0);
    assert_int_equal(xmpi_doorbell_ring(&door, 30, &line, &error), XMPI_ERR_PROCESS);
    assert_int_equal(line, -1);
    pthread_join(thread, NULL);
    assert_true(other.size == sizeof(xmpi_answer_t));
    for (size_t i = 0; i + 8 <= sizeof door.token; i++)
        assert_null(memmem(other.heard, (size_t)other.size, door.token.byte + i, 8));
    close(other.listener);
}

/* What has let one in lets nobody in again. */
static void what_was_said_once_is_no_proof(void **state)
{
    (void)state;
    xmpi_doorbell_t doorbell;
    xmpi_challenge_t challenge;
    xmpi_answer_t answer;
    xmpi_error_t error;
    open_door(&doorbell, false);
    assert_int_equal(xmpi_proof_load(&error), XMPI_OK);
    for (int i = 0; i < 2; i++) {
        int fd = touch(&doorbell.door), line = -1;
        xmpi_doorbell_answer(&doorbell);
        assert_true(recv(fd, &challenge, sizeof challenge, MSG_WAITALL) == sizeof challenge);
        if (i == 0)
            assert_true(xmpi_proof_answer(&doorbell.door.token, &challenge, &answer));
        assert_true(send(fd, &answer, sizeof answer, MSG_NOSIGNAL) == sizeof answer);
        send(fd, "word", 4, MSG_NOSIGNAL);
        for (int k = 0; k < 10 && line < 0; k++)
            line = xmpi_doorbell_answer(&doorbell);
        assert_int_equal(line >= 0, i == 0);
        xmpi_line_close(&line);
        close(fd);
    }
    xmpi_doorbell_close(&doorbell);
}

/* Another user of the node is not even asked, also one who knows the token. */
static void other_users_do_not_come_in(void **state)
{
    (void)state;
    enum { NOBODY = 65534 };
    xmpi_doorbell_t doorbell;
    int status = 0;
    if (geteuid() != 0)
        skip();
    open_door(&doorbell, false);
    pid_t other = fork();
    if (other == 0) {
        char byte;
        int fd = setuid(NOBODY) == 0 ? xmpi_door_connect(&doorbell.door, 1) : -1;
        _exit(fd >= 0 && recv(fd, &byte, 1, 0) <= 0 ? 0 : 1);
    }
    struct pollfd ready = {.fd = doorbell.fd, .events = POLLIN};
    assert_int_equal(poll(&ready, 1, 10000), 1);
    assert_int_equal(xmpi_doorbell_answer(&doorbell), -1);
    assert_int_equal(waitpid(other, &status, 0), other);
    assert_int_equal(status, 0);
    xmpi_doorbell_close(&doorbell);
}

/* --- what is said behind the door --------------------------------------------------------------
 */

/* As act/processes/call.c has it. */
typedef struct {
    int process, number;
    xmpi_port_t port;
    xmpi_door_t door;
} hello_t;

typedef struct {
    const xmpi_door_t *door;
    hello_t hello;
    size_t size;
    xmpi_word_t reply;
} joiner_t;

static void *say_hello(void *context)
{
    joiner_t *joiner = context;
    xmpi_error_t error;
    xmpi_pack_t said = {.data = (char *)&joiner->hello, .size = joiner->size}, heard = {0};
    int line = -1;
    joiner->reply = XMPI_WORD_BYE;
    if (xmpi_doorbell_ring(joiner->door, 30, &line, &error) == XMPI_OK &&
        xmpi_line_say(line, XMPI_WORD_HELLO, &said))
        xmpi_line_hear(line, &joiner->reply, &heard);
    xmpi_pack_free(&heard);
    xmpi_line_close(&line);
    return NULL;
}

/* Whether the leader takes this hello of process 1 for call 1. */
static bool is_taken(hello_t hello, size_t size)
{
    xmpi_doorbell_t doorbell;
    xmpi_spawners_t spawners = {0};
    xmpi_process_t process[2] = {{.used = true}, {.used = true}};
    xmpi_shared_t shared = {.processes = 2, .process = process};
    xmpi_called_t called = {.process = 1, .line = -1};
    xmpi_port_t ports[2] = {{""}, {""}};
    xmpi_calling_t calling = {
        .joiners = 1, .number = 1, .called = &called, .ports = ports, .deadline = 1e18};
    xmpi_error_t error;
    pthread_t thread;
    open_door(&doorbell, false);
    joiner_t joiner = {.door = &doorbell.door, .hello = hello, .size = size};
    xmpi_caller_t caller = {.shared = &shared, .doorbell = &doorbell, .spawners = &spawners};
    assert_int_equal(pthread_create(&thread, NULL, say_hello, &joiner), 0);
    while (called.line < 0 && pthread_tryjoin_np(thread, NULL) == EBUSY)
        assert_int_equal(xmpi_call_proceed(&caller, false, &calling, &error), XMPI_CALL_PENDING);
    bool taken = called.line >= 0;
    xmpi_line_close(&called.line);
    if (taken)
        pthread_join(thread, NULL);
    else
        assert_int_equal(joiner.reply, XMPI_WORD_AWAY);
    xmpi_doorbell_close(&doorbell);
    return taken;
}

static void a_hello_is_checked_field_by_field(void **state)
{
    (void)state;
    hello_t good = {.process = 1, .number = 1, .port = {"tag#0"}, .door = {.host = "a"}}, bad;
    assert_true(is_taken(good, sizeof good));
    bad = good;
    memset(bad.door.host, 'h', sizeof bad.door.host);
    assert_false(is_taken(bad, sizeof bad));
    bad = good;
    memset(bad.port.name, 'p', sizeof bad.port.name);
    assert_false(is_taken(bad, sizeof bad));
    bad = good;
    bad.process = 2;
    assert_false(is_taken(bad, sizeof bad));
    bad.process = -1;
    assert_false(is_taken(bad, sizeof bad));
    bad = good;
    bad.number = 0;
    assert_false(is_taken(bad, sizeof bad));
    assert_false(is_taken(good, sizeof good - 1));
    assert_false(is_taken(good, 0));
}

static void orders_and_arrays_are_checked(void **state)
{
    (void)state;
    xmpi_order_head_t head = {.order = XMPI_ORDER_END}, read;
    xmpi_pack_t pack = {.data = (char *)&head, .size = sizeof head};
    assert_true(xmpi_order_read(&pack, &read));
    head.order = (xmpi_order_t)99;
    pack = (xmpi_pack_t){.data = (char *)&head, .size = sizeof head};
    assert_false(xmpi_order_read(&pack, &read));
    head.order = XMPI_ORDER_JOIN;
    memset(head.door.host, 'h', sizeof head.door.host);
    pack = (xmpi_pack_t){.data = (char *)&head, .size = sizeof head};
    assert_false(xmpi_order_read(&pack, &read));
    static const int lies[] = {-1, INT32_MIN, 4, INT32_MAX};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        int numbers[4] = {lies[i], 1, 2, 3}, n;
        pack = (xmpi_pack_t){.data = (char *)numbers, .size = sizeof numbers};
        free(xmpi_pack_get_array(&pack, &n, sizeof *numbers));
        assert_int_equal(pack.status, XMPI_ERR_INTERNAL);
        assert_int_equal(n, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doors_open_for_the_right_token_only),
        cmocka_unit_test(doors_are_for_this_node_until_others_come),
        cmocka_unit_test(questions_are_answered_in_steps),
        cmocka_unit_test(strangers_that_say_nothing_keep_nobody_out),
        cmocka_unit_test(a_look_at_the_door_never_waits),
        cmocka_unit_test(the_quick_wait_in_the_kernel),
        cmocka_unit_test(a_flood_of_strangers_keeps_nobody_out),
        cmocka_unit_test(tokens_are_proved_and_not_told),
        cmocka_unit_test(what_was_said_once_is_no_proof),
        cmocka_unit_test(other_users_do_not_come_in),
        cmocka_unit_test(a_hello_is_checked_field_by_field),
        cmocka_unit_test(orders_and_arrays_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
