# Part of the generator of the wrappers: what they do with handles (runtime/act/handles). In a program
# that can move, the MPI is given its own handles for those that the program has, and the program
# others for those that the MPI makes; in all others `xmpi_handles.on` is false, and no table has
# entries.
#
# translate() fills texts: what is kept of the program's arguments, what stands before the call, behind
# it where it has been made, and behind it in any case.

BEGIN {
    agains = 0
    kind_of_type["MPI_Comm"] = "COMM"
    kind_of_type["MPI_Group"] = "GROUP"
    kind_of_type["MPI_Datatype"] = "TYPE"
    kind_of_type["MPI_Op"] = "OP"
    kind_of_type["MPI_Errhandler"] = "ERRHANDLER"
    kind_of_type["MPI_Info"] = "INFO"
    kind_of_type["MPI_Request"] = "REQUEST"
    pin_of_type["MPI_Win"] = "WINDOW"
    pin_of_type["MPI_File"] = "FILE"
    pin_of_type["MPI_Session"] = "SESSION"
    pin_of_type["MPI_Message"] = "MESSAGE"
    letter_of_type["MPI_Comm"] = "C"
    letter_of_type["MPI_Datatype"] = "T"
    letter_of_type["MPI_Op"] = "O"
}

function type_of(parameter) {
    sub(/^const /, "", parameter)
    sub(/ .*/, "", parameter)
    return parameter
}

function translate(name, parameter, n, is,    i, p, type, x) {
    saved = before = succeeded = behind = ""
    if (name ~ /^T_/)
        return
    if (name ~ /_init(_c)?$/)
        keep_all(parameter, n)
    if (is["dest"] && is["comm"])
        saved = saved "    if (xmpi_handles.on)\n        xmpi_sends_note(dest, comm);\n"
    for (i = 1; i <= n; i++) {
        p = parameter[i]
        type = type_of(p)
        x = name_of(p)
        if (p ~ /^int (comm_|type_|win_)?keyval$/)
            translate_keyval(name, x)
        else if (!(type in kind_of_type))
            pinned(name, p, type, x)
        else if (p ~ /\[\]$/) {
            if (type == "MPI_Request")
                requests(name, x, is["count"] ? "count" : "incount", is)
            else
                array(name, type, x)
        } else if (p ~ /\*/)
            pointer(name, type, x, is)
        else if (type != "MPI_Comm")
            before = before "    " x " = xmpi_real_" tolower(kind_of_type[type]) "(" x ");\n"
    }
    if (name == "Comm_set_info")
        saved = "    if (xmpi_handles.on)\n        xmpi_comm_hinted(comm);\n"
    if (name == "Register_datarep" || name == "Register_datarep_c")
        when_made("xmpi_pin_add(XMPI_PIN_DATAREP, 0, true, \"MPI_" name "\", XMPI_PLACE)")
}

function when_made(action) {
    succeeded = succeeded "    if (xmpi_handles.on && result == MPI_SUCCESS)\n        " action ";\n"
}

function translate_keyval(name, x) {
    if (name ~ /set_attr$|^Attr_put$/) {
        saved = saved "    const int program_keyval = " x ";\n"
        when_made("xmpi_attributes_set(program_keyval)")
    }
    before = before "    " x " = xmpi_real_keyval(" x ");\n"
}

# Windows, files, messages and sessions keep the MPI's handles: while there is one the program stays.
function pinned(name, p, type, x,    pin, value, alone) {
    if (!(type in pin_of_type) || p !~ /\*/)
        return
    pin = "XMPI_PIN_" pin_of_type[type]
    alone = name == "Session_init" ? "true" : "xmpi_comm_is_alone(comm)"
    value = type == "MPI_File" ? "(int64_t)(intptr_t)*" x : "*" x
    if (name ~ /^(Win_(create|create_c|create_dynamic|allocate|allocate_c|allocate_shared|allocate_shared_c)|File_open|Session_init)$/)
        when_made("xmpi_pin_add(" pin ", " value ", " alone ", \"MPI_" name "\", XMPI_PLACE)")
    else if (name ~ /^I?[Mm]probe$/) {
        succeeded = succeeded "    if (xmpi_handles.on && result == MPI_SUCCESS" (name == "Improbe" ? " && *flag" : "") \
                    " && *" x " != MPI_MESSAGE_NO_PROC)\n        xmpi_pin_add(" pin ", " value ", false, \"MPI_" name "\", XMPI_PLACE);\n"
    } else if (name ~ /^(Win_free|File_close|Session_finalize|I?[Mm]recv(_c)?)$/) {
        before = before "    const int64_t pinned = xmpi_handles.on && " x " != NULL ? " value " : 0;\n"
        when_made("xmpi_pin_drop(" pin ", pinned)")
    }
}

