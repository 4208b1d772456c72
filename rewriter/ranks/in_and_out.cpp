/* SPDX-License-Identifier: BSD-3-Clause
 * What comes in and goes out. What a program that starts over reads from files and draws at random
 * before the loop: the same in every layout where all ranks do so alike, or one at an end of the
 * world alone, with arguments that do not follow the layout. What is printed and written of the
 * blocks: some of their rows, by their places, or what each comes to. Who has which rows may be
 * told, as ranks and counts may, but not what they come to all together; what is in rows then
 * depends on that. */
#include "compat.h"
#include "flow/other_files.h"
#include "ranks/rank_values.h"
#include "library/library.h"
#include "library/mpi_outputs.h"
#include "source/variable.h"
#include "check/safety.h"
#include "handles/streams.h"
#include "ranks/rank_expressions.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

const FunctionDecl *operationMadeBy(const Analysis &analysis, const VarDecl *variable)
{
    const FunctionDecl *found = nullptr;
    for (const FunctionDecl *function : analysis.structure.functions)
        for (const CallExpr *call : analysis.finder.of(function->getBody()).calls) {
            const auto *address = calleeName(call) == "MPI_Op_create" && call->getNumArgs() == 3
                                      ? dyn_cast<UnaryOperator>(call->getArg(2)->IgnoreParenCasts())
                                      : nullptr;
            std::optional<Place> place =
                address ? placeOf(address->getSubExpr()->IgnoreParenCasts()) : std::nullopt;
            if (!place || place->base->getCanonicalDecl() != variable)
                continue;
            const Expr *first = call->getArg(0)->IgnoreParenCasts();
            if (const auto *unary = dyn_cast<UnaryOperator>(first))
                first = unary->getSubExpr()->IgnoreParenCasts();
            const auto *name = dyn_cast<DeclRefExpr>(first);
            const auto *made = name ? dyn_cast<FunctionDecl>(name->getDecl()) : nullptr;
            made = made != nullptr ? made->getDefinition() : nullptr;
            if (made == nullptr || (found != nullptr && found != made))
                return nullptr;
            found = made;
        }
    return found;
}

/* -- read */

namespace
{

bool isOfFile(Deed deed)
{
    return deed == Deed::Stream || deed == Deed::Descriptor || deed == Deed::File;
}

bool opens(llvm::StringRef name)
{
    name.consume_front("P");
    return name == "MPI_File_open" || name == "fopen" || name == "fopen64" || name == "open" ||
           name == "open64";
}

/* Of such a call: who is first gets what comes first. */
bool isShared(llvm::StringRef name)
{
    return name.contains("_shared") || name.contains("_ordered");
}

/* The variable that has the file of CALL: a stream, a descriptor, a handle of MPI. */
const VarDecl *holderOf(const CallExpr *call)
{
    const llvm::StringRef name = calleeName(call);
    if (name.contains("MPI_File_open") && call->getNumArgs() == 5)
        if (std::optional<Place> place = placeOf(call->getArg(4)))
            return place->field == nullptr ? place->base->getCanonicalDecl() : nullptr;
    for (const Expr *argument : call->arguments()) {
        const auto *named = dyn_cast<DeclRefExpr>(argument->IgnoreParenCasts());
        const QualType type = argument->IgnoreParenCasts()->getType();
        const auto *variable = named ? dyn_cast<VarDecl>(named->getDecl()) : nullptr;
        const bool first = argument == call->getArg(0) && type->isIntegerType();
        if (first || isStream(type) || isMpiCall(call))
            return variable != nullptr ? variable->getCanonicalDecl() : nullptr;
    }
    return nullptr;
}

/* It prints, or is done with its file. */
bool isForPeople(const Analysis &analysis, const CallExpr *call)
{
    const llvm::StringRef name = calleeName(call);
    return name == "fclose" || name == "close" || name.contains("MPI_File_close") ||
           llvm::any_of(call->arguments(), [&](const Expr *argument) {
               return isStream(argument->getType()) && isStandardStream(analysis, argument);
           });
}

/* What goes on in an unknown way; else the end of the world, Form::AtFirst or Form::AtLast, at
 * which one rank has gone on alone, or 0: all ranks alike. */
enum : unsigned { Unknown = ~0u };

/* Who runs what stands under conditions. */
class Passing
{
  public:
    void add(const Form &condition)
    {
        if (condition.isUniform() && !condition.each && !condition.agreed && !condition.counted)
            return;
        const bool end = !condition.isAffine() && condition.kind == Form::Kind::Ends;
        other = other || !end;
        exact = exact || (end && !condition.others);
        ends |= end ? condition.ends & (Form::AtFirst | Form::AtLast) : 0;
    }
    unsigned who() const
    {
        const bool one = exact && (ends == Form::AtFirst || ends == Form::AtLast);
        return other || (ends != 0 && !one) ? Unknown : ends;
    }

