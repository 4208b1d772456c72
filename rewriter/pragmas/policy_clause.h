/* SPDX-License-Identifier: BSD-3-Clause
 * `policy(name, setting(value), ...)`: the names that there are, and its text. */
#ifndef XMPI_REWRITER_POLICY_CLAUSE_H
#define XMPI_REWRITER_POLICY_CLAUSE_H

#include <llvm/ADT/StringRef.h>
#include <string>
#include <vector>

namespace xmpi
{

extern const std::vector<std::string> policyNames, policySettings;

bool isOneOf(const std::vector<std::string> &words, const std::string &word);

struct PolicyClause {
    std::string text;  /* as the runtime takes it (xmpi_gen_policy) */
    std::string error; /* what is expected; empty: nothing is wrong */
};

/* Of what stands between its parentheses. The runtime reads the values. */
PolicyClause parsePolicy(llvm::StringRef inner);

} // namespace xmpi
#endif
