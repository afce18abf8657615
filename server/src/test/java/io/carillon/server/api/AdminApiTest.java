package io.carillon.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.access.Role;
import io.carillon.server.audit.AuditEntry;
import io.carillon.server.audit.AuditReader;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFolder;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.DatagramSocket;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Administration by HTTP at a running server. */
class AdminApiTest {
    @TempDir private static Path temporary;
    private static ApiRig rig;

    @BeforeAll
    static void start() throws Exception {
        rig = new ApiRig(temporary);
    }

    @AfterAll
    static void stop() {
        rig.close();
    }

    /** Which role each operation needs; written here by hand. */
    private static final Map<Role, String> WHO =
            Map.of(
                    Role.VIEWER,
                    """
                    getStatus getMetrics listPeers getConfiguration getConfigurationChanges getLog
                    getLogLevels showLogLevels listBans listCalls getCall findCall getLadder listTraces findTraces
                    getTraceEvents followTraces followEvents listKeptTraces getKeptTrace getDevelopment listApplications listRegistrations tryRoute getCluster
                    whereIsCall whereIsMessage whoAmI logOut listUsers
                    """,
                    Role.OPERATOR,
                    """
                    reloadCertificates reloadConfiguration setLogLevel raiseLogLevel endRaisedLogLevels resetLogLevels liftBans liftBan
                    hangUp hangUpFound beginTrace endTrace endTraces forgetTraces reloadRoutes
                    """,
                    Role.DEPLOYER,
                    "deploy undeploy",
                    Role.ADMIN,
                    """
                    stopServer getSupportPart copyDatabase handOver listAccounts addAccount removeAccount setAccountPassword
                    setAccountRoles listTokens makeToken revokeToken addUser removeUser
                    setUserPassword setUserRoles getAudit verifyAudit
                    """);

    private static final List<String> OPEN =
            List.of("logIn", "getOpenApi", "getLoginWays", "beginOidc", "finishOidc");

    private record Described(String id, String method, String path, boolean stream, boolean body) {}

    private static List<Described> described() throws Exception {
        JsonNode document = ApiRig.json(rig.send("GET", "/openapi.json", null));
        List<Described> all = new ArrayList<>();
        document.path("paths")
                .properties()
                .forEach(path ->
                        path.getValue()
                                .properties()
                                .forEach(one ->
                                        all.add(
                                                new Described(
                                                        one.getValue()
                                                                .path("operationId")
                                                                .asString(""),
                                                        one.getKey().toUpperCase(Locale.ROOT),
                                                        path.getKey(),
                                                        one.getValue()
                                                                .at("/responses/200/content")
                                                                .has("text/event-stream"),
                                                        one.getValue().has("requestBody")))));
        return all;
    }

    @Test
    void everyOperationIsForItsRolesAndForNoOther() throws Exception {
        Map<String, Role> wanted = new TreeMap<>();
        WHO.forEach((role, ids) -> {
            for (String id : ids.strip().split("\\s+", -1)) {
                wanted.put(id, role);
            }
        });
        List<Described> all = described();
        assertThat(all)
                .extracting(Described::id)
                .doesNotHaveDuplicates()
                .hasSize(wanted.size() + OPEN.size())
                .containsAll(wanted.keySet())
                .containsAll(OPEN);
        for (Described one : all) {
            Role needed = wanted.get(one.id());
            if (needed == null) {
                continue;
            }
            String path = one.path().replaceAll("\\{[a-z]+}", "12345");
            String body = one.body() ? "{}" : null;
            assertThat(rig.send(one.method(), path, body).statusCode())
                    .as(one.id() + " by a stranger")
                    .isEqualTo(401);
            for (Role role : Role.values()) {
                boolean may = role == needed || role == Role.ADMIN || needed == Role.VIEWER;
                if (may && (one.stream() || one.id().equals("stopServer"))) {
                    continue; // the ones do not end, the other ends the test
                }
                HttpResponse<String> answer = rig.as(role, one.method(), path, body);
                assertThat(answer.statusCode() != 403)
                        .as(one.id() + " by " + role + ": " + answer.body())
                        .isEqualTo(may);
                assertThat(answer.statusCode())
                        .as(one.id() + ": " + answer.body())
                        .isNotIn(401, 500);
            }
        }
    }

