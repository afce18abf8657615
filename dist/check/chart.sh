# Part of dist/check/run: the chart, with each of the value sets of dist/helm/values, and with values that it has to refuse.
check_chart() {
    made "carillon-chart-$version.tgz" || return
    helm=${HELM:-helm}
    validate=${KUBERNETES_VALIDATE:-kubernetes-validate}
    needs "$helm" 'Go: go install helm.sh/helm/v3/cmd/helm@v3.22.0; HELM names it' "$validate" 'PyPI: kubernetes-validate; KUBERNETES_VALIDATE names it' || return
    unpacked_program || return
    chart=$out/carillon-chart-$version.tgz
    "$helm" lint "$chart" -f "$home/dist/helm/values/single.yaml" >"$work/chart-lint.txt" 2>&1
    judge $? "chart: helm lint"
    made_config=$work/chart-configuration
    rm -rf "$made_config"
    for values in "$home"/dist/helm/values/*.yaml; do
        name=${values##*/}
        name=${name%.yaml}
        mkdir -p "$made_config/$name"
        "$helm" template demo "$chart" -f "$values" >"$work/chart-$name.yaml" 2>"$work/chart-$name.txt" &&
            "$validate" --strict "$work/chart-$name.yaml" >>"$work/chart-$name.txt" 2>&1
        judge $? "chart: $name: $(grep -c '^kind:' "$work/chart-$name.yaml") objects made and valid"
        # The settings that a pod would start with.
        "$helm" template demo "$chart" -f "$values" --show-only templates/config.yaml 2>/dev/null |
            awk '/^  carillon.yaml: \|/ { inside = 1; next } inside && /^  [^ ]/ { exit } inside { sub(/^    /, ""); print }' >"$made_config/$name/carillon.yaml"
        chart_settings "$made_config/$name"
        judge $? "chart: $name: carillon config check takes its settings"
    done
    refuses 'more than one server needs cluster.enabled' --set replicas=2 --set http.tokenSecret=a
    refuses 'http.tokenSecret' --set replicas=1
    refuses 'a cluster needs three servers' --set replicas=2 --set cluster.enabled=true --set cluster.keySecret=a --set http.tokenSecret=a
    refuses 'HOST:PORT of the Service of the routers' -f "$home/dist/helm/values/cluster-with-routers.yaml" --set cluster.address=
    refuses 'not both' -f "$home/dist/helm/values/cluster-with-routers.yaml" --set 'cluster.routers={10.0.0.5:7900}'
    refuses 'routers need cluster.enabled' --set cluster.router.replicas=2 --set http.tokenSecret=a
    refuses 'database.passwordSecret' --set database.user=a --set http.tokenSecret=a
}
refuses() {
    sentence=$1
    shift
    ! "$helm" template demo "$chart" "$@" >"$work/chart-refused.txt" 2>&1 && grep -q "$sentence" "$work/chart-refused.txt"
    judge $? "chart: refuses $* ($sentence)"
}
# Secrets are files of a pod: stand-ins for them lie where the settings of this trial name them.
chart_settings() {
    mkdir -p "$1/secrets/tls" "$1/secrets/database" "$1/secrets/cluster" "$1/applications"
    chmod -R go-rwx "$1/secrets"
    if [ ! -f "$work/trial.key" ]; then
        openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=example.com -days 2 -keyout "$work/trial.key" -out "$work/trial.crt" >/dev/null 2>&1
    fi
    cp "$work/trial.crt" "$1/secrets/tls/tls.crt" && cp "$work/trial.key" "$1/secrets/tls/tls.key"
    printf 'password\n' >"$1/secrets/database/password"
    printf '%064d\n' 7 >"$1/secrets/cluster/key"
    chmod 600 "$1"/secrets/*/*
    sed -i -e "s,/secrets/,$1/secrets/,g" -e "s,/applications,$1/applications,g" "$1/carillon.yaml"
    CARILLON_HTTP_TOKEN=token CARILLON_HOME=$1/home "$work/program/bin/carillon" config check --config "$1/carillon.yaml" >"$1/check.txt" 2>&1
}
check_chart
