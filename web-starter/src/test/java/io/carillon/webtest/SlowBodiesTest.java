package io.carillon.webtest;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** On a real socket: more bodies that do not come than the web server has threads. */
class SlowBodiesTest {
    private static final int THREADS = 8;

    private static ConfigurableApplicationContext application;
    private static int port;

    @BeforeAll
    static void start() {
        application =
                SpringApplication.run(
                        WebTestApplication.class,
                        "--server.port=0",
                        "--server.address=127.0.0.1",
                        "--server.jetty.threads.max=" + THREADS,
                        "--server.jetty.threads.min=2",
                        "--carillon.listen=udp:127.0.0.1:0");
        port = Integer.parseInt(application.getEnvironment().getProperty("local.server.port", "0"));
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static Socket send(String text) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(10_000);
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        return socket;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 100\r\n\r\n",
                "Content-Length: 100\r\n\r\n{",
                "Transfer-Encoding: chunked\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"
            })
    void bodiesThatDoNotComeKeepNobodyWaiting(String begin) throws Exception {
        String head =
                "POST /api/sign-ins HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
        List<Socket> unfinished = new ArrayList<>();
        try {
            for (int i = 0; i < 4 * THREADS; i++) {
                unfinished.add(send(head + begin));
            }
            try (Socket other =
                    send(
                            "GET /carillon/index.html HTTP/1.1\r\nHost: localhost\r\n"
                                    + "Connection: close\r\n\r\n")) {
                assertThat(new String(other.getInputStream().readAllBytes(), ISO_8859_1))
                        .startsWith("HTTP/1.1 200 ");
            }
        } finally {
            for (Socket one : unfinished) {
                one.close();
            }
        }
    }
}
