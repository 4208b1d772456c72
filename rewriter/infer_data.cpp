/* SPDX-License-Identifier: BSD-3-Clause
 * Finds how the arrays of the loop are stored, from the sizes that they were made with. */
#include "first_use.h"
#include "infer.h"
#include "safety.h"
#include "uses.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

namespace
{

class DataFinder
{
  public:
    DataFinder(Analysis &analysis, const Inference &inference)
        : analysis(analysis), inference(inference), survey(*inference.survey), uses(analysis)
    {
    }

    bool find()
    {
        bool good = true;
        std::set<const VarDecl *> seen;
        for (const Effects *effects : {&analysis.inLoop, &analysis.after.back()})
            for (const Mention &mention : effects->mentions) {
                const VarDecl *variable = mention.place.base->getCanonicalDecl();
                if (seen.insert(variable).second && isCandidate(variable))
                    good = describe(variable, mention.where) && good;
            }
        return good;
    }

  private:
    Analysis &analysis;
    const Inference &inference;
    const Survey &survey;
    LoopUses uses;
    std::set<const void *> taken; /* blocks that have a variable already */

    bool refuse(SourceLocation where, Problem problem,
                std::initializer_list<llvm::StringRef> arguments)
    {
        analysis.diagnostics.report(where, problem, arguments);
        return false;
    }

    bool isCandidate(const VarDecl *variable) const
    {
        const Step &step = analysis.loopStep();
        QualType type = variable->getType();
        QualType element = type->isPointerType() ? type->getPointeeType() : QualType();
        return !element.isNull() && element->isObjectType() && !element->isIncompleteType() &&
               !isHandle(type) && !type.isConstQualified() && !analysis.isData(variable) &&
               !isMarked(variable) && !isMainParameter(variable) &&
               !analysis.context.getSourceManager().isInSystemHeader(variable->getLocation()) &&
               analysis.structure.alive(variable, step.function, step.anchor) &&
               analysis.structure.visible(variable, step.function, step.anchor);
    }

    bool isMainParameter(const VarDecl *variable) const
    {
        const auto *parameter = dyn_cast<ParmVarDecl>(variable);
        return parameter != nullptr && parameter->getDeclContext() == analysis.path[0].function;
    }

    /* Named in a data pragma, or assigned in a statement marked setup by the user. */
    bool isMarked(const VarDecl *variable) const
    {
        for (const auto &pragma : analysis.pragmas.list)
            for (const ArrayOperand &array : pragma->arrays)
                if (const auto *named = dyn_cast<DeclRefExpr>(array.variable.expression))
                    if (named->getDecl()->getCanonicalDecl() == variable)
                        return true;
        for (const Item &item : analysis.prologue)
            for (const Write &write : item.effects.writes)
                if (item.kind == Class::Setup && !write.place.element &&
                    write.place.base->getCanonicalDecl() == variable)
                    return true;
        return false;
    }

    /* The call that made the memory, the same in all samples. */
    const void *blockOf(const VarDecl *variable) const
    {
        const void *block = nullptr;
        for (const Survey::Sample &sample : survey.samples) {
            Value value = sample.trial.valueAt(Cell{variable});
            if (value.kind != Value::Kind::Pointer || value.target.index != 0 ||
                (block != nullptr && value.target.base != block))
                return nullptr;
            block = value.target.base;
        }
        return block;
    }

    std::optional<Values> elements(const VarDecl *variable, const void *block) const
    {
        CharUnits size = analysis.context.getTypeSizeInChars(variable->getType()->getPointeeType());
        Values values;
        for (const Survey::Sample &sample : survey.samples) {
            std::optional<long long> bytes = sample.trial.bytesOf(block);
            if (!bytes || size.getQuantity() == 0)
                return std::nullopt;
            values.push_back(*bytes / size.getQuantity());
        }
        return values;
    }

    bool isLayoutFree(const Values &values) const
    {
        for (size_t i = 1; i < values.size(); i++)
            if (survey.samples[i].round == survey.samples[i - 1].round &&
                values[i] != values[i - 1])
                return false;
        return true;
    }

