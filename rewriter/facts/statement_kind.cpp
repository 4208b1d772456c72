/* SPDX-License-Identifier: BSD-3-Clause
 * Questions about one statement of the prologue that its own text answers. */
#include "facts/statement_kind.h"
#include "source/loops.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

bool isName(const Expr *expression, llvm::StringRef one, llvm::StringRef other)
{
    const auto *call = dyn_cast<CallExpr>(expression);
    return call != nullptr && (calleeName(call) == one || calleeName(call) == other);
}

bool isByOwnFunction(const Write &write)
{
    const CallExpr *call = write.call;
    if (call == nullptr && write.value != nullptr)
        call = dyn_cast<CallExpr>(write.value->IgnoreParenCasts());
    return definitionOf(call) != nullptr;
}

bool leavesAround(const Stmt *statement, bool inLoop)
{
    if (isa<ReturnStmt, GotoStmt>(statement) ||
        (!inLoop && isa<BreakStmt, ContinueStmt>(statement)))
        return true;
    bool loop = inLoop || isLoop(statement) || isa<SwitchStmt>(statement);
    return llvm::any_of(partsIn(statement),
                        [&](const Stmt *child) { return leavesAround(child, loop); });
}

bool makesHandle(const Effects &effects)
{
    if (llvm::any_of(effects.calls, PersistentRequests::isInit))
        return true;
    return llvm::any_of(effects.writes, [](const Write &write) {
        return isHandle(write.place.type) && !isScratchHandle(write.place.type);
    });
}

/* The item sets PLACE from nothing that it held before, on every way through. */
bool setsAnew(const Effects &effects, const Write &write)
{
    if (write.how == Write::How::Declared)
        return true;
    if (write.how != Write::How::Assigned || write.place.behind || write.place.element)
        return false;
    for (const Mention &mention : effects.mentions)
        if (overlap(mention.place, write.place)) {
            auto same = llvm::count_if(effects.writes, [&](const Write &other) {
                return overlap(other.place, write.place);
            });
            return mention.assigned && (write.conditions.empty() || same > 1);
        }
    return false;
}

bool readsElement(const Analysis &analysis, const Stmt *value)
{
    if (isa<UnaryExprOrTypeTraitExpr>(value))
        return false;
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(value))
        if (std::optional<Place> place = placeOf(element); place && analysis.isData(place->base))
            return true;
    return llvm::any_of(partsIn(value),
                        [&](const Stmt *child) { return readsElement(analysis, child); });
}

} // namespace xmpi
