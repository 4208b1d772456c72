/* SPDX-License-Identifier: BSD-3-Clause
 * The grammar of `#pragma xmpi`, and the injection of its expressions into the parser. */
#include "source/pragma.h"
#include "../../runtime/decide/policies.h"
#include <algorithm>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Pragma.h>
#include <set>

namespace xmpi
{

using clang::Token;
namespace tok = clang::tok;

static bool isOneOf(const std::vector<std::string> &words, const std::string &word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

/* "a, b or c", each with TAIL behind it. */
static std::string listed(const std::vector<std::string> &words, const std::string &tail)
{
    std::string all;
    for (size_t i = 0; i < words.size(); i++)
        all += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i] + tail;
    return all;
}

llvm::StringRef spelling(Directive directive)
{
    static const char *const names[] = {"domain", "data", "initial", "setup", "loop", "loop"};
    return names[static_cast<int>(directive)];
}

std::vector<Operand *> Pragma::allOperands()
{
    std::vector<Operand *> all;
    for (Operand &operand : operands)
        all.push_back(&operand);
    for (Operand &weight : weights)
        all.push_back(&weight);
    for (Operand &bound : iterations)
        all.push_back(&bound);
    for (ArrayOperand &array : arrays) {
        all.push_back(&array.variable);
        for (Operand &extent : array.shape)
            all.push_back(&extent);
        for (Operand &rows : array.halo)
            all.push_back(&rows);
    }
    return all;
}

const Pragma *Pragmas::at(clang::SourceLocation hash) const
{
    if (whole != nullptr)
        return whole->at(hash);
    for (const auto &pragma : list)
        if (pragma->hash == hash)
            return pragma.get();
    return nullptr;
}

const Pragma *Pragmas::covering(unsigned offset) const
{
    for (const auto &pragma : list)
        if (offset >= pragma->line.begin && offset <= pragma->line.end)
            return pragma.get();
    return nullptr;
}

namespace
{

/* Where the parser stands: a statement may follow only after one of ; { } of a block. */
class ParserPosition
{
  public:
    void see(const Token &token)
    {
        tok::TokenKind kind = token.getKind();
        if (kind == tok::l_brace)
            blocks.push_back(opensBlock());
        else if (kind == tok::r_brace && !blocks.empty())
            blocks.pop_back();
        else if (kind == tok::l_paren)
            parentheses++;
        else if (kind == tok::r_paren)
            parentheses--;
        last = kind;
    }

    bool takesStatement() const
    {
        return !blocks.empty() && blocks.back() && parentheses == 0 &&
               (last == tok::semi || last == tok::l_brace || last == tok::r_brace);
    }

  private:
    std::vector<bool> blocks; /* the open braces: of a block, or of a struct, enum, initialiser */
    int parentheses = 0;
    tok::TokenKind last = tok::semi;

    bool opensBlock() const
    {
        switch (last) {
        case tok::r_paren:
        case tok::semi:
        case tok::r_brace:
        case tok::colon:
        case tok::kw_else:
        case tok::kw_do:
            return true;
        case tok::l_brace:
            return !blocks.empty() && blocks.back();
        default:
            return false;
        }
    }
};

/* Reads the tokens of one pragma. Every function that can fail reports and returns false. */
class Grammar
{
  public:
    Grammar(clang::Preprocessor &preprocessor, Pragma &pragma)
        : preprocessor(preprocessor), diagnostics(preprocessor.getDiagnostics()), pragma(pragma)
    {
    }

    bool read()
    {
        next();
        return readDirective() && readClauses() && complete();
    }

    void skipRest()
    {
        while (!token.isOneOf(tok::eod, tok::eof)) /* a broken _Pragma takes the end of the line */
            preprocessor.LexUnexpandedToken(token);
        pragma.line.end = preprocessor.getSourceManager().getFileOffset(token.getLocation());
    }

  private:
    clang::Preprocessor &preprocessor;
    Diagnostics diagnostics;
    Pragma &pragma;
    Token token;
    std::set<std::string> seen;

    void next()
    {
        preprocessor.LexUnexpandedToken(token);
    }

