package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFolder;
import io.carillon.server.guard.Limit;
import io.carillon.server.measure.ServerStatus;
import io.carillon.server.measure.StatusText;
import io.carillon.server.start.StartException;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole server on real ports of the loopback interface. */
class ServerTest {
    private static final String YAML =
            """
            sip: {listen: [udp:127.0.0.1:0, tcp:127.0.0.1:0], shards: 2}
            http: {listen: 127.0.0.1:0}
            control: {directory: control}
            drain: {transactions: 0 s}
            applications: {answering: {context-params: {greeting: hello}}}
            """;

    @TempDir private Path folder;
    private Path application;

    @BeforeEach
    void packApplication() throws IOException {
        application = folder.resolve("answering");
        String name = AnsweringServlet.class.getName().replace('.', '/') + ".class";
        Path target = application.resolve("WEB-INF/classes").resolve(name);
        Files.createDirectories(target.getParent());
        try (InputStream in = AnsweringServlet.class.getClassLoader().getResourceAsStream(name)) {
            Files.copy(in, target);
        }
    }

    @Test
    void aCallIsAnsweredCountedAndGoneAfterItsBye() throws Exception {
        try (Server server = start(YAML, application);
                Caller caller = new Caller(server)) {
            assertThat(server.readyLine())
                    .startsWith("READY in ")
                    .contains("SIP udp:127.0.0.1:")
                    .endsWith("applications answering");

            String ok = caller.ask("INVITE", 1, "");
            assertThat(ok).startsWith("SIP/2.0 200").contains("X-Greeting: hello");
            String tag = ok.replaceAll("(?s).*\nTo:[^\n]*;tag=([^;\\s]+).*", "$1");
            caller.send("ACK", 1, tag);
            assertThat(status().calls().held()).isEqualTo(1);

            assertThat(caller.ask("BYE", 2, tag)).startsWith("SIP/2.0 200");
            ServerStatus after = status();
            assertThat(after.calls().started()).isEqualTo(1);
            assertThat(after.messages().requestsIn()).isEqualTo(3);
            assertThat(after.messages().retransmissionsSeen()).isZero();
            assertThat(after.state()).isEqualTo("running");
            for (Limit limit : ProtectionLimits.of(ConfigurationReader.standard())) {
                assertThat(after.counters()).containsKey(limit.counter());
            }
        }
        assertThat(ControlClient.running(controlFolder())).isEmpty();
    }

    @Test
    void aBrokenArchiveIsNamedAndTheOthersRun() throws Exception {
        Path broken = Files.writeString(folder.resolve("broken.war"), "no zip");
        try (Server server = start(YAML, broken, application)) {
            assertThat(server.readyLine()).endsWith("applications answering");
        }
        assertThatThrownBy(() -> start(YAML, broken))
                .isInstanceOf(StartException.class)
                .hasMessageContaining("broken.war");
    }

    @Test
    void aTakenPortFailsTheStartAndIsNamed() throws Exception {
        try (DatagramSocket taken = new DatagramSocket(new InetSocketAddress("127.0.0.1", 0))) {
            String yaml = YAML.replace("udp:127.0.0.1:0", "udp:127.0.0.1:" + taken.getLocalPort());

            assertThatThrownBy(() -> start(yaml, application))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining("udp:127.0.0.1:" + taken.getLocalPort())
                    .hasMessageContaining("--sip");
        }
    }

    @ParameterizedTest
    @CsvSource({"tcp:127.0.0.1, --sip", "http: {listen: 127.0.0.1, --http"})
    void aTakenPortIsToldBeforeTheWarmUp(String listener, String way) throws Exception {
        AtomicBoolean warmedUp = new AtomicBoolean();
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress("127.0.0.1", 0));
            String port = String.valueOf(taken.getLocalPort());
            Configuration configuration =
                    ConfigurationReader.read(
                            "test.yaml",
                            YAML.replace(listener + ":0", listener + ":" + port),
                            folder);

            assertThatThrownBy(() ->
                            Server.start(
                                    configuration,
                                    List.of(application),
                                    new HomeFolder(folder),
                                    () -> warmedUp.set(true)))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining("127.0.0.1:" + port)
                    .hasMessageContaining(way);
        }
        assertThat(warmedUp).isFalse();
    }

    private Server start(String yaml, Path... applications) throws Exception {
        Configuration configuration = ConfigurationReader.read("test.yaml", yaml, folder);
        return Server.start(configuration, List.of(applications), new HomeFolder(folder));
    }

    private ControlFolder controlFolder() {
        return ControlFolder.of(folder.resolve("control"), folder);
    }

    private ServerStatus status() throws IOException {
        return StatusText.parse(
                ControlClient.ask(ControlClient.running(controlFolder()).getFirst(), "status"));
    }

    /** A caller of one call, on a datagram socket. */
    private static final class Caller implements AutoCloseable {
        private static final int PATIENCE_MILLIS = 20_000;

        private final DatagramSocket socket =
                new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        private final int port;

        Caller(Server server) throws IOException {
            socket.setSoTimeout(PATIENCE_MILLIS);
            port =
                    Integer.parseInt(
                            server.readyLine().replaceAll(".*udp:127.0.0.1:(\\d+).*", "$1"));
        }

        void send(String method, int cseq, String toTag) throws IOException {
            String own = "127.0.0.1:" + socket.getLocalPort();
            String request =
                    method
                            + (" sip:answering@127.0.0.1:" + port + " SIP/2.0\r\n")
                            + ("Via: SIP/2.0/UDP "
                                    + own
                                    + ";branch=z9hG4bK"
                                    + method
                                    + cseq
                                    + "\r\n")
                            + "Max-Forwards: 70\r\n"
                            + "From: <sip:caller@example.com>;tag=from\r\n"
                            + ("To: <sip:answering@127.0.0.1>"
                                    + (toTag.isEmpty() ? "" : ";tag=" + toTag)
                                    + "\r\n")
                            + "Call-ID: server-test\r\n"
                            + ("CSeq: " + cseq + " " + method + "\r\n")
                            + ("Contact: <sip:caller@" + own + ">\r\n")
                            + "Content-Length: 0\r\n\r\n";
            byte[] bytes = request.getBytes(StandardCharsets.US_ASCII);
            socket.send(
                    new DatagramPacket(
                            bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
        }

        /** Sends a request and waits for its final response. */
        String ask(String method, int cseq, String toTag) throws IOException {
            send(method, cseq, toTag);
            while (true) {
                DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
                socket.receive(packet);
                String response =
                        new String(
                                packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
                if (!response.startsWith("SIP/2.0 1") && response.contains(cseq + " " + method)) {
                    return response;
                }
            }
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    @Test
    void aWebSocketThatEveryPageMayConnectToIsNamedAtTheStart() throws Exception {
        String open = "sip: {listen: [udp:127.0.0.1:0, 'ws:127.0.0.1:0']}\n";
        assertThat(openWebSocket(open)).contains("ws.origins");
        assertThat(openWebSocket(open + "ws: {origins: ['https://phone.example.com']}\n")).isNull();
        assertThat(openWebSocket("sip: {listen: [udp:127.0.0.1:0]}\n")).isNull();
    }

    private static @Nullable String openWebSocket(String yaml) throws Exception {
        return Server.openWebSocket(ConfigurationReader.read("test.yaml", yaml, Path.of(".")));
    }
}
