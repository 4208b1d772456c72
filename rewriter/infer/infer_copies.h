/* SPDX-License-Identifier: BSD-3-Clause
 * Values that come from functions of the file. */
#ifndef XMPI_REWRITER_INFER_COPIES_H
#define XMPI_REWRITER_INFER_COPIES_H

#include "infer/infer.h"

namespace xmpi
{

/* Registers members of structs of the function of STEP that hold the rank or the size, wherever
 * they have it from. */
void findCopies(Analysis &analysis, const Inference &inference, size_t step);

/* Notes the structs in which nothing but the range depends on the rank. */
void findDivided(Analysis &analysis, const Inference &inference);

/* PLACE, or a member of it, differs from rank to rank or with the number of processes. */
bool variesWithLayout(const Inference &inference, const Place &place);

} // namespace xmpi
#endif
