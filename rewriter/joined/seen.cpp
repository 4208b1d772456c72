/* SPDX-License-Identifier: BSD-3-Clause
 * Parses a text and takes down what it is made of. */
#include "joined/seen.h"
#include "joined/meant.h"
#include "parser.h"
#include <algorithm>
#include <clang/AST/Attr.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/xxhash.h>

namespace xmpi
{
namespace
{

using namespace clang;

/* Which part of the main file a place belongs to, by way of the includes that lead there. */
class Places
{
  public:
    Places(const SourceManager &manager, const Layout &layout) : manager(manager), layout(layout)
    {
    }

    bool inMain(SourceLocation place) const
    {
        return place.isValid() &&
               manager.getFileID(manager.getExpansionLoc(place)) == manager.getMainFileID();
    }

    bool inUserHeader(SourceLocation place) const
    {
        place = manager.getExpansionLoc(place);
        return place.isValid() && !inMain(place) && !manager.isInSystemHeader(place) &&
               manager.getFileEntryForID(manager.getFileID(place)) != nullptr;
    }

    size_t partOf(SourceLocation place) const
    {
        place = manager.getExpansionLoc(place);
        while (place.isValid() && manager.getFileID(place) != manager.getMainFileID())
            place = manager.getExpansionLoc(manager.getIncludeLoc(manager.getFileID(place)));
        if (place.isInvalid())
            return 0;
        const unsigned offset = manager.getFileOffset(place);
        const auto after = std::upper_bound(layout.begins.begin(), layout.begins.end(), offset);
        return after == layout.begins.begin()
                   ? 0
                   : static_cast<size_t>(after - layout.begins.begin()) - 1;
    }

    std::string fileOf(SourceLocation place) const
    {
        place = manager.getExpansionLoc(place);
        const FileEntry *entry = manager.getFileEntryForID(manager.getFileID(place));
        return entry != nullptr ? entry->tryGetRealPathName().str() : "";
    }

    const SourceManager &manager;

  private:
    const Layout &layout;
};

/* What is asked of the library before its headers are read. */
bool isFeature(llvm::StringRef name)
{
    static const char *const names[] = {
        "_GNU_SOURCE",    "_POSIX_C_SOURCE", "_POSIX_SOURCE",     "_XOPEN_SOURCE",
        "_BSD_SOURCE",    "_SVID_SOURCE",    "_DEFAULT_SOURCE",   "_XOPEN_SOURCE_EXTENDED",
        "_ISOC99_SOURCE", "_ISOC11_SOURCE",  "_LARGEFILE_SOURCE", "_LARGEFILE64_SOURCE"};
    return std::any_of(std::begin(names), std::end(names),
                       [&](const char *one) { return name == one; });
}

/* Pragmas that say something of the next statement or function, or nothing to the compiler. */
bool staysInPlace(llvm::StringRef pragma)
{
    static const char *const heads[] = {"once",       "xmpi ", "omp ",           "GCC ivdep",
                                        "GCC unroll", "ivdep", "GCC diagnostic", "unroll",
                                        "message",    "simd"};
    return std::any_of(std::begin(heads), std::end(heads),
                       [&](llvm::StringRef head) { return pragma.substr(0, head.size()) == head; });
}

/* Directives. */
class Directives : public PPCallbacks
{
  public:
    Directives(const Places &places, Preprocessor &preprocessor, Seen &seen)
        : places(places), preprocessor(preprocessor), seen(seen)
    {
    }

    void InclusionDirective(SourceLocation hash, const Token &, llvm::StringRef, bool angled,
                            CharSourceRange name, OptionalFileEntryRef file, llvm::StringRef,
                            llvm::StringRef, const Module *, bool,
                            SrcMgr::CharacteristicKind kind) override
    {
        const std::string path = file ? file->getFileEntry().tryGetRealPathName().str() : "";
        if (!SrcMgr::isSystem(kind) && !path.empty())
            seen.files.insert(path);
        if (!places.inMain(hash))
            return;
        included = true;
        seen.written.push_back({places.partOf(hash), places.manager.getFileOffset(name.getBegin()),
                                places.manager.getFileOffset(name.getEnd()), !angled, path,
                                SrcMgr::isSystem(kind)});
    }

