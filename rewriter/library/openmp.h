/* SPDX-License-Identifier: BSD-3-Clause
 * A header omp.h for the analysis: gcc's own cannot be read by clang, and clang's need not be
 * installed. Only the program's compiler sees the real one. */
#ifndef XMPI_REWRITER_OPENMP_H
#define XMPI_REWRITER_OPENMP_H

namespace xmpi
{

constexpr const char *openmpFolder = "/xmpi-openmp";

constexpr const char *openmpHeader = R"(
#pragma once
typedef struct { char opaque[64]; } omp_lock_t, omp_nest_lock_t;
typedef int omp_lock_hint_t, omp_sync_hint_t, omp_proc_bind_t, omp_pause_resource_t;
typedef int omp_event_handle_t;
typedef enum omp_sched_t {
    omp_sched_static = 1, omp_sched_dynamic, omp_sched_guided, omp_sched_auto,
    omp_sched_monotonic = (int)0x80000000U
} omp_sched_t;
enum { omp_proc_bind_false, omp_proc_bind_true, omp_proc_bind_master, omp_proc_bind_close,
       omp_proc_bind_spread, omp_proc_bind_primary = omp_proc_bind_master };
void omp_set_num_threads(int);
int omp_get_num_threads(void), omp_get_max_threads(void), omp_get_thread_num(void);
int omp_get_num_procs(void), omp_in_parallel(void), omp_in_final(void);
void omp_set_dynamic(int), omp_set_nested(int), omp_set_max_active_levels(int);
int omp_get_dynamic(void), omp_get_nested(void), omp_get_max_active_levels(void);
int omp_get_thread_limit(void), omp_get_level(void), omp_get_active_level(void);
int omp_get_ancestor_thread_num(int), omp_get_team_size(int), omp_get_cancellation(void);
void omp_set_schedule(omp_sched_t, int), omp_get_schedule(omp_sched_t *, int *);
omp_proc_bind_t omp_get_proc_bind(void);
int omp_get_num_places(void), omp_get_place_num(void), omp_get_place_num_procs(int);
void omp_get_place_proc_ids(int, int *);
int omp_get_num_devices(void), omp_get_default_device(void), omp_is_initial_device(void);
int omp_get_initial_device(void), omp_get_num_teams(void), omp_get_team_num(void);
void omp_set_default_device(int);
double omp_get_wtime(void), omp_get_wtick(void);
void omp_init_lock(omp_lock_t *), omp_destroy_lock(omp_lock_t *);
void omp_set_lock(omp_lock_t *), omp_unset_lock(omp_lock_t *);
int omp_test_lock(omp_lock_t *);
void omp_init_nest_lock(omp_nest_lock_t *), omp_destroy_nest_lock(omp_nest_lock_t *);
void omp_set_nest_lock(omp_nest_lock_t *), omp_unset_nest_lock(omp_nest_lock_t *);
int omp_test_nest_lock(omp_nest_lock_t *);
)";

} // namespace xmpi
#endif