    /* K with values = (rows + extra) * K + slack in each round. */
    std::optional<Values> rowLength(const Values &values, const Values &rows, long long extra,
                                    long long slack) const
    {
        std::map<size_t, long long> lengths;
        for (size_t i = 0; i < values.size(); i++) {
            long long own = rows[i] + extra, rest = values[i] - slack;
            if (own == 0)
                continue;
            if (rest <= 0 || rest % own != 0)
                return std::nullopt;
            auto known = lengths.emplace(survey.samples[i].round, rest / own).first;
            if (known->second != rest / own)
                return std::nullopt;
        }
        Values length;
        for (const Survey::Sample &sample : survey.samples)
            length.push_back(lengths[sample.round]);
        return length;
    }

    /* The parameter VARIABLE receives an array of fixed size: a value of the caller's. */
    bool isFixedArray(const VarDecl *variable)
    {
        size_t step = analysis.path.size() - 1;
        while (const auto *parameter = dyn_cast<ParmVarDecl>(variable)) {
            if (step == 0 || parameter->getDeclContext() != analysis.path[step].function ||
                parameter->getFunctionScopeIndex() >= analysis.path[step - 1].call->getNumArgs())
                return false;
            const Expr *argument =
                analysis.path[--step].call->getArg(parameter->getFunctionScopeIndex());
            const auto *reference = dyn_cast<DeclRefExpr>(argument->IgnoreParenImpCasts());
            variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
            if (variable == nullptr)
                return false;
        }
        if (!variable->getType()->isConstantArrayType() || !isPlainValue(variable->getType()))
            return false;
        analysis.addLive(analysis.entry(step),
                         {variable, nullptr, false, false, variable->getType()});
        return true;
    }

    bool describe(const VarDecl *variable, SourceLocation where)
    {
        if (isa<ParmVarDecl>(variable) && isFixedArray(variable)) {
            analysis.fixed.insert(variable);
            return true;
        }
        const void *block = blockOf(variable);
        std::optional<Values> values = block ? elements(variable, block) : std::nullopt;
        if (!values || variable->getType()->getPointeeType()->isPointerType())
            return describeUnknown(variable, where);
        if (taken.count(block))
            return true; /* the check of pointers into registered data looks at it */
        if (inference.division && !isLayoutFree(*values))
            for (auto [extra, slack] : {std::pair{0, 0}, {1, 0}, {0, 1}, {2, 0}, {4, 0}})
                if (auto length = rowLength(*values, inference.division->count, extra, slack)) {
                    taken.insert(block);
                    return addDistributed(variable, where, *length, extra + slack);
                }
        if (isLayoutFree(*values)) {
            taken.insert(block);
            return addReplicated(variable, where, *values);
        }
        return describeUnknown(variable, where);
    }

    bool isScratch(const VarDecl *variable)
    {
        return setsBeforeReading(analysis, variable, nullptr, false);
    }

    /* Memory of unknown size may only hold what an iteration makes for itself. */
    bool describeUnknown(const VarDecl *variable, SourceLocation where)
    {
        if (variable->getType()->getPointeeType()->isPointerType() && isAccessed(variable))
            return refuse(where, Problem::RowPointers, {variable->getName()});
        if (!uses.isWritten(variable) || isScratch(variable))
            return true;
        return refuse(where, Problem::ArrayShape, {variable->getName()});
    }

    bool isAccessed(const VarDecl *variable) const
    {
        return std::any_of(uses.accesses.begin(), uses.accesses.end(), [&](const Access &access) {
            return uses.means(access.variable, variable);
        });
    }

    /* Where a loop over the own rows of VARIABLE begins in its storage; -1 where that is not seen
     * or not always the same. Loops over the ghost rows, too, do not count. */
    long long firstOwnRow(const VarDecl *variable, long long halo) const
    {
        long long first = -1;
        for (const Access &access : uses.accesses) {
            if (!uses.means(access.variable, variable))
                continue;
            for (const Mention &mention : analysis.finder.of(access.index).mentions) {
                std::optional<long long> begin = beginOfRows(mention.place.base);
                if (!begin || *begin < 0 || (*begin == 0 && first == halo))
                    continue;
                if (first >= 0 && *begin != first)
                    return -1;
                first = *begin;
            }
        }
        return first;
    }

    /* The constant from which a loop counts COUNTER up to the number of own rows. */
    std::optional<long long> beginOfRows(const VarDecl *counter) const
    {
        for (const Stmt *body : uses.bodies)
            if (auto begin = beginIn(body, counter))
                return begin;
        return std::nullopt;
    }