    void MacroDefined(const Token &name, const MacroDirective *macro) override
    {
        const std::string text = preprocessor.getSpelling(name);
        if (included || !places.inMain(name.getLocation()) || !isFeature(text))
            return;
        std::string value;
        for (const Token &token : macro->getMacroInfo()->tokens())
            value += " " + preprocessor.getSpelling(token);
        seen.features[text] = value;
    }

    void MacroExpands(const Token &name, const MacroDefinition &, SourceRange,
                      const MacroArgs *) override
    {
        if (places.inMain(name.getLocation()))
            seen.expanded.insert(preprocessor.getSpelling(name));
    }

    void PragmaDirective(SourceLocation place, PragmaIntroducerKind kind) override
    {
        if (!places.inMain(place) && !places.inUserHeader(place))
            return;
        bool invalid = false;
        llvm::StringRef rest = places.manager.getCharacterData(place, &invalid);
        rest = invalid ? "" : rest.take_until([](char c) { return c == '\n'; }).ltrim();
        const bool hash = kind == PIK_HashPragma && rest.consume_front("#");
        rest = rest.ltrim();
        rest.consume_front("pragma");
        rest = rest.ltrim();
        if ((!hash || !staysInPlace(rest)) && seen.odd.empty())
            seen.odd = hash ? "has '#pragma " + rest.rtrim().str() + "'" : "has _Pragma";
    }

  private:
    const Places &places;
    Preprocessor &preprocessor;
    Seen &seen;
    bool included = false;
};

/* Declarations, and what is used of them. */
class Declared : public RecursiveASTVisitor<Declared>
{
  public:
    Declared(const Places &places, ASTContext &context, Seen &seen)
        : places(places), context(context), seen(seen)
    {
    }

    bool VisitNamedDecl(NamedDecl *declaration)
    {
        const IdentifierInfo *name = declaration->getIdentifier();
        if (name == nullptr || !isAtFileScope(declaration))
            return true;
        seen.names.insert(name->getName().str());
        if (isOwn(declaration))
            seen.own.insert(name->getName().str());
        return true;
    }

    bool VisitFunctionDecl(FunctionDecl *function)
    {
        if (function->isThisDeclarationADefinition() && places.inMain(function->getLocation())) {
            if (function->hasExternalFormalLinkage())
                seen.defined.insert(function->getName().str());
            if (function->hasAttr<WeakAttr>())
                seen.odd = "has a function that is weak, '" + function->getName().str() + "'";
            if (function->hasDefiningAttr())
                seen.odd =
                    "has a function that an attribute defines, '" + function->getName().str() + "'";
            seen.constructors +=
                function->hasAttr<ConstructorAttr>() || function->hasAttr<DestructorAttr>();
        }
        return true;
    }

    bool VisitVarDecl(VarDecl *variable)
    {
        if (places.inUserHeader(variable->getLocation()) && variable->hasGlobalStorage() &&
            !variable->hasExternalFormalLinkage() && !variable->getType().isConstant(context))
            seen.kept[variable->getName().str()] = places.fileOf(variable->getLocation());
        if (places.inMain(variable->getLocation()) && variable->hasExternalFormalLinkage() &&
            variable->isThisDeclarationADefinition() != VarDecl::DeclarationOnly)
            seen.defined.insert(variable->getName().str());
        return true;
    }

    bool TraverseFunctionDecl(FunctionDecl *declaration)
    {
        const FunctionDecl *outer = function;
        function = declaration;
        const bool more = RecursiveASTVisitor::TraverseFunctionDecl(declaration);
        function = outer;
        return more;
    }

    bool VisitPredefinedExpr(PredefinedExpr *)
    {
        if (function != nullptr)
            seen.telling.insert(function->getName().str());
        return true;
    }

