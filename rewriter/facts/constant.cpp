/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the registered arrays that neither the loop nor what it calls changes. Every variable of
 * the file that may hold a pointer to the array is followed, and every use of it must be known:
 * where the pointer goes somewhere else (a struct, an array, a function that may keep it), or where
 * the loop may write elements, the array is not constant. The order of statements does not count.
 */
#include "analysis.h"
#include "compat.h"
#include "source/loops.h"

namespace xmpi
{

using namespace clang;

namespace
{

struct Use {
    const DeclRefExpr *name;
    const FunctionDecl *function;
};

/* What the file's functions mention, call and return. */
class Index
{
  public:
    std::map<const VarDecl *, std::vector<Use>> uses;
    std::map<const FunctionDecl *, std::vector<const CallExpr *>> calls;
    std::map<const FunctionDecl *, std::vector<const Expr *>> returns;
    std::map<const Stmt *, const FunctionDecl *> owner; /* of calls and return statements */
    std::set<const FunctionDecl *> pointed;             /* called in ways that cannot be followed */

    explicit Index(const Structure &structure) : structure(structure)
    {
        for (const FunctionDecl *function : structure.functions)
            add(function->getBody(), function);
    }

  private:
    const Structure &structure;

    void add(const Stmt *statement, const FunctionDecl *function)
    {
        if (const auto *name = dyn_cast<DeclRefExpr>(statement))
            addName(name, function);
        if (const auto *call = dyn_cast<CallExpr>(statement)) {
            owner[call] = function;
            if (const FunctionDecl *callee = call->getDirectCallee())
                calls[callee->getCanonicalDecl()].push_back(call);
        }
        if (const auto *result = dyn_cast<ReturnStmt>(statement)) {
            owner[result] = function;
            if (result->getRetValue() != nullptr)
                returns[function->getCanonicalDecl()].push_back(result->getRetValue());
        }
        for (const Stmt *child : partsIn(statement))
            add(child, function);
    }

    void addName(const DeclRefExpr *name, const FunctionDecl *function)
    {
        if (const auto *variable = dyn_cast<VarDecl>(name->getDecl()))
            uses[variable->getCanonicalDecl()].push_back({name, function});
        const auto *named = dyn_cast<FunctionDecl>(name->getDecl());
        if (named == nullptr)
            return;
        const Stmt *parent = structure.parent(name);
        while (parent != nullptr && isa<ParenExpr, ImplicitCastExpr>(parent))
            parent = structure.parent(parent);
        const auto *call = dyn_cast_or_null<CallExpr>(parent);
        if (call == nullptr || call->getCallee()->IgnoreParenImpCasts() != name)
            pointed.insert(named->getCanonicalDecl());
    }
};

/* What runs while the loop does: the loop, the loops around it, setup statements, which run after
 * reconfigurations, and all functions that these may call. */
class Region
{
  public:
    bool callsUnknown = false; /* functions of other files, which may change global variables */

    Region(Analysis &analysis, const Index &index) : analysis(analysis)
    {
        for (const Step &step : analysis.path)
            addLoops(step.anchor);
        for (const Item &item : analysis.prologue)
            if (item.kind == Class::Setup)
                add(item.statement);
        add(analysis.loop);
        for (const FunctionDecl *function : index.pointed)
            if (function->getDefinition() != nullptr && function->getDefinition()->hasBody())
                addFunction(function->getDefinition());
    }

    bool contains(const Stmt *statement, const FunctionDecl *function) const
    {
        if (functions.count(function->getCanonicalDecl()) != 0)
            return true;
        return llvm::any_of(statements, [&](const Stmt *one) {
            return analysis.structure.encloses(one, statement);
        });
    }

  private:
    Analysis &analysis;
    EffectsFinder finder; /* that leaves nothing out */
    std::vector<const Stmt *> statements;
    std::set<const FunctionDecl *> functions;

    void addLoops(const Stmt *anchor)
    {
        const Stmt *outer = analysis.structure.enclosingLoop(anchor);
        while (outer != nullptr) {
            add(outer);
            outer = analysis.structure.enclosingLoop(outer);
        }
    }

    void add(const Stmt *statement)
    {
        statements.push_back(statement);
        Effects effects = finder.of(statement);
        judge(effects);
        for (const FunctionDecl *function : finder.reachable(effects))
            addFunction(function);
    }

    void addFunction(const FunctionDecl *function)
    {
        if (!functions.insert(function->getCanonicalDecl()).second)
            return;
        Effects effects = finder.of(function->getBody());
        judge(effects);
        for (const FunctionDecl *further : finder.reachable(effects))
            addFunction(further);
    }

