/* SPDX-License-Identifier: BSD-3-Clause
 * The structure of an iteration for the models (MHETA, Nakazawa 2005, §5.2.1 and Appendix A):
 * parallel sections between communication events, their stages, and tiles of pipelines. */
#ifndef XMPI_REWRITER_SECTIONS_H
#define XMPI_REWRITER_SECTIONS_H

#include "analysis.h"

namespace xmpi
{

/* The sections of the adaptive loop, in their order. Statements that neither loop nor touch an
 * array are no stage; communication without computation between is one event. */
std::vector<Section> findSections(Analysis &analysis);

/* The same as JSON in one line, with the name of the loop and the lines of SOURCE. */
std::string sectionsJson(const Source &source, const std::string &loop,
                         const std::vector<Section> &sections);

} // namespace xmpi
#endif
