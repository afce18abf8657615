package io.carillon.lab.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that are shell scripts: when they count as started, and how they end. */
class ServerProcessTest {
    @TempDir private Path folder;

    private ServerProcess start(String script) throws IOException {
        return ServerProcess.start(
                new ServerProcess.Launch(
                        "shell",
                        6000,
                        List.of("sh", "-c", script),
                        Map.of("WORD", "READY"),
                        List.of("loaded", "READY"),
                        List.of("FAULT")),
                folder);
    }

    @Test
    void itHasStartedWhenItHasSaidAllSigns() throws IOException {
        try (ServerProcess server = start("echo loaded; echo $WORD; exec sleep 60")) {
            server.checkAlive();
            assertThat(server.memoryBytes()).isPositive();
            assertThat(server.residentBytes()).isPositive();
        }
        assertThat(folder.resolve("shell.log")).hasContent("loaded\nREADY");
    }

    @Test
    void oneThatEndsFirstIsToldWithItsLastWords() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> start("echo loaded; echo '  at a.b.C'; echo 'no port'; exit 1"))
                .withMessage(
                        "shell did not start; it said: loaded / no port; all of it is in "
                                + folder.resolve("shell.log"));
    }

    @Test
    void whatItSaysWhenItWillTakeNoCallsIsNotWaitedFor() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> start("echo loaded; echo FAULT; exec sleep 60"))
                .withMessageContaining("loaded / FAULT");
    }

    @Test
    void killedItRunsNoHookAndStartsAgainWithALogOfItsOwn() throws IOException {
        String script =
                "trap 'echo ended' TERM; echo loaded; echo READY; while :; do sleep 1; done";
        try (ServerProcess server = start(script)) {
            long first = server.pid();
            server.kill();
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(server::checkAlive)
                    .withMessageContaining("shell ended by itself");

            server.restart();

            server.checkAlive();
            assertThat(server.pid()).isNotEqualTo(first);
            server.kill();
        }
        assertThat(folder.resolve("shell.log")).hasContent("loaded\nREADY");
        assertThat(folder.resolve("shell-2.log")).hasContent("loaded\nREADY");
    }
}
