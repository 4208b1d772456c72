/* SPDX-License-Identifier: BSD-3-Clause
 * Makes the variables, and puts their names into the syntax tree. */
#include "source/struct_members.h"
#include "source/visitor.h"
#include <clang/Basic/SourceManager.h>

namespace xmpi
{

using namespace clang;

namespace
{

/* Structs that are reached through pointers or passed by value, have pointers inside, or are in
 * others. */
class Reached : public Visitor
{
  public:
    Reached(const ASTContext &context, std::set<const RecordDecl *> &found)
        : context(context), found(found)
    {
    }

    void VisitMemberExpr(MemberExpr *member) override
    {
        const RecordDecl *record = structIn(context, member->getBase()->getType());
        bool pointer = member->getType()->isPointerType() &&
                       member->getType()->getPointeeType()->isObjectType() &&
                       structIn(context, member->getType()) == nullptr;
        bool nested = isa<MemberExpr>(member->getBase()->IgnoreParenImpCasts());
        if (record != nullptr && (member->isArrow() || pointer || nested))
            found.insert(record);
    }

    void VisitParmVarDecl(ParmVarDecl *parameter) override
    {
        if (parameter->getType()->isRecordType())
            if (const RecordDecl *record = structIn(context, parameter->getType()))
                found.insert(record);
    }

  private:
    const ASTContext &context;
    std::set<const RecordDecl *> &found;
};

} // namespace

StructMembers::StructMembers(ASTContext &context) : context(context), pointsTo(context)
{
    choose();
    if (replaced.empty())
        return;
    addAll();
    for (const FunctionDecl *function : pointsTo.functions)
        replace(function->getBody());
}

/* -- what becomes a variable */

void StructMembers::choose()
{
    Reached(context, replaced).TraverseDecl(context.getTranslationUnitDecl());
    for (auto it = replaced.begin(); it != replaced.end();)
        it = pointsTo.follows(*it) ? std::next(it) : replaced.erase(it);
}

static bool isRecord(QualType type, const std::set<const RecordDecl *> &records)
{
    const RecordDecl *record = type->getAsRecordDecl();
    return record != nullptr && records.count(record->getDefinition()) != 0;
}

void StructMembers::addMembers(const Object &object, const RecordDecl *record,
                               const std::string &name, SourceLocation where, StorageClass storage)
{
    for (const FieldDecl *field : record->fields()) {
        Object member = object.inner(field);
        std::string own = name + field->getNameAsString();
        if (const RecordDecl *inner = structIn(context, field->getType()))
            if (field->getType()->isRecordType()) {
                addMembers(member, inner, own + ".", where, storage);
                if (isRecord(field->getType(), replaced))
                    continue;
            }
        if (replaced.count(record) == 0)
            continue;
        QualType type = field->getType();
        auto *variable = VarDecl::Create(context, context.getTranslationUnitDecl(), where, where,
                                         &context.Idents.get(own), type,
                                         context.getTrivialTypeSourceInfo(type, where), storage);
        variables[member] = variable;
        places[variable] = member;
    }
}

void StructMembers::addAll()
{
    for (const VarDecl *variable : pointsTo.structs) {
        if (isa<ParmVarDecl>(variable) || variable != variable->getCanonicalDecl())
            continue;
        StorageClass storage = variable->hasExternalFormalLinkage() ? SC_None : SC_Static;
        addMembers(Object{variable, {}}, structIn(context, variable->getType()),
                   variable->getNameAsString() + ".", variable->getLocation(), storage);
    }
    std::set<const void *> known;
    for (const VarDecl *pointer : pointsTo.pointers)
        for (const Object &object : pointsTo.of(pointer)) {
            bool heap = object.path.empty() &&
                        llvm::none_of(pointsTo.structs,
                                      [&](const VarDecl *one) { return one == object.root; });
            if (heap && known.insert(object.root).second)
                addMembers(object, structIn(context, pointer->getType()),
                           pointer->getNameAsString() + "->", pointer->getLocation(), SC_Static);
        }
}

/* -- the syntax tree */

void StructMembers::replace(Stmt *statement)
{
    for (Stmt *&child : statement->children()) {
        if (child == nullptr)
            continue;
        auto *member = dyn_cast<MemberExpr>(child);
        const VarDecl *variable = member ? variableFor(member) : nullptr;
        if (variable != nullptr)
            child = nameOf(variable, member);
        else
            replace(child);
    }
}

const VarDecl *StructMembers::variableFor(const MemberExpr *member)
{
    const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
    const RecordDecl *record = structIn(context, member->getBase()->getType());
    if (field == nullptr || record == nullptr || replaced.count(record) == 0 ||
        isRecord(field->getType(), replaced))
        return nullptr;
    std::optional<Objects> objects =
        member->isArrow() ? pointsTo.at(member->getBase()) : pointsTo.of(member->getBase());
    if (!objects || objects->empty())
        return nullptr; /* no call leads here */
    if (objects->size() > 1)
        return sharedFor(member, *objects);
    auto found = variables.find(objects->begin()->inner(field));
    return found == variables.end() ? nullptr : found->second;
}

/* The parameter that MEMBER is reached from, and the way from there. */
static const ParmVarDecl *parameterOf(const MemberExpr *member,
                                      std::vector<const FieldDecl *> &path)
{
    path.insert(path.begin(), cast<FieldDecl>(member->getMemberDecl()));
    const Expr *base = member->getBase()->IgnoreParenImpCasts();
    if (const auto *outer = dyn_cast<MemberExpr>(base))
        return member->isArrow() || !isa<FieldDecl>(outer->getMemberDecl())
                   ? nullptr
                   : parameterOf(outer, path);
    const auto *reference = dyn_cast<DeclRefExpr>(base);
    return reference ? dyn_cast<ParmVarDecl>(reference->getDecl()) : nullptr;
}

const VarDecl *StructMembers::sharedFor(const MemberExpr *member, const Objects &objects)
{
    std::vector<const FieldDecl *> path;
    const ParmVarDecl *parameter = parameterOf(member, path);
    if (parameter == nullptr)
        return nullptr;
    const VarDecl *&variable = shared[{parameter, path}];
    if (variable != nullptr)
        return variable;
    const auto *function = cast<FunctionDecl>(parameter->getDeclContext());
    std::string name = parameter->getNameAsString();
    for (const FieldDecl *field : path)
        name += (field == path.front() && parameter->getType()->isPointerType() ? "->" : ".") +
                field->getNameAsString();
    SourceLocation where = parameter->getLocation();
    QualType type = path.back()->getType();
    variable = VarDecl::Create(context, const_cast<FunctionDecl *>(function), where, where,
                               &context.Idents.get(name), type,
                               context.getTrivialTypeSourceInfo(type, where), SC_None);
    parameters[variable] = {parameter, path};
    for (const Object &object : objects) {
        auto found = variables.find(object.inner(path.back()));
        if (found != variables.end())
            meanings[variable].insert(found->second);
    }
    return variable;
}

/* In parentheses, which span what was written. */
Expr *StructMembers::nameOf(const VarDecl *variable, const MemberExpr *member)
{
    auto *named = const_cast<VarDecl *>(variable);
    auto *reference =
        DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), named, false,
                            member->getMemberLoc(), member->getType(), member->getValueKind());
    sources[reference] = member;
    return new (context) ParenExpr(member->getBeginLoc(), member->getEndLoc(), reference);
}

