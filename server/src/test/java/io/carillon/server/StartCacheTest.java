package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.TrialCheckout.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the launcher records, takes and leaves the start cache. */
class StartCacheTest {
    @TempDir private Path folder;
    private TrialCheckout checkout;

    @BeforeEach
    void makeACheckoutAndAJdk() throws IOException {
        checkout = TrialCheckout.in(folder);
        options("-XX:+UseG1GC\n-XX:+UseCompactObjectHeaders\n");
        checkout.builtNow();
    }

    @Test
    void theFirstStartRecordsTheCacheAndTheNextOneTakesIt() throws Exception {
        Result first = run();
        assertThat(first.calls()).hasSize(2);
        assertThat(first.calls().getFirst()).contains("-XX:AOTCacheOutput=", " rehearse ");
        assertThat(first.calls().getLast()).contains("-XX:AOTCache=" + cache(), " run app.war");
        assertThat(first.output()).contains("Recording a start");

        Result second = run();
        assertThat(second.calls()).hasSize(1);
        assertThat(second.calls().getFirst()).contains("-XX:AOTCache=" + cache());
        assertThat(second.output()).doesNotContain("Recording", "cache could");
    }

    @Test
    void aChangedLibraryMakesItStale() throws Exception {
        run();
        checkout.write("server/target/lib/netty.jar", "netty, mended");

        assertThat(run().calls()).hasSize(2);
        assertThat(run().calls()).hasSize(1);
    }

    @Test
    void changedOptionsOrAnotherJdkMakeItStale() throws Exception {
        run();
        options("-XX:+UseZGC\n");
        checkout.builtNow();
        assertThat(run().calls()).hasSize(2);

        Files.writeString(checkout.jdk().resolve("release"), "JAVA_VERSION=\"26\"\n");
        assertThat(run().calls()).hasSize(2);
    }

    @Test
    void aCollectorOfTheUsersTakesTheShippedOnesPlaceAndHasNoCache() throws Exception {
        Result result = run("--jvm", "-XX:+UseZGC");

        assertThat(result.calls()).hasSize(1);
        assertThat(result.calls().getFirst())
                .contains("-XX:+UseZGC", "-XX:+UseCompactObjectHeaders")
                .doesNotContain("AOT", "UseG1GC");
        assertThat(result.output()).doesNotContain("Recording", "cache could");
    }

    @Test
    void aFileOfOptionsHasNoCache() throws Exception {
        Path options = folder.resolve("mine.options");
        Files.writeString(options, "-Xmx2g\n");

        Result result = run("--jvm-options", options.toString());

        assertThat(result.calls()).hasSize(1);
        assertThat(result.calls().getFirst()).contains("-Xmx2g").doesNotContain("AOT", "GC");
    }

    @Test
    void optionsThatItDoesNotDependOnKeepIt() throws Exception {
        assertThat(run("--jvm", "-Xmx2g").calls().getLast())
                .contains("-XX:AOTCache=" + cache(), "-Xmx2g");
    }

    @Test
    void whereItCannotBeRecordedTheServerStartsWithoutAndSaysSo() throws Exception {
        checkout.java("case \"$*\" in *AOTCacheOutput*) exit 1 ;; esac");
        Result first = run();
        assertThat(first.exit()).isZero();
        assertThat(first.calls().getLast()).contains(" run app.war").doesNotContain("AOT");
        assertThat(first.output()).contains("starting without the start cache");

        assertThat(run().calls()).as("it is not tried again").hasSize(1);
    }

    /** A distribution is up at once: what it records, it records behind that start. */
    @Test
    void theFirstStartOfADistributionDoesNotWait() throws Exception {
        checkout.write("bin/carillon", "#!/bin/sh\nexit 0\n");
        Result first = run();
        assertThat(first.calls()).hasSize(1);
        assertThat(first.calls().getFirst()).contains(" run app.war").doesNotContain("AOT");
        assertThat(first.output()).contains("recorded in the background");

        assertThat(run("--record-start").calls().getFirst()).contains("-XX:AOTCacheOutput=");
        assertThat(run().calls().getFirst()).contains("-XX:AOTCache=" + cache(), " run app.war");
    }

    @Test
    void theUserCanTurnItOff() throws Exception {
        Result result = checkout.run(Map.of("CARILLON_START_CACHE", "off"), "run", "app.war");

        assertThat(result.calls()).hasSize(1).noneMatch(call -> call.contains("AOT"));
    }

    /** Options of the owner's that are kept in a file count as if they were given. */
    @Test
    void aKeptFileOfOptionsComesAfterTheShippedOnes() throws Exception {
        run();
        checkout.write(".carillon/conf/jvm.options", "# more room\n-Xmx3g\n");
        assertThat(run().calls().getLast())
                .containsSubsequence("-XX:+UseCompactObjectHeaders", "-Xmx3g", " run app.war");

        Files.delete(checkout.home().resolve(".carillon/conf/jvm.options"));
        assertThat(run().calls().getLast()).doesNotContain("-Xmx3g");
    }

    /** A process with options of its own leaves a file, which goes when it has ended. */
    @Test
    void filesOfEndedProcessesGo() throws Exception {
        run("--jvm", "-Xmx2g");
        run("--jvm", "-Xmx2g");

        try (var files = Files.list(checkout.home().resolve(".carillon/start"))) {
            assertThat(files.filter(file -> file.getFileName().toString().matches("run-.*")))
                    .hasSize(1);
        }
    }

    private Path cache() {
        return checkout.home().resolve(".carillon/start/server.aot");
    }

    private void options(String lines) throws IOException {
        checkout.write("server/src/main/dist/jvm.options", lines);
    }

    private Result run(String... more) throws Exception {
        String[] arguments = new String[more.length + 2];
        arguments[0] = "run";
        arguments[1] = "app.war";
        System.arraycopy(more, 0, arguments, 2, more.length);
        return checkout.run(arguments);
    }
}