    void judge(const Effects &effects);
};

bool isOfSystem(const Analysis &analysis, const FunctionDecl *function)
{
    llvm::StringRef name = function->getIdentifier() ? function->getName() : llvm::StringRef();
    return startsWith(name, "MPI_") || startsWith(name, "PMPI_") || function->getBuiltinID() != 0 ||
           analysis.context.getSourceManager().isInSystemHeader(function->getLocation());
}

void Region::judge(const Effects &effects)
{
    for (const CallExpr *call : effects.calls) {
        const FunctionDecl *callee = call->getDirectCallee();
        callsUnknown = callsUnknown || callee == nullptr ||
                       (callee->getDefinition() == nullptr && !isOfSystem(analysis, callee));
    }
}

/* A buffer that the function still has when it has returned. */
bool keepsBuffer(llvm::StringRef name)
{
    name.consume_front("P");
    return startsWith(name, "MPI_I") || startsWith(name, "MPI_Win_") ||
           startsWith(name, "MPI_File_i") || name == "MPI_Buffer_attach" || name == "setvbuf" ||
           name == "setbuf" || (name.size() > 5 && name.substr(name.size() - 5) == "_init");
}

class ConstantFinder
{
  public:
    explicit ConstantFinder(Analysis &analysis)
        : analysis(analysis), index(analysis.structure), region(analysis, index)
    {
    }

    bool isConstant(const std::string &array)
    {
        seen.clear();
        open.clear();
        returning.clear();
        followed.clear();
        for (const auto &[variable, name] : analysis.data)
            if (name == array)
                holds(variable);
        bool good = !open.empty();
        while (good && !open.empty()) {
            const VarDecl *variable = open.back();
            open.pop_back();
            good = follow(variable);
        }
        return good;
    }

  private:
    Analysis &analysis;
    Index index;
    Region region;
    std::set<const VarDecl *> seen;
    std::vector<const VarDecl *> open;
    std::set<const FunctionDecl *> returning, followed;

    bool holds(const VarDecl *variable)
    {
        if (seen.insert(variable->getCanonicalDecl()).second)
            open.push_back(variable->getCanonicalDecl());
        return variable->getType()->isPointerType();
    }

    bool follow(const VarDecl *variable)
    {
        if (variable->hasGlobalStorage() && variable->isExternallyVisible() && region.callsUnknown)
            return false;
        if (analysis.members.contains(variable) && !followMember(variable))
            return false;
        const Expr *value = variable->getAnyInitializer();
        if (value != nullptr && !comesFrom(value))
            return false;
        const auto *parameter = dyn_cast<ParmVarDecl>(variable);
        if (parameter != nullptr && analysis.isData(variable) && !followUp(parameter))
            return false;
        return llvm::all_of(index.uses[variable], [&](const Use &use) { return isKnown(use); });
    }

    /* A member has other names where one of several structs is meant, and may be reached by who is
     * given the struct as a whole. */
    bool followMember(const VarDecl *variable)
    {
        for (const auto &[other, found] : index.uses)
            if (analysis.members.meaning(other).count(variable) != 0)
                holds(other);
        auto changes = [&](const Effects &effects) {
            return llvm::any_of(effects.writes, [&](const Write &write) {
                return write.place.base == variable && write.place.element;
            });
        };
        return !changes(analysis.inLoop) && llvm::none_of(analysis.prologue, [&](const Item &item) {
            return item.kind == Class::Setup && changes(item.effects);
        });
    }

    /* A registered parameter: what callers hand over is the same array. */
    bool followUp(const ParmVarDecl *parameter)
    {
        const auto *function = cast<FunctionDecl>(parameter->getDeclContext());
        unsigned at = parameter->getFunctionScopeIndex();
        if (index.pointed.count(function->getCanonicalDecl()) != 0)
            return false;
        return llvm::none_of(index.calls[function->getCanonicalDecl()], [&](const CallExpr *call) {
            return at >= call->getNumArgs() || !comesFrom(call->getArg(at));
        });
    }

    /* VALUE becomes the value of a variable that is followed: what else holds it is, too. */
    bool comesFrom(const Expr *value)
    {
        const Expr *bare = value->IgnoreParenCasts();
        if (value->isNullPointerConstant(analysis.context, Expr::NPC_ValueDependentIsNotNull) !=
            Expr::NPCK_NotNull)
            return true;
        if (const auto *name = dyn_cast<DeclRefExpr>(bare)) {
            const auto *variable = dyn_cast<VarDecl>(name->getDecl());
            return variable != nullptr && holds(variable);
        }
        if (const auto *binary = dyn_cast<BinaryOperator>(bare)) {
            if (binary->isAdditiveOp() && binary->getType()->isPointerType())
                return comesFrom(sidesOf(binary).first);
            return binary->getOpcode() == BO_Assign && comesFrom(binary->getRHS());
        }
        const auto *call = dyn_cast<CallExpr>(bare);
        return call != nullptr && comesFromCall(call);
    }

