/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the counter of work against a PAPI of our own, which stands in for processors that this
 * machine has not: which events there are, how many fit into a set, how much they count. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "observe/counter/counter.h"
#include "observe/counter/hardware.h"
#include "observe/counter/papi_library.h"

enum { NAMES = 6, SETS = 16, IN_A_SET = 2, OPERATIONS = 2000000 };

/* --- the stand-in: every reading finds one microbenchmark more done ------------------------------
 */

static struct {
    const char *name;
    int component;
    long long rate; /* counts of one microbenchmark; 0: there is no such event */
} event[NAMES] = {{"PAPI_FP_OPS", 0, 0}, {"PAPI_DP_OPS", 0, 0},      {"PAPI_TOT_INS", 0, 0},
                  {"PAPI_L1_DCM", 0, 3}, {"sde:::xmpi::work", 2, 1}, {"other:::thing", 1, 7}};

static struct {
    int used, running, events, code[IN_A_SET], inherits;
    long long started; /* reading */
} set[SETS];

static long long readings;
static int knows_inheritance;

static void forget_all(void)
{
    memset(set, 0, sizeof set);
    for (int i = 0; i < 3; i++)
        event[i].rate = 0;
    knows_inheritance = 1;
}

static int stand_in_PAPI_library_init(int version)
{
    return version;
}

static int stand_in_PAPI_event_name_to_code(const char *name, int *code)
{
    for (*code = 0; *code < NAMES; ++*code)
        if (strcmp(event[*code].name, name) == 0 && event[*code].rate > 0)
            return PAPI_OK;
    return PAPI_ENOEVNT;
}

static int stand_in_PAPI_get_event_component(int code)
{
    return event[code].component;
}

static int stand_in_PAPI_create_eventset(int *id)
{
    for (*id = 0; *id < SETS && set[*id].used; ++*id)
        ;
    assert_true(*id < SETS);
    memset(&set[*id], 0, sizeof set[*id]);
    set[*id].used = 1;
    return PAPI_OK;
}

static int stand_in_PAPI_assign_eventset_component(int id, int component)
{
    (void)id;
    (void)component;
    return PAPI_OK;
}

static int stand_in_PAPI_set_opt(int option, PAPI_option_t *value)
{
    assert_int_equal(option, PAPI_INHERIT);
    if (!knows_inheritance)
        return PAPI_ECMP;
    set[value->inherit.eventset].inherits = 1;
    return PAPI_OK;
}

static int stand_in_PAPI_add_named_event(int id, const char *name)
{
    int code;
    assert_false(set[id].running);
    if (stand_in_PAPI_event_name_to_code(name, &code) != PAPI_OK || set[id].events == IN_A_SET)
        return PAPI_ECNFLCT;
    set[id].code[set[id].events++] = code;
    return PAPI_OK;
}

static int stand_in_PAPI_remove_event(int id, int code)
{
    (void)code;
    set[id].events--;
    return PAPI_OK;
}

static int stand_in_PAPI_start(int id)
{
    for (int i = 0; i < SETS; i++) /* PAPI runs one set for each component */
        if (i != id && set[i].running &&
            event[set[i].code[0]].component == event[set[id].code[0]].component)
            return PAPI_EISRUN;
    set[id].running = 1;
    set[id].started = readings;
    return PAPI_OK;
}

static int stand_in_PAPI_read(int id, long long *values)
{
    readings++;
    for (int i = 0; i < set[id].events; i++)
        values[i] = event[set[id].code[i]].rate * (readings - set[id].started);
    return PAPI_OK;
}

static int stand_in_PAPI_stop(int id, long long *values)
{
    set[id].running = 0;
    return stand_in_PAPI_read(id, values);
}

static int stand_in_PAPI_cleanup_eventset(int id)
{
    set[id].events = 0;
    return PAPI_OK;
}

static int stand_in_PAPI_destroy_eventset(int *id)
{
    set[*id].used = set[*id].running = 0;
    *id = PAPI_NULL;
    return PAPI_OK;
}