    @Test
    void everyCommandOfTheControlSocketHasAnOperation() throws Exception {
        String description = rig.send("GET", "/openapi.json", null).body();
        assertThat(description).doesNotContain("x-carillon-commands-left");
        for (String command :
                List.of(
                        "status",
                        "applications",
                        "deploy",
                        "replace",
                        "undeploy",
                        "undeploy-now",
                        "route",
                        "router-reload",
                        "calls",
                        "call",
                        "hangup",
                        "trace-on",
                        "trace-off",
                        "trace-clear",
                        "trace-list",
                        "trace-show",
                        "trace-follow",
                        "log-show",
                        "log-set",
                        "log-reset",
                        "log-raise",
                        "log-end",
                        "support",
                        "bans",
                        "bans-clear",
                        "tls-reload",
                        "config-show",
                        "config-diff",
                        "reload",
                        "users",
                        "stop",
                        "cluster",
                        "hand-over",
                        "where-call",
                        "where-message",
                        "admin",
                        "audit",
                        "database-copy")) {
            assertThat(description).contains("\"" + command + "\"");
        }
    }

    /** {@code -Dcarillon.docs.write=true} writes it. */
    @Test
    void theReferencePageHasEveryOperation() throws Exception {
        Path page = Path.of("..", "docs", "reference", "administration-api.md");
        String text = ApiPage.of(ApiRig.json(rig.send("GET", "/openapi.json", null)));
        if (Boolean.getBoolean("carillon.docs.write")) {
            Files.writeString(page, text);
        }
        assertThat(page).hasContent(text);
    }

    @Test
    void aCallIsListedShownDrawnAndHungUp() throws Exception {
        try (DatagramSocket phone = ApiRig.phone()) {
            assertThat(rig.as(Role.OPERATOR, "POST", "/traces", "{\"all\": true}").statusCode())
                    .isEqualTo(200);
            rig.call(phone, "api-call");

            JsonNode list = rig.get(Role.VIEWER, "/calls?user=caller&limit=1");
            assertThat(list.path("matching").asInt()).isEqualTo(1);
            JsonNode call = list.path("calls").get(0);
            assertThat(call.path("application").asString()).isEqualTo("answering");
            assertThat(call.path("began").asString()).startsWith("20");
            String id = call.path("id").asString();
            assertThat(rig.get(Role.VIEWER, "/calls?text=API-call").path("matching").asInt())
                    .isEqualTo(1);
            assertThat(rig.get(Role.VIEWER, "/calls?text=nobody").path("matching").asInt())
                    .isZero();

            assertThat(
                            rig.get(Role.VIEWER, "/calls/api-call")
                                    .get(0)
                                    .path("sessions")
                                    .get(0)
                                    .path("callId")
                                    .asString())
                    .isEqualTo("api-call");
            String ladder = rig.get(Role.VIEWER, "/calls/api-call/ladder").toString();
            assertThat(ladder).contains("INVITE sip:answering").contains("200 OK");

            HttpResponse<String> ended =
                    rig.as(Role.OPERATOR, "DELETE", "/calls/" + escaped(id), null);
            assertThat(ended.statusCode()).as(ended.body()).isEqualTo(200);
            String bye = ApiRig.receive(phone);
            while (!bye.startsWith("BYE ")) {
                bye = ApiRig.receive(phone);
            }
            assertThat(audit("hangUp")).extracting(AuditEntry::stage).endsWith("begun", "done");
            assertThat(rig.as(Role.OPERATOR, "DELETE", "/calls/nobody", null).statusCode())
                    .isEqualTo(404);
        } finally {
            rig.as(Role.OPERATOR, "DELETE", "/traces", null);
        }
    }

