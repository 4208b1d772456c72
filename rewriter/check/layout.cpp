/* SPDX-License-Identifier: BSD-3-Clause
 * Refuses loops, and code after them, that are right for the program's own layout only. */
#include "compat.h"
#include "infer/infer.h"
#include "check/alike.h"
#include "check/merged_pointers.h"
#include "check/row_numbers.h"
#include "check/safety.h"
#include "handles/open_requests.h"
#include "check/values.h"
#include "source/integer.h"
#include "facts/uses.h"
#include "report/advice.h"
#include "report/row_file_advice.h"
#include "source/within.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

namespace
{

class LayoutChecker
{
  public:
    explicit LayoutChecker(Analysis &analysis) : analysis(analysis), uses(analysis)
    {
    }

    bool check()
    {
        std::vector<const Stmt *> statements = uses.bodies;
        if (!analysis.ownLayoutAfter()) /* else the layout is the program's own then */
            for (const Step &step : analysis.path)
                for (const Stmt *statement : analysis.structure.following(step.anchor))
                    statements.push_back(statement);
        for (const Stmt *statement : statements)
            if (!checkStatement(statement))
                return false;
        for (const Item &item : analysis.prologue)
            if (item.kind == Class::Setup && !checkSetupBlocks(item))
                return false;
        return checkRanges() && checkSums() && checkRunAgain() && checkLateMemory() &&
               checkRequests() && checkSwaps() && checkMergedPointers(analysis, uses) &&
               checkValues(analysis, uses) && checkEnds() && checkRowNumbers(analysis, uses);
    }

    /* What no sorting of statements can help. */
    bool checkSupported()
    {
        for (const Item &item : analysis.prologue)
            if (!checkPrologue(item))
                return false;
        return checkIterates() && checkHandles();
    }

  private:
    Analysis &analysis;
    LoopUses uses;

    bool refuse(SourceLocation where, Problem problem,
                std::initializer_list<llvm::StringRef> arguments = {})
    {
        return analysis.diagnostics.report(where, problem, arguments);
    }

    bool checkStatement(const Stmt *statement)
    {
        if (analysis.divides.count(statement))
            return true; /* its result gives way to the layout that is there */
        if (const auto *call = dyn_cast<CallExpr>(statement))
            if (!checkCall(call))
                return false;
        if (const auto *binary = dyn_cast<BinaryOperator>(statement))
            if (!analysis.startsOver && isOwnFormula(binary))
                return refuse(binary->getOperatorLoc(), Problem::OwnFormula,
                              {analysis.source.spelled(binary)});
        return llvm::all_of(partsIn(statement),
                            [&](const Stmt *child) { return checkStatement(child); });
    }

    bool mentions(const Expr *expression, RangeKind kind) const
    {
        return uses.mentionsRange(expression, kind);
    }

    /* i * size, where rank is added: every so manieth row is the process's own. */
    bool multipliesSize(const Expr *expression) const
    {
        const auto *product = dyn_cast<BinaryOperator>(expression->IgnoreParenCasts());
        return product != nullptr && product->getOpcode() == BO_Mul &&
               mentions(product, RangeKind::Size);
    }

    bool ofRanks(const Expr *expression) const
    {
        return mentions(expression, RangeKind::Rank) || mentions(expression, RangeKind::Size);
    }

    /* rank * count, n / size, n % size: where rows begin, or how many there are; count * size: how
     * many there are in all; i * size / n: whose they are; of cyclic rows, rank + i * size. */
    bool isOwnFormula(const BinaryOperator *binary) const
    {
        const Expr *left = binary->getLHS(), *right = binary->getRHS();
        if (binary->getOpcode() == BO_Mul)
            return (ofRanks(left) && mentions(right, RangeKind::Count)) ||
                   (mentions(left, RangeKind::Count) && ofRanks(right));
        if (binary->getOpcode() == BO_Add)
            return analysis.hasCountAlone() && ((mentions(left, RangeKind::Rank) && multipliesSize(right)) ||
                                   (mentions(right, RangeKind::Rank) && multipliesSize(left)));
        if (binary->getOpcode() != BO_Div && binary->getOpcode() != BO_Rem)
            return false;
        if (binary->getOpcode() == BO_Div && binary->getType()->isIntegerType() &&
            mentions(left, RangeKind::Size) && isDomain(right))
            return true;
        return right->getType()->isIntegerType() && mentions(right, RangeKind::Size) &&
               isDomain(left);
    }

