/* SPDX-License-Identifier: BSD-3-Clause
 * Writes a program around a function, and asks whether its loop is divisible. */
#include "linked/sums.h"
#include "analyse.h"
#include "parser.h"
#include "pragmas/bind.h"
#include "program.h"
#include "source/declarations.h"
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Tooling/Tooling.h>
#include <functional>
#include <llvm/ADT/SmallVector.h>

namespace xmpi
{

using namespace clang;

namespace
{

/* What is asked of a text that has been parsed. */
using Look = std::function<void(ASTContext &, Pragmas &)>;

class Reader : public ASTConsumer
{
  public:
    Reader(Pragmas &pragmas, const Look &look) : pragmas(pragmas), look(look)
    {
    }

    void HandleTranslationUnit(ASTContext &context) override
    {
        forgetAliases(context);
        if (!context.getDiagnostics().hasErrorOccurred() && !pragmas.broken)
            look(context, pragmas);
    }

  private:
    Pragmas &pragmas;
    const Look look;
};

class Reading : public ASTFrontendAction
{
  public:
    explicit Reading(const Look &look) : look(look)
    {
    }

    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                   llvm::StringRef) override
    {
        installPragmaHandler(compiler.getPreprocessor(), pragmas);
        return std::make_unique<Reader>(pragmas, look);
    }

  private:
    Pragmas pragmas;
    const Look look;
};

void read(const Part &part, const std::string &text, const Look &look)
{
    auto files = filesWith(part.path, text);
    IgnoringDiagConsumer nobody;
    tooling::ToolInvocation invocation(parserCommand(part.path, part.flags),
                                       std::make_unique<Reading>(look), files.get());
    invocation.setDiagnosticConsumer(&nobody);
    invocation.run();
}

/* -- the function */

/* Names of C, and MPI's; empty: of none that is a number. */
struct Value {
    std::string name, mpi;
    bool pointer = false, constant = false;
};

struct Signature {
    Value back;
    std::vector<Value> parameters;
};

std::string mpiName(BuiltinType::Kind kind)
{
    static const std::pair<BuiltinType::Kind, const char *> known[] = {
        {BuiltinType::Double, "MPI_DOUBLE"},
        {BuiltinType::Float, "MPI_FLOAT"},
        {BuiltinType::LongDouble, "MPI_LONG_DOUBLE"},
        {BuiltinType::Int, "MPI_INT"},
        {BuiltinType::UInt, "MPI_UNSIGNED"},
        {BuiltinType::Long, "MPI_LONG"},
        {BuiltinType::ULong, "MPI_UNSIGNED_LONG"},
        {BuiltinType::LongLong, "MPI_LONG_LONG"},
        {BuiltinType::ULongLong, "MPI_UNSIGNED_LONG_LONG"},
        {BuiltinType::Short, "MPI_SHORT"},
        {BuiltinType::Char_S, "MPI_CHAR"},
        {BuiltinType::SChar, "MPI_SIGNED_CHAR"},
        {BuiltinType::UChar, "MPI_UNSIGNED_CHAR"}};
    for (const auto &[one, name] : known)
        if (one == kind)
            return name;
    return "";
}

Value typeOf(const ASTContext &context, QualType type)
{
    Value result;
    result.pointer = type->isPointerType();
    if (result.pointer)
        type = type->getPointeeType();
    result.constant = type.isConstQualified();
    type = type.getCanonicalType().getUnqualifiedType();
    const auto *builtin = dyn_cast<BuiltinType>(type.getTypePtr());
    result.mpi = builtin != nullptr ? mpiName(builtin->getKind()) : "";
    if (!result.mpi.empty())
        result.name = type.getAsString(PrintingPolicy(context.getLangOpts()));
    return result;
}

/* Of the function NAME that the file defines, for others. */
bool findSignature(const ASTContext &context, const std::string &name, Signature &signature)
{
    for (const Decl *one : context.getTranslationUnitDecl()->decls()) {
        const auto *function = dyn_cast<FunctionDecl>(one);
        if (function == nullptr || !function->isThisDeclarationADefinition() ||
            !function->isExternallyVisible() || function->isWeak() || function->isVariadic() ||
            function->getNameAsString() != name)
            continue;
        signature.back = typeOf(context, function->getReturnType());
        for (const ParmVarDecl *parameter : function->parameters())
            signature.parameters.push_back(typeOf(context, parameter->getType()));
        return true;
    }
    return false;
}

/* -- the program around it */

bool isInteger(llvm::StringRef text, long long &value)
{
    value = 0;
    return text.empty() || !text.getAsInteger(10, value);
}

class Writer
{
  public:
    Writer(std::string name, const Signature &signature, llvm::StringRef mark)
        : name(std::move(name)), signature(signature)
    {
        mark.drop_front().drop_back().split(given, ':');
        operation = given.front().str();
        given.erase(given.begin());
    }

