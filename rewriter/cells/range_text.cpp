/* SPDX-License-Identifier: BSD-3-Clause
 * Writes the first own row and the number of own rows by the names that they have at the loop. */
#include "cells/range_text.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

std::string nameAtLoop(const Analysis &analysis, const Place &place)
{
    const Step &step = analysis.loopStep();
    const bool seen = analysis.members.contains(place.base) ||
                      analysis.structure.visible(place.base, step.function, step.anchor);
    return seen ? analysis.textOf(place, analysis.lastStep()) : "";
}

std::string operandOf(const std::string &name)
{
    const bool plain = llvm::all_of(name, [](char c) { return isalnum(c) || c == '_'; });
    return plain ? name : "(" + name + ")";
}

/* A variable of the division of one of KINDS. */
static std::string nameOf(const Analysis &analysis, std::initializer_list<RangeKind> kinds,
                          RangeKind &found)
{
    for (RangeKind kind : kinds)
        for (const RangeVariable &range : analysis.ranges) {
            found = kind;
            const std::string name = range.kind == kind ? nameAtLoop(analysis, range.place) : "";
            if (!name.empty())
                return name;
        }
    return "";
}

/* The one of the division's tables that holds all first rows, or all counts. */
static std::string tableOf(const Analysis &analysis, const Division &division, RangeKind kind)
{
    for (const Place &table : division.tables) {
        auto known = analysis.renewed.find({table.base->getCanonicalDecl(), table.field});
        if (known != analysis.renewed.end() && known->second.plain && known->second.kind == kind)
            return nameAtLoop(analysis, table);
    }
    return "";
}

/* Entries of one table are where rows begin, and where those of the next rank do. */
static bool isOneTable(const Division &division)
{
    const Place &one = division.tables.front(), &other = division.tables.back();
    return division.tables.size() == 2 && one.field == other.field &&
           one.base->getCanonicalDecl() == other.base->getCanonicalDecl();
}

/* The process's own entries of tables; of one that holds all begins, and the end. */
static RangeText entriesText(const Analysis &analysis, const Division &division)
{
    RangeKind found;
    const std::string rank = nameOf(analysis, {RangeKind::Rank}, found),
                      begins = tableOf(analysis, division, RangeKind::Displ),
                      counts = tableOf(analysis, division, RangeKind::Count),
                      ends = tableOf(analysis, division, RangeKind::End),
                      last = tableOf(analysis, division, RangeKind::Last);
    if (rank.empty() || begins.empty())
        return {};
    const std::string first = begins + "[" + rank + "]";
    if (!counts.empty())
        return {first, counts + "[" + rank + "]"};
    if (!ends.empty() || !last.empty())
        return {first, (ends.empty() ? last : ends) + "[" + rank + "] - " + first +
                           (ends.empty() ? " + 1" : "")};
    return isOneTable(division) ? RangeText{first, begins + "[" + rank + " + 1] - " + first}
                                : RangeText();
}

RangeText rangeText(const Analysis &analysis, const Division &division)
{
    if (division.counted)
        return {};
    if (!division.tables.empty())
        if (const RangeText entries = entriesText(analysis, division);
            !entries.first.empty() || !analysis.startsOver || !division.atLoop)
            return entries;
    if (!division.firstText.empty())
        return {division.firstText, division.countText};
    RangeKind begin, end;
    std::string first = nameOf(analysis, {RangeKind::Displ, RangeKind::Begin}, begin);
    std::string count = nameOf(analysis, {RangeKind::Count, RangeKind::End, RangeKind::Last}, end);
    if (first.empty() || count.empty())
        return {};
    if (begin == RangeKind::Begin)
        first = "(long long)" + first + " - 1";
    if (end != RangeKind::Count)
        count = "(long long)" + count + " - (" + first + ")";
    if (end == RangeKind::Last)
        count += " + 1";
    return {first, count};
}