    bool isDomain(const Expr *expression) const
    {
        for (const Site &site : analysis.program.sites) {
            const std::string &domain = site.what.domain;
            if (domain.empty())
                continue;
            for (const Mention &mention : analysis.finder.of(expression).mentions)
                for (const VarDecl *meant : uses.meaning(mention.place.base))
                    if (mention.place.text() == domain || meant->getName() == domain)
                        return true;
            std::optional<long long> value = constantInteger(expression, analysis.context);
            if (value && std::to_string(*value) == domain)
                return true;
        }
        return false;
    }

    bool checkCall(const CallExpr *call)
    {
        static const char *const equal[] = {"MPI_Allgather", "MPI_Gather",     "MPI_Scatter",
                                            "MPI_Alltoall",  "MPI_Iallgather", "MPI_Igather",
                                            "MPI_Iscatter"};
        llvm::StringRef name = calleeName(call);
        bool blocks = std::any_of(std::begin(equal), std::end(equal),
                                  [&](const char *known) { return name == known; });
        if (startsWith(name, "MPI_Win_") || name == "MPI_Put" || name == "MPI_Get")
            return refuse(call->getExprLoc(), Problem::Window, {name});
        if (!blocks || call->getNumArgs() < 6 || analysis.startsOver)
            return true;
        for (unsigned i : {1u, 4u})
            if (mentions(call->getArg(i), RangeKind::Count))
                return refuse(call->getExprLoc(), Problem::EqualBlocks, {name});
        return true;
    }

    /* Setup makes the request anew for what the pointer is then: the program's are for what it was
     * at first. */
    bool checkPersistent(const CallExpr *init)
    {
        const Effects inLoop = analysis.finder.withCallees(analysis.loop);
        for (const RequestBuffer &buffer : analysis.requests.buffersOf(init))
            for (const Mention &mention : analysis.finder.of(buffer.expression).mentions)
                for (const Write &write : inLoop.writes)
                    if (!write.place.element && !write.place.behind &&
                        write.place.type->isPointerType() && overlap(write.place, mention.place))
                        return refuse(init->getExprLoc(), Problem::RequestBuffer,
                                      {calleeName(init), mention.place.text()});
        return true;
    }

    bool checkPrologue(const Item &item)
    {
        for (const CallExpr *call : item.effects.calls) {
            llvm::StringRef name = calleeName(call);
            if (PersistentRequests::isInit(call) && !checkPersistent(call))
                return false;
            if (startsWith(name, "MPI_Win_"))
                return refuse(call->getExprLoc(), Problem::Window, {name});
            if (name != "MPI_Cart_create" && name != "MPI_Dims_create")
                continue;
            std::optional<long long> dimensions =
                constantInteger(call->getArg(1), analysis.context);
            if (dimensions && *dimensions > 1)
                return refuse(call->getExprLoc(), Problem::Decomposition,
                              {std::to_string(*dimensions)});
        }
        return checkVla(item);
    }

    /* What is run again is right then too; tables of all ranks' parts are gathered anew. */
    bool checkSetupBlocks(const Item &item)
    {
        for (const CallExpr *call : item.effects.calls)
            if (!checkCall(call))
                return false;
        if (hasTables(item))
            return true;
        return !item.pragma->inferred || isForTables(item) || checkStatement(item.statement);
    }

    bool hasTables(const Item &item) const
    {
        return llvm::any_of(analysis.tables,
                            [&](const auto &table) { return table.first == item.statement; });
    }

    /* What it computes is used for the range and for tables of all ranks' parts only. */
    bool isForTables(const Item &item) const
    {
        for (const Write &write : item.effects.writes) {
            SourceLocation where;
            if (!analysis.laterUse(write.place, where).empty())
                return false;
            for (const Item &other : analysis.prologue)
                for (const Mention &mention : other.effects.mentions)
                    if (&other != &item && other.kind == Class::Setup && !hasTables(other) &&
                        !mention.assigned && overlap(mention.place, write.place))
                        return false;
        }
        return true;
    }

