package io.carillon.server.watch;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes the archive of a project: compiles and packs. Owner: one thread. */
final class ProjectBuild implements AutoCloseable {
    /** What an archive is compiled against and does not bring: of this server's own libraries. */
    private static final String API =
            "(sip-servlets-spec|jetty-servlet-api|jakarta\\.annotation-api-1)[-.].*\\.jar";

    private final Wanted wanted;
    private final StagedArchive archive;
    private final @Nullable Compiler compiler;
    private Project project;
    private ClassPath classPath = new ClassPath(List.of(), List.of());

    /**
     * What a build came to.
     *
     * @param archive null: the compiler made no classes
     * @param files sources that were compiled
     */
    record Built(@Nullable Path archive, int files, List<JavaProblem> problems, long millis) {}

    /** Compiles nothing yet. */
    ProjectBuild(Wanted wanted) throws IOException {
        this.wanted = wanted;
        this.compiler = wanted.compile() ? Compiler.ofThisJava(wanted.javac()) : null;
        this.project = ProjectFinder.of(wanted.folder(), compiler != null);
        this.archive = new StagedArchive();
    }

    Project project() {
        return project;
    }

    /** False where this Java has no compiler although one was wanted. */
    boolean compilesAsWanted() {
        return compiler != null || !wanted.compile();
    }

    /** A folder without archives. */
    Path nothing() throws IOException {
        return archive.nothing();
    }

    /** Looks at the project anew, and asks Maven for its class path. */
    void resolve() throws IOException {
        project = ProjectFinder.of(wanted.folder(), compiler != null);
        Pom maven = project.maven();
        ClassPath own = maven == null ? new ClassPath(api(), List.of()) : MavenClassPath.of(maven);
        classPath = own.with(wanted.classPath());
        if (compiler != null) {
            compiler.forget();
        }
    }

    /** Compiles all sources and packs the archive. */
    Built build() throws IOException {
        long begun = System.nanoTime();
        Path classes = archive.forClasses();
        int files = 0;
        List<JavaProblem> problems = List.of();
        Path made = null;
        boolean done = true;
        if (compiler != null) {
            Pom maven = project.maven();
            Compiler.Outcome outcome =
                    compiler.compile(
                            project.sources(),
                            classPath.with(libraries()),
                            maven == null ? null : maven.release(),
                            classes);
            files = outcome.files();
            problems = outcome.problems();
            done = outcome.done();
        }
        if (done) {
            made = archive.make(project, classPath, classes);
        }
        return new Built(
                made, files, problems, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
    }

    /** Jars that lie in the folder itself. */
    private List<Path> libraries() throws IOException {
        Path web = project.web();
        Path folder = web == null ? project.libraries() : web.resolve("WEB-INF/lib");
        if (folder == null || !Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        }
    }

    private static List<Path> api() {
        String all = System.getProperty("java.class.path", "");
        return Stream.of(all.split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .filter(entry -> String.valueOf(entry.getFileName()).matches(API))
                .toList();
    }

    @Override
    public void close() throws IOException {
        try (archive) {
            if (compiler != null) {
                compiler.close();
            }
        }
    }
}
