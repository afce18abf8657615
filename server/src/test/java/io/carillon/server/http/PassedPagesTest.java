package io.carillon.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages of a cluster that come to another node than the one that has their session. */
class PassedPagesTest {
    private static final String OF_NODE_1 = "?io.carillon.appsession=x&io.carillon.place=p1";

    @TempDir private Path folder;
    private final HttpClient browser = HttpClient.newHttpClient();
    private NodesWithPages nodes;

    @BeforeEach
    void start() throws Exception {
        nodes = new NodesWithPages(folder, 3, "");
    }

    @AfterEach
    void stop() {
        browser.close();
        nodes.close();
    }

    private HttpResponse<String> get(int node, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(nodes.base(node) + path));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return browser.send(request.build(), BodyHandlers.ofString());
    }

    private String cookieOf(int node) throws Exception {
        String cookie = get(node, "/app/w/who").headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie).contains(".node" + node + ";");
        return cookie.substring(0, cookie.indexOf(';'));
    }

    @Test
    void aCookieLeadsToTheNodeThatHasTheSession() throws Exception {
        String cookie = cookieOf(1);
        HttpResponse<String> passed = get(2, "/app/w/who", "Cookie", cookie);
        assertThat(passed.body()).isEqualTo("node 1, request 2, GET");
        assertThat(passed.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(get(1, "/app/w/who", "Cookie", cookie).body())
                .isEqualTo("node 1, request 3, GET");
        assertThat(nodes.count(2, "passed_on")).isEqualTo(1);
        assertThat(nodes.count(1, "passed_in")).isEqualTo(1);
        assertThat(nodes.count(1, "passed_on")).isZero();
    }

    @Test
    void anIdInThePathDoesToo() throws Exception {
        String url = get(1, "/app/w/url").body();
        assertThat(url).endsWith(".node1");
        assertThat(get(0, url).body()).isEqualTo("node 1, request 1, GET");
    }

    @Test
    void aUrlThatNamesAnApplicationSessionLeadsToItsNode() throws Exception {
        assertThat(get(2, "/app/w/who" + OF_NODE_1).body()).startsWith("node 1,");
        assertThat(get(1, "/app/w/who" + OF_NODE_1).body()).startsWith("node 1,");
        assertThat(get(2, "/app/w/who?io.carillon.place=p1").body())
                .as("names no session")
                .startsWith("node 2,");
        assertThat(get(2, "/elsewhere" + OF_NODE_1).statusCode()).isEqualTo(404);
    }

    @Test
    void theOtherNodeSeesTheVisitorAndWhatHeHasSent() throws Exception {
        HttpResponse<String> seen =
                get(
                        2,
                        "/app/w/visitor" + OF_NODE_1,
                        "X-Seen",
                        "yes",
                        "Carillon-Passed",
                        "tls 192.0.2.9 1");
        String host = URI.create(nodes.base(2)).getAuthority();
        assertThat(seen.body()).isEqualTo("127.0.0.1 false http " + host + " null yes");
        assertThat(seen.headers().map()).doesNotContainKey("carillon-passed");
    }

    @Test
    void bodiesGoBothWays() throws Exception {
        int length = 3 << 20;
        HttpResponse<String> answer =
                browser.send(
                        HttpRequest.newBuilder(
                                        URI.create(nodes.base(2) + "/app/w/length" + OF_NODE_1))
                                .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[length]))
                                .build(),
                        BodyHandlers.ofString());
        assertThat(answer.body()).isEqualTo("" + length);
        assertThat(nodes.count(1, "passed_in")).isEqualTo(1);
    }

    @Test
    void anEventStreamIsPassedAsItComes() throws Exception {
        try (InputStream events = stream(2)) {
            assertThat(new String(events.readNBytes(9), StandardCharsets.UTF_8))
                    .isEqualTo("data: 1\n\n");
        }
    }

    private InputStream stream(int node) throws Exception {
        return browser.send(
                        HttpRequest.newBuilder(
                                        URI.create(nodes.base(node) + "/app/w/stream" + OF_NODE_1))
                                .build(),
                        BodyHandlers.ofInputStream())
                .body();
    }

    @Test
    void aStreamOfANodeThatIsGoneEnds() throws Exception {
        try (InputStream events = stream(2)) {
            assertThat(events.read()).isEqualTo('d');
            nodes.known(1, false); // it hangs: its connections stay open
            assertThatThrownBy(events::readAllBytes).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aSessionOfANodeThatIsGoneBeginsAnew() throws Exception {
        String cookie = cookieOf(1);
        nodes.known(1, false);
        HttpResponse<String> fresh = get(2, "/app/w/who", "Cookie", cookie);
        assertThat(fresh.body()).isEqualTo("node 2, request 1, GET");
        assertThat(fresh.headers().firstValue("Set-Cookie").orElseThrow()).contains(".node2;");
    }

    @Test
    void whileNobodyKnowsWhoGoesOnTheVisitorIsAskedToComeAgain() throws Exception {
        nodes.known(1, false);
        HttpResponse<String> later = get(2, "/app/w/who" + OF_NODE_1);
        assertThat(later.statusCode()).isEqualTo(503);
        assertThat(later.headers().firstValue("Retry-After")).contains("1");
        assertThat(nodes.count(2, "passed_unserved")).isEqualTo(1);
    }

    @Test
    void aNodeThatIsNotReachedIsAskedForAgain() throws Exception {
        String cookie = cookieOf(1);
        nodes.end(1);
        HttpResponse<String> later = get(2, "/app/w/who", "Cookie", cookie);
        assertThat(later.statusCode()).isEqualTo(503);
        assertThat(later.headers().firstValue("Retry-After")).contains("1");
        assertThat(nodes.count(2, "passed_failed")).isEqualTo(1);
    }

    /** Two nodes that take each other for the owner. */
    @Test
    void whatWasPassedOnIsServedWhereItCame() throws Exception {
        SSLContext node = NodesWithPages.tls("the key of the cluster, 32 bytes");
        String served =
                fromANode(node, 2, "/app/w/visitor", "Carillon-Passed: tls 192.0.2.9 4711\r\n");
        assertThat(served)
                .startsWith("HTTP/1.1 200")
                .endsWith("192.0.2.9 true https a.invalid null null");
        assertThat(nodes.count(2, "passed_on")).isZero();
    }

    private String fromANode(SSLContext proof, int node, String path, String header)
            throws Exception {
        InetSocketAddress to = nodes.between(node);
        try (Socket socket = proof.getSocketFactory().createSocket(to.getAddress(), to.getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write(
                            ("GET %s%s HTTP/1.1\r\nHost: a.invalid\r\nConnection: close\r\n%s\r\n")
                                    .formatted(path, OF_NODE_1, header)
                                    .getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aStrangerGetsNothingWhereNodesPassOn() throws Exception {
        assertThatThrownBy(() ->
                        fromANode(
                                NodesWithPages.tls("another key, of another cluster."),
                                1,
                                "/app/w/visitor",
                                "Carillon-Passed: plain 192.0.2.9 4711\r\n"))
                .isInstanceOf(IOException.class);
        assertThat(nodes.count(1, "passed_in")).isZero();
    }

    @Test
    void aNodeSaysWhoseRequestItPassesOn() throws Exception {
        SSLContext node = NodesWithPages.tls("the key of the cluster, 32 bytes");
        assertThat(fromANode(node, 1, "/app/w/visitor", "")).startsWith("HTTP/1.1 400");
        assertThat(
                        fromANode(
                                node,
                                1,
                                "/app/w/visitor",
                                "Carillon-Passed: plain host.example 1\r\n"))
                .startsWith("HTTP/1.1 400");
        assertThat(nodes.count(1, "passed_refused")).isEqualTo(2);
    }

    @Test
    void theServersOwnPagesAreNotThereForNodes() throws Exception {
        assertThat(get(2, "/status" + OF_NODE_1).body()).isEqualTo("{}");
        assertThat(
                        fromANode(
                                NodesWithPages.tls("the key of the cluster, 32 bytes"),
                                2,
                                "/status",
                                "Carillon-Passed: plain 192.0.2.9 4711\r\n"))
                .startsWith("HTTP/1.1 404");
        assertThat(nodes.count(2, "passed_on")).isZero();
    }

    @Test
    void aForeignNameIsRefusedBeforeItIsPassedOn() throws Exception {
        URI base = URI.create(nodes.base(2));
        try (Socket socket = new Socket(base.getHost(), base.getPort())) {
            socket.getOutputStream()
                    .write(
                            ("GET /app/w/who%s HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n")
                                    .formatted(OF_NODE_1)
                                    .getBytes(StandardCharsets.UTF_8));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 421");
        }
        assertThat(nodes.count(2, "passed_on")).isZero();
    }

    /**
     * A page would be no answer to it, and nothing is passed on that the other node cannot take.
     */
    @Test
    void aWebSocketForAnotherNodeIsRefusedInWords() throws Exception {
        assertThat(webSocket(2)).startsWith("HTTP/1.1 501").contains("no WebSocket is passed on");
        assertThat(nodes.count(2, "passed_on")).isZero();
        assertThat(webSocket(1)).as("where it belongs").startsWith("HTTP/1.1 200");
    }

    private String webSocket(int node) throws Exception {
        URI base = URI.create(nodes.base(node));
        try (Socket socket = new Socket(base.getHost(), base.getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write(
                            """
                            GET /app/w/who%s HTTP/1.1
                            Host: %s
                            Connection: close, Upgrade
                            Upgrade: WebSocket
                            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
                            Sec-WebSocket-Version: 13

                            """
                                    .formatted(OF_NODE_1, base.getAuthority())
                                    .replace("\n", "\r\n")
                                    .getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void oneVisitorLeavesRoomForOthers() throws Exception {
        nodes.close();
        nodes = new NodesWithPages(folder, 2, ", max-connections: 80"); // eight may be passed on
        List<InputStream> open = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            open.add(stream(0));
        }
        assertThat(get(0, "/app/w/who" + OF_NODE_1).statusCode()).isEqualTo(503);
        for (InputStream stream : open) {
            stream.close();
        }
    }
}
