/* SPDX-License-Identifier: BSD-3-Clause
 * What calls of MPI and of libraries make of how their arguments follow the division of the rows.
 */
#include "check/safety.h"
#include "compat.h"
#include "ranks/rank_values.h"
#include "source/integer.h"
#include "library/constants.h"
#include "library/library.h"
#include "library/mpi_outputs.h"
#include "report/advice.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;
using Kind = Form::Kind;

/* What POINTER is the address of, or the pointer that it counts from; where a function of the file
 * hands it back, what it leads to (KNOWN is true then, as with an address). */
static std::optional<Place> rootOf(const Expr *pointer, bool &known)
{
    const Expr *bare = pointer->IgnoreParenCasts();
    known = addressedBy(bare) != nullptr;
    const std::optional<Place> place = placeGiven(bare);
    if (place || known || !bare->getType()->isPointerType())
        return place;
    const std::vector<Place> all = placesBehind(bare);
    known = all.size() == 1;
    return known ? std::optional<Place>(all.front()) : std::nullopt;
}

/* The array or struct without a name that POINTER is, or is the address of; or null. */
static const Expr *literalIn(const Expr *pointer)
{
    const Expr *target = addressedBy(pointer);
    const Expr *bare = (target != nullptr ? target : pointer)->IgnoreParenCasts();
    return isa<CompoundLiteralExpr>(bare) ? bare : nullptr;
}

Form RankValues::contentAt(const Place &place) const
{
    const std::optional<Rows> rows = rowsOf(place);
    if (!rows) {
        Form form = formOf(place);
        if (form.isOfOwnRows() && form.from.empty())
            form.from = "0";
        return form;
    }
    Form form = Form::of(Kind::Row);
    form.from = rows->ghosts || rows->global ? "" : "0";
    return form;
}

Form RankValues::contentOf(const Expr *argument) const
{
    bool known = false;
    std::optional<Place> place = rootOf(argument, known);
    if (place && !known && place->type->isPointerType())
        place->element = place->behind = true;
    if (place)
        return contentAt(*place);
    if (auto literal = literals.find(literalIn(argument)); literal != literals.end())
        return literal->second;
    std::optional<Form> all; /* of one of several */
    if (argument->IgnoreParenCasts()->getType()->isPointerType())
        for (const Place &one : placesBehind(argument))
            all = all ? merge(*all, contentAt(one)) : contentAt(one);
    return all.value_or(Form());
}

bool isOneOf(llvm::StringRef name, std::initializer_list<const char *> names)
{
    return llvm::any_of(names, [&](const char *known) { return name == known; });
}

/* What MANY elements from INDEX of SOURCE on are: as many in each layout are of one row. */
Form RankValues::takenFrom(const Expr *source, const Form &index, const Form &many) const
{
    bool address = false;
    std::optional<Place> place = rootOf(source, address);
    if (!place || !many.isUniform() || index.has(Form::Own) ||
        (!address && !place->type->isPointerType() && !place->type->isArrayType()))
        return contentOf(source);
    if (!address)
        place->element = place->behind = true;
    const std::optional<Rows> rows = rowsOf(*place);
    if ((rows && rows->global && !index.has(Form::First)) ||
        (!rows && !place->element && !place->behind))
        return contentOf(source);
    return read(*place, index, source->getExprLoc());
}

/* What CALL copies, or makes of a value that it is given; nothing of other functions. */
std::optional<Form> RankValues::copied(const CallExpr *call, llvm::StringRef name,
                                       const std::vector<Form> &arguments) const
{
    if (isOneOf(name, {"memcpy", "memmove", "mempcpy", "strcpy", "strncpy", "bcopy"})) {
        const unsigned from = copiesFrom(name);
        return arguments.size() > 2 ? takenFrom(call->getArg(from), arguments[from], arguments[2])
                                    : contentOf(call->getArg(from));
    }
    if (name == "memset" && arguments.size() > 1)
        return arguments[1].asValue();
    return std::nullopt;
}

/* What POINTER counts from; null where it counts in what is there, or does not count: not in bytes
 * of it. */