    /* Reconfigurations write the range: the loop cannot use its variables for something else. */
    bool checkRanges()
    {
        if (!checkRanges(analysis.finder.of(analysis.loop).writes))
            return false;
        for (size_t step = 0; step < analysis.path.size(); step++)
            for (const Stmt *statement : analysis.structure.following(analysis.path[step].anchor))
                if (analysis.runsAgain(step, statement) &&
                    analysis.dividing.count(statement) == 0 &&
                    analysis.divides.count(statement) == 0 &&
                    !checkRanges(analysis.finder.of(statement).writes))
                    return false;
        return true;
    }

    bool checkRanges(const std::vector<Write> &writes)
    {
        for (const Write &write : writes) {
            const RangeVariable *range = analysis.rangeAt(write.place);
            bool known = range != nullptr && range->kind != RangeKind::Rank &&
                         range->kind != RangeKind::Size;
            if (known && write.how == Write::How::Assigned && !isDerived(write.place))
                return refuse(write.where, Problem::LocalState,
                              {write.place.text(), declaredFirst(analysis, write.place.base)});
        }
        return true;
    }

    bool isDerived(const Place &place) const
    {
        return llvm::any_of(analysis.derived,
                            [&](const auto &known) { return overlap(known.value.place, place); });
    }

    /* Memory for the process's rows that only some iterations allocate: it keeps its size. */
    bool checkLateMemory()
    {
        for (const Write &write : analysis.finder.of(analysis.loop).writes) {
            const bool allocates = callsOneOf(write.value, {"malloc", "calloc"});
            bool sometimes = llvm::any_of(write.conditions, [&](const Expr *condition) {
                return isa_and_nonnull<IfStmt>(analysis.structure.parent(condition));
            });
            const Step &step = analysis.loopStep();
            if (allocates && sometimes && !write.place.element &&
                (mentions(write.value, RangeKind::Count) ||
                 mentions(write.value, RangeKind::End)) &&
                analysis.structure.alive(write.place.base, step.function, step.anchor)) {
                reportShape(analysis, write.where, write.place.text(), true);
                return false;
            }
        }
        return true;
    }

    /* Setup that adds to a value from before comes to another result when it is run again. */
    bool checkSums()
    {
        for (const Item &item : analysis.prologue)
            for (const Write &write : item.effects.writes) {
                SourceLocation where;
                const Place &place = write.place;
                if (item.kind != Class::Setup || item.pragma->inferred || place.element ||
                    place.behind || write.how != Write::How::Assigned ||
                    !place.type->isArithmeticType() ||
                    (setsFirst(item, place) && !setsSometimes(item, write)) ||
                    analysis.laterUse(place, where).empty())
                    continue;
                return refuse(write.where, Problem::SetupSum, {place.text()});
            }
        return true;
    }

    /* What is run again leaves its own value: what others, which are not, have made of it before
     * the loop, or make of it in a loop around, would be lost. */
    bool checkRunAgain()
    {
        for (auto item = analysis.prologue.begin(); item != analysis.prologue.end(); ++item)
            for (const Write &write : item->effects.writes) {
                SourceLocation where;
                if (item->kind != Class::Setup || write.place.element || write.place.behind ||
                    write.how == Write::How::Passed ||
                    analysis.laterUse(write.place, where).empty())
                    continue;
                if (!isLeftBy(item + 1, write) || !isLeftAround(write))
                    return false;
            }
        return true;
    }

    bool isLeftBy(std::vector<Item>::iterator later, const Write &write)
    {
        for (; later != analysis.prologue.end(); ++later)
            for (const Write &other : later->effects.writes)
                if (later->kind != Class::Setup && overlap(other.place, write.place) &&
                    write.how == Write::How::Assigned && write.place.type->isArithmeticType() &&
                    other.how == Write::How::Assigned && !other.place.element)
                    return refuse(other.where, Problem::SetupLost, {write.place.text()});
        return true;
    }

    /* (What stands before the loop is among what follows it, too.) */
    bool isLeftAround(const Write &write)
    {
        auto isItem = [&](const Stmt *statement) {
            return llvm::any_of(analysis.prologue,
                                [&](const Item &item) { return item.statement == statement; });
        };
        for (size_t step = 0; step < analysis.path.size(); step++)
            for (const Stmt *statement : analysis.structure.following(analysis.path[step].anchor)) {
                if (!analysis.runsAgain(step, statement) || isItem(statement))
                    continue;
                const Effects effects = analysis.finder.withCallees(statement);
                for (const Write &other : effects.writes)
                    if (overlap(other.place, write.place) && !effects.setsAnew(other) &&
                        other.how == Write::How::Assigned)
                        return refuse(other.where, Problem::SetupLost, {write.place.text()});
            }
        return true;
    }

