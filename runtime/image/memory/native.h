/* SPDX-License-Identifier: BSD-3-Clause
 * Variables of the process, which do not move with the program. */
#ifndef XMPI_IMAGE_MEMORY_NATIVE_H
#define XMPI_IMAGE_MEMORY_NATIVE_H

#define XMPI_NATIVE __attribute__((section("xmpi_native")))

#endif
