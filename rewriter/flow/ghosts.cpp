/* SPDX-License-Identifier: BSD-3-Clause
 * Whether ghost rows are filled in each iteration that reads them. A reconfiguration fills them
 * with the rows that they stand for as these are then: what messages have brought some iterations
 * ago, and not since, is not to be had again. */
#include "flow/rank_values.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

/* Messages, a function of another file, or what has been in either, is put there. */
void RankValues::fill(const Place &place)
{
    if (!iterating || !rowsOf(place))
        return;
    for (const VarDecl *variable : pointees(baseOf(place)))
        state.filled.insert(variable);
}

/* A loop over own rows that reads several rows beside one another reads ghost rows at the ends. */
void RankValues::noteGhosts(const Rows &rows, const Place &place, const Form &index,
                            SourceLocation where) const
{
    if (!iterating || rowLoops.empty() || rows.global || rows.halo.empty() ||
        !index.has(Form::Own) || index.has(Form::First) || index.shift == "*")
        return;
    for (const VarDecl *meant : pointees(baseOf(place)))
        if (state.filled.count(meant) != 0)
            return;
    std::set<std::string> &reads = rowLoops.back().reads[rows.variable];
    reads.insert(index.shift.empty() ? "0" : index.shift);
    if (reads.size() > 1)
        unfilled.emplace(rows.variable, where);
}

/* A number that goes from one iteration of the adaptive loop to the next, and is changed there. */
bool RankValues::isCarried(const VarDecl *variable) const
{
    const auto *counted = dyn_cast<ForStmt>(analysis.loop);
    const auto *declared =
        counted != nullptr ? dyn_cast_or_null<DeclStmt>(counted->getInit()) : nullptr;
    const bool counter =
        declared != nullptr &&
        std::find(declared->decl_begin(), declared->decl_end(), variable) != declared->decl_end();
    return variable->getType()->isArithmeticType() && (counter || analysis.liveAtLoop(variable)) &&
           std::any_of(analysis.inLoop.writes.begin(), analysis.inLoop.writes.end(),
                       [&](const Write &write) {
                           return baseOf(write.place) == variable->getCanonicalDecl() &&
                                  write.how == Write::How::Assigned;
                       });
}

/* CONDITION holds in some iterations only, by what they carry on. */
bool RankValues::choosesIterations(const Expr *condition, int depth) const
{
    enum { MaxDepth = 3 };
    const Effects effects = analysis.finder.of(condition);
    return iterating && depth < MaxDepth &&
           std::any_of(effects.mentions.begin(), effects.mentions.end(),
                       [&](const Mention &mention) {
                           const VarDecl *variable = mention.place.base;
                           if (mention.place.element || mention.place.behind || mention.assigned)
                               return false;
                           return isCarried(variable) ||
                                  (variable->isLocalVarDecl() && variable->getInit() != nullptr &&
                                   choosesIterations(variable->getInit(), depth + 1));
                       });
}

} // namespace xmpi