    /* Where a condition on the range does not hold, the value from before stays. */
    bool setsSometimes(const Item &item, const Write &write) const
    {
        auto same = llvm::count_if(item.effects.writes, [&](const Write &other) {
            return overlap(other.place, write.place);
        });
        return same == 1 &&
               llvm::find(item.effects.declared, write.place.base) == item.effects.declared.end() &&
               llvm::any_of(write.conditions,
                            [&](const Expr *condition) { return choosesByRange(condition); });
    }

    bool choosesByRange(const Expr *condition) const
    {
        const Effects effects = analysis.finder.of(condition);
        return isa_and_nonnull<IfStmt>(analysis.structure.parent(condition)) &&
               llvm::any_of(effects.mentions, [&](const Mention &mention) {
                   return analysis.rangeAt(mention.place) != nullptr;
               });
    }

    /* ITEM assigns or declares PLACE before it reads it. */
    static bool setsFirst(const Item &item, const Place &place)
    {
        for (const VarDecl *own : item.effects.declared)
            if (own == place.base)
                return true;
        for (const Mention &mention : item.effects.mentions)
            if (overlap(mention.place, place))
                return mention.assigned || mention.place.field != place.field ||
                       place.field != nullptr;
        return true;
    }

    bool checkVla(const Item &item)
    {
        for (const VarDecl *variable : item.effects.declared) {
            const TypeSourceInfo *declared = variable->getTypeSourceInfo();
            SourceLocation where;
            Place place = Place::of(variable);
            if (declared != nullptr && isa<VariableArrayType>(declared->getType().getTypePtr()) &&
                !(analysis.startsOver && variable->getType()->isPointerType()) && /* made again */
                !analysis.laterUse(place, where).empty())
                return refuse(variable->getLocation(), Problem::Vla, {variable->getName()});
        }
        return true;
    }

    /* What another rank has another value of, in CONDITION: rank, count or rows. */
    const Mention *unequalIn(const Expr *condition, Effects &effects) const
    {
        EffectsFinder finder = analysis.finder;
        if (condition != nullptr)
            for (const CallExpr *call : finder.of(condition).calls)
                if (!communication(analysis, call).empty())
                    finder.skipped.insert(call); /* it hands back what all agree on */
        effects = condition != nullptr ? finder.of(condition) : Effects();
        for (const Mention &mention : effects.mentions) {
            const RangeVariable *range = analysis.rangeAt(mention.place);
            if (range != nullptr && range->kind != RangeKind::Size)
                return &mention;
        }
        return nullptr;
    }

    /* A loop over the own rows makes another number of iterations on each rank, and what is around
     * the loop must let all ranks in. */
    bool checkIterates()
    {
        Effects effects;
        if (const Mention *mention = unequalIn(conditionBefore(analysis.loop), effects))
            return refuse(mention->where, Problem::LoopRows, {mention->place.text()});
        for (const Step &step : analysis.path)
            for (const Stmt *statement : analysis.structure.around(step.anchor)) {
                const auto *choice = dyn_cast<IfStmt>(statement);
                const Expr *condition = choice ? choice->getCond() : conditionBefore(statement);
                if (const Mention *mention = unequalIn(condition, effects))
                    return refuse(mention->where, Problem::LoopRanks, {mention->place.text()});
            }
        return checkAlike(analysis.context, analysis.members, analysis.pragmas,
                          analysis.diagnostics, Asked::Pointers);
    }

    /* VALUE is stdout or stderr, or null. */
    bool isStandard(const Expr *value) const
    {
        const Expr *bare = value->IgnoreParenCasts();
        if (const auto *choice = dyn_cast<ConditionalOperator>(bare))
            return isStandard(choice->getTrueExpr()) && isStandard(choice->getFalseExpr());
        const auto *reference = dyn_cast<DeclRefExpr>(bare);
        return bare->isNullPointerConstant(analysis.context, Expr::NPC_ValueDependentIsNull) ||
               (reference != nullptr && analysis.context.getSourceManager().isInSystemHeader(
                                            reference->getDecl()->getLocation()));
    }

