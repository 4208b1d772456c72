/* SPDX-License-Identifier: BSD-3-Clause
 * Compares the sizes of memory, and the places of messages in it, with the number of processes. */
#include "cells/memory_sizes.h"
#include "compat.h"
#include "facts/storage.h"
#include "flow/root_guards.h"
#include "library/constants.h"
#include "library/library.h"
#include "library/message.h"
#include "source/integer.h"
#include "source/variable.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

bool isAsLarge(const Survey &survey, const Values &values)
{
    std::map<size_t, std::map<long long, long long>> rounds; /* elements, by how many processes */
    for (size_t i = 0; i < values.size(); i++) {
        const Survey::Sample &sample = survey.samples[i];
        if (rounds[sample.round].emplace(sample.size, values[i]).first->second != values[i])
            return false; /* it is not for what all of them do */
    }
    /* (Rounded numbers of rows may be a few less.) */
    return llvm::all_of(rounds, [](const auto &round) {
        const long long one = round.second.begin()->second, all = round.second.rbegin()->second;
        return round.second.size() > 1 && all >= one - one / 8;
    });
}

/* How far BUFFER is behind the begin of VARIABLE; null: it is something else of it, or nothing. */
static bool isIn(const Expr *buffer, const VarDecl *variable, const Expr *&index)
{
    index = nullptr;
    const Expr *pointer = buffer->IgnoreParenCasts();
    const Expr *target = addressedBy(pointer);
    if (const auto *element =
            target ? dyn_cast<ArraySubscriptExpr>(target->IgnoreParens()) : nullptr) {
        index = element->getIdx();
        return variableIn(element->getBase()) == variable;
    }
    const auto *sum = dyn_cast<BinaryOperator>(pointer);
    if (sum != nullptr && sum->isAdditiveOp() && sum->getType()->isPointerType()) {
        const auto [base, number] = sidesOf(sum);
        index = number;
        return variableIn(base) == variable;
    }
    return variableIn(pointer) == variable;
}

/* What NUMBER is at the loop; null: it is 0. */
static std::optional<Values> numbersOf(Survey &survey, const Expr *number)
{
    Values values;
    for (Survey::Sample &sample : survey.samples) {
        const std::optional<long long> value =
            number != nullptr ? sample.trial.integerOf(number) : std::optional(0LL);
        if (!value)
            return std::nullopt;
        values.push_back(*value);
    }
    return values;
}

/* NUMBER is known, and the same on all processes. */
static bool isSame(Survey &survey, const Expr *number)
{
    const std::optional<Values> values = numbersOf(survey, number);
    return values && isLayoutFree(survey, *values);
}

bool talksInPlace(Survey &survey, const std::vector<const CallExpr *> &calls,
                  const VarDecl *variable)
{
    bool fills = false;
    for (const CallExpr *call : calls) {
        if (!sentBy(calleeName(call)) && !receivedBy(calleeName(call)))
            continue;
        const Message message = messageOf(call);
        for (const auto &[buffer, many] : {std::pair(message.sent, message.manySent),
                                           std::pair(message.received, message.manyReceived)}) {
            const Expr *index = nullptr;
            if (buffer == nullptr || !isIn(buffer, variable, index))
                continue;
            if (many == nullptr || !isSame(survey, many) || !isSame(survey, index))
                return false;
            fills = fills || buffer == message.received;
        }
    }
    return fills;
}

/* CALL hands all VALUES elements of VARIABLE from rank 0 to all. */
static bool handsOut(Analysis &analysis, Survey &survey, const Stmt *statement,
                     const VarDecl *variable, const Values &values)
{
    const auto *call = dyn_cast<CallExpr>(statement);
    if (call == nullptr || calleeName(call) != "MPI_Bcast" || call->getNumArgs() != 5 ||
        variableIn(call->getArg(0)) != variable || !isWorld(analysis, call->getArg(4)) ||
        constantInteger(call->getArg(3), analysis.context) != 0 ||
        numbersOf(survey, call->getArg(1)) != values)
        return false;
    const std::string type = constantOfMpi(call->getArg(2), analysis.context);
    const QualType element = pointedBy(variable);
    const bool small = type == "MPI_BYTE" || type == "MPI_PACKED" || endsWith(type, "CHAR");
    return element->isArithmeticType() && !type.empty() &&
           (!small || analysis.context.getTypeSizeInChars(element).isOne());
}

