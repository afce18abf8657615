# Part of dist/check/run: the image. Unpacked, entered as its settings say, on a root that cannot be written.
check_image() {
    made "carillon-$version-image-linux-x64.oci.tar" || return
    needs umoci umoci python3 python3 sipp sip-tester ip iproute2 nsenter util-linux || return
    rm -rf "$work/image" "$work/image-bundle"
    mkdir -p "$work/image"
    tar -xf "$out/carillon-$version-image-linux-x64.oci.tar" -C "$work/image"
    umoci unpack --image "$work/image:$version" "$work/image-bundle" >"$work/image.txt" 2>&1
    judge $? "image: an OCI layout that umoci unpacks ($(megabytes "$out/carillon-$version-image-linux-x64.oci.tar"))"
    rm -rf "$work/image"
    root=$work/image-bundle/rootfs
    [ -d "$root" ] || return
    said() {
        python3 -c "import json, sys; p = json.load(open(sys.argv[1]))['process']; print($1)" "$work/image-bundle/config.json"
    }
    user=$(said "'%d:%d' % (p['user']['uid'], p['user']['gid'])")
    [ "${user%:*}" != 0 ]
    judge $? "image: its user is $user, not root"
    suid=$(find "$root/usr/lib/carillon" "$root/etc/carillon" -perm /6000 | head -n 3)
    [ -z "$suid" ]
    judge $? "image: nothing of Carillon's changes who runs it $suid"
    # shellcheck disable=SC2046 # words
    serve "$work/image.log" env WRITABLE='/var/lib/carillon /run/carillon' ENVIRONMENT="$(said "' '.join(e for e in p['env'] if not e.startswith(('TERM=', 'HOME=')))")" \
        "$here/enter" "$root" ro "$user" $(said "' '.join(p['args'])")
    at_most "$ready" 10
    judge $? "image: READY after ${ready:-no} s (at most 10; ${cpu:-no} s of the processor, load $(load))"
    [ -n "$ready" ] || { end_server; return; }
    [ "$(awk '/^Uid:/ { print $2 }' "/proc/$pid/status")" = "${user%:*}" ]
    judge $? "image: the process has the uid ${user%:*}"
    ! beside "$user" sh -c 'echo x >/usr/lib/carillon/written' 2>/dev/null
    judge $? "image: its root cannot be written"
    calls image 10000 100
    calls_line 10000 100
    # What the chart does before the end of a pod.
    began=$(now)
    beside "$user" /usr/bin/carillon stop >"$work/image-stop.txt" 2>&1
    judge $? "image: carillon stop, which the chart calls before the end of a pod: $(since "$began") s"
    end_server
}
check_image
