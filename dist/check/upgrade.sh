# Part of dist/check/run: the package of this version, the same as a later version, and back again, with the embedded database and with
# PostgreSQL. Users and registrations stay, calls that are up end by themselves, tables of a later version are refused.
later=$(printf '%s' "${version%%-*}" | awk -F. '{ print $1 "." $2 "." $3 + 1 }')
# later_package: the package as another version of itself; what runs says so too.
later_package() {
    rm -rf "$work/later"
    dpkg-deb -R "$out/carillon_${debian_version}_amd64.deb" "$work/later" &&
        sed -i "s/^Version: .*/Version: $later/" "$work/later/DEBIAN/control" &&
        printf '%s\n' "-Dcarillon.trial.version=$later" >>"$work/later/usr/lib/carillon/lib/options/jvm.options" &&
        (cd "$work/later" && find . -type f ! -path './DEBIAN/*' -printf '%P\n' | sort | xargs -d '\n' md5sum >DEBIAN/md5sums) &&
        dpkg-deb --root-owner-group -Zgzip -z1 --build "$work/later" "$root/later.deb" >"$work/later.txt" 2>&1
    code=$?
    rm -rf "$work/later"
    return $code
}
# SIPp registers phone1.
register() {
    (cd "$work" && ip netns exec "$network" sipp 127.0.0.1:5060 -sf "$home/examples/registrar/sipp/register.xml" -s phone1 -au phone1 -ap secret -m 1 -i 127.0.0.1 -p 6070 -nostdin \
        -timeout 20s >"$work/register.txt" 2>&1)
}
users_are_there() {
    as_root /usr/bin/carillon users list >"$work/upgrade-users.txt" 2>&1 && grep -q '^phone1@' "$work/upgrade-users.txt"
}
# A call to the registered phone reaches it: the binding is known. SIPp's own callee answers.
binding_is_there() {
    (cd "$work" && ip netns exec "$network" sipp 127.0.0.1:5060 -sn uas -i 127.0.0.1 -p 6070 -nostdin -m 1 -timeout 20s >"$work/callee.txt" 2>&1) &
    callee=$!
    sleep 0.3
    calls upgrade-binding 1 1 phone1
    wait $callee
    [ "$made" -eq 1 ]
}
# replace FILE NAME: calls are up; the package is replaced and the service restarted, as postinst has systemd do it.
replace() {
    rm -f "$work/held.txt"
    (cd "$work" && ip netns exec "$network" sipp 127.0.0.1:5060 -sn uac -s uas -d 30000 -r 20 -m 40 -i 127.0.0.1 -p 6080 -nostdin -timeout 150s >"$work/held.txt" 2>&1) &
    held=$!
    sleep 3
    inside "$root" rw 0:0 dpkg -i "$1" >"$work/upgrade-dpkg.txt" 2>&1
    judge $? "upgrade: $database: dpkg -i of $2 while 40 calls are up"
    deb_end
    wait $held
    judge $? "upgrade: $database: the calls ended by themselves (drained in $stopped s), $(awk -F'|' '/Failed call/ { gsub(/ /, "", $3); n = $3 } END { print n }' "$work/held.txt") failed"
    deb_serve "$work/upgrade-$2.log"
    [ -n "$ready" ] && [ "$(as_root /usr/bin/carillon version 2>/dev/null | sed -n 's/^Carillon //p')" = "$2" ]
    judge $? "upgrade: $database: $2 runs, READY after ${ready:-no} s"
    users_are_there && binding_is_there
    judge $? "upgrade: $database: $2 knows users and registrations"
}
way() {
    database=$1
    inside "$root" rw 0:0 dpkg -i /carillon.deb >"$work/upgrade-dpkg.txt" 2>&1
    uid=$(awk -F: '$1 == "carillon" { print $3 }' "$root/etc/passwd")
    gid=$(awk -F: '$1 == "carillon" { print $4 }' "$root/etc/passwd")
    install -d -o "$uid" -g "$gid" -m 0700 "$root/run/carillon" "$root/run/carillon-notify"
    mkdir -p "$root/etc/carillon/conf.d"
    {
        printf 'drain: {calls: 60 s}\nsecurity: {algorithms: [md5]}\n'
        if [ "$database" = PostgreSQL ]; then
            printf 'database: {url: "jdbc:postgresql://127.0.0.1:5432/postgres", user: postgres, password-file: /etc/carillon/database-password}\n'
            printf 'secret\n' >"$root/etc/carillon/database-password"
            chown "$uid:$gid" "$root/etc/carillon/database-password"
            chmod 600 "$root/etc/carillon/database-password"
        fi
    } >"$root/etc/carillon/conf.d/50-trial.yaml"
    deb_applications
    deb_serve "$work/upgrade.log"
    [ -n "$ready" ] && printf 'secret\n' | as_root /usr/bin/carillon users add phone1 >"$work/upgrade-users.txt" 2>&1 && register
    judge $? "upgrade: $database: $version runs, a user is added and a phone registers"
    [ -n "$ready" ] || { deb_end; return; }
    replace /later.deb "$later"
    replace /carillon.deb "$version"
    deb_end
}
postgresql() {
    binaries=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
    [ -n "$binaries" ] || { short "upgrade: PostgreSQL: not tried, as there is no postgresql (postgresql)"; return 1; }
    rm -rf "$work/postgresql"
    install -d -o postgres "$work/postgresql"
    printf 'secret\n' >"$work/postgresql-password"
    chmod 644 "$work/postgresql-password"
    # Users of the machine may not come through the folders of this checkout: the data lies in the system's folder.
    postgresql_data=$(setpriv --reuid postgres --regid postgres --clear-groups mktemp -d /tmp/carillon-check-XXXXXX)
    cp "$work/postgresql-password" "$postgresql_data.password" && chmod 644 "$postgresql_data.password"
    setpriv --reuid postgres --regid postgres --clear-groups "$binaries/initdb" -D "$postgresql_data/data" -A scram-sha-256 -U postgres --pwfile "$postgresql_data.password" >"$work/initdb.txt" 2>&1 || return 1
    ip netns exec "$network" setpriv --reuid postgres --regid postgres --clear-groups "$binaries/postgres" -D "$postgresql_data/data" -h 127.0.0.1 -k "$postgresql_data" >"$work/postgresql.txt" 2>&1 &
    postgresql_process=$!
    servers="$servers $postgresql_process"
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        sql 'SELECT 1' >/dev/null 2>&1 && return 0
        sleep 0.5
    done
    short "upgrade: PostgreSQL did not start; its output is in $work/postgresql.txt"
    return 1
}
sql() {
    PGPASSWORD=secret ip netns exec "$network" "$binaries/psql" -h 127.0.0.1 -U postgres -qtA -c "$1" postgres
}
check_upgrade() {
    made "carillon_${debian_version}_amd64.deb" || return
    needs mmdebstrap mmdebstrap dpkg-deb dpkg sipp sip-tester ip iproute2 nsenter util-linux python3 python3 || return
    root_of deb adduser,systemd || return
    cp "$out/carillon_${debian_version}_amd64.deb" "$root/carillon.deb"
    later_package || { short "upgrade: the package could not be made anew as $later"; return; }
    way H2
    # What a backup has comes back, after everything was deleted.
    inside "$root" rw 0:0 dpkg -i /carillon.deb >"$work/upgrade-dpkg.txt" 2>&1
    deb_serve "$work/upgrade.log"
    as_root /usr/bin/carillon backup - >"$work/backup.zip" 2>"$work/backup.txt" && [ -s "$work/backup.zip" ]
    judge $? "upgrade: carillon backup of the running service: $(cat "$work/backup.txt")"
    as_root /usr/bin/carillon restore - <"$work/backup.zip" >"$work/restore.txt" 2>&1
    [ $? -eq 1 ] && grep -q 'stop it first' "$work/restore.txt"
    judge $? "upgrade: carillon restore refuses beside a running server"
    deb_end
    inside "$root" rw 0:0 dpkg -P carillon >"$work/upgrade-dpkg.txt" 2>&1
    inside "$root" rw 0:0 dpkg -i /carillon.deb >>"$work/upgrade-dpkg.txt" 2>&1
    uid=$(awk -F: '$1 == "carillon" { print $3 }' "$root/etc/passwd")
    gid=$(awk -F: '$1 == "carillon" { print $4 }' "$root/etc/passwd")
    install -d -o "$uid" -g "$gid" -m 0700 "$root/run/carillon" "$root/run/carillon-notify"
    inside "$root" rw 0:0 /usr/bin/carillon restore - <"$work/backup.zip" >"$work/restore.txt" 2>&1
    judge $? "upgrade: purged, installed again, carillon restore"
    deb_serve "$work/upgrade.log"
    users_are_there
    judge $? "upgrade: what was restored has the users"
    deb_end
    postgresql || return
    inside "$root" rw 0:0 dpkg -P carillon >"$work/upgrade-dpkg.txt" 2>&1
    way PostgreSQL
    sql "INSERT INTO carillon_schema VALUES (99, '7', 'of later', 'SQL', 'V7__of_later.sql', 1, 'postgres', now(), 1, true)"
    deb_serve "$work/upgrade.log"
    ! as_root /usr/bin/carillon users list >"$work/newer.txt" 2>&1 && grep -q 'its tables have version 7, as a newer Carillon made them' "$work/newer.txt"
    judge $? "upgrade: tables of a later version are refused in a sentence"
    deb_end
    kill "$postgresql_process" 2>/dev/null
    rm -rf "$postgresql_data" "$postgresql_data.password" "$work/postgresql-password"
}
check_upgrade
