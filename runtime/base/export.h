/* SPDX-License-Identifier: BSD-3-Clause
 * What the library shows: everything else is hidden (-fvisibility=hidden). */
#ifndef XMPI_BASE_EXPORT_H
#define XMPI_BASE_EXPORT_H

#define XMPI_EXPORT __attribute__((visibility("default")))

#endif