    bool comesFromCall(const CallExpr *call)
    {
        llvm::StringRef name = calleeName(call);
        if (name == "malloc" || name == "calloc" || name == "aligned_alloc")
            return true;
        const FunctionDecl *callee = call->getDirectCallee();
        auto known = callee ? index.returns.find(callee->getCanonicalDecl()) : index.returns.end();
        if (known == index.returns.end())
            return false;
        if (!returning.insert(callee->getCanonicalDecl()).second)
            return true;
        return llvm::all_of(known->second, [&](const Expr *value) { return comesFrom(value); });
    }

    const Stmt *above(const Stmt *statement) const
    {
        return analysis.structure.parent(statement);
    }

    /* Nobody sees the value of EXPRESSION, or only whether it is null. */
    bool isDropped(const Stmt *expression) const
    {
        const Stmt *parent = above(expression);
        if (parent != nullptr && isa<CompoundStmt>(parent))
            return above(parent) == nullptr || !isa<StmtExpr>(above(parent));
        return parent != nullptr &&
               (isa<IfStmt>(parent) || isLoop(parent) || isa<LabelStmt, SwitchCase>(parent));
    }

    bool isKnown(const Use &use)
    {
        bool inside = region.contains(use.name, use.function);
        const Stmt *name = use.name, *parent = above(name);
        while (parent != nullptr && isa<ParenExpr>(parent)) {
            name = parent;
            parent = above(name);
        }
        if (parent == nullptr)
            return false;
        if (isa<UnaryExprOrTypeTraitExpr>(parent))
            return true;
        bool registered = analysis.isData(cast<VarDecl>(use.name->getDecl()));
        if (const auto *binary = dyn_cast<BinaryOperator>(parent)) {
            if (!binary->isAssignmentOp() || binary->getLHS() != name || (inside && registered))
                return false;
            return (binary->isCompoundAssignmentOp() || comesFrom(binary->getRHS())) &&
                   isPointerKnown(binary, inside, use.function);
        }
        if (const auto *unary = dyn_cast<UnaryOperator>(parent)) {
            if (unary->getOpcode() == UO_AddrOf)
                return !inside && isFilledBySystem(unary);
            return unary->isIncrementDecrementOp() && !registered &&
                   isPointerKnown(unary, inside, use.function);
        }
        const auto *cast = dyn_cast<CastExpr>(parent);
        return cast != nullptr && cast->getCastKind() == CK_LValueToRValue &&
               isPointerKnown(cast, inside, use.function);
    }

    /* posix_memalign(&a, ...) */
    bool isFilledBySystem(const Stmt *address) const
    {
        const Stmt *parent = above(address);
        while (parent != nullptr && isa<CastExpr, ParenExpr>(parent))
            parent = above(parent);
        const auto *call = dyn_cast_or_null<CallExpr>(parent);
        llvm::StringRef name = call != nullptr ? calleeName(call) : llvm::StringRef();
        return name == "posix_memalign" || name == "MPI_Alloc_mem";
    }

    /* What becomes of VALUE, a pointer to elements. */
    bool isPointerKnown(const Expr *value, bool inside, const FunctionDecl *function)
    {
        const Stmt *parent = above(value);
        if (parent == nullptr)
            return false;
        if (isDropped(value) || isa<UnaryExprOrTypeTraitExpr>(parent))
            return true;
        if (isa<ArraySubscriptExpr, MemberExpr>(parent))
            return isElementKnown(cast<Expr>(parent), inside, function);
        if (const auto *declaration = dyn_cast<DeclStmt>(parent))
            return initialises(declaration, value);
        if (isa<ReturnStmt>(parent))
            return isReturnKnown(function);
        if (const auto *call = dyn_cast<CallExpr>(parent))
            return isArgumentKnown(call, value, inside);
        if (const auto *cast = dyn_cast<CastExpr>(parent))
            return cast->getCastKind() == CK_PointerToBoolean || cast->getCastKind() == CK_ToVoid ||
                   (cast->getType()->isPointerType() && isPointerKnown(cast, inside, function));
        if (const auto *choice = dyn_cast<ConditionalOperator>(parent))
            return choice->getCond() == value || isPointerKnown(choice, inside, function);
        if (const auto *unary = dyn_cast<UnaryOperator>(parent))
            return unary->getOpcode() == UO_LNot ||
                   (unary->getOpcode() == UO_Deref && isElementKnown(unary, inside, function));
        if (const auto *binary = dyn_cast<BinaryOperator>(parent))
            return isOperandKnown(binary, value, inside, function);
        return isa<ParenExpr>(parent) && isPointerKnown(cast<Expr>(parent), inside, function);
    }