static const Expr *countedInBytes(const ASTContext &context, const Expr *pointer)
{
    QualType counted;
    for (pointer = pointer->IgnoreParenCasts(); pointer->getType()->isPointerType();) {
        const auto *sum = dyn_cast<BinaryOperator>(pointer);
        if (sum == nullptr || !sum->isAdditiveOp())
            break;
        counted = sum->getType()->getPointeeType();
        const Expr *left = sum->getLHS();
        pointer = (left->getType()->isPointerType() ? left : sum->getRHS())->IgnoreParenCasts();
    }
    QualType there = pointer->getType()->isArrayType()
                         ? context.getAsArrayType(pointer->getType())->getElementType()
                         : pointer->getType()->getPointeeType();
    const bool known = !counted.isNull() && !there.isNull() && !counted->isIncompleteType() &&
                       !there->isIncompleteType();
    return known && context.getTypeSize(counted) != context.getTypeSize(there) ? pointer : nullptr;
}

/* CALL copies as many elements as the block has rows into ROWS, from TARGET on, that are FROM there
 * on: those of an array with all rows are taken, and put, at their numbers. */
void RankValues::judgeBlock(const CallExpr *call, const Rows &rows, const Form &target,
                            const Form &from)
{
    const std::string name = rows.variable->getNameAsString();
    if (rows.global && target.isPlain() && !target.has(Form::First))
        return misuse(Problem::LocalRows, call->getExprLoc(), name, calleeName(call).str());
    bool address = false;
    std::optional<Place> place = rootOf(call->getArg(copiesFrom(calleeName(call))), address);
    if (!place || !from.isPlain() || from.has(Form::Own))
        return;
    place->element = place->behind = true;
    Form index = from;
    index.by[Form::Own] = "1";
    const Form value = read(*place, index, call->getExprLoc());
    if (value.isLocal() && !contentOf(call->getArg(copiesFrom(calleeName(call))))
                                .isLocal()) /* else what it gets says more */
        misuse(Problem::LocalValue, call->getExprLoc(), name, place->base->getNameAsString());
}

/* CALL, a copy of MANY bytes, gives ROWS at TARGET what is GIVEN, a row at an edge of the block. */
void RankValues::judgeGiven(const CallExpr *call, const Rows &rows, const Form &target,
                            const Form &given, const Form &many)
{
    const bool all = calleeName(call) == "memset" && many.has(Form::Count);
    if ((all || target.has(Form::Own)) && !guards().edge && given.kind == Kind::Edge)
        misuse(Problem::LocalValue, call->getExprLoc(), rows.variable->getNameAsString(),
               given.cause);
}

/* A copy into rows is a store to each of them, or to one. */
void RankValues::judgeCopy(const CallExpr *call, llvm::StringRef name, const Form &target,
                           const std::vector<Form> &arguments)
{
    const Expr *bytes = countedInBytes(analysis.context, call->getArg(copiesTo(name)));
    const Expr *pointer =
        bytes != nullptr ? bytes : call->getArg(copiesTo(name))->IgnoreParenCasts();
    bool address = false;
    std::optional<Place> place = rootOf(pointer, address);
    if (!inLoop || !place || arguments.size() < 3)
        return;
    place->element = place->behind = true;
    std::optional<Rows> rows = rowsOf(*place);
    if (!rows)
        rows = wholeRowsOf(*place, !iterating);
    if (!rows)
        return;
    if (target.kind == Kind::Block) /* to the row that the block has chosen */
        return misuse(Problem::LocalRows, call->getExprLoc(), rows->variable->getNameAsString(),
                      target.cause);
    const Form value = contentOf(call->getArg(copiesFrom(name))), &length = arguments[2];
    if (length.has(Form::Count) && bytes == nullptr)
        judgeBlock(call, *rows, target, arguments[copiesFrom(name)]);
    const Guards around = guards();
    const bool copies = name != "memset";
    judgeGiven(call, *rows, target, copied(call, name, arguments)->asValue(), length);
    if (length.kind == Kind::Local || (bytes != nullptr && length.has(Form::Count)))
        return misuse(Problem::LocalRows, call->getExprLoc(), rows->variable->getNameAsString(),
                      length.cause);
    if (rows->global)
        return;
    if (length.has(Form::Count)) { /* all rows */
        const std::string from = moved(value.from, arguments[copiesFrom(name)].shift, false),
                          own = moved("0", target.shift, false);
        if (copies && !rows->ghosts && !from.empty() && from != own)
            noteEdge(*rows, pointer, analysis.source.spelled(pointer), value.message);
    } else if (!around.ends && !around.local && target.isPlain() && !target.has(Form::Own) &&
               !target.has(Form::First)) {
        noteEdge(*rows, pointer, analysis.source.spelled(pointer), copies && value.message,
                 isOwnEdge(*rows, target));
    }
}

