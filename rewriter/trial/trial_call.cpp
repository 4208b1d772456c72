/* SPDX-License-Identifier: BSD-3-Clause
 * Calls in a trial: of MPI and the C library as far as they matter, and of functions of the file.
 */
#include "library/constants.h"
#include "trial/trial.h"
#include <cmath>

namespace xmpi
{

using namespace clang;

/* Which argument of CALL says how many bytes are wanted, where it is no malloc or calloc; or -1. */
static int bytesWanted(const CallExpr *call)
{
    const llvm::StringRef name = calleeName(call);
    if (name == "posix_memalign" && call->getNumArgs() == 3)
        return 2;
    if ((name == "aligned_alloc" || name == "memalign") && call->getNumArgs() == 2)
        return 1;
    return name == "_mm_malloc" && call->getNumArgs() == 2 ? 0 : -1;
}

Value Trial::allocation(const CallExpr *call)
{
    bool zeroed = calleeName(call) == "calloc";
    const int wanted = bytesWanted(call);
    Value bytes = evaluate(call->getArg(wanted > 0 ? static_cast<unsigned>(wanted) : 0));
    if (zeroed)
        bytes = compute(BO_Mul, bytes, evaluate(call->getArg(1)));
    int before = made[call]++;
    const void *block =
        before == 0 ? static_cast<const void *>(call) : &analysis.allocations[{call, before}];
    if (bytes.kind == Value::Kind::Integer)
        blocks[block] = bytes.integer;
    return Value::to(Cell{block});
}

bool Trial::meansWorld(const Expr *communicator)
{
    auto [found, isNew] = lookups.worlds.try_emplace(communicator);
    if (isNew)
        found->second = isWorld(analysis, communicator);
    return found->second;
}

/* An integer that rank 0 has for each rank, in a table of its own: what it has is tried, too. False
 * where CALL hands out something else. */
bool Trial::receivePart(const CallExpr *call)
{
    if (!analysis.startsOver || calleeName(call) != "MPI_Scatter" || call->getNumArgs() != 8 ||
        constantOf(call->getArg(1)) != 1 || constantOf(call->getArg(6)) != 0 ||
        !meansWorld(call->getArg(7)))
        return false;
    Trial root(analysis, lookups, inputs, 0, size);
    if (rank != 0)
        root.run();
    Trial &from = rank == 0 ? *this : root;
    const Value table = from.evaluate(call->getArg(0)), target = evaluate(call->getArg(3));
    if (table.kind != Value::Kind::Pointer || target.kind != Value::Kind::Pointer)
        return false;
    Cell entry = table.target;
    entry.index += rank;
    const std::optional<long long> part = from.integerAt(entry);
    if (part)
        memory[placed(target.target)] = Value::of(*part);
    return part.has_value();
}

/* A call in which each rank hands over an integer to others, by the places of its arguments. */
struct Exchange {
    bool table; /* all get those of all; else their sum, or that of those before */
    unsigned to, count, communicator;
};

static std::optional<Exchange> exchangeIn(const CallExpr *call)
{
    const llvm::StringRef name = calleeName(call);
    if (name == "MPI_Allgather" && call->getNumArgs() == 7)
        return Exchange{true, 3, 4, 6};
    if ((name == "MPI_Exscan" || name == "MPI_Scan" || name == "MPI_Allreduce") &&
        call->getNumArgs() == 6)
        return Exchange{false, 1, 2, 5};
    return std::nullopt;
}

/* What a buffer of CALL, its argument INDEX, is an array of. */
static QualType elementIn(const CallExpr *call, unsigned index)
{
    const QualType type = call->getArg(index)->IgnoreParenCasts()->getType();
    return QualType(type->getPointeeOrArrayElementType(), 0);
}

/* CALL fills a table with an integer of each rank, or a number with a sum of them. */
bool gathersIntegers(const CallExpr *call)
{
    const std::optional<Exchange> exchange = exchangeIn(call);
    const QualType element = exchange ? elementIn(call, exchange->to) : QualType();
    return !element.isNull() && element->isIntegerType();
}

/* What RANK gets by CALL of what all have TOLD, by its place in the buffer. (The first one has
 * nothing before it: what was there stays.) */
static std::map<long long, long long> gotten(const CallExpr *call, long long rank,
                                             const std::map<long long, long long> &told)
{
    if (exchangeIn(call)->table)
        return told;
    const bool before = calleeName(call) == "MPI_Exscan", all = calleeName(call) == "MPI_Allreduce";
    long long sum = 0;
    for (const auto &[other, part] : told)
        sum += all || other < rank || (other == rank && !before) ? part : 0;
    std::map<long long, long long> sums;
    if (!before || rank > 0)
        sums[0] = sum;
    return sums;
}

/* One integer of each rank is put into a table of all, or added up: that of the others is what they
 * have told. False where CALL does something else, or not all have. */
bool Trial::gatherParts(const CallExpr *call)
{
    const std::optional<Exchange> exchange = exchangeIn(call);
    if (gathered == nullptr || !gathersIntegers(call) ||
        constantOf(call->getArg(exchange->count)) != 1 ||
        !meansWorld(call->getArg(exchange->communicator)) ||
        (!exchange->table && constantOfMpi(call->getArg(4), analysis.context) != "MPI_SUM"))
        return false;
    const bool inPlace = isInPlace(call->getArg(0), analysis.context);
    const Value to = evaluate(call->getArg(exchange->to)),
                from = inPlace ? to : evaluate(call->getArg(0)->IgnoreParenCasts());
    if (to.kind != Value::Kind::Pointer || from.kind != Value::Kind::Pointer ||
        (!inPlace && ((exchange->table && constantOf(call->getArg(1)) != 1) ||
                      !analysis.context.hasSameUnqualifiedType(elementIn(call, 0),
                                                               elementIn(call, exchange->to)))))
        return false;
    Cell cell = from.target;
    cell.index += inPlace && exchange->table ? rank : 0;
    const std::pair<const CallExpr *, int> key{call, made[call]++};
    if (const std::optional<long long> told = integerAt(cell))
        gathered->told[key][rank] = *told;
    const auto heard = gathered->heard.find(key);
    if (heard == gathered->heard.end() || heard->second.size() != static_cast<size_t>(size))
        return false;
    for (const auto &[index, value] : gotten(call, rank, heard->second)) {
        Cell entry = to.target;
        entry.index += index;
        memory[placed(entry)] = Value::of(value);
    }
    return true;
}

/* Numbers, or structs of them; what is written as bytes may be anything. */
static bool holdsNoPointers(QualType type)
{
    return !type->isIncompleteType() && isPlainValue(type) && !type->isCharType();
}

/* WRITE, of CALL, is to numbers behind a pointer that comes from a table of pointers, as in f(u[0])
 * or f(&u[0][0]): they are forgotten, and the table is left. False where it is something else. */
bool Trial::forgetBehind(const CallExpr *call, const Write &write)
{
    const QualType table = write.place.base->getType();
    if (!table->isPointerType() || !table->getPointeeType()->isPointerType())
        return false;
    for (const Expr *argument : call->arguments()) {
        const Expr *bare = argument->IgnoreParenCasts();
        const Expr *named = addressedBy(bare);
        const SourceLocation where = (named != nullptr ? named : argument)->getExprLoc();
        if (where != write.where || !bare->getType()->isPointerType() ||
            !holdsNoPointers(bare->getType()->getPointeeType()))
            continue;
        const Value target = evaluate(argument);
        if (target.kind != Value::Kind::Pointer || blocks.count(target.target.base) == 0)
            return false;
        forgetContents(target.target.base, false);
        return true;
    }
    return false;
}

void Trial::forgetWritten(const CallExpr *call)
{
    for (const Write &write : writesOfCall(call)) {
        if (write.call != call || forgetBehind(call, write))
            continue;
        if (write.place.behind || write.place.field != nullptr || !write.place.type->isScalarType())
            forgetBase(write.place.base->getCanonicalDecl());
        else
            forget(Cell{write.place.base->getCanonicalDecl()});
    }
}

Value Trial::evaluateCall(const CallExpr *call)
{
    llvm::StringRef name = calleeName(call);
    if ((name == "malloc" && call->getNumArgs() == 1) ||
        (name == "calloc" && call->getNumArgs() == 2))
        return allocation(call);
    if (analysis.startsOver && bytesWanted(call) >= 0) { /* nobody makes it anew but the program */
        const Value block = allocation(call);
        const Value target = evaluate(call->getArg(0));
        if (name != "posix_memalign")
            return block;
        if (target.kind == Value::Kind::Pointer)
            memory[placed(target.target)] = block;
        return Value::of(0LL);
    }
    if ((name == "MPI_Comm_rank" || name == "MPI_Comm_size") && call->getNumArgs() == 2 &&
        meansWorld(call->getArg(0))) {
        Value target = evaluate(call->getArg(1));
        if (target.kind == Value::Kind::Pointer)
            store(target.target, Value::of(name == "MPI_Comm_rank" ? rank : size),
                  analysis.context.IntTy);
        return Value::of(0LL);
    }
    if (receivePart(call) || gatherParts(call))
        return Value::of(0LL);
    if ((name == "ceil" || name == "floor" || name == "sqrt") && call->getNumArgs() == 1) {
        const Value value = evaluate(call->getArg(0));
        const double number = value.asReal();
        if (!value.isNumber())
            return Value();
        return Value::of(name == "ceil"    ? std::ceil(number)
                         : name == "floor" ? std::floor(number)
                                           : std::sqrt(number));
    }
    const FunctionDecl *own = definitionOf(call);
    if (own != nullptr && depth < MaxDepth)
        return evaluateOwn(call, own);
    forgetWritten(call);
    return Value();
}

Value Trial::evaluateOwn(const CallExpr *call, const FunctionDecl *function)
{
    std::vector<Value> arguments;
    for (const Expr *argument : call->arguments())
        arguments.push_back(evaluate(argument));
    if (!running.insert(function).second) { /* its variables are those of the call around */
        forgetWritten(call);
        forget(function->getBody());
        return Value();
    }
    for (unsigned i = 0; i < arguments.size() && i < function->getNumParams(); i++) {
        const ParmVarDecl *parameter = function->getParamDecl(i);
        store(Cell{parameter->getCanonicalDecl()}, arguments[i], parameter->getType());
    }
    std::optional<Value> outer = returned;
    const Flow around = flow;
    returned = Value();
    flow = {};
    flow.body = function->getBody();
    depth++;
    runStatement(function->getBody());
    depth--;
    const Value value = flow.mayLeave ? Value() : *returned;
    returned = outer;
    flow = around;
    running.erase(function);
    return value;
}

} // namespace xmpi
