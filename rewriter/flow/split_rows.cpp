/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/split_rows.h"
#include "source/integer.h"
#include "source/loops.h"
#include <llvm/ADT/FoldingSet.h>

namespace xmpi
{

using namespace clang;

namespace
{

/* A function that goes through the rows from one parameter to another. */
struct ForRows {
    unsigned beginAt, endAt;
    bool closed;                       /* the last one is END itself */
    std::set<const ParmVarDecl *> set; /* the arrays whose rows it sets */
};

/* Numbers from numbers, by a function of the language's library or one of the file that does
 * nothing else. */
class Pure
{
  public:
    explicit Pure(const Analysis &analysis) : analysis(analysis)
    {
    }

    bool calls(const Stmt *statement)
    {
        return !anyWithin(statement, [&](const Stmt *one) {
            const auto *call = dyn_cast<CallExpr>(one);
            return isa<AsmStmt>(one) || (call != nullptr && !isPure(call));
        });
    }

  private:
    const Analysis &analysis;
    std::set<const FunctionDecl *> open;

    bool isPure(const CallExpr *call)
    {
        const FunctionDecl *callee = call->getDirectCallee();
        if (callee == nullptr || !callee->getReturnType()->isArithmeticType() ||
            llvm::any_of(callee->parameters(), [](const ParmVarDecl *one) {
                return !one->getType()->isArithmeticType();
            }))
            return false;
        const FunctionDecl *defined = callee->getDefinition();
        if (defined == nullptr)
            return callee->getBuiltinID() != 0;
        if (!open.insert(defined).second)
            return false;
        const bool pure = setsOwnAlone(defined) && calls(defined->getBody());
        open.erase(defined);
        return pure;
    }

    bool setsOwnAlone(const FunctionDecl *function) const
    {
        const Effects effects = analysis.finder.of(function->getBody());
        return llvm::all_of(effects.writes, [](const Write &write) {
            return write.place.base->hasLocalStorage() && !write.place.behind;
        });
    }
};

class RowsFinder
{
  public:
    explicit RowsFinder(const Analysis &analysis) : analysis(analysis)
    {
    }

    /* FUNCTION declares variables and goes through rows, and that is all. */
    std::optional<ForRows> find(const FunctionDecl *function)
    {
        const auto *body = dyn_cast<CompoundStmt>(function->getBody());
        const ForStmt *loop = nullptr;
        if (body == nullptr)
            return std::nullopt;
        for (const Stmt *one : body->body()) {
            if (isa<ForStmt>(one) && loop == nullptr)
                loop = cast<ForStmt>(one);
            else if (!isPlainDeclaration(one))
                return std::nullopt;
        }
        const std::optional<CountedLoop> counted = loop ? countedLoop(loop) : std::nullopt;
        const auto *begin = counted ? parameterIn(counted->begin) : nullptr;
        const auto *end = counted ? parameterIn(counted->end) : nullptr;
        if (begin == nullptr || end == nullptr || begin == end ||
            namesOf(function->getBody(), begin) != 1 || namesOf(function->getBody(), end) != 1)
            return std::nullopt;
        ForRows rows{
            begin->getFunctionScopeIndex(), end->getFunctionScopeIndex(), counted->closed, {}};
        return setsRowsAlone(loop->getBody(), rows.set) ? std::optional(rows) : std::nullopt;
    }

  private:
    const Analysis &analysis;

    static const ParmVarDecl *parameterIn(const Expr *expression)
    {
        return dyn_cast_or_null<ParmVarDecl>(variableIn(expression));
    }

    bool isPlainDeclaration(const Stmt *statement) const
    {
        const auto *declared = dyn_cast<DeclStmt>(statement);
        return declared != nullptr && Pure(analysis).calls(declared) &&
               llvm::all_of(declared->decls(), [](const Decl *one) {
                   const auto *variable = dyn_cast<VarDecl>(one);
                   return variable != nullptr && variable->hasLocalStorage();
               });
    }

    /* BODY, of one row, sets variables of its own and elements of parameters, SET, that it does not
     * read; and it ends no row early for those behind it. */
    bool setsRowsAlone(const Stmt *body, std::set<const ParmVarDecl *> &set) const
    {
        const Effects effects = analysis.finder.of(body);
        if (!Pure(analysis).calls(body) ||
            anyWithin(body,
                      [](const Stmt *one) {
                          return isa<ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt>(one);
                      }) ||
            leavesLoop(body))
            return false;
        for (const Write &write : effects.writes) {
            const VarDecl *base = write.place.base->getCanonicalDecl();
            if (write.place.element || write.place.behind) {
                const auto *array = dyn_cast<ParmVarDecl>(base);
                if (array != nullptr && array->getType()->isPointerType())
                    set.insert(array);
                else if (!isWithin(effects, base))
                    return false;
            } else if (!isWithin(effects, base) && !isSetAnew(effects, base) &&
                       !isSetFirst(body, base)) {
                return false;
            }
        }
        return !set.empty() && llvm::all_of(set, [&](const ParmVarDecl *array) {
            return namesOf(body, array) == storesTo(body, array);
        });
    }

