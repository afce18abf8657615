package io.carillon.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.lab.peers.Contender;
import io.carillon.lab.peers.Contenders;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WindowPairsTest {
    @TempDir private Path folder;

    private final List<String> log = new ArrayList<>();
    private final List<Contender> two = Contenders.named(List.of("carillon", "kamailio"));
    private BiFunction<String, Integer, MeasuredWindow> measured =
            (name, rate) -> SampleRows.window(name, rate, 100);

    /** Virtual time, seconds. */
    private long now;

    private long startSeconds;
    private long windowSeconds;
    private AfterReady when = AfterReady.ANY_TIME;

    private final class Scripted implements ServerUnderTest {
        private final String name;
        private final long ready;

        Scripted(String name) {
            this.name = name;
            log.add("start " + name);
            ready = now;
            now += startSeconds;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public MeasuredWindow window(int rate, Path place) {
            log.add(name + " " + rate);
            now += windowSeconds;
            return measured.apply(name, rate);
        }

        @Override
        public long secondsSinceReady() {
            return now - ready;
        }

        @Override
        public void idle(long seconds) {
            log.add("wait " + seconds);
            now += seconds;
        }

        @Override
        public void close() {
            log.add("stop " + name);
        }
    }

    private void run(ComparisonFolder results, LoadShape shape, List<Contender> contenders)
            throws IOException, InterruptedException {
        PrintStream nowhere =
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        new WindowPairs(
                        c -> new Scripted(c.name()),
                        shape,
                        when,
                        new DisturbanceLimits(5, 3),
                        results,
                        nowhere)
                .run(contenders);
    }

    private ComparisonFolder begin() throws IOException {
        return ComparisonFolder.begin(folder, ComparisonFolderTest.plan(folder));
    }

    @Test
    void windowsComeInTheOrderAbbaAndEachIsStored() throws Exception {
        ComparisonFolder results = begin();
        run(results, SampleRows.shape(2, 500), two);
        assertThat(log)
                .containsExactly(
                        "start carillon",
                        "start kamailio",
                        "carillon 500",
                        "kamailio 500",
                        "kamailio 500",
                        "carillon 500",
                        "stop kamailio",
                        "stop carillon");
        assertThat(ComparisonFolder.resume(folder).rows()).hasSize(4).isEqualTo(results.rows());
    }

    @Test
    void onlyTheFirstServerStaysUpAgainstSeveral() throws Exception {
        run(
                begin(),
                SampleRows.shape(1, 500),
                Contenders.named(List.of("carillon", "relay", "liberty")));
        assertThat(log)
                .containsSubsequence(
                        "start carillon",
                        "start relay",
                        "stop relay",
                        "start liberty",
                        "stop liberty");
        assertThat(log).containsOnlyOnce("start carillon");
    }

    @Test
    void aStoppedComparisonGoesOnWhereItWas() throws Exception {
        int[] left = {3};
        measured =
                (name, rate) -> {
                    if (left[0]-- == 0) {
                        throw new IllegalStateException("stopped");
                    }
                    return SampleRows.window(name, rate, 100);
                };
        assertThatThrownBy(() -> run(begin(), SampleRows.shape(2, 500), two)).hasMessage("stopped");
        log.clear();
        left[0] = 100;
        ComparisonFolder again = ComparisonFolder.resume(folder);
        run(again, SampleRows.shape(2, 500), two);
        // The second pair was half done: it is measured anew as a whole.
        assertThat(log)
                .containsExactly(
                        "start carillon",
                        "start kamailio",
                        "kamailio 500",
                        "carillon 500",
                        "stop kamailio",
                        "stop carillon");
        log.clear();
        run(again, SampleRows.shape(2, 500), two);
        assertThat(log).isEmpty();
    }

    @Test
    void aWindowOnABusyMachineIsRepeated() throws Exception {
        int[] calls = {0};
        measured =
                (name, rate) ->
                        calls[0]++ < 2
                                ? SampleRows.busy(name, rate, 50, 0)
                                : SampleRows.window(name, rate, 100);
        ComparisonFolder results = begin();
        run(results, SampleRows.shape(1, 500), two);
        assertThat(results.rows().stream().map(StoredWindow::counted))
                .containsExactly(false, false, true, true);
        assertThat(results.rows().stream().map(StoredWindow::attempt)).containsExactly(1, 2, 3, 1);
    }

    @Test
    void aMachineThatStaysBusyEndsItWithASentence() throws Exception {
        measured = (name, rate) -> SampleRows.busy(name, rate, 50, 0);
        ComparisonFolder results = begin();
        assertThatThrownBy(() -> run(results, SampleRows.shape(1, 500), two))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("too busy in 3 windows")
                .hasMessageContaining("--resume " + folder);
        assertThat(results.rows()).hasSize(3).noneMatch(StoredWindow::counted);
    }

    @Test
    void aServerThatIsNeverCleanAtARateIsNotAskedForMore() throws Exception {
        measured =
                (name, rate) ->
                        name.equals("kamailio") && rate >= 1000
                                ? SampleRows.unclean(name, rate)
                                : SampleRows.window(name, rate, 100);
        ComparisonFolder results = begin();
        run(results, SampleRows.shape(5, 500, 1000, 2000), two);
        assertThat(log.stream().filter("kamailio 500"::equals)).hasSize(5);
        assertThat(log.stream().filter("kamailio 1000"::equals)).hasSize(2);
        assertThat(log).doesNotContain("kamailio 2000");
        log.clear();
        run(results, SampleRows.shape(5, 500, 1000, 2000), two);
        assertThat(log).isEmpty();
    }

    @Test
    void oneUncleanWindowAmongCleanOnesEndsNothing() throws Exception {
        int[] calls = {0};
        measured =
                (name, rate) ->
                        calls[0]++ % 4 == 1
                                ? SampleRows.unclean(name, rate)
                                : SampleRows.window(name, rate, 100);
        run(begin(), SampleRows.shape(4, 500), two);
        assertThat(log.stream().filter("kamailio 500"::equals)).hasSize(4);
    }

    @Test
    void oneServerAloneHasAWindowForEachPair() throws Exception {
        ComparisonFolder results = begin();
        run(results, SampleRows.shape(3, 500), Contenders.named(List.of("carillon")));
        assertThat(log)
                .containsExactly(
                        "start carillon",
                        "carillon 500",
                        "carillon 500",
                        "carillon 500",
                        "stop carillon");
        log.clear();
        run(results, SampleRows.shape(3, 500), Contenders.named(List.of("carillon")));
        assertThat(log).isEmpty();
    }

    private static String windowOf(StoredWindow row) {
        return row.window().server() + " " + row.begunAfterReady() + " " + row.endedAfterReady();
    }

    /** Windows of 70 s, servers that are warm 50 s after READY. */
    private void asShipped() {
        when = AfterReady.AS_SHIPPED;
        startSeconds = 50;
        windowSeconds = 70;
    }

    @Test
    void asShippedItWaitsForTheSecondMinuteOfBoth() throws Exception {
        asShipped();
        ComparisonFolder results = begin();
        run(results, SampleRows.shape(1, 500), two);
        assertThat(log)
                .containsExactly(
                        "start carillon",
                        "start kamailio",
                        "wait 70",
                        "carillon 500",
                        "kamailio 500",
                        "stop kamailio",
                        "stop carillon");
        assertThat(results.rows().stream().map(WindowPairsTest::windowOf))
                .containsExactly("carillon 170 240", "kamailio 190 260");
        assertThat(ComparisonFolder.resume(folder).rows()).isEqualTo(results.rows());
    }

    @Test
    void asShippedNewServersFollowWhereTheTenthMinuteIsNear() throws Exception {
        asShipped();
        ComparisonFolder results = begin();
        run(results, SampleRows.shape(4, 500), two);
        // 170 s + 2 pairs of 140 s = 450 s: a third pair could end after 600 s.
        assertThat(log.stream().filter("start carillon"::equals)).hasSize(2);
        assertThat(log.stream().filter("start kamailio"::equals)).hasSize(2);
        assertThat(results.rows()).hasSize(8).allMatch(StoredWindow::counted);
        assertThat(results.rows())
                .allMatch(row -> row.begunAfterReady() >= 120 && row.endedAfterReady() <= 600);
        assertThat(results.rows().stream().map(StoredWindow::pair))
                .containsExactly(0, 0, 1, 1, 2, 2, 3, 3);
    }

    @Test
    void asShippedAWindowThatEndsTooLateDoesNotCount() throws Exception {
        asShipped();
        windowSeconds = 300;
        ComparisonFolder results = begin();
        assertThatThrownBy(() -> run(results, SampleRows.shape(1, 500), two))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no pair of windows was whole 120 to 600 s after READY")
                .hasMessageContaining("--resume " + folder);
        assertThat(results.rows().stream().map(StoredWindow::counted)).containsExactly(true, false);
        assertThat(log).endsWith("stop kamailio", "stop carillon");
    }
}
