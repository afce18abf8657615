package io.carillon.lab.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a load writes: lines, the live view, the summary, JSON. */
class LoadOutputTest {
    private static final LoadSample SECOND =
            new LoadSample(
                    7,
                    false,
                    400,
                    401,
                    399,
                    2,
                    16_000,
                    3,
                    4,
                    0,
                    5,
                    1.5,
                    2.5,
                    3.5,
                    4.5,
                    9.9,
                    0.1,
                    0.42,
                    0,
                    -1,
                    0,
                    0,
                    Outcomes.NONE);

    private static LoadSummary summary(boolean limited, List<String> broken) {
        return new LoadSummary(
                "b2bua",
                400,
                60,
                100,
                97,
                Map.of("503", 3L),
                50,
                1,
                2,
                0,
                4,
                1,
                2,
                3,
                4,
                5,
                0.1,
                1,
                90,
                2,
                0,
                limited,
                limited ? "The load itself was the bottleneck: x." : "",
                -1,
                0,
                "",
                broken);
    }

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, UTF_8);

    @Test
    void withoutATerminalASecondIsALine() {
        LoadView view = new LoadView(out, false, "title", 60);
        view.show(SECOND, false);
        assertThat(bytes.toString(UTF_8).lines())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("0:07  400/s  made 401  completed 399  failed 2  held 16000")
                .doesNotContain("\u001b");
    }

    @Test
    void theLiveViewIsWrittenOverItself() {
        LoadView view = new LoadView(out, true, "title", 60);
        view.show(SECOND, false);
        int first = bytes.size();
        view.show(SECOND, false);
        String text = bytes.toString(UTF_8);
        assertThat(text).contains("0:07, 0:53 left").contains("made        802");
        assertThat(text.substring(first)).startsWith("\u001b[?7l\u001b[7A");
        assertThat(text.substring(0, first).lines()).hasSize(8);
    }

    @Test
    void theSummaryNamesCausesAndBrokenLimits() {
        new LoadView(out, false, "title", 0).summary(summary(true, List.of("3 calls failed.")));
        assertThat(bytes.toString(UTF_8))
                .contains("100 calls made in 60 s, 97 completed, 3 failed {503=3}")
                .contains("BROKEN: 3 calls failed.")
                .contains("The load itself was the bottleneck: x.");
    }

    @Test
    void exitCodesTellLimitsFromTheLoadsOwnFault() {
        assertThat(LoadCommand.exitCode(summary(false, List.of()))).isZero();
        assertThat(LoadCommand.exitCode(summary(false, List.of("x")))).isEqualTo(1);
        assertThat(LoadCommand.exitCode(summary(true, List.of("x")))).isEqualTo(3);
    }

    @Test
    void linesOfJsonEndWithTheSummary(@TempDir Path folder) throws IOException {
        Path lines = folder.resolve("lines");
        Path whole = folder.resolve("whole");
        try (JsonOut json = new JsonOut(whole, lines)) {
            json.sample(SECOND);
            json.summary(summary(false, List.of()));
        }
        JsonMapper mapper = JsonMapper.builder().build();
        List<String> written = Files.readAllLines(lines);
        assertThat(written).hasSize(2);
        JsonNode second = mapper.readTree(written.getFirst());
        assertThat(second.get("held").asLong()).isEqualTo(16_000);
        assertThat(second.get("p99Millis").asDouble()).isEqualTo(3.5);
        JsonNode last = mapper.readTree(written.getLast());
        assertThat(last).isEqualTo(mapper.readTree(Files.readString(whole)));
        assertThat(last.get("failed").get("503").asLong()).isEqualTo(3);
    }
}
