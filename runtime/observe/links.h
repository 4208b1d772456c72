/* SPDX-License-Identifier: BSD-3-Clause
 * Measuring what messages cost: the parameters of Hockney's model, with MPI itself (thesis §5.3.2,
 * where tcpping and Iperf measure the network without MPI). */
#ifndef XMPI_OBSERVE_LINKS_H
#define XMPI_OBSERVE_LINKS_H

#include <mpi.h>

#include "decide/model/calibration.h"

/* Measures the link between rank 0 and PARTNER of COMM for SECONDS at most (but each size once);
 * FULL: with long messages too, else those are taken for a line with the short ones. Called by
 * both; LINK is set at rank 0. Whether it is known then: not without memory. */
bool xmpi_links_measure(MPI_Comm comm, int partner, double seconds, bool full, xmpi_link_t *link);

/* Seconds per byte that a reduction and new storage take here; 0 without memory. */
double xmpi_links_gamma(void);
double xmpi_links_fresh(void);

#endif
