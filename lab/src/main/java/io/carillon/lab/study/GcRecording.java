package io.carillon.lab.study;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Reads from a flight recording what the collector did between two moments. All of HotSpot's
 * collectors write the same events for pauses and for the heap before and after a collection.
 */
final class GcRecording {
    private final Instant from;
    private final Instant to;
    private final List<Double> pauses = new ArrayList<>();
    private final List<Long> heapsAfterGc = new ArrayList<>();
    private final Map<Long, Long> allocatedAtBegin = new HashMap<>();
    private final Map<Long, Long> allocatedAtEnd = new HashMap<>();
    private Instant firstAllocation = Instant.MAX;
    private Instant lastAllocation = Instant.MIN;
    private final double[] longestPauses;
    private final double[] heaps;
    private int collections;
    private int stalls;
    private double maxStall;

    private GcRecording(Instant from, Instant to) {
        this.from = from;
        this.to = to;
        int seconds = (int) Math.max(1, Duration.between(from, to).toSeconds());
        this.longestPauses = new double[seconds];
        this.heaps = new double[seconds];
    }

    /** Options that make a JVM record, with the file left behind when it ends. */
    static List<String> options(Path folder) throws IOException {
        Path settings = folder.resolve("study.jfc");
        try (InputStream shipped = GcRecording.class.getResourceAsStream("study.jfc")) {
            if (shipped == null) {
                throw new IOException("study.jfc is missing from the lab's archive");
            }
            Files.copy(shipped, settings, StandardCopyOption.REPLACE_EXISTING);
        }
        return List.of(
                "-XX:FlightRecorderOptions:repository=" + folder.resolve("jfr"),
                "-XX:StartFlightRecording:settings="
                        + settings
                        + ",dumponexit=true,filename="
                        + file(folder),
                "-Xlog:jfr+startup=off");
    }

    static Path file(Path folder) {
        return folder.resolve("server.jfr");
    }

    static GcRecording read(Path file, Instant from, Instant to) throws IOException {
        GcRecording reader = new GcRecording(from, to);
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                reader.take(recording.readEvent());
            }
        }
        return reader;
    }

    private void take(RecordedEvent event) {
        boolean within = !event.getStartTime().isBefore(from) && event.getStartTime().isBefore(to);
        switch (event.getEventType().getName()) {
            case "jdk.ThreadAllocationStatistics" -> allocation(event);
            case "jdk.GCPhasePause" -> {
                if (within) {
                    pause(event, millis(event));
                }
            }
            case "jdk.GarbageCollection" -> collections += within ? 1 : 0;
            case "jdk.GCHeapSummary" -> {
                if (within && "After GC".equals(event.getString("when"))) {
                    heapsAfterGc.add(event.getLong("heapUsed"));
                }
            }
            case "jdk.GCHeapMemoryUsage" -> {
                if (within) {
                    heaps[second(event)] = event.getLong("used");
                }
            }
            case "jdk.ZAllocationStall" -> {
                if (within) {
                    stalls++;
                    maxStall = Math.max(maxStall, millis(event));
                }
            }
            default -> {
                // Bookkeeping of the recorder itself.
            }
        }
    }

    private static double millis(RecordedEvent event) {
        return event.getDuration().toNanos() / 1e6;
    }

    private int second(RecordedEvent event) {
        long second = Duration.between(from, event.getStartTime()).toSeconds();
        return (int) Math.min(second, heaps.length - 1L);
    }

    private void pause(RecordedEvent event, double millis) {
        pauses.add(millis);
        longestPauses[second(event)] = Math.max(longestPauses[second(event)], millis);
    }

    /**
     * Each thread tells once a second what it has allocated since it began. A thread that began
     * later counts from 0, one that ended keeps what it said last.
     */
    private void allocation(RecordedEvent event) {
        Instant time = event.getStartTime();
        if (event.getThread("thread") == null || !time.isBefore(to)) {
            return;
        }
        long thread = event.getThread("thread").getId();
        long allocated = event.getLong("allocated");
        if (time.isBefore(from)) {
            allocatedAtBegin.put(thread, allocated);
            firstAllocation = time;
        } else {
            if (!firstAllocation.isBefore(from)) {
                // The recording began after the measurement: its first word is where counting
                // begins.
                allocatedAtBegin.putIfAbsent(thread, allocated);
                firstAllocation = firstAllocation.isAfter(time) ? time : firstAllocation;
            }
            lastAllocation = time;
        }
        allocatedAtEnd.put(thread, allocated);
    }

    GcFigures figures() {
        Collections.sort(pauses);
        Collections.sort(heapsAfterGc);
        double total = pauses.stream().mapToDouble(Double::doubleValue).sum();
        return new GcFigures(
                collections,
                pauses.size(),
                percentile(pauses, 1),
                percentile(pauses, 0.99),
                total,
                stalls,
                maxStall,
                allocatedPerSecond(),
                heapsAfterGc.isEmpty() ? 0 : heapsAfterGc.get(heapsAfterGc.size() / 2));
    }

    private double allocatedPerSecond() {
        double seconds =
                lastAllocation.isAfter(firstAllocation)
                        ? Duration.between(firstAllocation, lastAllocation).toNanos() / 1e9
                        : 0;
        long bytes = 0;
        for (Map.Entry<Long, Long> end : allocatedAtEnd.entrySet()) {
            bytes += end.getValue() - allocatedAtBegin.getOrDefault(end.getKey(), 0L);
        }
        return seconds == 0 ? 0 : bytes / seconds;
    }

    private static double percentile(List<Double> sorted, double quantile) {
        if (sorted.isEmpty()) {
            return 0;
        }
        return sorted.get((int) Math.ceil(quantile * sorted.size()) - 1);
    }

    /** The longest pause of each second, milliseconds. */
    double[] longestPausesMillis() {
        return longestPauses.clone();
    }

    /** Heap in use at each second, MiB; a second without a reading has that of the one before. */
    double[] heapMiB() {
        double[] filled = Arrays.copyOf(heaps, heaps.length);
        for (int i = 0; i < filled.length; i++) {
            filled[i] = filled[i] == 0 && i > 0 ? filled[i - 1] : filled[i] / (1 << 20);
        }
        return filled;
    }
}