    /* Empty: it is not known what the function is given, or what it hands back is no number. */
    std::string write()
    {
        const Value &back = signature.back;
        good = operation != "MPI_" && given.size() == signature.parameters.size();
        for (size_t i = 0; i < given.size() && good; i++)
            give(i);
        if (!good || rows.empty() || back.name.empty() || back.pointer)
            return "";
        return begin + "    " + back.name + " xmpi_own = 0, xmpi_all;\n" +
               "#pragma xmpi loop\n    for (int xmpi_t = 0; xmpi_t < xmpi_n; xmpi_t++) {\n" +
               messages + "        xmpi_own = " + name + "(" + arguments +
               ");\n        MPI_Allreduce(&xmpi_own, &xmpi_all, 1, " + back.mpi + ", " + operation +
               ", MPI_COMM_WORLD);\n" + rows + "    }\n    MPI_Finalize();\n    return 0;\n}\n";
    }

  private:
    const std::string name;
    const Signature &signature;
    llvm::SmallVector<llvm::StringRef, 8> given;
    std::string operation;
    bool good = true;
    std::string arguments, messages, rows;
    std::string begin =
        "\n#undef main\n#include <mpi.h>\n#include <stdlib.h>\n"
        "int main(int argc, char **argv)\n{\n    int xmpi_rank, xmpi_size;\n"
        "    MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &xmpi_rank);\n"
        "    MPI_Comm_size(MPI_COMM_WORLD, &xmpi_size);\n    int xmpi_n = atoi(argv[1]);\n"
        "    int xmpi_first = (int)((long)xmpi_rank * xmpi_n / xmpi_size);\n"
        "    int xmpi_count = (int)((long)(xmpi_rank + 1) * xmpi_n / xmpi_size) - xmpi_first;\n"
        "    int xmpi_up = xmpi_rank + 1 < xmpi_size ? xmpi_rank + 1 : MPI_PROC_NULL;\n"
        "    int xmpi_down = xmpi_rank > 0 ? xmpi_rank - 1 : MPI_PROC_NULL;\n";

    void give(size_t at)
    {
        llvm::StringRef what = given[at];
        const Value &type = signature.parameters[at];
        long long number = 0;
        arguments += at > 0 ? ", " : "";
        if (what == "u")
            return giveSame(at);
        if (what.consume_front("r"))
            return giveRows(at, what);
        const bool count = what.consume_front("c");
        good = isInteger(what, number) && (count ? !type.pointer : !what.empty());
        arguments += count ? "xmpi_count" + plus(what) : what.str();
    }

    static std::string plus(llvm::StringRef number)
    {
        return number.empty() ? "" : " + " + number.str();
    }

    /* HOW: "halo,shift" */
    void giveRows(size_t at, llvm::StringRef how)
    {
        const Value &type = signature.parameters[at];
        const auto [halo, shift] = how.split(',');
        long long around = 0, beyond = 0;
        good = type.pointer && !type.name.empty() && isInteger(halo, around) &&
               isInteger(shift, beyond) && around >= 0;
        const std::string array = "xmpi_r" + std::to_string(at), h = std::to_string(around);
        begin += "    " + type.name + " *" + array + " = malloc((xmpi_count + 2 * " + h +
                 ") * sizeof *" + array +
                 ");\n    for (int xmpi_i = 0; xmpi_i < xmpi_count + 2 * " + h +
                 "; xmpi_i++)\n        " + array + "[xmpi_i] = xmpi_first + xmpi_i;\n";
        if (around > 0)
            exchange(array, type.mpi, h);
        rows += "        for (int xmpi_i = " + h + "; xmpi_i < xmpi_count + " + h +
                "; xmpi_i++)\n            " + array + "[xmpi_i] += xmpi_all;\n";
        arguments += array + plus(shift);
    }

