/* SPDX-License-Identifier: BSD-3-Clause
 * Writes a clause, with places for what is not known. */
#include "cells/clause_parts.h"
#include "report/words.h"

namespace xmpi
{

static bool isNameChar(char c)
{
    return isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool isIn(const std::string &name, const std::vector<std::string> &all)
{
    return llvm::any_of(all, [&](const std::string &one) {
        return name.size() > one.size() && name.compare(0, one.size(), one) == 0 &&
               !isNameChar(name[one.size()]);
    });
}

bool isInScratch(const std::string &name, const Shapes &shapes)
{
    return llvm::any_of(shapes, [&](const auto &shape) {
        return shape.second.kind == Shape::Kind::Scratch && isIn(name, {shape.first});
    });
}

void addExchanged(std::vector<std::string> &names, const Shapes &shapes)
{
    for (size_t i = 0; i < names.size(); i++)
        if (const auto shape = shapes.find(names[i]); shape != shapes.end())
            for (const std::string &other : shape->second.exchanged)
                if (!llvm::is_contained(names, other))
                    names.push_back(other);
}

void ClauseParts::add(const std::string &name, const std::string &operand, const Seen &seen,
                      const Shapes &shapes)
{
    const auto known = shapes.find(name);
    const bool numbers =
        known == shapes.end() ? seen.fixed : known->second.kind == Shape::Kind::Same;
    if (numbers && seen.sum)
        own["+"].push_back(known == shapes.end() ? operand : known->second.text);
    else if (known == shapes.end() && seen.fixed && !seen.divergent)
        same.push_back(operand);
    else if (known == shapes.end() && !seen.divergent) {
        same.push_back(operand + "[elements]");
        complete = false;
    } else if (known == shapes.end() && seen.fixed)
        apart.push_back(operand);
    else if (known == shapes.end())
        unknown.push_back(operand + "[rows]");
    else if (known->second.each && seen.divergent && seen.readFirst)
        each.push_back(operand);
    else if (known->second.kind == Shape::Kind::Same && seen.divergent && !known->second.complete)
        unknown.push_back(operand + "[rows]");
    else if (known->second.kind == Shape::Kind::Same && seen.divergent)
        apart.push_back(operand);
    else if (known->second.kind == Shape::Kind::Scratch && seen.readFirst)
        early.push_back(operand);
    else if (known->second.kind == Shape::Kind::Columns)
        columns.push_back(operand);
    else if (known->second.kind == Shape::Kind::Parts)
        parts.push_back(operand);
    else if (known->second.kind == Shape::Kind::Root)
        root.push_back(known->second.text);
    else if (known->second.kind != Shape::Kind::Named) {
        complete = complete && known->second.complete;
        (known->second.kind == Shape::Kind::Rows   ? rows[known->second.where]
         : known->second.kind == Shape::Kind::Same ? same
                                                   : scratch)
            .push_back(known->second.text);
    }
}

void ClauseParts::addSum(const std::string &name, const std::string &operand, bool fixed,
                         const Shapes &shapes)
{
    const auto known = shapes.find(name);
    const bool same = known != shapes.end() && known->second.kind == Shape::Kind::Same;
    own["+"].push_back(same ? known->second.text : operand + (fixed ? "" : "[elements]"));
    complete = complete && (same ? known->second.complete : fixed);
}

bool ClauseParts::isEmpty() const
{
    return text().empty() && apart.empty() && columns.empty() && parts.empty() && each.empty();
}

bool ClauseParts::isWhole() const
{
    return complete && unknown.empty() && apart.empty() && drawing.empty() && columns.empty() &&
           parts.empty() && early.empty() && !text().empty();
}

std::string ClauseParts::text() const
{
    std::vector<std::string> parts;
    for (const auto &[where, which] : rows)
        parts.push_back("rows(" + listed(which) + " " + where + ")");
    if (!unknown.empty())
        parts.push_back("rows(" + listed(unknown) + " from first, count)");
    if (!same.empty())
        parts.push_back("same(" + listed(same) + ")");
    for (const auto &[operation, which] : own)
        parts.push_back("own(" + listed(which) + ": " + operation + ")");
    if (!root.empty())
        parts.push_back("root(" + listed(root) + ")");
    if (!scratch.empty())
        parts.push_back("scratch(" + listed(scratch) + ")");
    return listed(parts);
}

/* What is to be put in for what has no name at the loop, or to be looked at. */
std::string ClauseParts::howToUse() const
{
    std::string beside = apart.empty() ? "" : ", with what becomes of " + allQuoted(apart);
    if (!drawing.empty())
        beside += std::string(beside.empty() ? ", with" : " and") +
                  " a variable to draw from instead of " + allQuoted(drawing);
    beside += beside.empty() ? "" : " for '...'";
    if (text().empty())
        return beside;
    if (!unknown.empty() || (rows.empty() && same.empty() && scratch.empty()))
        return beside + ", with numbers for rows (or elements), first and count: which rows, of "
                        "how many, are own";
    if (!complete)
        return beside + ", with numbers for elements";
    return beside.empty() ? " (by sizes of memory: xmpirun --check shows whether it is right)"
                          : beside;
}

/* What is to become of what each process keeps for itself. Where iterations go by it, another
 * process, with other rows, would go by something else. */
std::string ClauseParts::ofApart() const
{
    std::vector<std::string> other = apart;
    llvm::erase_if(other,
                   [&](const std::string &one) { return llvm::is_contained(deciding, one); });
    const auto kept = [](const std::vector<std::string> &all) {
        return "\n" + allQuoted(all) + (all.size() > 1 ? " are" : " is") +
               " kept, too, and may differ on each process";
    };
    return (other.empty()
                ? ""
                : kept(other) + ": own(...) keeps what is put together behind the loop, root(...) "
                                "what rank 0 needs, same(...) what does not differ, scratch(...) "
                                "what nobody reads again; else the number stays") +
           (deciding.empty()
                ? ""
                : kept(deciding) + ", and iterations go by it: only same(...) keeps that, where it "
                                   "does not differ; else the number stays");
}

/* What one iteration receives and the next one reads follows the layout: no clause keeps it. */
std::string ClauseParts::ofEarly() const
{
    return early.empty() ? ""
                         : "\n" + allQuoted(early) +
                               " may be read before an iteration fills it: receive it in the "
                               "iteration that reads it, or add scratch(" +
                               listed(early) + ") where that is not so";
}

/* Rows are what lies together in memory: of these parts of each are divided. */
std::string ClauseParts::ofColumns() const
{
    return "so its processes move as they are, and their number stays: columns of " +
           allQuoted(columns) +
           " are divided, and state(...) names rows, whose elements lie one behind another "
           "(a buffer that each iteration fills before it reads it is scratch(...) there)";
}

/* A clause names each by what leads to it. */
std::string ClauseParts::ofParts() const
{
    return "so its processes move as they are, and their number stays: " + allQuoted(parts) +
           (parts.size() > 1 ? " lead" : " leads") +
           " to arrays one behind another, of which state(...) needs each, as in rows((x[0])[n], "
           "(x[1])[n] from first, count): set x[0] and x[1] before the loop";
}

/* With another number of processes there are more of them, or fewer. */
std::string ClauseParts::ofEach() const
{
    return "so its processes move as they are, and their number stays: each process has as many "
           "elements of " +
           allQuoted(each) +
           ", however many processes there are, so that all that is computed follows their number "
           "(divide a number of rows that does not: count = n / size)";
}

std::string ClauseParts::ofUnseen() const
{
    return unseen.empty()
               ? ""
               : "\nwhat " + allQuoted(unseen) +
                     (unseen.size() > 1 ? " do, of other files," : " does, of another file,") +
                     " is not looked at";
}

/* What starts over seeds it again, and the rest of a clause is not known. */
std::string ClauseParts::ofDrawingAlone() const
{
    return "so its processes move as they are, and their number stays: " + ofDrawing().substr(1);
}

/* What starts over seeds it again. */
std::string ClauseParts::ofDrawing() const
{
    return drawing.empty()
               ? ""
               : "\nno clause keeps the state that " + allQuoted(drawing) +
                     (drawing.size() > 1 ? " draw" : " draws") +
                     " from, which the start makes anew: keep it in a variable, and name that";
}

std::string ClauseParts::advice(const std::string &hidden, const std::string &invisible) const
{
    if (!columns.empty())
        return ofColumns();
    if (!parts.empty())
        return ofParts();
    if (!each.empty())
        return ofEach();
    if (!drawing.empty() && !(complete && unknown.empty() && apart.empty() && early.empty()))
        return ofDrawingAlone();
    const std::string known = text(), more = known.empty() ? "..." : ", ...";
    return "so its processes move as they are, and their number stays; it changes, too, with "
           "'#pragma "
           "xmpi loop state(" +
           known + (apart.empty() && drawing.empty() ? "" : more) + ")'" + howToUse() +
           (hidden.empty() ? ""
            : hidden.find(", '") == std::string::npos
                ? "\ndeclare " + hidden + " where the loop sees it, and name it, too"
                : "\ndeclare " + hidden + " where the loop sees them, and name them, too") +
           (invisible.empty() ? "" : "\ndeclare " + invisible + " where the loop sees it") +
           ofApart() + ofEarly() + ofUnseen() + ofDrawing();
}

} // namespace xmpi
