package io.carillon.it.operate;

import io.carillon.it.calls.SlowServlet;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CarillonLaunch;
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
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it health}: probes while handlers of an application compute and never let go;
 * each is answered in time.
 */
@Command(
        name = "health",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Are probes answered within 50 ms while handlers spin?")
public final class Healthy implements Callable<Integer> {
    private static final int LIMIT_MILLIS = 50;

    @Option(names = "--handlers", defaultValue = "2", description = "that spin (${DEFAULT-VALUE})")
    private int handlers;

    @Option(
            names = "--seconds",
            defaultValue = "4",
            description = "of probes; a handler spins for 5 s (${DEFAULT-VALUE})")
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
        Path config =
                Files.writeString(
                        folder.resolve("carillon.yaml"),
                        "http: {health: '127.0.0.1:" + probes + "'}\n");
        Path archive =
                PackedClasses.war(
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
        try (ServerProcess server =
                CarillonLaunch.at(port)
                        .http(http)
                        .running(archive)
                        .with("--config", config.toString())
                        .start(folder)) {
            probe(List.of(http, probes), 2); // the first ones load classes
            List<Double> quiet = probe(List.of(http, probes), 2);
            for (int i = 0; i < handlers; i++) {
                spin(port, i);
            }
            Pause.millis(200);
            long busy = server.cpuNanos();
            long began = System.nanoTime();
            List<Double> times = probe(List.of(http, probes), seconds);
            double processors = (server.cpuNanos() - busy) / (double) (System.nanoTime() - began);
            System.out.printf(
                    "%d probes while %d handlers spin (%.1f processors in use): p50 %.1f ms, p99 %.1f"
                            + " ms, latest %.1f ms, %d later than %d ms; before, p50 %.1f ms, latest %.1f"
                            + " ms%n",
                    times.size(),
                    handlers,
                    processors,
                    times.get(times.size() / 2),
                    times.get((int) (times.size() * 0.99)),
                    times.getLast(),
                    times.stream().filter(one -> one > LIMIT_MILLIS).count(),
                    LIMIT_MILLIS,
                    quiet.get(quiet.size() / 2),
                    quiet.getLast());
            return times.getLast() <= LIMIT_MILLIS ? 0 : 1;
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

    /** Milliseconds of each probe, sorted; a connection of its own for each, as kubelet has it. */
    private static List<Double> probe(List<Integer> ports, int seconds) throws IOException {
        List<Double> times = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        List<String> paths = List.of("/health/live", "/health/ready", "/health/started");
        for (int i = 0; System.nanoTime() - end < 0; i++) {
            long began = System.nanoTime();
            String answer = get(ports.get(i % ports.size()), paths.get(i % paths.size()));
            times.add((System.nanoTime() - began) / 1e6);
            if (!answer.startsWith("HTTP/1.1 200")) {
                throw new IOException(paths.get(i % paths.size()) + ": " + answer);
            }
            Pause.millis(20);
        }
        Collections.sort(times);
        return times;
    }

    private static String get(int port, String path) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            socket.setSoTimeout(5000);
            OutputStream to = socket.getOutputStream();
            to.write(
                    ("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            to.flush();
            try (InputStream from = socket.getInputStream()) {
                return new String(from.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }
}
