package io.carillon.it.operate;

import io.carillon.it.calls.SlowServlet;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.ControlCommand;
import io.carillon.lab.rig.PackedClasses;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it health}: probes, and the console with what it asks for, while handlers of an
 * application compute and never let go; each is answered in time.
 */
@Command(
        name = "health",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Are probes answered within 50 ms while handlers spin, and the console within 500 ms?")
public final class Healthy implements Callable<Integer> {
    private static final int LIMIT_MILLIS = 50;
    private static final int CONSOLE_LIMIT_MILLIS = 500;
    private static final String ACCOUNT = "looker";

    @Option(names = "--handlers", defaultValue = "2", description = "that spin (${DEFAULT-VALUE})")
    private int handlers;

    @Option(
            names = "--seconds",
            defaultValue = "4",
            description =
                    "of probes, half of it for the console; a handler spins for 5 s (${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--out", description = "folder of logs (it/target/health-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            return measure();
        } catch (IOException e) {
            System.err.println("carillon it health: " + e.getMessage());
            return 1;
        }
    }

    private int measure() throws IOException {
        Path folder = Folders.results(out, "it", "health");
        int port = ServerProcess.freePort();
        int http = ServerProcess.freePort();
        int probes = ServerProcess.freePort();
        Path home = folder.resolve("home");
        ControlCommand.at(
                home, "a password of the run\n", "admin", "add", ACCOUNT, "--role", "viewer");
        String token = ControlCommand.at(home, "", "admin", "token", ACCOUNT).strip();
        List<Asked> health = new ArrayList<>();
        for (String path : List.of("/health/live", "/health/ready", "/health/started")) {
            health.add(new Asked(http, path, ""));
            health.add(new Asked(probes, path, ""));
        }
        List<Asked> console =
                List.of(
                        new Asked(http, "/console/", ""),
                        new Asked(http, "/console/console.js", ""),
                        new Asked(http, "/api/v1/status", token),
                        new Asked(http, "/api/v1/calls", token),
                        new Asked(http, "/api/v1/logs", token));
        Path config =
                Files.writeString(
                        folder.resolve("carillon.yaml"),
                        "http: {health: '127.0.0.1:" + probes + "'}\n");
        try (ServerProcess server =
                CarillonLaunch.at(port)
                        .http(http)
                        .running(slow(folder))
                        .with("--config", config.toString())
                        .environment("CARILLON_HOME", home.toString())
                        .start(folder)) {
            List<Asked> all = new ArrayList<>(health);
            all.addAll(console);
            ask(all, 2); // the first ones load classes
            Times quiet = ask(health, 2);
            for (int i = 0; i < handlers; i++) {
                spin(port, i);
            }
            Pause.millis(200);
            long busy = server.cpuNanos();
            long began = System.nanoTime();
            Times times = ask(health, seconds / 2.0);
            Times pages = ask(console, seconds / 2.0);
            double processors = (server.cpuNanos() - busy) / (double) (System.nanoTime() - began);
            System.out.printf("%d handlers spin: %.1f processors in use%n", handlers, processors);
            System.out.println("probes before: " + quiet.told(LIMIT_MILLIS));
            System.out.println("probes:        " + times.told(LIMIT_MILLIS));
            System.out.println("console:       " + pages.told(CONSOLE_LIMIT_MILLIS));
            boolean holds =
                    times.latest() <= LIMIT_MILLIS && pages.latest() <= CONSOLE_LIMIT_MILLIS;
            System.out.println(holds ? "PASSED" : "FAILED");
            return holds ? 0 : 1;
        }
    }

    /** An application whose handlers spin. */
    private static Path slow(Path folder) throws IOException {
        return PackedClasses.war(
                folder.resolve("slow.war"),
                """
                <sip-app xmlns="http://www.jcp.org/xml/ns/sipservlet" version="1.1">
                  <app-name>slow</app-name>
                  <servlet-selection><main-servlet>slow</main-servlet></servlet-selection>
                  <servlet>
                    <servlet-name>slow</servlet-name>
                    <servlet-class>io.carillon.it.calls.SlowServlet</servlet-class>
                  </servlet>
                </sip-app>
                """,
                List.of(SlowServlet.class, Pause.class));
    }

    /**
     * What is asked for.
     *
     * @param token of an account; empty: none
     */
    private record Asked(int port, String path, String token) {}

    /**
     * How long answers took.
     *
     * @param millis sorted
     */
    private record Times(List<Double> millis) {
        double latest() {
            return millis.getLast();
        }

        String told(int limit) {
            return String.format(
                    Locale.ROOT,
                    "%d answers, p50 %.1f ms, p99 %.1f ms, latest %.1f ms; %d later than %d ms",
                    millis.size(),
                    millis.get(millis.size() / 2),
                    millis.get((int) (millis.size() * 0.99)),
                    latest(),
                    millis.stream().filter(one -> one > limit).count(),
                    limit);
        }
    }

    private static void spin(int port, int number) throws IOException {
        String request =
                "INVITE sip:busy@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bKs"
                        + number
                        + "\r\nMax-Forwards: 70\r\nFrom: <sip:a@127.0.0.1>;tag=1\r\n"
                        + "To: <sip:busy@127.0.0.1>\r\nCall-ID: spin"
                        + number
                        + "\r\nCSeq: 1 INVITE\r\nContact: <sip:a@127.0.0.1>\r\nContent-Length: 0\r\n\r\n";
        byte[] bytes = request.getBytes(StandardCharsets.US_ASCII);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (DatagramSocket socket = new DatagramSocket(0, loopback)) {
            socket.send(new DatagramPacket(bytes, bytes.length, loopback, port));
        }
    }

    /** Asks in turn; a connection of its own for each, as kubelet has it. */
    private static Times ask(List<Asked> all, double seconds) throws IOException {
        List<Double> times = new ArrayList<>();
        long end = System.nanoTime() + (long) (seconds * 1e9);
        for (int i = 0; System.nanoTime() - end < 0 || i < all.size(); i++) {
            Asked asked = all.get(i % all.size());
            long began = System.nanoTime();
            String answer = get(asked);
            times.add((System.nanoTime() - began) / 1e6);
            if (!answer.startsWith("HTTP/1.1 200")) {
                throw new IOException(
                        asked.path() + ": " + answer.lines().findFirst().orElse("no answer"));
            }
            Pause.millis(20);
        }
        Collections.sort(times);
        return new Times(times);
    }

    private static String get(Asked asked) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), asked.port()), 1000);
            socket.setSoTimeout(5000);
            OutputStream to = socket.getOutputStream();
            String authorization =
                    asked.token().isEmpty()
                            ? ""
                            : "Authorization: Bearer " + asked.token() + "\r\n";
            to.write(
                    ("GET "
                                    + asked.path()
                                    + " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                                    + authorization
                                    + "Connection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            to.flush();
            try (InputStream from = socket.getInputStream()) {
                return new String(from.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }
}
