package io.carillon.server.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The options of a server's JVM.
 *
 * @param source the file that the first ones are of
 * @param shipped those of the file
 * @param own the user's, which come after them and win
 */
record JvmOptions(Path source, List<String> shipped, List<String> own) {
    private static final long MEGABYTE = 1024 * 1024;

    /** ZGC fills whatever heap it may before it collects: a part of the memory is to be enough. */
    private static final int SOFT_PART = 16;

    private static final long SMALLEST_SOFT_HEAP = 256;

    /** Megabytes; below it half of the memory is little enough. */
    private static final long SMALL_MACHINE = 1024;

    private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use\\w*GC");

    private static final Pattern HEAP =
            Pattern.compile("-Xmx.*|-Xms.*|-XX:(MaxHeapSize|SoftMaxHeapSize|InitialHeapSize)\\b.*");

    private static final Pattern PAGES =
            Pattern.compile(".*TransparentHugePages.*|-XX:\\+UseLargePages");

    /** What a start cache cannot go with: the JVM would complain, or not take it. */
    private static final Pattern AGAINST_A_CACHE =
            Pattern.compile(
                    "-XX:[+-]Use\\w*GC|-XX:[+-]UseCo.*|.*AOT.*|.*Shared.*|-Xshare.*|-Xint|-javaagent.*"
                            + "|-agent.*|--patch-module.*|--module-path.*|--upgrade-module-path.*"
                            + "|--limit-modules.*|--add-modules.*|--enable-preview"
                            + "|-XX:.*(Transparent|LargePages).*");

    /** The lines of a file of options: without blank ones and comments. */
    static List<String> read(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }

    /** All that are in force on a machine, in the order in which the JVM gets them. */
    List<String> onThis(Machine machine) {
        List<String> all = new ArrayList<>(shipped);
        if (own.stream().anyMatch(option -> COLLECTOR.matcher(option).matches())) {
            // The JVM refuses two collectors.
            all.removeIf(option -> COLLECTOR.matcher(option).matches());
        }
        all.addAll(own);
        addSoftHeap(all, machine);
        addHugePages(all, machine);
        return all;
    }

    private static void addSoftHeap(List<String> all, Machine machine) {
        long megabytes = machine.memory() / MEGABYTE;
        if (all.contains("-XX:+UseZGC") && megabytes >= SMALL_MACHINE && none(HEAP, all)) {
            long soft = Math.max(SMALLEST_SOFT_HEAP, megabytes / SOFT_PART);
            all.add("-XX:SoftMaxHeapSize=" + soft + "m");
        }
    }

    /**
     * Heap and compiled code ask for huge pages where the kernel has them for those who ask. Where
     * it has none for shared memory, of which ZGC makes its heap, the code alone gets them: the
     * doctor says so, and the JVM need not.
     */
    private static void addHugePages(List<String> all, Machine machine) {
        if (none(PAGES, all) && machine.hasHugePages()) {
            all.add("-XX:+UseTransparentHugePages");
            all.add("-Xlog:pagesize=error");
        }
    }

    /** Can the recorded start be taken, which was made with the shipped options? */
    boolean allowCache() {
        return none(AGAINST_A_CACHE, own);
    }

    private static boolean none(Pattern wanted, List<String> options) {
        return options.stream().noneMatch(option -> wanted.matcher(option).matches());
    }
}