    private static String escaped(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Test
    void pagesOfCallsFollowEachOther() throws Exception {
        try (DatagramSocket phone = ApiRig.phone()) {
            for (int i = 0; i < 5; i++) {
                rig.call(phone, "page-" + i);
            }
            List<String> seen = new ArrayList<>();
            String after = "";
            do {
                JsonNode page =
                        rig.get(Role.VIEWER, "/calls?text=page-&limit=2&after=" + escaped(after));
                page.path("calls").forEach(one -> seen.add(one.path("callIds").get(0).asString()));
                after = page.path("next").asString("");
            } while (!after.isEmpty());
            assertThat(seen)
                    .containsExactlyInAnyOrder("page-0", "page-1", "page-2", "page-3", "page-4");
            assertThat(rig.as(Role.VIEWER, "GET", "/calls?after=x", null).statusCode())
                    .isEqualTo(400);
            for (int i = 0; i < 5; i++) {
                rig.as(Role.OPERATOR, "DELETE", "/calls/page-" + i, null);
            }
        }
    }

    private static List<AuditEntry> audit(String what) throws Exception {
        return AuditReader.read(
                temporary.resolve("admin/audit"), new AuditReader.Filter("", what, "", "", 1_000));
    }

    @Test
    void aViewersDeployIsRefusedAndWrittenDown() throws Exception {
        HttpResponse<String> refused =
                rig.as(Role.VIEWER, "POST", "/applications?name=shop.war", null);

        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.headers().firstValue("Content-Type"))
                .hasValue("application/problem+json");
        assertThat(ApiRig.json(refused).path("detail").asString())
                .isEqualTo("deploy needs the role deployer; viewer has viewer");
        AuditEntry last =
                audit("deploy").stream()
                        .filter(one -> one.stage().equals("refused"))
                        .toList()
                        .getLast();
        assertThat(last.who()).isEqualTo("viewer");
        assertThat(last.way()).isEqualTo("token");
        assertThat(last.from()).isEqualTo("127.0.0.1");
        assertThat(last.status()).isEqualTo(403);
    }

    @Test
    void anArchiveIsSentDeployedAndTakenAway() throws Exception {
        byte[] archive = ApiRig.archive(temporary.resolve("sent.war"));
        HttpRequest request =
                HttpRequest.newBuilder(rig.base().resolve("/api/v1/applications?name=sent.war"))
                        .header("Authorization", "Bearer " + rig.token(Role.DEPLOYER))
                        .header("Content-Type", "application/octet-stream")
                        .timeout(Duration.ofSeconds(60))
                        .POST(HttpRequest.BodyPublishers.ofByteArray(archive))
                        .build();

        HttpResponse<String> answer =
                rig.client().send(request, HttpResponse.BodyHandlers.ofString());

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(ApiRig.json(answer).path("name").asString()).isEqualTo("sent");
        AuditEntry done = audit("deploy").getLast();
        assertThat(done.stage()).isEqualTo("done");
        assertThat(done.on()).isEqualTo("sent.war");
        assertThat(done.before()).doesNotContain("sent");
        assertThat(done.after()).contains("sent");
        assertThat(rig.as(Role.DEPLOYER, "DELETE", "/applications/sent", null).statusCode())
                .isEqualTo(200);
        for (String bad : List.of("../x.war", "x.txt", "a%00.war", ".war", "x%2Fy.war")) {
            HttpResponse<String> refused =
                    rig.as(Role.DEPLOYER, "POST", "/applications?name=" + bad, null);
            assertThat(refused.statusCode()).as(bad).isEqualTo(400);
        }
    }

    @Test
    void wrongRequestsAreToldWhatIsWrong() throws Exception {
        assertThat(detail(rig.as(Role.VIEWER, "GET", "/calls?limit=x", null), 400))
                .contains("limit has to be a number");
        assertThat(detail(rig.as(Role.VIEWER, "GET", "/calls?limit=1001", null), 400))
                .contains("from 1 to 1000");
        assertThat(detail(rig.as(Role.VIEWER, "GET", "/calls?state=lost", null), 400))
                .contains("initial, early, confirmed, terminated");
        assertThat(detail(rig.as(Role.VIEWER, "GET", "/calls?usr=x", null), 400))
                .contains("no parameter 'usr'")
                .contains("user, state");
        assertThat(detail(rig.as(Role.VIEWER, "GET", "/nothing", null), 404)).contains("openapi");
        assertThat(detail(rig.as(Role.VIEWER, "PUT", "/calls", ""), 405)).contains("GET");
        assertThat(detail(rig.as(Role.OPERATOR, "PUT", "/logs/levels", "{"), 400))
                .contains("cannot be read");
        assertThat(detail(rig.as(Role.OPERATOR, "PUT", "/logs/levels", "{\"levle\":1}"), 400))
                .contains("levle");
        assertThat(detail(rig.as(Role.OPERATOR, "PUT", "/logs/levels", "null"), 400))
                .contains("null");
        assertThat(
                        detail(
                                rig.as(
                                        Role.OPERATOR,
                                        "PUT",
                                        "/logs/levels",
                                        "{\"logger\":\"" + "x".repeat(70_000) + "\"}"),
                                413))
                .contains("65536");
        assertThat(detail(rig.as(Role.VIEWER, "GET", "/calls/nobody", null), 404))
                .contains("there is no call 'nobody'");
        assertThat(detail(rig.as(Role.VIEWER, "GET", "/cluster", null), 404))
                .contains("in no cluster");
        assertThat(detail(rig.send("GET", "/status", null, "Authorization", "Bearer x"), 401))
                .contains("unknown, revoked, or over");
    }

