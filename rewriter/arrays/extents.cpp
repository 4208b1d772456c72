/* SPDX-License-Identifier: BSD-3-Clause */
#include "arrays/extents.h"
#include <cctype>

namespace xmpi
{

static bool isOfName(char c)
{
    return isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/* NAME, but not as part of another, or as a member. */
static bool names(const std::string &text, const std::string &name)
{
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const size_t end = at + name.size();
        const bool begins =
            at == 0 || (!isOfName(text[at - 1]) && text[at - 1] != '.' && text[at - 1] != '>');
        if (begins && (end == text.size() || !isOfName(text[end])))
            return true;
    }
    return false;
}

static bool names(const Registrations &what, const std::string &name)
{
    return names(what.domain, name) || llvm::any_of(what.data, [&](const Data &data) {
               return names(data.halo, name) || names(data.behind, name) ||
                      llvm::any_of(data.shape,
                                   [&](const std::string &extent) { return names(extent, name); });
           });
}

bool standsInExtent(const Program &program, const std::string &lvalue)
{
    return names(program.loop.before, lvalue) ||
           llvm::any_of(program.sites, [&](const Site &site) { return names(site.what, lvalue); });
}

} // namespace xmpi
