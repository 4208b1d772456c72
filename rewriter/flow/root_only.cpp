/* SPDX-License-Identifier: BSD-3-Clause
 * Looks at every place where a variable is named. */
#include "flow/root_only.h"
#include "handles/streams.h"
#include "facts/first_use.h"
#include "flow/root_guards.h"
#include "source/integer.h"
#include "source/variable.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

namespace
{

class Finder
{
  public:
    explicit Finder(Analysis &analysis) : analysis(analysis), guards(analysis)
    {
    }

    void find()
    {
        if (analysis.several)
            return; /* an earlier loop may have made another process rank 0 */
        followLayout();
        for (const FunctionDecl *function : analysis.structure.functions)
            look(function->getBody());
        followHanded();
        followTested();
        for (const VarDecl *variable : rooted)
            if (others.count(variable) == 0 && isCandidate(variable) &&
                (isKept(variable) || analysis.startsOver))
                analysis.rootOnly.insert(variable);
        if (!analysis.rootOnly.empty())
            analysis.program.loop.before.prepare = "xmpi_gen_root();";
    }

  private:
    Analysis &analysis;
    const RootGuards guards;
    std::set<const VarDecl *> rooted; /* rank 0 sets them */
    std::set<const VarDecl *> others; /* named in another way */
    std::set<const VarDecl *> layout; /* follow from the size or the rows */
    /* Streams that all ranks hand on, to parameters of functions of the file. */
    std::vector<std::pair<const VarDecl *, const VarDecl *>> handed;
    /* What stands under tests of pointers, of which one that only rank 0 has is enough. */
    std::vector<std::pair<const VarDecl *, std::set<const VarDecl *>>> tested;
    std::set<const VarDecl *> everywhere; /* pointers that are not null on other ranks */

    /* Declared on the way to the loop, where all that names it is seen. */
    bool isCandidate(const VarDecl *variable) const
    {
        if (isa<ParmVarDecl>(variable) || variable->getType()->isRecordType() ||
            variable->hasExternalFormalLinkage() || analysis.members.contains(variable) ||
            analysis.members.isShared(variable) || analysis.rangeAt(Place::of(variable)) != nullptr)
            return false;
        if (variable->hasGlobalStorage())
            return true;
        return llvm::any_of(analysis.path, [&](const Step &step) {
            return analysis.structure.alive(variable, step.function, step.anchor);
        });
    }

    /* A value that rank 0 has set before, or in an earlier iteration, is needed later. */
    bool isKept(const VarDecl *variable)
    {
        auto sets = [&](const Effects &effects) {
            return llvm::any_of(effects.writes, [&](const Write &write) {
                return write.place.base->getCanonicalDecl() == variable &&
                       (write.how != Write::How::Declared ||
                        (write.value != nullptr && isRootChoice(write.value)));
            });
        };
        auto names = [&](const Effects &effects) {
            return llvm::any_of(effects.mentions, [&](const Mention &mention) {
                return mention.place.base->getCanonicalDecl() == variable;
            });
        };
        bool before =
            llvm::any_of(analysis.prologue, [&](const Item &item) { return sets(item.effects); });
        bool after = llvm::any_of(analysis.after, names);
        if (!before && !sets(analysis.inLoop))
            return false;
        return (before && after) ||
               (names(analysis.inLoop) && !setsBeforeReading(analysis, variable, nullptr, after));
    }

    /* What follows from the layout, but for the rank: memory of such a size would have to change.
     */
    void followLayout()
    {
        for (const RangeVariable &range : analysis.ranges)
            if (range.kind != RangeKind::Rank)
                layout.insert(range.place.base->getCanonicalDecl());
        for (size_t before = 0; before != layout.size();) {
            before = layout.size();
            for (const Item &item : analysis.prologue)
                for (const Write &write : item.effects.writes)
                    if (followsLayout(write.value) ||
                        llvm::any_of(write.conditions,
                                     [&](const Expr *one) { return followsLayout(one); }))
                        layout.insert(write.place.base->getCanonicalDecl());
        }
    }

    bool followsLayout(const Expr *expression) const
    {
        if (expression == nullptr)
            return false;
        const Effects effects = analysis.finder.of(expression);
        return llvm::any_of(effects.mentions, [&](const Mention &mention) {
            return layout.count(mention.place.base->getCanonicalDecl()) != 0;
        });
    }

    /* -- where a name stands */

    void look(const Stmt *statement)
    {
        if (const auto *reference = dyn_cast<DeclRefExpr>(statement))
            if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
                judge(reference, variable->getCanonicalDecl());
        for (const VarDecl *variable : declaredBy(statement))
            if (variable->getInit() != nullptr)
                judgeFirst(variable->getCanonicalDecl(), variable->getInit());
        for (const Stmt *child : partsIn(statement))
            if (analysis.finder.skipped.count(child) == 0)
                look(child);
    }

    /* VALUE is what VARIABLE is declared with. */
    void judgeFirst(const VarDecl *variable, const Expr *value)
    {
        if (isRootChoice(value) && !followsLayout(value))
            rooted.insert(variable);
        else if (!isConstant(value))
            others.insert(variable);
        else if (!isNull(analysis, value))
            everywhere.insert(variable);
    }

