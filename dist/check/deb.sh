# Part of dist/check/run: the Debian package, in a root with systemd's files, where systemd does not run. What the unit says is done by
# hand: its user, its folders, its capabilities, a root that cannot be written, and the socket of sd_notify.
check_deb() {
    deb=carillon_${debian_version}_amd64.deb
    made "$deb" || return
    needs lintian lintian dpkg-deb dpkg || return
    lintian --allow-root --fail-on error,warning "$out/$deb" >"$work/lintian.txt" 2>&1
    judge $? "deb: lintian is content ($(grep -c '^[EW]:' "$work/lintian.txt") errors and warnings)"
    needs mmdebstrap mmdebstrap sipp sip-tester ip iproute2 nsenter util-linux python3 python3 || return
    root_of deb adduser,systemd || return
    cp "$out/$deb" "$root/carillon.deb"
    inside "$root" rw 0:0 dpkg -i /carillon.deb >"$work/dpkg.txt" 2>&1
    judge $? "deb: dpkg -i"
    uid=$(awk -F: '$1 == "carillon" { print $3 }' "$root/etc/passwd")
    gid=$(awk -F: '$1 == "carillon" { print $4 }' "$root/etc/passwd")
    [ "${uid:-0}" != 0 ]
    judge $? "deb: a user of its own, uid ${uid:-none}"
    [ -n "$uid" ] || return
    inside "$root" rw 0:0 systemd-analyze verify --man=no carillon.service carillon-router.service carillon-witness.service >"$work/verify.txt" 2>&1
    code=$?
    lines=$(grep -c 'carillon' "$work/verify.txt")
    [ $code -eq 0 ] && [ "$lines" -eq 0 ]
    judge $? "deb: systemd-analyze verify: exit $code, $lines lines about the units"
    # What RuntimeDirectory, LogsDirectory and StateDirectory make.
    install -d -o "$uid" -g "$gid" -m 0700 "$root/run/carillon" "$root/run/carillon-notify"

    deb_applications
    deb_serve "$work/deb.log"
    at_most "$ready" 10
    judge $? "deb: ExecStart by hand as uid $uid on a read-only root: READY after ${ready:-no} s (at most 10; ${cpu:-no} s of the processor, load $(load))"
    [ -n "$ready" ] || { deb_end; return; }
    sleep 0.5
    grep -q '^READY=1' "$work/notify.txt"
    judge $? "deb: the service manager was told READY=1"
    calls deb 1000 100
    calls_line 1000 100
    printf 'secret\n' | as_root /usr/bin/carillon users add bob >"$work/deb-users.txt" 2>&1
    judge $? "deb: carillon users add, typed by root, is done as the service's user"
    wrong_owner=$(find "$root/var/lib/carillon" ! -user "$uid" | head -n 3)
    [ -z "$wrong_owner" ]
    judge $? "deb: all data is the user's $wrong_owner"
    # ExecReload
    kill -HUP "$pid"
    reloaded=no
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        grep -q RELOADING=1 "$work/notify.txt" && { reloaded=yes; break; }
        grep -qi 'read again\|reload' "$work/deb.log" && { reloaded=yes; break; }
        sleep 0.25
    done
    [ $reloaded = yes ] && kill -0 "$pid"
    judge $? "deb: ExecReload (SIGHUP) reads the settings again"
    deb_end
    grep -q '^STOPPING=1' "$work/notify.txt" && at_most "$stopped" 30
    judge $? "deb: SIGTERM: STOPPING=1, ended after $stopped s"
    inside "$root" rw 0:0 dpkg -r carillon >"$work/dpkg-r.txt" 2>&1 && [ -f "$root/var/lib/carillon/data/carillon.mv.db" ] && [ -f "$root/etc/carillon/carillon.yaml" ]
    judge $? "deb: dpkg -r keeps data and settings"
    inside "$root" rw 0:0 dpkg -i /carillon.deb >"$work/dpkg.txt" 2>&1
    deb_serve "$work/deb-again.log"
    as_root /usr/bin/carillon users list 2>&1 | grep -q '^bob@'
    judge $? "deb: installed again, it knows its users"
    deb_end
    inside "$root" rw 0:0 dpkg -P carillon >"$work/dpkg-p.txt" 2>&1 && [ ! -e "$root/var/lib/carillon" ] && [ ! -e "$root/etc/carillon/carillon.yaml" ]
    judge $? "deb: dpkg -P leaves neither data nor settings"
}
check_deb