  private:
    bool other = false, exact = false;
    unsigned ends = 0;
};

} // namespace

/* WRITE puts into a variable what such a call has opened, or nothing. */
static bool isOpening(const ASTContext &context, const Write &write)
{
    const Expr *value = write.value != nullptr ? write.value->IgnoreParenCasts() : nullptr;
    const auto *call = write.call != nullptr ? write.call : dyn_cast_or_null<CallExpr>(value);
    if (call != nullptr)
        return opens(calleeName(call)) || startsWith(calleeName(call), "MPI_File_");
    return value == nullptr ||
           value->isNullPointerConstant(const_cast<ASTContext &>(context),
                                        Expr::NPC_ValueDependentIsNull) != Expr::NPCK_NotNull;
}

/* VARIABLE only ever has what such calls have opened, and no other variable has that. */
bool RankExpressions::hasFilesOfItsOwn(const VarDecl *variable) const
{
    if (isa<ParmVarDecl>(variable) || variable->hasExternalFormalLinkage())
        return false;
    for (const FunctionDecl *function : analysis.structure.functions)
        for (const Write &write : analysis.finder.of(function->getBody()).writes) {
            const std::optional<Place> from =
                write.value != nullptr ? placeOf(write.value->IgnoreParenCasts()) : std::nullopt;
            const bool own =
                write.place.base->getCanonicalDecl() == variable && !write.place.behind;
            if ((from && from->base->getCanonicalDecl() == variable) ||
                (own && !isOpening(analysis.context, write)))
                return false;
        }
    return true;
}

/* The variable that has what CALL opens; null: not known. */
const VarDecl *RankExpressions::openedBy(const CallExpr *call) const
{
    if (isMpiCall(call))
        return holderOf(call);
    for (const FunctionDecl *function : analysis.structure.functions)
        for (const Write &write : analysis.finder.of(function->getBody()).writes)
            if (write.value != nullptr && write.value->IgnoreParenCasts() == call &&
                write.place.field == nullptr && !write.place.behind)
                return write.place.base->getCanonicalDecl();
    return nullptr;
}

/* Whether what has gone on as STOOD goes on here in a known way; how then. */
bool RankExpressions::standsAlike(unsigned &stood) const
{
    Passing passing;
    for (const Form &condition : conditions)
        passing.add(condition);
    for (const Form &condition : !loops.empty() ? loops.back().left : functions.back().left)
        passing.add(condition);
    const unsigned who = passing.who();
    const bool known = who != Unknown && following == 0 && (who != 0 || !isApart());
    const bool alike = known && (stood == 0 || stood == who);
    stood = alike ? who : Unknown;
    return alike;
}

void RankExpressions::noteDrawn(const CallExpr *call)
{
    if (inLoop)
        return;
    goings++;
    if (!standsAlike(drawnBy) && drawnApart == nullptr)
        drawnApart = call;
}

/* A loop ends by CONDITION behind its body, in which something may have gone on. */
void RankExpressions::endRepeated(const Form &condition, int before)
{
    if (inLoop || condition.isUniform() || goings == before)
        return;
    drawnBy = Unknown;
    standing[nullptr] = Unknown;
}

bool RankExpressions::reads(const CallExpr *call) const
{
    return !inLoop && analysis.startsOver && cause == Cause::Rank && isOfFile(deedOf(call)) &&
           !isForPeople(analysis, call);
}

