package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.config.ConfigurationSource;
import io.carillon.server.config.ConfigurationSources;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFolder;
import io.carillon.server.reload.ConfigurationText;
import io.carillon.server.reload.Reloading;
import io.carillon.server.reload.ShownChange;
import io.carillon.server.tls.SelfSigned;
import io.carillon.testkit.SourceApplication;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running server reads its configuration again, on real ports. */
class ReloadTest {
    private static final String BASE =
            """
            sip:
              listen: [%s]
              shards: 2
            http: {listen: '127.0.0.1:0'}
            control: {directory: control}
            drain: {transactions: 0 s}
            """;

    private static final String MORE =
            """
            guard: {trusted: [127.0.0.0/8, 192.0.2.0/24], datagram-rate: %d}
            database: {connections: %d}
            security: {realm: realm%d}
            log: {levels: {io.carillon.none: %s}}
            peers: {acme: {addresses: [192.0.2.%d], weight: %d}}
            egress: {deny: [198.51.100.%d]}
            sessions: {max: %d}
            trace: {standard-calls: %d}
            """;

    @TempDir private Path folder;
    private Path file;
    private Server server;
    private int port;
    private int other;

    @BeforeEach
    void start() throws Exception {
        port = free();
        other = free();
        file = folder.resolve("c.yaml");
        write(false, 1, "");
        SelfSigned.make(List.of("localhost", "127.0.0.1"), Duration.ofDays(9), folder);
        Path uas =
                SourceApplication.build(Path.of("../examples/uas/src/main"), folder.resolve("u"));
        ConfigurationSource source =
                () -> ConfigurationReader.read(new ConfigurationSources(file, Map.of(), List.of()));
        server =
                Server.start(source.read(), source, List.of(uas), new HomeFolder(folder), () -> {});
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Free for UDP and TCP, and below the ports that Linux gives to connections of others. */
    private static int free() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        BindException taken = new BindException("none was tried");
        for (int attempt = 0; attempt < 100; attempt++) {
            int candidate = ThreadLocalRandom.current().nextInt(30_100, 32_700);
            try (DatagramSocket datagrams = new DatagramSocket(candidate, loopback);
                    ServerSocket connections = new ServerSocket(candidate, 1, loopback)) {
                assertThat(datagrams.getLocalPort()).isEqualTo(connections.getLocalPort());
                return candidate;
            } catch (BindException e) {
                taken = e;
            }
        }
        throw taken;
    }

    private void write(boolean both, int number, String besides) throws IOException {
        String listen = "'udp:127.0.0.1:" + port + "'";
        if (both) {
            listen += ", 'udp:127.0.0.1:" + other + "', 'tcp:127.0.0.1:" + other + "'";
        }
        Files.writeString(
                file,
                BASE.formatted(listen)
                        + MORE.formatted(
                                100_000 + number,
                                5 + number % 5,
                                number,
                                number % 2 == 0 ? "debug" : "info",
                                number % 200 + 1,
                                number % 9 + 1,
                                number % 200 + 1,
                                60_000 + number,
                                200 + number)
                        + besides);
    }

    private Reloading.Outcome reload() throws IOException {
        return ConfigurationText.readOutcome(ask("reload"));
    }

    private String ask(String command) throws IOException {
        ControlFolder control = ControlFolder.of(folder.resolve("control"), folder);
        return ControlClient.ask(control.socket(ProcessHandle.current().pid()), command);
    }

    @Test
    void fiftyReloadsUnderCallsFailNone() throws Exception {
        AtomicBoolean ends = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        Thread caller = Thread.ofPlatform().start(() -> call(ends, answered, failed));
        try {
            for (int i = 2; i < 52; i++) {
                write(i % 2 == 0, i, "");
                Reloading.Outcome outcome = reload();
                assertThat(outcome.changed())
                        .extracting(ShownChange::key)
                        .contains(
                                "sip.listen",
                                "guard.datagram-rate",
                                "database.connections",
                                "security.realm",
                                "log.levels.io.carillon.none",
                                "peers.acme.weight",
                                "egress.deny",
                                "sessions.max",
                                "trace.standard-calls");
                assertThat(outcome.restart()).isEmpty();
                if (i % 2 == 0) {
                    assertThat(options(other)).as("the point that was added").startsWith("SIP/2.0");
                }
            }
        } finally {
            ends.set(true);
            caller.join();
        }
        assertThat(failed).hasValue(0);
        assertThat(answered.get()).isPositive();
        // The point is free again.
        new DatagramSocket(new InetSocketAddress("127.0.0.1", other)).close();
    }

