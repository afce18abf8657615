package io.carillon.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.access.AccountFile;
import io.carillon.server.access.Accounts;
import io.carillon.server.access.OidcLogin;
import io.carillon.server.access.Role;
import io.carillon.server.access.Sessions;
import io.carillon.server.audit.AuditLog;
import io.carillon.server.audit.AuditTrail;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.http.AdminHttp;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What strangers and administrators can make wait at the API. */
class ApiBoundsTest {
    @TempDir private Path temporary;

    private static HttpResponse<InputStream> stream(ApiRig rig, Role role) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(rig.base().resolve("/api/v1/events?topics=applications"))
                        .header("Authorization", "Bearer " + rig.token(role))
                        .timeout(Duration.ofSeconds(30))
                        .build();
        return rig.client().send(request, HttpResponse.BodyHandlers.ofInputStream());
    }

    @Test
    void eventStreamsAreBoundedForOneAndForAll() throws Exception {
        try (ApiRig rig = new ApiRig(temporary)) {
            List<InputStream> open = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                Role role = i < 500 ? Role.VIEWER : Role.OPERATOR;
                HttpResponse<InputStream> answer = stream(rig, role);
                if (answer.statusCode() == 200) {
                    open.add(answer.body());
                } else {
                    assertThat(answer.statusCode()).isEqualTo(i < 500 ? 429 : 503);
                    answer.body().close();
                }
                assertThat(answer.statusCode() == 200)
                        .as("stream " + i)
                        .isEqualTo(i < 32 || (i >= 500 && i < 532));
            }
            assertThat(stream(rig, Role.DEPLOYER).statusCode()).isEqualTo(503);
            assertThat(rig.get(Role.VIEWER, "/status").path("state").asString())
                    .isEqualTo("running");
            for (InputStream one : open) {
                one.close();
            }
        }
    }

    /** A handler with one operation, which waits. */
    private AdminHttp waiting(CountDownLatch latch) throws Exception {
        Operation operation =
                Operation.get("wait", "/wait")
                        .about("server", "Waits.")
                        .does(call -> {
                            try {
                                latch.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            return ApiAnswer.message("waited");
                        });
        Operation login =
                Operation.post("logIn", "/session")
                        .about("access", "Takes a body.")
                        .takes(Map.class)
                        .onlyLooks()
                        .does(call -> ApiAnswer.message("in"));
        Callers callers = callers(new Accounts(new AccountFile(temporary)));
        return serving(List.of(operation, login), callers, new EventStreams(1, List.of(), callers));
    }

    private Callers callers(Accounts accounts) throws Exception {
        return new Callers(
                accounts,
                new Sessions(Duration.ofMinutes(1), Duration.ofMinutes(1), System::nanoTime),
                new OidcLogin(
                        ConfigurationReader.read("test.yaml", "http: {}", temporary).admin().oidc(),
                        System::nanoTime));
    }

    private AdminHttp serving(List<Operation> operations, Callers callers, EventStreams streams)
            throws Exception {
        ApiHandler handler = new ApiHandler(true, List::of);
        AuditTrail trail = new AuditTrail(new AuditLog(temporary, 4_096, 65_536), System::nanoTime);
        handler.serve(
                new ApiHandler.Serving(
                        new Routing(operations),
                        callers,
                        trail,
                        streams,
                        new Uploads(temporary, 1)));
        return AdminHttp.start(
                ConfigurationReader.read("test.yaml", "http: {listen: 127.0.0.1:0}", temporary)
                        .http(),
                Map.of(),
                name -> null,
                nobody -> true,
                Map.of(),
                new AdminHttp.Beside(null, handler, null));
    }

    private static Socket ask(AdminHttp http, String text) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), http.listening().port());
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String firstLine(Socket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = socket.getInputStream().read(); c >= 0 && c != '\r'; ) {
            line.append((char) c);
            c = socket.getInputStream().read();
        }
        return line.toString();
    }

    /** Whatever befalls one stream, or one topic, the others hear on. */
    @Test
    void aFaultEndsOneStreamAndNotTheThreadOfAll() throws Exception {
        Accounts accounts = new Accounts(new AccountFile(temporary.resolve("admin")));
        accounts.add("root", Set.of(Role.ADMIN), "a long password of the test");
        String token = accounts.token("root", Set.of(), "", Duration.ofHours(1)).token();
        Callers callers = callers(accounts);
        AtomicInteger told = new AtomicInteger();
        EventStreams streams =
                new EventStreams(
                        4,
                        List.of(
                                new Topic(
                                        "broken",
                                        Role.VIEWER,
                                        false,
                                        () -> {
                                            throw new NoClassDefFoundError("of a topic");
                                        }),
                                new Topic(
                                        "count",
                                        Role.VIEWER,
                                        false,
                                        () -> Integer.toString(told.incrementAndGet()))),
                        callers);
        AtomicBoolean breaks = new AtomicBoolean(true);
        streams.feeds(call ->
                breaks.getAndSet(false)
                        ? () -> {
                            throw new NoClassDefFoundError("of a feed");
                        }
                        : null);
        Operation events =
                Operation.get("followEvents", "/events")
                        .role(Role.VIEWER)
                        .about("server", "Tells.")
                        .with(Parameter.text("topics", "Some."))
                        .stream()
                        .does(call -> ApiAnswer.message(""));
        try (AdminHttp http = serving(List.of(events), callers, streams)) {
            String request =
                    "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                            + token
                            + "\r\n\r\n";
            try (Socket breaking = ask(http, request)) {
                assertThat(firstLine(breaking)).as("it ends").startsWith("HTTP/1.1 500");
            }
            try (Socket other = ask(http, request)) {
                String heard = "";
                while (!heard.contains("event: count")) {
                    heard = firstLine(other);
                    assertThat(other.getInputStream().read()).isEqualTo('\n');
                }
            }
        }
    }

    @Test
    void whatFindsNoThreadAndNoPlaceIsRefused() throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        List<Socket> sockets = new ArrayList<>();
        try (AdminHttp http = waiting(latch)) {
            for (int i = 0; i < 8 + 256; i++) { // threads and places
                sockets.add(ask(http, "GET /api/v1/wait HTTP/1.1\r\nHost: localhost\r\n\r\n"));
            }
            String line = "";
            for (int i = 0; i < 100 && line.isEmpty(); i++) {
                Socket more = ask(http, "GET /api/v1/wait HTTP/1.1\r\nHost: localhost\r\n\r\n");
                sockets.add(more);
                more.setSoTimeout(1_000);
                try {
                    line = firstLine(more);
                } catch (SocketTimeoutException e) {
                    line = ""; // one of those before had not come yet: this one has its place
                }
            }
            assertThat(line).startsWith("HTTP/1.1 503");
            latch.countDown();
        } finally {
            latch.countDown();
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void bodiesOfStrangersAreBounded() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try (AdminHttp http = waiting(new CountDownLatch(0))) {
            String head =
                    "POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
            try (Socket large = ask(http, head + "Content-Length: 5000\r\n\r\n")) {
                assertThat(firstLine(large)).startsWith("HTTP/1.1 413");
            }
            for (int i = 0; i < 256; i++) {
                sockets.add(ask(http, head + "Content-Length: 20\r\n\r\n{"));
            }
            // Those before are read when a thread comes to them.
            Awaitility.await().until(() -> isRefused(http, head));
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static boolean isRefused(AdminHttp http, String head) throws IOException {
        try (Socket more = ask(http, head + "Content-Length: 2\r\n\r\n{}")) {
            return firstLine(more).startsWith("HTTP/1.1 503");
        }
    }
}
