package io.carillon.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.server.HomeFolder;
import io.carillon.server.Server;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFolder;
import io.carillon.server.http.app.ListenerLog;
import io.carillon.server.http.app.Page;
import io.carillon.server.http.app.Phone;
import io.carillon.server.http.app.SerialCheck;
import java.io.IOException;
import java.io.InputStream;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A converged application in the real server, asked over HTTP. */
class ConvergedHttpTest {
    private static final String YAML =
            """
            sip: {listen: [udp:127.0.0.1:0], shards: 1}
            http: {listen: 127.0.0.1:0, max-request: 1 KiB}
            control: {directory: control}
            drain: {transactions: 0 s}
            applications: {converged: {context-params: {greeting: hello}}}
            """;

    private static final String WEB_XML =
            """
            <web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="4.0">
              <context-param>
                <param-name>of web.xml</param-name>
                <param-value>seen</param-value>
              </context-param>
              <env-entry>
                <env-entry-name>pages</env-entry-name>
                <env-entry-type>java.lang.Integer</env-entry-type>
                <env-entry-value>3</env-entry-value>
              </env-entry>
              <resource-ref>
                <res-ref-name>jdbc/calls</res-ref-name>
                <res-type>javax.sql.DataSource</res-type>
              </resource-ref>
            </web-app>
            """;

    @TempDir private Path folder;
    private final HttpClient browser =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
    private @org.jspecify.annotations.Nullable Server server;
    private String base = "";
    private boolean welcome = true;

    @AfterEach
    void stop() {
        browser.close();
        if (server != null) {
            server.close();
        }
    }

    @Test
    void bothSidesHaveOneContextAndTheSameServices() throws Exception {
        start();
        assertThat(get("/converged/page/services").body().lines())
                .containsExactly(
                        "true",
                        "true",
                        "true",
                        "true",
                        "true",
                        "outboundInterfaces",
                        "supported",
                        "supportedRfcs",
                        "hello",
                        "seen",
                        "true");
    }

    @Test
    void httpServletsFindTheSameNames() throws Exception {
        start();
        assertThat(get("/converged/page/names").body().lines())
                .containsExactly("true", "3", "true");
    }

    @Test
    void aListenerOfBothSidesIsOneInstanceAndIsToldOnce() throws Exception {
        start();
        assertThat(get("/converged/page/instances").body()).isEqualTo("1");
        assertThat(get("/converged/page/attribute").body())
                .isEqualTo(
                        "made,contextInitialized true,phone.init yes,page.init,added page.attribute");
        closeServer();
        assertThat(System.getProperty("io.carillon.test.witness"))
                .endsWith("added page.attribute,phone.destroy,contextDestroyed");
    }

    @Test
    void everyHttpSessionIsConvergedAndWritesItsIdIntoUrls() throws Exception {
        start();
        List<String> lines = get("/converged/page/converged").body().lines().toList();
        String id = lines.get(2);
        assertThat(lines.get(0))
                .isEqualTo("http://example.com/converged/page;jsessionid=" + id + "?a=b#c");
        assertThat(lines.get(1))
                .isEqualTo(
                        base.replace("http:", "https:")
                                + "/converged/page/session;jsessionid="
                                + id);
        assertThat(get("/converged/page/heard").body()).contains("http created true");
    }

    @Test
    void anHttpSessionBelongsToAnApplicationSession() throws Exception {
        start();
        List<String> lines = get("/converged/page/session").body().lines().toList();
        assertThat(lines.subList(1, 6)).containsExactly("true", "true", "true", "false", "true");
        assertThat(get("/converged/page/bound").body()).isEqualTo(lines.getFirst());
    }

    @Test
    void aRequestWithAnEncodedUrlBelongsToThatApplicationSession() throws Exception {
        start();
        String plain = base + "/converged/page/bound?x=1#here";
        String encoded =
                get("/converged/page/encode?base=" + URLEncoder.encode(plain, UTF_8)).body();
        assertThat(encoded)
                .startsWith(base + "/converged/page/bound?x=1&io.carillon.appsession=")
                .endsWith("#here");
        assertThat(get(encoded.replace("#here", "")).body()).isEqualTo("converged:desk");
        assertThat(get("/converged/page/bound").body())
                .as("the HTTP session stays with it")
                .isEqualTo("converged:desk");
    }

