package io.carillon.lab.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page of the web voice mail by HTTP. */
@Timeout(60)
class HttpTriggerTest {
    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> failures = new LinkedBlockingQueue<>();
    private HttpServer server;
    private String base;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
                    boolean bad = exchange.getRequestURI().getPath().equals("/bad");
                    exchange.sendResponseHeaders(bad ? 503 : 204, -1);
                    exchange.close();
                });
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        base = "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    private HttpTrigger trigger(@Nullable String page, @Nullable String events, String call) {
        return new HttpTrigger(
                new LoadSettings.Pages(page, events, call, base + "/bad", null), Runnable::run);
    }

    @Test
    void theUrisStandInTheUrlAndAnErrorIsTold() throws InterruptedException {
        try (HttpTrigger page = trigger(null, null, base + "/call?phone={phone}&mail={mail}")) {
            page.call("sip:p1@10.0.0.1:5062", "sip:m1@10.0.0.1:5062", true, failures::add);
            assertThat(asked.poll(30, TimeUnit.SECONDS))
                    .isEqualTo(
                            "POST /call?phone=sip%3Ap1%4010.0.0.1%3A5062&mail=sip%3Am1%4010.0.0.1%3A5062");
            page.hangUp("sip:p1@10.0.0.1:5062", "sip:m1@10.0.0.1:5062", true, failures::add);
            assertThat(failures.poll(30, TimeUnit.SECONDS)).isEqualTo("HTTP 503");
        }
    }

    @Test
    void aPageThatIsNotThereIsAFailure() throws InterruptedException {
        server.stop(0);
        try (HttpTrigger page = trigger(null, null, base + "/call")) {
            page.call("sip:a@b", "sip:c@d", true, failures::add);
            assertThat(failures.poll(30, TimeUnit.SECONDS)).isEqualTo("HTTP: no answer");
        }
    }

    @Test
    void thePageIsLookedAtFirstAndTheTimesAreWritten(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("times.json");
        try (HttpTrigger page = trigger(base + "/page", null, base + "/call")) {
            page.call("sip:a@b", "sip:c@d", true, failures::add);
            assertThat(asked.poll(30, TimeUnit.SECONDS)).isEqualTo("GET /page");
            assertThat(asked.poll(30, TimeUnit.SECONDS)).isEqualTo("POST /call");
            page.hangUp("sip:a@b", "sip:c@d", true, failures::add);
            assertThat(failures.poll(30, TimeUnit.SECONDS)).isEqualTo("HTTP 503");
            page.times().write(file);
        }
        assertThat(Files.readString(file)).contains("\"p95Millis\":").startsWith("{\"requests\":");
    }

    @Test
    void thePageKeepsItsEventStreamUntilTheUserLeaves() throws Exception {
        BlockingQueue<String> streams = new LinkedBlockingQueue<>();
        server.createContext(
                "/events",
                exchange -> {
                    exchange.sendResponseHeaders(200, 0);
                    streams.add("opened by " + exchange.getRequestURI().getQuery());
                    try {
                        while (true) {
                            exchange.getResponseBody().write("data: x\n\n".getBytes(UTF_8));
                            exchange.getResponseBody().flush();
                        }
                    } catch (IOException closed) {
                        streams.add("closed");
                    }
                });
        try (HttpTrigger page = trigger(null, base + "/events?{phone}", base + "/call")) {
            page.call("sip:a@b", "sip:c@d", true, failures::add);
            assertThat(streams.poll(30, TimeUnit.SECONDS)).isEqualTo("opened by sip:a@b");
            page.left("sip:a@b");
            assertThat(streams.poll(30, TimeUnit.SECONDS)).isEqualTo("closed");
        }
    }

    @Test
    void anEventStreamThatIsRefusedIsTold() throws InterruptedException {
        try (HttpTrigger page = trigger(null, base + "/bad", base + "/call")) {
            page.call("sip:a@b", "sip:c@d", true, failures::add);
            assertThat(failures.poll(30, TimeUnit.SECONDS)).isEqualTo("HTTP events 503");
        }
    }

    @Test
    void whatIsNoUrlIsRefusedAtOnce() {
        assertThatThrownBy(() -> HttpTrigger.check("--web", "ftp://x"))
                .hasMessageContaining("--web is a URL like http://");
        assertThatThrownBy(() -> HttpTrigger.check("--web", "a b"))
                .hasMessageContaining("--web is a URL like http://");
    }
}
