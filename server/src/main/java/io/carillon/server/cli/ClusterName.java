package io.carillon.server.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** What {@code --cluster} may be. */
final class ClusterName {
    private ClusterName() {}

    /**
     * Is it the name of a cluster on this machine?
     *
     * @param file that it was taken for; null where there is no such file
     */
    static void check(CommandLine line, String text, @Nullable Path file) {
        if (file != null) {
            throw new ParameterException(
                    line, "--cluster " + text + ": the file has no section cluster with a name");
        }
        if (!text.matches("[A-Za-z0-9_-]{1,32}")) {
            throw new ParameterException(
                    line,
                    "--cluster "
                            + text
                            + ": there is no such file, and a name has 1 to 32 letters, digits, - and _");
        }
    }
}
