/* SPDX-License-Identifier: BSD-3-Clause
 * Values that setup statements set on some ranks only begin anew when they are run again. */
#include "infer/setup_starts.h"
#include "facts/statement_kind.h"

namespace xmpi
{

using namespace clang;

/* A condition that another rank may not meet: it keeps the value from before. */
static bool chooses(const Analysis &analysis, const Write &write)
{
    return llvm::any_of(write.conditions, [&](const Expr *condition) {
        const Stmt *parent = analysis.structure.parent(condition);
        return isa_and_nonnull<IfStmt, SwitchStmt>(parent);
    });
}

/* list[n++]: what lies behind the n first elements is not looked at. */
static bool isStep(const Expr *index)
{
    const auto *unary = dyn_cast<UnaryOperator>(index->IgnoreParenImpCasts());
    return unary != nullptr && unary->isIncrementDecrementOp();
}

/* mask[rank % 8] = 1: another rank sets another element. Counters go over all. */
static bool choosesElement(const Analysis &analysis, const Write &write)
{
    return llvm::any_of(write.conditions, [&](const Expr *condition) {
        return isa_and_nonnull<ArraySubscriptExpr>(analysis.structure.parent(condition)) &&
               !isa<DeclRefExpr>(condition->IgnoreParenImpCasts()) && !isStep(condition);
    });
}

static bool isOwn(const Item &item, const VarDecl *variable)
{
    return llvm::find(item.effects.declared, variable) != item.effects.declared.end();
}

/* cnt[i]++: elements from what they were. */
static bool isSum(const Write &write)
{
    const Effects effects = EffectsFinder().of(write.value);
    return effects.names(write.place);
}

/* What ITEM makes of the variable of WRITE may depend on what it had before. */
static bool needsStart(const Analysis &analysis, const Item &item, const Write &write)
{
    const Place &place = write.place;
    bool array = place.type->isConstantArrayType();
    if (place.element || place.behind || write.how == Write::How::Declared ||
        !(place.type->isArithmeticType() || array) || analysis.rangeAt(place) != nullptr ||
        analysis.isData(place.base) || isOwn(item, place.base))
        return false;
    const auto &mentions = item.effects.mentions;
    auto first = llvm::find_if(
        mentions, [&](const Mention &mention) { return overlap(mention.place, place); });
    bool assigned = first != mentions.end() && first->assigned;
    bool anew = llvm::any_of(item.effects.writes, [&](const Write &other) {
        return other.how == Write::How::Assigned && assigned && overlap(other.place, place) &&
               other.conditions.empty() && first->where == other.where;
    });
    bool reads = place.field == nullptr && !array && first != mentions.end() && !assigned;
    reads =
        reads ||
        (array && ((write.value != nullptr && isSum(write)) || choosesElement(analysis, write)));
    return !anew && (chooses(analysis, write) || reads || isByOwnFunction(write));
}

void beginAgain(Analysis &analysis, const Write &write)
{
    const bool named = !isa<ImplicitValueInitExpr>(write.value); /* {.n = 100}: others are 0 */
    std::string text =
        write.place.text() + " = " +
        (named ? analysis.source.text(analysis.source.expression(write.value)).str() : "0") + ";";
    std::vector<std::string> &again = analysis.program.loop.again;
    if (llvm::find(again, text) == again.end())
        again.push_back(text);
}

/* A number that is declared with a constant, where the loop is, gets it again before the copies. */
static bool beginsAgain(Analysis &analysis, const Item &item, const Write &write)
{
    const Step &step = analysis.loopStep();
    if (write.how != Write::How::Declared || !isa<DeclStmt>(item.statement) ||
        item.kind != Class::Keep || item.step + 1 != analysis.path.size() ||
        !write.place.type->isArithmeticType() || write.place.type.isConstQualified() ||
        write.value == nullptr || !write.value->isEvaluatable(analysis.context) ||
        !analysis.structure.visible(write.place.base, step.function, step.anchor))
        return false;
    beginAgain(analysis, write);
    return true;
}

/* The statements before the one at READER that set PLACE, back to one that sets it in any case. */
static void addBefore(Analysis &analysis, size_t reader, const Place &place,
                      std::set<size_t> &starts)
{
    for (size_t i = reader; i-- > 0;) {
        const Item &item = analysis.prologue[i];
        bool anew = false;
        for (const Write &write : item.effects.writes) {
            bool whole = write.place.field == nullptr; /* of a struct: all of it */
            if (!overlap(write.place, place) || (!whole && write.place.field != place.field) ||
                write.place.element || write.place.behind != place.behind)
                continue;
            if (beginsAgain(analysis, item, write))
                return;
            starts.insert(i);
            anew = anew || (write.conditions.empty() && write.how != Write::How::Passed &&
                            !needsStart(analysis, item, write));
        }
        if (anew)
            return;
    }
}

std::set<size_t> findStarts(Analysis &analysis)
{
    std::set<size_t> starts;
    for (size_t reader = 0; reader < analysis.prologue.size(); reader++) {
        const Item &item = analysis.prologue[reader];
        if (item.kind != Class::Setup || !item.pragma->inferred)
            continue;
        for (const Write &write : item.effects.writes)
            if (needsStart(analysis, item, write))
                addBefore(analysis, reader, write.place, starts);
    }
    return starts;
}

} // namespace xmpi
