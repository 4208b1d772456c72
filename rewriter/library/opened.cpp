/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/opened.h"
#include "library/library.h"
#include "library/mpi_outputs.h"
#include "source/variable.h"
#include <fcntl.h>

namespace xmpi
{

using namespace clang;

namespace
{

enum { MaxDepth = 4 };

template <size_t N> bool isNamed(const CallExpr *call, const char *const (&names)[N])
{
    const llvm::StringRef name = calleeName(call);
    return deedOf(call) != Deed::Unknown &&
           llvm::any_of(names, [&](const char *other) { return name == other; });
}

/* What CALL is given has no descriptor any more behind it, or another one as well. */
bool passesOn(const CallExpr *call)
{
    static const char *const names[] = {"close",  "dup",    "dup2",    "dup3",
                                        "fclose", "fdopen", "freopen", "posix_spawn"};
    return isNamed(call, names);
}

/* CALL opens a file by its name, and hands back its descriptor, or stream. */
bool opensByName(const CallExpr *call)
{
    static const char *const names[] = {"creat",  "fopen",  "fopen64", "open",
                                        "open64", "openat", "openat64"};
    return isNamed(call, names);
}

/* VALUE is what a call has opened, or a function of the file hands back of such a call. */
class Opening
{
  public:
    explicit Opening(const Analysis &analysis) : analysis(analysis)
    {
    }

    bool is(const Expr *value, int depth = 0) const
    {
        const Expr *bare = value != nullptr ? value->IgnoreParenCasts() : nullptr;
        const auto *call = dyn_cast_or_null<CallExpr>(bare);
        if (call == nullptr || depth > MaxDepth)
            return false;
        const FunctionDecl *callee = definitionOf(call);
        return callee != nullptr ? handsBack(callee->getBody(), callee->getBody(), depth)
                                 : opensByName(call);
    }

  private:
    const Analysis &analysis;

    /* All that STATEMENT, of the function with BODY, hands back. */
    bool handsBack(const Stmt *statement, const Stmt *body, int depth) const
    {
        bool any = false;
        for (const Stmt *child : statement->children())
            any = (child != nullptr && handsBack(child, body, depth)) || any;
        const auto *back = dyn_cast<ReturnStmt>(statement);
        return any || (back != nullptr && isOpened(back->getRetValue(), body, depth));
    }

