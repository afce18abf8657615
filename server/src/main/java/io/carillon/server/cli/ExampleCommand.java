package io.carillon.server.cli;

import io.carillon.server.HomeFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code carillon example}: says which there are. The launcher itself starts one that is there. */
@Command(
        name = "example",
        description =
                "Starts an example that is a program of its own, as a Spring Boot application is"
                        + " (docs/guides/spring-boot.md). Without a name: which there are.",
        mixinStandardHelpOptions = true)
final class ExampleCommand implements Callable<Integer> {
    private static final String JAR = ".jar";

    @Parameters(arity = "0..*", paramLabel = "NAME", description = "The example, and its options.")
    private @Nullable List<String> asked;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        List<String> names = names(HomeFolder.current().folder().resolve("examples"));
        if (asked != null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "there is no example '"
                            + asked.getFirst()
                            + "'; there are "
                            + String.join(", ", names));
        }
        names.forEach(spec.commandLine().getOut()::println);
        return 0;
    }

    private static List<String> names(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(JAR))
                    .map(name -> name.substring(0, name.length() - JAR.length()))
                    .sorted()
                    .toList();
        }
    }
}
