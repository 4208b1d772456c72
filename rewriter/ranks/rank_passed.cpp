/* SPDX-License-Identifier: BSD-3-Clause
 * What passes into functions and out of them: what calls of those that are not looked into leave in
 * what they are given, and the way through the others. */
#include "check/safety.h"
#include "compat.h"
#include "flow/other_files.h"
#include "source/integer.h"
#include "ranks/rank_expressions.h"
#include "library/message.h"
#include "library/constants.h"
#include "library/library.h"
#include "library/mpi_outputs.h"

namespace xmpi
{

using namespace clang;

/* What it is given may be read again by another call. */
static bool putsOutside(Deed deed)
{
    return deed == Deed::Stream || deed == Deed::Descriptor || deed == Deed::File ||
           deed == Deed::Keeps;
}

/* It reads what others have left. */
static bool findsOutside(llvm::StringRef name)
{
    return isOneOf(
        name, {"access", "fgetc",         "fgetc_unlocked", "fgets",  "fread", "fread_unlocked",
               "fscanf", "fstat",         "ftell",          "ftello", "getc",  "getc_unlocked",
               "getenv", "getline",       "getdelim",       "lseek",  "pread", "read",
               "readv",  "secure_getenv", "stat",           "vfscanf"});
}

/* For people, or another program. */
static bool isPrinted(const Source &source, const Expr *argument)
{
    const std::string text = source.spelled(argument);
    return text == "stdout" || text == "stderr";
}

/* What the loop leaves in files, pipes or the environment, and finds there again. */
void RankExpressions::followOutside(const CallExpr *call, llvm::StringRef name,
                                    const std::vector<Form> &arguments, Form &form)
{
    if (isMpiCall(call) || followFile(call, name, arguments, form) || !inLoop)
        return;
    const bool printed = llvm::any_of(call->arguments(), [&](const Expr *argument) {
        return isPrinted(analysis.source, argument);
    });
    for (unsigned i = 0; i < arguments.size() && putsOutside(deedOf(call)) && !printed; i++) {
        const Form given = givenForm(call->getArg(i), arguments[i]);
        if (left.isUniform() && (given.isLocal() || given.kind == Form::Kind::Block))
            left = given;
    }
    if (left.isUniform() || !findsOutside(name))
        return;
    const std::string by = left.cause.empty() ? name.str() : left.cause;
    form = Form::of(Form::Kind::Local, by, call->getExprLoc());
}

/* COPY, the content of what is copied, where that or the TARGET may be rows of a piece: one of
 * them, or all. */
static void copyPieces(const CallExpr *call, Form &copy, const Form &source, const Form &target)
{
    const bool rows = copy.pieces, all = rows && !source.isAffine() && !target.isAffine();
    if ((rows != source.isInPiece() && !all) || (target.isOfPiece() && !target.isInPiece()))
        copy = Form::ofPieces(calleeName(call).str(), call->getExprLoc());
    copy.pieces = all || target.isInPiece();
}

/* What the persistent requests bring that START starts. */
Form RankExpressions::startedForm(const CallExpr *start)
{
    std::map<const CallExpr *, bool> requests; /* whether they receive */
    for (const RequestBuffer &buffer : analysis.requests.startedBy(start))
        requests[buffer.init] = requests[buffer.init] || buffer.received;
    std::optional<Form> brought;
    for (bool receives : {false, true})
        for (const auto &[init, receiving] : requests) {
            bool ranked = false;
            const std::vector<Form> arguments = evaluateArguments(init, ranked);
            const llvm::StringRef name = startedName(calleeName(init));
            if (!receives)
                noteSent(init, name, arguments);
            if (!receives || !receiving)
                continue;
            const Form form = outputForm(init, name, arguments);
            brought = brought ? merge(*brought, form) : form;
        }
    return brought.value_or(
        Form::of(Form::Kind::Local, calleeName(start).str(), start->getExprLoc()));
}

/* CALL copies what is COPY, which gets to know where it goes. */
void RankExpressions::followCopy(const CallExpr *call, llvm::StringRef name,
                                 const std::vector<Form> &arguments, Form &copy)
{
    const Form target = evaluate(call->getArg(copiesTo(name))).form;
    judgeCopy(call, name, target, arguments);
    if (arguments.size() > 1)
        copy.from =
            moved(moved(copy.from, arguments[copiesFrom(name)].shift, false), target.shift, true);
    if (arguments.size() > 1 && name != "bcopy")
        copyPieces(call, copy, arguments[1], target);
    if (arguments.size() > 2 && arguments[2].has(Form::Count) && target.isPlain())
        copy.placed = Form::Beyond | (target.has(Form::First) ? Form::AmongAll : Form::InBlock);
}

void RankExpressions::follow(const CallExpr *call, llvm::StringRef name, bool ranked,
                             const Form &form, const std::vector<Form> &arguments)
{
    if (name == "free")
        return; /* nothing is left that could be read */
    bool written = isMpiCall(call) ? differsAfter(call, name, ranked) : ranked;
    int around = controls;
    if (leavesEqual(analysis, call))
        meet();
    checkBlocks(call, name, arguments);
    Form output = isOneOf(name, {"MPI_Start", "MPI_Startall"}) ? startedForm(call)
                                                               : outputForm(call, name, arguments);
    if (const std::optional<FileTransfer> transfer = transferOf(call, arguments);
        transfer && !transfer->writes)
        output = readFile(*transfer);
    if (reads(call))
        output = inputForm(call, ranked, arguments);
    const bool computes = deedOf(call) == Deed::Computes && !isMpiCall(call);
    std::optional<Form> copy = computes ? copied(call, name, arguments) : std::nullopt;
    if (copy)
        followCopy(call, name, arguments, *copy);
    if (copy)
        output = copy->isUniform() && written ? Form::of(Form::Kind::Row) : *copy;
    else if (computes)
        output = form.isUniform() && written ? Form::of(Form::Kind::Row) : form;
    else if (form.kind == Form::Kind::Local && !isMpiCall(call))
        output = form;
    else if (output.kind == Form::Kind::Row && !written && !leavesEqual(analysis, call))
        output = Form();
    for (const Write &write : analysis.finder.of(call).writes)
        if (write.call == call) {
            setPassed(call, write, written, output);
            noteAssigned(write.place);
        }
    controls = around;
}

/* Whether what an MPI call stores differs from rank to rank. */
bool RankExpressions::differsAfter(const CallExpr *call, llvm::StringRef name, bool ranked)
{
    if (leavesEqual(analysis, call))
        return false;
    if (name == "MPI_Comm_size")
        return !spansWorld(analysis, call->getArg(0));
    static const char *const others[] = {"MPI_Init",      "MPI_Init_thread", "MPI_Initialized",
                                         "MPI_Finalized", "MPI_Comm_dup",    "MPI_Query_thread"};
    if (llvm::any_of(others, [&](const char *known) { return name == known; }))
        return false;
    if (startsWith(name, "MPI_Type_") || startsWith(name, "MPI_Info_") || name == "MPI_Op_create" ||
        name == "MPI_Dims_create")
        return ranked;
    return true;
}

/* Who has sent a message, and how much. */
static bool isStatus(QualType type)
{
    while (type->isArrayType() || type->isPointerType())
        type = type->isPointerType() ? type->getPointeeType()
                                     : QualType(type->getArrayElementTypeNoTypeQual(), 0);
    const RecordDecl *record = type->getAsRecordDecl();
    return record != nullptr && record->getName() == "MPI_Status";
}

/* CALL makes a datatype, or a communicator, of what follows the layout. */
static bool isOwnHandle(const CallExpr *call, bool communicator, const Form &left)
{
    return (communicator || startsWith(calleeName(call), "MPI_Type_")) && left.isLocal();
}

/* Who draws from a state that is given goes on from what the row before has left there. */
static bool goesOn(llvm::StringRef name)
{
    return name == "rand_r" || name == "erand48" || name == "nrand48" || name == "jrand48";
}

/* Random numbers of the library begin anew with ARGUMENTS, which differ from rank to rank where
 * RANKED: for each row, where its number is among them. */
void RankExpressions::seed(const CallExpr *call, bool ranked, const std::vector<Form> &arguments)
{
    const bool same = llvm::all_of(arguments, [](const Form &form) { return form.isUniform(); });
    if ((ranked || !same) && !inLoop && drawnApart == nullptr)
        drawnApart = call;
    noteDrawn(call);
    seeded = seeded || ranked;
    seededByRow = !rowLoops.empty() && llvm::any_of(arguments, [](const Form &form) {
        return form.has(Form::Own) || form.judged() == Form::Kind::Row;
    });
}

/* A stream that goes on from one row to the next, or to the next iteration, is one of a process,
 * whatever it began with. */
Followed RankExpressions::draw(const CallExpr *call)
{
    if (inLoop && (!seededByRow || rowLoops.empty()) && drawn == nullptr)
        drawn = call;
    noteDrawn(call);
    return {inLoop || seeded, Form::of(Form::Kind::Row)};
}

/* CALL broadcasts, as bytes, all of the struct that BUFFER is, or points to. */
bool RankExpressions::sendsStruct(const CallExpr *call, const Expr *buffer) const
{
    const bool points = buffer->getType()->isPointerType();
    const QualType record = points ? buffer->getType()->getPointeeType() : buffer->getType();
    return calleeName(call) == "MPI_Bcast" && !record.isNull() && record->isRecordType() &&
           !record->isIncompleteType() &&
           constantOfMpi(call->getArg(2), analysis.context) == "MPI_BYTE" &&
           constantInteger(call->getArg(1), analysis.context) ==
               analysis.context.getTypeSizeInChars(record).getQuantity();
}

/* Beside the adaptive loop no change shows what a function of another file keeps or asks: what it
 * makes of values that are the same everywhere may be another one in each process. */
Form RankExpressions::besideForm(const CallExpr *call, const Form &form)
{
    if (!beside || iterating || !form.isUniform() || !isUnseen(analysis, call))
        return form;
    outside.emplace(calleeName(call).str(), call);
    return Form::of(Form::Kind::Local, calleeName(call).str(), call->getExprLoc());
}

void RankExpressions::noteRowsOutside(const CallExpr *call, const Rows &rows)
{
    if (!beside || iterating || !isUnseen(analysis, call))
        return;
    const SourceManager &sources = analysis.context.getSourceManager();
    for (const Effects &after : analysis.after)
        for (const Mention &mention : after.mentions)
            if (baseOf(mention.place) == rows.variable &&
                sources.isBeforeInTranslationUnit(call->getEndLoc(), mention.where)) {
                outside.emplace(calleeName(call).str(), call);
                misuse(Problem::LocalValue, call->getExprLoc(), rows.variable->getNameAsString(),
                       calleeName(call).str());
                return;
            }
}

/* CALL leaves FORM in what it is given for WRITE, all of it where WHOLE; of a pair the first number
 * may be known better. */
void RankExpressions::setLeft(const CallExpr *call, const Write &write, const Form &form,
                              bool whole)
{
    Place first = write.place;
    const bool pair = whole && !isHandle(write.place.type) && write.place.type->isRecordType();
    const std::optional<Form> better =
        pair ? reducedFirst(call, calleeName(call), first) : std::nullopt;
    setForm(write.place, form, whole);
    if (!better || !overlap(first, write.place))
        return;
    state.forms.erase({baseOf(first), nullptr});
    for (const FieldDecl *field : first.field->getParent()->fields()) {
        Place member = first;
        member.field = field;
        member.type = field->getType();
        setForm(member, field == first.field ? *better : form, true);
    }
}

/* What CALL brings to a place in BUFFER that is no ghost row's is another row's from then on. */
void RankExpressions::judgeReceived(const CallExpr *call, const Rows &rows, const Expr *buffer)
{
    const Guards around = guards();
    const bool anywhere = (around.told & Form::Sized) != 0 ||
                          (around.one && (around.told & Form::AtFirst) == 0); /* in some block */
    if (rows.global || rows.ghosts || !rows.halo.empty() || around.local ||
        (around.ends && !anywhere))
        return;
    for (const Expr *argument : call->arguments())
        if (argument->getType()->isIntegerType() && evaluate(argument).form.has(Form::Count))
            return; /* all rows */
    if (evaluate(buffer).form.isBare())
        misuse(Problem::LocalRows, call->getExprLoc(), rows.variable->getNameAsString(),
               calleeName(call).str());
}

/* POINTER is an array from its begin on, and nothing in it. */
static bool isNamed(const Expr *pointer)
{
    return isa<DeclRefExpr, MemberExpr>(pointer->IgnoreParenCasts());
}

void RankExpressions::passRows(const CallExpr *call, const Write &write, const Rows &rows,
                               const Expr *buffer, const Form &form)
{
    if (inLoop && (form.isLocal() || form.kind == Form::Kind::Block))
        misuse(Problem::LocalValue, write.where, rows.variable->getNameAsString(), form.cause);
    const FunctionDecl *callee = call->getDirectCallee();
    if (callee != nullptr && !isForeign(callee) && call->getNumArgs() > 0)
        noteSetBy(call, rows, write.place, isNamed(call->getArg(0)),
                  evaluate(call->getArg(0)).form);
    const bool replaces = calleeName(call) == "MPI_Sendrecv_replace";
    if (inLoop && isMpiCall(call) && (buffer != nullptr || replaces))
        judgeReceived(call, rows, replaces ? call->getArg(0) : buffer);
    if (!rows.halo.empty()) /* what it finds there goes; own rows are of no other block */
        edges[{rows.variable, false, iterating}].filled |= isMpiCall(call);
    noteRowsOutside(call, rows);
}

void RankExpressions::passMembers(const Expr *buffer, bool ranked, const Form &form,
                                  SourceLocation where)
{
    for (const VarDecl *member : analysis.members.inside(buffer)) {
        const Place one = Place::of(member);
        set(one, ranked, true, where);
        setForm(one, form, true);
    }
}

/* What of HANDLES and statuses CALL leaves in WRITE's place, which follows what it is given as LEFT
 * does. */
Form RankExpressions::passedForm(const CallExpr *call, const Write &write, const Form &left) const
{
    if (!isMpiCall(call))
        return left;
    if (isStatus(write.place.type))
        return Form::of(Form::Kind::Local, "MPI_Status", call->getExprLoc());
    return isHandle(write.place.type) && !isOwnHandle(call, makesCommunicator(call), left)
               ? Form::of(Form::Kind::Row)
               : left;
}

void RankExpressions::runAssembler(const GCCAsmStmt *code)
{
    Followed given;
    bool any = false;
    auto take = [&](const Expr *expression) {
        const Followed one = evaluate(expression);
        given = {given.ranked || one.ranked, mix(given.form, one.form)};
        any = true;
    };
    for (unsigned i = 0; i < code->getNumInputs(); i++)
        take(code->getInputExpr(i));
    for (unsigned i = 0; i < code->getNumOutputs(); i++)
        if (code->isOutputPlusConstraint(i))
            take(code->getOutputExpr(i));
    if (!any)
        given.form = Form::of(Form::Kind::Local, "asm", code->getAsmLoc());
    for (unsigned i = 0; i < code->getNumOutputs(); i++) {
        const Expr *target = code->getOutputExpr(i)->IgnoreParens();
        const std::optional<Place> place = placeOf(target);
        const bool whole = isa<DeclRefExpr>(target);
        if (!place)
            continue;
        const Followed index = indices(target);
        set(*place, given.ranked || index.ranked, whole, code->getAsmLoc());
        store(*place, target, index.form, given.form.asValue(), false, whole);
    }
}

void RankExpressions::followCallback(const CallExpr *call, llvm::StringRef name)
{
    const auto isFunction = [](const Expr *argument) {
        return argument->IgnoreParenCasts()->getType()->isFunctionType() ||
               argument->IgnoreParenCasts()->getType()->isFunctionPointerType();
    };
    if (isMpiCall(call) || name == "qsort" || searches(name) ||
        call->getDirectCallee() == nullptr || isForeign(call->getDirectCallee()) ||
        call->getDirectCallee()->getDefinition() != nullptr ||
        llvm::none_of(call->arguments(), isFunction))
        return;
    const Form form = Form::of(Form::Kind::Local, name.str(), call->getExprLoc());
    for (const Expr *argument : call->arguments()) {
        const Expr *bare = argument->IgnoreParenCasts();
        const bool address = addressedBy(bare) != nullptr;
        std::optional<Place> place = placeGiven(bare);
        if (!place || isFunction(argument) ||
            (!address && !bare->getType()->isPointerType() && !bare->getType()->isArrayType()))
            continue;
        if (!address)
            place->element = place->behind = true;
        setForm(*place, form, false);
    }
}

/* What CALL sets may be ghost rows that messages bring: a function of a library that sets a part of
 * own rows brings none, but where it copies what is in no rows. */
bool RankExpressions::mayFill(const CallExpr *call)
{
    const FunctionDecl *callee = call->getDirectCallee();
    if (isMpiCall(call) || callee == nullptr || isForeign(callee) || call->getNumArgs() == 0 ||
        isNamed(call->getArg(0)))
        return true;
    if (!isOneOf(calleeName(call), {"memcpy", "memmove"}))
        return false;
    const std::vector<Place> from = placesBehind(call->getArg(1)->IgnoreParenCasts());
    return llvm::none_of(from, [&](const Place &place) { return anyRowsOf(place).has_value(); });
}

/* FORM, of what CALL leaves in PLACE, where rows beside those of a piece may be as well. */
Form RankExpressions::besidePieces(const CallExpr *call, const Place &place, const Form &form) const
{
    const Form pieces = Form::ofPieces(baseOf(place)->getNameAsString(), call->getExprLoc());
    Form left = formOf(place).beside && !form.beside ? join(form, pieces) : form;
    left.placed |= place.element || place.behind ? Form::Beyond : 0;
    return left;
}

/* All that the status STATUS tells is FORM. */
void RankExpressions::setStatus(const Place &status, const Form &form)
{
    for (const VarDecl *one : pointees(baseOf(status)))
        for (const VarDecl *member : analysis.members.inside(one, nullptr))
            setForm(Place::of(member), form, true);
}

void RankExpressions::setPassed(const CallExpr *call, const Write &write, bool ranked,
                                const Form &left)
{
    const bool status = isMpiCall(call) && isStatus(write.place.type);
    const Form form = passedForm(call, write, left);
    if (isUnseen(analysis, call) && analysis.equal.count(baseOf(write.place)))
        return clear(baseOf(write.place), write.place.field); /* the user says what it does */
    const Expr *output = outputOf(call) ? outputOf(call) : broadcastOf(call);
    if (isMpiCall(call) && output != nullptr && isHandle(write.place.type) && !status)
        return; /* the request of the call */
    const Expr *buffer = output ? bufferOf(analysis.context, output) : nullptr;
    std::optional<Place> place = buffer ? placeOf(buffer) : std::nullopt;
    bool whole = place && overlap(*place, write.place) && !fillsPart(analysis.context, call);
    bool asked = calleeName(call) == "MPI_Comm_rank" || calleeName(call) == "MPI_Comm_size";
    set(write.place, ranked, whole, write.where);
    fillBy(call, write.place);
    notePacked(write.place);
    for (const VarDecl *one : pointees(baseOf(write.place)))
        parted.erase(one); /* others have sent theirs */
    makeWhole(write.place);
    if (analysis.isRowFile(baseOf(write.place)->getCanonicalDecl()))
        return; /* the stream; its rows are looked at where they are written */
    if (std::optional<Rows> rows = rowsOf(write.place)) {
        passRows(call, write, *rows, buffer, form);
    } else if (goesOn(calleeName(call)) && !rowLoops.empty() && !isFresh(write.place)) {
        setForm(write.place, Form::of(Form::Kind::Block, calleeName(call).str(), write.where),
                false);
    } else {
        if (whole && !ranked && !isApart() && sendsStruct(call, buffer))
            forgetMembers(write.place);
        setLeft(call, write, besidePieces(call, write.place, form), whole || asked);
    }
    if (status)
        setStatus(write.place, form);
    if (buffer != nullptr && write.place.behind && sendsStruct(call, buffer))
        passMembers(buffer, ranked, form, write.where);
    std::set<const VarDecl *> meant = pointees(baseOf(write.place));
    if (whole && !ranked && !isApart() && meant.size() <= 2)
        for (const VarDecl *variable : meant)
            clear(variable, write.place.field);
}

/* POINTER becomes a number: where it leads nobody sees from there on. */
void RankExpressions::judgeAddress(const Expr *pointer)
{
    std::optional<Place> place = placeOf(bare(pointer));
    if (!place)
        return;
    place->element = place->behind = true;
    const std::optional<Rows> rows = rowsOf(*place);
    if (inLoop && rows)
        misuse(Problem::LocalRows, pointer->getExprLoc(), rows->variable->getNameAsString(),
               analysis.source.spelled(pointer));
}

/* -- functions that are looked into */

std::vector<Form> RankExpressions::evaluateArguments(const CallExpr *call, bool &ranked)
{
    std::vector<Form> arguments;
    for (const Expr *argument : call->arguments()) {
        if (argument == outputOf(call)) {
            arguments.emplace_back();
            continue;
        }
        Followed value = evaluate(argument);
        ranked = value.ranked || ranked;
        arguments.push_back(value.form);
    }
    return arguments;
}

/* How often a library calls something nobody knows: what that keeps may follow anything. */
void RankExpressions::evaluatePossible(const CallExpr *call, bool &ranked, Form &form)
{
    for (const FunctionDecl *possible : analysis.finder.callees(call))
        if (!isOpen(possible)) {
            Followed value = evaluateOwn(call, possible);
            ranked = value.ranked || ranked;
            form = merge(form, value.form);
            const std::string by = possible->getNameAsString();
            for (const Write &write : analysis.finder.withCallees(possible->getBody()).writes)
                if (call->getDirectCallee() != nullptr && tellsOfCalls(analysis.context, write)) {
                    set(write.place, true, false, call->getExprLoc());
                    setForm(write.place, Form::of(Form::Kind::Local, by, call->getExprLoc()),
                            false);
                }
        }
}

Followed RankExpressions::evaluateOwn(const CallExpr *call, const FunctionDecl *callee)
{
    calls++;
    bindArguments(call, callee);
    if (iterating)
        way.push_back(call);
    functions.emplace_back();
    functions.back().function = callee;
    functions.back().call = call;
    std::vector<Frame> outer;
    std::swap(outer, loops);
    bool jumped = !outer.empty() && outer.back().jumped;
    controls += jumped;
    size_t around = conditions.size();
    if (!outer.empty())
        conditions.insert(conditions.end(), outer.back().left.begin(), outer.back().left.end());
    functions.back().around = conditions.size();
    walk(callee->getBody());
    conditions.resize(around);
    controls -= jumped;
    if (iterating)
        way.pop_back();
    std::swap(outer, loops);
    Frame frame = functions.back();
    functions.pop_back();
    state.merge(frame.exits);
    state.dead = false;
    returned = frame.fields;
    returnedForms = frame.forms;
    return {frame.value, frame.form.value_or(Form())};
}

void RankExpressions::findSplitRows(const CompoundStmt *block)
{
    if (!split.insert(block).second)
        return;
    for (const SplitRows &rows : splitRowsIn(analysis, block)) {
        putOff.insert(rows.calls.begin(), rows.calls.end() - 1);
        joint.emplace(rows.calls.back(), rows);
    }
}

const Expr *RankExpressions::argumentOf(const CallExpr *call, unsigned index) const
{
    const auto rows = joint.find(call);
    if (rows == joint.end() || (index != rows->second.beginAt && index != rows->second.endAt))
        return call->getArg(index);
    return index == rows->second.beginAt ? rows->second.begin : rows->second.end;
}

void RankExpressions::bindArguments(const CallExpr *call, const FunctionDecl *callee)
{
    std::vector<Followed> values;
    std::vector<std::string> texts;
    for (unsigned i = 0; i < call->getNumArgs(); i++) {
        values.push_back(evaluate(argumentOf(call, i)));
        texts.push_back(textOf(argumentOf(call, i)));
    }
    for (unsigned i = 0; i < call->getNumArgs() && i < callee->getNumParams(); i++) {
        const ParmVarDecl *parameter = callee->getParamDecl(i);
        names[parameter->getCanonicalDecl()] = texts[i];
        if (isHandle(parameter->getType()))
            operations[parameter->getCanonicalDecl()] = operationOf(call->getArg(i));
        if (parameter->getType()->isIntegerType() && choosesIterations(argumentOf(call, i)))
            varying.insert(parameter->getCanonicalDecl());
        else
            varying.erase(parameter->getCanonicalDecl());
        bindParameter(parameter->getCanonicalDecl(), argumentOf(call, i), values[i]);
    }
}

void RankExpressions::bindParameter(const VarDecl *parameter, const Expr *argument,
                                    const Followed &value)
{
    Place place = Place::of(parameter);
    unpoint(parameter);
    clear(parameter, nullptr);
    forget(parameter);
    freshen(parameter);
    point(parameter, argument);
    if (parameter->getType()->isPointerType())
        state.offsets[parameter] = value.form;
    else if (!parameter->getType()->isRecordType())
        state.forms[{parameter, nullptr}] = value.form;
    if (!points(parameter) && !copyStruct(place, argument, argument->getExprLoc()) && value.ranked)
        state.ranked.insert({{parameter, nullptr}, argument->getExprLoc()});
}

} // namespace xmpi
