package io.carillon.examples.clicktocall;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.HomeFolder;
import io.carillon.server.Server;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page's API, over HTTP, with two phones on sockets. */
class ApiTest {
    private static final String YAML =
            """
            sip: {listen: [udp:127.0.0.1:0], shards: 1}
            http: {listen: 127.0.0.1:0}
            control: {directory: control}
            drain: {transactions: 0 s}
            applications: {click-to-call: {context-params: {calls-per-visitor: 2, calls-in-all: 4, share-percent: 67, allowed: 127.0.0.1}}}
            """;

    @TempDir private Path folder;
    private final CookieManager cookies = new CookieManager();
    private final HttpClient browser = HttpClient.newBuilder().cookieHandler(cookies).build();
    private Server server;
    private String base;
    private AnsweringPhone a;
    private AnsweringPhone b;

    @BeforeEach
    void start() throws Exception {
        Path application = folder.resolve("click-to-call");
        copy(Path.of("src/main/webapp"), application);
        copy(
                Path.of(Call.class.getProtectionDomain().getCodeSource().getLocation().toURI()),
                application.resolve("WEB-INF/classes"));
        server =
                Server.start(
                        ConfigurationReader.read("test.yaml", YAML, folder),
                        List.of(application),
                        new HomeFolder(folder));
        base = "http://" + server.readyLine().replaceAll(".*HTTP ([^;]+);.*", "$1");
        a = new AnsweringPhone();
        b = new AnsweringPhone();
    }