    /** Calls one after the other over the point that stays. */
    private void call(AtomicBoolean ends, AtomicInteger answered, AtomicInteger failed) {
        while (!ends.get()) {
            try {
                if (options(port).startsWith("SIP/2.0")) {
                    answered.incrementAndGet();
                } else {
                    failed.incrementAndGet();
                }
            } catch (IOException e) {
                failed.incrementAndGet();
            }
        }
    }

    private static String options(int to) throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            socket.setSoTimeout(10_000);
            String id = Long.toString(System.nanoTime(), 36);
            int own = socket.getLocalPort();
            String request =
                    "OPTIONS sip:uas@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:"
                            + own
                            + ";branch=z9hG4bK"
                            + id
                            + "\r\nMax-Forwards: 70\r\nFrom: <sip:a@127.0.0.1>;tag=1\r\n"
                            + "To: <sip:uas@127.0.0.1>\r\nCall-ID: "
                            + id
                            + "\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n";
            byte[] bytes = request.getBytes(StandardCharsets.US_ASCII);
            socket.send(
                    new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), to));
            DatagramPacket answer = new DatagramPacket(new byte[4096], 4096);
            socket.receive(answer);
            return new String(answer.getData(), 0, answer.getLength(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void aFaultLeavesEverythingAsItWasAndNamesFileAndLine() throws Exception {
        String before = ask("config-show");
        write(true, 7, "sip2: {}\n");
        assertThatThrownBy(this::reload)
                .hasMessageContaining(file + ":15: unknown key sip2")
                .hasMessageEndingWith("the running configuration stays as it is");
        write(true, 7, "tls: {certificates: [{certificate: none.pem}]}\n");
        assertThatThrownBy(this::reload)
                .hasMessageContaining(file + ":15: tls.certificates[0].certificate")
                .hasMessageContaining("there is no such file");
        try (DatagramSocket taken = new DatagramSocket(new InetSocketAddress("127.0.0.1", other))) {
            assertThat(taken.isBound()).isTrue();
            write(true, 7, "");
            assertThatThrownBy(this::reload).hasMessageContaining(file + ":2: sip.listen");
        }
        assertThat(ask("config-show")).isEqualTo(before);
        // Nothing of it stayed bound.
        new DatagramSocket(new InetSocketAddress("127.0.0.1", other)).close();
        assertThat(options(port)).startsWith("SIP/2.0");
    }

    @Test
    void whatNeedsARestartIsNamedAndStays() throws Exception {
        Files.writeString(file, Files.readString(file).replace("shards: 2", "shards: 3"));
        Reloading.Outcome outcome = reload();
        assertThat(outcome.changed()).isEmpty();
        assertThat(outcome.restart())
                .extracting(ShownChange::key, ShownChange::before, ShownChange::after)
                .containsExactly(tuple("sip.shards", "2", "3"));
        assertThat(reload().restart()).hasSize(1);
    }

    @Test
    void aSecurePointIsAddedWithItsCertificate() throws Exception {
        String secured =
                Files.readString(file)
                        .replace("listen: [", "listen: ['tls:127.0.0.1:" + other + "', ");
        Files.writeString(file, secured);
        assertThatThrownBy(this::reload).hasMessageContaining("needs a certificate");
        Files.writeString(
                file,
                secured + "tls: {certificates: [{certificate: certificate.pem, key: key.pem}]}\n");
        reload();
        assertThat(ask("status")).contains("tls:127.0.0.1:" + other);
    }
}
