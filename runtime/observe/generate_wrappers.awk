# Usage: awk -f translate_handles.awk -f generate_wrappers.awk mpi_calls.txt PREPROCESSED_MPI_H
# Writes a C file with a PMPI wrapper for every call of the table and every other call that takes or
# gives a handle. Bodies only translate the world and handles, enter, call and leave; the logic is in
# monitor.c and act/handles.

FNR == NR {
    sub(/#.*/, "")
    if (NF >= 2)
        class_of[$1] = $2
    if (NF == 3)
        kind_of[$1] = $3
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
    if (class_constant(name) == "own")
        wrapped = wrapped "    \"MPI_" name "\",\n"
}

# The name that a parameter declares.
function name_of(parameter) {
    while (sub(/ *\[[^]]*\] *$/, "", parameter))
        ;
    sub(/^.*[ *]/, "", parameter)
    return parameter
}

# The name in the table: large-count variants are not there.
function base_of(name) {
    if (!(name in class_of))
        sub(/_c$/, "", name)
    return name
}

function class_constant(name,    base) {
    base = base_of(name)
    return base in class_of ? class_of[base] : "none"
}

# The requests that a call of the class wait completes, and their number before them; empty: it has
# none.
function completes(is) {
    if (is["array_of_requests"])
        return (is["incount"] ? "incount" : "count") ", array_of_requests"
    return is["request"] ? "1, request" : ""
}

# The size of the communicator matters to collectives only.
function members_of(class, kind) {
    return kind ~ /^(send|recv|sendrecv|wait|file|neighbor)$/ ? "0" : "xmpi_monitor_members(comm)"
}

function bytes_of_parts(is, buffer, prefix,    type) {
    type = is[prefix "type"] ? prefix "type" : "datatype"
    if (is[prefix "counts"])
        return "xmpi_monitor_bytes_of_parts(" buffer ", " prefix "counts, sizeof *" prefix "counts, " \
               type ", comm)"
    return "xmpi_monitor_bytes_of_equal_parts(" buffer ", " prefix "count, " type ", comm)"
}

# What a member gives of its own where it is in the receive buffer already (MPI_IN_PLACE).
function bytes_in_place(is) {
    if (is["recvcounts"])
        return "xmpi_monitor_bytes_of_own(recvcounts, sizeof *recvcounts, recvtype, comm)"
    return is["recvcount"] ? "xmpi_monitor_bytes(recvbuf, recvcount, recvtype)" : "0"
}

