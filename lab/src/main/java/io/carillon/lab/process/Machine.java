package io.carillon.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What a measurement ran on.
 *
 * @param cpu the processor's name as the kernel tells it
 * @param cpus processors that the system has
 * @param memoryBytes main memory
 * @param kernel name and release of the operating system
 * @param jdk the Java virtual machine
 */
public record Machine(String cpu, int cpus, long memoryBytes, String kernel, String jdk) {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final Path MEMORY_INFO = Path.of("/proc/meminfo");

    public static Machine here() throws IOException {
        String processors = Files.exists(CPU_INFO) ? Files.readString(CPU_INFO) : "";
        String memory = Files.exists(MEMORY_INFO) ? Files.readString(MEMORY_INFO) : "";
        // The lab itself may be pinned to fewer processors than there are.
        long cpus = processors.lines().filter(line -> line.startsWith("processor")).count();
        return new Machine(
                field(processors, "model name", System.getProperty("os.arch")),
                cpus > 0 ? (int) cpus : Runtime.getRuntime().availableProcessors(),
                kilobytes(field(memory, "MemTotal", "0 kB")),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
    }

    /** Whether it is a guest of a host, as far as its processor tells. */
    public static boolean isVirtual() throws IOException {
        return Files.exists(CPU_INFO)
                && field(Files.readString(CPU_INFO), "flags", "").contains(" hypervisor");
    }

    private static String field(String text, String name, String other) {
        return text.lines()
                .filter(line -> line.startsWith(name) && line.indexOf(':') > 0)
                .map(line -> line.substring(line.indexOf(':') + 1).trim())
                .findFirst()
                .orElse(other);
    }

    private static long kilobytes(String value) {
        return Long.parseLong(value.split(" ")[0]) * 1024;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s, %d CPUs, %.1f GiB, %s, %s",
                cpu,
                cpus,
                memoryBytes / (double) (1L << 30),
                kernel,
                jdk);
    }
}
