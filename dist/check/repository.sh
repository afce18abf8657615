# Part of dist/check/run: the Maven repository. Sums, what belongs to each library, and a project from each archetype: made, tested, run,
# changed and deployed again, with a local repository that begins empty.
maven_of_project() {
    JAVA_HOME=${JAVA_HOME:-} "$maven_command" -B -ntp "-Dmaven.repo.local=$local_repository" "$@"
}
check_libraries() {
    sums=0
    wrong_sums=0
    for sum in $(find "$repository" -name '*.sha256'); do
        sums=$((sums + 1))
        [ "$(cat "$sum")" = "$(sha256sum <"${sum%.sha256}" | cut -d ' ' -f 1)" ] || wrong_sums=$((wrong_sums + 1))
    done
    without=$(find "$repository" -type f ! -name '*.md5' ! -name '*.sha1' ! -name '*.sha256' ! -name 'maven-metadata*' | while read -r file; do [ -f "$file.sha256" ] || echo "${file##*/}"; done)
    [ $sums -gt 0 ] && [ $wrong_sums -eq 0 ] && [ -z "$without" ]
    judge $? "repository: $sums files, $wrong_sums with another SHA-256 than stands beside $without"
    lacking=
    libraries=0
    for artifact in $(sed -n '/dependencyManagement/,$s/.*<artifactId>\(.*\)<\/artifactId>.*/\1/p' "$home/bom/pom.xml"); do
        libraries=$((libraries + 1))
        for ending in .jar -sources.jar -javadoc.jar .pom -cyclonedx.json; do
            [ -f "$repository/io/carillon/$artifact/$version/$artifact-$version$ending" ] || lacking="$lacking $artifact$ending"
        done
    done
    [ $libraries -gt 0 ] && [ -z "$lacking" ]
    judge $? "repository: $libraries libraries of the BOM, each with sources, Javadoc and bill of materials $lacking"
    [ -f "$repository/io/carillon/carillon-bom/$version/carillon-bom-$version.pom" ]
    judge $? "repository: the BOM"
}
# project KIND SOURCE PATTERN REPLACEMENT
project() {
    kind=$1
    folder=$work/projects/hello-$kind
    rm -rf "$folder"
    mkdir -p "$work/projects"
    archetype=$repository/io/carillon/carillon-archetype-$kind/$version/carillon-archetype-$kind-$version
    (cd "$work/projects" && maven_of_project install:install-file "-Dfile=$archetype.jar" "-DpomFile=$archetype.pom" &&
        maven_of_project archetype:generate -DarchetypeGroupId=io.carillon "-DarchetypeArtifactId=carillon-archetype-$kind" "-DarchetypeVersion=$version" \
            "-DcarillonRepository=file://$repository" -DgroupId=com.example "-DartifactId=hello-$kind" -Dversion=1 -Dpackage=com.example.hello) >"$work/$kind-generate.txt" 2>&1
    judge $? "repository: a project from the archetype $kind"
    [ -d "$folder" ] || return
    began=$(now)
    (cd "$folder" && maven_of_project package) >"$work/$kind-package.txt" 2>&1
    judge $? "repository: $kind: mvn package with all downloads, $(since "$began") s"
    began=$(now)
    (cd "$folder" && rm -rf target && maven_of_project -o package) >"$work/$kind-again.txt" 2>&1 && grep -q 'Tests run: [1-9][0-9]*, Failures: 0, Errors: 0' "$work/$kind-again.txt"
    code=$?
    took=$(since "$began")
    [ $code -eq 0 ] && at_most "$took" 60
    judge $? "repository: $kind: built, its test green in $took s after the downloads (at most 60)"
    elsewhere=$(find "$local_repository/io/carillon" -name _remote.repositories ! -path '*archetype*' -exec grep -hv '^#' {} + | grep -v '>carillon=$' | head -n 3)
    [ -z "$elsewhere" ]
    judge $? "repository: $kind: all of io.carillon came from the repository alone $elsewhere"
    serve "$work/$kind-server.log" unshare --pid --fork --kill-child=KILL --mount-proc env "CARILLON_HOME=$folder/kept" CARILLON_START_CACHE=off \
        "$work/program/bin/carillon" run --watch "$folder/target"
    [ -n "$ready" ]
    judge $? "repository: $kind: carillon run --watch target, READY after ${ready:-no} s"
    [ -n "$ready" ] || { end_server; return; }
    calls "$kind" 1 1 hello
    [ "$made" -eq 1 ]
    judge $? "repository: $kind: a call of SIPp is answered"
    sed -i "0,/$3/s/$3/$4/" "$folder/src/main/java/com/example/hello/$2"
    (cd "$folder" && maven_of_project -o package -DskipTests) >"$work/$kind-changed.txt" 2>&1
    began=$(now)
    changed=no
    while at_most "$(since "$began")" 60; do
        rm -f "$work"/uac_*_errors.log
        (cd "$work" && ip netns exec "$network" sipp 127.0.0.1:5060 -sn uac -s hello -m 1 -i 127.0.0.1 -p 6060 -nostdin -trace_err -timeout 20s >/dev/null 2>&1)
        if cat "$work"/uac_*_errors.log 2>/dev/null | grep -q 'SIP/2.0 486'; then
            changed=yes
            break
        fi
        sleep 0.2
    done
    [ $changed = yes ]
    judge $? "repository: $kind: a changed line, built again, answers calls after $(since "$began") s"
    end_server
}
check_repository() {
    made "carillon-$version-repository.tar.gz" && made "carillon-$version-sbom.json" || return
    rm -rf "$work/repository" "$work/local-repository"
    mkdir -p "$work/repository"
    tar -xzf "$out/carillon-$version-repository.tar.gz" -C "$work/repository"
    repository=$work/repository/carillon-$version-repository
    local_repository=$work/local-repository
    check_libraries
    maven_command=mvn
    needs mvn maven sipp sip-tester ip iproute2 || return
    unpacked_program || return
    project sip-servlet HelloServlet.java 'createResponse(200)' 'createResponse(486)'
    project plain-objects Hello.java 'return 200' 'return 486'
    rm -rf "$work/local-repository" "$work/projects"
}
check_repository
