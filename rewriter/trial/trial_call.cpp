/* SPDX-License-Identifier: BSD-3-Clause
 * Calls in a trial: of MPI and the C library as far as they matter, and of functions of the file.
 */
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

/* An integer that rank 0 has for each rank, in a table of its own: what it has is tried, too. False
 * where CALL hands out something else. */
bool Trial::receivePart(const CallExpr *call)
{
    if (!analysis.startsOver || calleeName(call) != "MPI_Scatter" || call->getNumArgs() != 8 ||
        constantOf(call->getArg(1)) != 1 || constantOf(call->getArg(6)) != 0 ||
        !isWorld(analysis, call->getArg(7)))
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

/* CALL fills a table with an integer of each rank. */
bool gathersIntegers(const CallExpr *call)
{
    if (calleeName(call) != "MPI_Allgather" || call->getNumArgs() != 7)
        return false;
    const QualType table = call->getArg(3)->IgnoreParenCasts()->getType();
    const Type *element = table->getPointeeOrArrayElementType();
    return element != nullptr && element->isIntegerType();
}

/* One integer of each rank is put into a table of all: that of the others is what they have told.
 * False where CALL does something else, or not all have. */
bool Trial::gatherParts(const CallExpr *call)
{
    if (gathered == nullptr || !gathersIntegers(call) || constantOf(call->getArg(4)) != 1 ||
        !isWorld(analysis, call->getArg(6)))
        return false;
    const bool inPlace = analysis.source.spelled(call->getArg(0)) == "MPI_IN_PLACE";
    const Expr *part = call->getArg(0)->IgnoreParenCasts();
    const QualType own = part->getType(), all = call->getArg(3)->IgnoreParenCasts()->getType();
    const Value table = evaluate(call->getArg(3)), from = inPlace ? table : evaluate(part);
    if (table.kind != Value::Kind::Pointer || from.kind != Value::Kind::Pointer ||
        (!inPlace && (constantOf(call->getArg(1)) != 1 ||
                      !analysis.context.hasSameUnqualifiedType(
                          QualType(own->getPointeeOrArrayElementType(), 0),
                          QualType(all->getPointeeOrArrayElementType(), 0)))))
        return false;
    Cell cell = from.target;
    cell.index += inPlace ? rank : 0;
    const std::pair<const CallExpr *, int> key{call, made[call]++};
    if (const std::optional<long long> told = integerAt(cell))
        gathered->told[key][rank] = *told;
    const auto heard = gathered->heard.find(key);
    if (heard == gathered->heard.end() || heard->second.size() != static_cast<size_t>(size))
        return false;
    for (const auto &[other, told] : heard->second) {
        Cell entry = table.target;
        entry.index += other;
        memory[placed(entry)] = Value::of(told);
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
        const auto *unary = dyn_cast<UnaryOperator>(bare);
        const bool address = unary != nullptr && unary->getOpcode() == UO_AddrOf;
        const SourceLocation where =
            address ? unary->getSubExpr()->getExprLoc() : argument->getExprLoc();
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
        isWorld(analysis, call->getArg(0))) {
        Value target = evaluate(call->getArg(1));
        if (target.kind == Value::Kind::Pointer)
            memory[target.target] = Value::of(name == "MPI_Comm_rank" ? rank : size);
        return Value::of(0LL);
    }
    if (receivePart(call) || gatherParts(call))
        return Value::of(0LL);
    if ((name == "ceil" || name == "floor") && call->getNumArgs() == 1) {
        Value value = evaluate(call->getArg(0));
        if (!value.isNumber())
            return Value();
        return Value::of(name == "ceil" ? std::ceil(value.asReal()) : std::floor(value.asReal()));
    }
    const FunctionDecl *callee = call->getDirectCallee();
    const FunctionDecl *own = callee != nullptr ? callee->getDefinition() : nullptr;
    if (own != nullptr && depth < MaxDepth)
        return evaluateOwn(call, own);
    for (const Write &write : writesOfCall(call)) {
        if (write.call != call || forgetBehind(call, write))
            continue;
        if (write.place.behind || write.place.field != nullptr || !write.place.type->isScalarType())
            forgetBase(write.place.base->getCanonicalDecl());
        else
            forget(Cell{write.place.base->getCanonicalDecl()});
    }
    return Value();
}

Value Trial::evaluateOwn(const CallExpr *call, const FunctionDecl *function)
{
    std::vector<Value> arguments;
    for (const Expr *argument : call->arguments())
        arguments.push_back(evaluate(argument));
    for (unsigned i = 0; i < arguments.size() && i < function->getNumParams(); i++) {
        const ParmVarDecl *parameter = function->getParamDecl(i);
        store(Cell{parameter->getCanonicalDecl()}, arguments[i], parameter->getType());
    }
    std::optional<Value> outer = returned;
    returned = Value();
    depth++;
    runStatement(function->getBody());
    depth--;
    Value value = *returned;
    returned = outer;
    stopped = false;
    return value;
}

} // namespace xmpi
