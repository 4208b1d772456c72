/* SPDX-License-Identifier: BSD-3-Clause
 * Says what was found: as remarks at source positions, or as JSON. */
#ifndef XMPI_REWRITER_REPORT_H
#define XMPI_REWRITER_REPORT_H

#include "report/diagnostics.h"
#include "program.h"
#include "source/source.h"

namespace xmpi
{

void reportRemarks(const Source &source, const std::vector<Program> &programs,
                   Diagnostics &diagnostics);

/* What an editor needs of a diagnostic: lines and columns as the user sees them, counted from 1;
 * END is the place after the last character that TEXT replaces. */
struct Position {
    std::string file;
    unsigned line = 0, column = 0;
};

struct Correction {
    Position begin, end;
    std::string text;
};

struct Complaint {
    std::string severity, name, text; /* NAME: of docs/diagnostics.md; empty for clang's own */
    Position where;
    std::vector<Correction> fixes;
};

/* SOURCE is null where the file was refused. */
std::string reportJson(const Source *source, const std::vector<Program> &programs,
                       const std::vector<Complaint> &complaints);

} // namespace xmpi
#endif
