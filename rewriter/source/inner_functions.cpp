/* SPDX-License-Identifier: BSD-3-Clause
 * Hiding functions within functions from the parser. */
#include "source/inner_functions.h"
#include "facts/effects.h"
#include "library/library.h"
#include "source/visitor.h"
#include <algorithm>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <map>
#include <set>

namespace xmpi
{

using namespace clang;

namespace
{

/* White space of which nobody writes any. */
const char hidden = '\v';

/* The tokens of TEXT from OFFSET on, as they stand there. */
class Tokens
{
  public:
    Tokens(llvm::StringRef text, size_t offset)
        : lexer(SourceLocation(), language, text.begin(), text.begin() + offset, text.end())
    {
    }

    Token next()
    {
        Token token;
        lexer.LexFromRawLexer(token);
        return token;
    }

    /* Behind the token that was last asked for. */
    const char *position() const
    {
        return lexer.getBufferLocation();
    }

  private:
    LangOptions language;
    Lexer lexer;
};

/* Behind the brace that closes the one at OFFSET; 0 where there is none, or a directive comes
 * first. */
size_t endOfBody(llvm::StringRef text, size_t offset)
{
    Tokens tokens(text, offset);
    int depth = 0;
    for (Token token = tokens.next(); token.isNot(tok::eof); token = tokens.next()) {
        if (token.is(tok::hash))
            return 0;
        depth += token.is(tok::l_brace) ? 1 : token.is(tok::r_brace) ? -1 : 0;
        if (depth == 0)
            return static_cast<size_t>(tokens.position() - text.begin());
    }
    return 0;
}

bool isBlank(char letter)
{
    return letter == '\n' || letter == '\r';
}

/* The functions whose bodies are hidden, and what is around them. */
class Finder : public Visitor
{
  public:
    explicit Finder(const SourceManager &manager) : manager(manager)
    {
    }

    std::map<size_t, const FunctionDecl *> inner; /* by where they are named */
    std::map<std::string, const FunctionDecl *> functions;
    std::set<std::string> variables;

    void VisitFunctionDecl(FunctionDecl *function) override
    {
        if (function->getIdentifier() == nullptr)
            return;
        if (!function->isLocalExternDecl())
            functions[function->getName().str()] = function;
        else if (manager.isWrittenInMainFile(function->getLocation()))
            inner[manager.getFileOffset(function->getLocation())] = function;
    }

    /* (Parameters of a function without a body, as those are that are hidden, are nobody else's.)
     */
    void VisitVarDecl(VarDecl *variable) override
    {
        const auto *owner = dyn_cast<FunctionDecl>(variable->getDeclContext());
        bool own = isa<ParmVarDecl>(variable) &&
                   (owner == nullptr || !owner->doesThisDeclarationHaveABody());
        if (!own && variable->getIdentifier() != nullptr)
            variables.insert(variable->getName().str());
    }

  private:
    const SourceManager &manager;
};

/* A function that is named nowhere else, and takes nothing that would have to be looked into. */
bool standsAlone(const FunctionDecl *function)
{
    bool alone = isForeign(function) && deedOf(function->getName()) == Deed::Unknown;
    for (const FunctionDecl *other : function->redecls())
        alone = alone && other->isLocalExternDecl();
    for (const ParmVarDecl *parameter : function->parameters())
        alone = alone && !parameter->getType()->isFunctionPointerType() &&
                !parameter->getOriginalType()->isVariablyModifiedType();
    return alone;
}

/* A body, token by token. */
class Body
{
  public:
    Body(llvm::StringRef text, const FunctionDecl *function, const Finder &around,
         const ASTContext &context)
        : function(function), around(around), context(context)
    {
        Tokens all(text, 0);
        for (Token token = all.next(); token.isNot(tok::eof); token = all.next()) {
            size_t length = token.getLength();
            tokens.push_back({token, llvm::StringRef(all.position() - length, length)});
        }
        begin = text.begin();
    }

    /* The first byte of what is more than computing from parameters; SIZE_MAX where nothing is. */
    size_t unknown() const
    {
        for (size_t i = 0; i < tokens.size(); i++)
            if (!isKnown(i))
                return static_cast<size_t>(tokens[i].text.begin() - begin);
        return SIZE_MAX;
    }

  private:
    struct Word {
        Token token;
        llvm::StringRef text;
    };
    std::vector<Word> tokens;
    const char *begin;
    const FunctionDecl *function;
    const Finder &around;
    const ASTContext &context;

    bool is(size_t at, tok::TokenKind kind) const
    {
        return at < tokens.size() && tokens[at].token.is(kind);
    }