/* -- questions */

bool StructMembers::contains(const VarDecl *variable) const
{
    return places.count(variable) != 0;
}

bool StructMembers::isShared(const VarDecl *variable) const
{
    return parameters.count(variable) != 0;
}

const std::set<const VarDecl *> &StructMembers::meaning(const VarDecl *variable) const
{
    static const std::set<const VarDecl *> none;
    auto found = meanings.find(variable);
    return found == meanings.end() ? none : found->second;
}

std::set<const VarDecl *> StructMembers::meaning(const VarDecl *variable,
                                                 const Bindings &bindings) const
{
    const auto &[parameter, path] = parameters.at(variable);
    auto bound = bindings.find(parameter);
    if (bound == bindings.end())
        return meaning(variable);
    std::set<const VarDecl *> found;
    for (Object object : bound->second) {
        object.path.insert(object.path.end(), path.begin(), path.end());
        auto known = variables.find(object);
        if (known != variables.end())
            found.insert(known->second);
    }
    return found;
}

const Object &StructMembers::placeOf(const VarDecl *variable) const
{
    return places.at(variable);
}

const VarDecl *StructMembers::owner(const VarDecl *variable) const
{
    const void *root = places.at(variable).root;
    for (const VarDecl *one : pointsTo.structs)
        if (one == root)
            return one;
    return nullptr;
}

const MemberExpr *StructMembers::written(const DeclRefExpr *reference) const
{
    return sources.lookup(reference);
}

std::vector<const VarDecl *> StructMembers::inside(const Expr *expression,
                                                   const Bindings *bindings) const
{
    std::vector<const VarDecl *> found;
    if (replaced.empty())
        return found;
    const Expr *bare = expression->IgnoreParenCasts();
    std::optional<Objects> objects =
        bare->getType()->isRecordType() ? pointsTo.of(bare, bindings) : pointsTo.at(bare, bindings);
    if (!objects)
        return found;
    for (const Object &object : *objects)
        for (auto it = variables.lower_bound(object);
             it != variables.end() && it->first.within(object); ++it)
            found.push_back(it->second);
    return found;
}