namespace
{

/* What a formula of the first own row is made of, as numbers and by name. */
struct Terms {
    long long rank, size, rows, count;
};
struct Names {
    std::string rank, size, rows, count;
};

/* One of the ways in which programs cut rows into blocks. */
struct Formula {
    long long (*first)(const Terms &);
    std::string (*text)(const Names &);
};

const Formula formulas[] = {
    /* equal blocks */
    {[](const Terms &of) { return of.rank * of.count; },
     [](const Names &of) { return "(long long)" + of.rank + " * " + of.count; }},
    /* the last process takes the rest */
    {[](const Terms &of) { return of.rank * (of.rows / of.size); },
     [](const Names &of) {
         return "(long long)" + of.rank + " * (" + of.rows + " / " + of.size + ")";
     }},
    /* the first ones take a row more each */
    {[](const Terms &of) {
         return of.rank * (of.rows / of.size) + std::min(of.rank, of.rows % of.size);
     },
     [](const Names &of) {
         const std::string rest = of.rows + " % " + of.size;
         return "(long long)" + of.rank + " * (" + of.rows + " / " + of.size + ") + (" + of.rank +
                " < " + rest + " ? " + of.rank + " : " + rest + ")";
     }},
    /* the last ones do */
    {[](const Terms &of) {
         return of.rank * (of.rows / of.size) +
                std::max(0LL, of.rank - of.size + of.rows % of.size);
     },
     [](const Names &of) {
         const std::string more = of.rank + " - " + of.size + " + " + of.rows + " % " + of.size;
         return "(long long)" + of.rank + " * (" + of.rows + " / " + of.size + ") + (" + more +
                " > 0 ? " + more + " : 0)";
     }},
    /* rounded where a block begins */
    {[](const Terms &of) { return of.rank * of.rows / of.size; },
     [](const Names &of) { return "(long long)" + of.rank + " * " + of.rows + " / " + of.size; }},
};

/* It is where the rows of each process begin, in all samples. */
bool fits(const Formula &formula, const Division &division, const Survey &survey)
{
    for (size_t i = 0; i < survey.samples.size(); i++) {
        const Survey::Sample &sample = survey.samples[i];
        if (formula.first({sample.rank, sample.size, division.extent[i], division.count[i]}) !=
            division.first[i])
            return false;
    }
    return true;
}

} // namespace

RangeText rangeText(const Analysis &analysis, const Division &division, const Survey &survey)
{
    const RangeText named = rangeText(analysis, division);
    if (!named.first.empty() || !division.counted || !division.tables.empty())
        return named;
    RangeKind found;
    const Step &step = analysis.loopStep();
    const std::string rows = survey.textFor(division.extent, step.function, step.anchor);
    const Names names = {nameOf(analysis, {RangeKind::Rank}, found),
                         nameOf(analysis, {RangeKind::Size}, found), operandOf(rows),
                         division.countText.empty() ? nameOf(analysis, {RangeKind::Count}, found)
                                                    : operandOf(division.countText)};
    if (names.rank.empty() || names.count.empty())
        return {};
    const bool whole = !names.size.empty() && !rows.empty(); /* the first one needs neither */
    for (const Formula &formula : formulas)
        if ((whole || &formula == formulas) && fits(formula, division, survey))
            return {formula.text(names), names.count};
    return {};
}

std::string readable(std::string text)
{
    static const std::string from = "(__UINTPTR_TYPE__)&";
    for (size_t at; (at = text.find(from)) != std::string::npos;) {
        const size_t begin = text.rfind("*(", at);
        if (begin == std::string::npos)
            break;
        text.erase(begin, at + from.size() - begin);
    }
    return text;
}

std::string arrayText(const std::vector<std::string> &names,
                      const std::vector<std::string> &extents)
{
    std::string text;
    for (const std::string &name : names) {
        const bool plain = llvm::all_of(name, [](char c) { return isalnum(c) || c == '_'; });
        text += (text.empty() ? "" : ", ") +
                (plain || name[0] == '(' || extents.empty() ? name : "(" + name + ")");
        for (const std::string &extent : extents)
            text += "[" + readable(extent) + "]";
    }
    return text;
}

} // namespace xmpi
