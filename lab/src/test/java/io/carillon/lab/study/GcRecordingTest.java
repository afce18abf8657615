package io.carillon.lab.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Reading what this very JVM records of its own collections, with the settings of the study. */
class GcRecordingTest {
    private static final int BYTES = 64 << 20;

    @TempDir private Path folder;

    private Instant begin = Instant.MIN;
    private Instant end = Instant.MAX;

    @Test
    void pausesHeapAndAllocationOfAStretchOfTime() throws Exception {
        long collectionsBefore = collections();
        Path file = record();
        long collections = collections() - collectionsBefore;

        GcFigures figures = GcRecording.read(file, begin, end).figures();

        assertThat(figures.collections()).isBetween(2, (int) collections);
        assertThat(figures.pauses()).isGreaterThanOrEqualTo(figures.collections());
        assertThat(figures.maxPauseMillis()).isPositive();
        assertThat(figures.p99PauseMillis())
                .isPositive()
                .isLessThanOrEqualTo(figures.maxPauseMillis());
        assertThat(figures.totalPauseMillis()).isGreaterThanOrEqualTo(figures.maxPauseMillis());
        assertThat(figures.heapAfterGcBytes()).isPositive();
        assertThat(figures.stalls()).isZero();
    }

    @Test
    void whatThreadsAllocatedBetweenTheFirstAndTheLastWordOfThem() throws Exception {
        GcFigures figures = GcRecording.read(record(), begin, end).figures();

        // 64 MB in less time than the stretch, which is the recording and a second on both sides.
        double atLeast = BYTES / (Duration.between(begin, end).toNanos() / 1e9);
        assertThat(figures.allocatedBytesPerSecond()).isGreaterThan(atLeast);
    }

    @Test
    void theLongestPauseStandsInItsSecond() throws Exception {
        GcRecording recording = GcRecording.read(record(), begin, end);

        double longest = Arrays.stream(recording.longestPausesMillis()).max().orElseThrow();
        assertThat(longest).isEqualTo(recording.figures().maxPauseMillis());
    }

    @Test
    void whatWasBeforeOrAfterDoesNotCount() throws Exception {
        Path file = record();

        // A minute away, for a collection may happen while the recording begins or ends.
        for (Instant other : List.of(begin.minusSeconds(70), end.plusSeconds(60))) {
            GcFigures none = GcRecording.read(file, other, other.plusSeconds(10)).figures();
            assertThat(none.pauses()).isZero();
            assertThat(none.collections()).isZero();
            assertThat(none.heapAfterGcBytes()).isZero();
        }
    }

    @Test
    void theOptionsNameTheSettingsAndTheFile() throws Exception {
        List<String> options = GcRecording.options(folder);

        assertThat(options).anyMatch(o -> o.contains("filename=" + GcRecording.file(folder)));
        assertThat(Files.readString(folder.resolve("study.jfc"))).contains("jdk.GCPhasePause");
    }

    private Path record() throws Exception {
        try (Recording recording = new Recording(settings())) {
            recording.start();
            // The recorder's clock and this one may differ by a little.
            begin = Instant.now().minusSeconds(1);
            List<byte[]> kept = new ArrayList<>();
            for (int done = 0; done < BYTES; done += 1 << 16) {
                kept.add(new byte[1 << 16]);
            }
            System.gc();
            kept.clear();
            System.gc();
            end = Instant.now().plusSeconds(1);
            recording.stop();
            Path file = folder.resolve("own.jfr");
            recording.dump(file);
            return file;
        }
    }

    /** Those of study.jfc, read as the JVM would. */
    private Map<String, String> settings() throws Exception {
        GcRecording.options(folder);
        Element root =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(folder.resolve("study.jfc").toFile())
                        .getDocumentElement();
        Map<String, String> settings = new HashMap<>();
        NodeList all = root.getElementsByTagName("setting");
        for (int i = 0; i < all.getLength(); i++) {
            Element setting = (Element) all.item(i);
            String event = ((Element) setting.getParentNode()).getAttribute("name");
            settings.put(event + "#" + setting.getAttribute("name"), setting.getTextContent());
        }
        // At the recording's begin and end, instead of once a second.
        settings.put("jdk.ThreadAllocationStatistics#period", "everyChunk");
        return settings;
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(bean -> bean.getCollectionCount())
                .sum();
    }
}
