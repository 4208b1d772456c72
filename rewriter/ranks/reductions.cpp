/* SPDX-License-Identifier: BSD-3-Clause
 * What reductions, and messages, leave of what the processes put in. */
#include "compat.h"
#include "flow/gathered.h"
#include "ranks/rank_values.h"
#include "library/library.h"
#include "library/constants.h"
#include "library/message.h"
#include "rows/own_loops.h"
#include "source/integer.h"
#include "source/loops.h"
#include "source/variable.h"
#include "source/within.h"
#include <functional>

namespace xmpi
{

using namespace clang;

using Kind = Form::Kind;

bool isReduction(llvm::StringRef name)
{
    return isOneOf(name, {"MPI_Allreduce", "MPI_Reduce", "MPI_Scan", "MPI_Exscan", "MPI_Iallreduce",
                          "MPI_Ireduce", "MPI_Iscan", "MPI_Iexscan"});
}

bool gathersParts(llvm::StringRef name)
{
    return isOneOf(name, {"MPI_Allgather", "MPI_Iallgather", "MPI_Allgatherv", "MPI_Iallgatherv",
                          "MPI_Gather", "MPI_Igather", "MPI_Gatherv", "MPI_Igatherv",
                          "MPI_Alltoall", "MPI_Ialltoall"});
}

/* What several processes put in counts once. */
static bool isIdempotent(llvm::StringRef operation)
{
    return isOneOf(operation, {"MPI_MAX", "MPI_MIN", "MPI_LAND", "MPI_LOR", "MPI_BAND", "MPI_BOR",
                               "MPI_MAXLOC", "MPI_MINLOC"});
}

std::string RankValues::operationOf(const Expr *operation) const
{
    std::optional<Place> place = placeOf(operation->IgnoreParenCasts());
    if (!place) {
        return constantOfMpi(operation, analysis.context);
    }
    auto handed = operations.find(baseOf(*place));
    if (handed != operations.end())
        return handed->second;
    const FunctionDecl *function = operationMadeBy(analysis, baseOf(*place));
    return function != nullptr ? xmpi::operationOf(analysis.context, function) : "";
}

static Form agreedOn(const Form &content, bool prefix, SourceLocation where)
{
    Form form = content.asValue();
    form.kind = Kind::Local;
    form.agreed = !prefix;
    if (form.cause.empty()) {
        form.cause = "MPI_Reduce";
        form.where = where;
    }
    return form;
}

/* Whether OPERATION makes of CONTENT what it would make of all rows in any layout. COUNTED: only
 * whether that is 0. */
static bool isPutTogether(const Form &content, llvm::StringRef operation, bool &counted)
{
    counted = false;
    if (content.kind != Kind::Block)
        return true;
    const unsigned gathered =
        content.message ? content.gathered & ~Form::Neighbours : content.gathered;
    return puttingTogether(operation, gathered, counted);
}

/* CONTENT is the row at the edge of a block whose rows are made of those before them. */
bool RankValues::isOfSums(const Form &content) const
{
    return content.kind == Kind::Edge && llvm::any_of(edges, [&](const auto &known) {
               return !known.second.by.empty() &&
                      known.first.rows->getNameAsString() == content.cause;
           });
}

/* (As many elements in each layout are of rows at the edge of the block.) */
Form RankValues::handedOver(const Expr *buffer, const Form &index, const Form &many) const
{
    std::optional<Place> place = placeGiven(buffer);
    if (place && addressedBy(buffer) == nullptr)
        place->element = place->behind = true;
    const std::optional<Rows> rows = place ? rowsOf(*place) : std::nullopt;
    const Form content = contentOf(buffer);
    if (!place || !many.isUniform() || index.has(Form::Own))
        return content;
    if (rows && !rows->global)
        return readRow(*rows, index, buffer->getExprLoc());
    return readAtEdge(content, index, place->base->getNameAsString(), buffer->getExprLoc())
        .value_or(content);
}

/* MPI_IN_PLACE gets to a variable of the program's. */
static bool leavesCall(const Expr *expression, const Structure &structure)
{
    const Stmt *around = structure.parent(expression);
    while (isa_and_nonnull<ParenExpr, CastExpr>(around))
        around = structure.parent(around);
    const auto *call = dyn_cast_or_null<CallExpr>(around);
    return call == nullptr || !startsWith(calleeName(call), "MPI_");
}

/* BUFFER is a pointer that may have been given MPI_IN_PLACE. */
bool RankValues::mayBeInPlace(const Expr *buffer) const
{
    const Expr *bare = buffer->IgnoreParenCasts();
    if (!bare->getType()->isPointerType() ||
        !isa<DeclRefExpr, MemberExpr, ConditionalOperator>(bare))
        return false;
    if (!handsOnInPlace)
        handsOnInPlace = llvm::any_of(analysis.structure.functions, [&](const FunctionDecl *one) {
            return anyWithin(one->getBody(), [&](const Stmt *part) {
                const auto *value = dyn_cast<CStyleCastExpr>(part);
                return value != nullptr && isInPlace(value, analysis.context) &&
                       leavesCall(value, analysis.structure);
            });
        });
    return *handsOnInPlace;
}

/* What the ranks put into CALL, of MANY elements: what is to be sent, or else what they have where
 * it is received. */
Form RankValues::putIn(const CallExpr *call, const std::vector<Form> &arguments,
                       unsigned many) const
{
    const Expr *sent = call->getArg(0);
    const Form there = handedOver(call->getArg(1), arguments[1], arguments[many]);
    if (isInPlace(sent, analysis.context))
        return there;
    const Form content = handedOver(sent, arguments[0], arguments[many]);
    return mayBeInPlace(sent) ? merge(content, there) : content;
}

/* What reductions leave of what the ranks put in. */
Form RankValues::reduced(const CallExpr *call, llvm::StringRef name,
                         const std::vector<Form> &arguments)
{
    if (call->getNumArgs() <= 4)
        return Form::of(Kind::Local, name.str(), call->getExprLoc());
    const unsigned sent = isInPlace(call->getArg(0), analysis.context) ? 1 : 0;
    const std::optional<Place> place = placeGiven(call->getArg(sent));
    const bool all = arguments[sent].isUniform() && arguments[2].isUniform();
    if (iterating && all && place && lacksOthers(*place))
        return Form::of(Kind::Local, place->base->getNameAsString(), call->getExprLoc());
    return reducedOf(call, name, putIn(call, arguments, 2));
}

/* Of CONTENT, which counts rows: the rows before, with the own ones where it is not BEFORE, or all
 * of them. */
static Form sumOfCounts(const Form &content, bool prefix, bool before)
{
    Form form = content;
    form.by[Form::First] = prefix ? content.by[Form::Count] : "";
    if (before || !prefix)
        form.by[Form::Count] = "";
    return form;
}

/* Of CONTENT, which no reduction puts together to the same in each layout; where EDGE, it is of as
 * many rows as there are processes. */
static Form dividedOf(const Form &content, bool prefix, bool edge, SourceLocation where)
{
    Form form = agreedOn(content, prefix, where);
    if (edge) {
        form.gathered |= Form::AtEdge;
        form.message = false;
        form.data = true;
    }
    return form;
}

/* The same of CONTENT, what each of them has. */
Form RankValues::reducedOf(const CallExpr *call, llvm::StringRef name, const Form &content)
{
    noteOperation(call);
    const bool before = name == "MPI_Exscan" || name == "MPI_Iexscan";
    const bool prefix = before || name == "MPI_Scan" || name == "MPI_Iscan";
    const std::string operation = operationOf(call->getArg(4));
    if (operation == "MPI_SUM" && content.isOnlyOf(Form::Count) && content.isPlain())
        return sumOfCounts(content, prefix, before);
    const bool neighbours = content.kind == Kind::Row && content.neighbour && !content.running;
    const bool edge = neighbours || (content.kind == Kind::Edge && !(prefix && isOfSums(content)));
    bool counted = false;
    const bool together = isPutTogether(content, operation, counted);
    if (operation.empty() || content.isLocal() || content.isChosen() || content.others ||
        !together || content.parts || edge) /* (others: of how many there are) */
        return dividedOf(content, prefix, edge && !isOfSums(content), call->getExprLoc());
    if (counted) {
        Form form = agreedOn(content, prefix, call->getExprLoc());
        form.counted = !prefix;
        return form;
    }
    const bool times = !isIdempotent(operation) && ((content.isUniform() && !content.zero) ||
                                                    (content.kind == Kind::Block && content.begun));
    if (times) { /* as many times as there are processes, or there are before */
        const bool inPlace = isInPlace(call->getArg(0), analysis.context);
        const std::string what = inPlace ? analysis.source.spelled(call->getArg(1))
                                         : calleeName(call).str(); /* with what it has brought */
        return Form::of(prefix ? Form::Rank : Form::Size, what, call->getExprLoc());
    }
    if (prefix && !before && content.kind == Kind::Block) {
        Form form = content; /* with the own rows */
        form.scanned = markOf(content);
        return form;
    }
    if (before && content.kind == Kind::Block)
        return beforeRows(content.cause, content.where);
    Form form = prefix ? Form::of(Kind::Row) : Form();
    form.message = prefix; /* of the processes before */
    return form;
}

/* FORM, of a message, may be of what has been SENT. */
static void addComing(Form &form, const Form &sent, const std::string &name, SourceLocation where)
{
    form.stands = form.neighbour && form.stands != sent.stands ? nullptr : sent.stands;
    form.neighbour = true;
    form.comes |= sent.ends & (Form::AtFirst | Form::AtLast);
    form.cause = name;
    form.where = where;
}

/* What a process has of its rows, for others: its form there, by ranks. */
static Form partOf(const Form &content, const std::string &name, SourceLocation where)
{
    Form form = content.asValue();
    const bool counts = content.isPlain() && content.isOnlyOf(Form::Count);
    if (form.kind != Kind::Block)
        form.gathered = counts ? Form::Added : Form::Otherwise;
    form.kind = Kind::Block;
    form.terms = 0;
    form.ends = 0;
    form.message = form.agreed = false;
    if (form.cause.empty()) {
        form.cause = name;
        form.where = where;
    }
    return form;
}

Form RankValues::gatheredForm(const CallExpr *call, llvm::StringRef name,
                              const std::vector<Form> &arguments) const
{
    Form form = Form::of(Kind::Row);
    form.message = true;
    const bool inPlace = isInPlace(call->getArg(0), analysis.context);
    Form content = inPlace && call->getNumArgs() > 3
                       ? contentOf(call->getArg(3))
                       : handedOver(call->getArg(0), arguments[0], arguments[1]);
    if (!inPlace && call->getNumArgs() > 3 && mayBeInPlace(call->getArg(0)))
        content = merge(content, contentOf(call->getArg(3)));
    if (content.kind == Kind::Edge && name.contains("lltoall")) {
        addComing(form, content, name.str(), call->getExprLoc());
        return form;
    }
    if (content.kind == Kind::Edge) {
        content.kind = Kind::Local; /* of how many processes, and which rows */
        content.gathered |= content.message ? Form::AtEdge : Form::AtEdge | Form::Otherwise;
        return content;
    }
    if (content.kind == Kind::Row && !content.message && !content.from.empty() &&
        content.from != "0") { /* made of rows beside one another, or put beside their places */
        content.kind = Kind::Local;
        content.gathered |= Form::Neighbours;
        content.data = true;
        return content;
    }
    if (content.kind == Kind::Local && !content.isAffine() && !content.parts)
        return content;
    if ((content.kind != Kind::Block && !content.isLocal()) || content.gathered == Form::Any) {
        if (content.kind == Kind::Row && !endsWith(name, "lltoall"))
            form.placed = Form::AmongAll;
        return form;
    }
    if (content.isPlain() && content.isOnlyOf(Form::Rank) && name != "MPI_Alltoall" &&
        name != "MPI_Ialltoall") {
        content.parts = true;
        return content;
    }
    form = partOf(content, name.str(), call->getExprLoc());
    form.parts = true;
    return form;
}

/* What a process has of what another one scatters: ROWS, where it is no number of processes. */
Form RankValues::scatteredForm(const CallExpr *call, llvm::StringRef name, const Form &rows) const
{
    const Form content = contentOf(call->getArg(0));
    return content.isLocal() || content.kind == Kind::Block
               ? partOf(content, name.str(), call->getExprLoc())
               : rows;
}

/* What a process has of what each one has for each, or for those beside it. */
Form RankValues::exchangedForm(const CallExpr *call, llvm::StringRef name,
                               const std::vector<Form> &arguments) const
{
    const bool pointers = endsWith(name, "v") || endsWith(name, "w"); /* to how many */
    const Form content = isInPlace(call->getArg(0), analysis.context) || pointers
                             ? contentOf(call->getArg(0))
                             : handedOver(call->getArg(0), arguments[0], arguments[1]);
    if (content.isLocal() || content.kind == Kind::Block)
        return partOf(content, name.str(), call->getExprLoc());
    Form form = Form::of(Kind::Row);
    form.message = true;
    if (content.kind == Kind::Edge)
        addComing(form, content, name.str(), call->getExprLoc());
    return form;
}

/* -- messages */

/* (-1: it says none.) */
static std::optional<long long> tagOf(const CallExpr *call, int at, const ASTContext &context)
{
    return at >= 0 && at < static_cast<int>(call->getNumArgs())
               ? constantInteger(call->getArg(static_cast<unsigned>(at))->IgnoreParenCasts(),
                                 context)
               : std::nullopt;
}

/* One of MPI's own, by whatever name the program has for it; of others it is not known what they
 * are made of. */
std::string RankValues::typeNamed(const Expr *type) const
{
    return constantOfMpi(type, analysis.context);
}

/* What is sent as elements of the one can be received as such of the other. */
static bool mayMatch(llvm::StringRef sent, llvm::StringRef received)
{
    return sent.empty() || received.empty() || sent == received;
}

/* How many ranks behind the own one the process is that ARGUMENTS, of a call, have AT. */
static std::string distanceTo(const std::vector<Form> &arguments, int at)
{
    if (at < 0 || at >= static_cast<int>(arguments.size()))
        return "";
    const Form &process = arguments[static_cast<size_t>(at)];
    const bool known = process.isPlain() && process.isOnlyOf(Form::Rank) &&
                       process.by[Form::Rank] == "1" && rowsOfShift(process.shift);
    return known ? process.shift : "";
}

/* What goes TOWARD a process may be what comes FROM another one. */
static bool mayMeet(const std::string &toward, const std::string &from)
{
    return toward.empty() || from.empty() || addShifts(toward, from).empty();
}

/* What CALL sends is no number of a row, or value of one; or is the row at the edge of a block, or
 * all rows of one. */
void RankValues::noteSent(const CallExpr *call, llvm::StringRef name,
                          const std::vector<Form> &arguments)
{
    const std::optional<Envelope> sent = sentBy(name);
    if (!sent || call->getNumArgs() < 5)
        return;
    const Form content = handedOver(call->getArg(0), arguments[0], arguments[1]);
    const bool passed = content.message && content.begun; /* and changed on its way */
    const bool edge =
        content.kind == Kind::Edge && !content.before && !isOfSums(content) && !passed;
    const std::string toward = distanceTo(arguments, sent->process);
    const bool block = content.kind == Kind::Row && !content.isLocal() && !passed &&
                       arguments[1].isOnlyOf(Form::Count);
    if (!content.isLocal() && content.kind != Kind::Block && !passed && !edge && !block)
        return;
    const bool rows = edge || block;
    const Form form = rows ? content : partOf(content, name.str(), call->getExprLoc());
    const std::string type = typeNamed(call->getArg(static_cast<unsigned>(sent->type)));
    const std::optional<long long> tag = tagOf(call, sent->tag, analysis.context);
    for (Sent &one : sends)
        if (one.type == type && one.tag == tag && one.edge == rows &&
            (!rows || (one.form.kind == form.kind && one.form.stands == form.stands &&
                       one.toward == toward))) {
            one.form.ends |= form.ends;
            return;
        }
    sends.push_back({type, tag, form, rows, toward});
}

using Loops = std::function<bool(const Stmt *)>;

/* SOURCE is the counter of the loop AROUND, or set by its step; or in it, where it is UNIFORM. */
static bool steps(const Analysis &analysis, const Stmt *around, const VarDecl *source, bool uniform)
{
    if (countingOf(analysis, around).counter == source)
        return true;
    const auto *loop = dyn_cast<ForStmt>(around);
    const Stmt *step = uniform ? around : loop != nullptr ? loop->getInc() : nullptr;
    const Effects within = step != nullptr ? analysis.finder.of(step) : Effects();
    return llvm::any_of(within.writes, [&](const Write &write) {
        return write.place.base == source && write.how == Write::How::Assigned;
    });
}

/* FROM is anybody, or goes by the counter of the loop AROUND, or by whose message comes in it. */
static bool isOfEach(const Analysis &analysis, const Stmt *around, const Expr *from)
{
    if (const auto number = constantInteger(from->IgnoreParenCasts(), analysis.context))
        return *number < 0;
    const Effects within = analysis.finder.of(around), by = analysis.finder.of(from);
    const VarDecl *counter = countingOf(analysis, around).counter;
    return llvm::any_of(by.mentions, [&](const Mention &mention) {
        return mention.place.base == counter ||
               llvm::any_of(within.writes, [&](const Write &write) {
                   return write.how == Write::How::Passed && write.call != nullptr &&
                          overlap(mention.place, write.place);
               });
    });
}

/* The loop around CALL, in the adaptive one, in which FROM, a process, becomes another one, which
 * may be UNIFORM; or null. BY_SIZE tells which loops are as long as there are processes. */
static const Stmt *stepsThrough(const Analysis &analysis, const CallExpr *call, const Expr *from,
                                bool uniform, const Loops &bySize)
{
    const VarDecl *source = variableIn(from);
    for (const Stmt *around = analysis.structure.parent(call);
         around != nullptr && around != analysis.loop; around = analysis.structure.parent(around))
        if (isLoop(around) && ((source != nullptr && steps(analysis, around, source, uniform)) ||
                               (isOfEach(analysis, around, from) && bySize(around))))
            return around;
    return nullptr;
}

/* A value that TO, where something is received, goes by is set in LOOP. */
static bool movesIn(const Analysis &analysis, const Stmt *loop, const Expr *to)
{
    const auto *address = dyn_cast<UnaryOperator>(to->IgnoreParenCasts());
    const Expr *named = (address != nullptr ? address->getSubExpr() : to)->IgnoreParenCasts();
    if (isa<DeclRefExpr>(named) && (address != nullptr || !named->getType()->isPointerType()))
        return false;
    const Effects changed = analysis.finder.of(loop), by = analysis.finder.of(to);
    return llvm::any_of(by.mentions, [&](const Mention &mention) {
        return llvm::any_of(changed.writes, [&](const Write &write) {
            const bool within = write.place.element || write.place.behind;
            return write.place.base->getCanonicalDecl() == mention.place.base->getCanonicalDecl() &&
                   (!within || write.place.field != nullptr) && write.how != Write::How::Passed;
        });
    });
}

/* What CALL is given for what is a parameter of the function that it calls; or EXPRESSION. */
static const Expr *givenTo(const CallExpr *call, const Expr *expression)
{
    const VarDecl *variable = variableIn(expression);
    const FunctionDecl *callee = definitionOf(call);
    for (unsigned i = 0; callee != nullptr && i < callee->getNumParams(); i++)
        if (variable == callee->getParamDecl(i)->getCanonicalDecl() && i < call->getNumArgs())
            return call->getArg(i);
    return expression;
}

/* CALL, in a loop over processes, receives from one after another, UNIFORM numbers or not, and puts
 * all of it into one place. WAY: the calls around; BY_SIZE: as long as there are processes. */
static bool takesInTurn(const Analysis &analysis, const CallExpr *call, bool uniform,
                        std::vector<const Stmt *> way, const Loops &bySize)
{
    const Message message = messageOf(call);
    const Expr *from = message.from, *to = message.received;
    for (const CallExpr *at = call; from != nullptr && to != nullptr && at != nullptr;) {
        if (const Stmt *loop = stepsThrough(analysis, at, from, uniform, bySize))
            return !movesIn(analysis, loop, to);
        at = nullptr;
        while (at == nullptr && !way.empty()) {
            at = dyn_cast<CallExpr>(way.back());
            way.pop_back();
        }
        from = at != nullptr ? givenTo(at, from) : nullptr;
        to = at != nullptr ? givenTo(at, to) : nullptr;
    }
    return false;
}

/* CALL receives from a process that is another one for each, or does not say from which. */
bool isFromNeighbour(llvm::StringRef name, const std::vector<Form> &arguments)
{
    const std::optional<Envelope> received = receivedBy(name);
    const int source = received ? received->process : -1;
    return (received && source < 0) ||
           (source >= 0 && source < static_cast<int>(arguments.size()) &&
            !arguments[static_cast<size_t>(source)].isUniform());
}

/* What CALL leaves of blocks that it receives one after another: the row at the edge of the last,
 * or all rows of that, by their places in it. */
static Form ofOneInTurn(Kind sent, const CallExpr *call)
{
    Form form = Form::of(sent == Kind::Edge ? Kind::Local : Kind::Row, calleeName(call).str(),
                         call->getExprLoc());
    form.data = true;
    form.message = form.peer = sent != Kind::Edge;
    if (sent == Kind::Edge)
        form.gathered = Form::AtEdge;
    return form;
}

/* CALL receives ROW, at the edge of a block, from SOURCE, a process that is not found by its rank
 * beside the own one, and that is not the one at the end of the domain where that row is. */
bool RankValues::isOfElected(const CallExpr *call, const Form &source, const Form &row) const
{
    const Expr *from = messageOf(call).from;
    const VarDecl *variable = from != nullptr ? variableIn(from) : nullptr;
    if (from == nullptr || !source.isPlain() ||
        (source.isAffine() ? !source.isOnlyOf(Form::Size) : !source.isUniform()) ||
        (variable != nullptr &&
         (isa<ParmVarDecl>(variable) ||
          stepsThrough(analysis, call, from, true, [](const Stmt *) { return false; }) != nullptr)))
        return false;
    const std::optional<long long> number =
        constantInteger(from->IgnoreParenCasts(), analysis.context);
    if (number && *number < 0) /* none, or any */
        return false;
    const bool first = !source.isAffine() && (number ? *number == 0 : source.zero),
               last = source.by[Form::Size] == "1" && source.shift == "-1";
    const unsigned end = first ? Form::AtFirst : last ? Form::AtLast : 0;
    return row.kind == Kind::Edge &&
           ((first || last) ? row.ends != 0 && (row.ends & end) == 0 : true);
}

/* What a message that CALL receives may bring. */
Form RankValues::receivedForm(const CallExpr *call, llvm::StringRef name,
                              const std::vector<Form> &arguments) const
{
    Form form = Form::of(Kind::Row);
    form.message = true;
    if (name.contains("catter"))
        return scatteredForm(call, name, form);
    if (name.contains("eighbor_") || name.contains("lltoall"))
        return exchangedForm(call, name, arguments);
    const std::optional<Envelope> received = receivedBy(name);
    if (!received || received->type >= static_cast<int>(call->getNumArgs()))
        return form;
    const std::string type = typeNamed(call->getArg(static_cast<unsigned>(received->type)));
    const std::optional<long long> tag = tagOf(call, received->tag, analysis.context);
    const size_t source =
        received->process >= 0 ? static_cast<size_t>(received->process) : arguments.size();
    const std::string from = distanceTo(arguments, received->process);
    const Loops bySize = [&](const Stmt *loop) {
        const Expr *condition = conditionIn(loop);
        const Effects by = condition != nullptr ? analysis.finder.of(condition) : Effects();
        return llvm::any_of(by.mentions, [&](const Mention &mention) {
            return !formOf(mention.place).isUniform();
        });
    };
    for (const Sent &one : sends) {
        const bool comes = mayMatch(one.type, type) && (!one.tag || !tag || *one.tag == *tag);
        if (comes && !one.edge)
            return one.form;
        const bool uniform = source < arguments.size() && arguments[source].isUniform(),
                   elected = &one < sends.data() + settled && source < arguments.size() &&
                             isOfElected(call, arguments[source], one.form);
        if (comes && (elected || takesInTurn(analysis, call, uniform, way, bySize)))
            return ofOneInTurn(one.form.kind, call);
        if (comes && one.form.kind == Kind::Edge && isFromNeighbour(name, arguments) &&
            mayMeet(one.toward, from))
            addComing(form, one.form, name.str(), call->getExprLoc());
    }
    return form;
}

} // namespace xmpi
