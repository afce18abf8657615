package io.carillon.server.api;

import io.carillon.server.AnsweringServlet;
import io.carillon.server.HomeFolder;
import io.carillon.server.Server;
import io.carillon.server.access.AccountFile;
import io.carillon.server.access.Accounts;
import io.carillon.server.access.Role;
import io.carillon.server.config.ConfigurationReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server with an account and a token for each role, and who asks it. */
final class ApiRig implements AutoCloseable {
    static final String PASSWORD = "correct horse battery";
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String YAML =
            """
            sip: {listen: [udp:127.0.0.1:0], shards: 1}
            http: {listen: 127.0.0.1:0}
            control: {directory: control}
            drain: {transactions: 0 s}
            """;

    final Server server;
    final Accounts accounts;
    final Path folder;
    private final URI base;
    private final int sip;
    private final Map<Role, String> tokens = new EnumMap<>(Role.class);
    private final HttpClient client = HttpClient.newHttpClient();

    ApiRig(Path folder) throws Exception {
        this(folder, "directory: admin");
    }

    /**
     * @param admin its section of the configuration
     */
    ApiRig(Path folder, String admin) throws Exception {
        this.folder = folder;
        this.accounts = new Accounts(new AccountFile(folder.resolve("admin")));
        accounts.add("root", Set.of(Role.ADMIN), PASSWORD);
        for (Role role : Role.values()) {
            if (role != Role.ADMIN) {
                accounts.add(role.word(), Set.of(role), PASSWORD);
            }
            tokens.put(
                    role,
                    accounts.token(
                                    role == Role.ADMIN ? "root" : role.word(),
                                    Set.of(),
                                    "",
                                    Duration.ofHours(1))
                            .token());
        }
        server =
                Server.start(
                        ConfigurationReader.read(
                                "test.yaml", YAML + "admin: {" + admin + "}\n", folder),
                        List.of(application(folder.resolve("answering"))),
                        new HomeFolder(folder));
        String ready = server.readyLine();
        base = URI.create("http://" + ready.replaceAll(".*HTTP ([^;]+);.*", "$1"));
        sip = Integer.parseInt(ready.replaceAll(".*udp:127.0.0.1:(\\d+).*", "$1"));
    }

    private static final String SERVLET =
            AnsweringServlet.class.getName().replace('.', '/') + ".class";

    private static Path application(Path to) throws IOException {
        Path target = to.resolve("WEB-INF/classes").resolve(SERVLET);
        Files.createDirectories(target.getParent());
        try (InputStream in = classBytes()) {
            Files.copy(in, target);
        }
        return to;
    }

    private static InputStream classBytes() {
        InputStream in = AnsweringServlet.class.getClassLoader().getResourceAsStream(SERVLET);
        if (in == null) {
            throw new IllegalStateException(SERVLET);
        }
        return in;
    }

    /** The same application as an archive. */
    static byte[] archive(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out);
                InputStream in = classBytes()) {
            zip.putNextEntry(new ZipEntry("WEB-INF/classes/" + SERVLET));
            in.transferTo(zip);
            zip.closeEntry();
        }
        return Files.readAllBytes(file);
    }

    URI base() {
        return base;
    }

    String token(Role role) {
        return Objects.requireNonNull(tokens.get(role));
    }

    /** A request with more headers, in pairs; a body of JSON where one is given. */
    HttpResponse<String> send(String method, String path, @Nullable String body, String... headers)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(base.resolve("/api/v1" + path))
                        .timeout(Duration.ofSeconds(60));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        request.method(
                method,
                body == null
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(body));
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> as(Role role, String method, String path, @Nullable String body)
            throws Exception {
        return send(method, path, body, "Authorization", "Bearer " + token(role));
    }

    JsonNode get(Role role, String path) throws Exception {
        HttpResponse<String> answer = as(role, "GET", path, null);
        if (answer.statusCode() != 200) {
            throw new AssertionError(path + ": " + answer.statusCode() + " " + answer.body());
        }
        return JSON.readTree(answer.body());
    }

    static JsonNode json(HttpResponse<String> answer) {
        return JSON.readTree(answer.body());
    }

    HttpClient client() {
        return client;
    }

    /** Begins a call and returns the tag of who answered it. */
    String call(DatagramSocket phone, String callId) throws IOException {
        String answer = ask(phone, "INVITE", 1, callId, "");
        String tag = answer.replaceAll("(?s).*\nTo:[^\n]*;tag=([^;\\s]+).*", "$1");
        request(phone, "ACK", 1, callId, tag);
        return tag;
    }

    private String ask(DatagramSocket phone, String method, int cseq, String callId, String tag)
            throws IOException {
        request(phone, method, cseq, callId, tag);
        while (true) {
            String message = receive(phone);
            if (message.startsWith("SIP/2.0 ") && !message.startsWith("SIP/2.0 1")) {
                return message;
            }
        }
    }

    /** The next message. */
    static String receive(DatagramSocket phone) throws IOException {
        phone.setSoTimeout(20_000);
        DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
        phone.receive(packet);
        return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
    }

    private void request(DatagramSocket phone, String method, int cseq, String callId, String tag)
            throws IOException {
        String own = "127.0.0.1:" + phone.getLocalPort();
        String request =
                method
                        + (" sip:answering@127.0.0.1:" + sip + " SIP/2.0\r\n")
                        + ("Via: SIP/2.0/UDP " + own + ";branch=z9hG4bK" + callId + cseq + method)
                        + "\r\nMax-Forwards: 70\r\n"
                        + "From: <sip:caller@example.com>;tag=from\r\n"
                        + ("To: <sip:answering@127.0.0.1>" + (tag.isEmpty() ? "" : ";tag=" + tag))
                        + ("\r\nCall-ID: " + callId + "\r\nCSeq: " + cseq + " " + method)
                        + ("\r\nContact: <sip:caller@" + own + ">\r\nContent-Length: 0\r\n\r\n");
        byte[] bytes = request.getBytes(StandardCharsets.US_ASCII);
        phone.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), sip));
    }

    static DatagramSocket phone() throws IOException {
        return new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
