/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays of pointers to rows: how they are registered, and follow the rows. */
#include "arrays/table_finder.h"
#include "check/safety.h"
#include "facts/storage.h"
#include "rows/elements.h"

namespace xmpi
{

using namespace clang;

bool TableFinder::describe(const VarDecl *variable, SourceLocation where)
{
    std::optional<RowTable> table =
        inference.division ? findRowTable(analysis, *inference.survey, variable) : std::nullopt;
    if (facts.isMadeByStart(variable))
        return true;
    if (!table || !(analysis.startsOver || isRebuilt(variable)))
        return registry.refuse(where, Problem::RowPointers, {variable->getName()});
    if (!taken.insert(table->block).second)
        return registry.refuse(where, Problem::RowPointers, {variable->getName()});
    const Values one(table->rows.size(), 1);
    if (analysis.startsOver && table->rows == inference.division->extent)
        return addRows(variable, where, *table,
                       facts.own->setsOwnOnly(variable, one) ? Scheme::Owned : Scheme::Replicated,
                       0);
    for (int extra : {0, 2, 4, 6}) {
        std::optional<Values> unit =
            rowLength(survey, table->rows, inference.division->count, extra, 0);
        if (!unit || *unit != one)
            continue;
        int halo = facts.own->halo(variable, one, extra);
        if (extra > 0 && halo == 0 && !facts.own->isWithin(variable, one))
            return registry.refuse(where, Problem::Halo,
                                   {variable->getName(), stateOfRows(variable)});
        return analysis.startsOver ? addRows(variable, where, *table, Scheme::Distributed, halo)
                                   : addTable(variable, where, *table, halo);
    }
    return registry.refuse(where, Problem::RowPointers, {variable->getName()});
}

/* Rows are where the program's own start puts them. */
bool TableFinder::addRows(const VarDecl *variable, SourceLocation where, const RowTable &table,
                          Scheme scheme, int halo)
{
    const size_t last = analysis.path.size() - 1;
    std::vector<std::string> shape =
        registry.texts({inference.division->extent, table.length}, last);
    if (shape.empty())
        return registry.refuseShape(where, variable);
    if (!registry.addAt(last, variable, scheme, shape, halo > 0 ? std::to_string(halo) : ""))
        return false;
    if (halo > 0) /* all processes have as many, so that those around the domain go along */
        analysis.entry(last).data.back().at = analysis.entry(last).data.back().behind =
            std::to_string(halo);
    aliasHolders(analysis, table, analysis.data.at(variable));
    return true;
}

/* The pointers can be written anew where the loop is: nobody else holds them, and the loop does
 * not exchange rows. */
bool TableFinder::isRebuilt(const VarDecl *variable) const
{
    if (countName().empty() || !canTellCallers(analysis, variable))
        return false;
    return llvm::none_of(analysis.inLoop.writes, [&](const Write &write) {
        return write.how == Write::How::Assigned && write.place.element &&
               write.place.type->isPointerType() && facts.uses.means(write.place.base, variable);
    });
}

/* What holds the number of own rows where the loop is. */
std::string TableFinder::countName() const
{
    const Step &step = analysis.loopStep();
    for (const RangeVariable &range : analysis.ranges)
        if (range.kind == RangeKind::Count && !range.place.behind &&
            analysis.structure.visible(range.place.base, step.function, step.anchor))
            return analysis.textOf(range.place, analysis.lastStep());
    return analysis.program.hiddenRange ? "xmpi_count" : "";
}

/* The same statement sets the pointers of VARIABLE and fills the rows, which joiners do not. */
bool TableFinder::isMadeWithRows(const VarDecl *variable) const
{
    return llvm::any_of(analysis.prologue, [&](const Item &item) {
        bool pointers = false, fills = isBeyondJoiners(analysis, item);
        for (const Write &write : item.effects.writes) {
            const bool pointer = write.place.type->isPointerType();
            pointers = pointers || (pointer && facts.isSame(write.place.base, variable));
            fills = fills || (write.place.element && !pointer);
        }
        return pointers && fills;
    });
}

/* The begin of the rows to which VARIABLE, written as NAME, leads, where there are ROWS of them. */
std::string TableFinder::firstRow(const VarDecl *variable, const RowTable &table,
                                  const std::string &name, const std::string &rows) const
{
    std::string some = rows + " > 0", first = name + "[0]";
    if (isMadeWithRows(variable)) {
        const std::string holder = holderOf(analysis, table);
        first = holder.empty() ? first : holder;
        some += holder.empty() ? " && " + name : "";
    }
    return some + " ? (void *)" + first + " : (void *)0;";
}

bool TableFinder::addTable(const VarDecl *variable, SourceLocation where, const RowTable &table,
                           int halo)
{
    const Step &step = analysis.loopStep();
    std::string length = survey.textFor(table.length, step.function, step.anchor);
    std::string name = analysis.textOf(Place::of(variable), analysis.lastStep());
    std::string rows = countName();
    std::vector<Values> shape = {inference.division->extent, table.length};
    if (length.empty() || registry.texts(shape, analysis.path.size() - 1).empty())
        return registry.refuseShape(where, variable);
    if (halo > 0)
        rows += " + " + std::to_string(2 * halo);
    std::string ours = "xmpi_rows_" + name;
    std::replace_if(
        ours.begin(), ours.end(), [](char c) { return !isalnum(c) && c != '_'; }, '_');
    if (analysis.several)
        ours += "_" + std::to_string(analysis.source.offset(variable->getLocation()));
    std::string told = tellCallers(analysis, variable, ours);
    if (!told.empty())
        ours += "[0]";
    /* Who has left an earlier loop, and comes to this one, has pointers to rows that are gone. */
    const std::string gone =
        analysis.several ? " if (xmpi_gen_gone()) " + ours + " = (void *)0;" : "";
    std::string first = ours + " = " + firstRow(variable, table, name, rows) + gone + told;
    Registrations &before = analysis.program.loop.before;
    Registrations &inside = analysis.program.loop.inside;
    before.prepare += (before.prepare.empty() ? "" : " ") + first;
    inside.prepare += (inside.prepare.empty() ? "" : " ") + first;
    analysis.program.loop.again.push_back(name + " = xmpi_gen_rows((void *)" + name + ", " + ours +
                                          ", (long long)(" + rows + "), sizeof **" + name +
                                          " * (unsigned long)(" + length + "));" + told);
    if (!registry.addAt(analysis.path.size() - 1, variable, Scheme::Distributed,
                        registry.texts(shape, analysis.path.size() - 1),
                        halo > 0 ? std::to_string(halo) : ""))
        return false;
    Data &data = before.data.back();
    data.table = name;
    data.variable = ours;
    data.elements = elementsOf(analysis.context, pointedBy(variable)->getPointeeType());
    aliasHolders(analysis, table, data.name);
    return true;
}

} // namespace xmpi
