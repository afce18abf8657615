package io.carillon.lab.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.carillon.lab.load.LoadSummary;
import io.carillon.lab.process.WrongSetting;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The study between transports goes on after a failure, and where it was interrupted. */
class TransportRunTest {
    @TempDir private Path folder;
    private final List<String> happened = new ArrayList<>();
    private String broken = "";

    private final class Server implements TransportRun.Measuring {
        private final String workload;

        Server(String workload) {
            this.workload = workload;
            happened.add("start " + workload);
        }

        @Override
        public LoadSummary measure(TransportPair pair) throws IOException {
            happened.add(workload + " " + pair);
            if (pair.toString().equals(broken)) {
                throw new IOException("the server ended by itself");
            }
            return summary(pair.toString().equals("tcp-udp") ? 3 : 0);
        }

        @Override
        public void close() {
            happened.add("stop " + workload);
        }
    }

    private static LoadSummary summary(long failed) {
        return new LoadSummary(
                "b2bua",
                200,
                60,
                12_000,
                12_000 - failed,
                failed == 0 ? Map.of() : Map.of("503", failed),
                200,
                1,
                2,
                0,
                0,
                1,
                2,
                3.25,
                4,
                5,
                0.1,
                0.2,
                100,
                0,
                0,
                false,
                "",
                456.4,
                0,
                "",
                List.of());
    }

    private static TransportStudy study(List<String> workloads, String... pairs) {
        return new TransportStudy(
                200, 60, 10, 1, workloads, List.of(pairs), "0", "1", List.of("--trace"));
    }

    private List<TransportResult> run(TransportStudy study) throws Exception {
        return run(study, (workload, own) -> new Server(workload));
    }

    private List<TransportResult> run(TransportStudy study, TransportRun.Start start)
            throws Exception {
        StudyProgress silent =
                new StudyProgress(
                        new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                        false,
                        () -> 0);
        return new TransportRun(study, folder, silent, start).run();
    }

    @Test
    void oneServerForAllPairsOfAWorkloadAndOneTable() throws Exception {
        List<TransportResult> results =
                run(study(List.of("proxy200", "b2bua"), "udp-udp", "tcp-udp"));

        assertThat(happened)
                .containsExactly(
                        "start proxy200",
                        "proxy200 udp-udp",
                        "proxy200 tcp-udp",
                        "stop proxy200",
                        "start b2bua",
                        "b2bua udp-udp",
                        "b2bua tcp-udp",
                        "stop b2bua");
        assertThat(results)
                .extracting(TransportResult::clean)
                .containsExactly(true, false, true, false);
        assertThat(Files.readString(folder.resolve("transports.md")))
                .isEqualTo(TransportResult.table(results))
                .contains("| proxy200 | udp-udp | 12,000 | 0 | 3 | 3.3 | 456 |  |")
                .contains("| b2bua | tcp-udp | 12,000 | 3 | 3 | 3.3 | 456 |  |");
        assertThat(results.get(1).line())
                .isEqualTo("proxy200 tcp-udp: 12,000 calls, 3 failed {503=3}");
    }

    @Test
    void aPairThatCannotBeMeasuredDoesNotEndTheStudy() throws Exception {
        broken = "tls-tls/6";
        List<TransportResult> results =
                run(study(List.of("b2bua"), "udp-udp", "tls-tls/6", "ws-ws"));

        assertThat(happened)
                .containsExactly(
                        "start b2bua",
                        "b2bua udp-udp",
                        "b2bua tls-tls/6",
                        "stop b2bua",
                        "start b2bua",
                        "b2bua ws-ws",
                        "stop b2bua");
        assertThat(results.get(1).clean()).isFalse();
        assertThat(results.get(1).line())
                .isEqualTo("b2bua tls-tls/6: not measured, the server ended by itself");
        assertThat(Files.readString(folder.resolve("transports.md")))
                .contains("| b2bua | tls-tls/6 | not measured |")
                .contains("| the server ended by itself |");
    }

    @Test
    void afterFailedCallsTheNextPairGetsANewServer() throws Exception {
        run(study(List.of("b2bua"), "tcp-udp", "udp-udp"));

        assertThat(happened)
                .containsExactly(
                        "start b2bua",
                        "b2bua tcp-udp",
                        "stop b2bua",
                        "start b2bua",
                        "b2bua udp-udp",
                        "stop b2bua");
    }

    @Test
    void aServerThatDoesNotStartEndsTheStudy() throws Exception {
        run(study(List.of("b2bua"), "udp-udp"));
        TransportStudy more = study(List.of("b2bua"), "udp-udp", "ws-ws", "tls-tls");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() ->
                        run(
                                more,
                                (workload, own) -> {
                                    happened.add("in vain");
                                    throw new IOException("no address to listen on");
                                }))
                .withMessage("no address to listen on");
        assertThat(happened).containsOnlyOnce("in vain");
        assertThat(run(more)).hasSize(3).allMatch(TransportResult::clean);
    }

    @Test
    void whatWasInterruptedGoesOnWithWhatIsLeftAndWhatWasNotMeasured() throws Exception {
        TransportStudy asked = study(List.of("b2bua"), "udp-udp", "tls-tls/6", "ws-ws");
        TransportRun.begin(asked, folder);
        broken = "tls-tls/6";
        run(study(List.of("b2bua"), "udp-udp", "tls-tls/6"));
        happened.clear();
        broken = "";

        TransportStudy stored = TransportRun.study(folder);
        List<TransportResult> results = run(stored);

        assertThat(stored).isEqualTo(asked);
        assertThat(happened)
                .containsExactly("start b2bua", "b2bua tls-tls/6", "b2bua ws-ws", "stop b2bua");
        assertThat(results)
                .extracting(TransportResult::pair)
                .containsExactly("udp-udp", "tls-tls/6", "ws-ws");
        assertThat(results).allMatch(TransportResult::clean);
    }

    @Test
    void whatIsDoneStartsNoServer() throws Exception {
        run(study(List.of("b2bua"), "udp-udp"));
        happened.clear();

        run(study(List.of("b2bua"), "udp-udp"));

        assertThat(happened).isEmpty();
    }

    @Test
    void aFolderWithoutAStudyIsAnErrorOfOneLine() {
        assertThatExceptionOfType(WrongSetting.class)
                .isThrownBy(() -> TransportRun.study(folder))
                .withMessageContaining("holds no study");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "{\"workloads\":[\"b2bua\"],\"pairs\":[null]}"})
    void whatIsNoStudyIsAnErrorOfOneLine(String json) throws IOException {
        Files.writeString(folder.resolve("study.json"), json);

        assertThatExceptionOfType(WrongSetting.class)
                .isThrownBy(() -> TransportRun.study(folder))
                .withMessageContaining("study.json is no study of transports");
    }

    @Test
    void aResultThatIsNoneIsNamed() throws Exception {
        Files.writeString(folder.resolve("b2bua-udp-udp.json"), "{}");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> run(study(List.of("b2bua"), "udp-udp")))
                .withMessageContaining("b2bua-udp-udp.json is no result of a pair");
    }
}