bool isHandedOut(Analysis &analysis, Survey &survey, const VarDecl *variable, const Values &values)
{
    const auto mentions = [&](const Stmt *statement) {
        const Effects effects = analysis.finder.withCallees(statement);
        return llvm::any_of(effects.mentions, [&](const Mention &mention) {
            return mention.place.base->getCanonicalDecl() == variable;
        });
    };
    const auto *body = dyn_cast<CompoundStmt>(bodyOf(analysis.loop));
    const Expr *condition = conditionBefore(analysis.loop);
    if (body == nullptr || !variable->getType()->isPointerType() ||
        (condition != nullptr && mentions(condition)))
        return false;
    const auto first = llvm::find_if(body->body(), mentions);
    return first != body->body_end() && handsOut(analysis, survey, *first, variable, values);
}

/* What NAME is in, but for parentheses and casts. */
static const Stmt *outside(const Analysis &analysis, const Stmt *name)
{
    const Stmt *outer = analysis.structure.parent(name);
    while (isa_and_nonnull<CastExpr, ParenExpr>(outer))
        outer = analysis.structure.parent(outer);
    return outer;
}

/* NAME, of an array, stands where nothing else comes to lead there: it is set, an element of it is
 * named, or the library gets it. */
static bool isByItself(const Analysis &analysis, const Expr *name)
{
    const Stmt *outer = outside(analysis, name);
    const auto *element = dyn_cast_or_null<ArraySubscriptExpr>(outer);
    const auto *binary = dyn_cast_or_null<BinaryOperator>(outer);
    const auto *call = dyn_cast_or_null<CallExpr>(outer);
    if (element != nullptr)
        return holds(element->getBase(), name) &&
               !isa_and_nonnull<UnaryOperator>(analysis.structure.parent(element));
    const Stmt *size = outer; /* as in sizeof *u */
    while (isa_and_nonnull<Expr>(size) && !isa<UnaryExprOrTypeTraitExpr>(size))
        size = analysis.structure.parent(size);
    return (binary != nullptr && binary->isAssignmentOp() && holds(binary->getLHS(), name)) ||
           (call != nullptr && definitionOf(call) == nullptr && deedOf(call) != Deed::Unknown) ||
           isa_and_nonnull<UnaryExprOrTypeTraitExpr>(size);
}

bool isOfRootAlone(Analysis &analysis, const VarDecl *variable)
{
    const Step &step = analysis.loopStep();
    const std::vector<const Stmt *> after = analysis.structure.following(step.anchor);
    const RootGuards guards(analysis);
    if (isa<ParmVarDecl>(variable) || !variable->hasLocalStorage() ||
        variable->getDeclContext() != step.function)
        return false;
    return !anyWithin(step.function->getBody(), [&](const Stmt *part) {
        if (variableAt(part) == nullptr || variableAt(part)->getCanonicalDecl() != variable)
            return false;
        const bool later = holds(analysis.loop, part) ||
                           llvm::any_of(after, [&](const Stmt *one) { return holds(one, part); });
        const auto *call = dyn_cast_or_null<CallExpr>(outside(analysis, part));
        const bool freed = call != nullptr && calleeName(call) == "free";
        return later ? !freed && !guards.isUnder(part) : !isByItself(analysis, cast<Expr>(part));
    });
}

