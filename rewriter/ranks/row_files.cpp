/* SPDX-License-Identifier: BSD-3-Clause
 * Files with own rows: what is read there, and what is written, row by row or piece by piece. */
#include "ranks/rank_expressions.h"
#include "compat.h"
#include "library/library.h"
#include "library/mpi_outputs.h"
#include "source/variable.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

using Kind = Form::Kind;

/* -- calls */

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