    private static String detail(HttpResponse<String> answer, int status) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        JsonNode problem = ApiRig.json(answer);
        assertThat(problem.path("status").asInt()).isEqualTo(status);
        return problem.path("detail").asString();
    }

    @Test
    void aSessionNeedsItsHeaderForChangesAndNoForeignPage() throws Exception {
        HttpResponse<String> in =
                rig.send(
                        "POST",
                        "/session",
                        "{\"name\":\"operator\",\"password\":\"" + ApiRig.PASSWORD + "\"}");
        assertThat(in.statusCode()).as(in.body()).isEqualTo(200);
        String cookies = String.join("\n", in.headers().allValues("Set-Cookie"));
        assertThat(cookies).contains("HttpOnly").contains("SameSite=Strict");
        String cookie = cookies.replaceAll("(?s).*(carillon-session=[^;]+).*", "$1");
        String csrf = ApiRig.json(in).path("csrf").asString();
        assertThat(cookie).doesNotContain(csrf);

        assertThat(rig.send("GET", "/status", null, "Cookie", cookie).statusCode()).isEqualTo(200);
        assertThat(rig.send("DELETE", "/bans", null, "Cookie", cookie).statusCode()).isEqualTo(403);
        assertThat(
                        rig.send("DELETE", "/bans", null, "Cookie", cookie, "X-CSRF-Token", "x")
                                .statusCode())
                .isEqualTo(403);
        assertThat(
                        rig.send("DELETE", "/bans", null, "Cookie", cookie, "X-CSRF-Token", csrf)
                                .statusCode())
                .isEqualTo(200);
        assertThat(
                        rig.send(
                                        "GET",
                                        "/status",
                                        null,
                                        "Cookie",
                                        cookie,
                                        "Sec-Fetch-Site",
                                        "cross-site")
                                .statusCode())
                .isEqualTo(403);
        assertThat(rig.send("POST", "/session", null, "Content-Type", "text/plain").statusCode())
                .isEqualTo(415);

        assertThat(
                        rig.send("DELETE", "/session", null, "Cookie", cookie, "X-CSRF-Token", csrf)
                                .statusCode())
                .isEqualTo(200);
        assertThat(rig.send("GET", "/status", null, "Cookie", cookie).statusCode()).isEqualTo(401);
    }

    @Test
    void aThousandWrongPasswordsLockOutNobodyWhoHasBeenThere() throws Exception {
        rig.accounts.add("guessed", Set.of(Role.VIEWER), ApiRig.PASSWORD);
        String right = "{\"name\":\"guessed\",\"password\":\"" + ApiRig.PASSWORD + "\"}";
        HttpResponse<String> in = rig.send("POST", "/session", right);
        String known =
                String.join("\n", in.headers().allValues("Set-Cookie"))
                        .replaceAll("(?s).*(carillon-browser=[^;]+).*", "$1");
        String session =
                String.join("\n", in.headers().allValues("Set-Cookie"))
                        .replaceAll("(?s).*(carillon-session=[^;]+).*", "$1");
        int looked = 0;
        for (int i = 0; i < 1_000; i++) {
            int status =
                    rig.send(
                                    "POST",
                                    "/session",
                                    "{\"name\":\"guessed\",\"password\":\"x" + i + "\"}")
                            .statusCode();
            assertThat(status).isIn(401, 429);
            looked += status == 401 ? 1 : 0;
        }
        assertThat(looked).isLessThan(50);
        assertThat(rig.send("POST", "/session", right).statusCode()).isEqualTo(429);
        assertThat(rig.send("GET", "/status", null, "Cookie", session).statusCode()).isEqualTo(200);
        assertThat(rig.send("POST", "/session", right, "Cookie", known).statusCode())
                .isEqualTo(200);
        assertThat(audit("logIn").stream().filter(one -> one.stage().equals("refused")))
                .hasSizeBetween(20, 100);
    }

    @Test
    void aNameThatIsForeignIsRefused() throws Exception {
        try (Socket socket = new Socket(rig.base().getHost(), rig.base().getPort())) {
            socket.getOutputStream()
                    .write(
                            "GET /api/v1/openapi.json HTTP/1.1\r\nHost: rebound.example.com\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 403");
        }
    }

    /**
     * RFC 9112 section 9.6: who sends no more answers on a connection says so with the last one.
     */
    @Test
    void anAnswerAheadOfTheBodySaysThatTheConnectionEnds() throws Exception {
        try (Socket socket = new Socket(rig.base().getHost(), rig.base().getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(
                            ("POST /api/v1/users HTTP/1.1\r\nHost: localhost\r\n"
                                            + "Content-Type: application/json\r\n"
                                            + "Content-Length: 2\r\n\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 401")
                    .containsIgnoringCase("\r\nConnection: close\r\n");
        }
    }

    private static BufferedReader stream(Role role, String path) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(rig.base().resolve("/api/v1" + path))
                        .header("Authorization", "Bearer " + rig.token(role))
                        .timeout(Duration.ofSeconds(30))
                        .build();
        HttpResponse<InputStream> answer =
                rig.client().send(request, HttpResponse.BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/event-stream");
        return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    }

    private static String until(BufferedReader in, String text) throws Exception {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.contains(text)) {
                return line;
            }
        }
        throw new AssertionError("the stream ended without " + text);
    }

    @Test
    void eventsTellOfStatusAndOfWhatIsDone() throws Exception {
        try (BufferedReader in = stream(Role.ADMIN, "/events")) {
            until(in, "event: status");
            assertThat(until(in, "data: ")).contains("\"calls\"");
            rig.as(Role.OPERATOR, "DELETE", "/bans", null);
            until(in, "event: audit"); // perhaps of a test before
            assertThat(until(in, "liftBans")).startsWith("data: [{");
        }
        HttpResponse<String> refused = rig.as(Role.VIEWER, "GET", "/events?topics=audit", null);
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(rig.as(Role.VIEWER, "GET", "/events?topics=x", null).body())
                .contains("status, applications, log, audit");
    }

    @Test
    void aLadderGrowsWhileItsCallRuns() throws Exception {
        rig.as(Role.OPERATOR, "POST", "/traces", "{\"all\": true}");
        try (DatagramSocket phone = ApiRig.phone();
                BufferedReader in = stream(Role.VIEWER, "/traces/stream?call=growing")) {
            rig.call(phone, "growing");
            assertThat(until(in, "INVITE sip:")).contains("\"leg\":\"growing\"");
            rig.as(Role.OPERATOR, "DELETE", "/calls/growing", null);
            until(in, "BYE sip:");
        } finally {
            rig.as(Role.OPERATOR, "DELETE", "/traces", null);
        }
        assertThat(rig.as(Role.VIEWER, "GET", "/traces/stream?bodies=true", null).statusCode())
                .isEqualTo(403);
    }

    @Test
    void theControlSocketIsWrittenDownToo() throws Exception {
        Path socket =
                ControlClient.running(ControlFolder.of(temporary.resolve("control"), temporary))
                        .getFirst();
        ControlClient.ask(socket, "bans-clear");
        ControlClient.ask(socket, "bans");

        AuditEntry last = audit("bans").getLast();
        assertThat(last.what()).isEqualTo("bans-clear");
        assertThat(last.who()).isEqualTo(System.getProperty("user.name"));
        assertThat(last.way()).isEqualTo("socket");
    }

    @Test
    void passwordsAreInNoLog() throws Exception {
        rig.as(
                Role.ADMIN,
                "POST",
                "/accounts",
                "{\"name\":\"hidden\",\"password\":\"very secret words\",\"roles\":[\"viewer\"]}");
        String token =
                ApiRig.json(rig.as(Role.ADMIN, "POST", "/tokens", "{\"account\":\"hidden\"}"))
                        .path("token")
                        .asString();
        assertThat(token).startsWith("carillon_");

        List<AuditEntry> lines = audit("");
        assertThat(lines.toString()).doesNotContain("very secret words").doesNotContain(token);
        assertThat(audit("addAccount").getLast().on()).isEqualTo("hidden");
        assertThat(audit("addAccount").getLast().after()).contains("hidden");
        assertThat(rig.get(Role.ADMIN, "/audit/verification").path("fault").isNull()).isTrue();
    }
}
