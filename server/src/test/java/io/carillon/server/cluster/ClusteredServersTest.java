package io.carillon.server.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.router.Router;
import io.carillon.router.RouterConfig;
import io.carillon.server.HomeFolder;
import io.carillon.server.Server;
import io.carillon.server.config.ClusterSettings;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFolder;
import io.carillon.server.measure.StatusText;
import io.carillon.testkit.SourceApplication;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers as they are shipped become a cluster, and a call comes to one of them by a router:
 * what the simulation leaves out, as settings, names, ports, keys and threads.
 */
class ClusteredServersTest {
    private static final int PORTS_OF_A_NODE = 4;
    private static final Duration WHOLE = Duration.ofSeconds(90);

    @TempDir private Path folder;
    private final List<Integer> given = new ArrayList<>();

    /** So many ports, one behind the other, that nobody has: the system gives none of them. */
    private int free(int count) {
        while (true) {
            int first = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            boolean free = given.stream().noneMatch(other -> Math.abs(other - first) < 8);
            for (int i = 0; free && i < count; i++) {
                free = isFree(first + i);
            }
            if (free) {
                given.add(first);
                return first;
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket stream = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                DatagramSocket datagrams =
                        new DatagramSocket(port, InetAddress.getLoopbackAddress())) {
            return stream.isBound() && datagrams.isBound();
        } catch (java.io.IOException taken) {
            return false;
        }
    }

    private String yaml(int self, int one, int other, int front, int link) {
        // One of them by its name: it is looked up again and again while the server runs.
        return """
        sip: {listen: []}
        http: {listen: 127.0.0.1:0}
        control: {directory: control%d}
        drain: {transactions: 0 s, calls: 0 s}
        cluster:
          name: pair
          nodes: ["127.0.0.1:%d", "localhost:%d"]
          listen: "%s"
          address: "127.0.0.1:%d"
          routers: ["127.0.0.1:%d"]
          key-file: cluster.key
        """
                .formatted(
                        self,
                        one,
                        other,
                        self == 0 ? "127.0.0.1:" + one : "localhost:" + other,
                        front,
                        link);
    }

    private Server start(Configuration configuration, int self, Path application) {
        try {
            return Server.start(
                    configuration,
                    List.of(application),
                    new HomeFolder(Files.createDirectories(folder.resolve("home" + self))));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private long count(int node, String counter) throws Exception {
        ControlFolder control = ControlFolder.of(folder.resolve("control" + node), folder);
        String answer = ControlClient.ask(ControlClient.running(control).getFirst(), "status");
        return StatusText.parse(answer).counters().getOrDefault(counter, 0L);
    }

    @Test
    void twoServersServeACallThatComesByARouterAndKeepACopyOfIt() throws Exception {
        Path key = Files.writeString(folder.resolve("cluster.key"), "ab".repeat(32) + "\n");
        Files.setPosixFilePermissions(
                key, java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
        Path uas =
                SourceApplication.build(
                        Path.of("..", "examples", "uas", "src", "main"), folder.resolve("uas"));
        int one = free(PORTS_OF_A_NODE);
        int other = free(PORTS_OF_A_NODE);
        int front = free(1);
        int link = free(1);
        List<Configuration> read = new ArrayList<>();
        for (int self = 0; self < 2; self++) {
            read.add(
                    ConfigurationReader.read(
                            "test.yaml", yaml(self, one, other, front, link), folder));
        }
        CompletableFuture<Server> first =
                CompletableFuture.supplyAsync(() -> start(read.get(0), 0, uas));
        try (Server second = start(read.get(1), 1, uas);
                Server begun = first.get();
                Router router = router(read.get(0).cluster())) {
            assertThat(begun.readyLine()).startsWith("READY");
            assertThat(second.readyLine()).startsWith("READY");
            Awaitility.await()
                    .atMost(WHOLE)
                    .until(() ->
                            router.owners().owned(0) + router.owners().owned(1) == 1_024
                                    && router.owners().owned(1) > 0
                                    && router.owners().owned(0) > 0);
            call(front);
        }
    }

    private static Router router(ClusterSettings settings) throws Exception {
        FrontRouter.Own own = new FrontRouter.Own(null, List.of(), null);
        return FrontRouter.start(
                settings,
                own,
                FrontRouter.points(settings, own),
                RouterConfig.Streams.standard(),
                () -> {});
    }

    private void call(int front) throws Exception {
        InetSocketAddress to = new InetSocketAddress(InetAddress.getLoopbackAddress(), front);
        try (DatagramSocket phone = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            phone.setSoTimeout(20_000);
            String via = "127.0.0.1:" + phone.getLocalPort();
            send(phone, to, request("INVITE", "sip:uas@127.0.0.1:" + front, via, 1, ""));
            String answer = receive(phone, "SIP/2.0 200 ");
            String contact = part(answer, "(?im)^Contact: <([^>]+)>");
            String tag = part(answer, "(?im)^To: .*;tag=([^;\\s]+)");
            assertThat(contact).as("outlives the node").contains("127.0.0.1:" + front);
            send(phone, to, request("ACK", contact, via, 1, ";tag=" + tag));
            Awaitility.await()
                    .atMost(WHOLE)
                    .until(() ->
                            count(0, "cluster.now_calls_protected")
                                            + count(1, "cluster.now_calls_protected")
                                    == 1);
            send(phone, to, request("BYE", contact, via, 2, ";tag=" + tag));
            assertThat(receive(phone, "SIP/2.0 200 ")).contains("CSeq: 2 BYE");
        }
    }

    private static String request(String method, String uri, String via, int number, String tag) {
        return (method
                        + " "
                        + uri
                        + " SIP/2.0\n"
                        + "Via: SIP/2.0/UDP "
                        + via
                        + ";branch=z9hG4bK"
                        + method
                        + number
                        + "\nMax-Forwards: 70\nFrom: <sip:alice@127.0.0.1>;tag=1\nTo: <sip:uas@127.0.0.1>"
                        + tag
                        + "\nCall-ID: pair@127.0.0.1\nCSeq: "
                        + number
                        + " "
                        + method
                        + "\nContact: <sip:alice@"
                        + via
                        + ">\nContent-Length: 0\n\n")
                .replace("\n", "\r\n");
    }

    private static void send(DatagramSocket from, InetSocketAddress to, String text)
            throws Exception {
        byte[] bytes = text.getBytes(UTF_8);
        from.send(new DatagramPacket(bytes, bytes.length, to));
    }

    private static String receive(DatagramSocket phone, String begin) throws Exception {
        while (true) {
            DatagramPacket packet = new DatagramPacket(new byte[65_536], 65_536);
            phone.receive(packet);
            String text = new String(packet.getData(), 0, packet.getLength(), UTF_8);
            if (text.startsWith(begin)) {
                return text;
            }
        }
    }

    private static String part(String text, String expression) {
        Matcher found = Pattern.compile(expression).matcher(text);
        assertThat(found.find()).as(expression + " in " + text).isTrue();
        return found.group(1);
    }
}