/* What the start puts into rows is theirs in all layouts only where their number says which they
 * are, and what they get. */
void RankValues::judgeMade(const Rows &rows, const Expr *target, const Form &index,
                           const Form &value)
{
    const std::string name = rows.variable->getNameAsString();
    const bool across =
        index.has(Form::Own) && index.has(Form::Count); /* as one column follows another */
    const std::string by = across ? index.cause : badRows(index, guards());
    const Kind kind = value.judged();
    const bool own = index.has(Form::Own) || index.kind == Kind::Row;
    if (!by.empty())
        made.push_back({rows.variable, {Problem::LocalRows, target->getExprLoc(), name, by}});
    else if (kind == Kind::Local || (kind == Kind::Block && own))
        made.push_back(
            {rows.variable, {Problem::LocalValue, target->getExprLoc(), name, value.cause}});
}

/* FORM, of what is broadcast, tells an end of the domain at which the root may be or not. */
static bool isOfOther(const Form &form, const std::vector<Form> &arguments,
                      std::optional<long long> root)
{
    const bool uniform = arguments.size() <= 3 || arguments[3].isUniform(),
               first = uniform && (root ? *root == 0 : arguments.size() <= 3 || arguments[3].zero);
    const bool last = !uniform && arguments[3].isOnlyOf(Form::Size) && arguments[3].isPlain() &&
                      arguments[3].by[Form::Size] == "1" && arguments[3].shift == "-1";
    if (!first && !last) /* at neither end, in some layout */
        return form.isChosen() || (form.kind == Kind::Ends && (uniform || form.ends != 0)) ||
               form.kind == Kind::Edge;
    const unsigned ends = (first ? Form::AtLast : Form::AtFirst) | Form::Verdict;
    const bool anywhere = first && form.ends == 0; /* of a process that was elected */
    return form.isChosen() || (form.kind == Kind::Ends && (anywhere || (form.ends & ends) != 0)) ||
           (form.kind == Kind::Edge && (form.ends & ~Form::Chosen & ~(ends ^ 3)) != 0);
}

/* What NAME leaves are elements that other processes, or files, have. */
static bool bringsRows(llvm::StringRef name)
{
    static const char *const kinds[] = {
        "Recv",      "Irecv",     "Mrecv",      "Imrecv",    "Sendrecv",   "Gather",
        "Igather",   "Scatter",   "Iscatter",   "Allgather", "Iallgather", "Alltoall",
        "Ialltoall", "Neighbor_", "Ineighbor_", "Get",       "Rget",       "Fetch",
        "Unpack",    "File_read", "File_iread", "Start",     "Isendrecv"};
    return !startsWith(name, "MPI_Get_") &&
           std::any_of(std::begin(kinds), std::end(kinds), [&](const char *kind) {
               return startsWith(name, "MPI_" + std::string(kind));
           });
}

/* What MPI tells of processes, groups, messages and types: of the layout where it is about them, or
 * is given what follows it. */