/* Nothing of what CALL goes by follows the layout, but for what the one rank that makes it has. */
bool RankExpressions::readsAlike(const CallExpr *call, bool ranked,
                                 const std::vector<Form> &arguments)
{
    const VarDecl *holder = opens(calleeName(call)) ? openedBy(call) : holderOf(call);
    const bool own = holder != nullptr && hasFilesOfItsOwn(holder);
    unsigned stood = standing.count(nullptr) != 0 ? standing.at(nullptr) : 0;
    if (own && opens(calleeName(call)))
        standing.erase(holder); /* it is at its begin */
    for (const auto &[other, how] : standing)
        stood |= !own || other == holder ? how : 0;
    bool alike = standsAlike(stood);
    for (const Form &argument : arguments)
        if (!argument.isUniform() &&
            !(argument.kind == Form::Kind::Ends && !argument.isAffine() && stood != 0 &&
              (argument.ends & (Form::AtFirst | Form::AtLast)) == stood))
            alike = false;
    alike = alike && (stood != 0 || !ranked) && !isShared(calleeName(call));
    standing[own ? holder : nullptr] = alike ? stood : Unknown;
    return alike;
}

/* Of what CALL reads. */
Form RankExpressions::inputForm(const CallExpr *call, bool ranked,
                                const std::vector<Form> &arguments)
{
    goings++;
    if (readsAlike(call, ranked, arguments))
        return guarded(Form());
    elsewhere.insert(call);
    return Form::of(Form::Kind::Local, calleeName(call).str(), call->getExprLoc());
}

/* -- printed */

using Kind = Form::Kind;

/* CALL puts out what it is given, not as messages for people beside the results. */
static bool putsOut(const Source &source, const CallExpr *call)
{
    static const char *const words[] = {"print", "put", "write"};
    const llvm::StringRef name = calleeName(call);
    const Deed deed = deedOf(call);
    const bool given = deed == Deed::Stream || deed == Deed::Descriptor || deed == Deed::File;
    const bool puts = std::any_of(std::begin(words), std::end(words),
                                  [&](const char *word) { return name.contains(word); });
    return puts && name != "perror" && (deed == Deed::Prints || given) &&
           llvm::none_of(call->arguments(), [&](const Expr *argument) {
               return source.spelled(argument) == "stderr";
           });
}

/* CALL is about a file of rows: what is written there is looked at as rows are. */
static bool isOfRowFile(const Analysis &analysis, const CallExpr *call)
{
    return llvm::any_of(call->arguments(), [&](const Expr *argument) {
        const VarDecl *variable = variableIn(argument);
        return variable != nullptr && analysis.isRowFile(variable);
    });
}

/* VALUE, which follows the layout, is certainly of the blocks: an element by its place in one, or
 * what no reduction puts together. (Of others it is only not known whether they are.) */
static bool isCertain(const Form &value)
{
    if (value.follows(Form::Own) || value.follows(Form::First))
        return true;
    return value.gathered != 0 ? (value.gathered & Form::Picked) == 0
                               : value.follows(Form::Count) || value.isOfPiece() || value.strided;
}

/* VALUE is what a reduction has made of ranks, counts or places in the blocks of all processes:
 * that tells of no one's layout any more. */
static bool isMadeOfLayout(const Form &value)
{
    const bool told =
        value.terms != 0 || (value.gathered & (Form::Otherwise | Form::Neighbours)) != 0;
    return value.agreed && value.kind == Kind::Local && told && !value.data && !value.counted;
}

/* VALUE, or whether it is put out, follows where the blocks begin and end. */
bool RankValues::isOfBlocks(const Form &value) const
{
    Guards around;
    for (const Form &condition : conditions)
        if (!condition.each) /* one process after another */
            around.add(condition);
    const Kind kind = value.judged();
    const bool told = around.ends && (around.told & (Form::Verdict | Form::Chosen)) == 0;
    const bool passed = value.message || value.before || !value.scanned.empty();
    if (kind == Kind::Local || kind == Kind::Block)
        return isCertain(value) && !passed;
    if (kind == Kind::Ends)
        return value.isChosen() || (value.ends & Form::Verdict) != 0;
    if (kind == Kind::Edge)
        return !told && !value.before;
    if (kind != Kind::Row || rowLoops.empty())
        return false;
    const bool edge = around.edge && !around.ends;
    return rowLoops.back().some || around.local || edge || (around.ends && !around.edge && !told);
}

