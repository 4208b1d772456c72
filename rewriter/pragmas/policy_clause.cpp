/* SPDX-License-Identifier: BSD-3-Clause
 * `policy(...)`. */
#include "pragmas/policy_clause.h"
#include "source/words.h"
#include "../../runtime/decide/policies/policies.h"
#include <algorithm>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>

namespace xmpi
{

#define WORD(name) #name,
const std::vector<std::string> policyNames = {"off", XMPI_POLICIES(WORD)};
const std::vector<std::string> policySettings = {XMPI_POLICY_SETTINGS(WORD)};
#undef WORD

bool isOneOf(const std::vector<std::string> &words, const std::string &word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

/* SETTING(VALUE) as "SETTING=VALUE"; empty: it is none. */
static std::string settingOf(llvm::StringRef part)
{
    const auto [name, rest] = part.split('(');
    llvm::StringRef value = rest;
    if (!isOneOf(policySettings, name.trim().str()) || !value.consume_back(")"))
        return "";
    value = value.trim();
    if (value.empty() || value.find_first_of(" \t\\\"\n()") != llvm::StringRef::npos)
        return "";
    return name.trim().str() + "=" + value.str();
}

PolicyClause parsePolicy(llvm::StringRef inner)
{
    llvm::SmallVector<llvm::StringRef, 8> parts;
    inner.split(parts, ',');
    const std::string name = parts.front().trim().str();
    if (!isOneOf(policyNames, name))
        return {"", "a policy: " + listed(policyNames, " or ")};
    PolicyClause clause = {name, ""};
    for (const llvm::StringRef part : llvm::ArrayRef(parts).drop_front()) {
        const std::string setting = settingOf(part.trim());
        if (setting.empty())
            return {"", "a setting, its value without blanks and quotes: " +
                            listed(policySettings, " or ", "", "(...)")};
        clause.text += " " + setting;
    }
    return clause;
}

} // namespace xmpi