    std::optional<long long> beginIn(const Stmt *statement, const VarDecl *counter) const
    {
        const auto *loop = dyn_cast<ForStmt>(statement);
        if (loop != nullptr && loop->getInit() != nullptr && loop->getCond() != nullptr &&
            uses.mentionsRange(loop->getCond(), RangeKind::Count))
            for (const Write &write : analysis.finder.of(loop->getInit()).writes) {
                Expr::EvalResult value;
                if (write.place.base->getCanonicalDecl() == counter->getCanonicalDecl() &&
                    write.value != nullptr && write.value->EvaluateAsInt(value, analysis.context))
                    return value.Val.getInt().getExtValue();
            }
        for (const Stmt *child : statement->children())
            if (child != nullptr)
                if (auto begin = beginIn(child, counter))
                    return begin;
        return std::nullopt;
    }

    bool isHalo(const VarDecl *variable, int extra) const
    {
        return extra > 1 && extra % 2 == 0 && firstOwnRow(variable, extra / 2) == extra / 2;
    }

    /* Rows must be where the runtime looks for them: whole, one after another, with as many ghost
     * rows in front as behind. */
    bool addDistributed(const VarDecl *variable, SourceLocation where, const Values &length,
                        int extra)
    {
        bool halo = isHalo(variable, extra);
        for (const Access &access : uses.accesses) {
            if (!uses.means(access.variable, variable))
                continue;
            if (isStridedByCount(access.index))
                return refuse(access.where, Problem::ColumnOrder, {variable->getName()});
            if (extra > 0 && !halo && hasOffset(access.index))
                return refuse(access.where, Problem::Halo, {variable->getName()});
        }
        if (extra > 1 && !halo)
            return refuse(where, Problem::Halo, {variable->getName()});
        Values one(length.size(), 1);
        std::vector<Values> shape = {inference.division->extent};
        if (length != one)
            shape.push_back(length);
        return add(variable, true, shape, where, halo ? std::to_string(extra / 2) : "");
    }

    /* count * something: columns of a local block. */
    bool isStridedByCount(const Stmt *index) const
    {
        const auto *binary = dyn_cast<BinaryOperator>(index);
        if (binary != nullptr && binary->getOpcode() == BO_Mul &&
            ((isCount(binary->getLHS()) && varies(binary->getRHS())) ||
             (isCount(binary->getRHS()) && varies(binary->getLHS()))))
            return true;
        for (const Stmt *child : index->children())
            if (child != nullptr && isStridedByCount(child))
                return true;
        return false;
    }

    /* A counter of the loop, or what is computed with one: count times a constant is a row. */
    bool varies(const Expr *expression) const
    {
        for (const Mention &mention : analysis.finder.of(expression).mentions)
            for (const Stmt *body : uses.bodies)
                for (const Write &write : analysis.finder.of(body).writes)
                    if (overlap(write.place, mention.place))
                        return true;
        return false;
    }

    bool isCount(const Expr *expression) const
    {
        const Expr *bare = expression->IgnoreParenCasts();
        return (isa<DeclRefExpr>(bare) || isa<MemberExpr>(bare)) &&
               uses.mentionsRange(bare, RangeKind::Count);
    }

    /* + or - a number, or the count itself. */
    bool hasOffset(const Stmt *index) const
    {
        const auto *bare = dyn_cast<Expr>(index);
        if (bare != nullptr && isCount(bare))
            return true;
        const auto *binary = dyn_cast<BinaryOperator>(index);
        if (binary != nullptr && binary->isAdditiveOp() &&
            (isa<IntegerLiteral>(binary->getRHS()->IgnoreParenCasts()) ||
             isa<IntegerLiteral>(binary->getLHS()->IgnoreParenCasts())))
            return true;
        for (const Stmt *child : index->children())
            if (child != nullptr && hasOffset(child))
                return true;
        return false;
    }

    /* The extents as the function of STEP can write them; empty where it cannot. */
    std::vector<std::string> texts(const std::vector<Values> &shape, size_t step) const
    {
        std::vector<std::string> all;
        for (const Values &values : shape) {
            const Step &place = analysis.path[step];
            std::string text = inference.division && values == inference.division->extent &&
                                       step == inference.division->step
                                   ? inference.division->domain
                                   : survey.textFor(values, place.function, place.anchor);
            if (text.empty())
                return {};
            all.push_back(text);
        }
        return all;
    }

