/* SPDX-License-Identifier: BSD-3-Clause
 * What calls of MPI and of libraries make of how their arguments follow the division of the rows.
 */
#include "check/safety.h"
#include "compat.h"
#include "flow/rank_values.h"
#include "library/library.h"
#include "library/mpi_outputs.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

using Kind = Form::Kind;

Form RankValues::contentOf(const Expr *argument) const
{
    const Expr *bare = argument->IgnoreParenCasts();
    const auto *unary = dyn_cast<UnaryOperator>(bare);
    bool address = unary != nullptr && unary->getOpcode() == UO_AddrOf;
    std::optional<Place> place = placeOf(address ? unary->getSubExpr() : bare);
    if (!place)
        return Form();
    if (!address && place->type->isPointerType())
        place->element = place->behind = true;
    const std::optional<Rows> rows = rowsOf(*place);
    if (!rows)
        return formOf(*place);
    Form form = Form::of(Kind::Row);
    form.from = rows->ghosts || rows->global ? "" : "0";
    return form;
}

static bool isOneOf(llvm::StringRef name, std::initializer_list<const char *> names)
{
    return std::any_of(names.begin(), names.end(),
                       [&](const char *known) { return name == known; });
}

/* What several processes put in counts once. */
static bool isIdempotent(llvm::StringRef operation)
{
    return isOneOf(operation, {"MPI_MAX", "MPI_MIN", "MPI_LAND", "MPI_LOR", "MPI_BAND", "MPI_BOR",
                               "MPI_MAXLOC", "MPI_MINLOC"});
}

/* A test of the layout has chosen it. (Whether all processes pass a test is another question: a
 * program that asks that has a right answer in mind.) */
static bool isChosen(const Form &form)
{
    return form.kind == Kind::Ends && (form.ends & Form::Chosen) != 0;
}

/* Own rows have been put together otherwise than by OPERATION. */
static bool isOther(const Form &content, const std::string &operation)
{
    return content.kind == Kind::Block &&
           (operation == "MPI_SUM" ? (content.gathered & Form::Picked) != 0
            : operation == "MPI_MAX" || operation == "MPI_MIN" || operation == "MPI_PROD"
                ? (content.gathered & Form::Added) != 0
                : false);
}

/* s += x, m = fmax(m, x); (of counts any may ask whether there are some) */
unsigned RankValues::gatheringOf(const BinaryOperator *binary)
{
    const BinaryOperatorKind kind = binary->getOpcode();
    const Expr *value = binary->getRHS()->IgnoreParenCasts();
    if (kind == BO_AddAssign || kind == BO_SubAssign)
        return binary->getLHS()->getType()->isFloatingType() ? Form::Added : 0;
    const auto *call = dyn_cast<CallExpr>(value);
    const bool picks = isa<ConditionalOperator>(value) ||
                       (call != nullptr && (startsWith(calleeName(call), "fmax") ||
                                            startsWith(calleeName(call), "fmin")));
    return kind == BO_Assign && picks ? Form::Picked : 0;
}

/* What reductions leave of what the ranks put in. */
static Form reduced(const Analysis &analysis, const CallExpr *call, const Form &content,
                    bool before, bool prefix)
{
    const std::string operation =
        call->getNumArgs() > 4 ? analysis.source.spelled(call->getArg(4)) : "";
    if (operation == "MPI_SUM" && content.isOnlyOf(Form::Count) && content.isPlain()) {
        Form form = content; /* the rows before, or all of them */
        form.by[Form::First] = prefix ? content.by[Form::Count] : "";
        if (before || !prefix)
            form.by[Form::Count] = "";
        return form;
    }
    if (content.isLocal() || isChosen(content) || content.others || isOther(content, operation) ||
        (content.kind == Kind::Edge && !prefix)) { /* (others: of how many there are) */
        Form form = content.asValue();
        form.kind = Kind::Local;
        form.agreed = !prefix;
        return form;
    }
    const bool counted =
        !isIdempotent(operation) &&
        ((content.isUniform() && !content.zero) || (content.kind == Kind::Block && content.begun));
    if (counted) /* as many times as there are processes, or there are before */
        return Form::of(prefix ? Form::Rank : Form::Size, calleeName(call).str(),
                        call->getExprLoc());
    if (prefix && !before && content.kind == Kind::Block) {
        Form form = content; /* with the own rows */
        form.scanned = content.cause;
        return form;
    }
    Form form = prefix ? Form::of(Kind::Row) : Form();
    form.message = prefix; /* of the processes before */
    return form;
}

/* What CALL copies, or makes of a value that it is given; nothing of other functions. */
std::optional<Form> RankValues::copied(const CallExpr *call, llvm::StringRef name,
                                       const std::vector<Form> &arguments) const
{
    if (isOneOf(name, {"memcpy", "memmove", "mempcpy", "strcpy", "strncpy", "bcopy"}))
        return contentOf(call->getArg(name == "bcopy" ? 0 : 1));
    if (name == "memset" && arguments.size() > 1)
        return arguments[1].asValue();
    return std::nullopt;
}

