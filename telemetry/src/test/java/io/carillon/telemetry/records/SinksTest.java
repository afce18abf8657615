package io.carillon.telemetry.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records that go elsewhere: a webhook that fails, and one that will not take a record. */
class SinksTest {
    private static final byte[] KEY = "secret".getBytes(StandardCharsets.UTF_8);

    @TempDir Path folder;

    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private final List<String> signatures = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer receiver;

    private WebhookSender receiver(String poison) throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext(
                "/",
                exchange -> {
                    asked.incrementAndGet();
                    String body =
                            new String(
                                    exchange.getRequestBody().readAllBytes(),
                                    StandardCharsets.UTF_8);
                    int status = 204;
                    if (failures.getAndDecrement() > 0) {
                        status = 503;
                    } else if (body.contains(poison)) {
                        status = 422;
                    } else {
                        bodies.add(body);
                        signatures.add(
                                exchange.getRequestHeaders().getFirst(WebhookSender.SIGNATURE));
                    }
                    exchange.sendResponseHeaders(status, -1);
                    exchange.close();
                });
        receiver.start();
        return new WebhookSender(
                URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + "/cdr"),
                KEY,
                () -> 1_700_000_000L);
    }

    @AfterEach
    void stop() {
        if (receiver != null) {
            receiver.stop(0);
        }
    }

    private static String record(int number) {
        return "{\"record\":\"final\",\"id\":\"n-" + number + "\",\"node\":\"n\"}";
    }

    @Test
    void aReceiverThatIsAwayGetsEverythingInOrderWhenItIsBack() throws IOException {
        WebhookSender sender = receiver("nothing");
        failures.set(2);
        try (SpooledSink sink = new SpooledSink("webhook", folder.resolve("s"), 1 << 20, sender)) {
            sink.start();
            List<String> all = new ArrayList<>();
            for (int i = 0; i < 1200; i++) {
                sink.append(record(i));
                all.add(record(i));
            }
            sink.flush();
            await().until(() -> sink.sent() == 1200);
            assertThat(String.join("", bodies).replace("][", ","))
                    .isEqualTo("[" + String.join(",", all) + "]");
            assertThat(sink.waitingBytes()).isZero();
            assertThat(sink.away()).isFalse();
        }
    }

    @Test
    void theSignatureIsTheOneThatTheReceiverCanCompute() throws Exception {
        WebhookSender sender = receiver("nothing");
        sender.send(List.of(record(1)));
        // printf '1700000000.[{"record":"final","id":"n-1","node":"n"}]' | openssl dgst -sha256
        // -hmac secret
        assertThat(signatures)
                .containsExactly(
                        "t=1700000000,v1=5954b2bff3c4fd54c530571093771dbe80c6f15a898df1b0821d2b28df130a62");
    }

    @Test
    void aRecordThatIsNeverTakenHoldsUpNoOther() throws IOException {
        WebhookSender sender = receiver("n-3\"");
        try (SpooledSink sink = new SpooledSink("webhook", folder.resolve("s"), 1 << 20, sender)) {
            for (int i = 0; i < 6; i++) {
                sink.append(record(i));
            }
            sink.flush();
            sink.start();
            await().until(() -> sink.sent() == 5);
            await().until(() -> sink.refused() == 1);
            assertThat(bodies).hasSize(5);
        }
    }

    @Test
    void aSpoolThatIsFullDropsAndCounts() throws IOException {
        WebhookSender sender = receiver("nothing");
        try (SpooledSink sink = new SpooledSink("webhook", folder.resolve("s"), 100, sender)) {
            for (int i = 0; i < 4; i++) {
                sink.append(record(i)); // 46 bytes each
            }
            assertThat(sink.dropped()).isEqualTo(2);
        }
        assertThat(asked.get()).as("sent on closing, or kept").isLessThanOrEqualTo(1);
    }
}
