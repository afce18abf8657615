package io.carillon.server.watch;

import io.carillon.server.apps.ApplicationStatus;
import io.carillon.server.apps.ApplicationsText;
import io.carillon.server.apps.DevelopmentReport;
import io.carillon.server.control.ControlClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What {@code carillon watch} does: a folder is compiled, packed and deployed, and again at each
 * change; an error leaves the version that serves. Owner: the thread that runs it.
 */
public final class Development implements AutoCloseable {
    private final PrintWriter out;
    private final ProjectBuild build;
    private final boolean testing;
    private final @Nullable TestRuns tests;
    private @Nullable DevelopmentServer started;

    /** The last version that was deployed; null: none yet. */
    private @Nullable ApplicationStatus serving;

    private boolean toldDeaf;
    private boolean toldDumb;

    /** What the compiler said last. */
    private List<String> problems = List.of();

    /** The socket of the server that serves; null: it is not that far. */
    private volatile @Nullable Path server;

    /** What could not be reported before that; null: nothing. */
    private @Nullable String unreported;

    /** By whoever is first: the thread that runs it, or the end of the process. */
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Looks at the folder; nothing runs yet. */
    public Development(Wanted wanted, PrintWriter out) throws IOException {
        this.out = out;
        this.build = new ProjectBuild(wanted);
        Pom maven = build.project().maven();
        String which = wanted.tests();
        this.testing = which != null;
        if (which != null && maven == null) {
            build.close();
            throw new WatchException(
                    wanted.folder()
                            + ": --test runs the tests of Maven projects; it has no pom.xml");
        }
        this.tests = which == null || maven == null ? null : new TestRuns(maven, which, out);
        out.println("Watching " + wanted.folder() + ", " + build.project().described());
        if (!build.compilesAsWanted()) {
            out.println(
                    "This Java has no compiler (it is no JDK): classes are taken as an editor or a"
                            + " build tool makes them. CARILLON_JAVA_HOME names a JDK.");
        }
    }

    /**
     * A server for it, as {@code carillon run} starts it.
     *
     * @param home Carillon's own folder
     * @param debug the debugger's port of the loopback address; null: none
     * @param arguments of {@code carillon run}
     * @return its process
     */
    public long startServer(Path home, @Nullable Integer debug, List<String> arguments)
            throws IOException {
        started =
                DevelopmentServer.start(
                        new DevelopmentServer.Start(home, build.nothing(), debug, arguments), out);
        if (debug != null) {
            out.println("Debugger: 127.0.0.1:" + debug);
        }
        return started.pid();
    }

    /**
     * Deploys, and again at each change, until the server ends.
     *
     * @param socket the server's control socket
     */
    public void run(Path socket) throws IOException, InterruptedException {
        try (FolderChanges changes = new FolderChanges(watched())) {
            ProjectBuild.Built first = resolveAndBuild();
            if (started != null) {
                started.awaitReady();
            }
            server = socket;
            if (unreported != null) {
                report(false, unreported);
            }
            if (first != null) {
                deploy(socket, first);
            }
            changes.watchToo(watched());
            beginTests();
            while (started == null ? ControlClient.answers(socket) : started.isAlive()) {
                Set<Path> changed = changes.await();
                tellDeaf(changes);
                if (!changed.isEmpty() && !closed.get()) {
                    changed(changed, socket, changes);
                }
            }
            if (!closed.get()) {
                out.println("The server has ended.");
            }
        }
    }

    private void changed(Set<Path> changed, Path socket, FolderChanges changes) throws IOException {
        if (!changed.stream().allMatch(this::ofTests)) {
            boolean again = changed.stream().anyMatch(file -> file.endsWith("pom.xml"));
            ProjectBuild.Built built = again ? resolveAndBuild() : built();
            if (built != null) {
                deploy(socket, built);
            }
            if (again) {
                changes.watchToo(watched());
            }
        }
        beginTests();
    }

    private ProjectBuild.@Nullable Built resolveAndBuild() {
        problems = List.of();
        try {
            build.resolve();
        } catch (IOException e) {
            failed(String.valueOf(e.getMessage()));
            return null;
        }
        return built();
    }

    /** Null where that failed, and was told. */
    private ProjectBuild.@Nullable Built built() {
        problems = List.of();
        try {
            return build.build();
        } catch (IOException e) {
            // A file that goes away while it is copied, a full disk: the next change tries again.
            failed(e.toString());
            return null;
        }
    }

    private void deploy(Path socket, ProjectBuild.Built built) {
        problems = built.problems().stream().map(JavaProblem::text).toList();
        problems.forEach(out::println);
        Path archive = built.archive();
        if (archive == null) {
            long errors = built.problems().stream().filter(JavaProblem::error).count();
            failed(errors == 1 ? "1 error" : errors + " errors");
            return;
        }
        long begun = System.nanoTime();
        try {
            ApplicationStatus status =
                    ApplicationsText.parseOne(
                            ControlClient.ask(socket, "deploy", archive.toString()));
            serving = status;
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            String files = built.files() == 1 ? "1 file" : built.files() + " files";
            String said =
                    status.name()
                            + " version "
                            + status.version()
                            + " serves: "
                            + (built.files() == 0
                                    ? "packed in "
                                    : "compiled " + files + " and packed in ")
                            + built.millis()
                            + " ms, deployed in "
                            + millis
                            + " ms";
            out.println(said);
            out.flush();
            report(true, said);
        } catch (IOException e) {
            failed(String.valueOf(e.getMessage()));
        }
    }

    private void failed(String why) {
        ApplicationStatus before = serving;
        String refused = why.startsWith("not deployed: ") ? why.substring(14) : why;
        String said =
                "NOT DEPLOYED: "
                        + refused
                        + (before == null
                                ? ""
                                : "; "
                                        + before.name()
                                        + " version "
                                        + before.version()
                                        + " goes on");
        out.println(said);
        out.flush();
        report(false, said);
    }

    /** For the console of the server; one that is older than this command does without. */
    private void report(boolean deployed, String said) {
        Path socket = server;
        if (socket == null) {
            unreported = said;
            return;
        }
        DevelopmentReport report =
                DevelopmentReport.of(
                        String.valueOf(build.project().folder()),
                        Instant.now().toString(),
                        deployed,
                        said,
                        problems);
        try {
            ControlClient.ask(socket, "development", report.line());
        } catch (IOException e) {
            if (!toldDumb) {
                toldDumb = true;
                out.println("The console does not show this: " + e.getMessage());
            }
        }
    }

    private void beginTests() throws IOException {
        if (tests != null) {
            tests.begin();
        }
    }

    private void tellDeaf(FolderChanges changes) {
        String why = changes.deaf();
        if (why != null && !toldDeaf) {
            toldDeaf = true;
            out.println("Changes are seen within a second, not at once: " + why);
        }
    }

    private List<Path> watched() {
        List<Path> all = new ArrayList<>(build.project().watched());
        if (testing) {
            all.add(testSources());
        }
        return all;
    }

    private boolean ofTests(Path file) {
        return testing && file.startsWith(testSources());
    }

    private Path testSources() {
        return build.project().folder().resolve("src/test");
    }

    @Override
    public void close() throws IOException {
        if (closed.getAndSet(true)) {
            return;
        }
        if (tests != null) {
            tests.close();
        }
        Path served = server;
        if (served != null && started == null) {
            try {
                ControlClient.ask(served, "development", DevelopmentReport.NONE.line());
            } catch (IOException e) {
                out.println("The server has ended: " + e.getMessage());
            }
        }
        if (started != null) {
            started.close();
        }
        build.close();
    }
}