/* A copy into rows is a store to each of them, or to one. */
void RankValues::judgeCopy(const CallExpr *call, llvm::StringRef name, const Form &target,
                           const std::vector<Form> &arguments)
{
    const Expr *pointer = call->getArg(0)->IgnoreParenCasts();
    std::optional<Place> place = placeOf(pointer);
    if (!inLoop || !place || arguments.size() < 3 || name == "bcopy")
        return;
    place->element = place->behind = true;
    const std::optional<Rows> rows = rowsOf(*place);
    if (!rows || rows->global)
        return;
    const Form value = contentOf(call->getArg(1)), &length = arguments[2];
    const Guards around = guards();
    const bool copies = name != "memset";
    if (length.kind == Kind::Local)
        return misuse(Problem::LocalRows, call->getExprLoc(), rows->variable->getNameAsString(),
                      length.cause);
    if (length.has(Form::Count)) { /* all rows */
        const std::string from = moved(value.from, arguments[1].shift, false),
                          own = moved("0", target.shift, false);
        if (copies && !rows->ghosts && !from.empty() && from != own)
            noteEdge(*rows, pointer, analysis.source.spelled(pointer), value.message);
    } else if (!around.ends && !around.local && target.isPlain() && !target.has(Form::Own) &&
               !target.has(Form::First)) {
        noteEdge(*rows, pointer, analysis.source.spelled(pointer), copies && value.message);
    }
}

/* FORM, of what is broadcast, tells an end of the domain at which the root may be or not. */
static bool isOfOther(const Form &form, const std::vector<Form> &arguments)
{
    const bool first = arguments.size() <= 3 || arguments[3].isUniform();
    const unsigned ends = first ? Form::AtLast : Form::AtFirst;
    return isChosen(form) || (form.kind == Kind::Ends && (form.ends & ends) != 0) ||
           (form.kind == Kind::Edge && !form.message &&
            (form.ends & ~Form::Chosen & ~(ends ^ 3)) != 0);
}

/* What NAME leaves are elements that other processes, or files, have. */
static bool bringsRows(llvm::StringRef name)
{
    static const char *const kinds[] = {
        "Recv",      "Irecv",     "Mrecv",      "Imrecv",    "Sendrecv",   "Gather",
        "Igather",   "Scatter",   "Iscatter",   "Allgather", "Iallgather", "Alltoall",
        "Ialltoall", "Neighbor_", "Ineighbor_", "Get",       "Rget",       "Fetch",
        "Unpack",    "File_read", "File_iread", "Start"};
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
        "Cart_",  "Graph_",  "Dist_",    "Topo_",     "Group_",       "Comm_remote_",
        "Dims_",  "Type_",   "Pack",     "Get_count", "Get_elements", "Probe",
        "Mprobe", "Waitany", "Waitsome", "Testany",   "Testsome",     "Reduce_scatter"};
    Form given;
    for (const Form &argument : arguments)
        given = join(given, argument);
    const bool tells = std::any_of(std::begin(kinds), std::end(kinds), [&](const char *kind) {
        return startsWith(name, "MPI_" + std::string(kind));
    });
    const bool types = startsWith(name, "MPI_Type_") || startsWith(name, "MPI_Pack") ||
                       startsWith(name, "MPI_Dims_");
    if (!isMpiCall(call) || !tells || (types && !given.isLocal())) {
        Form form = Form::of(Kind::Row);
        form.message = true;
        return form;
    }
    return Form::of(Kind::Local, name.str(), call->getExprLoc());
}