    /* A file that is never anything but the output of each process. */
    bool isEverywhere(const VarDecl *variable) const
    {
        bool any = false;
        if (isa<ParmVarDecl>(variable) || variable->hasExternalFormalLinkage())
            return false;
        for (const FunctionDecl *function : analysis.structure.functions)
            for (const Write &write : EffectsFinder().of(function->getBody()).writes) {
                if (write.place.base->getCanonicalDecl() != variable->getCanonicalDecl() ||
                    write.place.element || write.place.behind)
                    continue;
                if (write.value == nullptr || !isStandard(write.value))
                    return false;
                any = true;
            }
        return any;
    }

    /* It is a file with rows of the process's own, which move. */
    bool isFileOfRows(const VarDecl *variable) const
    {
        for (const auto &pragma : analysis.pragmas.list)
            for (const ArrayOperand &array : pragma->arrays)
                if (const auto *named = dyn_cast<DeclRefExpr>(array.variable.expression);
                    named != nullptr && !array.element.empty() &&
                    named->getDecl()->getCanonicalDecl() == variable->getCanonicalDecl())
                    return true;
        return false;
    }

    /* Open files are of one process. (A start opens them again, and they go on where they were:
     * what iterations do with them is looked at as a part of these.) */
    bool checkHandles()
    {
        if (analysis.startsOver)
            return true;
        for (const Mention &mention : analysis.inLoop.mentions) {
            QualType type = mention.place.base->getType();
            llvm::StringRef name = type->isPointerType() && type->getPointeeType()->isRecordType()
                                       ? type->getPointeeType()->getAsRecordDecl()->getName()
                                       : llvm::StringRef();
            bool file = name == "_IO_FILE" || name == "__sFILE";
            const Step &step = analysis.loopStep();
            if (file && !isEverywhere(mention.place.base) && !isFileOfRows(mention.place.base) &&
                analysis.rootOnly.count(mention.place.base->getCanonicalDecl()) == 0 &&
                analysis.structure.alive(mention.place.base, step.function, step.anchor) &&
                !analysis.context.getSourceManager().isInSystemHeader(
                    mention.place.base->getLocation()))
                return refuse(
                    mention.where, Problem::FilePointer,
                    {mention.place.base->getName(), fileAdvice(analysis, mention.place.base)});
        }
        return true;
    }

    /* Requests must be complete where an iteration begins. */
    bool checkRequests()
    {
        const OpenRequests open(analysis);
        return isComplete(open.afterIteration(), "the iteration ends",
                          "in the same iteration, after it") &&
               isComplete(open.atEntry(), "the loop is entered", "before the loop");
    }

    bool isComplete(const OpenRequests::Left &left, llvm::StringRef when, llvm::StringRef where)
    {
        return left.call == nullptr ||
               refuse(left.call->getExprLoc(), Problem::RequestAcross,
                      {calleeName(left.call), when,
                       left.lost ? "before another one is put in its place" : where});
    }

    size_t holders(const std::string &data) const
    {
        size_t count = 0;
        for (const auto &known : analysis.data)
            count += known.second == data;
        return count;
    }

    /* An exchange of pointers reaches one of the variables that hold them only. */
    bool checkSwaps()
    {
        for (const Write &write : analysis.inLoop.writes)
            if (!write.place.element && write.place.field == nullptr && !write.place.behind &&
                analysis.isData(write.place.base) && write.how == Write::How::Assigned &&
                holders(analysis.data.at(write.place.base->getCanonicalDecl())) > 1)
                return refuse(write.where, Problem::SwappedPointer, {write.place.base->getName()});
        return true;
    }

    /* The end of the range is set anew in the loop, in the function of the loop only. */
    bool checkEnds()
    {
        const Step &last = analysis.loopStep();
        for (const RangeVariable &range : analysis.ranges) {
            if (!followsRange(range.kind))
                continue;
            if (analysis.structure.visible(range.place.base, last.function, last.anchor))
                continue;
            for (const Effects &after : analysis.after)
                for (const Mention &mention : after.mentions)
                    if (overlap(mention.place, range.place) && !mention.assigned)
                        return refuse(mention.where, Problem::RankDependent,
                                      {range.place.text(), "the size", "after the loop",
                                       followerAdvice(analysis, range.place)});
        }
        return true;
    }
};

} // namespace

bool checkSupported(Analysis &analysis)
{
    return LayoutChecker(analysis).checkSupported();
}

bool checkLayout(Analysis &analysis)
{
    return LayoutChecker(analysis).check();
}

} // namespace xmpi