    bool expected(llvm::StringRef what)
    {
        diagnostics.report(token.getLocation(), Problem::ClauseSyntax, {what});
        return false;
    }

    std::string word() const
    {
        return token.getIdentifierInfo() ? token.getIdentifierInfo()->getName().str() : "";
    }

    bool readDirective()
    {
        for (Directive directive : {Directive::Domain, Directive::Data, Directive::Initial,
                                    Directive::Setup, Directive::Loop}) {
            if (word() != spelling(directive))
                continue;
            pragma.directive = directive;
            if (directive != Directive::Domain)
                next();
            return true;
        }
        if (token.is(tok::eod))
            return expected("a directive after '#pragma xmpi'");
        diagnostics.report(
            token.getLocation(), Problem::UnknownDirective, {preprocessor.getSpelling(token)},
            nearest(std::set<std::string>{"domain", "data", "initial", "setup", "loop"}));
        return false;
    }

    /* The one of NAMES that the word at hand was meant for, if it is near enough. */
    template <typename Names> Fix nearest(const Names &names) const
    {
        std::string best;
        unsigned distance = 3;
        for (const std::string &name : names) {
            unsigned own = llvm::StringRef(word()).edit_distance(name);
            if (own < distance && own < name.size() / 2 + 1) {
                distance = own;
                best = name;
            }
        }
        return best.empty() ? Fix() : Fix::CreateReplacement(token.getLocation(), best);
    }

    bool readClauses()
    {
        while (!token.isOneOf(tok::eod, tok::eof)) {
            if (token.is(tok::comma) && !seen.empty())
                next();
            std::string name = word();
            if (name.empty())
                return expected("a clause or the end of the line");
            if (!admits(name))
                return false;
            clang::SourceLocation where = token.getLocation();
            if (name == "restore") {
                pragma.restore = true;
                next();
                continue;
            }
            preprocessor.Lex(token);
            if (token.isNot(tok::l_paren))
                return expected("'(' after '" + name + "'");
            if (!readArguments(name, where))
                return false;
        }
        return true;
    }

    bool admits(const std::string &name)
    {
        static const std::map<Directive, std::pair<std::set<std::string>, const char *>> clauses = {
            {Directive::Domain, {{"domain", "range"}, "write domain(n) range(count, displ)"}},
            {Directive::Data,
             {{"distributed", "replicated", "owned", "halo", "csr"},
              "its clauses are distributed(...), replicated(...), halo(u[n]: 1) and csr(ia, ja, a: "
              "n)"}},
            {Directive::Initial, {{}, "it takes no clauses"}},
            {Directive::Setup, {{}, "it takes no clauses"}},
            {Directive::Loop,
             {{"interval", "iterations", "policy", "weight", "restore"},
              "its clauses are interval(k), iterations(n), policy(name, ...), weight(w) and "
              "restore"}}};
        const auto &[names, help] = clauses.at(pragma.directive);
        if (names.count(name) == 0) {
            diagnostics.report(token.getLocation(), Problem::UnknownClause,
                               {name, spelling(pragma.directive), help}, nearest(names));
            return false;
        }
        if (!seen.insert(name).second && pragma.directive != Directive::Data) {
            diagnostics.report(token.getLocation(), Problem::DuplicateClause, {name});
            return false;
        }
        return true;
    }

    /* At the '(' of a clause; leaves at the token after its ')'. */
    bool readArguments(const std::string &name, clang::SourceLocation where)
    {
        if (name == "csr")
            return readSparse();
        if (name == "policy")
            return readPolicy();
        unsigned count = 0;
        do {
            preprocessor.Lex(token);
            std::vector<Operand> &operands = name == "weight"       ? pragma.weights
                                             : name == "iterations" ? pragma.iterations
                                                                    : pragma.operands;
            if (pragma.directive == Directive::Data ? !readArray(name)
                                                    : !readOperand(operands, tok::r_paren))
                return false;
            count++;
        } while (token.is(tok::comma));
        if (token.isNot(tok::r_paren))
            return expected("',' or ')'");
        next();
        unsigned wanted = name == "range" ? 2 : 1;
        if (pragma.directive == Directive::Data || count == wanted)
            return true;
        diagnostics.report(where, Problem::ClauseSyntax,
                           {name == "range" ? "two variables: range(count, displ)"
                                            : "one expression: " + name + "(n)"});
        return false;
    }