bool StructMembers::isPointer(const VarDecl *variable) const
{
    return variable->getType()->isPointerType() &&
           replaced.count(structIn(context, variable->getType())) != 0;
}

std::vector<const VarDecl *> StructMembers::inside(const VarDecl *owner,
                                                   const FieldDecl *field) const
{
    std::vector<const VarDecl *> found;
    Object object{owner->getCanonicalDecl(), {}};
    if (field != nullptr)
        object = object.inner(field);
    for (auto it = variables.lower_bound(object); it != variables.end() && it->first.within(object);
         ++it)
        found.push_back(it->second);
    return found;
}

bool StructMembers::replaces(const VarDecl *owner, const FieldDecl *field) const
{
    return at(owner->getCanonicalDecl(), field) != nullptr ||
           (holds(owner) && isRecord(field->getType(), replaced));
}

bool StructMembers::replaces(const VarDecl *variable) const
{
    return holds(variable) && isRecord(variable->getType(), replaced);
}

const VarDecl *StructMembers::at(const void *root, const FieldDecl *field) const
{
    auto found = field != nullptr ? variables.find(Object{root, {field}}) : variables.end();
    return found == variables.end() ? nullptr : found->second;
}

Bindings StructMembers::bind(const CallExpr *call, const FunctionDecl *function,
                             const Bindings &bindings) const
{
    Bindings own;
    if (replaced.empty())
        return own;
    for (unsigned i = 0; i < call->getNumArgs() && i < function->getNumParams(); i++) {
        const ParmVarDecl *parameter = function->getParamDecl(i);
        if (structIn(context, parameter->getType()) == nullptr)
            continue;
        const Expr *argument = call->getArg(i);
        std::optional<Objects> objects = parameter->getType()->isRecordType()
                                             ? pointsTo.of(argument, &bindings)
                                             : pointsTo.at(argument, &bindings);
        if (objects)
            own[parameter] = *objects;
    }
    return own;
}

/* -- names */

std::vector<StructMembers::Access> StructMembers::accesses(const Visible &isVisible) const
{
    std::vector<Access> found;
    for (const VarDecl *variable : pointsTo.structs) {
        bool copy = isa<ParmVarDecl>(variable);
        const Objects objects =
            copy ? pointsTo.of(variable) : Objects{Object{variable->getCanonicalDecl(), {}}};
        if (objects.size() == 1 && isVisible(variable))
            found.push_back({*objects.begin(), structIn(context, variable->getType()),
                             variable->getNameAsString() + ".",
                             variable->getType().isConstQualified(), copy});
    }
    for (const VarDecl *pointer : pointsTo.pointers) {
        const Objects &objects = pointsTo.of(pointer);
        if (objects.size() == 1 && isVisible(pointer))
            found.push_back({*objects.begin(), structIn(context, pointer->getType()),
                             pointer->getNameAsString() + "->",
                             pointer->getType()->getPointeeType().isConstQualified(), false});
    }
    for (size_t i = 0; i < found.size() && i < 64; i++)
        addPointed(Access(found[i]), found);
    return found;
}

/* Structs inside, and those that members point to. */
void StructMembers::addPointed(const Access &from, std::vector<Access> &found) const
{
    for (const FieldDecl *field : from.record->fields()) {
        const RecordDecl *record = structIn(context, field->getType());
        if (record == nullptr)
            continue;
        std::string text = from.text + field->getNameAsString();
        if (field->getType()->isRecordType()) {
            found.push_back(
                {from.object.inner(field), record, text + ".", from.constant, from.copy});
            continue;
        }
        const Objects &objects = pointsTo.of(field);
        bool known = objects.size() == 1 && llvm::none_of(found, [&](const Access &access) {
                         return access.object == *objects.begin();
                     });
        if (known)
            found.push_back({*objects.begin(), record, text + "->",
                             field->getType()->getPointeeType().isConstQualified(), false});
    }
}

std::optional<MemberText> StructMembers::text(const VarDecl *variable,
                                              const Visible &isVisible) const
{
    Object object = places.at(variable);
    const FieldDecl *field = object.path.back();
    object.path.pop_back();
    const Access *best = nullptr;
    const std::vector<Access> all = accesses(isVisible);
    for (const Access &access : all)
        if (access.object == object && (best == nullptr || (best->constant && !access.constant)))
            best = &access;
    if (best == nullptr)
        return std::nullopt;
    std::string text = best->text + field->getNameAsString();
    if (best->constant && !field->getType()->isArrayType())
        text = "*(" + field->getType().getUnqualifiedType().getAsString() +
               " *)(__UINTPTR_TYPE__)&" + text;
    return MemberText{text, best->copy};
}

} // namespace xmpi