/* The call of a function of another file whose result VALUE, a variable, may be; or null. */
static const CallExpr *unseenMaker(const Analysis &analysis, const Expr *value)
{
    const auto *name = dyn_cast<DeclRefExpr>(value);
    auto made = [&](const Effects &effects) -> const CallExpr * {
        for (const Write &write : effects.writes) {
            const CallExpr *call = callIn(write.value);
            if (call != nullptr && write.place.base == name->getDecl() && isUnseen(analysis, call))
                return call;
        }
        return nullptr;
    };
    const CallExpr *found = name != nullptr ? made(analysis.inLoop) : nullptr;
    for (size_t i = 0; name != nullptr && found == nullptr && i < analysis.after.size(); i++)
        found = made(analysis.after[i]);
    return found;
}

/* CALL is given a communicator: it may well put together what all processes have. */
static bool isGivenWorld(const CallExpr *call)
{
    return llvm::any_of(call->arguments(), [](const Expr *argument) {
        return isCommunicator(argument->IgnoreParenImpCasts()->getType());
    });
}

/* VALUE is made of an index that counts own rows from the begin of the block. */
static bool isPlaceInBlock(const Form &value)
{
    return value.isLocal() && value.follows(Form::Own) && !value.agreed;
}

bool RankValues::notePutOut(const Expr *expression, const Form &value, bool ofProcess)
{
    const bool told = isMadeOfLayout(value) || (value.data && isOfBlocks(value)) ||
                      (!ofProcess && isPlaceInBlock(value));
    const CallExpr *maker = told ? unseenMaker(analysis, expression) : nullptr;
    if (!told || (maker != nullptr && isGivenWorld(maker)))
        return false; /* or nobody knows */
    const std::string what = analysis.source.spelled(expression);
    const bool same = value.cause.empty() || value.cause == what;
    printed.push_back(
        {Problem::PrintedValue, expression->getExprLoc(), what,
         same ? "" : " (through '" + value.cause + "')",
         maker == nullptr
             ? ""
             : "; where '" + calleeName(maker).str() +
                   "', of another file, makes it of the rows of all processes, declare '" + what +
                   "' before the loop and say so there: '#pragma xmpi data replicated(" + what +
                   ")'"});
    return true;
}

void RankValues::notePrinted(const CallExpr *call, const std::vector<Form> &arguments)
{
    if (!watched || !inLoop || isOfRowFile(analysis, call) ||
        !(putsOut(analysis.source, call) || deedOf(call) == Deed::Exits))
        return;
    const bool ofProcess =
        llvm::any_of(arguments, [](const Form &form) { return form.isOfRanks(); });
    for (unsigned i = 0; i < arguments.size(); i++) {
        const Expr *argument = call->getArg(i)->IgnoreParenCasts();
        const QualType type = argument->getType();
        const bool leads = type->isPointerType() || type->isArrayType();
        if (notePutOut(argument, leads ? contentOf(argument) : arguments[i], ofProcess))
            return;
    }
}

void RankValues::noteOperation(const CallExpr *call)
{
    const std::optional<Place> place = placeOf(call->getArg(4)->IgnoreParenCasts());
    const FunctionDecl *function =
        place && watched && inLoop ? operationMadeBy(analysis, baseOf(*place)) : nullptr;
    if (function != nullptr)
        for (const CallExpr *one : analysis.finder.withCallees(function->getBody()).calls)
            if (putsOut(analysis.source, one))
                return printed.push_back(
                    {Problem::PrintedValue, one->getExprLoc(), analysis.source.spelled(one),
                     " (through how often MPI calls '" + function->getNameAsString() + "')", ""});
}

/* The status of a program that has found which of its ranks failed, and follows nothing else of the
 * layout, is whether one has. */
void RankValues::noteStatus(const ReturnStmt *back, const Form &value)
{
    const FunctionDecl *main = analysis.path.front().function;
    const SourceRange &body = main->getSourceRange();
    const bool own = main->isMain() && body.fullyContains(back->getSourceRange());
    if (watched && inLoop && own && back->getRetValue() != nullptr &&
        (value.data || !value.isOfRanks()))
        notePutOut(back->getRetValue()->IgnoreParenCasts(), value, true);
}

