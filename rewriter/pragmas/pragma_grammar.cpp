/* SPDX-License-Identifier: BSD-3-Clause
 * The grammar of `#pragma xmpi`. */
#include "pragmas/pragma_grammar.h"
#include "pragmas/policy_clause.h"
#include "report/words.h"
#include <clang/Lex/Lexer.h>
#include <set>

namespace xmpi
{

using clang::Token;
namespace tok = clang::tok;

namespace
{

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
        return diagnostics.report(token.getLocation(), Problem::ClauseSyntax, {what});
    }

    /* Two things of a list that follow one another: what is missing is between them. */
    bool expectedInList()
    {
        return expected(word().empty() ? "',' or ')'" : "',' before '" + word() + "'");
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
        return diagnostics.report(
            token.getLocation(), Problem::UnknownDirective, {preprocessor.getSpelling(token)},
            nearest(std::set<std::string>{"domain", "data", "initial", "setup", "loop"}));
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
            if (name == "restore" || name == "divisible") {
                (name == "restore" ? pragma.restore : pragma.divisible) = true;
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
             {{"distributed", "replicated", "owned", "halo", "csr", "outofcore", "file"},
              "its clauses are distributed(...), replicated(...), halo(u[n]: 1), csr(ia, ja, a: "
              "n), outofcore(...) and file(double fd[n])"}},
            {Directive::Initial, {{}, "it takes no clauses"}},
            {Directive::Setup, {{}, "it takes no clauses"}},
            {Directive::Loop,
             {{"interval", "iterations", "policy", "weight", "restore", "divisible"},
              "its clauses are interval(k), iterations(n), policy(name, ...), weight(w), restore "
              "and divisible; movable stands alone, state(...) comes first"}}};
        const auto &[names, help] = clauses.at(pragma.directive);
        if (names.count(name) == 0)
            return diagnostics.report(token.getLocation(), Problem::UnknownClause,
                                      {name, spelling(pragma.directive), help}, nearest(names));
        if (!seen.insert(name).second && pragma.directive != Directive::Data)
            return diagnostics.report(token.getLocation(), Problem::DuplicateClause, {name});
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
            return expectedInList();
        next();
        unsigned wanted = name == "range" ? 2 : 1;
        if (pragma.directive == Directive::Data || count == wanted)
            return true;
        return diagnostics.report(where, Problem::ClauseSyntax,
                                  {name == "range" ? "two variables: range(count, displ)"
                                                   : "one expression: " + name + "(n)"});
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
        next();
        if (!isOneOf(policyNames, word()))
            return expected("a policy: " + listed(policyNames, " or "));
        pragma.policy = word();
        for (next(); token.is(tok::comma);) {
            next();
            std::string setting = word();
            if (!isOneOf(policySettings, setting))
                return expected("a setting: " + listed(policySettings, " or ", "", "(...)"));
            if (!readValue(setting))
                return false;
        }
        if (token.isNot(tok::r_paren))
            return expectedInList();
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
        preprocessor.Lex(token);
        return readMembers(variable);
    }

    /* Behind the first word. */
    bool readMembers(Operand &variable)
    {
        for (; token.isOneOf(tok::period, tok::arrow); preprocessor.Lex(token)) {
            variable.tokens.push_back(token);
            preprocessor.Lex(token);
            if (token.isNot(tok::identifier))
                return expected("the name of a member");
            variable.tokens.push_back(token);
        }
        setText(variable);
        return true;
    }

    Token punctuation(tok::TokenKind kind, clang::SourceLocation where) const
    {
        Token made;
        made.startToken();
        made.setKind(kind);
        made.setLocation(where);
        return made;
    }

    /* At the type of what is in a file, as in "struct cell p->fd[n]": leaves behind the name. */
    bool readFile(ArrayOperand &array)
    {
        std::vector<Token> words;
        for (; token.getIdentifierInfo() != nullptr; preprocessor.Lex(token))
            words.push_back(token);
        if (words.size() < 2 || words.back().isNot(tok::identifier))
            return expected("the type of the elements and the variable with the file, as in "
                            "file(double fd[n])");
        Operand element;
        element.tokens.assign(words.begin(), words.end() - 1);
        element.where = element.tokens.front().getLocation();
        setText(element);
        clang::SourceLocation last = element.tokens.back().getLocation();
        element.tokens.insert(element.tokens.begin(), {punctuation(tok::kw_sizeof, element.where),
                                                       punctuation(tok::l_paren, element.where)});
        element.tokens.push_back(punctuation(tok::r_paren, last));
        array.element.push_back(std::move(element));
        array.variable.where = words.back().getLocation();
        array.variable.tokens.push_back(words.back());
        return readMembers(array.variable);
    }

    bool readVariable(ArrayOperand &array)
    {
        array.variable.where = token.getLocation();
        if (token.isNot(tok::identifier))
            return expected("the name of a pointer variable");
        return readName(array.variable);
    }

    bool readArray(const std::string &clause)
    {
        ArrayOperand array;
        array.scheme = clause == "replicated" ? Scheme::Replicated
                       : clause == "owned"    ? Scheme::Owned
                                              : Scheme::Distributed;
        if (clause == "file" ? !readFile(array) : !readVariable(array))
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
        array.outOfCore = clause == "outofcore";
        bool may = array.outOfCore || clause == "file";
        bool ghosts = clause == "halo" || (may && token.is(tok::colon));
        if (ghosts && !readHalo(array))
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
            return missing("a 'distributed', 'replicated', 'owned', 'halo', 'csr', 'outofcore' or "
                           "'file' clause",
                           "data distributed(A[rows][columns]) replicated(x[n])");
        return true;
    }

    bool missing(llvm::StringRef what, llvm::StringRef form)
    {
        return diagnostics.report(pragma.hash, Problem::MissingClause,
                                  {spelling(pragma.directive), what, form});
    }
};
} // namespace

bool readPragma(clang::Preprocessor &preprocessor, Pragma &pragma, bool allowed)
{
    Grammar grammar(preprocessor, pragma);
    bool good = allowed && grammar.read();
    grammar.skipRest();
    return good;
}

} // namespace xmpi