    /* `rank == 0 ? fopen(...) : NULL` is `if (rank == 0) ...` where the others have a constant. The
     * value of a variable is none: it may be memory that others have as well. */
    bool isRootChoice(const Expr *value) const
    {
        const auto *choice = dyn_cast<ConditionalOperator>(value->IgnoreParenImpCasts());
        if (choice == nullptr)
            return false;
        const bool first = guards.holds(choice->getCond(), true, nullptr);
        const Expr *own = first ? choice->getTrueExpr() : choice->getFalseExpr();
        const Expr *other = first ? choice->getFalseExpr() : choice->getTrueExpr();
        return (first || guards.holds(choice->getCond(), false, nullptr)) && isConstant(other) &&
               isa<CallExpr>(own->IgnoreParenCasts());
    }

    bool isConstant(const Expr *value) const
    {
        return value->isEvaluatable(analysis.context) ||
               value->isNullPointerConstant(analysis.context, Expr::NPC_ValueDependentIsNull);
    }

    void judge(const DeclRefExpr *reference, const VarDecl *variable)
    {
        if (others.count(variable))
            return;
        const Stmt *inner = reference;
        const Stmt *outer = analysis.structure.parent(inner);
        while (isa_and_nonnull<CastExpr, ParenExpr>(outer))
            inner = outer, outer = analysis.structure.parent(inner);
        const auto *binary = dyn_cast_or_null<BinaryOperator>(outer);
        bool assigned = binary != nullptr && binary->isAssignmentOp() && binary->getLHS() == inner;
        const auto *unary = dyn_cast_or_null<UnaryOperator>(outer);
        assigned = assigned || (unary != nullptr && (unary->isIncrementDecrementOp() ||
                                                     unary->getOpcode() == UO_AddrOf));
        bool pointer = variable->getType()->isPointerType();
        if (guards.isUnder(reference, pointer && !assigned ? variable : nullptr)) {
            if (pointer && (isCopied(binary, inner) ||
                            (assigned && (binary == nullptr || followsLayout(binary->getRHS())))))
                others.insert(variable);
            else
                rooted.insert(variable);
        } else if (const CallExpr *call = callWith(inner, outer)) {
            if (const VarDecl *parameter = parameterFor(call, variable))
                handed.emplace_back(variable, parameter);
            else if (!isAtRoot(call, variable))
                judgeTested(reference, variable);
            else if (!pointer)
                rooted.insert(variable);
        } else if (assigned && binary != nullptr && binary->getOpcode() == BO_Assign &&
                   isRootChoice(binary->getRHS()) && !followsLayout(binary->getRHS())) {
            rooted.insert(variable);
        } else if (assigned && binary != nullptr && binary->getOpcode() == BO_Assign &&
                   isConstant(binary->getRHS())) {
            if (!isNull(analysis, binary->getRHS()))
                everywhere.insert(variable);
        } else if (!isTested(inner, outer, pointer)) {
            judgeTested(reference, variable);
        }
    }

    /* No condition on the rank is around REFERENCE. */
    void judgeTested(const DeclRefExpr *reference, const VarDecl *variable)
    {
        std::set<const VarDecl *> pointers = testedAround(reference);
        if (variable->getType()->isPointerType() || pointers.empty())
            others.insert(variable);
        else
            tested.emplace_back(variable, std::move(pointers));
    }

    /* Pointers that are not null where REFERENCE is reached. */
    std::set<const VarDecl *> testedAround(const DeclRefExpr *reference) const
    {
        std::set<const VarDecl *> found;
        for (const Stmt *outer = analysis.structure.parent(reference); outer != nullptr;
             outer = analysis.structure.parent(outer)) {
            const auto *choice = dyn_cast<IfStmt>(outer);
            if (choice == nullptr)
                continue;
            for (const Mention &mention : analysis.finder.of(choice->getCond()).mentions) {
                const VarDecl *pointer = mention.place.base->getCanonicalDecl();
                if (pointer->getType()->isPointerType() && guards.isUnder(reference, pointer))
                    found.insert(pointer);
            }
        }
        return found;
    }

    /* They may be tests of one another. */
    void followTested()
    {
        const auto isOfRoot = [&](const VarDecl *pointer) {
            return rooted.count(pointer) != 0 && others.count(pointer) == 0 &&
                   everywhere.count(pointer) == 0 && isCandidate(pointer);
        };
        for (const auto &[variable, pointers] : tested)
            if (llvm::any_of(pointers, isOfRoot))
                rooted.insert(variable);
            else
                others.insert(variable);
    }

    /* The pointer itself goes to another variable. */
    static bool isCopied(const BinaryOperator *binary, const Stmt *inner)
    {
        return binary != nullptr && binary->isAssignmentOp() && binary->getRHS() == inner;
    }