/* -- files with own rows: what is read there, and what is written, row by row or piece by piece */

/* The file of rows that ARGUMENT is; or null. */
static const VarDecl *fileOf(const Analysis &analysis, const Expr *argument)
{
    const VarDecl *variable = variableIn(argument);
    return variable != nullptr && analysis.isRowFile(variable) ? variable : nullptr;
}

std::optional<FileTransfer> RankExpressions::transferOf(const CallExpr *call,
                                                        const std::vector<Form> &arguments) const
{
    const FileCall *known = fileCallOf(call);
    const VarDecl *file = known != nullptr ? fileOf(analysis, call->getArg(known->file)) : nullptr;
    if (file == nullptr || arguments.size() != call->getNumArgs())
        return std::nullopt;
    FileTransfer transfer;
    transfer.call = call;
    transfer.file = file;
    transfer.shared = analysis.shared.count(file) != 0;
    transfer.buffer = call->getArg(known->buffer);
    transfer.writes = known->writes;
    transfer.memory = arguments[known->buffer];
    transfer.bytes = arguments[known->bytes];
    if (known->file > known->bytes) { /* a stream */
        const Form &size = arguments[1], &number = arguments[2];
        transfer.bytes = size.isUniform()     ? scale(number, textOf(call->getArg(1)))
                         : number.isUniform() ? scale(size, textOf(call->getArg(2)))
                                              : join(size, number);
    }
    if (known->place >= 0)
        transfer.place = arguments[static_cast<size_t>(known->place)];
    return transfer;
}

/* Nothing is written. */
static bool isAboutPlace(llvm::StringRef name)
{
    return isOneOf(name, {"lseek", "lseek64", "fseek", "fseeko", "rewind", "fflush", "fsync",
                          "fdatasync", "posix_fadvise", "ferror", "clearerr", "setvbuf", "fstat"});
}

bool RankExpressions::followFile(const CallExpr *call, llvm::StringRef name,
                                 const std::vector<Form> &arguments, Form &form)
{
    if (const std::optional<FileTransfer> transfer = transferOf(call, arguments)) {
        noteFiled(*transfer, call->getArg(fileCallOf(call)->file));
        if (inLoop && transfer->writes)
            judgeWritten(*transfer);
        form = Form::of(Kind::Row);
        return true;
    }
    for (unsigned i = 0; i < arguments.size() && isAboutPlace(name); i++)
        if (fileOf(analysis, call->getArg(i)) != nullptr) {
            if (inLoop && name.contains("seek") && arguments.size() > 1)
                judgePlaced(call, arguments[1]);
            return true;
        }
    return false;
}

/* -- rows */

/* PLACE is where a piece begins, in a file of own rows or, SHARED, of all, of which each has BYTES.
 */
static bool isBeginOfPiece(const Form &place, const std::string &bytes, bool shared)
{
    Form own = place;
    own.by[Form::First].clear();
    return place.isPlain() && own.isOnlyOf(Form::Piece) && !startsWith(bytes, Form::some) &&
           own.by[Form::Piece] == bytes && place.by[Form::First] == (shared ? bytes : "");
}

/* From the begin of its buffer on it moves as many rows as a piece has, or more. */
static bool isFromBegin(const FileTransfer &transfer)
{
    return transfer.bytes.isPlain() && transfer.bytes.isOnlyOf(Form::Length) &&
           !transfer.memory.isAffine() && transfer.memory.isBare() && transfer.memory.shift.empty();
}

bool FileTransfer::isWholePiece() const
{
    return isFromBegin(*this) && bytes.shift.empty() &&
           (!place || isBeginOfPiece(*place, bytes.by[Form::Length], shared));
}

/* (What is longer than a row is so, counted in rows.) */
bool FileTransfer::isPieceWithin(const std::string &width) const
{
    const std::optional<int> ghosts = rowsOfShift(width), more = rowsOfShift(bytes.shift);
    if (writes || shared || !isFromBegin(*this) || !ghosts || !more || *more <= 0 || !place ||
        !isBeginOfPiece(*place, bytes.by[Form::Length], false))
        return false;
    const std::optional<int> front = rowsOfShift(place->shift);
    return front && *front >= 0 && *front + *more <= 2 * *ghosts;
}