# How many there are: in calls with a type for each part, of a structure, or at the root.
function length_of(name, x) {
    if (name ~ /lltoallw/)
        return (x ~ /^send/ ? "sendbuf == MPI_IN_PLACE ? 0 : " : "") \
               "xmpi_parts(comm, " (name ~ /eighbor/ ? "true" : "false") ", " (x ~ /^send/ ? "true" : "false") ")"
    return name ~ /^Comm_spawn/ ? "xmpi_at_root(comm, root, count)" : "count"
}

function array(name, type, x) {
    if (type == "MPI_Datatype" && name ~ /get_contents/)
        return
    before = before "    int *own_" x ";\n    " x " = " (name == "Type_struct" ? "(MPI_Datatype *)" : "") \
             "xmpi_reals(XMPI_HANDLE_" kind_of_type[type] ", " length_of(name, x) ", " x ", &own_" x ");\n"
    behind = behind (name ~ /^(I.*lltoallw|.*lltoallw_init)(_c)?$/ ? "    if (result != MPI_SUCCESS)\n    " : "") "    free(own_" x ");\n"
}

function pointer(name, type, x, is,    kind, again) {
    kind = "XMPI_HANDLE_" kind_of_type[type]
    if (type == "MPI_Request" && name ~ /^(Wait|Test|Start|Cancel)$/)
        requests(name, x, "1", is)
    else if (type == "MPI_Request")
        new_request(name, x, is)
    else if (name ~ /_(free|disconnect)$/)
        taken(type, x, kind)
    else if (type == "MPI_Comm")
        new_comm(name, x, is)
    else {
        again = name ~ /[gG]et_errhandler$|^Errhandler_get$/ ? "_again" : ""
        when_made("xmpi_handle_given" again "(" kind ", " x ", \"MPI_" name "\", XMPI_PLACE)")
    }
}

# Of which communicator the members of a new one are; with other programs: of none.
function parent_of(name, x, is) {
    if (name ~ /^Comm_(accept|connect|get_parent|join|spawn|spawn_multiple)$/)
        return "MPI_COMM_NULL"
    if (is["peer_comm"])
        return "xmpi_derived_parent(local_comm, peer_comm)"
    if (is["comm_old"] || is["comm"])
        return is["comm_old"] ? "comm_old" : "comm"
    if (is["intercomm"] && x != "intercomm")
        return "intercomm"
    if (is["remote_group"])
        return "MPI_COMM_WORLD"
    if (!is["group"]) {
        print "MPI_" name ": of whom is the communicator that it makes?" >"/dev/stderr"
        exit 1
    }
    return "xmpi_handles.on ? MPI_COMM_NULL : xmpi_derived_parent_of(group)"
}

# What is made by all members of another one has the same name on all of them by itself.
function new_comm(name, x, is,    parent, hinted) {
    parent = parent_of(name, x, is)
    hinted = is["info"] ? "info != MPI_INFO_NULL" : "false"
    saved = saved "    const MPI_Comm parent_comm = " parent ";\n"
    succeeded = succeeded "    if (!xmpi_handles.on && result == MPI_SUCCESS)\n        xmpi_derived_made(parent_comm, " x ");\n"
    if (name ~ /^(Comm_(dup|dup_with_info|idup|idup_with_info|split|split_type|create)|Cart_create|Cart_sub|Graph_create|Dist_graph_create|Dist_graph_create_adjacent|Intercomm_merge)$/) {
        saved = saved "    const uint64_t child = xmpi_handles.on ? xmpi_comm_child(parent_comm) : 0;\n"
        when_made("xmpi_comm_given(" x ", parent_comm, child, " hinted ", \"MPI_" name "\", XMPI_PLACE)")
    } else
        when_made("xmpi_comm_given(" x ", MPI_COMM_NULL, 0, " hinted ", \"MPI_" name "\", XMPI_PLACE)")
}