static papi_handle_t stand_in_sde_init(const char *name)
{
    return (papi_handle_t)(uintptr_t)name;
}

static int stand_in_sde_register_counter(papi_handle_t handle, const char *name, int mode, int type,
                                         void *counter)
{
    return handle != NULL && name != NULL && mode >= 0 && type >= 0 && counter != NULL ? SDE_OK
                                                                                       : -1;
}

/* In the place of what loads the library. */
xmpi_papi_t xmpi_papi = {
    .PAPI_library_init = stand_in_PAPI_library_init,
    .PAPI_event_name_to_code = stand_in_PAPI_event_name_to_code,
    .PAPI_get_event_component = stand_in_PAPI_get_event_component,
    .PAPI_create_eventset = stand_in_PAPI_create_eventset,
    .PAPI_assign_eventset_component = stand_in_PAPI_assign_eventset_component,
    .PAPI_set_opt = stand_in_PAPI_set_opt,
    .PAPI_add_named_event = stand_in_PAPI_add_named_event,
    .PAPI_remove_event = stand_in_PAPI_remove_event,
    .PAPI_start = stand_in_PAPI_start,
    .PAPI_read = stand_in_PAPI_read,
    .PAPI_stop = stand_in_PAPI_stop,
    .PAPI_cleanup_eventset = stand_in_PAPI_cleanup_eventset,
    .PAPI_destroy_eventset = stand_in_PAPI_destroy_eventset,
};
xmpi_sde_t xmpi_sde = {.papi_sde_init = stand_in_sde_init,
                       .papi_sde_register_counter = stand_in_sde_register_counter};

static int is_there = 1;

xmpi_status_t xmpi_papi_load(xmpi_error_t *error)
{
    return is_there ? XMPI_OK
                    : xmpi_error_set(error, XMPI_ERR_INPUT, "install the package libpapi7.0");
}

bool xmpi_hardware_counts(void)
{
    return event[0].rate + event[1].rate + event[2].rate > 0;
}

/* --- tests ---------------------------------------------------------------------------------------
 */