    bool VisitFileScopeAsmDecl(FileScopeAsmDecl *)
    {
        seen.odd = "has assembler at file scope";
        return true;
    }

    bool VisitDeclRefExpr(DeclRefExpr *reference)
    {
        const ValueDecl *value = reference->getDecl();
        if (value->getIdentifier() == nullptr || !value->hasExternalFormalLinkage())
            return true;
        const std::string name = value->getName().str();
        if (isOfLibrary(value))
            seen.library[name] = signature(value);
        else if (!isDefined(value))
            seen.needed.insert(name);
        return true;
    }

    /* No other file can mean it: no header knows of it either. */
    bool isOwn(const NamedDecl *declaration) const
    {
        for (const Decl *one : declaration->redecls())
            if (!places.inMain(one->getLocation()))
                return false;
        return !isa<FunctionDecl, VarDecl>(declaration) || !declaration->hasExternalFormalLinkage();
    }

  private:
    const Places &places;
    ASTContext &context;
    Seen &seen;
    const FunctionDecl *function = nullptr; /* that we are in */

    static bool isAtFileScope(const NamedDecl *declaration)
    {
        return (isa<TagDecl, TypedefNameDecl, EnumConstantDecl, FunctionDecl>(declaration) ||
                (isa<VarDecl>(declaration) && !isa<ParmVarDecl>(declaration))) &&
               declaration->getDeclContext()->getRedeclContext()->isTranslationUnit();
    }

    bool isOfLibrary(const ValueDecl *value) const
    {
        const auto *function = dyn_cast<FunctionDecl>(value);
        return (function != nullptr && function->getBuiltinID() != 0) ||
               places.manager.isInSystemHeader(
                   places.manager.getExpansionLoc(value->getCanonicalDecl()->getLocation()));
    }

    static bool isDefined(const ValueDecl *value)
    {
        if (const auto *function = dyn_cast<FunctionDecl>(value))
            return function->getDefinition() != nullptr;
        const auto *variable = dyn_cast<VarDecl>(value);
        return variable != nullptr &&
               (variable->getDefinition() != nullptr || variable->getActingDefinition() != nullptr);
    }

    static std::string signature(const ValueDecl *value)
    {
        const Decl *last = value->getMostRecentDecl();
        const auto *label = last->getAttr<AsmLabelAttr>();
        return cast<ValueDecl>(last)->getType().getCanonicalType().getAsString() +
               (label != nullptr ? " " + label->getLabel().str() : "");
    }
};

class Consumer : public ASTConsumer
{
  public:
    Consumer(const Places &places, const std::vector<SourceLocation> &spelled, Seen &seen)
        : places(places), spelled(spelled), seen(seen)
    {
    }

    void HandleTranslationUnit(ASTContext &context) override
    {
        Declared declared(places, context, seen);
        declared.TraverseDecl(context.getTranslationUnitDecl());
        if (seen.tokens.size() != 1)
            return;
        const std::set<SourceLocation> kept =
            keptPlaces(context, [&](const NamedDecl *one) { return declared.isOwn(one); });
        for (SourceLocation place : kept)
            if (places.inMain(place))
                seen.keptAt.insert(places.manager.getFileOffset(place));
        for (SourceLocation place : spelled)
            seen.keeps.push_back(kept.count(places.manager.getSpellingLoc(place)) != 0);
    }

  private:
    const Places &places;
    const std::vector<SourceLocation> &spelled;
    Seen &seen;
};

class Action : public ASTFrontendAction
{
  public:
    Action(const Layout &layout, Seen &seen) : layout(layout), seen(seen)
    {
    }

    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                   llvm::StringRef) override
    {
        Preprocessor &preprocessor = compiler.getPreprocessor();
        places = std::make_unique<Places>(compiler.getSourceManager(), layout);
        seen.tokens.resize(layout.begins.size());
        preprocessor.addPPCallbacks(std::make_unique<Directives>(*places, preprocessor, seen));
        preprocessor.setTokenWatcher([this, &preprocessor](const Token &token) {
            if (!token.isAnnotation() && token.isNot(tok::eof))
                take(preprocessor, token);
        });
        return std::make_unique<Consumer>(*places, spelled, seen);
    }

