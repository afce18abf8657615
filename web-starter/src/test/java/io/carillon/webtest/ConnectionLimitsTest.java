package io.carillon.webtest;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.jetty.JettyWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** On real sockets: what connections of strangers may hold of an application with pages. */
class ConnectionLimitsTest {
    private static final String PAGE =
            "GET /carillon/index.html HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    private static ConfigurableApplicationContext start(String... more) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--server.port=0",
                                "--server.address=127.0.0.1",
                                "--carillon.listen=udp:127.0.0.1:0",
                                "--carillon.guard.trusted="));
        arguments.addAll(List.of(more));
        return SpringApplication.run(WebTestApplication.class, arguments.toArray(String[]::new));
    }

    private static Socket send(ConfigurableApplicationContext to, String from, String text)
            throws IOException {
        int port = to.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(from, 0));
        socket.setSoTimeout(10_000);
        socket.connect(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        return socket;
    }

    private static String answer(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }

    @Test
    void connectionsOfOneSourceGiveWayToOthers() throws Exception {
        List<Socket> held = new ArrayList<>();
        try (ConfigurableApplicationContext pages = start("--server.jetty.max-connections=32")) {
            for (int i = 0; i < 40; i++) {
                held.add(send(pages, "127.0.0.1", "G"));
            }
            try (Socket other = send(pages, "127.0.0.2", PAGE)) {
                assertThat(answer(other)).startsWith("HTTP/1.1 200 ");
            }
        } finally {
            for (Socket one : held) {
                one.close();
            }
        }
    }

    @Test
    void thereAreNoMoreConnectionsThanTheHeapHasRoomFor() {
        try (ConfigurableApplicationContext pages = start()) {
            JettyWebServer web =
                    (JettyWebServer) ((ServletWebServerApplicationContext) pages).getWebServer();
            NetworkConnectionLimit limit = web.getServer().getBean(NetworkConnectionLimit.class);
            assertThat(limit).isNotNull();
            // 34 kB each of live heap were measured, on a thread that reads a body.
            long heap = Runtime.getRuntime().maxMemory();
            assertThat(limit.getMaxNetworkConnectionCount() * 34_000L).isLessThan(heap / 7);
        }
    }

    @Test
    void aBodyThatComesTooSlowlyEndsItsRequest() throws Exception {
        try (ConfigurableApplicationContext pages = start("--carillon.web.http.data-grace=0s");
                Socket slow =
                        send(
                                pages,
                                "127.0.0.1",
                                "POST /api/sign-ins HTTP/1.1\r\nHost: localhost\r\n"
                                        + "Content-Type: application/json\r\n"
                                        + "Content-Length: 10000\r\n\r\n{")) {
            assertThat(answer(slow)).startsWith("HTTP/1.1 4");
        }
    }

    @Test
    void aHeadThatComesTooSlowlyEndsItsConnection() throws Exception {
        try (ConfigurableApplicationContext pages = start("--carillon.web.http.head-within=0s");
                Socket slow = send(pages, "127.0.0.1", "GET / HTTP/1.1\r\nHo")) {
            assertThat(answer(slow)).isEmpty();
        }
    }
}
