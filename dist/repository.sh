# Part of dist/make: a Maven repository as a folder, in an archive in $out: libraries with sources and Javadoc, the list of versions that go
# together (BOM), archetypes, a bill of materials (CycloneDX) and checksums. A project names the folder or a server that has it.
repository=$work/repository
rm -rf "$repository"
libraries=sip,net,container,protection,telemetry,cluster,router,grid,testkit,testkit-servlet,pojo,spring-boot-starter,spring-boot-starter-test,web-starter,server
# A folder, or the repository of a company, gets the same files.
to=carillon::file://$repository
# Nothing is put into the local repository of who makes it.
maven -T 1C -Pfast,release -Dmaven.test.skip=true -Dmaven.install.skip=true -pl "$libraries" -am deploy "-DaltDeploymentRepository=$to"
maven org.apache.maven.plugins:maven-deploy-plugin:3.1.4:deploy-file -Dfile=bom/pom.xml -DpomFile=bom/pom.xml "-Durl=file://$repository" -DrepositoryId=carillon
maven -f dist/archetypes/pom.xml -Dmaven.install.skip=true deploy "-DaltDeploymentRepository=$to"
# Lists of versions carry the time of day; who resolves a release needs none.
find "$repository" -name 'maven-metadata*' -exec rm -f {} +
(cd "$repository" && find . -type f ! -name '*.md5' ! -name '*.sha1' -printf '%P\n' | sort | while read -r file; do
    sha256sum "$file" | cut -d ' ' -f 1 >"$file.sha256"
done)
cp "$tree/server/target/bom.json" "$out/carillon-$version-sbom.json"
pack repository "carillon-$version-repository.tar.gz" "carillon-$version-repository"