Form RankValues::toldForm(const CallExpr *call, llvm::StringRef name,
                          const std::vector<Form> &arguments) const
{
    static const char *const kinds[] = {
        "Cart_",        "Graph_",   "Dist_",  "Topo_",          "Group_",
        "Comm_remote_", "Dims_",    "Type_",  "Pack",           "Get_count",
        "Get_elements", "Probe",    "Mprobe", "Iprobe",         "Improbe",
        "Waitany",      "Waitsome", "Test",   "Reduce_scatter", "Ireduce_scatter"};
    Form given;
    for (const Form &argument : arguments)
        given = join(given, argument);
    const bool tells = std::any_of(std::begin(kinds), std::end(kinds), [&](const char *kind) {
        return startsWith(name, "MPI_" + std::string(kind));
    });
    const bool types = startsWith(name, "MPI_Type_") || startsWith(name, "MPI_Pack") ||
                       startsWith(name, "MPI_Dims_");
    const bool kept = isMpiCall(call) && !placeAsked(name).empty() && call->getNumArgs() > 1 &&
                      !constantInteger(call->getArg(1)->IgnoreParenCasts(), analysis.context);
    if (!tellsPlace(call) && !kept && (!isMpiCall(call) || !tells || (types && !given.isLocal()))) {
        Form form = Form::of(Kind::Row);
        form.message = true;
        return form;
    }
    return Form::of(Kind::Local, name.str(), call->getExprLoc());
}

Form RankValues::outputForm(const CallExpr *call, llvm::StringRef name,
                            const std::vector<Form> &arguments)
{
    if (makesCommunicator(call))
        return communicatorForm(call, arguments);
    const bool among = isAmongSome(call, arguments) &&
                       (isReduction(name) || bringsRows(name) ||
                        (broadcastOf(call) != nullptr && !contentOf(call->getArg(0)).isUniform()));
    if (!among)
        return leftForm(call, name, arguments);
    Form form = Form::of(Kind::Local, name.str(), call->getExprLoc());
    form.gathered = Form::Otherwise;
    form.data =
        contentOf(call->getArg(0)).data || !isReduction(name) || contentOf(call->getArg(1)).data;
    return form;
}

/* What the broadcast CALL leaves: the same, unless it is of the rows of one process. */
Form RankValues::broadcastForm(const CallExpr *call, const std::vector<Form> &arguments)
{
    Form form = arguments.size() > 1 ? handedOver(call->getArg(0), arguments[0], arguments[1])
                                     : contentOf(call->getArg(0));
    const std::optional<long long> root =
        call->getNumArgs() > 3
            ? constantInteger(call->getArg(3)->IgnoreParenCasts(), analysis.context)
            : std::nullopt;
    if (!form.isLocal() && !isOfOther(form, arguments, root) &&
        (form.kind != Kind::Block || form.message))
        return Form();
    form = form.asValue();
    form.kind = Kind::Local;
    form.agreed = true;
    return form;
}

/* What CALL, among all processes, leaves. */
Form RankValues::leftForm(const CallExpr *call, llvm::StringRef name,
                          const std::vector<Form> &arguments)
{
    const std::string own = call->getNumArgs() > 1 ? name.str() : "";
    if (name == "MPI_Comm_rank" || name == "MPI_Comm_size") {
        Form form =
            Form::of(name == "MPI_Comm_rank" ? Form::Rank : Form::Size, own, call->getExprLoc());
        return spansWorld(analysis, call->getArg(0)) ? form : form.asValue();
    }
    if (isReduction(name))
        return reduced(call, name, arguments);
    if (name == "MPI_Reduce_local" && call->getNumArgs() > 1)
        return mix(contentOf(call->getArg(0)), contentOf(call->getArg(1)));
    if (isOneOf(name, {"MPI_Pack", "MPI_Unpack"}) && call->getNumArgs() > 5) {
        const Form packed = contentOf(call->getArg(0)),
                   beside = name == "MPI_Pack" ? contentOf(call->getArg(3)) : Form();
        const Form form = join(packed, beside);
        if (form.isLocal() || form.kind == Kind::Block)
            return form;
    }
    if (isOneOf(name, {"MPI_Bcast", "MPI_Ibcast"}))
        return broadcastForm(call, arguments);
    if (!bringsRows(name))
        return toldForm(call, name, arguments);
    if (gathersParts(name))
        return gatheredForm(call, name, arguments);
    Form form = receivedForm(call, name, arguments);
    if (form.kind != Kind::Row)
        return form;
    form.peer = form.peer || isFromNeighbour(name, arguments);
    return form;
}

