package io.carillon.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

    SippPair.Load load(int serverPort, int rate, long calls) {
        return new SippPair.Load(
                root.resolve("bench/scenarios"),
                "proxy200",
                serverPort,
                rate,
                calls,
                holdMillis,
                loadCpus);
    }

    /** Starts Carillon so that it sends what the peer sends. */
    Peer carillon(Path folder) throws IOException {
        return Peer.carillon(
                root, serverCpus, Peer.example(root, application), folder, arguments(folder));
    }

    /** Starts another checkout's Carillon, with that checkout's own application, beside ours. */
    Peer baseline(Path checkout, Path folder) throws IOException {
        return Peer.baseline(
                checkout,
                serverCpus,
                Peer.example(checkout, application),
                folder,
                arguments(folder));
    }

    private List<String> arguments(Path folder) throws IOException {
        List<String> arguments = new ArrayList<>(serverArguments);
        if (trying) {
            Files.createDirectories(folder);
            Path config = folder.resolve("carillon.yaml");
            Files.writeString(config, "sip:\n  trying: immediate\n");
            arguments.addAll(List.of("--config", config.toString()));
        }
        return arguments;
    }
}