/* Seen from the own row that it is beside: the row of the file at PLACE, of which HALO are in front
 * of the own ones. */
static std::string rowAt(const std::optional<Form> &place, const std::string &halo)
{
    if (!place)
        return halo.empty() ? "0" : "*";
    const std::string beside = addShifts(place->shift, halo, true);
    return beside.empty() ? "0" : beside;
}

Form RankValues::readFile(const FileTransfer &transfer) const
{
    const Rows rows = rowsOfFile(transfer.file);
    const SourceLocation where = transfer.call->getExprLoc();
    const Form &memory = transfer.memory;
    Form form = Form::of(Kind::Row);
    if (transfer.isWholePiece()) {
        form.pieces = form.data = true;
        form.from = rowAt(transfer.place, rows.halo);
        return form;
    }
    if (transfer.isPieceWithin(rows.halo)) { /* its rows stand beside others, whichever */
        form.pieces = form.beside = form.data = true;
        return form;
    }
    if (transfer.bytes.isOfPiece() || (memory.isOfPiece() && !memory.isInPiece()))
        return Form::ofPieces(transfer.file->getNameAsString(), where);
    if (transfer.place)
        form = readRow(rows, *transfer.place, where);
    else if (!left.isUniform())
        form = left;
    form.data = true;
    form.pieces = memory.isInPiece();
    if (form.pieces)
        form.from = moved(form.from, memory.shift, true);
    return form;
}

/* To where a file is set may follow the block in other ways than row by row, or by pieces. */
void RankValues::judgePlaced(const CallExpr *call, const Form &index)
{
    const bool piece = index.isPlain() && index.isOnlyOf(Form::Piece) && index.shift.empty();
    const std::string by = piece ? "" : badRows(index, Guards());
    if (!by.empty() && left.isUniform())
        left = Form::of(Kind::Local, by, call->getExprLoc());
}

/* Through what TRANSFER, of VALUE, writes to others than the rows that it has values of; or "". */
std::string RankValues::badTransfer(const FileTransfer &transfer, const Form &value) const
{
    const bool whole = transfer.isWholePiece();
    const std::string buffer = analysis.source.spelled(transfer.buffer);
    const Form index = whole || !transfer.place ? Form() : *transfer.place;
    const std::string by = badRows(index, guards());
    if (!by.empty())
        return by;
    if (transfer.shared && !whole && index.isAffine() &&
        (index.by[Form::Own] != index.by[Form::First] ||
         startsWith(index.by[Form::Own], Form::some)))
        return index.cause; /* each process writes over what others have */
    if (!whole && (transfer.bytes.isOfPiece() ||
                   (transfer.memory.isOfPiece() && !transfer.memory.isInPiece())))
        return buffer;
    const bool known = whole || transfer.memory.isInPiece();
    if (value.pieces != known && !(whole && value.isUniform()))
        return buffer; /* of a piece: what is in its rows is not known, or which of them it is */
    if (value.from.empty() || (!whole && transfer.place && !index.has(Form::Own)))
        return "";
    const std::string from = moved(value.from, transfer.memory.shift, false);
    return from == rowAt(transfer.place, rowsOfFile(transfer.file).halo) ? "" : buffer;
}

void RankValues::judgeWritten(const FileTransfer &transfer)
{
    const Form value = contentOf(transfer.buffer);
    const Kind kind = value.judged();
    const std::string name = transfer.file->getNameAsString();
    const std::string by = badTransfer(transfer, value);
    const bool own = transfer.isWholePiece() || (transfer.place && transfer.place->has(Form::Own));
    const bool odd =
        own && !guards().edge && (kind == Kind::Ends || (kind == Kind::Edge && !value.message));
    if (!by.empty())
        misuse(Problem::LocalRows, transfer.call->getExprLoc(), name, by);
    else if (kind == Kind::Local || kind == Kind::Block || odd)
        misuse(Problem::LocalValue, transfer.buffer->getExprLoc(), name, value.cause);
}

} // namespace xmpi
