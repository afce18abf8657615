# Part of dist/check/run: the archives. Unpacked by a user in a root with neither Java, Maven nor git.
check_archive() {
    made "carillon-$version-linux-x64.tar.gz" && made "carillon-$version-any.tar.gz" || return
    archive=$out/carillon-$version-linux-x64.tar.gz
    [ "$(stat -c %s "$archive")" -le 150000000 ]
    judge $? "archive: $(megabytes "$archive") (at most 150), without a Java $(megabytes "$out/carillon-$version-any.tar.gz")"
    ! tar -tzf "$out/carillon-$version-any.tar.gz" | grep -q '/runtime/'
    judge $? "archive: the one for any system has no Java in it"
    needs mmdebstrap mmdebstrap sipp sip-tester ip iproute2 nsenter util-linux || return
    root_of archive '' || return
    ! inside "$root" rw 0:0 sh -c 'command -v java || command -v javac || command -v mvn || command -v git' >"$work/tools.txt"
    judge $? "archive: the root has neither java, javac, mvn nor git"
    printf 'someone:x:1000:1000::/home/someone:/bin/sh\n' >>"$root/etc/passwd"
    install -d -o 1000 -g 1000 "$root/home/someone"
    cp "$archive" "$root/home/someone/carillon.tar.gz"
    inside "$root" rw 1000:1000 sh -ec 'cd /home/someone; tar -xzf carillon.tar.gz' >"$work/unpack.txt" 2>&1
    judge $? "archive: unpacked by a user who is not root"
    program=/home/someone/carillon-$version

    serve "$work/archive-first.log" "$here/enter" "$root" rw 1000:1000 "$program/bin/carillon" run
    first=$ready
    at_most "$first" 10
    judge $? "archive: first READY after ${first:-no} s (at most 10; ${cpu:-no} s of the processor, load $(load))"
    [ -n "$first" ] || { end_server; return; }
    calls archive 1000 100
    calls_line 1000 100
    for command in "version" "status" "applications" "doctor" "check $program/examples/b2bua.war" "config check" "lab --help" \
        "load --plain --workload uas --target udp:127.0.0.1:5060 --rate 20 --calls 40 --max-failed 0"; do
        # shellcheck disable=SC2086 # words
        beside 1000:1000 "$program/bin/carillon" $command >"$work/archive-command.txt" 2>&1
        code=$?
        # The doctor has findings where a machine is not set up for calls, and a load says by 3 that it had too little of the processor.
        case "$command $code" in *' 0' | 'doctor 1' | 'load '*' 3') true ;; *) false ;; esac
        judge $? "archive: carillon ${command%% --*} ($code)"
    done
    # The cache is recorded behind the first start.
    recorded=no
    waited=$(now)
    while at_most "$(since "$waited")" 240; do
        [ -f "$root$program/var/start/server.aot" ] && { recorded=yes; break; }
        sleep 1
    done
    [ $recorded = yes ]
    judge $? "archive: the start cache was recorded $(since "$waited") s later, in the background"
    end_server
    at_most "$stopped" 10
    judge $? "archive: ended $stopped s after SIGTERM"
    serve "$work/archive-second.log" "$here/enter" "$root" rw 1000:1000 "$program/bin/carillon" run
    grep -q server.aot "/proc/$pid/maps" 2>/dev/null
    judge $? "archive: the second start has the start cache in its memory"
    at_most "$ready" "$first"
    judge $? "archive: second READY after ${ready:-no} s (the first: $first; ${cpu:-no} s of the processor, load $(load))"
    calls archive-second 500 100
    calls_line 500 100
    end_server
    example=$(now)
    : >"$work/archive-example.txt"
    ip netns exec "$network" "$here/enter" "$root" rw 1000:1000 "$program/bin/carillon" example rest-call-boot >"$work/archive-example.txt" 2>&1 &
    entered=$!
    servers="$servers $entered"
    while kill -0 $entered 2>/dev/null && at_most "$(since "$example")" 60 && ! grep -q 'Started .* in ' "$work/archive-example.txt"; do sleep 0.1; done
    grep -q 'Started .* in ' "$work/archive-example.txt"
    judge $? "archive: carillon example rest-call-boot, started after $(since "$example") s"
    kill_entered $entered
    wait $entered 2>/dev/null
    changed=$(find "$root$program" -path "$root$program/var" -prune -o ! -type d -newer "$work/unpack.txt" -print | head -n 5)
    [ -z "$changed" ]
    judge $? "archive: nothing but var was written $changed"
}
check_archive
