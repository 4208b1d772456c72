/* SPDX-License-Identifier: BSD-3-Clause
 * Reads from the calls that move rows what the files are that they lie in. */
#include "report/row_file_advice.h"
#include "library/library.h"
#include "library/mpi_outputs.h"
#include "library/opened.h"
#include "rows/own_loops.h"
#include "source/integer.h"
#include "source/variable.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

namespace
{

enum { MaxDepth = 8 };

/* How rows lie in a file; nothing where calls do not agree. */
struct Rows {
    QualType element;
    long long bytes = 0; /* of a row; 0: not seen yet */
    bool writes = false, odd = false;
};

class Finder
{
  public:
    explicit Finder(const Analysis &analysis) : analysis(analysis)
    {
    }

    std::string clauseOf(const VarDecl *file) const
    {
        Rows rows;
        look(bodyOf(analysis.loop), file, rows, 0);
        const std::string domain = domainText();
        if (rows.odd || rows.bytes == 0 || rows.element.isNull() || domain.empty())
            return "";
        const long long one = analysis.context.getTypeSizeInChars(rows.element).getQuantity();
        const std::optional<long long> beside = ghostsOf(file);
        if (!beside || one == 0 || rows.bytes % one != 0)
            return "";
        const long long many = rows.bytes / one;
        return rows.element.getUnqualifiedType().getAsString() + " " + file->getNameAsString() +
               "[" + domain + "]" + (many != 1 ? "[" + std::to_string(many) + "]" : "") +
               (*beside != 0 ? ": " + std::to_string(*beside) : "");
    }

    /* Descriptors and streams that the loop hands to calls. */
    std::vector<const VarDecl *> files() const
    {
        std::vector<const VarDecl *> found;
        for (const CallExpr *call : analysis.finder.of(bodyOf(analysis.loop)).calls)
            for (const Expr *argument : call->arguments()) {
                const VarDecl *variable = variableIn(argument);
                if (variable != nullptr && !isa<ParmVarDecl>(variable) && mayBeFile(variable) &&
                    !llvm::is_contained(found, variable))
                    found.push_back(variable);
            }
        return found;
    }

  private:
    const Analysis &analysis;

    static bool mayBeFile(const VarDecl *variable)
    {
        const QualType type = variable->getType();
        return type->isPointerType() || type->isSpecificBuiltinType(BuiltinType::Int);
    }

    std::string domainText() const
    {
        for (const Site &site : analysis.program.sites)
            if (!site.what.domain.empty())
                return site.what.domain;
        return analysis.program.loop.before.domain;
    }

    /* Also of constants that are variables. */
    std::optional<long long> numberOf(const Expr *expression) const
    {
        const Expr *bare = expression->IgnoreParenCasts();
        if (std::optional<long long> number = constantInteger(bare, analysis.context))
            return number;
        if (const VarDecl *variable = variableIn(bare))
            return variable->getType().isConstQualified() && variable->getInit() != nullptr
                       ? numberOf(variable->getInit())
                       : std::nullopt;
        const auto *product = dyn_cast<BinaryOperator>(bare);
        if (product == nullptr || product->getOpcode() != BO_Mul)
            return std::nullopt;
        const std::optional<long long> left = numberOf(product->getLHS()),
                                       right = numberOf(product->getRHS());
        return left && right ? std::optional<long long>(*left * *right) : std::nullopt;
    }

    /* How far places in a file are from one another: PLACE is so many times a number of a row. */
    std::optional<long long> strideOf(const Expr *place) const
    {
        const auto *product = dyn_cast<BinaryOperator>(place->IgnoreParenCasts());
        if (product == nullptr || product->getOpcode() != BO_Mul)
            return std::nullopt;
        const std::optional<long long> left = numberOf(product->getLHS()),
                                       right = numberOf(product->getRHS());
        if (left.has_value() == right.has_value())
            return std::nullopt;
        const std::optional<long long> rest =
            strideOf(left ? product->getRHS() : product->getLHS());
        return (left ? *left : *right) * rest.value_or(1);
    }