    /* A break that is not one of a loop or switch in BODY. */
    static bool leavesLoop(const Stmt *body)
    {
        if (body == nullptr || isLoop(body) || isa<SwitchStmt>(body))
            return false;
        return isa<BreakStmt>(body) || llvm::any_of(body->children(), leavesLoop);
    }

    static bool isWithin(const Effects &effects, const VarDecl *variable)
    {
        return variable->hasLocalStorage() &&
               llvm::any_of(effects.declared, [&](const VarDecl *one) {
                   return one->getCanonicalDecl() == variable;
               });
    }

    /* Declared outside, but of no row before. */
    static bool isSetAnew(const Effects &effects, const VarDecl *variable)
    {
        return variable->hasLocalStorage() && !isa<ParmVarDecl>(variable) &&
               llvm::any_of(effects.writes, [&](const Write &write) {
                   return write.place.base->getCanonicalDecl() == variable &&
                          effects.setsAnew(write);
               });
    }

    /* All of STATEMENT that names VARIABLE, which is declared outside, runs behind what sets it. */
    static bool isSetFirst(const Stmt *statement, const VarDecl *variable)
    {
        const int times = namesOf(statement, variable);
        if (isLoop(statement))
            return namesOf(bodyOf(statement), variable) == times &&
                   isSetFirst(bodyOf(statement), variable);
        const auto *block = dyn_cast<CompoundStmt>(statement);
        if (block == nullptr || !variable->hasLocalStorage() || isa<ParmVarDecl>(variable))
            return false;
        for (const Stmt *one : block->body()) {
            const int here = namesOf(one, variable);
            const auto *assignment = dyn_cast<BinaryOperator>(one);
            if (assignment != nullptr && assignment->getOpcode() == BO_Assign && here == 1 &&
                variableIn(assignment->getLHS()) == variable)
                return true;
            if (here > 0)
                return here == times && isSetFirst(one, variable);
        }
        return false;
    }

    /* Plain assignments to elements of ARRAY. */
    static int storesTo(const Stmt *body, const ParmVarDecl *array)
    {
        int times = 0;
        eachWithin(body, [&](const Stmt *one) {
            const auto *assignment = dyn_cast<BinaryOperator>(one);
            if (assignment == nullptr || assignment->getOpcode() != BO_Assign)
                return;
            const Expr *target = assignment->getLHS()->IgnoreParens();
            while (const auto *element = dyn_cast<ArraySubscriptExpr>(target))
                target = element->getBase()->IgnoreParenImpCasts();
            times += target != assignment->getLHS()->IgnoreParens() && variableIn(target) == array;
        });
        return times;
    }
};

/* A number that is another one, or none, and a constant more. */
struct Edge {
    llvm::FoldingSetNodeID of;
    long long more = 0;

    bool operator==(const Edge &other) const
    {
        return of == other.of && more == other.more;
    }
};

Edge edgeAt(const Expr *expression, const ASTContext &context)
{
    Edge edge;
    for (;;) {
        expression = expression->IgnoreParenImpCasts();
        if (const std::optional<long long> number = constantInteger(expression, context)) {
            edge.more += *number;
            return edge;
        }
        const auto *sum = dyn_cast<BinaryOperator>(expression);
        const std::optional<long long> number =
            sum && sum->isAdditiveOp() ? constantInteger(sum->getRHS(), context) : std::nullopt;
        if (!number)
            break;
        edge.more += sum->getOpcode() == BO_Sub ? -*number : *number;
        expression = sum->getLHS();
    }
    expression->Profile(edge.of, context, true);
    return edge;
}

class Splitter
{
  public:
    explicit Splitter(const Analysis &analysis) : analysis(analysis)
    {
    }

    std::vector<SplitRows> find(const CompoundStmt *block)
    {
        std::vector<SplitRows> found;
        std::set<const CallExpr *> taken;
        for (auto at = block->body_begin(); at != block->body_end(); ++at) {
            const CallExpr *first = callIn(*at);
            if (first == nullptr || taken.count(first) != 0 || rowsOf(first) == nullptr)
                continue;
            const std::vector<const CallExpr *> calls = alikeFrom(first, at, block->body_end());
            std::optional<SplitRows> split = together(calls);
            if (!split)
                continue;
            taken.insert(calls.begin(), calls.end());
            found.push_back(*split);
        }
        return found;
    }

  private:
    const Analysis &analysis;
    std::map<const FunctionDecl *, std::optional<ForRows>> known;

    static const CallExpr *callIn(const Stmt *statement)
    {
        const auto *expression = dyn_cast<Expr>(statement);
        return expression ? dyn_cast<CallExpr>(expression->IgnoreParenImpCasts()) : nullptr;
    }

    const ForRows *rowsOf(const CallExpr *call)
    {
        const FunctionDecl *function = definitionOf(call);
        if (function == nullptr || call->getNumArgs() != function->getNumParams())
            return nullptr;
        auto at = known.find(function);
        if (at == known.end())
            at = known.emplace(function, RowsFinder(analysis).find(function)).first;
        return at->second ? &*at->second : nullptr;
    }

