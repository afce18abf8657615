package io.carillon.lab.study;

import io.carillon.lab.process.Folders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The options that the server's JVM gets in a study: the shipped file's, with those that choose or
 * tune a collector replaced by the setting's. Two collectors named at once would stop the JVM, and
 * a tuning that was made for another collector would make the setting look better or worse than it
 * is.
 */
final class JvmOptions {
    /** What chooses a collector or tunes one: also what several collectors read. */
    private static final Pattern COLLECTOR =
            Pattern.compile(
                    "-XX:[+-]Use[A-Za-z0-9]*GC|-XX:[+-]?(G1|Z[A-Z]|Shenandoah)[A-Za-z0-9]*(=.*)?"
                            + "|-XX:(MaxGCPauseMillis|GCTimeRatio|MaxTenuringThreshold|InitialTenuringThreshold"
                            + "|ParallelGCThreads|ConcGCThreads|SoftMaxHeapSize|NewRatio|SurvivorRatio|NewSize"
                            + "|MaxNewSize|InitiatingHeapOccupancyPercent)=.*|-XX:[+-]UseAdaptiveSizePolicy|-Xmn.*");

    private static final Pattern HEAP =
            Pattern.compile(
                    "-Xmx.*|-Xms.*|-XX:(Max|Initial|Min)HeapSize=.*|-XX:[A-Za-z]*RAMPercentage=.*");

    private static final Pattern HEADERS = Pattern.compile("-XX:[+-]UseCompactObjectHeaders");

    private JvmOptions() {}

    /** The options of the shipped file, without comments. */
    static List<String> read(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }

    /**
     * What {@code ./carillon run} starts its JVM with on this machine, for a server that is started
     * without it.
     *
     * @throws IOException when the launcher does not tell
     */
    static List<String> ofLauncher() throws IOException {
        Process launcher = new ProcessBuilder(Folders.launcher(), "run", "--show-jvm").start();
        launcher.getOutputStream().close();
        String said = new String(launcher.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        List<String> options =
                said.lines().filter(line -> line.startsWith("  -")).map(String::strip).toList();
        if (options.isEmpty()) {
            throw new IOException(
                    Folders.launcher() + " run --show-jvm named no option of the JVM: " + said);
        }
        return options;
    }

    /**
     * All options of a setting.
     *
     * @param heap as -Xmx takes it; the whole of it is there from the start, so that no collector
     *     is measured while its heap grows
     */
    static List<String> of(List<String> shipped, JvmSetting setting, String heap) {
        // Only the shipped setting names no collector of its own.
        boolean keepCollector = setting.options().stream().noneMatch(JvmOptions::isCollector);
        boolean keepHeaders = setting.options().stream().noneMatch(JvmOptions::isHeaders);
        Set<String> all = new LinkedHashSet<>();
        for (String option : shipped) {
            boolean keep =
                    !HEAP.matcher(option).matches()
                            && (keepCollector || !COLLECTOR.matcher(option).matches())
                            && (keepHeaders || !isHeaders(option));
            if (keep) {
                all.add(option);
            }
        }
        all.addAll(setting.options());
        all.add("-Xms" + heap);
        all.add("-Xmx" + heap);
        return new ArrayList<>(all);
    }

    private static boolean isCollector(String option) {
        return option.matches("-XX:\\+Use[A-Za-z0-9]*GC");
    }

    private static boolean isHeaders(String option) {
        return HEADERS.matcher(option).matches();
    }

    /** The options as a file that {@code ./carillon run --jvm-options} takes. */
    static void write(Path file, String comment, List<String> options) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("# " + comment);
        lines.addAll(options);
        Files.write(file, lines);
    }
}