    /* An expression up to ',' or CLOSE outside its own brackets. */
    bool readOperand(std::vector<Operand> &operands, tok::TokenKind close)
    {
        Operand operand;
        operand.where = token.getLocation();
        int depth = 0;
        while (depth > 0 || (token.isNot(close) && token.isNot(tok::comma))) {
            if (token.isOneOf(tok::eod, tok::eof, tok::semi, tok::l_brace, tok::r_brace))
                return expected(close == tok::r_square ? "']'" : "')'");
            if (token.isOneOf(tok::l_paren, tok::l_square))
                depth++;
            else if (token.isOneOf(tok::r_paren, tok::r_square))
                depth--;
            operand.tokens.push_back(token);
            preprocessor.Lex(token);
        }
        if (operand.tokens.empty())
            return expected("an expression");
        setText(operand);
        operands.push_back(std::move(operand));
        return true;
    }

    /* At the '(' of csr(ia, ja, a: rows); leaves at the token after its ')'. */
    bool readSparse()
    {
        std::vector<Operand> rows;
        std::vector<ArrayOperand> arrays(3);
        for (int part = 1; part <= 3; part++) {
            ArrayOperand &array = arrays[static_cast<size_t>(part - 1)];
            array.scheme = Scheme::Distributed;
            array.csr = part;
            preprocessor.Lex(token);
            if (token.isNot(tok::identifier))
                return expected("the name of a pointer variable, as in csr(ia, ja, a: n)");
            array.variable.where = token.getLocation();
            if (!readName(array.variable))
                return false;
            if (token.isNot(part < 3 ? tok::comma : tok::colon))
                return expected(part < 3 ? "',' as in csr(ia, ja, a: n)"
                                         : "':' and the number of rows, as in csr(ia, ja, a: n)");
        }
        preprocessor.Lex(token);
        if (!readOperand(rows, tok::r_paren))
            return false;
        if (token.isNot(tok::r_paren))
            return expected("')'");
        next();
        for (ArrayOperand &array : arrays) {
            array.shape = rows;
            pragma.arrays.push_back(std::move(array));
        }
        return true;
    }

    /* At the '(' of policy(name, setting(value), ...). The runtime reads the values. */
    bool readPolicy()
    {
#define WORD(name) #name,
        static const std::vector<std::string> policies = {"off", XMPI_POLICIES(WORD)};
        static const std::vector<std::string> settings = {XMPI_POLICY_SETTINGS(WORD)};
#undef WORD
        next();
        if (!isOneOf(policies, word()))
            return expected("a policy: " + listed(policies, ""));
        pragma.policy = word();
        for (next(); token.is(tok::comma);) {
            next();
            std::string setting = word();
            if (!isOneOf(settings, setting))
                return expected("a setting: " + listed(settings, "(...)"));
            if (!readValue(setting))
                return false;
        }
        if (token.isNot(tok::r_paren))
            return expected("',' or ')'");
        next();
        return true;
    }

    /* The text between the brackets, as it stands there: 30%, 10m, 18:00. */
    bool readValue(const std::string &setting)
    {
        Operand value;
        next();
        if (token.isNot(tok::l_paren))
            return expected("'(' after '" + setting + "'");
        for (next(); token.isNot(tok::r_paren); next()) {
            if (token.isOneOf(tok::eod, tok::eof))
                return expected("')'");
            value.tokens.push_back(token);
        }
        if (value.tokens.empty())
            return expected("the value of '" + setting + "'");
        setText(value);
        if (value.text.find_first_of(" \t\\\"\n") != std::string::npos)
            return expected("a value without blanks and quotes");
        pragma.policy += " " + setting + "=" + value.text;
        next();
        return true;
    }

    /* At the first word of a variable, or of a member as in p->grid.u; leaves after it. */
    bool readName(Operand &variable)
    {
        variable.tokens.push_back(token);
        for (preprocessor.Lex(token); token.isOneOf(tok::period, tok::arrow);
             preprocessor.Lex(token)) {
            variable.tokens.push_back(token);
            preprocessor.Lex(token);
            if (token.isNot(tok::identifier))
                return expected("the name of a member");
            variable.tokens.push_back(token);
        }
        setText(variable);
        return true;
    }