    @AfterEach
    void stop() {
        browser.close();
        server.close();
        a.close();
        b.close();
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

    @Test
    void aCallIsWatchedAndHungUp() throws Exception {
        String id = dial();
        try (BufferedReader events = events(browser, id, -1)) {
            assertThat(states(events, 2)).containsExactly("calling-a", "a-rings");
            a.pickUp();
            assertThat(states(events, 2)).containsExactly("a-answered", "b-rings");
            b.pickUp();
            assertThat(states(events, 2)).containsExactly("b-answered", "connected");
            assertThat(ask(browser, "GET", "/calls/" + id, "").body()).contains("connected");
            assertThat(ask(browser, "DELETE", "/calls/" + id, "").statusCode()).isEqualTo(200);
            assertThat(states(events, 1)).containsExactly("ended");
            assertThat(states(events, 1)).as("the stream ends").isEmpty();
        }
        assertThat(ask(browser, "DELETE", "/calls/" + id, "").statusCode()).isEqualTo(409);
        try (BufferedReader again = events(browser, id, 4)) {
            assertThat(states(again, 2)).containsExactly("connected", "ended");
        }
        assertThat(ask(browser, "GET", "/calls", "").body())
                .startsWith("{\"calls\":[{\"id\":\"" + id + "\"");
        for (AnsweringPhone phone : List.of(a, b)) {
            String method = phone.next();
            while (!method.equals("BYE")) {
                method = phone.next();
            }
        }
    }

    @Test
    void fourStreamsWatchACallHoweverManyAskAtOnce() throws Exception {
        String id = dial();
        URI uri = URI.create(base + "/click-to-call/calls/" + id + "/events");
        List<java.util.concurrent.CompletableFuture<HttpResponse<InputStream>>> asked =
                new java.util.ArrayList<>();
        for (int i = 0; i < 32; i++) {
            HttpRequest request = HttpRequest.newBuilder(uri).build();
            asked.add(browser.sendAsync(request, BodyHandlers.ofInputStream()));
        }
        List<Integer> statuses = new java.util.ArrayList<>();
        for (var one : asked) {
            statuses.add(one.get().statusCode());
        }
        assertThat(statuses).filteredOn(status -> status == 200).hasSize(4);
        assertThat(statuses).filteredOn(status -> status == 503).hasSize(28);
        for (var one : asked) {
            one.get().body().close();
        }
    }

    @Test
    void anotherVisitorSeesAndEndsNothing() throws Exception {
        String id = dial();
        try (HttpClient other = HttpClient.newHttpClient()) {
            assertThat(ask(other, "GET", "/calls/" + id, "").statusCode()).isEqualTo(404);
            assertThat(ask(other, "DELETE", "/calls/" + id, "").statusCode()).isEqualTo(404);
            assertThat(ask(other, "GET", "/calls/" + id + "/events", "").statusCode())
                    .isEqualTo(404);
            assertThat(ask(other, "GET", "/calls", "").body()).isEqualTo("{\"calls\":[]}");
        }
    }

    /** Whoever sends a link with his own session in it would see what its reader does. */
    @Test
    void aSessionInALinkIsNone() throws Exception {
        String id = dial();
        String session = cookies.getCookieStore().getCookies().getFirst().getValue();
        try (HttpClient other = HttpClient.newHttpClient()) {
            String path = ";jsessionid=" + session;
            assertThat(ask(other, "GET", "/calls" + path, "").body()).isEqualTo("{\"calls\":[]}");
            assertThat(ask(other, "GET", "/calls/" + id + path, "").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void whatIsWrongIsRefusedInOneLine() throws Exception {
        assertThat(refused("{\"from\":\"" + a.uri() + "\"}"))
                .isEqualTo("400 {\"error\":\"an address is missing or too long\"}");
        assertThat(refused("from=x&to=y"))
                .isEqualTo("400 {\"error\":\"a JSON object of texts is wanted\"}");
        assertThat(refused(body(a.uri(), "tel:+1555"))).startsWith("400");
        assertThat(refused(body(a.uri(), "sip:x@203.0.113.9")))
                .isEqualTo("403 {\"error\":\"calls to 203.0.113.9 are not allowed\"}");
        assertThat(refused(body(a.uri(), "sip:x@203.0.113.9:5070")))
                .isEqualTo("403 {\"error\":\"calls to 203.0.113.9:5070 are not allowed\"}");
        assertThat(refused(body(a.uri(), "sip:x@127.0.0.1;maddr=203.0.113.9"))).startsWith("400");
        assertThat(refused(body(a.uri(), "sip:x@127.0.0.1?Route=%3Csip:203.0.113.9%3E")))
                .startsWith("400");
        assertThat(refused("\"".repeat(2001))).startsWith("413");
        assertThat(ask(browser, "PUT", "/calls", "{}").statusCode()).isEqualTo(405);
        assertThat(ask(browser, "GET", "/calls/1/2", "").statusCode()).isEqualTo(404);
        assertThat(ask(browser, "GET", "/calls/0123456789abcdef", "").statusCode()).isEqualTo(404);
    }

    @Test
    void aPageElsewhereMakesNoCalls() throws Exception {
        HttpRequest.Builder form =
                HttpRequest.newBuilder(URI.create(base + "/click-to-call/calls"))
                        .POST(BodyPublishers.ofString(body(a.uri(), b.uri())));
        assertThat(browser.send(form.build(), BodyHandlers.ofString()).statusCode()).isEqualTo(415);
        form.header("Content-Type", "application/json").header("Origin", "http://elsewhere.test");
        assertThat(browser.send(form.build(), BodyHandlers.ofString()).statusCode()).isEqualTo(403);
    }

    @Test
    void thereIsRoomForSoManyCalls() throws Exception {
        dial();
        String second = dial();
        assertThat(refused(body(a.uri(), b.uri()))).startsWith("409");
        try (HttpClient other = elsewhere()) {
            assertThat(ask(other, "POST", "/calls", body(a.uri(), b.uri())).statusCode())
                    .isEqualTo(201);
            HttpResponse<String> full = ask(other, "POST", "/calls", body(a.uri(), b.uri()));
            assertThat(full.statusCode()).isEqualTo(503);
            assertThat(full.headers().firstValue("Retry-After")).contains("5");
            ask(browser, "DELETE", "/calls/" + second, "");
            assertThat(ask(other, "POST", "/calls", body(a.uri(), b.uri())).statusCode())
                    .isEqualTo(201);
        }
    }

    /** Each POST without the cookie is another visitor's. */
    @Test
    void whoSendsNoCookieLeavesRoomForOthers() throws Exception {
        try (HttpClient greedy = HttpClient.newHttpClient();
                HttpClient other = elsewhere()) {
            String call = body(a.uri(), b.uri());
            for (int i = 0; i < 2; i++) {
                assertThat(ask(greedy, "POST", "/calls", call).statusCode()).isEqualTo(201);
            }
            HttpResponse<String> refused = ask(greedy, "POST", "/calls", call);
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("too many calls");
            assertThat(ask(other, "POST", "/calls", call).statusCode()).isEqualTo(201);
        }
    }

    /** The call, its page and its stream stay with the old version; the next call is the new's. */
    @Test
    void aNewVersionWhileTheCallRuns() throws Exception {
        String id = dial();
        a.pickUp();
        b.pickUp();
        try (BufferedReader events = events(browser, id, -1)) {
            states(events, 6);
            command("deploy " + folder.resolve("click-to-call"));
            assertThat(ask(browser, "GET", "/calls/" + id, "").body()).contains("connected");
            try (HttpClient other = HttpClient.newHttpClient()) {
                assertThat(ask(other, "POST", "/calls", body(a.uri(), b.uri())).statusCode())
                        .isEqualTo(201);
            }
            assertThat(command("applications")).contains("retiring");
            assertThat(ask(browser, "DELETE", "/calls/" + id, "").statusCode()).isEqualTo(200);
            assertThat(states(events, 1)).containsExactly("ended");
        }
    }

    /** A visitor from another address. */
    private static HttpClient elsewhere() throws IOException {
        return HttpClient.newBuilder().localAddress(InetAddress.getByName("127.0.0.2")).build();
    }

    private String command(String text) throws IOException {
        ControlFolder control = ControlFolder.of(folder.resolve("control"), folder);
        return ControlClient.ask(ControlClient.running(control).getFirst(), text);
    }

    private String dial() throws Exception {
        HttpResponse<String> made = ask(browser, "POST", "/calls", body(a.uri(), b.uri()));
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        String location = made.headers().firstValue("Location").orElseThrow();
        return location.substring("/click-to-call/calls/".length());
    }

    private static String body(String from, String to) {
        return Json.object("from", from, "to", to);
    }

    private String refused(String body) throws Exception {
        HttpResponse<String> answer = ask(browser, "POST", "/calls", body);
        return answer.statusCode() + " " + answer.body();
    }

    private HttpResponse<String> ask(HttpClient visitor, String method, String path, String body)
            throws Exception {
        return visitor.send(
                HttpRequest.newBuilder(URI.create(base + "/click-to-call" + path))
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private BufferedReader events(HttpClient visitor, String id, int seen) throws Exception {
        String uri = base + "/click-to-call/calls/" + id + "/events";
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(uri));
        if (seen >= 0) {
            request.header("Last-Event-ID", Integer.toString(seen));
        }
        InputStream stream = visitor.send(request.build(), BodyHandlers.ofInputStream()).body();
        return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }

    private static List<String> states(BufferedReader events, int count) throws IOException {
        List<String> found = new java.util.ArrayList<>();
        while (found.size() < count) {
            String line = events.readLine();
            if (line == null) {
                break;
            }
            if (line.startsWith("data: ")) {
                found.add(line.replaceAll(".*\"state\":\"([^\"]*)\".*", "$1"));
            }
        }
        return found;
    }
}
