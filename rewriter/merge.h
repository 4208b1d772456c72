/* SPDX-License-Identifier: BSD-3-Clause
 * What is to be written once where it was found for several adaptive loops. */
#ifndef XMPI_REWRITER_MERGE_H
#define XMPI_REWRITER_MERGE_H

#include "program.h"

namespace xmpi
{

std::vector<Site> mergedSites(const std::vector<Program> &programs);
std::vector<Guarded> mergedGuards(const std::vector<Program> &programs);
std::vector<Wrap> mergedWraps(const std::vector<Program> &programs);
std::vector<Call> mergedCalls(const std::vector<Program> &programs);

} // namespace xmpi
#endif
