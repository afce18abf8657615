package io.carillon.lab.compare;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * What a comparison ran on, in a line: processor, memory, kernel, JDK, versions of the programs.
 */
final class MachineDescription {
    private MachineDescription() {}

    static String describe(Path root) throws IOException {
        String processors = read("/proc/cpuinfo");
        String memory = field(read("/proc/meminfo"), "MemTotal");
        long cpus = processors.lines().filter(line -> line.startsWith("processor")).count();
        boolean virtual = field(processors, "flags").contains(" hypervisor");
        double gigabytes = memory.isEmpty() ? 0 : Long.parseLong(memory.split(" ")[0]) / 1048576.0;
        return String.format(
                Locale.ROOT,
                "%s, %d CPUs%s, %.0f GiB, %s %s, JDK %s; Carillon %s; %s; %s",
                field(processors, "model name"),
                cpus,
                virtual ? " of a virtual machine" : "",
                gigabytes,
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                Runtime.version(),
                firstLine(List.of("git", "-C", root.toString(), "describe", "--always", "--dirty")),
                firstLine(List.of("kamailio", "-v")).replaceFirst("^version: ", ""),
                firstLine(List.of("sipp", "-v")));
    }

    private static String read(String file) throws IOException {
        Path path = Path.of(file);
        return Files.exists(path) ? Files.readString(path) : "";
    }

    static String field(String text, String name) {
        return text.lines()
                .filter(line -> line.startsWith(name) && line.indexOf(':') > 0)
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("");
    }

    /**
     * What a program says of itself; its absence is told, as it matters to nobody who does not use
     * it.
     */
    private static String firstLine(List<String> command) throws IOException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            return "no " + command.getFirst();
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return said.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse("");
    }
}
