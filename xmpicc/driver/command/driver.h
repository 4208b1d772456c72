/* SPDX-License-Identifier: BSD-3-Clause
 * All that is known about the command in hand. */
#ifndef XMPICC_DRIVER_H
#define XMPICC_DRIVER_H

#include "driver/command/install.h"
#include "driver/arguments/parse.h"
#include "driver/base/run.h"
#include "driver/arguments/settings.h"
#include "driver/base/workspace.h"

typedef struct {
    memory_t *memory;
    settings_t settings;
    install_t install;
    invocation_t invocation;
    runner_t runner;
    workspace_t workspace;
    bool joins;        /* what is compiled may be joined with other sources when it is linked */
    const char *alone; /* the word by which it may not, as it could else; NULL: there is none */
    const char *shown; /* what mpicc says of itself, once it was asked; else NULL */
} driver_t;

#endif