    /* `if (log)`, `log && ...`, `log != NULL`. */
    static bool isTested(const Stmt *inner, const Stmt *outer, bool pointer)
    {
        const auto *choice = dyn_cast_or_null<IfStmt>(outer);
        const auto *binary = dyn_cast_or_null<BinaryOperator>(outer);
        const auto *unary = dyn_cast_or_null<UnaryOperator>(outer);
        return pointer &&
               ((choice != nullptr && choice->getCond() == inner) ||
                (binary != nullptr && (binary->isLogicalOp() || binary->isEqualityOp())) ||
                (unary != nullptr && unary->getOpcode() == UO_LNot));
    }

    /* -- calls */

    /* The call that INNER, or its address, is an argument of. */
    const CallExpr *callWith(const Stmt *inner, const Stmt *outer) const
    {
        const auto *unary = dyn_cast_or_null<UnaryOperator>(outer);
        while (unary != nullptr || isa_and_nonnull<CastExpr, ParenExpr>(outer)) {
            if (unary != nullptr && unary->getOpcode() != UO_AddrOf)
                return nullptr;
            inner = outer;
            outer = analysis.structure.parent(inner);
            unary = dyn_cast_or_null<UnaryOperator>(outer);
        }
        return dyn_cast_or_null<CallExpr>(outer);
    }

    /* The parameter that VARIABLE, a stream, is handed over for to a function of the file. */
    const VarDecl *parameterFor(const CallExpr *call, const VarDecl *variable) const
    {
        const FunctionDecl *callee = definitionOf(call);
        for (unsigned i = 0; callee != nullptr && i < callee->getNumParams(); i++)
            if (isStream(variable->getType()) && i < call->getNumArgs() &&
                variableIn(call->getArg(i)) == variable)
                return callee->getParamDecl(i)->getCanonicalDecl();
        return nullptr;
    }

    /* What a parameter is looked at for, that which is handed over is, too. */
    void followHanded()
    {
        for (size_t before = others.size() + 1; before != others.size();) {
            before = others.size();
            for (const auto &[variable, parameter] : handed)
                if (others.count(parameter) != 0)
                    others.insert(variable);
        }
    }

    /* What CALL is given, it looks at in rank 0 only; or it does not mind a null pointer. */
    bool isAtRoot(const CallExpr *call, const VarDecl *variable) const
    {
        struct Known {
            const char *name;
            unsigned buffer, root;
        };
        static const Known all[] = {{"MPI_Gather", 3, 6},
                                    {"MPI_Gatherv", 3, 7},
                                    {"MPI_Reduce", 1, 5},
                                    {"MPI_Scatter", 0, 6},
                                    {"MPI_Scatterv", 0, 7}};
        llvm::StringRef name = calleeName(call);
        if (name == "free")
            return true;
        for (const Known &known : all) {
            if (name != known.name || call->getNumArgs() <= known.root ||
                constantInteger(call->getArg(known.root), analysis.context) != 0)
                continue;
            for (unsigned i = 0; i < call->getNumArgs(); i++) {
                const Expr *target = addressedBy(call->getArg(i));
                if (variableIn(target != nullptr ? target : call->getArg(i)) == variable &&
                    i != known.buffer)
                    return false;
            }
            return true;
        }
        return false;
    }
};

} // namespace

void findRootOnly(Analysis &analysis)
{
    Finder(analysis).find();
}

/* An `if`, or what one variable is set to by a choice. */
static bool isForRoot(const Stmt *statement)
{
    const Expr *value = nullptr;
    if (const auto *declaration = dyn_cast<DeclStmt>(statement)) {
        const auto *variable =
            declaration->isSingleDecl() ? dyn_cast<VarDecl>(declaration->getSingleDecl()) : nullptr;
        value = variable != nullptr ? variable->getInit() : nullptr;
    } else if (const auto *binary = dyn_cast<BinaryOperator>(statement)) {
        value = binary->getOpcode() == BO_Assign ? binary->getRHS() : nullptr;
    }
    return isa<IfStmt>(statement) ||
           (value != nullptr && isa<ConditionalOperator>(value->IgnoreParenImpCasts()));
}

/* A declaration of one variable, which rank 0 alone has for itself. */
static bool declaresRootOnly(const Analysis &analysis, const Stmt *statement)
{
    const auto *declaration = dyn_cast<DeclStmt>(statement);
    const auto *variable = declaration != nullptr && declaration->isSingleDecl()
                               ? dyn_cast<VarDecl>(declaration->getSingleDecl())
                               : nullptr;
    return variable != nullptr && analysis.rootOnly.count(variable->getCanonicalDecl()) != 0;
}

bool setsRootOnly(const Analysis &analysis, const Item &item)
{
    bool any = false;
    for (const Write &write : item.effects.writes) {
        bool own =
            llvm::find(item.effects.declared, write.place.base) != item.effects.declared.end();
        if (!own && analysis.rootOnly.count(write.place.base->getCanonicalDecl()) == 0)
            return false;
        any = any || (!own && write.how != Write::How::Declared);
    }
    return (any || declaresRootOnly(analysis, item.statement)) && isForRoot(item.statement);
}

} // namespace xmpi
