/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of words, as texts for people have them. */
#ifndef XMPI_REWRITER_WORDS_H
#define XMPI_REWRITER_WORDS_H

#include <string>
#include <vector>

namespace xmpi
{

/* "a, b, c", or with LAST before the last one, and each between BEFORE and BEHIND. */
inline std::string listed(const std::vector<std::string> &all, const char *last = ", ",
                          const char *before = "", const char *behind = "")
{
    std::string text;
    for (size_t i = 0; i < all.size(); i++)
        text += (i == 0 ? "" : i + 1 < all.size() ? ", " : last) + (before + all[i]) + behind;
    return text;
}

/* "'a', 'b' and 'c'" */
inline std::string allQuoted(const std::vector<std::string> &all)
{
    return listed(all, " and ", "'", "'");
}

} // namespace xmpi
#endif