    @Test
    void anHttpSessionOfAnotherApplicationSessionMovesToTheEncodedOne() throws Exception {
        start();
        String before = get("/converged/page/session").body().lines().findFirst().orElseThrow();
        String encoded =
                get("/converged/page/encode?base=" + base + "/converged/page/bound").body();
        assertThat(get(encoded).body()).isEqualTo("converged:desk").isNotEqualTo(before);
    }

    @Test
    void aTokenThatIsNotOursBindsNothing() throws Exception {
        start();
        get("/converged/page/encode?base=" + base + "/x");
        assertThat(get("/converged/page/bound?io.carillon.appsession=converged%3Adesk.00").body())
                .isEqualTo("no session");
    }

    @Test
    void theEndOfTheApplicationSessionEndsItsHttpSessions() throws Exception {
        start();
        assertThat(get("/converged/page/invalidate-application").body()).isEqualTo("false");
        assertThat(get("/converged/page/bound").body()).isEqualTo("no session");
        assertThat(get("/converged/page/heard").body())
                .contains("http destroyed,application session destroyed");
    }

    @Test
    void anApplicationSessionIsReadyOnceItsHttpSessionIsOver() throws Exception {
        start();
        assertThat(get("/converged/page/invalidate-http").body()).isEqualTo("false false");
        assertThat(get("/converged/page/heard").body())
                .contains("http destroyed,ready,application session destroyed");
    }

    @Test
    void workOfTheApplicationsOwnRunsInTheTurn() throws Exception {
        start();
        assertThat(get("/converged/page/turn").body()).isEqualTo("100");
    }

