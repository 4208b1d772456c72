/* SPDX-License-Identifier: BSD-3-Clause
 * `policy(...)`. */
#include "pragmas/policy_clause.h"
#include "report/words.h"
#include "../../runtime/decide/policies/policies.h"
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>

namespace xmpi
{

#define WORD(name) #name,
const std::vector<std::string> policyNames = {"off", XMPI_POLICIES(WORD)};
const std::vector<std::string> policySettings = {XMPI_POLICY_SETTINGS(WORD)};
#undef WORD

bool isOneOf(const std::vector<std::string> &words, const std::string &word)
{
    return llvm::find(words, word) != words.end();
}

static llvm::StringRef wordOf(llvm::StringRef text)
{
    return text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/* SETTING(VALUE) as "SETTING=VALUE", or what is expected in its place. */
static PolicyClause parseSetting(llvm::StringRef part)
{
    const std::string name = wordOf(part).str();
    if (!isOneOf(policySettings, name))
        return {"", "a setting: " + listed(policySettings, " or ", "", "(...)")};
    llvm::StringRef value = part.drop_front(name.size()).ltrim();
    if (!value.consume_front("("))
        return {"", "'(' after '" + name + "'"};
    const llvm::StringRef behind = value.split(')').second.ltrim();
    if (!behind.empty())
        return {"", "',' before '" + behind.str() + "'"};
    value.consume_back(")");
    value = value.trim();
    if (value.empty())
        return {"", "the value of '" + name + "'"};
    if (value.find_first_of(" \t\\\"\n(") != llvm::StringRef::npos)
        return {"", "a value without blanks and quotes"};
    return {name + "=" + value.str(), ""};
}

PolicyClause parsePolicy(llvm::StringRef inner)
{
    llvm::SmallVector<llvm::StringRef, 8> parts;
    inner.split(parts, ',');
    const llvm::StringRef first = parts.front().trim(), name = wordOf(first);
    if (!isOneOf(policyNames, name.str()))
        return {"", "a policy: " + listed(policyNames, " or ")};
    if (name != first)
        return {"", "',' before '" + first.drop_front(name.size()).ltrim().str() + "'"};
    PolicyClause clause = {name.str(), ""};
    for (const llvm::StringRef part : llvm::ArrayRef(parts).drop_front()) {
        const PolicyClause setting = parseSetting(part.trim());
        if (!setting.error.empty())
            return setting;
        clause.text += " " + setting.text;
    }
    return clause;
}

} // namespace xmpi
