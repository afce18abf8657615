package io.carillon.server.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A distribution's start cache is recorded for a server that runs, and for no other. */
class StartCacheLaterTest {
    @TempDir private Path folder;
    private StartCache cache;

    @BeforeEach
    void makeALauncherThatNotesItsArguments() throws Exception {
        Path launcher = Files.createDirectories(folder.resolve("bin")).resolve("carillon");
        Files.writeString(launcher, "#!/bin/sh\necho \"$*\" >\"" + noted() + "\"\n");
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
        Program program =
                new Program(
                        Path.of(System.getProperty("java.home")),
                        folder,
                        folder.resolve("lib"),
                        folder.resolve("bridge"),
                        folder.resolve("start"));
        cache =
                new StartCache(
                        program, new JvmOptions(folder.resolve("options"), List.of(), List.of()));
    }

    @Test
    void itIsRecordedBesideTheServerThatAskedForIt() throws Exception {
        run(ProcessHandle.current().pid());

        assertThat(noted()).hasContent("run --record-start");
    }

    @Test
    void aServerThatHasEndedHasNothingRecorded() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        assertThat(ended.waitFor(60, TimeUnit.SECONDS)).isTrue();

        run(ended.pid());

        assertThat(noted()).doesNotExist();
    }

    private Path noted() {
        return folder.resolve("noted");
    }

    private void run(long server) throws Exception {
        Process later = new ProcessBuilder(cache.later(0, server)).inheritIO().start();
        assertThat(later.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(later.exitValue()).isZero();
    }
}
