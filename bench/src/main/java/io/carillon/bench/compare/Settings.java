package io.carillon.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What is compared and how.
 *
 * @param root folder of the checkout
 * @param application example application that Carillon runs: proxy or b2bua
 * @param rates calls per second, one comparison each
 * @param pairs pairs of windows per rate, in the order A B, B A, A B, ...
 * @param warmupSeconds load on each server before the first window
 * @param fillSeconds load before the CPU is read, so that lingering transactions are in it (32 s)
 * @param measureSeconds length of the CPU reading
 * @param holdMillis talk time of the calls
 * @param trying whether both servers send 100 Trying at once, or neither
 */
record Settings(
        Path root,
        String application,
        List<Integer> rates,
        int pairs,
        int warmupSeconds,
        int fillSeconds,
        int measureSeconds,
        int holdMillis,
        boolean trying,
        String serverCpus,
        String loadCpus,
        List<String> serverArguments) {

    Sipp.Load load(int serverPort, int rate, long calls) {
        return new Sipp.Load(
                root.resolve("bench/scenarios"),
                "proxy200",
                serverPort,
                rate,
                calls,
                holdMillis,
                loadCpus);
    }

    /** The configuration that makes Carillon send what the peer sends. */
    Path configFile(Path folder) throws IOException {
        Files.createDirectories(folder);
        return Files.writeString(
                folder.resolve("carillon.yaml"),
                "sip:\n  trying: " + (trying ? "immediate" : "delayed") + "\n");
    }
}
