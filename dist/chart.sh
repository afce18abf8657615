# Part of dist/make: the Helm chart, in $out. The version is the product's.
chart=$work/chart/carillon
rm -rf "$work/chart" && mkdir -p "$work/chart"
cp -R "$tree/dist/helm/carillon" "$chart"
sed -i -e "s/^version: .*/version: $(printf '%s' "$version" | sed 's/-SNAPSHOT/-snapshot/')/" -e "s/^appVersion: .*/appVersion: $version/" "$chart/Chart.yaml"
(cd "$work/chart" && tar --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - carillon | gzip -9n >"$out/carillon-chart-$version.tgz")
printf '%s  %s bytes\n' "$out/carillon-chart-$version.tgz" "$(stat -c %s "$out/carillon-chart-$version.tgz")"