function taken(type, x, kind) {
    before = before "    " type " real_" x " = " (type == "MPI_Comm" ? "MPI_COMM_NULL" : "0") ", *const program_" x " = " x ";\n" \
             "    if (xmpi_handles.on && " x " != NULL) {\n" \
             "        if (xmpi_handle_kept(" kind ", " x ", &real_" x "))\n            return MPI_SUCCESS;\n" \
             "        " x " = &real_" x ";\n    }" \
             (type == "MPI_Comm" ? " else if (xmpi_derived_left(" x "))\n        return MPI_SUCCESS;\n" : "\n")
    behind = behind "    if (xmpi_handles.on && program_" x " != NULL)\n" \
             "        xmpi_handle_left(" kind ", program_" x ", real_" x ");\n"
}

function requests(name, x, n, is,    done, indices) {
    before = before "    xmpi_taken_t taken;\n    " x " = xmpi_requests_take(&taken, " n ", " x ");\n"
    if (name ~ /^Start/) {
        behind = behind "    xmpi_requests_began(&taken, result == MPI_SUCCESS);\n"
        return
    }
    done = "XMPI_ALL_DONE"
    indices = "NULL"
    if (name ~ /^Test(all)?$/)
        done = "*flag ? XMPI_ALL_DONE : 0"
    else if (name ~ /^(Wait|Test)any$/) {
        done = name == "Testany" ? "*flag ? 1 : 0" : "1"
        indices = is["indx"] ? "indx" : "index"
    } else if (name ~ /some$/) {
        done = "*outcount"
        indices = "array_of_indices"
    } else if (name == "Cancel")
        done = "0"
    behind = behind "    xmpi_requests_back(&taken, " (done == "0" ? "0" : "result != MPI_SUCCESS ? 0 : " done) ", " indices ");\n"
}

# Persistent ones are made again, with the same arguments, when their communicator is another one.
function new_request(name, x, is,    own) {
    own = is["sendtypes"] ? "own_sendtypes, own_recvtypes" : "NULL, NULL"
    if (name !~ /_init(_c)?$/) {
        when_made("xmpi_request_given(" x ", " own ", \"MPI_" name "\", XMPI_PLACE)")
        return
    }
    saved = saved "    const int64_t word[] = {" words "};\n"
    when_made("xmpi_persistent_given(" x ", " own ", " agains++ ", word, XMPI_PLACE)")
    again_entries = again_entries "    {\"MPI_" name "\", \"" letters "\", " (name ~ /eighbor/ ? "true" : "false") ", again_" name "},\n"
    again_functions = again_functions "static int again_" name "(const int64_t *word, const MPI_Datatype *sent, " \
        "const MPI_Datatype *received, MPI_Request *request)\n{\n    (void)sent;\n    (void)received;\n" \
        "    return PMPI_" name "(" same_arguments "request);\n}\n\n"
}

# An argument as it is kept, and the kept one as the call takes it.
function keep(i, p, type, x,    points) {
    points = p ~ /\*|\[\]/
    words = words (i > 0 ? ", " : "") (points ? "(int64_t)(intptr_t)" x : x)
    letters = letters (points ? (type != "MPI_Datatype" ? "." : x ~ /^send/ ? "S" : "R") : \
                       type in letter_of_type ? letter_of_type[type] : ".")
    if (points && type == "MPI_Datatype")
        same_arguments = same_arguments (x ~ /^send/ ? "sent, " : "received, ")
    else if (type == "MPI_Info")
        same_arguments = same_arguments "MPI_INFO_NULL, "
    else
        same_arguments = same_arguments "(" cast(p, x) ")" (points ? "(intptr_t)" : "") "word[" i "], "
}

function cast(p, x) {
    if (sub(/ [a-z0-9_]+\[\]$/, "", p))
        return p " *"
    sub(x "$", "", p)
    return p
}

function keep_all(parameter, n,    i) {
    words = letters = same_arguments = ""
    for (i = 1; i < n; i++)
        keep(i - 1, parameter[i], type_of(parameter[i]), name_of(parameter[i]))
}

# Into a file of its own, AGAIN.
function write_again() {
    print "/* Generated from runtime/observe/mpi_calls.txt and the mpi.h of the MPI in use. */" >again
    print "#include \"act/handles/again.h\"\n" >again
    printf "%sconst xmpi_again_t xmpi_again[] = {\n%s};\n", again_functions, again_entries >again
}