    bool isOperandKnown(const BinaryOperator *binary, const Expr *value, bool inside,
                        const FunctionDecl *function)
    {
        if (binary->isComparisonOp() || binary->isLogicalOp())
            return true;
        if (binary->isAdditiveOp())
            return !binary->getType()->isPointerType() || isPointerKnown(binary, inside, function);
        if (binary->getOpcode() == BO_Comma)
            return binary->getLHS() == value || isPointerKnown(binary, inside, function);
        const auto *target = dyn_cast<DeclRefExpr>(binary->getLHS()->IgnoreParens());
        const auto *variable = target ? dyn_cast<VarDecl>(target->getDecl()) : nullptr;
        return binary->getOpcode() == BO_Assign && binary->getRHS() == value &&
               variable != nullptr && holds(variable) && isPointerKnown(binary, inside, function);
    }

    bool initialises(const DeclStmt *declaration, const Expr *value)
    {
        for (const VarDecl *variable : declaredBy(declaration))
            if (variable->getInit() == value)
                return holds(variable);
        return false;
    }

    bool isReturnKnown(const FunctionDecl *function)
    {
        const FunctionDecl *canonical = function->getCanonicalDecl();
        if (index.pointed.count(canonical) != 0 ||
            (function->isExternallyVisible() && region.callsUnknown))
            return false;
        if (!followed.insert(canonical).second)
            return true;
        for (const CallExpr *call : index.calls[canonical]) {
            const FunctionDecl *caller = index.owner[call];
            if (!isPointerKnown(call, region.contains(call, caller), caller))
                return false;
        }
        return true;
    }

    bool isArgumentKnown(const CallExpr *call, const Expr *value, bool inside)
    {
        const FunctionDecl *callee = call->getDirectCallee();
        unsigned at = 0;
        while (at < call->getNumArgs() && call->getArg(at) != value)
            at++;
        if (callee == nullptr || at >= call->getNumArgs() || at >= callee->getNumParams())
            return false;
        const FunctionDecl *own = callee->getDefinition();
        for (const FunctionDecl *function : analysis.structure.functions)
            if (function == own)
                return holds(own->getParamDecl(at));
        if (callee->getReturnType()->isPointerType() && !isDropped(call))
            return false;
        QualType pointed = callee->getParamDecl(at)->getType()->getPointeeType();
        if (!pointed.isNull() && pointed.isConstQualified())
            return true;
        /* A function of another file may write before the loop. It cannot have kept the pointer:
         * registered arrays move, so that it would be wrong after a reconfiguration anyway. */
        return !inside && !keepsBuffer(calleeName(call));
    }

    /* What becomes of ELEMENT, which can be read and written. */
    bool isElementKnown(const Expr *element, bool inside, const FunctionDecl *function)
    {
        const Stmt *parent = above(element);
        if (parent == nullptr)
            return false;
        if (isDropped(element) || isa<UnaryExprOrTypeTraitExpr>(parent))
            return true;
        if (const auto *cast = dyn_cast<CastExpr>(parent)) {
            if (cast->getCastKind() == CK_ArrayToPointerDecay)
                return isPointerKnown(cast, inside, function);
            return (cast->getCastKind() == CK_LValueToRValue &&
                    !cast->getType()->isPointerType()) ||
                   cast->getCastKind() == CK_ToVoid;
        }
        if (const auto *unary = dyn_cast<UnaryOperator>(parent)) {
            if (unary->getOpcode() == UO_AddrOf)
                return isPointerKnown(unary, inside, function);
            return unary->isIncrementDecrementOp() && !inside;
        }
        if (const auto *binary = dyn_cast<BinaryOperator>(parent))
            return binary->isAssignmentOp() && binary->getLHS() == element && !inside;
        return isa<ParenExpr, MemberExpr>(parent) &&
               isElementKnown(cast<Expr>(parent), inside, function);
    }
};

} // namespace

void findConstants(Analysis &analysis)
{
    size_t loops = 0;
    for (const auto &pragma : analysis.pragmas.list)
        loops += pragma->directive == Directive::Loop;
    if (loops > 1 || analysis.several)
        return; /* what one loop reads another may change */
    ConstantFinder finder(analysis);
    auto mark = [&](Registrations &what) {
        for (Data &data : what.data)
            data.constant =
                data.variable.find('[') == std::string::npos && finder.isConstant(data.name);
    };
    for (Site &site : analysis.program.sites)
        mark(site.what);
    for (Guarded &guarded : analysis.program.guarded)
        mark(guarded.after);
    mark(analysis.program.loop.before);
    mark(analysis.program.loop.inside);
}

} // namespace xmpi
