/* SPDX-License-Identifier: BSD-3-Clause
 * Writes a clause, with places for what is not known. */
#include "cells/clause_parts.h"

namespace xmpi
{

static const char howToComplete[] =
    ", with the number of all rows, or elements, the first own row and how many in their places; "
    "an array that "
    "is the same on all processes belongs into same(...), and what is filled anew before it is "
    "read, or follows from the rank, into scratch(...)";

/* (By their memory.) */
static const char howToJudge[] =
    ", where arrays are rows, or the same on all processes, as their sizes have it (xmpirun "
    "--check shows whether they are); what is filled anew before it is read, or follows from the "
    "rank, belongs into scratch(...)";

std::string joined(const std::vector<std::string> &all)
{
    std::string text;
    for (const std::string &one : all)
        text += (text.empty() ? "" : ", ") + one;
    return text;
}

void ClauseParts::add(const std::string &name, const std::string &operand, bool divergent,
                      const Shapes &shapes)
{
    const auto known = shapes.find(name);
    if (known == shapes.end())
        unknown.push_back(operand + "[rows]");
    else if (known->second.kind == Shape::Kind::Same && divergent)
        apart.push_back(operand);
    else if (known->second.kind == Shape::Kind::Rows)
        rows[known->second.where].push_back(known->second.text);
    else if (known->second.kind != Shape::Kind::Named) {
        complete = complete && known->second.complete;
        (known->second.kind == Shape::Kind::Same ? same : scratch).push_back(known->second.text);
    }
}

std::string ClauseParts::text() const
{
    std::vector<std::string> parts;
    for (const auto &[where, which] : rows)
        parts.push_back("rows(" + joined(which) + " " + where + ")");
    if (!unknown.empty())
        parts.push_back("rows(" + joined(unknown) + " from first, count)");
    if (!same.empty())
        parts.push_back("same(" + joined(same) + ")");
    for (const auto &[operation, which] : own)
        parts.push_back("own(" + joined(which) + ": " + operation + ")");
    if (!scratch.empty())
        parts.push_back("scratch(" + joined(scratch) + ")");
    return joined(parts);
}

static std::string quoted(const std::vector<std::string> &all)
{
    std::string text;
    for (size_t i = 0; i < all.size(); i++)
        text += (i == 0 ? "'" : i + 1 < all.size() ? ", '" : " and '") + all[i] + "'";
    return text;
}

static std::string ofUnseen(const std::vector<std::string> &unseen)
{
    return unseen.empty()
               ? ""
               : "; what " + quoted(unseen) +
                     (unseen.size() > 1 ? " do, of other files," : " does, of another file,") +
                     " is not looked at";
}

/* What is to become of what each process keeps for itself. */
std::string ClauseParts::ofApart() const
{
    if (apart.empty())
        return "";
    return "; of " + quoted(apart) + (apart.size() > 1 ? ", which are" : ", which is") +
           " kept, too, each process may have something else: to be named in same(...) "
           "if it has not, in own(...) if the program puts what they have together by what is "
           "named there; else no clause is right, and the number stays";
}

std::string ClauseParts::advice(const std::string &hidden) const
{
    const bool known =
        complete && unknown.empty() && !(rows.empty() && same.size() + scratch.size() == 0);
    return "'#pragma xmpi loop state(" + text() + ")'" +
           (hidden.empty() ? "" : ", and has " + hidden + " where the loop can name it, too") +
           (known ? howToJudge : howToComplete) + ofApart() + ofUnseen(unseen);
}

} // namespace xmpi