/* An index of FIELD is multiplied by what DIVISION has for the number of own rows. */
static bool isByColumns(const Analysis &analysis, const Division &division, const FieldDecl *field)
{
    const auto isCount = [&](const Stmt *one) {
        const auto *member = dyn_cast<MemberExpr>(one);
        const VarDecl *variable = variableAt(one);
        return llvm::any_of(division.variables, [&](const auto &known) {
            const Place &place = known.first.place;
            return known.first.kind == RangeKind::Count &&
                   (place.field != nullptr
                        ? member != nullptr && member->getMemberDecl() == place.field
                        : variable != nullptr && place.base != nullptr &&
                              variable->getCanonicalDecl() == place.base->getCanonicalDecl());
        });
    };
    return llvm::any_of(analysis.structure.functions, [&](const FunctionDecl *function) {
        return anyWithin(function->getBody(), [&](const Stmt *part) {
            const auto *element = dyn_cast<ArraySubscriptExpr>(part);
            const auto *member =
                element ? dyn_cast<MemberExpr>(element->getBase()->IgnoreParenImpCasts()) : nullptr;
            return member != nullptr && member->getMemberDecl() == field &&
                   anyWithin(element->getIdx(), [&](const Stmt *one) {
                       const auto *product = dyn_cast<BinaryOperator>(one);
                       return product != nullptr && product->getOpcode() == BO_Mul &&
                              anyWithin(product, isCount);
                   });
        });
    });
}

/* The elements behind FIELD of VARIABLE, or of what it leads to, in all samples. */
static std::optional<Values> elementsBehind(const Analysis &analysis, const Survey &survey,
                                            const VarDecl *variable, const FieldDecl *field)
{
    Values values;
    const long long size =
        analysis.context.getTypeSizeInChars(field->getType()->getPointeeType()).getQuantity();
    for (const Survey::Sample &sample : survey.samples) {
        Cell of{variable->getCanonicalDecl()};
        if (variable->getType()->isPointerType()) {
            const Value led = sample.trial.valueAt(of);
            if (led.kind != Value::Kind::Pointer || led.target.field != nullptr)
                return std::nullopt;
            of = led.target;
        }
        const Value value = sample.trial.valueAt(Cell{of.base, field, of.index});
        const std::optional<long long> bytes = value.kind == Value::Kind::Pointer
                                                   ? sample.trial.bytesOf(value.target.base)
                                                   : std::nullopt;
        if (!bytes || value.target.index != 0 || value.target.field != nullptr)
            return std::nullopt;
        values.push_back(*bytes / size);
    }
    return values;
}

std::map<std::string, Values> sizesOfMembers(Analysis &analysis, const Survey &survey,
                                             const Division *division, const VarDecl *variable)
{
    std::map<std::string, Values> found;
    const bool leads = variable->getType()->isPointerType();
    const QualType type =
        leads ? variable->getType()->getPointeeType() : QualType(variable->getType());
    const RecordDecl *record = type->getAsRecordDecl();
    record = record != nullptr ? record->getDefinition() : nullptr;
    if (record == nullptr || record->isUnion())
        return found;
    for (const FieldDecl *field : record->fields()) {
        const QualType to =
            field->getType()->isPointerType() ? field->getType()->getPointeeType() : QualType();
        if (to.isNull() || !isPlainValue(to) ||
            (division != nullptr && isByColumns(analysis, *division, field)))
            continue;
        if (const auto values = elementsBehind(analysis, survey, variable, field))
            found.emplace(variable->getNameAsString() + (leads ? "->" : ".") +
                              field->getNameAsString(),
                          *values);
    }
    return found;
}

std::optional<std::pair<Values, Values>> lengthsOf(Survey &survey, const VarDecl *variable)
{
    const auto *outer = dyn_cast<VariableArrayType>(variable->getType().getTypePtr());
    const std::optional<Values> first =
        outer ? numbersOf(survey, outer->getSizeExpr()) : std::nullopt;
    Values rest(survey.samples.size(), 1);
    QualType inner = outer != nullptr ? outer->getElementType() : QualType();
    for (; first && inner->isArrayType();
         inner = QualType(inner->getArrayElementTypeNoTypeQual(), 0)) {
        const auto *varies = dyn_cast<VariableArrayType>(inner.getTypePtr());
        const auto *fixed = dyn_cast<ConstantArrayType>(inner.getTypePtr());
        const std::optional<Values> length =
            varies ? numbersOf(survey, varies->getSizeExpr()) : std::nullopt;
        if (!length && fixed == nullptr)
            return std::nullopt;
        for (size_t i = 0; i < rest.size(); i++)
            rest[i] *= length ? (*length)[i] : fixed->getSize().getSExtValue();
    }
    return first && isPlainValue(inner) ? std::optional(std::pair(*first, rest)) : std::nullopt;
}

} // namespace xmpi