    static void agree(Rows &rows, std::optional<long long> bytes)
    {
        rows.odd = rows.odd || !bytes || *bytes <= 0 || (rows.bytes != 0 && rows.bytes != *bytes);
        rows.bytes = bytes.value_or(0);
    }

    void agreeOn(Rows &rows, const Expr *buffer) const
    {
        const Expr *bare = buffer->IgnoreParenCasts();
        const QualType type = bare->getType();
        QualType element = type->isPointerType() ? type->getPointeeType() : type;
        element = analysis.context.getBaseElementType(element).getUnqualifiedType();
        rows.odd = rows.odd || element->isPointerType() || element->isIncompleteType() ||
                   (!rows.element.isNull() && rows.element != element);
        rows.element = element;
    }

    /* What CALL, a function of the C library, does with FILE. */
    void lookAt(const CallExpr *call, const VarDecl *file, Rows &rows) const
    {
        const FileCall *known = fileCallOf(call);
        if (known != nullptr && variableIn(call->getArg(known->file)) == file) {
            rows.writes = rows.writes || known->writes;
            agreeOn(rows, call->getArg(known->buffer));
            const Expr *place =
                known->place >= 0 ? call->getArg(static_cast<unsigned>(known->place)) : nullptr;
            if (place != nullptr && !numberOf(place)) /* else of one row: it tells nothing */
                agree(rows, strideOf(place));
        }
        const bool seeks = calleeName(call).contains("seek") && call->getNumArgs() == 3 &&
                           variableIn(call->getArg(0)) == file;
        if (seeks && !numberOf(call->getArg(1)))
            agree(rows, strideOf(call->getArg(1)));
    }

    /* Everything that STATEMENT does with FILE, also in functions of the file. */
    void look(const Stmt *statement, const VarDecl *file, Rows &rows, int depth) const
    {
        for (const CallExpr *call : analysis.finder.of(statement).calls) {
            const FunctionDecl *callee = definitionOf(call);
            if (callee == nullptr)
                lookAt(call, file, rows);
            for (unsigned i = 0; callee != nullptr && depth < MaxDepth && i < call->getNumArgs() &&
                                 i < callee->getNumParams();
                 i++)
                if (variableIn(call->getArg(i)) == file)
                    look(callee->getBody(), callee->getParamDecl(i)->getCanonicalDecl(), rows,
                         depth + 1);
        }
    }

    static void findLoops(const Stmt *statement, std::vector<const Stmt *> &loops)
    {
        eachWithin(statement, [&](const Stmt *one) {
            if (isa<ForStmt>(one))
                loops.push_back(one);
        });
    }

    /* What CALL hands over where VARIABLE is a parameter of its function; else VARIABLE. */
    static const VarDecl *handedFor(const VarDecl *variable, const CallExpr *call)
    {
        const FunctionDecl *function = definitionOf(call);
        for (unsigned i = 0; function != nullptr && i < call->getNumArgs(); i++)
            if (i < function->getNumParams() &&
                function->getParamDecl(i)->getCanonicalDecl() == variable)
                return variableIn(call->getArg(i));
        return variable;
    }

    /* How many rows more than the own ones LOOP goes through, in the function of CALL where that is
     * not null; nothing where it is not over them. */
    std::optional<long long> moreThanOwn(const Stmt *loop, const CallExpr *call) const
    {
        const Counting counting = countingOf(analysis, loop);
        const Expr *bound =
            counting.bound != nullptr ? counting.bound->IgnoreParenCasts() : nullptr;
        const auto *sum = dyn_cast_or_null<BinaryOperator>(bound);
        const bool added = sum != nullptr && sum->getOpcode() == BO_Add;
        const VarDecl *count = handedFor(variableIn(added ? sum->getLHS() : bound), call);
        const std::optional<long long> more = added ? numberOf(sum->getRHS()) : 0;
        const bool own = llvm::any_of(analysis.ranges, [&](const RangeVariable &range) {
            return range.kind == RangeKind::Count && range.place.field == nullptr &&
                   range.place.base->getCanonicalDecl() == count;
        });
        return own && counting.plain && counting.single ? more : std::nullopt;
    }

