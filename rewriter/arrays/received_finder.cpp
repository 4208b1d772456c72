/* SPDX-License-Identifier: BSD-3-Clause
 * What messages of an iteration fill: it needs its first contents in each layout, and nothing else.
 */
#include "report/advice.h"
#include "arrays/received_finder.h"
#include "check/safety.h"

namespace xmpi
{

using namespace clang;

bool ReceivedFinder::isValueAround(const VarDecl *variable) const
{
    const Step &step = analysis.loopStep();
    QualType type = variable->getType();
    return isPlainValue(type) && !type->isRecordType() && !type.isConstQualified() &&
           analysis.structure.alive(variable, step.function, step.anchor) &&
           analysis.structure.visible(variable, step.function, step.anchor);
}

bool ReceivedFinder::describe(const VarDecl *variable, SourceLocation where)
{
    const Write *only = nullptr;
    size_t writes = 0;
    if (analysis.startsOver)
        return true;
    for (const Item &item : analysis.prologue)
        for (const Write &write : item.effects.writes)
            if (write.place.base->getCanonicalDecl() == variable) {
                only = &write;
                writes++;
            }
    bool number = variable->getType()->isArithmeticType();
    if (writes == 0 && variable->hasGlobalStorage() && variable->getInit() == nullptr) {
        clearAgain(variable);
        return true;
    }
    if (writes == 0 && !variable->hasGlobalStorage())
        return true;
    if (writes > 0 && !number && isBuffer(variable))
        return true;
    const Expr *value = only != nullptr ? only->value : variable->getInit();
    if (!number || writes > 1 || value == nullptr || !value->isEvaluatable(analysis.context))
        return registry.refuse(where, Problem::LocalState,
                               {variable->getName(), declaredFirst(analysis, variable)});
    analysis.program.loop.again.push_back(
        nameAtLoop(variable) + " = " +
        analysis.source.text(analysis.source.expression(value)).str() + ";");
    return true;
}

std::string ReceivedFinder::nameAtLoop(const VarDecl *variable) const
{
    return analysis.textOf(Place::of(variable), analysis.lastStep());
}

/* What the program starts with. */
void ReceivedFinder::clearAgain(const VarDecl *variable)
{
    std::string name = nameAtLoop(variable);
    analysis.program.loop.again.push_back(variable->getType()->isArithmeticType()
                                              ? name + " = 0;"
                                              : "__builtin_memset(&" + name + ", 0, sizeof " +
                                                    name + ");");
}

static bool isCleared(const Write &write)
{
    return callsOneOf(write.value, {"calloc"});
}

bool ReceivedFinder::isBuffer(const VarDecl *variable)
{
    std::set<const VarDecl *> buffers;
    for (const Item &item : analysis.prologue)
        for (const Write &write : item.effects.writes) {
            if (!facts.isSame(write.place.base, variable))
                continue;
            bool filled = write.place.element || isCleared(write) ||
                          !write.place.base->getType()->isPointerType();
            if (filled && !isForBuffersOnly(item))
                return false;
            if (filled)
                buffers.insert(write.place.base->getCanonicalDecl());
        }
    analysis.buffers.insert(buffers.begin(), buffers.end());
    return true;
}

/* What it sets beside can be set again: the loop does not change it. */
bool ReceivedFinder::isForBuffersOnly(const Item &item) const
{
    const auto &own = item.effects.declared;
    bool silent = llvm::none_of(item.effects.calls, [&](const CallExpr *call) {
        return !inputOutput(analysis, call).empty() ||
               (isMpiCall(call) && !PersistentRequests::isInit(call) &&
                !communication(analysis, call).empty());
    });
    return llvm::all_of(item.effects.writes, [&](const Write &write) {
        const VarDecl *base = write.place.base;
        bool inside = base->getType()->isArithmeticType() && llvm::find(own, base) != own.end();
        bool kept = silent && !write.place.element && analysis.members.contains(base) &&
                    !facts.uses.isWritten(base);
        return inside || kept || facts.isReceived(base);
    });
}

} // namespace xmpi
