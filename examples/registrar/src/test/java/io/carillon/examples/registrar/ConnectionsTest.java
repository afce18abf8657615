package io.carillon.examples.registrar;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.HomeFolder;
import io.carillon.server.Server;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.data.Database;
import io.carillon.server.data.SqlUsers;
import io.carillon.sip.auth.DigestClient;
import io.carillon.sip.header.AuthHeader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Phones that can be reached by their connection only, on sockets: TCP and WebSocket. */
class ConnectionsTest {
    private static final String YAML =
            """
            sip: {listen: [udp:127.0.0.1:0, tcp:127.0.0.1:0, ws:127.0.0.1:0], shards: 2}
            http: {listen: 127.0.0.1:0}
            control: {directory: control}
            drain: {transactions: 0 s}
            """;

    @TempDir private Path folder;
    private Server server;

    @BeforeEach
    void start() throws Exception {
        Path application = folder.resolve("registrar");
        copy(Path.of("src/main/webapp"), application);
        copy(Path.of("target/classes"), application.resolve("WEB-INF/classes"));
        try (Database database =
                new Database(
                        ConfigurationReader.standard().database(), new HomeFolder(folder).data())) {
            new SqlUsers(database).add("carillon", "bob", "bob-secret", Set.of());
        }
        server =
                Server.start(
                        ConfigurationReader.read("test.yaml", YAML, folder),
                        List.of(application),
                        new HomeFolder(folder));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    private int port(String transport) {
        Matcher port =
                Pattern.compile("\\b" + transport + ":127\\.0\\.0\\.1:(\\d+)")
                        .matcher(server.readyLine());
        assertThat(port.find()).as(server.readyLine()).isTrue();
        return Integer.parseInt(port.group(1));
    }

    /** One message at a time over some connection. */
    private interface Wire {
        void send(String text) throws Exception;

        String receive() throws Exception;
    }

    private static Wire tcp(Socket socket) {
        return new Wire() {
            @Override
            public void send(String text) throws IOException {
                socket.getOutputStream().write(text.getBytes(UTF_8));
            }

            @Override
            public String receive() throws IOException {
                StringBuilder text = new StringBuilder();
                while (text.indexOf("\r\n\r\n") < 0) {
                    int next = socket.getInputStream().read();
                    if (next < 0) {
                        throw new AssertionError("closed after " + text);
                    }
                    text.append((char) next);
                }
                return text.toString(); // none of these has a body
            }
        };
    }

    private static final class Browser implements WebSocket.Listener, Wire {
        private final LinkedBlockingQueue<String> received = new LinkedBlockingQueue<>();
        private final StringBuilder part = new StringBuilder();
        private final WebSocket socket;

        Browser(HttpClient http, int port) {
            socket =
                    http.newWebSocketBuilder()
                            .subprotocols("sip")
                            .buildAsync(URI.create("ws://127.0.0.1:" + port + "/"), this)
                            .join();
        }

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket from, CharSequence data, boolean last) {
            part.append(data);
            if (last) {
                received.add(part.toString());
                part.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public void send(String text) {
            socket.sendText(text, true).join();
        }

        @Override
        public String receive() throws InterruptedException {
            String text = received.poll(20, TimeUnit.SECONDS);
            if (text == null) {
                throw new AssertionError("nothing came");
            }
            return text;
        }
    }

    private static String register(String transport, String contact, int cseq, String more) {
        return "REGISTER sip:127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/"
                + transport
                + " abc.invalid;branch=z9hG4bKr"
                + cseq
                + ";rport\r\nMax-Forwards: 70\r\nFrom: <sip:bob@127.0.0.1>;tag=b\r\n"
                + "To: <sip:bob@127.0.0.1>\r\nCall-ID: r1\r\nCSeq: "
                + cseq
                + " REGISTER\r\nSupported: path, outbound\r\nContact: <"
                + contact
                + ">;reg-id=1;+sip.instance=\"<urn:uuid:1>\"\r\n"
                + more
                + "Content-Length: 0\r\n\r\n";
    }

    private static void registers(Wire phone, String transport, String contact) throws Exception {
        phone.send(register(transport, contact, 1, ""));
        Matcher challenge =
                Pattern.compile("WWW-Authenticate: (Digest [^\r]*)").matcher(phone.receive());
        assertThat(challenge.find()).isTrue();
        DigestClient digest =
                DigestClient.of(AuthHeader.parse(challenge.group(1)), "bob", "bob-secret");
        AuthHeader answer = digest.answer("REGISTER", "sip:127.0.0.1", new byte[0], "c0ffee");
        phone.send(register(transport, contact, 2, "Authorization: " + answer + "\r\n"));
        assertThat(phone.receive()).startsWith("SIP/2.0 200").contains("Require: outbound");
    }

    private static String ok(String request) {
        StringBuilder text = new StringBuilder("SIP/2.0 200 OK\r\n");
        for (String line : request.split("\r\n")) {
            if (line.matches("(Via|From|To|Call-ID|CSeq|Record-Route): .*")) {
                text.append(line).append(line.startsWith("To: ") ? ";tag=t\r\n" : "\r\n");
            }
        }
        return text.append("Content-Length: 0\r\n\r\n").toString();
    }

    private Phone alice() throws IOException {
        return new Phone(
                new InetSocketAddress("127.0.0.1", port("udp")), "alice", "alice-secret", "MD5");
    }

    @Test
    void aTcpPhoneIsReachedByItsConnectionUntilThatIsGone() throws Exception {
        String contact = "sip:bob@192.168.1.7:5060;transport=tcp;ob";
        try (Phone alice = alice()) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port("tcp"))) {
                socket.setSoTimeout(20_000);
                Wire phone = tcp(socket);
                registers(phone, "TCP", contact);
                alice.send("MESSAGE sip:bob@127.0.0.1", 1);
                String message = phone.receive();
                assertThat(message).startsWith("MESSAGE " + contact).doesNotContain("\r\nRoute:");
                phone.send(ok(message));
                assertThat(alice.receive()).startsWith("SIP/2.0 200");
            }
            // The server may not have heard of the end yet: then the message is lost on its way,
            // which is a failure of the flow too.
            alice.send("MESSAGE sip:bob@127.0.0.1", 2);
            assertThat(alice.receive()).startsWith("SIP/2.0 480");
        }
    }

    @Test
    void aBrowserIsReachedByItsWebSocket() throws Exception {
        String contact = "sip:x7@abc.invalid;transport=ws;ob";
        try (Phone alice = alice();
                HttpClient http = HttpClient.newHttpClient()) {
            Browser phone = new Browser(http, port("ws"));
            registers(phone, "WS", contact);
            alice.send("MESSAGE sip:bob@127.0.0.1", 1);
            String message = phone.receive();
            assertThat(message).startsWith("MESSAGE sip:x7@abc.invalid").contains("SIP/2.0/WS ");
            phone.send(ok(message));
            assertThat(alice.receive()).startsWith("SIP/2.0 200");
            phone.socket.abort();
        }
    }
}