    /* Ghost rows on each side, by how many rows STATEMENT, of the function of CALL, writes into
     * FILE beside the own ones: FOUND is those before, or none yet. False: that is not seen. */
    bool addGhosts(const Stmt *statement, const CallExpr *call, const VarDecl *file,
                   std::optional<long long> &found) const
    {
        std::vector<const Stmt *> loops;
        findLoops(statement, loops);
        for (const Stmt *loop : loops) {
            Rows rows;
            look(bodyOf(loop), file, rows, 0);
            if (!rows.writes)
                continue;
            const std::optional<long long> more = moreThanOwn(loop, call);
            if (!more || *more % 2 != 0 || (found && *found != *more / 2))
                return false;
            found = *more / 2;
        }
        return true;
    }

    /* The variable that STATEMENT hands back. */
    static const VarDecl *handedBack(const Stmt *statement)
    {
        for (const Expr *value : returnedIn(statement))
            if (const VarDecl *variable = variableIn(value))
                return variable;
        return nullptr;
    }

    /* As many as the start writes beside the own ones, also in the function that opens the file. */
    std::optional<long long> ghostsOf(const VarDecl *file) const
    {
        std::optional<long long> found;
        for (const Item &item : analysis.prologue) {
            if (!addGhosts(item.statement, nullptr, file, found))
                return std::nullopt;
            for (const Write &write : item.effects.writes) {
                const auto *call = dyn_cast_or_null<CallExpr>(
                    write.value != nullptr ? write.value->IgnoreParenCasts() : nullptr);
                const FunctionDecl *opener = definitionOf(call);
                const bool its = write.place.base->getCanonicalDecl() == file;
                const VarDecl *there = its && opener ? handedBack(opener->getBody()) : nullptr;
                if (there != nullptr && !addGhosts(opener->getBody(), call, there, found))
                    return std::nullopt;
            }
        }
        return found;
    }
};

/* That the program removes a file, and does nothing else with its name. */
class Removal
{
  public:
    explicit Removal(const Analysis &analysis) : analysis(analysis)
    {
    }

    bool isOf(const VarDecl *file) const
    {
        const CallExpr *opening = openingOf(file);
        if (opening == nullptr)
            return false;
        std::set<const VarDecl *> names;
        for (const Expr *argument : opening->arguments())
            for (const Mention &mention : analysis.finder.of(argument).mentions)
                if (isText(mention.place.base->getType()))
                    names.insert(mention.place.base->getCanonicalDecl());
        return calleeName(opening) == "tmpfile" ||
               (!names.empty() &&
                llvm::all_of(names, [&](const VarDecl *name) { return isRemoved(name); }));
    }

  private:
    const Analysis &analysis;

    bool isText(QualType type) const
    {
        while (type->isArrayType() || type->isPointerType())
            type = type->isPointerType() ? type->getPointeeType()
                                         : QualType(type->getArrayElementTypeNoTypeQual(), 0);
        return type->isCharType();
    }

    /* The one call that FILE is set to what it hands back. */
    const CallExpr *openingOf(const VarDecl *file) const
    {
        const CallExpr *found = nullptr;
        int writes = 0;
        for (const Item &item : analysis.prologue)
            for (const Write &write : item.effects.writes) {
                if (write.place.base->getCanonicalDecl() != file || write.place.element ||
                    write.place.behind || write.value == nullptr)
                    continue;
                found = dyn_cast<CallExpr>(write.value->IgnoreParenCasts());
                writes++;
            }
        return writes == 1 ? found : nullptr;
    }

    /* After the loop, by statements that do not look at whether it was there: once rows have moved
     * it is not. */
    bool isRemoved(const VarDecl *name) const
    {
        size_t removals = 0, mentions = 0;
        for (const Mention &mention : analysis.inLoop.mentions)
            if (mention.place.base->getCanonicalDecl() == name)
                return false;
        for (const Step &step : analysis.path)
            for (const Stmt *statement : analysis.structure.following(step.anchor))
                removals += removalsIn(statement, name);
        for (const Effects &after : analysis.after)
            mentions += llvm::count_if(after.mentions, [&](const Mention &mention) {
                return mention.place.base->getCanonicalDecl() == name;
            });
        return removals > 0 && mentions == removals;
    }