Form RankValues::outputForm(const CallExpr *call, llvm::StringRef name,
                            const std::vector<Form> &arguments)
{
    const std::string own = call->getNumArgs() > 1 ? name.str() : "";
    if (name == "MPI_Comm_rank" || name == "MPI_Comm_size") {
        Form form =
            Form::of(name == "MPI_Comm_rank" ? Form::Rank : Form::Size, own, call->getExprLoc());
        return spansWorld(analysis, call->getArg(0)) ? form : form.asValue();
    }
    if (isOneOf(name, {"MPI_Allreduce", "MPI_Reduce", "MPI_Scan", "MPI_Exscan", "MPI_Iallreduce"}))
        return reduced(analysis, call,
                       contentOf(call->getArg(
                           analysis.source.spelled(call->getArg(0)) == "MPI_IN_PLACE" ? 1 : 0)),
                       name == "MPI_Exscan", name == "MPI_Scan" || name == "MPI_Exscan");
    if (isOneOf(name, {"MPI_Bcast", "MPI_Ibcast"})) {
        Form form = contentOf(call->getArg(0));
        if (!form.isLocal() && !isOfOther(form, arguments) &&
            (form.kind != Kind::Block || form.message))
            return Form();
        form = form.asValue();
        form.kind = Kind::Local; /* perhaps of the rows of one process */
        form.agreed = true;
        return form;
    }
    if (!bringsRows(name))
        return toldForm(call, name, arguments);
    Form form = Form::of(Kind::Row);
    form.message = true;
    if (isOneOf(name, {"MPI_Allgather", "MPI_Allgatherv", "MPI_Gather", "MPI_Alltoall"})) {
        Form content = contentOf(call->getArg(0));
        if (content.kind == Kind::Edge && name != "MPI_Alltoall")
            content.kind = Kind::Local; /* of how many processes, and which rows */
        return content.kind == Kind::Local ? content : form;
    }
    unsigned source = name == "MPI_Sendrecv" ? 8 : name == "MPI_Sendrecv_replace" ? 5 : 3;
    form.peer = isOneOf(name, {"MPI_Recv", "MPI_Irecv", "MPI_Sendrecv", "MPI_Sendrecv_replace"}) &&
                source < arguments.size() && !arguments[source].isUniform();
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
        bool renewed =
            place &&
            std::any_of(analysis.renewed.begin(), analysis.renewed.end(), [&](const auto &table) {
                return pointees(baseOf(*place)).count(table.first.first);
            });
        if (place && !renewed && !analysis.rootOnly.count(baseOf(*place)) &&
            contentOf(call->getArg(at)).isLocal())
            return misuse(Problem::OwnTable, call->getExprLoc(), place->text(), "");
    }
}

/* Messages that are as long as the process's own block, where another one decides. */
void RankValues::checkBlocks(const CallExpr *call, llvm::StringRef name,
                             const std::vector<Form> &arguments)
{
    static const std::map<llvm::StringRef, std::vector<unsigned>> lengths = {
        {"MPI_Allgather", {1, 4}}, {"MPI_Gather", {1, 4}},     {"MPI_Scatter", {1, 4}},
        {"MPI_Alltoall", {1, 4}},  {"MPI_Iallgather", {1, 4}}, {"MPI_Igather", {1, 4}},
        {"MPI_Iscatter", {1, 4}},  {"MPI_Sendrecv", {6}},      {"MPI_Sendrecv_replace", {1}},
        {"MPI_Bcast", {1}},        {"MPI_Ibcast", {1}},        {"MPI_Allreduce", {2}},
        {"MPI_Reduce", {2}},       {"MPI_Iallreduce", {2}},    {"MPI_Scan", {2}},
        {"MPI_Exscan", {2}},       {"MPI_Recv", {1}},          {"MPI_Irecv", {1}}};
    checkTables(call, name);
    auto known = lengths.find(name);
    if (known == lengths.end())
        return;
    bool received = name == "MPI_Recv" || name == "MPI_Irecv";
    for (unsigned at : known->second)
        if (at < arguments.size() && arguments[at].follows(Form::Count) &&
            (!received || !arguments[3].isUniform()))
            return misuse(Problem::EqualBlocks, call->getExprLoc(), name.str(), "");
}

/* What a function is given with ARGUMENT, whose value is VALUE: a number, or what is there. */
Form RankValues::givenForm(const Expr *argument, const Form &value) const
{
    QualType type = argument->IgnoreParenCasts()->getType();
    if (!type->isPointerType() && !type->isArrayType())
        return value;
    return contentOf(argument).asValue();
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
        counts = counts || length;
        if (!length)
            all = join(all, given);
    }
    return counts ? join(all, Form::of(Kind::Block, calleeName(call).str(), call->getExprLoc()))
                  : all;
}

Form RankValues::foreignForm(const CallExpr *call, bool ranked,
                             const std::vector<Form> &arguments) const
{
    bool pointers = false, counts = false;
    Form all, given;
    for (unsigned i = 0; i < arguments.size(); i++) {
        QualType type = call->getArg(i)->IgnoreParenCasts()->getType();
        pointers = pointers || type->isPointerType() || type->isArrayType();
        counts = counts || arguments[i].follows(Form::Count);
        all = join(all, arguments[i]);
        given = join(given, givenForm(call->getArg(i), arguments[i]));
    }
    if (!ranked && given.isUniform())
        return Form();
    if (deedOf(call) == Deed::Computes && !isMpiCall(call))
        return computedForm(call, arguments);
    if (pointers && !all.isUniform())
        return Form::of(counts ? Kind::Block : Kind::Row, calleeName(call).str(),
                        call->getExprLoc());
    const FunctionDecl *callee = call->getDirectCallee();
    bool own = callee != nullptr && isForeign(callee);
    if (own && std::any_of(arguments.begin(), arguments.end(), [](const Form &argument) {
            return argument.kind == Kind::Edge && !argument.isAffine();
        })) { /* who is given the row at the edge may send it, and give the next one */
        Form form = Form::of(Kind::Edge, calleeName(call).str(), call->getExprLoc());
        form.message = true;
        return form;
    }
    return (own && all.isOfRanks()) || pointers ? Form::of(Kind::Row) : all;
}

} // namespace xmpi