/* Tables of the parts of all ranks by the program's own formula. */
void RankValues::checkTables(const CallExpr *call, llvm::StringRef name)
{
    static const std::map<llvm::StringRef, std::vector<unsigned>> tables = {
        {"MPI_Allgatherv", {4, 5}},
        {"MPI_Iallgatherv", {4, 5}},
        {"MPI_Gatherv", {4, 5}},
        {"MPI_Scatterv", {1, 2}},
        {"MPI_Alltoallv", {1, 2, 5, 6}}};
    auto known = tables.find(name);
    if (known == tables.end())
        return;
    for (unsigned at : known->second) {
        std::optional<Place> place =
            at < call->getNumArgs() ? placeOf(call->getArg(at)->IgnoreParenCasts()) : std::nullopt;
        bool renewed = place && llvm::any_of(analysis.renewed, [&](const auto &table) {
                           return pointees(baseOf(*place)).count(table.first.first);
                       });
        if (place && !renewed && !analysis.rootOnly.count(baseOf(*place)) &&
            contentOf(call->getArg(at)).isLocal())
            return misuse(Problem::OwnTable, call->getExprLoc(), place->text(),
                          tableAdvice(place->text(), isBetweenPairs(name), true));
    }
}

/* What CALL of NAME leaves is made of elements at the same place in all blocks, or is the block of
 * one process for all, or has rows of all blocks by where they are in these: another one in another
 * layout, also where blocks are equal. */
bool RankValues::isByPlaceInBlock(const CallExpr *call, llvm::StringRef name,
                                  const std::vector<Form> &arguments) const
{
    if (isOneOf(name, {"MPI_Alltoall", "MPI_Ialltoall"})) {
        std::optional<Place> sent = placeOf(call->getArg(0)->IgnoreParenCasts());
        if (sent)
            sent->element = sent->behind = true;
        return sent && anyRowsOf(*sent) &&
               isElementType(constantOfMpi(call->getArg(2), analysis.context));
    }
    return isReduction(name) || (isOneOf(name, {"MPI_Bcast", "MPI_Ibcast"}) &&
                                 arguments[3].isUniform() && !arguments[3].each);
}

/* Messages that are as long as the process's own block, where another one decides. */
void RankValues::checkBlocks(const CallExpr *call, llvm::StringRef name,
                             const std::vector<Form> &arguments)
{
    static const std::map<llvm::StringRef, std::vector<unsigned>> lengths = {
        {"MPI_Allgather", {1, 4}}, {"MPI_Gather", {1, 4}},
        {"MPI_Scatter", {1, 4}},   {"MPI_Alltoall", {1, 4}},
        {"MPI_Ialltoall", {1, 4}}, {"MPI_Iallgather", {1, 4}},
        {"MPI_Igather", {1, 4}},   {"MPI_Iscatter", {1, 4}},
        {"MPI_Sendrecv", {6}},     {"MPI_Sendrecv_replace", {1}},
        {"MPI_Bcast", {1}},        {"MPI_Ibcast", {1}},
        {"MPI_Allreduce", {2}},    {"MPI_Reduce", {2}},
        {"MPI_Iallreduce", {2}},   {"MPI_Scan", {2}},
        {"MPI_Exscan", {2}},       {"MPI_Recv", {1}},
        {"MPI_Irecv", {1}}};
    checkTables(call, name);
    noteSent(call, name, arguments);
    noteMessage(call, name);
    auto known = lengths.find(name);
    if (known == lengths.end())
        return;
    const bool received = name == "MPI_Recv" || name == "MPI_Irecv";
    for (unsigned at : known->second)
        if (at < arguments.size() && arguments[at].follows(Form::Count) &&
            (!received || !arguments[3].isUniform()) &&
            (isByPlaceInBlock(call, name, arguments) || !haveEqualBlocks()))
            return misuse(Problem::EqualBlocks, call->getExprLoc(), name.str(), "");
}

