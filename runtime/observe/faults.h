/* SPDX-License-Identifier: BSD-3-Clause
 * Major page faults: what a program that maps files, or whose memory is swapped out, waits for its
 * disk. No call tells of them; the kernel counts them, and how long a thread has not run. */
#ifndef XMPI_OBSERVE_FAULTS_H
#define XMPI_OBSERVE_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

/* Of the calling thread, since it began. */
typedef struct {
    double cpu, delayed; /* seconds that it ran, and that it wanted a core and had none */
    int64_t faults;      /* major ones, or all */
    int64_t switches;    /* how often it gave its core away to wait for something: also in each such
                            fault */
} xmpi_faults_t;

/* Whether other threads read data of the program for it: it waits for what they are reading in
 * faults that are not major, so that all of them count. */
void xmpi_faults_read_by_others(bool others);
bool xmpi_faults_are_read_by_others(void);

/* Major faults of the calling thread: one system call. */
int64_t xmpi_faults_number(void);

/* All of it: some microseconds. Where the kernel does not tell delays there are none. */
xmpi_faults_t xmpi_faults_read(void);

/* Seconds of WALL, in which the thread came from BEGIN to END, that it has waited in faults: of the
 * time that it neither ran nor wanted to, as much as of the waits were faults. */
double xmpi_faults_seconds(double wall, const xmpi_faults_t *begin, const xmpi_faults_t *end);

#endif
