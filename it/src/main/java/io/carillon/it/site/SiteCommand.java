package io.carillon.it.site;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./dev site}: the pages as a static site; 1 when a link leads nowhere. */
@Command(
        name = "site",
        mixinStandardHelpOptions = true,
        synopsisHeading = "Usage: ./dev ",
        description =
                "The pages of the checkout as a static site, with the Javadoc of what applications and their tests use.")
public final class SiteCommand implements Callable<Integer> {
    /** What applications and their tests compile against. */
    private static final List<String> LIBRARIES = List.of("pojo", "testkit", "testkit-servlet");

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "Where to; default: .carillon/site.")
    private Path out = Path.of("");

    @Option(names = "--no-javadoc", description = "Without it: a few seconds instead of a minute.")
    private boolean noJavadoc;

    @Spec private CommandSpec spec = CommandSpec.create();

    private SiteCommand() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new SiteCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        Path home = Path.of(System.getProperty("carillon.home", "")).toAbsolutePath();
        Path site = out.toString().isEmpty() ? home.resolve(".carillon/site") : out;
        PrintWriter to = spec.commandLine().getOut();
        Files.createDirectories(site);
        String version = System.getProperty("carillon.version", "");
        Path javadoc = site.resolve("javadoc");
        if (!noJavadoc && !javadoc(home, javadoc, version)) {
            spec.commandLine()
                    .getErr()
                    .println(
                            "carillon site: the Javadoc could not be made; --no-javadoc leaves it out");
            return CommandLine.ExitCode.SOFTWARE;
        }
        int pages = new Site(home, site, version).make(Files.exists(javadoc.resolve("index.html")));
        List<String> dead = new SiteLinks(site).dead();
        dead.forEach(line -> to.println("leads nowhere: " + line));
        to.println(pages + " pages, " + dead.size() + " dead links: " + site.resolve("index.html"));
        to.flush();
        return dead.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private boolean javadoc(Path home, Path folder, String version) throws IOException {
        ToolProvider tool = ToolProvider.findFirst("javadoc").orElse(null);
        if (tool == null) {
            return false;
        }
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-quiet",
                                "-Xdoclint:none",
                                "-notimestamp",
                                "--ignore-source-errors",
                                "-d",
                                folder.toString(),
                                "-windowtitle",
                                "Carillon " + version,
                                "-doctitle",
                                "Carillon " + version + ": for applications and their tests",
                                "-classpath",
                                classPath(home)));
        for (String library : LIBRARIES) {
            try (Stream<Path> sources =
                    Files.walk(home.resolve(library).resolve("src/main/java"))) {
                sources.map(Path::toString)
                        .filter(one -> one.endsWith(".java"))
                        .filter(one -> !one.endsWith("module-info.java"))
                        .sorted()
                        .forEach(arguments::add);
            }
        }
        // Plain objects know CDI and Spring, which the quick build leaves out: that is no fault.
        StringWriter said = new StringWriter();
        PrintWriter to = new PrintWriter(said);
        tool.run(to, to, arguments.toArray(String[]::new));
        boolean made = Files.exists(folder.resolve("index.html"));
        if (!made) {
            System.err.print(said);
        }
        return made;
    }

    /** Compiled modules and their libraries, of the build that is there. */
    private static String classPath(Path home) throws IOException {
        List<String> path = new ArrayList<>();
        try (Stream<Path> modules = Files.list(home)) {
            for (Path module : modules.sorted().toList()) {
                if (Files.isDirectory(module.resolve("target/classes"))) {
                    path.add(module.resolve("target/classes").toString());
                }
            }
        }
        for (String library : List.of("it/target/lib", "server/target/lib")) {
            // The tool takes no wildcard: its launcher would have expanded it.
            try (Stream<Path> jars = Files.list(home.resolve(library))) {
                jars.map(Path::toString).filter(jar -> jar.endsWith(".jar")).forEach(path::add);
            }
        }
        return String.join(":", path);
    }
}