    void exchange(const std::string &array, const std::string &type, const std::string &h)
    {
        const std::string rest = ", 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n",
                          many = "], " + h + ", " + type + ", ";
        messages += "        MPI_Sendrecv(&" + array + "[" + h + many + "xmpi_down, 0, &" + array +
                    "[xmpi_count + " + h + many + "xmpi_up" + rest;
        messages += "        MPI_Sendrecv(&" + array + "[xmpi_count" + many + "xmpi_up, 0, &" +
                    array + "[0" + many + "xmpi_down" + rest;
    }

    /* A number, or a table of some. (Who is given a place may leave there what nobody looks at.) */
    void giveSame(size_t at)
    {
        const Value &type = signature.parameters[at];
        const std::string one = "xmpi_u" + std::to_string(at);
        good = !type.name.empty() && (!type.pointer || type.constant);
        arguments += one;
        begin += "    " + type.name + " " + one;
        if (type.pointer)
            begin += "[64];\n    for (int xmpi_i = 0; xmpi_i < 64; xmpi_i++)\n        " + one +
                     "[xmpi_i]";
        begin += " = atof(argv[2]);\n";
    }
};

/* The loop of the text is divisible. What it believes of other functions goes into RELIES. */
bool isDivided(ASTContext &context, Pragmas &pragmas,
               std::vector<std::pair<std::string, std::string>> &relies)
{
    Diagnostics diagnostics(context.getDiagnostics());
    diagnostics.hold();
    const FixedArrays arrays(context);
    const StructMembers members(context);
    const Source source(context.getSourceManager(), context.getLangOpts(), members);
    const Divided divided = divideDeclarations(context, source);
    std::vector<Program> programs;
    RowFiles files;
    if (!bindPragmas(context, pragmas, diagnostics))
        return false;
    markAllNames(pragmas, divided);
    if (!analyse(context, arrays, members, source, pragmas, diagnostics, programs, files) ||
        programs.size() != 1 || !programs.front().loop.divided)
        return false;
    relies = programs.front().loop.before.relies;
    return true;
}

/* Functions of BLAS that add up what they are given, from Fortran or C. */
bool addsUp(llvm::StringRef name)
{
    name.consume_front("cblas_");
    name.consume_back("_");
    return name == "sdot" || name == "ddot" || name == "dsdot" || name == "sasum" ||
           name == "dasum" || name == "scasum" || name == "dzasum";
}

} // namespace

bool isSumMark(const std::string &mark)
{
    return mark.rfind("(MPI_", 0) == 0 && mark.find(':') != std::string::npos && mark.back() == ')';
}

/* Why what PART defines is not shown to be so, when it is called in a program AROUND it. */
std::string SumTeller::lookInto(const Part &part, const std::string &around)
{
    static const char no[] = " does not show that this is the same in each layout";
    bool shown = false;
    std::vector<std::pair<std::string, std::string>> relies;
    if (!part.apart.empty())
        return ", which has it, " + part.apart;
    if (!around.empty())
        read(part, "#define main xmpi_main\n" + part.text + around,
             [&](ASTContext &context, Pragmas &pragmas) {
                 shown = isDivided(context, pragmas, relies);
             });
    for (const auto &[where, record] : relies) {
        const auto [name, mark] = llvm::StringRef(record).split(' ');
        if (isSumMark(mark.str()) && shown)
            shown = why(name.str(), mark.str()).empty();
    }
    return shown ? "" : no;
}

std::string SumTeller::why(const std::string &name, const std::string &mark)
{
    const auto [known, first] = told.emplace(name + mark, "");
    if (!first)
        return known->second; /* or it is being looked at, as it calls itself */
    const std::string operation = mark.substr(1, mark.find(':') - 1);
    const std::string what = (operation == "MPI_" ? "is tested, and what comes of that put together"
                                                  : "is put together by " + operation) +
                             " over the processes, and ";
    std::string &answer = known->second;
    if (operation != "MPI_SUM" || !addsUp(name))
        answer = what + "its source is not known: compile it with xmpicc";
    for (const bool loops : {false, true}) /* those are seldom the ones */
        for (const Part &part : parts) {
            Signature signature;
            bool defined = false;
            if (part.loop != loops || part.text.find(name) == std::string::npos)
                continue;
            read(part, "", [&](ASTContext &context, Pragmas &) {
                defined = findSignature(context, name, signature);
            });
            if (!defined)
                continue;
            const std::string no = lookInto(part, Writer(name, signature, mark).write());
            return answer = no.empty() ? "" : what + part.name + no;
        }
    return answer;
}

} // namespace xmpi
