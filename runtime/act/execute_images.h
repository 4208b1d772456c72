/* SPDX-License-Identifier: BSD-3-Clause
 * The executor's part for movable loops: whole programs change their processes. What is not with
 * one of those who have programs is not relied on until all of these have agreed that everything is
 * there; a process that was to take over and is lost before is done without. */
#ifndef XMPI_ACT_EXECUTE_IMAGES_H
#define XMPI_ACT_EXECUTE_IMAGES_H

#include "act/execution.h"

/* The change of EXECUTION, whose members and joiners have met; BACKGROUND as for xmpi_execute:
 * bytes of an image from which on it goes ahead. */
xmpi_outcome_t xmpi_execute_images(const xmpi_parts_t *parts, int64_t background,
                                   xmpi_execution_t *execution);

/* As xmpi_execute_ask, of the members alone. */
xmpi_outcome_t xmpi_execute_ask_images(const xmpi_parts_t *parts, bool give_up,
                                       xmpi_execution_t *execution);

/* Bytes of the program that go with it, see xmpi_image_touched. */
double xmpi_execute_image_bytes(const xmpi_image_t *image, xmpi_image_size_t *size);

#endif