    /* What holds the pointer of VARIABLE, of the function of STEP, in the caller; or null. */
    const VarDecl *inCaller(const VarDecl *variable, size_t step) const
    {
        if (variable->hasGlobalStorage())
            return variable;
        const auto *parameter = dyn_cast<ParmVarDecl>(variable);
        if (parameter == nullptr || step == 0)
            return nullptr;
        const CallExpr *call = analysis.path[step - 1].call;
        if (parameter->getFunctionScopeIndex() >= call->getNumArgs())
            return nullptr;
        const Expr *argument = call->getArg(parameter->getFunctionScopeIndex());
        const auto *reference = dyn_cast<DeclRefExpr>(argument->IgnoreParenImpCasts());
        const auto *passed = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        return passed != nullptr && passed->getType()->isPointerType() ? passed->getCanonicalDecl()
                                                                       : nullptr;
    }

    /* Filled by something that joining processes do not run, or on some ranks only. */
    bool isFilledInitially(const VarDecl *variable) const
    {
        for (const Item &item : analysis.prologue)
            for (const Write &write : item.effects.writes) {
                if (!write.place.element || !isSame(write.place.base, variable))
                    continue;
                if (item.kind == Class::Initial)
                    return true;
                for (const CallExpr *call : item.effects.calls)
                    if (!communication(analysis, call).empty() ||
                        !inputOutput(analysis, call).empty())
                        return true;
            }
        return false;
    }

    /* VARIABLE, or a variable of a caller that is passed on for it. */
    bool isSame(const VarDecl *other, const VarDecl *variable) const
    {
        if (other->getCanonicalDecl() == variable->getCanonicalDecl())
            return true;
        const void *block = blockOf(variable);
        return block != nullptr && blockOf(other->getCanonicalDecl()) == block;
    }

    bool addReplicated(const VarDecl *variable, SourceLocation where, const Values &values)
    {
        bool written = uses.isWritten(variable);
        if (!written && !isFilledInitially(variable))
            return true; /* every process makes it for itself */
        if (isScratch(variable) && !isUsedAfter(variable) && !isFilledInitially(variable))
            return true;
        std::vector<Values> shape;
        if (inference.division)
            if (auto length = rowLength(values, inference.division->extent, 0, 0)) {
                shape.push_back(inference.division->extent);
                if (*length != Values(length->size(), 1))
                    shape.push_back(*length);
            }
        if (shape.empty())
            shape.push_back(values);
        return add(variable, false, shape, where);
    }

    bool isUsedAfter(const VarDecl *variable) const
    {
        for (const Effects &after : analysis.after)
            for (const Mention &mention : after.mentions)
                if (isSame(mention.place.base, variable) && !isFreed(mention))
                    return true;
        return false;
    }

    bool isFreed(const Mention &mention) const
    {
        for (const Effects &after : analysis.after)
            for (const CallExpr *call : after.calls)
                if (calleeName(call) == "free" && call->getNumArgs() == 1 &&
                    call->getArg(0)->IgnoreParenCasts()->getExprLoc() == mention.where)
                    return true;
        return false;
    }

    /* Registered where its extents can be written: before the loop, or before a call on the way. */
    bool add(const VarDecl *variable, bool distributed, const std::vector<Values> &extents,
             SourceLocation where, const std::string &halo = "")
    {
        size_t step = analysis.path.size() - 1;
        const VarDecl *named = variable;
        std::vector<std::string> shape = texts(extents, step);
        while (shape.empty() && step > 0 && (named = inCaller(named, step)) != nullptr)
            shape = texts(extents, --step);
        if (shape.empty())
            return refuse(where, Problem::ArrayShape, {variable->getName()});
        return addAt(step, named, distributed, shape, halo);
    }

    bool addAt(size_t step, const VarDecl *variable, bool distributed,
               const std::vector<std::string> &shape, const std::string &halo)
    {
        Data data;
        data.halo = halo;
        data.name = uniqueName(analysis, variable);
        data.variable = variable->getNameAsString();
        data.distributed = distributed;
        data.shape = shape;
        data.where = analysis.source.offset(variable->getLocation());
        analysis.data[variable] = data.name;
        analysis.entry(step).data.push_back(data);
        return true;
    }
};

} // namespace

bool inferData(Analysis &analysis, const Inference &inference)
{
    return inference.survey == nullptr || DataFinder(analysis, inference).find();
}

} // namespace xmpi
