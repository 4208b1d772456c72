/* SPDX-License-Identifier: BSD-3-Clause
 * Whether the numbers that a program gives its rows are those of one block after another. */
#ifndef XMPI_REWRITER_NUMBERING_H
#define XMPI_REWRITER_NUMBERING_H

#include "infer/infer.h"
#include <string>

namespace xmpi
{

/* What of the program numbers the rows of all processes, each once, whatever their number is, but
 * otherwise than by blocks in the order of ranks, as where they are dealt out in turn; "": nothing
 * that is seen. (It runs loops of the program once more: the survey of INFERENCE is not to be asked
 * what its start has compared any more.) */
std::string numberedOtherwise(Analysis &analysis, const Inference &inference);

} // namespace xmpi
#endif