    static bool waits(const CallExpr *call)
    {
        return calleeName(call) == "MPI_Wait" || calleeName(call) == "MPI_Waitall";
    }

    /* The same function, for other rows of the same arrays. */
    bool isAlike(const CallExpr *one, const CallExpr *other)
    {
        const ForRows *rows = rowsOf(one);
        if (rows == nullptr || rowsOf(other) != rows)
            return false;
        for (unsigned i = 0; i < one->getNumArgs(); i++) {
            llvm::FoldingSetNodeID first, second;
            one->getArg(i)->Profile(first, analysis.context, true);
            other->getArg(i)->Profile(second, analysis.context, true);
            if (i != rows->beginAt && i != rows->endAt && first != second)
                return false;
        }
        return true;
    }

    std::set<const VarDecl *> setBy(const CallExpr *call)
    {
        std::set<const VarDecl *> arrays;
        for (const ParmVarDecl *parameter : rowsOf(call)->set)
            arrays.insert(variableIn(call->getArg(parameter->getFunctionScopeIndex())));
        return arrays;
    }

    /* What CALL is given names one of VARIABLES otherwise than to set its rows. */
    bool reads(const CallExpr *call, const std::set<const VarDecl *> &variables)
    {
        for (unsigned i = 0; i < call->getNumArgs(); i++) {
            const bool set = llvm::any_of(rowsOf(call)->set, [&](const ParmVarDecl *one) {
                return one->getFunctionScopeIndex() == i;
            });
            if (!set && anyWithin(call->getArg(i), [&](const Stmt *one) {
                    const auto *named = dyn_cast<DeclRefExpr>(one);
                    return named != nullptr && variables.count(dyn_cast<VarDecl>(
                                                   named->getDecl()->getCanonicalDecl())) != 0;
                }))
                return true;
        }
        return false;
    }

    /* Whether CALL may run before OTHER or behind it. */
    bool isApart(const CallExpr *call, const CallExpr *other)
    {
        const std::set<const VarDecl *> one = setBy(call), two = setBy(other);
        return one.count(nullptr) == 0 && two.count(nullptr) == 0 && !reads(call, two) &&
               !reads(other, one) &&
               llvm::none_of(one, [&](const VarDecl *array) { return two.count(array) != 0; });
    }

    /* Those like FIRST, which stands at AT, up to what may depend on it. */
    std::vector<const CallExpr *> alikeFrom(const CallExpr *first,
                                            CompoundStmt::const_body_iterator at,
                                            CompoundStmt::const_body_iterator end)
    {
        std::vector<const CallExpr *> calls = {first};
        for (++at; at != end; ++at) {
            const CallExpr *call = callIn(*at);
            if (call != nullptr && isAlike(first, call))
                calls.push_back(call);
            else if (call == nullptr ||
                     (!waits(call) && (rowsOf(call) == nullptr || !isApart(first, call))))
                break;
        }
        return calls;
    }

    /* CALLS, if each begins where another one ends, those at the ends of one row, and what they set
     * is apart from what they are given beside it. (More rows there may be than a block has: then
     * they would be set that are none of it.) */
    std::optional<SplitRows> together(const std::vector<const CallExpr *> &calls)
    {
        const ForRows &rows = *rowsOf(calls.front());
        const std::set<const VarDecl *> set = setBy(calls.front());
        if (calls.size() < 2 || set.count(nullptr) != 0 || reads(calls.front(), set))
            return std::nullopt;
        std::vector<const CallExpr *> left = calls;
        const auto first = llvm::find_if(left, [&](const CallExpr *call) {
            return llvm::none_of(
                left, [&](const CallExpr *other) { return endOf(other) == beginOf(call); });
        });
        if (first == left.end())
            return std::nullopt;
        const CallExpr *last = *first;
        SplitRows split{calls, rows.beginAt, rows.endAt, last->getArg(rows.beginAt), nullptr};
        left.erase(first);
        while (!left.empty()) {
            const auto next = llvm::find_if(
                left, [&](const CallExpr *call) { return beginOf(call) == endOf(last); });
            if (next == left.end())
                return std::nullopt;
            last = *next;
            left.erase(next);
        }
        split.end = last->getArg(rows.endAt);
        return llvm::count_if(calls, [&](const CallExpr *call) { return isLong(call); }) == 1
                   ? std::optional(split)
                   : std::nullopt;
    }

    /* More than a row, perhaps. */
    bool isLong(const CallExpr *call)
    {
        const Edge begin = beginOf(call), end = endOf(call);
        return begin.of != end.of || end.more > begin.more + 1;
    }

    Edge beginOf(const CallExpr *call)
    {
        return edgeAt(call->getArg(rowsOf(call)->beginAt), analysis.context);
    }

    /* Behind the last row. */
    Edge endOf(const CallExpr *call)
    {
        Edge edge = edgeAt(call->getArg(rowsOf(call)->endAt), analysis.context);
        edge.more += rowsOf(call)->closed;
        return edge;
    }
};

} // namespace

std::vector<SplitRows> splitRowsIn(const Analysis &analysis, const CompoundStmt *block)
{
    return Splitter(analysis).find(block);
}

} // namespace xmpi