static void opens(const char *wanted, const char *expected)
{
    xmpi_counter_t counter;
    xmpi_error_t error = {""};
    if (xmpi_counter_open(&counter, wanted, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    assert_string_equal(counter.event, expected);
    xmpi_counter_close(&counter);
}

static void the_first_event_that_there_is_wins(void **state)
{
    (void)state;
    forget_all();
    opens("auto", "sde:::xmpi::work");
    opens("PAPI_FP_OPS,,PAPI_L1_DCM,work", "PAPI_L1_DCM");
    opens("other:::thing", "other:::thing");
    opens("PAPI_NONE,auto", "sde:::xmpi::work");
    event[2].rate = 5000000;
    opens("auto", "PAPI_TOT_INS");
    event[0].rate = 2000000;
    opens("auto", "PAPI_FP_OPS");
    opens("PAPI_TOT_INS,PAPI_FP_OPS", "PAPI_TOT_INS");
}

static void a_list_without_one_that_there_is_is_refused(void **state)
{
    static const char *const lists[] = {"PAPI_FP_OPS", "PAPI_FP_OPS,PAPI_NONE", "", ",", "Work"};
    xmpi_counter_t counter;
    xmpi_error_t error;
    (void)state;
    forget_all();
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        assert_int_equal(xmpi_counter_open(&counter, lists[i], &error), XMPI_ERR_INPUT);
}

/* Registered work needs no PAPI, and what does says how to get it. */
static void without_papi_registered_work_is_counted(void **state)
{
    xmpi_counter_t counter;
    xmpi_error_t error = {""};
    (void)state;
    forget_all();
    is_there = 0;
    event[0].rate = 1000000;
    opens("auto", "sde:::xmpi::work");
    opens("work", "sde:::xmpi::work");
    assert_int_equal(xmpi_counter_open(&counter, "PAPI_FP_OPS", &error), XMPI_ERR_INPUT);
    assert_non_null(strstr(error.text, "libpapi7.0"));
    is_there = 1;
}

/* The same work on a processor that counts fused operations as one and on one that counts two, or
 * counts instructions. */
static void counts_are_the_same_on_all_processors(void **state)
{
    static const long long rates[] = {1000000, 2000000, 9000000};
    (void)state;
    for (int i = 0; i < 3; i++) {
        xmpi_counter_t counter;
        forget_all();
        event[0].rate = rates[i];
        assert_int_equal(xmpi_counter_open(&counter, "auto", NULL), XMPI_OK);
        double before = xmpi_counter_read(&counter);
        assert_true(xmpi_counter_read(&counter) - before == OPERATIONS);
        xmpi_counter_close(&counter);
    }
}

static void events_that_arithmetic_does_not_cause_are_taken_as_they_are(void **state)
{
    xmpi_counter_t counter;
    (void)state;
    forget_all();
    assert_int_equal(xmpi_counter_open(&counter, "PAPI_L1_DCM", NULL), XMPI_OK);
    double before = xmpi_counter_read(&counter);
    assert_true(xmpi_counter_read(&counter) - before == 3);
    xmpi_counter_close(&counter);
}

static void threads_are_counted_where_papi_can(void **state)
{
    (void)state;
    for (int knows = 0; knows < 2; knows++) {
        xmpi_counter_t counter;
        forget_all();
        event[0].rate = 1000000;
        knows_inheritance = knows;
        assert_int_equal(xmpi_counter_open(&counter, "auto", NULL), XMPI_OK);
        assert_string_equal(counter.event, "PAPI_FP_OPS");
        assert_int_equal(set[counter.events.set[0].id].inherits, knows);
        xmpi_counter_close(&counter);
    }
}

/* Those wanted by hand are in the set of the counter where they must be, and it goes on. */
static void more_events_do_not_disturb_the_counter(void **state)
{
    xmpi_counter_t counter;
    long long before[XMPI_EVENTS_MAX], after[XMPI_EVENTS_MAX];
    (void)state;
    forget_all();
    event[0].rate = 1000000;
    event[2].rate = 5000000;
    assert_int_equal(xmpi_counter_open(&counter, "auto", NULL), XMPI_OK);
    double work = xmpi_counter_read(&counter);
    assert_int_equal(xmpi_counter_add(&counter, "PAPI_TOT_INS"), 1);
    assert_int_equal(xmpi_counter_add(&counter, "other:::thing"), 2);
    assert_int_equal(xmpi_counter_add(&counter, "PAPI_L1_DCM"), -1); /* no room in the hardware */
    assert_int_equal(xmpi_counter_add(&counter, "PAPI_NONE"), -1);
    assert_true(xmpi_counter_read(&counter) > work);
    xmpi_events_read(&counter.events, before);
    xmpi_events_read(&counter.events, after);
    for (int i = 0; i < 3; i++)
        assert_true(after[i] > before[i]);
    assert_int_equal((after[1] - before[1]) / (after[0] - before[0]), 5);
    xmpi_counter_close(&counter);
}

static void registered_work_has_parts_of_units(void **state)
{
    xmpi_counter_t counter;
    (void)state;
    forget_all();
    assert_int_equal(xmpi_counter_open(&counter, "work", NULL), XMPI_OK);
    for (int i = 0; i < 8; i++)
        xmpi_counter_register(&counter, 0.25);
    xmpi_counter_register(&counter, -0.5);
    assert_true(xmpi_counter_read(&counter) == 1.5);
    assert_true(counter.registered == 2);
    xmpi_counter_close(&counter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_event_that_there_is_wins),
        cmocka_unit_test(a_list_without_one_that_there_is_is_refused),
        cmocka_unit_test(without_papi_registered_work_is_counted),
        cmocka_unit_test(counts_are_the_same_on_all_processors),
        cmocka_unit_test(events_that_arithmetic_does_not_cause_are_taken_as_they_are),
        cmocka_unit_test(threads_are_counted_where_papi_can),
        cmocka_unit_test(more_events_do_not_disturb_the_counter),
        cmocka_unit_test(registered_work_has_parts_of_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
