package io.carillon.server.cli;

import io.carillon.server.HomeFolder;
import io.carillon.server.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code carillon version}. */
@Command(
        name = "version",
        description = "Prints the version, the commit that it was made of, and the Java.",
        mixinStandardHelpOptions = true)
final class VersionCommand implements Callable<Integer> {
    private static final String COMMIT = "commit=";

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        lines().forEach(spec.commandLine().getOut()::println);
        return 0;
    }

    /** What is said of a distribution names its commit. */
    static List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("Carillon " + Version.current());
        Path build = HomeFolder.current().folder().resolve("lib/build.properties");
        if (Files.isReadable(build)) {
            Files.readAllLines(build).stream()
                    .filter(line -> line.startsWith(COMMIT))
                    .map(line -> "Commit " + line.substring(COMMIT.length()))
                    .forEach(lines::add);
        }
        lines.add("Java " + Runtime.version() + " of " + System.getProperty("java.home"));
        return lines;
    }
}
