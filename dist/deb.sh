# Part of dist/make: the Debian package, in $out. Its files are those of the archive, at the system's places.
root=$work/deb
rm -rf "$root"
debian_version=$(printf '%s' "$version" | sed 's/-SNAPSHOT/~snapshot/')
mkdir -p "$root/DEBIAN" "$root/usr/lib/carillon" "$root/usr/bin" "$root/etc/carillon" "$root/lib/systemd/system" \
    "$root/usr/share/doc/carillon" "$root/usr/share/man/man1" "$root/usr/share/bash-completion/completions" "$root/usr/share/lintian/overrides"
for part in bin lib examples licences LICENSE NOTICE; do cp -R "$program/$part" "$root/usr/lib/carillon/"; done
cp -R "$work/runtime" "$root/usr/lib/carillon/runtime"
: >"$root/usr/lib/carillon/lib/installed"
ln -s ../lib/carillon/bin/carillon "$root/usr/bin/carillon"
cp "$tree/dist/debian/carillon.yaml" "$tree/dist/debian/jvm.options" "$root/etc/carillon/"
cp "$tree"/dist/debian/*.service "$root/lib/systemd/system/"
cp "$program"/share/man/man1/*.1 "$root/usr/share/man/man1/"
gzip -9n "$root"/usr/share/man/man1/*.1
sed 1d "$program/share/bash-completion/completions/carillon" >"$root/usr/share/bash-completion/completions/carillon"
cp "$tree/dist/debian/copyright" "$root/usr/share/doc/carillon/"
cp -R "$program/docs" "$root/usr/share/doc/carillon/docs"
gzip -9nc "$tree/CHANGELOG.md" >"$root/usr/share/doc/carillon/CHANGELOG.md.gz"
printf 'carillon (%s) unstable; urgency=medium\n\n  * CHANGELOG.md says what is new.\n\n -- Carillon Developers <developers@carillon.invalid>  %s\n' \
    "$debian_version" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$root/usr/share/doc/carillon/changelog.gz"
cp "$tree/dist/debian/lintian-overrides" "$root/usr/share/lintian/overrides/carillon"
cp "$tree/dist/debian/conffiles" "$root/DEBIAN/"
for script in postinst prerm postrm; do
    cp "$tree/dist/debian/$script" "$root/DEBIAN/"
    chmod 755 "$root/DEBIAN/$script"
done
find "$root" -type d -exec chmod 755 {} +
find "$root/usr/lib/carillon/runtime" -type f -exec chmod 644 {} +
chmod 755 "$root"/usr/lib/carillon/runtime/bin/* "$root/usr/lib/carillon/runtime/lib/jspawnhelper" "$root/usr/lib/carillon/runtime/lib/jexec"
sed -e "s/@VERSION@/$debian_version/" -e "s/@SIZE@/$(du -sk --apparent-size "$root" | cut -f 1)/" "$tree/dist/debian/control" >"$root/DEBIAN/control"
(cd "$root" && find . -type f ! -path './DEBIAN/*' -printf '%P\n' | sort | xargs -d '\n' md5sum >DEBIAN/md5sums)
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz -z6 --build "$root" "$out/carillon_${debian_version}_amd64.deb" >/dev/null
printf '%s  %s bytes\n' "$out/carillon_${debian_version}_amd64.deb" "$(stat -c %s "$out/carillon_${debian_version}_amd64.deb")"
