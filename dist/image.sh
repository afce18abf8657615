# Part of dist/make: the OCI image, in $out as an archive of an OCI layout. No daemon: mmdebstrap makes the base, umoci the image.
need umoci 'the image' 'apt-get install umoci'
created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%FT%TZ)
uid=10001

# Debian's essential packages, without pages and messages; the user and the folders that are written to.
if [ ! -f "$work/base.tar" ] || [ "$tree/dist/image.sh" -nt "$work/base.tar" ]; then
    mmdebstrap --quiet --variant=essential --include=tzdata,netbase --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/info/*' \
        --customize-hook="echo 'carillon:x:$uid:$uid:Carillon:/var/lib/carillon:/usr/sbin/nologin' >>\"\$1/etc/passwd\"" \
        --customize-hook="echo 'carillon:x:$uid:' >>\"\$1/etc/group\"" \
        --customize-hook="mkdir -p \"\$1/etc/carillon\"" \
        --customize-hook="ln -s ../lib/carillon/bin/carillon \"\$1/usr/bin/carillon\"" \
        bookworm "$work/base.tar" http://deb.debian.org/debian >"$work/base.log" 2>&1 || fail "mmdebstrap failed; its output is in $work/base.log"
fi

root=$work/image-root
rm -rf "$root" "$work/image" && mkdir -p "$root/usr/lib/carillon"
for part in bin lib examples licences LICENSE NOTICE; do cp -R "$program/$part" "$root/usr/lib/carillon/"; done
cp -R "$work/runtime" "$root/usr/lib/carillon/runtime"
: >"$root/usr/lib/carillon/lib/installed"
tar --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$root" -cf "$work/program.tar" usr

# What is written to, empty: volumes go there.
mkdir -p "$work/image-state/var/lib/carillon" "$work/image-state/run/carillon"
chmod 700 "$work/image-state/var/lib/carillon" "$work/image-state/run/carillon"
tar --sort=name --format=ustar --owner=$uid --group=$uid --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$work/image-state" -cf "$work/state.tar" var/lib/carillon run/carillon

umoci init --layout "$work/image"
image=$work/image:$version
umoci new --image "$image"
umoci raw add-layer --image "$image" --history.created "$created" --history.created_by 'mmdebstrap --variant=essential bookworm' "$work/base.tar"
umoci raw add-layer --image "$image" --history.created "$created" --history.created_by "carillon $version" "$work/program.tar"
# Where nothing is kept a recorded start would be made again each time.
umoci raw add-layer --image "$image" --history.created "$created" --history.created_by 'folders for volumes' "$work/state.tar"
umoci config --image "$image" --no-history --created "$created" --architecture amd64 --os linux --config.user "$uid:$uid" \
    --config.env PATH=/usr/bin:/bin --config.env CARILLON_START_CACHE=off --config.entrypoint /usr/bin/carillon --config.cmd run \
    --config.workingdir /var/lib/carillon --config.stopsignal SIGTERM --config.exposedports 5060/udp --config.exposedports 5060/tcp --config.exposedports 8080/tcp \
    --config.volume /var/lib/carillon --config.volume /run/carillon --config.label "org.opencontainers.image.title=Carillon" \
    --config.label "org.opencontainers.image.version=$version" --config.label "org.opencontainers.image.revision=$commit" \
    --config.label "org.opencontainers.image.licenses=Apache-2.0"
umoci gc --layout "$work/image"
(cd "$work/image" && tar --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf "$out/carillon-$version-image-linux-x64.oci.tar" *)
printf '%s  %s bytes\n' "$out/carillon-$version-image-linux-x64.oci.tar" "$(stat -c %s "$out/carillon-$version-image-linux-x64.oci.tar")"
