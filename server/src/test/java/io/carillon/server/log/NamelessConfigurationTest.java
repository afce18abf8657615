package io.carillon.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.core.LoggerContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The log starts on a machine that cannot resolve its own name. */
class NamelessConfigurationTest {
    @TempDir private Path folder;

    @Test
    void theServersConfigurationAsksForNoName() {
        LoggerContext context = LoggerContext.getContext(false);

        assertThat(context.getConfiguration().getProperties())
                .containsEntry(NamelessConfiguration.HOST_NAME, "localhost");
        assertThat(context.getConfiguration().getAppenders()).containsKey("Lines");
    }

    @Test
    void noStackTraceIsPrintedWhereTheNameIsUnknown() throws Exception {
        Path hosts = Files.writeString(folder.resolve("hosts"), "# no names\n");
        String printed =
                printedBy(
                        "-Djdk.net.hosts.file=" + hosts,
                        "-cp",
                        System.getProperty("java.class.path"),
                        OneLine.class.getName());

        assertThat(printed.strip().lines()).hasSize(1);
        assertThat(printed).contains("the only line").doesNotContain("UnknownHost");
    }

    /** A program that logs a line. */
    static final class OneLine {
        private OneLine() {}

        public static void main(String[] arguments) {
            LoggerFactory.getLogger(OneLine.class).info("the only line");
            LoggerContext.getContext(false).stop();
        }
    }

    private static String printedBy(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String printed =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return printed;
    }
}
