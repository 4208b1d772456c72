/* SPDX-License-Identifier: BSD-3-Clause
 * Sparse matrices of three arrays, which are moved or assembled again. */
#include "arrays/sparse_finder.h"
#include "facts/storage.h"
#include "rows/sparse.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

bool SparseFinder::find()
{
    std::set<const VarDecl *> seen;
    bool good = true;
    for (const Mention &mention : analysis.inLoop.mentions) {
        const VarDecl *variable = mention.place.base->getCanonicalDecl();
        if (!inference.division || !seen.insert(variable).second || !facts.isCandidate(variable))
            continue;
        const void *block = blockOf(survey, variable);
        std::optional<Values> values =
            block ? elementsOf(analysis, survey, variable, block) : std::nullopt;
        if (values && isRowPointers(variable, *values))
            good = describeSparse(variable, mention.where) && good;
    }
    return good;
}

/* One more than rows, and the loop goes over entries from one to the next. */
bool SparseFinder::isRowPointers(const VarDecl *variable, const Values &values) const
{
    std::optional<Values> unit = rowLength(survey, values, inference.division->count, 1, 0);
    return unit && *unit == Values(unit->size(), 1) && pointersIn(variable) == 0 &&
           pointedBy(variable)->isIntegerType() && !entriesOf(facts.uses, variable).empty();
}

/* A sparse matrix that everybody assembles for himself is assembled again; else it is moved. */
bool SparseFinder::describeSparse(const VarDecl *variable, SourceLocation where)
{
    std::vector<const VarDecl *> arrays = {variable};
    for (const VarDecl *entries : entriesOf(facts.uses, variable))
        if (facts.isCandidate(entries))
            arrays.push_back(entries);
    if (isMadeAgain(arrays))
        return true;
    size_t step = analysis.path.size() - 1;
    std::vector<std::string> shape = registry.texts({inference.division->extent}, step);
    if (arrays.size() == 3 && !arrays[1]->getType()->getPointeeType()->isIntegerType())
        std::swap(arrays[1], arrays[2]);
    if (arrays.size() != 3 || shape.empty() ||
        !arrays[1]->getType()->getPointeeType()->isIntegerType())
        return isLeftToStart(arrays) || registry.refuseShape(where, variable);
    for (size_t i = 0; i < 3; i++) {
        registry.addAt(step, arrays[i], Scheme::Distributed, shape, "");
        analysis.program.loop.before.data.back().csr = static_cast<int>(i) + 1;
    }
    return true;
}

/* Where the program starts over, its start makes ARRAYS as it has made them, whatever else there is
 * of them or not (a graph has no values), if nothing changes them. */
bool SparseFinder::isLeftToStart(const std::vector<const VarDecl *> &arrays)
{
    if (!analysis.startsOver ||
        llvm::any_of(arrays, [&](const VarDecl *array) { return facts.isChanged(array); }))
        return false;
    made.insert(arrays.begin(), arrays.end());
    return true;
}

/* No statement that fills ARRAYS does what only the first processes may do, or sets what the
 * loop goes on with. What is filled with them and not changed is made again, too. */
bool SparseFinder::isMadeAgain(const std::vector<const VarDecl *> &arrays)
{
    auto filled = filledAlong(analysis, arrays, [&](const VarDecl *one, const VarDecl *other) {
        return facts.isSame(one, other);
    });
    if (!filled || (!inference.division->variables.empty() && dividesRows(arrays)))
        return false;
    if (analysis.movesSparse && arrays.size() == 3)
        return false;
    for (const VarDecl *array : *filled) {
        bool entries = llvm::find(arrays, array) != arrays.end();
        bool changed = facts.uses.isWritten(array);
        if ((changed && (entries || !facts.isScratch(array) || facts.isUsedAfter(array))) ||
            facts.isFilledInitially(array))
            return false;
    }
    made.insert(filled->begin(), filled->end());
    analysis.assembles = true;
    return true;
}

/* The first statement that sets something of the range fills one of ARRAYS as well: it is not
 * told which rows, but follows its own formula. */
bool SparseFinder::dividesRows(const std::vector<const VarDecl *> &arrays) const
{
    size_t first = SIZE_MAX;
    for (const auto &[range, item] : inference.division->variables)
        first = std::min(first, item);
    const auto &writes = analysis.prologue[first].effects.writes;
    return llvm::any_of(writes, [&](const Write &write) {
        const VarDecl *base = write.place.base->getCanonicalDecl();
        return write.place.element && write.place.field == nullptr &&
               llvm::any_of(arrays,
                            [&](const VarDecl *array) { return facts.isSame(base, array); });
    });
}

} // namespace xmpi