    @Test
    void threadsOfHttpAndSipMessagesTakeTurnsInOneApplicationSession() throws Exception {
        start();
        try (SipCaller caller = new SipCaller(sipPort())) {
            String tag = caller.call();
            Thread http =
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 0; i < 10; i++) {
                                    getQuietly("/converged/page/serial");
                                }
                            });
            for (int i = 0; i < 50; i++) {
                assertThat(caller.ask("INFO", tag)).startsWith("SIP/2.0 200");
            }
            http.join();
            String[] counts = get("/converged/page/serial").body().split(" ");
            assertThat(Integer.parseInt(counts[0])).as("pieces of work").isGreaterThan(250);
            assertThat(counts[1]).as("pieces that met another").isEqualTo("0");
            assertThat(caller.ask("BYE", tag)).startsWith("SIP/2.0 200");
        }
    }

    @Test
    void anOpenEventStreamHoldsNoTurn() throws Exception {
        start();
        HttpResponse<InputStream> stream =
                browser.send(
                        HttpRequest.newBuilder(URI.create(base + "/converged/page/stream")).build(),
                        HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream events = stream.body();
                SipCaller caller = new SipCaller(sipPort())) {
            assertThat(events.read()).isEqualTo('d');
            String tag = caller.call();
            assertThat(caller.ask("BYE", tag)).startsWith("SIP/2.0 200");
        }
    }

    @Test
    void anApplicationThatIsTakenOutOfServiceServesNoPages() throws Exception {
        start();
        assertThat(get("/converged/").statusCode()).isEqualTo(200);
        command("undeploy", "converged");
        assertThat(get("/converged/").statusCode()).isEqualTo(404);
    }

    @Test
    void aNewVersionServesThePathAndTheSessionsOfTheOldOneAreOver() throws Exception {
        start();
        String before = get("/converged/page/session").body();
        Files.writeString(folder.resolve("converged/index.html"), "<p>second</p>");
        command("deploy", folder.resolve("converged").toString());
        assertThat(get("/converged/").body()).isEqualTo("<p>second</p>");
        assertThat(get("/converged/page/bound").body()).isEqualTo("no session");
        assertThat(get("/converged/page/session").body()).isNotEqualTo(before);
    }

    @Test
    void anHttpSessionWithACallStaysWithItsVersionUntilTheCallEnds() throws Exception {
        start();
        command("deploy", folder.resolve("converged").toString()); // a copy, which stays as it is
        try (SipCaller caller = new SipCaller(sipPort())) {
            String tag = caller.call();
            get(get("/converged/page/encode?base=" + base + "/converged/page/bound").body());
            Files.writeString(folder.resolve("converged/index.html"), "<p>second</p>");
            command("deploy", folder.resolve("converged").toString());
            assertThat(get("/converged/").body()).as("its visitor").isEqualTo("<p>welcome</p>");
            assertThat(get("/converged/page/bound").body()).isEqualTo("converged:desk");
            try (HttpClient other = HttpClient.newHttpClient()) {
                assertThat(get(other, "/converged/").body())
                        .as("somebody else")
                        .isEqualTo("<p>second</p>");
            }
            assertThat(command("applications", "")).contains("\"retiring\"");
            assertThat(caller.ask("BYE", tag)).startsWith("SIP/2.0 200");
            // The 200 leaves within the turn, and the session ends with the turn: a moment later.
            String page = get("/converged/").body();
            for (int asked = 0; asked < 1000 && page.equals("<p>welcome</p>"); asked++) {
                page = get("/converged/").body();
            }
            assertThat(page).isEqualTo("<p>second</p>");
        }
    }

    @Test
    void anEncodedUrlLeadsToTheVersionOfItsCall() throws Exception {
        start();
        try (SipCaller caller = new SipCaller(sipPort());
                HttpClient other = HttpClient.newHttpClient()) {
            String tag = caller.call();
            String plain = base + "/converged/page/bound";
            String encoded = get("/converged/page/encode?base=" + plain).body();
            command("deploy", folder.resolve("converged").toString());
            assertThat(get(other, encoded).body()).isEqualTo("converged:desk");
            assertThat(caller.ask("BYE", tag)).startsWith("SIP/2.0 200");
        }
    }

    @Test
    void aRequestInProgressKeepsItsVersionUntilItIsCompleted() throws Exception {
        start();
        HttpResponse<InputStream> stream =
                browser.send(
                        HttpRequest.newBuilder(URI.create(base + "/converged/page/stream")).build(),
                        HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream events = stream.body()) {
            assertThat(events.read()).isEqualTo('d');
            command("undeploy", "converged");
            assertThat(command("applications", "")).contains("\"retiring\"");
        }
    }

    @Test
    void applicationsListenElsewhereAndAdministrationDoesNot() throws Exception {
        start(YAML.replace("max-request: 1 KiB", "applications: 127.0.0.1:0"));
        String pages =
                get("/status").body().replaceAll("(?s).*\"(http://[^\"]+)/converged\".*", "$1");
        assertThat(pages).isNotEqualTo(base);
        assertThat(get(pages + "/converged/").body()).isEqualTo("<p>welcome</p>");
        assertThat(get(pages + "/status").statusCode()).isEqualTo(404);
        assertThat(get(pages + "/metrics").statusCode()).isEqualTo(404);
    }

    @Test
    void pagesNeedNoTokenAndAdministrationDoes() throws Exception {
        start(YAML.replace("max-request: 1 KiB", "token: secret"));
        assertThat(get("/converged/").statusCode()).isEqualTo(200);
        assertThat(get("/status").statusCode()).isEqualTo(401);
    }

    @Test
    void thePathOfAnApplicationIsConfigurable() throws Exception {
        start(YAML.replace("{greeting: hello}", "{greeting: hello}, http-path: /desk/phone"));
        assertThat(get("/desk/phone/").body()).isEqualTo("<p>welcome</p>");
        assertThat(get("/converged/").statusCode()).isEqualTo(404);
    }

    @Test
    void aPathOfTheServersOwnIsRefused() {
        assertThatThrownBy(() ->
                        start(
                                YAML.replace(
                                        "{greeting: hello}",
                                        "{greeting: hello}, http-path: /status")))
                .hasMessage(
                        "converged: http path /status: is the server's own; set applications.converged.http-path to another");
    }

    @Test
    void whatAServletThrowsIsNotInThePage() throws Exception {
        start();
        HttpResponse<String> failed = get("/converged/page/fail");
        assertThat(failed.statusCode()).isEqualTo(500);
        assertThat(failed.body()).contains("500").doesNotContain("secret", "io.carillon", "\tat ");
        assertThat(get("/converged/page/nothing").statusCode()).isEqualTo(404);
    }

    @Test
    void filesAreServedButNotTheInsideNorAJsp() throws Exception {
        start();
        assertThat(get("/converged/").body()).isEqualTo("<p>welcome</p>");
        assertThat(get("/converged/old.jsp").statusCode()).isEqualTo(501);
        assertThat(get("/converged/WEB-INF/web.xml").statusCode()).isEqualTo(404);
        assertThat(get("/converged/folder/").statusCode()).isIn(403, 404);
    }

    @Test
    void aRequestThatIsTooLargeIsRefused() throws Exception {
        start();
        assertThat(post("/converged/page/length", "x".repeat(1024)).body()).isEqualTo("1024");
        assertThat(post("/converged/page/length", "x".repeat(1025)).statusCode()).isEqualTo(413);
    }

    @Test
    void thePagesOfTheServerStayItsOwn() throws Exception {
        start();
        assertThat(get("/status").body()).contains("\"pages\"").contains(base + "/converged");
        assertThat(get("/elsewhere").statusCode()).isEqualTo(404);
        assertThat(Objects.requireNonNull(server).hints())
                .contains("Page:  " + base + "/converged/\n");
    }

    @Test
    void aPageIsNamedWhereSomebodyWhoOpensItSeesOne() throws Exception {
        start();
        assertThat(get("/converged/").statusCode()).isEqualTo(200);
        assertThat(Objects.requireNonNull(server).hints())
                .contains("Page:  " + base + "/converged/\n");
    }

    @Test
    void noPageIsNamedThatIsRefused() throws Exception {
        welcome = false;
        start();
        assertThat(get("/converged/").statusCode()).isEqualTo(403);
        assertThat(Objects.requireNonNull(server).hints()).doesNotContain("Page:");
        assertThat(get("/").body()).contains("<li>converged</li>");
    }

    private void start() throws Exception {
        start(YAML);
    }

    private void start(String yaml) throws Exception {
        Path application = folder.resolve("converged");
        for (Class<?> type :
                List.of(Page.class, Phone.class, ListenerLog.class, SerialCheck.class)) {
            copy(type, application);
        }
        Files.writeString(application.resolve("WEB-INF/web.xml"), WEB_XML);
        if (welcome) {
            Files.writeString(application.resolve("index.html"), "<p>welcome</p>");
        }
        Files.writeString(application.resolve("old.jsp"), "<%= secret %>");
        Files.createDirectories(application.resolve("folder"));
        server =
                Server.start(
                        ConfigurationReader.read("test.yaml", yaml, folder),
                        List.of(application),
                        new HomeFolder(folder));
        base = "http://" + server.readyLine().replaceAll(".*HTTP ([^;]+);.*", "$1");
    }

    private int sipPort() {
        return Integer.parseInt(
                Objects.requireNonNull(server)
                        .readyLine()
                        .replaceAll(".*udp:127.0.0.1:(\\d+).*", "$1"));
    }

    private String command(String name, String argument) throws IOException {
        ControlFolder control = ControlFolder.of(folder.resolve("control"), folder);
        return ControlClient.ask(ControlClient.running(control).getFirst(), name + " " + argument);
    }

    private String getQuietly(String path) {
        try {
            return get(path).body();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void closeServer() {
        Server running = server;
        server = null;
        if (running != null) {
            running.close();
        }
    }

    private static void copy(Class<?> type, Path application) throws IOException {
        String name = type.getName().replace('.', '/') + ".class";
        Path target = application.resolve("WEB-INF/classes").resolve(name);
        Files.createDirectories(target.getParent());
        try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
            Files.copy(in, target);
        }
    }

    private HttpResponse<String> get(String path) throws Exception {
        return get(browser, path);
    }

    private HttpResponse<String> get(HttpClient visitor, String path) throws Exception {
        return visitor.send(
                HttpRequest.newBuilder(URI.create(path.startsWith("http") ? path : base + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return browser.send(
                HttpRequest.newBuilder(URI.create(base + path))
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
