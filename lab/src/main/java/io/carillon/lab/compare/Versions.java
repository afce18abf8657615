package io.carillon.lab.compare;

import io.carillon.lab.process.Machine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * What a comparison ran on, in a line: processor, memory, kernel, JDK, versions of the programs.
 */
final class Versions {
    private Versions() {}

    static String describe(Path root) throws IOException {
        Machine machine = Machine.here();
        return String.format(
                Locale.ROOT,
                "%s, %d CPUs%s, %.0f GiB, %s, JDK %s; Carillon %s; %s; %s",
                machine.cpu(),
                machine.cpus(),
                Machine.isVirtual() ? " of a virtual machine" : "",
                machine.memoryBytes() / (double) (1L << 30),
                machine.kernel(),
                Runtime.version(),
                firstLine(List.of("git", "-C", root.toString(), "describe", "--always", "--dirty")),
                firstLine(List.of("kamailio", "-v")).replaceFirst("^version: ", ""),
                firstLine(List.of("sipp", "-v")));
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