    bool isOpened(const Expr *value, const Stmt *body, int depth) const
    {
        const VarDecl *variable = value != nullptr ? variableIn(value) : nullptr;
        if (variable == nullptr || !variable->hasLocalStorage())
            return is(value, depth + 1);
        const std::vector<Write> writes = analysis.finder.of(body).writes;
        return llvm::any_of(writes, [&](const Write &write) {
            return write.place.base->getCanonicalDecl() == variable && !write.place.element &&
                   is(write.value, depth + 1);
        });
    }
};

/* One of CALLS may let go of PLACE, or of what a function that is given it has. */
bool isPassedOn(const std::vector<const CallExpr *> &calls, const Place &place)
{
    return llvm::any_of(calls, [&](const CallExpr *call) {
        return passesOn(call) && llvm::any_of(call->arguments(), [&](const Expr *argument) {
                   const std::optional<Place> given = placeOf(argument->IgnoreParenCasts());
                   return given && (overlap(*given, place) || isa<ParmVarDecl>(given->base));
               });
    });
}

/* OTHER sets what WRITE does. */
bool setsToo(const Write &other, const Write &write)
{
    return other.where != write.where && other.how != Write::How::Declared && !other.place.behind &&
           overlap(other.place, write.place);
}

bool isSetInLoop(const Analysis &analysis, const Write &write)
{
    const std::vector<Write> &writes = analysis.inLoop.writes;
    return llvm::any_of(writes, [&](const Write &other) { return setsToo(other, write); });
}

/* Another statement sets PLACE as well. */
bool isSetElsewhere(const Analysis &analysis, const Write &write)
{
    auto sets = [&](const Write &other) { return setsToo(other, write); };
    return isSetInLoop(analysis, write) || llvm::any_of(analysis.prologue, [&](const Item &item) {
               return llvm::any_of(item.effects.writes, sets);
           });
}

/* Another process that opens the file by its name may find another one, or none. */
bool changesNames(const CallExpr *call)
{
    static const char *const names[] = {"chdir",  "chroot",   "fchdir",   "ftruncate", "remove",
                                        "rename", "renameat", "truncate", "unlink",    "unlinkat"};
    return isNamed(call, names);
}

bool anyBefore(const Analysis &analysis, bool (*deed)(const CallExpr *))
{
    const std::vector<const CallExpr *> &calls = analysis.inLoop.calls;
    return llvm::any_of(calls, deed) || llvm::any_of(analysis.prologue, [&](const Item &item) {
               return llvm::any_of(item.effects.calls, deed);
           });
}

/* CALL opens a file that somebody has made, and leaves in it what is there. */
bool opensWhatIsThere(const Analysis &analysis, const CallExpr *call)
{
    static const char *const names[] = {"open", "open64"};
    Expr::EvalResult flags;
    return call != nullptr && isNamed(call, names) && call->getNumArgs() >= 2 &&
           call->getArg(1)->EvaluateAsInt(flags, analysis.context) &&
           (flags.Val.getInt().getExtValue() & (O_CREAT | O_EXCL | O_TRUNC | O_APPEND)) == 0;
}

bool isHandedOnly(const Analysis &analysis, const FunctionDecl *function, unsigned index,
                  const std::set<const VarDecl *> &files)
{
    bool any = false;
    for (const FunctionDecl *caller : analysis.structure.functions)
        for (const CallExpr *call : analysis.finder.of(caller->getBody()).calls) {
            const FunctionDecl *callee = call->getDirectCallee();
            if (callee == nullptr || callee->getCanonicalDecl() != function->getCanonicalDecl())
                continue;
            any = true;
            if (index >= call->getNumArgs() || files.count(variableIn(call->getArg(index))) == 0)
                return false;
        }
    return any;
}

/* CALL does nothing with the file that is its argument INDEX but move what is there, and set where
 * it stands: all of it, PLACED, at places that it says; or hands it on to a parameter that is among
 * FILES. */
bool keepsTo(const CallExpr *call, unsigned index, bool placed,
             const std::set<const VarDecl *> &files)
{
    static const char *const harmless[] = {"fdatasync", "fstat", "fsync", "posix_fadvise"};
    static const char *const places[] = {"ferror", "fflush",  "fseek", "fseeko",
                                         "lseek",  "lseek64", "rewind"};
    const FunctionDecl *callee = definitionOf(call);
    if (callee != nullptr)
        return index < callee->getNumParams() &&
               files.count(callee->getParamDecl(index)->getCanonicalDecl()) != 0;
    const FileCall *known = fileCallOf(call);
    if (known != nullptr)
        return (!placed || known->place >= 0) && known->file == index;
    return isNamed(call, harmless) || (!placed && isNamed(call, places));
}

/* What WRITE gives a variable, where that is one of FILES: another name of it; or null. */
const VarDecl *copyOf(const Write &write, const std::set<const VarDecl *> &files)
{
    const bool whole = !write.place.element && !write.place.behind && write.place.field == nullptr;
    const VarDecl *value = whole && write.value != nullptr ? variableIn(write.value) : nullptr;
    return files.count(value) != 0 ? value : nullptr;
}

/* Of FILES, that the loop has two in turns: where they are named for that. Nothing where it sets
 * one to something else. */
std::optional<std::set<SourceLocation>> exchanged(const Analysis &analysis,
                                                  const std::set<const VarDecl *> &files)
{
    std::set<SourceLocation> places;
    for (const Write &write : analysis.inLoop.writes) {
        const VarDecl *base = write.place.base->getCanonicalDecl();
        if (files.count(base) == 0 || write.place.behind || isa<ParmVarDecl>(base))
            continue;
        if (copyOf(write, files) == nullptr)
            return std::nullopt;
        places.insert(write.value->IgnoreParenCasts()->getExprLoc());
    }
    return places;
}

/* All that the loop does with FILES. */
bool keepsTo(const Analysis &analysis, bool placed, const std::set<const VarDecl *> &files)
{
    const std::optional<std::set<SourceLocation>> turns = exchanged(analysis, files);
    if (!turns)
        return false;
    std::set<SourceLocation> handed;
    for (const CallExpr *call : analysis.inLoop.calls)
        for (unsigned i = 0; i < call->getNumArgs(); i++) {
            const VarDecl *variable = variableIn(call->getArg(i));
            if (variable == nullptr || files.count(variable) == 0)
                continue;
            if (!keepsTo(call, i, placed, files))
                return false;
            handed.insert(call->getArg(i)->IgnoreParenCasts()->getExprLoc());
        }
    return !handed.empty() && llvm::all_of(analysis.inLoop.mentions, [&](const Mention &mention) {
        return files.count(mention.place.base->getCanonicalDecl()) == 0 ||
               handed.count(mention.where) != 0 || mention.assigned ||
               turns->count(mention.where) != 0;
    });
}

/* What CALL hands over for parameters that are among FILES. */
void addHanded(const CallExpr *call, std::set<const VarDecl *> &files)
{
    const FunctionDecl *callee = definitionOf(call);
    if (callee != nullptr)
        for (const auto &[parameter, argument] : passedBy(call, callee))
            if (files.count(parameter->getCanonicalDecl()) != 0)
                files.insert(variableIn(argument));
}

} // namespace

/* The name that CALL opens is none that the prologue composes, perhaps with the rank. */
static bool hasGivenName(const CallExpr *call)
{
    if (call->getNumArgs() == 0)
        return false;
    const Expr *name = call->getArg(0)->IgnoreParenCasts();
    const VarDecl *variable = variableIn(name);
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(name)) /* as argv[1] */
        return isa<IntegerLiteral>(element->getIdx()->IgnoreParenCasts());
    if (variable == nullptr)
        return isa<StringLiteral, MemberExpr>(name);
    const QualType type = variable->getType();
    return !type->isArrayType() ||
           variable->getASTContext().getBaseElementType(type).isConstQualified();
}