/* What a function is given with ARGUMENT, whose value is VALUE: a number, or what is there. */
Form RankValues::givenForm(const Expr *argument, const Form &value) const
{
    QualType type = argument->IgnoreParenCasts()->getType();
    if (!type->isPointerType() && !type->isArrayType())
        return value;
    if (isa<CallExpr>(argument->IgnoreParenCasts())) /* what a function has found */
        return value.asValue();
    return contentOf(argument).asValue();
}

/* ARGUMENT, at INDEX, leads to the own rows, and not to one of them. */
bool RankValues::isOfBlock(const Expr *argument, const Form &index) const
{
    std::optional<Place> place = placeOf(argument->IgnoreParenCasts());
    if (!place || !argument->IgnoreParenCasts()->getType()->isPointerType() ||
        index.has(Form::Own) || index.isLocal())
        return false;
    place->element = place->behind = true;
    return rowsOf(*place).has_value();
}

/* Of a function that computes what it hands back, and leaves, from what it is given. */
Form RankValues::computedForm(const CallExpr *call, const std::vector<Form> &arguments) const
{
    bool pointers = false, counts = false;
    Form all;
    for (const Expr *argument : call->arguments())
        pointers = pointers || argument->IgnoreParenCasts()->getType()->isPointerType() ||
                   argument->IgnoreParenCasts()->getType()->isArrayType();
    for (unsigned i = 0; i < arguments.size(); i++) {
        const Form given = givenForm(call->getArg(i), arguments[i]);
        const bool length =
            pointers && given.follows(Form::Count) && !given.follows(Form::Own) && !given.agreed;
        const QualType type = call->getArg(i)->IgnoreParenCasts()->getType();
        const bool leads = type->isPointerType() || type->isArrayType();
        const bool rows = leads &&
                          (contentOf(call->getArg(i)).placed & (Form::InBlock | Form::AmongAll)) !=
                              0 && /* all of them */
                          !arguments[i].has(Form::Own);
        counts = counts || length || rows || isOfBlock(call->getArg(i), arguments[i]);
        if (!length)
            all = arguments.size() > 1 && i > 0 ? mix(all, given) : given;
    }
    if (arguments.size() == 1)
        all = mix(all, Form());
    Form block = Form::of(Kind::Block, calleeName(call).str(), call->getExprLoc());
    block.data = true;
    return counts ? mix(all, block) : all;
}

/* What a function of another file makes of rows, of all of them where COUNTS. */
static Form ofForeign(const CallExpr *call, bool counts)
{
    Form form =
        Form::of(counts ? Kind::Block : Kind::Row, calleeName(call).str(), call->getExprLoc());
    form.gathered = counts ? Form::Unsaid : 0;
    form.data = counts;
    return form;
}

/* Where errors do not end the program, which processes have one may follow the layout: a message to
 * a process that there is not. */
Form RankValues::errorForm(const CallExpr *call) const
{
    if (!handlesErrors) {
        handlesErrors = false;
        for (const FunctionDecl *function : analysis.structure.functions)
            for (const CallExpr *one : analysis.finder.of(function->getBody()).calls)
                handlesErrors = *handlesErrors || endsWith(calleeName(one), "_set_errhandler") ||
                                calleeName(one) == "MPI_Errhandler_set";
    }
    const auto *type = dyn_cast<BuiltinType>(call->getType().getTypePtr());
    return *handlesErrors && type != nullptr && type->isInteger()
               ? Form::of(Kind::Local, calleeName(call).str(), call->getExprLoc())
               : Form();
}

