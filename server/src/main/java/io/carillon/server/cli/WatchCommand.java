package io.carillon.server.cli;

import io.carillon.server.HomeFolder;
import io.carillon.server.control.ControlFolder;
import io.carillon.server.watch.Development;
import io.carillon.server.watch.Wanted;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code carillon watch}: development mode. It stays until it is interrupted. */
@Command(
        name = "watch",
        description =
                "Starts a server, and compiles and deploys a folder anew at each change; running"
                        + " calls stay on their version (docs/guides/watch.md).",
        mixinStandardHelpOptions = true)
final class WatchCommand implements Callable<Integer> {
    private static final int MOST_PORT = 65_535;

    @Parameters(
            index = "0",
            paramLabel = "FOLDER",
            description =
                    "A Maven project, an unpacked archive (WEB-INF), or a folder of sources or of"
                            + " classes.")
    private Path folder = Path.of("");

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "ARGUMENT",
            description = "After --: arguments of carillon run, as in -- --sip udp:127.0.0.1:5070.")
    private List<String> arguments = new ArrayList<>();

    @Option(
            names = "--test",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "TEST",
            description =
                    "Runs the tests of a Maven project behind each change, or those that TEST names"
                            + " as surefire's -Dtest does.")
    private @Nullable String tests;

    @Option(
            names = "--debug",
            paramLabel = "PORT",
            description = "Opens the server for a debugger at this port of the loopback address.")
    private @Nullable Integer debug;

    @Option(
            names = "--no-compile",
            description = "Takes the classes that an editor or a build tool makes.")
    private boolean noCompile;

    @Option(
            names = "--javac",
            paramLabel = "OPTION",
            description = "One more option of the compiler, as -Xlint:all; repeatable.")
    private List<String> javac = new ArrayList<>();

    @Option(
            names = "--class-path",
            paramLabel = "FILE",
            split = ":",
            description = "More jars and folders for the compiler, separated by colons.")
    private List<Path> classPath = new ArrayList<>();

    @Option(
            names = "--attach",
            description = "Deploys into the server that runs already, which --pid may choose.")
    private boolean attach;

    @Mixin private ControlTarget target = new ControlTarget();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        check();
        PrintWriter out = spec.commandLine().getOut();
        Path attached = attach ? target.socket() : null;
        Wanted wanted = new Wanted(folder, !noCompile, javac, absolute(classPath), tests);
        try (Development development = new Development(wanted, out)) {
            Thread end = Thread.ofPlatform().unstarted(() -> close(development));
            Runtime.getRuntime().addShutdownHook(end);
            development.run(attached != null ? attached : start(development));
        }
        return 1; // the server has ended by itself
    }

    private void check() {
        if (debug != null && (debug < 1 || debug > MOST_PORT)) {
            throw wrong("--debug takes a port from 1 to " + MOST_PORT + ", not " + debug);
        }
        if (attach && (debug != null || !arguments.isEmpty())) {
            throw wrong("--debug and arguments of run are for a server that this command starts");
        }
        for (Path entry : classPath) {
            if (!entry.toFile().exists()) {
                throw wrong("--class-path: there is no " + entry);
            }
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Starts a server; its control socket. */
    private Path start(Development development) throws Exception {
        HomeFolder home = HomeFolder.current();
        List<String> all = new ArrayList<>(arguments);
        Path configuration = target.file();
        if (target.hasConfig() && configuration != null) {
            all.addAll(List.of("--config", configuration.toString()));
        }
        ControlFolder folder =
                ControlFolder.of(target.configuration().control().directory(), home.control());
        return folder.socket(development.startServer(home.folder(), debug, all));
    }

    private static List<Path> absolute(List<Path> all) {
        return all.stream().map(Path::toAbsolutePath).toList();
    }

    /** At the end of the process. */
    private static void close(Development development) {
        try {
            development.close();
        } catch (IOException e) {
            System.err.println("carillon: " + e.getMessage());
        }
    }
}
