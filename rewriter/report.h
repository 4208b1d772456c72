/* SPDX-License-Identifier: BSD-3-Clause
 * Says what was found: as remarks at source positions, or as JSON. */
#ifndef XMPI_REWRITER_REPORT_H
#define XMPI_REWRITER_REPORT_H

#include "diagnostics.h"
#include "program.h"
#include "source.h"

namespace xmpi
{

void reportRemarks(const Source &source, const std::vector<Program> &programs,
                   Diagnostics &diagnostics);
std::string reportJson(const Source &source, const std::vector<Program> &programs);

} // namespace xmpi
#endif