void findShared(Analysis &analysis)
{
    for (const Item &item : analysis.prologue) {
        const Effects &effects = item.effects;
        if (effects.writes.size() == 1 && effects.calls.size() == 1 &&
            hasGivenName(effects.calls.front()) && opensShared(analysis, effects.writes.front()))
            analysis.shared.insert(effects.writes.front().place.base->getCanonicalDecl());
    }
    addHandedOn(analysis, analysis.shared);
}

bool opensShared(const Analysis &analysis, const Write &write)
{
    const Place &place = write.place;
    const auto *call = dyn_cast_or_null<CallExpr>(
        write.value != nullptr ? write.value->IgnoreParenCasts() : nullptr);
    if (place.element || place.behind || place.field != nullptr ||
        !place.type->isSpecificBuiltinType(BuiltinType::Int) || !opensWhatIsThere(analysis, call) ||
        isSetElsewhere(analysis, write) || anyBefore(analysis, changesNames))
        return false;
    std::set<const VarDecl *> files = {place.base->getCanonicalDecl()};
    addHandedOn(analysis, files);
    return keepsTo(analysis, true, files);
}

std::set<const VarDecl *> filesMoved(const Analysis &analysis)
{
    std::set<const VarDecl *> files;
    for (const CallExpr *call : analysis.inLoop.calls)
        if (const FileCall *known = fileCallOf(call))
            files.insert(variableIn(call->getArg(known->file)));
    for (size_t before = SIZE_MAX; before != files.size();) {
        before = files.size();
        for (const CallExpr *call : analysis.inLoop.calls)
            addHanded(call, files);
        for (const Write &write : analysis.inLoop.writes)
            if (copyOf(write, files) != nullptr)
                files.insert(write.place.base->getCanonicalDecl());
    }
    return files.count(nullptr) == 0 && keepsTo(analysis, false, files)
               ? files
               : std::set<const VarDecl *>();
}

void addHandedOn(const Analysis &analysis, std::set<const VarDecl *> &files)
{
    for (size_t before = SIZE_MAX; before != files.size();) {
        before = files.size();
        for (const FunctionDecl *function : analysis.structure.functions)
            for (const ParmVarDecl *parameter : function->parameters())
                if (!files.empty() &&
                    isHandedOnly(analysis, function, parameter->getFunctionScopeIndex(), files))
                    files.insert(parameter->getCanonicalDecl());
    }
}

Released::How lettingGoOf(const Analysis &analysis, const Write &write)
{
    if (write.place.element || !Opening(analysis).is(write.value) ||
        isSetElsewhere(analysis, write) || isPassedOn(analysis.inLoop.calls, write.place))
        return Released::How::Not;
    for (const Item &item : analysis.prologue)
        if (isPassedOn(item.effects.calls, write.place))
            return Released::How::Not;
    return write.place.type->isPointerType() ? Released::How::Stream : Released::How::Descriptor;
}

/* Elements beyond are no files that a program would have open. */
static const uint64_t mostFiles = 256;

std::vector<std::string> filesOfMpi(const Analysis &analysis, const Write &write)
{
    const Place &place = write.place;
    QualType declared = place.field != nullptr ? place.field->getType() : place.base->getType();
    std::vector<std::string> indices;
    if (const auto *array = dyn_cast<ConstantArrayType>(declared.getTypePtr())) {
        const uint64_t n = array->getSize().getZExtValue();
        for (uint64_t i = 0; i < n && n <= mostFiles; i++)
            indices.push_back("[" + std::to_string(i) + "]");
        declared = array->getElementType();
    } else if (!place.element)
        indices.push_back("");
    const auto *type = declared->getAs<TypedefType>();
    const bool opens = type != nullptr && type->getDecl()->getName() == "MPI_File" &&
                       !place.behind && !isSetInLoop(analysis, write) &&
                       (write.conditions.empty() || !isSetElsewhere(analysis, write));
    return opens ? indices : std::vector<std::string>();
}

} // namespace xmpi