    bool readArray(const std::string &clause)
    {
        ArrayOperand array;
        array.scheme = clause == "replicated" ? Scheme::Replicated
                       : clause == "owned"    ? Scheme::Owned
                                              : Scheme::Distributed;
        array.variable.where = token.getLocation();
        if (token.isNot(tok::identifier))
            return expected("the name of a pointer variable");
        if (!readName(array.variable))
            return false;
        while (token.is(tok::l_square)) {
            preprocessor.Lex(token);
            if (!readOperand(array.shape, tok::r_square))
                return false;
            if (token.isNot(tok::r_square))
                return expected("']'");
            preprocessor.Lex(token);
        }
        if (array.shape.empty() && array.scheme != Scheme::Replicated)
            return expected("the extents of '" + array.variable.text + "', as in " +
                            array.variable.text + "[n]");
        if (clause == "halo" && !readHalo(array))
            return false;
        pragma.arrays.push_back(std::move(array));
        return true;
    }

    bool readHalo(ArrayOperand &array)
    {
        if (token.isNot(tok::colon))
            return expected("':' and the rows on each side, as in " + array.variable.text +
                            "[n]: 1");
        preprocessor.Lex(token);
        return readOperand(array.halo, tok::r_paren);
    }

    void setText(Operand &operand)
    {
        const clang::SourceManager &manager = preprocessor.getSourceManager();
        clang::CharSourceRange range(manager.getExpansionRange(clang::SourceRange(
            operand.tokens.front().getLocation(), operand.tokens.back().getLocation())));
        operand.text =
            clang::Lexer::getSourceText(range, manager, preprocessor.getLangOpts()).str();
    }

    bool complete()
    {
        if (pragma.directive == Directive::Domain && seen.size() < 2)
            return missing(seen.count("domain") ? "a 'range' clause" : "its extent",
                           "domain(n) range(count, displ)");
        if (pragma.directive == Directive::Data && seen.empty())
            return missing("a 'distributed', 'replicated', 'owned', 'halo' or 'csr' clause",
                           "data distributed(A[rows][columns]) replicated(x[n])");
        return true;
    }

    bool missing(llvm::StringRef what, llvm::StringRef form)
    {
        diagnostics.report(pragma.hash, Problem::MissingClause,
                           {spelling(pragma.directive), what, form});
        return false;
    }
};

class Handler : public clang::PragmaHandler
{
  public:
    Handler(Pragmas &pragmas, std::shared_ptr<ParserPosition> position)
        : PragmaHandler("xmpi"), pragmas(pragmas), position(std::move(position))
    {
    }

    void HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer introducer,
                      Token &) override
    {
        auto pragma = std::make_unique<Pragma>();
        pragma->hash = introducer.Loc;
        pragma->line.begin = preprocessor.getSourceManager().getFileOffset(introducer.Loc);
        Grammar grammar(preprocessor, *pragma);
        bool good = allowed(preprocessor, introducer) && grammar.read();
        grammar.skipRest();
        if (good && !position->takesStatement()) {
            Diagnostics(preprocessor.getDiagnostics())
                .report(pragma->hash, Problem::PragmaPlace, {spelling(pragma->directive)});
            good = false;
        }
        if (!good) {
            pragmas.broken = true;
            return;
        }
        inject(preprocessor, *pragma);
        pragmas.list.push_back(std::move(pragma));
    }

  private:
    Pragmas &pragmas;
    std::shared_ptr<ParserPosition> position;

    /* The first line of TEXT, with those that continue it. */
    static std::string logicalLine(llvm::StringRef text)
    {
        std::string line;
        while (true) {
            auto [one, rest] = text.split('\n');
            one = one.rtrim(" \t\r\f\v"); /* compilers let blanks follow the backslash */
            if (!one.consume_back("\\"))
                return line + one.str();
            line += one.str();
            text = rest;
        }
    }