Form RankValues::foreignForm(const CallExpr *call, bool ranked,
                             const std::vector<Form> &arguments) const
{
    bool pointers = false, counts = false;
    Form all, given;
    for (unsigned i = 0; i < arguments.size(); i++) {
        QualType type = call->getArg(i)->IgnoreParenCasts()->getType();
        pointers = pointers || type->isPointerType() || type->isArrayType();
        counts = counts || arguments[i].follows(Form::Count) ||
                 (!isMpiCall(call) && isOfBlock(call->getArg(i), arguments[i]));
        all = join(all, arguments[i]);
        given = join(given, givenForm(call->getArg(i), arguments[i]));
    }
    if (!ranked && given.isUniform())
        return Form();
    if (deedOf(call) == Deed::Computes && !isMpiCall(call))
        return computedForm(call, arguments);
    if (pointers && (!all.isUniform() || (counts && !isMpiCall(call))))
        return ofForeign(call, counts);
    const FunctionDecl *callee = call->getDirectCallee();
    bool own = callee != nullptr && isForeign(callee);
    if (own && llvm::any_of(arguments, [](const Form &argument) {
            return argument.kind == Kind::Edge && !argument.isAffine();
        })) { /* who is given the row at the edge may send it, and give the next one */
        Form form = Form::of(Kind::Edge, calleeName(call).str(), call->getExprLoc());
        form.message = true;
        return form;
    }
    return (own && all.isOfRanks()) || pointers ? Form::of(Kind::Row) : all;
}

/* -- communicators of some of the processes: who is in them follows the layout */

bool RankValues::isOwnWorld(const Stmt *expression) const
{
    const auto *value = dyn_cast<CStyleCastExpr>(expression);
    return value != nullptr && constantOfMpi(value, analysis.context) == "MPI_COMM_SELF";
}

bool RankValues::makesCommunicator(const CallExpr *call)
{
    static const char *const kinds[] = {"Comm_split", "Comm_create",  "Comm_dup",
                                        "Comm_idup",  "Cart_create",  "Cart_sub",
                                        "Intercomm_", "Graph_create", "Dist_graph_create"};
    const llvm::StringRef name = calleeName(call);
    return isMpiCall(call) &&
           std::any_of(std::begin(kinds), std::end(kinds), [&](const char *kind) {
               return startsWith(name, "MPI_" + std::string(kind)) && call->getNumArgs() > 1;
           });
}

/* KEY, by which a communicator is sorted, keeps the order of the ranks. */
static bool keepsOrder(const Form &key)
{
    const Form::Term term = key.has(Form::Rank) ? Form::Rank : Form::First;
    return key.isUniform() ||
           (key.kind == Kind::Uniform && key.isOnlyOf(term) && key.by[term] == "1");
}

/* All of the first communicator are in the one that CALL makes of it: a colour that all have the
 * same parts nobody. */
static bool takesAll(llvm::StringRef name, const std::vector<Form> &arguments)
{
    return startsWith(name, "MPI_Comm_dup") || startsWith(name, "MPI_Comm_idup") ||
           name == "MPI_Cart_create" || name == "MPI_Graph_create" ||
           startsWith(name, "MPI_Dist_graph_create") ||
           (name == "MPI_Comm_split" && arguments.size() > 2 && arguments[1].isUniform() &&
            keepsOrder(arguments[2]));
}

Form RankValues::communicatorForm(const CallExpr *call, const std::vector<Form> &arguments) const
{
    const llvm::StringRef name = calleeName(call);
    const bool all = takesAll(name, arguments) && !isAmongSome(call, arguments);
    return all ? Form::of(Kind::Row) : Form::of(Kind::Local, name.str(), call->getExprLoc());
}

/* CALL is made among the processes of a communicator that does not have all of them. */
bool RankValues::isAmongSome(const CallExpr *call, const std::vector<Form> &arguments) const
{
    const FunctionDecl *callee = call->getDirectCallee();
    for (unsigned i = 0; isMpiCall(call) && i < arguments.size(); i++)
        if (callee != nullptr && i < callee->getNumParams() &&
            isCommunicator(callee->getParamDecl(i)->getType()) && arguments[i].isLocal() &&
            !spansWorld(analysis, call->getArg(i)))
            return true;
    return false;
}

} // namespace xmpi