    bool isKnown(size_t at) const
    {
        if (is(at, tok::l_paren) && at > 0 && is(at - 1, tok::r_paren))
            return isCast(at - 1);
        if (!is(at, tok::raw_identifier))
            return !is(at, tok::r_square) || !is(at + 1, tok::l_paren);
        bool called = is(at + 1, tok::l_paren);
        if (at > 0 && (is(at - 1, tok::period) || is(at - 1, tok::arrow)))
            return !called;
        return isKnownName(tokens[at].text, called);
    }

    bool isKnownName(llvm::StringRef name, bool called) const
    {
        static const std::set<std::string> refused = {"static",   "extern",   "goto",
                                                      "asm",      "__asm__",  "__asm",
                                                      "register", "__thread", "__label__"};
        if (refused.count(name.str()) > 0)
            return false;
        const IdentifierInfo &known = context.Idents.get(name);
        if (known.isKeyword(context.getLangOpts()) || name == "NULL")
            return true;
        if (known.hasMacroDefinition() || around.variables.count(name.str()) > 0)
            return false;
        if (name == function->getName())
            return called;
        auto other = around.functions.find(name.str());
        return other == around.functions.end() ? !called : called && computes(other->second);
    }

    bool computes(const FunctionDecl *other) const
    {
        bool library = other->getBuiltinID() != 0 ||
                       context.getSourceManager().isInSystemHeader(other->getLocation());
        return library && deedOf(other->getName()) == Deed::Computes;
    }

    /* Whether what ends with the parenthesis at END is a type, or else what an if has to know:
     * names, and then asterisks. What is called that way is no function of which nothing is known.
     */
    bool isCast(size_t end) const
    {
        size_t at = end;
        while (at > 0 && is(at - 1, tok::star))
            at--;
        size_t names = at;
        while (at > 0 && is(at - 1, tok::raw_identifier))
            at--;
        return at < names && at > 0 && is(at - 1, tok::l_paren);
    }
};

} // namespace

bool InnerFunctions::add(llvm::StringRef text, size_t offset)
{
    size_t end = offset < text.size() && text[offset] == '{' ? endOfBody(text, offset) : 0;
    if (end == 0 || text.contains(hidden))
        return false;
    for (const Hidden &body : bodies)
        if (body.begin <= offset && offset < body.begin + body.text.size())
            return true; /* within another one */
    bodies.push_back({offset, text.substr(offset, end - offset).str()});
    std::sort(bodies.begin(), bodies.end(),
              [](const Hidden &one, const Hidden &other) { return one.begin < other.begin; });
    return true;
}

std::string InnerFunctions::hide(llvm::StringRef text) const
{
    std::string all = text.str();
    for (const Hidden &body : bodies) {
        for (size_t i = 0; i < body.text.size(); i++)
            if (!isBlank(body.text[i]))
                all[body.begin + i] = hidden;
        all[body.begin] = ';';
    }
    return all;
}

bool InnerFunctions::restore(std::string &text) const
{
    size_t at = 0;
    for (const Hidden &body : bodies) {
        size_t first = body.text.find_first_not_of("\r\n", 1); /* that is hidden */
        at = text.find(hidden, at);
        if (at == std::string::npos || at < first || text[at -= first] != ';')
            return false;
        for (size_t i = 1; i < body.text.size(); i++)
            if (at + i >= text.size() ||
                text[at + i] != (isBlank(body.text[i]) ? body.text[i] : hidden))
                return false;
        text.replace(at, body.text.size(), body.text);
        at += body.text.size();
    }
    return text.find(hidden, at) == std::string::npos;
}

bool isInnerFunction(const SourceManager &manager, const FunctionDecl *function)
{
    if (function->getEndLoc().isInvalid() || function->getEndLoc().isMacroID())
        return false;
    const char *at = manager.getCharacterData(function->getEndLoc());
    while (*at != ';' && *at != '\0')
        at++;
    if (*at == ';') /* white space of a body stays where it was */
        at++;
    while (isBlank(*at))
        at++;
    return *at == hidden;
}

size_t InnerFunctions::unknown(const ASTContext &context) const
{
    if (bodies.empty())
        return SIZE_MAX;
    Finder around(context.getSourceManager());
    around.TraverseDecl(context.getTranslationUnitDecl());
    for (const Hidden &body : bodies) {
        auto next = around.inner.lower_bound(body.begin);
        if (next == around.inner.begin() || !standsAlone(std::prev(next)->second))
            return body.begin;
        size_t inside = Body(body.text, std::prev(next)->second, around, context).unknown();
        if (inside != SIZE_MAX)
            return body.begin + inside;
    }
    return SIZE_MAX;
}

} // namespace xmpi
