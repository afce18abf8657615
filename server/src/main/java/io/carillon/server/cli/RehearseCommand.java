package io.carillon.server.cli;

import io.carillon.server.HomeFolder;
import io.carillon.server.Server;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.config.ListenAddress;
import io.carillon.server.warmup.WarmUp;
import io.carillon.sip.hop.HostPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code carillon rehearse}: a whole start with its warm-up, one look at the status, and a stop, on
 * ports and in a folder of its own. The launcher lets the JVM record the start cache from it.
 */
@Command(
        name = "rehearse",
        hidden = true,
        description = "Starts and stops a server that nobody calls, for the start cache.",
        mixinStandardHelpOptions = true)
final class RehearseCommand implements Callable<Integer> {
    /** Longer than a warm-up at start, which takes from the cache what this one recorded. */
    private static final Duration WARM_UP = Duration.ofSeconds(8);

    @Parameters(paramLabel = "ARCHIVE", arity = "1..*", description = "Applications.")
    private List<Path> archives = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        Path folder = Files.createTempDirectory("carillon-rehearse");
        try {
            Configuration configuration =
                    ConfigurationReader.standard()
                            .withSipListen(
                                    List.of(
                                            ListenAddress.parse("udp:127.0.0.1:0"),
                                            ListenAddress.parse("tcp:127.0.0.1:0")))
                            .withHttpListen(HostPort.parse("127.0.0.1:0"));
            try (Server server =
                    Server.start(
                            configuration,
                            archives,
                            new HomeFolder(folder),
                            () -> WarmUp.runOfNode(WARM_UP))) {
                look(server.readyLine());
            }
            return 0;
        } finally {
            remove(folder);
        }
    }

    /** Asks for the metrics, as a monitor will in the first minute. */
    private static void look(String ready) throws IOException {
        int port = Integer.parseInt(ready.replaceAll(".*HTTP 127\\.0\\.0\\.1:(\\d+).*", "$1"));
        try (Socket socket = new Socket("127.0.0.1", port)) {
            String request =
                    "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:"
                            + port
                            + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readAllBytes();
            if (!new String(answer, StandardCharsets.UTF_8).startsWith("HTTP/1.1 200")) {
                throw new IOException("the metrics were not answered");
            }
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> found = Files.walk(folder)) {
            found.sorted(Comparator.reverseOrder()).forEach(RehearseCommand::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
