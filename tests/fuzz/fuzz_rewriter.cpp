/* SPDX-License-Identifier: BSD-3-Clause
 * libFuzzer's target: the whole rewriter on any text. It may refuse, but not crash or hang. What it
 * accepts, it must accept again with the same result; and where that is C, so is the text for
 * people.
 *
 * The headers are small ones of our own, so that an input costs a millisecond. */
#define main rewriter_main
#include "../../rewriter/main.cpp"
#undef main
#include <clang/Frontend/FrontendActions.h>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace
{

/* One folder for each process: several fuzz at once. */
struct Folder {
    std::string path;

    Folder()
    {
        char name[] = "/tmp/xmpi-fuzz.XXXXXX";
        path = mkdtemp(name) ? name : ".";
    }

    ~Folder()
    {
        for (const char *file : {"/input.c", "/out.c", "/report.json"})
            unlink((path + file).c_str());
        rmdir(path.c_str());
    }
};

void put(const std::string &path, const uint8_t *data, size_t size)
{
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char *>(data), static_cast<std::streamsize>(size));
}

std::string get(const std::string &path)
{
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

/* clang 19 itself crashes on a broken _Pragma in the line of an #include. */
bool breaksClang(llvm::StringRef text)
{
    while (!text.empty()) {
        auto [line, rest] = text.split('\n');
        size_t include = line.find("include");
        if (include != llvm::StringRef::npos && line.substr(include).contains("_Pragma"))
            return true;
        text = rest;
    }
    return false;
}

/* TEXT is C as far as clang sees. */
bool compiles(const std::string &text)
{
    clang::IgnoringDiagConsumer silent;
    std::vector<std::string> command = {"cc",
                                        "-fsyntax-only",
                                        "-w",
                                        "-std=gnu17",
                                        "-nostdinc",
                                        "-resource-dir",
                                        XMPI_RESOURCE_DIR,
                                        "-I",
                                        FUZZ_INCLUDE,
                                        "-I",
                                        FUZZ_INCLUDE "/../../../runtime/include",
                                        "-fbracket-depth=70",
                                        "text.c"};
    llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> own(new llvm::vfs::InMemoryFileSystem);
    own->addFile("text.c", 0, llvm::MemoryBuffer::getMemBufferCopy(text));
    llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> all(
        new llvm::vfs::OverlayFileSystem(llvm::vfs::getRealFileSystem()));
    all->pushOverlay(own);
    llvm::IntrusiveRefCntPtr<clang::FileManager> files(
        new clang::FileManager(clang::FileSystemOptions(), all));
    clang::tooling::ToolInvocation invocation(command, std::make_unique<clang::SyntaxOnlyAction>(),
                                              files.get());
    invocation.setDiagnosticConsumer(&silent);
    return invocation.run();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const Folder folder;
    Options options;
    options.source = folder.path + "/input.c";
    options.output = folder.path + "/out.c";
    options.name = "input.c";
    options.remarks = true;
    options.reportFile = folder.path + "/report.json";
    options.flags = {"-std=gnu17", "-nostdinc",       "-I",
                     FUZZ_INCLUDE, "-ferror-limit=5", "-fbracket-depth=64"};
    if (breaksClang(llvm::StringRef(reinterpret_cast<const char *>(data), size)))
        return -1;
    put(options.source, data, size);
    if (rewrite(options) != 0)
        return 0;
    std::string first = get(options.output), report = get(options.reportFile);
    if (rewrite(options) != 0 || get(options.output) != first || get(options.reportFile) != report)
        abort();
    options.readable = true;
    if (rewrite(options) != 0 || (compiles(first) && !compiles(get(options.output))))
        abort();
    return 0;
}