    static bool allowed(clang::Preprocessor &preprocessor, clang::PragmaIntroducer introducer)
    {
        const clang::SourceManager &manager = preprocessor.getSourceManager();
        Diagnostics diagnostics(preprocessor.getDiagnostics());
        if (introducer.Kind != clang::PIK_HashPragma) {
            diagnostics.report(introducer.Loc, Problem::PragmaOperator);
            return false;
        }
        if (manager.getFileID(introducer.Loc) != manager.getMainFileID()) {
            diagnostics.report(introducer.Loc, Problem::PragmaHeader);
            return false;
        }
        /* One inside would be run while the clauses are read, and may take the end of the line. */
        llvm::StringRef rest = manager.getBufferData(manager.getFileID(introducer.Loc))
                                   .drop_front(manager.getFileOffset(introducer.Loc));
        if (logicalLine(rest).find("_Pragma") != std::string::npos) {
            diagnostics.report(introducer.Loc, Problem::PragmaOperator);
            return false;
        }
        return true;
    }

    /* The parser goes on with { (operand); ... } at the position of the pragma. */
    static void inject(clang::Preprocessor &preprocessor, Pragma &pragma)
    {
        std::vector<Token> tokens;
        auto punctuation = [&](tok::TokenKind kind, clang::SourceLocation where) {
            Token token;
            token.startToken();
            token.setKind(kind);
            token.setLocation(where);
            tokens.push_back(token);
        };
        punctuation(tok::l_brace, pragma.hash);
        for (Operand *operand : pragma.allOperands()) {
            clang::SourceLocation last = operand->tokens.back().getLocation();
            punctuation(tok::l_paren, operand->where);
            tokens.insert(tokens.end(), operand->tokens.begin(), operand->tokens.end());
            punctuation(tok::r_paren, last);
            punctuation(tok::semi, last);
        }
        punctuation(tok::r_brace, pragma.hash);
        auto owned = std::make_unique<Token[]>(tokens.size());
        std::copy(tokens.begin(), tokens.end(), owned.get());
        preprocessor.EnterTokenStream(std::move(owned), static_cast<unsigned>(tokens.size()), true,
                                      true);
    }
};

/* Two neighbouring letters in the other order. */
bool isExchanged(llvm::StringRef word)
{
    for (size_t i = 0; word.size() == 4 && i < 3; i++) {
        std::string other = word.lower();
        std::swap(other[i], other[i + 1]);
        if (other == "xmpi")
            return true;
    }
    return false;
}

/* A misspelt name would go by unnoticed, and the program would not be adaptive. Words of three
 * letters are left alone: they are names of others. */
bool resemblesXmpi(llvm::StringRef word)
{
    return word.size() > 3 && word != "xmpi" && word.lower().size() < 6 &&
           (llvm::StringRef(word.lower()).edit_distance("xmpi") <= 1 || isExchanged(word));
}

/* Called for pragmas that nobody else knows. */
class MisspeltHandler : public clang::PragmaHandler
{
  public:
    explicit MisspeltHandler(Pragmas &pragmas) : PragmaHandler(llvm::StringRef()), pragmas(pragmas)
    {
    }

    void HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer,
                      Token &token) override
    {
        if (token.getIdentifierInfo() == nullptr ||
            !resemblesXmpi(token.getIdentifierInfo()->getName()) ||
            preprocessor.getSourceManager().isInSystemHeader(token.getLocation()))
            return;
        pragmas.broken = true;
        Diagnostics(preprocessor.getDiagnostics())
            .report(token.getLocation(), Problem::PragmaName,
                    {token.getIdentifierInfo()->getName()},
                    Fix::CreateReplacement(token.getLocation(), "xmpi"));
    }

  private:
    Pragmas &pragmas;
};

} // namespace

void installPragmaHandler(clang::Preprocessor &preprocessor, Pragmas &pragmas)
{
    auto position = std::make_shared<ParserPosition>();
    preprocessor.setTokenWatcher([position](const Token &token) { position->see(token); });
    preprocessor.AddPragmaHandler(new Handler(pragmas, position));
    preprocessor.AddPragmaHandler(new MisspeltHandler(pragmas));
}

} // namespace xmpi
