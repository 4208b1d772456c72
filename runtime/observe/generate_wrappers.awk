# Usage: awk -f generate_wrappers.awk mpi_calls.txt PREPROCESSED_MPI_H
# Writes a C file with a PMPI wrapper for every call of the table and every other call that takes a
# communicator. Bodies only translate the world, enter, call and leave; the logic is in monitor.c.

FNR == NR {
    sub(/#.*/, "")
    if (NF == 2)
        class_of[$1] = $2
    next
}

# Prototypes may run over several lines.
/^int MPI_[A-Za-z0-9_]+\(/ { collecting = 1; text = "" }
collecting {
    text = text " " $0
    if ($0 ~ /;/) {
        collecting = 0
        prototype(text)
    }
}

function prototype(text,    name, list, depth, i, c) {
    sub(/^ *int MPI_/, "", text)
    name = text
    sub(/\(.*/, "", name)
    # The parameter list ends where its parenthesis closes; attributes follow.
    list = ""
    depth = 0
    for (i = index(text, "("); i <= length(text); i++) {
        c = substr(text, i, 1)
        depth += (c == "(") - (c == ")")
        if (depth == 0)
            break
        list = list c
    }
    list = substr(list, 2)
    gsub(/[ \t]+/, " ", list)
    if (!(name in seen))
        wrap(name, list)
    seen[name] = 1
}

# The name that a parameter declares.
function name_of(parameter) {
    while (sub(/ *\[[^]]*\] *$/, "", parameter))
        ;
    sub(/^.*[ *]/, "", parameter)
    return parameter
}

function class_constant(name,    base) {
    base = name
    if (!(base in class_of))
        sub(/_c$/, "", base)
    return base in class_of ? class_of[base] : "none"
}

# Bytes that the call moves, where its arguments tell on every member: the send arguments of a scatter
# are read at the root only.
function bytes_of(name, is) {
    if (is["root"] && is["sendcount"] && is["recvtype"] && name ~ /catter/)
        return "xmpi_monitor_bytes(recvbuf, recvcount, recvtype)"
    if (is["sendcount"] && is["sendtype"])
        return "xmpi_monitor_bytes(sendbuf, sendcount, sendtype)"
    if (is["buf"] && is["count"] && is["datatype"])
        return "xmpi_monitor_bytes(buf, count, datatype)"
    if (is["count"] && is["datatype"])
        return "xmpi_monitor_bytes(NULL, count, datatype)"
    return "0"
}

function world_of(comm, name, class) {
    if (class == "local")
        return sprintf("    %s = xmpi_world_local(%s);\n", comm, comm)
    return sprintf("    %s = xmpi_world_of(%s, \"MPI_%s\");\n", comm, comm, name)
}

function wrap(name, list,    n, i, parameter, arguments, worlds, class, is) {
    class = class_constant(name)
    n = split(list, parameter, /, */)
    if (class == "own" || list ~ /\.\.\./)
        return
    for (i = 1; i <= n; i++) {
        sub(/^ /, "", parameter[i])
        is[name_of(parameter[i])] = 1
        arguments = arguments (i > 1 ? ", " : "") name_of(parameter[i])
        if (parameter[i] ~ /^MPI_Comm [a-z0-9_]+$/)
            worlds = worlds world_of(name_of(parameter[i]), name, class)
    }
    if (worlds == "" && class ~ /none|local/)
        return
    printf "XMPI_EXPORT int MPI_%s(%s)\n{\n%s", name, list, worlds
    if (class ~ /none|local/) {
        printf "    return PMPI_%s(%s);\n}\n\n", name, arguments
        return
    }
    printf "    xmpi_call_t call = xmpi_monitor_enter();\n"
    printf "    int result = PMPI_%s(%s);\n", name, arguments
    printf "    if (call.counted)\n"
    printf "        xmpi_monitor_leave(call, XMPI_CLASS_%s, %s);\n", toupper(class), bytes_of(name, is)
    printf "    return result;\n}\n\n"
}

BEGIN {
    print "/* Generated from runtime/observe/mpi_calls.txt and the mpi.h of the MPI in use. */"
    print "#include <mpi.h>\n"
    print "#include \"act/world.h\""
    print "#include \"observe/monitor.h\""
    print "#include \"export.h\"\n"
}