    void EndSourceFileAction() override
    {
        for (const auto &[name, state] : getCompilerInstance().getPreprocessor().macros()) {
            const MacroDirective *macro =
                getCompilerInstance().getPreprocessor().getLocalMacroDirective(name);
            if (macro == nullptr || macro->getMacroInfo() == nullptr)
                continue;
            const SourceLocation place = macro->getMacroInfo()->getDefinitionLoc();
            const bool own = places->inMain(place);
            if (own)
                seen.macros.push_back(name->getName().str());
            if (own || places->inUserHeader(place))
                seen.userMacros.insert(name->getName().str());
        }
        std::sort(seen.macros.begin(), seen.macros.end());
    }

    const Places *where() const
    {
        return places.get();
    }

  private:
    const Layout &layout;
    Seen &seen;
    std::unique_ptr<Places> places;
    std::vector<SourceLocation> spelled; /* the tokens of the only part */
    std::map<FileID, size_t> inclusionOf;

    void take(const Preprocessor &preprocessor, const Token &token)
    {
        const SourceLocation place = places->manager.getExpansionLoc(token.getLocation());
        if (places->inMain(place)) {
            seen.tokens[places->partOf(place)].push_back(preprocessor.getSpelling(token));
            if (seen.tokens.size() == 1)
                spelled.push_back(token.getLocation());
            return;
        }
        if (!places->inUserHeader(place))
            return;
        const auto [entry, fresh] =
            inclusionOf.emplace(places->manager.getFileID(place), seen.inclusions.size());
        if (fresh)
            seen.inclusions.push_back({places->partOf(place), places->fileOf(place), 0});
        uint64_t &tokens = seen.inclusions[entry->second].tokens;
        tokens = tokens * 1099511628211U + llvm::xxh3_64bits(preprocessor.getSpelling(token)) + 1;
    }
};

/* The first error, and where what it contradicts is. */
class Errors : public DiagnosticConsumer
{
  public:
    Errors(const Layout &layout, Seen &seen) : layout(layout), seen(seen)
    {
    }

    void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &info) override
    {
        DiagnosticConsumer::HandleDiagnostic(level, info);
        const bool first = level >= DiagnosticsEngine::Error && seen.error.empty();
        const bool note = level == DiagnosticsEngine::Note && !seen.error.empty() && !noted;
        if (!first && !note)
            return;
        const bool placed = info.hasSourceManager() && info.getLocation().isValid();
        const SourceLocation place =
            placed ? info.getSourceManager().getFileLoc(info.getLocation()) : SourceLocation();
        const size_t part = placed ? Places(info.getSourceManager(), layout).partOf(place) : 0;
        noted = note;
        seen.otherPart = part;
        if (!first)
            return;
        llvm::SmallString<128> text;
        info.FormatDiagnostic(text);
        seen.error = text.str().str();
        seen.errorPart = part;
        if (placed && Places(info.getSourceManager(), layout).inUserHeader(place))
            seen.errorFile = Places(info.getSourceManager(), layout).fileOf(place);
    }

  private:
    const Layout &layout;
    Seen &seen;
    bool noted = false;
};

} // namespace

Seen look(const Layout &layout, const std::string &source, const std::vector<std::string> &flags)
{
    Seen seen;
    Errors errors(layout, seen);
    auto files = filesWith(source, layout.text);
    tooling::ToolInvocation invocation(parserCommand(source, flags),
                                       std::make_unique<Action>(layout, seen), files.get());
    invocation.setDiagnosticConsumer(&errors);
    if (!invocation.run() && seen.error.empty())
        seen.error = "cannot be parsed";
    return seen;
}

} // namespace xmpi