# Bytes that the call moves, where its arguments tell on every member: the send arguments of a scatter
# are read at the root only.
function bytes_of(name, is) {
    if (name ~ /^I?[Aa]lltoallv?(_c)?$/)
        return "sendbuf == MPI_IN_PLACE ? " bytes_of_parts(is, "NULL", "recv") " : " \
               bytes_of_parts(is, "sendbuf", "send")
    if (name ~ /^I?[Rr]educe_scatter(_block)?(_c)?$/)
        return bytes_of_parts(is, "NULL", "recv")
    if (name ~ /^I?([Aa]llg|[Gg])atherv?(_c)?$/)
        return "sendbuf == MPI_IN_PLACE ? " bytes_in_place(is) \
               " : xmpi_monitor_bytes(sendbuf, sendcount, sendtype)"
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

# The non-blocking operation is what carries it out where it is one, or members wait asleep; but a
# reduction is made by the blocking one then.
function posted_of(name, class, kind) {
    if (class != "collective")
        return "true"
    return kind ~ /^(reduce|allreduce|reduce_scatter|scan)$/ ? "false" : "xmpi_wait_sleeps()"
}

function parts_of(prefix, types, op) {
    return prefix "counts, sizeof *" prefix "counts, " (types ? "MPI_DATATYPE_NULL, " prefix "types" : \
           (op == "MPI_OP_NULL" ? prefix "type" : "datatype") ", NULL") ", " op
}

# What tells whom the call sends how much (observe/peers/peers.h), from what has class and kind; BYTES is
# what it moves. Empty: it sends nothing, or nobody knows.
function sends(name, kind, posted, is, bytes,    base, how, root, prefix) {
    base = tolower(name)
    sub(/_c$/, "", base)
    root = is["root"] ? "root" : "0"
    how = "XMPI_KIND_" toupper(kind) ", " posted ", " root ", "
    if (is["dest"])
        return "xmpi_peers_sent(dest, " (is["partitions"] ? "partitions * " : "") bytes ", comm)"
    if (base ~ /neighbor/) {
        if (is["sendcounts"])
            return "xmpi_peers_neighbours(0, sendcounts, sizeof *sendcounts, " \
                   (is["sendtypes"] ? "MPI_DATATYPE_NULL, sendtypes" : "sendtype, NULL") ", comm)"
        return "xmpi_peers_neighbours(" bytes ", NULL, 0, MPI_DATATYPE_NULL, NULL, comm)"
    }
    if (base ~ /alltoall[vw]/) {
        how = how (is["sendtypes"] ? "sendbuf == MPI_IN_PLACE ? (const void *)recvcounts : sendcounts, sizeof *sendcounts, " \
                   "MPI_DATATYPE_NULL, sendbuf == MPI_IN_PLACE ? recvtypes : sendtypes" : \
                   "sendbuf == MPI_IN_PLACE ? (const void *)recvcounts : sendcounts, sizeof *sendcounts, " \
                   "sendbuf == MPI_IN_PLACE ? recvtype : sendtype, NULL")
        return "xmpi_peers_parts(" how ", MPI_OP_NULL, comm)"
    }
    if (base ~ /alltoall/)
        return "xmpi_peers_moved(sendbuf == MPI_IN_PLACE ? XMPI_KIND_ALLTOALLV : XMPI_KIND_ALLTOALL, " posted ", 0, " \
               "sendbuf == MPI_IN_PLACE ? xmpi_monitor_bytes(NULL, recvcount, recvtype) : " \
               "xmpi_monitor_bytes(NULL, sendcount, sendtype), comm)"
    if (base ~ /allgatherv/)
        return "xmpi_peers_parts(" how parts_of("recv", 0, "MPI_OP_NULL") ", comm)"
    if (base ~ /scatterv/)
        return "xmpi_peers_parts(" how parts_of("send", 0, "MPI_OP_NULL") ", comm)"
    if (base ~ /reduce_scatter_block/)
        return "xmpi_peers_reduced(" how "xmpi_monitor_bytes(NULL, recvcount, datatype), recvcount, op, comm)"
    if (base ~ /reduce_scatter/)
        return "xmpi_peers_parts(" how parts_of("recv", 0, "op") ", comm)"
    if (base ~ /reduce|scan/)
        return "xmpi_peers_reduced(" how bytes ", count, op, comm)"
    if (base ~ /scatter/) # the root has nothing to receive where it is in place
        return "xmpi_peers_moved(" how "recvbuf == MPI_IN_PLACE ? xmpi_monitor_bytes(NULL, sendcount, sendtype) : " \
               bytes ", comm)"
    if (base ~ /bcast|gather|barrier/)
        return "xmpi_peers_moved(" how bytes ", comm)"
    return ""
}

# The same of what a persistent request will send.
function prepares(name, is,    base, kind, statement) {
    base = name
    if (!sub(/_init(_c)?$/, "", base) || !is["request"])
        return ""
    kind = base == "Psend" ? "send" : base == "Precv" ? "recv" : kind_of[base]
    statement = kind == "" ? "" : sends(base, kind, "true", is, bytes_of(base, is))
    return "    if (result == MPI_SUCCESS && xmpi_peers_prepare(xmpi_monitor_watches()))\n        " \
           (statement == "" ? "(void)0" : statement) ";\n"
}

# A message of a pipeline (observe/tiles.h): one that was waited for, or one that was sent.
function tiled(class, kind, is) {
    if (class == "p2p" && kind == "recv" && is["source"])
        return "        xmpi_monitor_received(source, comm);\n"
    if (class ~ /^(p2p|post)$/ && kind == "send" && is["dest"])
        return "        xmpi_monitor_sent(dest, comm);\n"
    return ""
}

function world_of(comm, name, class) {
    if (class == "local")
        return sprintf("    %s = xmpi_world_local(%s);\n", comm, comm)
    return sprintf("    %s = xmpi_world_of(%s, \"MPI_%s\");\n", comm, comm, name)
}

# Where the call has failed its arguments may be anything, and in the group of the root of an
# intercommunicator (where the root is MPI_ROOT or MPI_PROC_NULL) some mean nothing.
function told(expression, is) {
    if (expression == "0")
        return "0"
    return "result != MPI_SUCCESS" (is["root"] ? " || root < 0" : "") " ? 0 : " expression
}

# What stands before the blocking call: the same asleep (observe/wait.h), and "else"; or nothing. Data
# are moved by the non-blocking call; reductions are made by the blocking one once all are there, as
# the order in which they add up may be another in the non-blocking one. With MPI_PROC_NULL there is
# nothing to wait for.
function asleep(name, arguments, is,    base, suffix, status, sleeps) {
    base = name
    suffix = sub(/_c$/, "", base) ? "_c" : ""
    sleeps = "    if (xmpi_wait_sleeps()" (base ~ /ecv$/ ? " && source != MPI_PROC_NULL" : "") \
             (completes(is) == "" ? "" : " && opaque.n == 0") ")"
    if (base ~ /^(All)?[Rr]educe(_scatter(_block)?)?$|^(Ex)?[Ss]can$/)
        return sleeps "\n        result = xmpi_wait_reduction(" aliased(is) ", datatype, op, " \
               (is["root"] ? "root, true" : "0, false") ", comm);\n    if (result == MPI_SUCCESS)\n"
    if (base in waits_by)
        return sleeps "\n        result = " waits_by[base] "(" arguments ");\n    else\n"
    if (base == "Sendrecv")
        return asleep_sendrecv(suffix, sleeps)
    status = "MPI_STATUS_IGNORE"
    if (base == "Recv" && sub(/, status$/, "", arguments))
        status = "status"
    else if (base !~ /^[SR]?[Ss]end$/ && !(class_of[base] == "collective"))
        return ""
    return sleeps " {\n        MPI_Request request;\n" \
           "        result = PMPI_I" tolower(substr(name, 1, 1)) substr(name, 2) "(" arguments ", &request);\n" \
           "        if (result == MPI_SUCCESS)\n" \
           "            result = xmpi_wait_request(&request, " status ");\n    } else\n"
}

function aliased(is) {
    return is["count"] ? "sendbuf == recvbuf && count != 0" : "sendbuf == recvbuf"
}

# Both are made before one is started: a call that fails must not have taken a message.
function asleep_sendrecv(suffix, sleeps) {
    return sleeps " {\n        MPI_Request request[2];\n" \
           "        result = PMPI_Recv_init" suffix "(recvbuf, recvcount, recvtype, source, recvtag, comm, &request[0]);\n" \
           "        if (result == MPI_SUCCESS) {\n" \
           "            result = PMPI_Send_init" suffix "(sendbuf, sendcount, sendtype, dest, sendtag, comm, &request[1]);\n" \
           "            if (result == MPI_SUCCESS)\n" \
           "                result = xmpi_wait_sendrecv(request, status);\n" \
           "            PMPI_Request_free(&request[0]);\n        }\n    } else\n"
}

# What it makes that is there later is known to the runtime: persistent
# requests, windows, files, connections to other programs, and requests for which the MPI itself has to wait.
# (LAST is the last of its parameters.)
function after(name, is) {
    if (name ~ /_init(_c)?$/ && is["request"])
        return "xmpi_handles.on ? (void)0 : xmpi_requests_made(request, " (name ~ /(end|recv|Recv)_init/ ? "false" : "true") ")"
    if (is["win"] && name ~ /^Win_(create|allocate)/)
        return "xmpi_windows_made()"
    if (name == "Win_free")
        return "xmpi_windows_freed()"
    if (name == "File_open")
        return "xmpi_files_opened(*" last ")"
    if (name == "File_close")
        return "xmpi_files_closed(closing)"
    if (is["request"] && name ~ /^(File_i|Grequest_start)/)
        return "xmpi_opaque_made(*request, " (name ~ /^File_i/ ? "true" : "false") ")"
    if (name ~ /^Comm_(accept|connect|get_parent|join|spawn|spawn_multiple)$/)
        return "xmpi_world_connected(*" (is["parent"] ? "parent" : is["newcomm"] ? "newcomm" : "intercomm") \
               ", \"MPI_" name "\")"
    return ""
}

function plain(name, arguments, is,    then, prepared) {
    then = after(name, is)
    prepared = prepares(name, is)
    if (then == "" && succeeded == "" && behind == "")
        return sprintf("    return PMPI_%s(%s);\n", name, arguments)
    return sprintf("    int result = PMPI_%s(%s);\n", name, arguments) \
           (then == "" ? "" : "    if (result == MPI_SUCCESS)\n        " then ";\n") prepared succeeded behind \
           (prepared == "" ? "" : "    if (result == MPI_SUCCESS)\n        xmpi_peers_prepared(*request);\n") \
           "    return result;\n"
}

function wrap(name, list,    n, i, parameter, arguments, worlds, class, kind, is, sent, started, completed, then) {
    class = class_constant(name)
    n = split(list, parameter, /, */)
    if (class == "own" || list ~ /\.\.\./ || name ~ /^Type_create_f90/) # which an MPI without Fortran has not
        return
    for (i = 1; i <= n; i++) {
        sub(/^ /, "", parameter[i])
        is[name_of(parameter[i])] = 1
        arguments = arguments (i > 1 ? ", " : "") name_of(parameter[i])
        if (parameter[i] ~ /^MPI_Comm [a-z0-9_]+$/)
            worlds = worlds world_of(name_of(parameter[i]), name, class)
    }
    translate(name, parameter, n, is)
    last = name_of(parameter[n])
    if (name == "File_close")
        before = before "    const MPI_File closing = " last " == NULL ? MPI_FILE_NULL : *" last ";\n"
    if (worlds == "" && before == "" && succeeded == "" && class ~ /none|local/ && after(name, is) == "")
        return
    wrapped = wrapped "    \"MPI_" name "\",\n"
    started = name ~ /^Start(all)?$/ ? (is["count"] ? "array_of_requests" : "request") : ""
    printf "XMPI_EXPORT int MPI_%s(%s)\n{\n%s%s%s%s", name, list, saved, \
           (started == "" ? "" : "    const MPI_Request *started = " started ";\n"), worlds, before
    if (class ~ /none|local/) {
        printf "%s}\n\n", plain(name, arguments, is)
        return
    }
    if (name ~ /^Start(all)?$/)
        printf "    xmpi_requests_started(%s, \"MPI_%s\");\n", (is["count"] ? "count, array_of_requests" : "1, request"), name
    printf "    xmpi_call_t call = xmpi_monitor_enter();\n"
    printf "    int result = MPI_SUCCESS;\n"
    completed = class == "wait" ? completes(is) : ""
    if (completed != "")
        printf "    xmpi_opaque_t opaque = xmpi_opaque_take(%s);\n", completed
    printf "%s", asleep(name, arguments, is)
    printf "        result = PMPI_%s(%s);\n", name, arguments
    kind = kind_of[base_of(name)]
    sent = started == "" ? sends(name, kind, posted_of(name, class, kind), is, "bytes") : \
           "xmpi_peers_started(" (is["count"] ? "count" : "1") ", started)"
    printf "    if (call.counted) {\n        int64_t bytes = %s;\n", told(bytes_of(name, is), is)
    printf "        xmpi_monitor_leave(call, %sXMPI_CLASS_%s, %sXMPI_KIND_%s, %s, bytes);\n", \
           (completed == "" ? "" : "opaque.files ? XMPI_CLASS_IO : "), toupper(class), \
           (completed == "" ? "" : "opaque.files ? XMPI_KIND_FILE : "), toupper(kind), told(members_of(class, kind), is)
    printf "%s", tiled(class, kind, is)
    if (sent != "")
        printf "        if (result == MPI_SUCCESS%s)\n            %s;\n", (is["root"] ? " && root >= 0" : ""), sent
    printf "    }\n"
    if (completed != "")
        printf "    xmpi_opaque_keep(%s, &opaque);\n", completed
    then = after(name, is)
    if (then != "")
        printf "    if (result == MPI_SUCCESS)\n        %s;\n", then
    printf "%s%s    return result;\n}\n\n", succeeded, behind
}

END {
    printf "const char *const xmpi_wrapped_calls[] = {\n%s    NULL,\n};\n\n", wrapped
    write_again()
}

BEGIN {
    waits_by["Wait"] = "xmpi_wait_request"
    waits_by["Waitall"] = "xmpi_wait_all"
    waits_by["Waitany"] = "xmpi_wait_any"
    waits_by["Waitsome"] = "xmpi_wait_some"
    waits_by["Probe"] = "xmpi_wait_probe"
    waits_by["Mprobe"] = "xmpi_wait_mprobe"
    print "/* Generated from runtime/observe/mpi_calls.txt and the mpi.h of the MPI in use. */"
    print "#include <mpi.h>"
    print "#include <stdlib.h>\n"
    print "#include \"act/handles/attributes.h\""
    print "#include \"act/handles/sends.h\""
    print "#include \"act/handles/table/wrap.h\""
    print "#include \"act/world/derived.h\""
    print "#include \"act/world/files.h\""
    print "#include \"act/world/requests.h\""
    print "#include \"act/world/windows.h\""
    print "#include \"act/world/world.h\""
    print "#include \"observe/monitor.h\""
    print "#include \"observe/opaque.h\""
    print "#include \"observe/peers/peers.h\""
    print "#include \"observe/wrapped.h\""
    print "#include \"observe/wait.h\""
    print "#include \"base/export.h\"\n"
}