    /* Of NAME, in STATEMENT, which stands by itself, or statements in it. */
    size_t removalsIn(const Stmt *statement, const VarDecl *name) const
    {
        if (statement == nullptr)
            return 0;
        const auto *value = dyn_cast<Expr>(statement);
        if (value != nullptr) {
            const CallExpr *call = callIn(value);
            return call != nullptr && call->getNumArgs() == 1 &&
                   (calleeName(call) == "remove" || calleeName(call) == "unlink") &&
                   isOnlyIn(call->getArg(0), name);
        }
        size_t removals = 0;
        if (isa<IfStmt, ReturnStmt>(statement))
            return 0;
        for (const Stmt *child : statement->children())
            removals += isCondition(statement, child) ? 0 : removalsIn(child, name);
        return removals;
    }

    bool isOnlyIn(const Expr *argument, const VarDecl *name) const
    {
        const std::vector<Mention> mentions = analysis.finder.of(argument).mentions;
        return llvm::count_if(mentions, [&](const Mention &mention) {
                   return mention.place.base->getCanonicalDecl() == name;
               }) == 1;
    }

    /* CHILD is looked at by STATEMENT. */
    static bool isCondition(const Stmt *statement, const Stmt *child)
    {
        if (const auto *loop = dyn_cast<ForStmt>(statement))
            return child == loop->getCond();
        if (const auto *loop = dyn_cast<WhileStmt>(statement))
            return child == loop->getCond();
        return isa<Expr>(child) && isa<DoStmt, SwitchStmt>(statement);
    }
};

} // namespace

std::string rowFileAdvice(const Analysis &analysis, const VarDecl *file)
{
    const Finder finder(analysis);
    if (finder.clauseOf(file->getCanonicalDecl()).empty())
        return "";
    std::string clauses;
    for (const VarDecl *one : finder.files())
        if (const std::string clause = finder.clauseOf(one); !clause.empty())
            clauses += (clauses.empty() ? "" : ", ") + clause;
    return clausesAdvice(clauses);
}

std::string clausesAdvice(const std::string &clauses)
{
    return "where each process has its rows in a file of its own, write '#pragma xmpi data file(" +
           clauses + ")' before the pragma of the loop";
}

std::string fileAdvice(const Analysis &analysis, const VarDecl *file)
{
    const std::string rows = rowFileAdvice(analysis, file);
    const std::vector<const CallExpr *> &calls = analysis.inLoop.calls;
    const bool moved = llvm::any_of(calls, [&](const CallExpr *call) {
        const FileCall *known = fileCallOf(call);
        return known != nullptr && variableIn(call->getArg(known->file)) == file;
    });
    if (!rows.empty())
        return rows;
    return moved ? "where all processes share it, open it by open, and let pread and pwrite move "
                   "rows at their places in it"
                 : "open the file inside the iteration, or write after the loop";
}

RowFiles rowFilesFound(const Analysis &analysis)
{
    if (analysis.loop == nullptr || analysis.path.empty() || !analysis.files.empty())
        return {};
    const Finder finder(analysis);
    RowFiles found;
    const std::set<const VarDecl *> moved = filesMoved(analysis);
    for (const VarDecl *file : finder.files()) {
        if (moved.count(file) == 0)
            continue;
        const std::string clause = finder.clauseOf(file);
        if (clause.empty())
            return {};
        const bool ghosts = clause.find(':') != std::string::npos;
        found.certain = found.certain && !ghosts && Removal(analysis).isOf(file);
        found.first = found.first.empty() ? file->getNameAsString() : found.first;
        found.clauses += (found.clauses.empty() ? "" : ", ") + clause;
    }
    return found;
}

} // namespace xmpi
