package io.carillon.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.HomeFolder;
import io.carillon.server.Server;
import io.carillon.server.access.AccountFile;
import io.carillon.server.access.Accounts;
import io.carillon.server.access.Role;
import io.carillon.server.config.ConfigurationException;
import io.carillon.server.config.ConfigurationKey;
import io.carillon.server.config.ConfigurationKeys;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.config.ConfigurationSources;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFolder;
import io.carillon.testkit.SourceApplication;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets of the configuration, by whatever source they come, are nowhere to be read. */
class CanarySecretsTest {
    private static final String BASE =
            """
            sip: {listen: ['udp:127.0.0.1:0'], shards: 1}
            http: {listen: '127.0.0.1:0'}
            control: {directory: control}
            drain: {transactions: 0 s}
            trace: {hep: 'udp:127.0.0.1:9'}
            cdr: {file: calls.jsonl}
            admin: {directory: admin}
            """;

    /** How secrets are given. */
    enum Source {
        FILE,
        CONF_D,
        PLACEHOLDER,
        ENVIRONMENT,
        SECRET_FILE,
        ENVIRONMENT_FILE
    }

    private static final class Lines extends AbstractAppender {
        final StringBuffer text = new StringBuffer();

        Lines() {
            super("canary", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            text.append(event.getMessage().getFormattedMessage()).append('\n');
            Throwable thrown = event.getThrown();
            for (Throwable one = thrown; one != null; one = one.getCause()) {
                text.append(one).append('\n');
            }
        }
    }

    @TempDir private Path folder;

    private final Map<String, String> canaries = new LinkedHashMap<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final Map<String, String> said = new LinkedHashMap<>();
    private Path file;

    private void make(Source source) throws IOException {
        file = folder.resolve("c.yaml");
        StringBuilder more = new StringBuilder(BASE);
        StringBuilder beside = new StringBuilder();
        List<String> names = new ArrayList<>();
        for (ConfigurationKey key : ConfigurationKeys.all()) {
            if (key.secret()) {
                names.add(key.name());
            }
        }
        assertThat(names).contains("http.token", "database.password", "trace.hep-key");
        for (String name : names) {
            String canary = "CANARY" + canaries.size() + Long.toString(System.nanoTime(), 36);
            canaries.put(name, canary);
            String variable =
                    "CARILLON_" + name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
            Path secret = folder.resolve("secret" + canaries.size());
            Files.writeString(secret, canary + "\n");
            Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
            switch (source) {
                case FILE -> put(more, name, canary);
                case CONF_D -> put(beside, name, canary);
                case PLACEHOLDER -> {
                    put(more, name, "${GIVEN_" + variable + "}");
                    environment.put("GIVEN_" + variable, canary);
                }
                case ENVIRONMENT -> environment.put(variable, canary);
                case SECRET_FILE -> put(more, name + "-file", secret.toString());
                case ENVIRONMENT_FILE -> environment.put(variable + "_FILE", secret.toString());
            }
        }
        String parameter = "CANARYPARAM" + Long.toString(System.nanoTime(), 36);
        canaries.put("applications.uas.context-params.api-password", parameter);
        beside.append("applications: {uas: {context-params: {api-password: '")
                .append(parameter)
                .append("'}}}\n");
        Files.writeString(file, more.toString());
        Path drops = Files.createDirectories(folder.resolve("conf.d"));
        Files.writeString(drops.resolve("10.yaml"), merged(beside.toString()));
    }

    private static void put(StringBuilder yaml, String name, String value) {
        int dot = name.indexOf('.');
        String section = name.substring(0, dot);
        String line = name.substring(dot + 1) + ": '" + value + "'";
        int inner = line.indexOf('.');
        if (inner >= 0 && inner < line.indexOf(':')) {
            line = line.substring(0, inner) + ": {" + line.substring(inner + 1) + "}";
        }
        int at = yaml.indexOf("\n" + section + ": {");
        if (at >= 0) {
            yaml.insert(at + section.length() + 4, line + ", ");
        } else {
            yaml.append(section).append(": {").append(line).append("}\n");
        }
    }

    private static String merged(String yaml) {
        return yaml.isEmpty() ? "# nothing\n" : yaml;
    }

    private ConfigurationSources sources() {
        return new ConfigurationSources(file, environment, List.of());
    }

    private Path socket() {
        return ControlFolder.of(folder.resolve("control"), folder)
                .socket(ProcessHandle.current().pid());
    }

    private void ask(String command) {
        try {
            said.put(command, ControlClient.ask(socket(), command));
        } catch (IOException e) {
            said.put(command, String.valueOf(e.getMessage()));
        }
    }

    private void page(String base, String path, String token) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer =
                    client.send(
                            HttpRequest.newBuilder(URI.create(base + path))
                                    .header("Authorization", "Bearer " + token)
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            said.put("GET " + path + " " + answer.statusCode(), answer.headers() + answer.body());
        }
    }

    private void command(String... arguments) {
        StringWriter text = new StringWriter();
        var line = Main.commandLine();
        line.setOut(new PrintWriter(text, true));
        line.setErr(new PrintWriter(text, true));
        int code = line.execute(arguments);
        said.put(String.join(" ", arguments), code + "\n" + text);
    }

    private void call(int port, String password) throws IOException {
        String request =
                "INVITE sip:uas@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:1;rport;branch=z9hG4bKc\r\n"
                        + "Max-Forwards: 70\r\nFrom: <sip:a@127.0.0.1>;tag=1\r\n"
                        + "To: <sip:uas@127.0.0.1>\r\nCall-ID: canary\r\nCSeq: 1 INVITE\r\n"
                        + "Contact: <sip:a@127.0.0.1>\r\nAuthorization: Basic "
                        + password
                        + "\r\nContent-Length: 0\r\n\r\n";
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            socket.setSoTimeout(10_000);
            byte[] bytes = request.getBytes(StandardCharsets.US_ASCII);
            socket.send(
                    new DatagramPacket(
                            bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
            socket.receive(new DatagramPacket(new byte[4096], 4096));
        }
    }

    @ParameterizedTest
    @EnumSource(Source.class)
    void noneIsFoundInLogsStatusTracesConfigurationOrTheSupportBundle(Source source)
            throws Exception {
        make(source);
        Lines lines = new Lines();
        lines.start();
        var root = LoggerContext.getContext(false).getConfiguration().getRootLogger();
        root.addAppender(lines, org.apache.logging.log4j.Level.ALL, null);
        Path uas =
                SourceApplication.build(Path.of("../examples/uas/src/main"), folder.resolve("u"));
        Path zip = folder.resolve("support.zip");
        try (Server server =
                Server.start(
                        ConfigurationReader.read(sources()),
                        () -> ConfigurationReader.read(sources()),
                        List.of(uas),
                        new HomeFolder(folder),
                        () -> {})) {
            ask("log-set trace");
            ask("trace-on {\"all\":true}");
            String ready = server.readyLine();
            call(
                    Integer.parseInt(ready.replaceAll(".*udp:127.0.0.1:(\\d+).*", "$1")),
                    canaries.get("http.token"));
            String base = "http://" + ready.replaceAll(".*HTTP ([^;]+);.*", "$1");
            page(base, "/status", canaries.get("http.token"));
            assertThat(said).as("the token is what it has to be").containsKey("GET /status 200");
            page(base, "/metrics", canaries.get("http.token"));
            page(base, "/", canaries.get("http.token"));
            String token = account();
            for (String path :
                    List.of(
                            "configuration",
                            "metrics",
                            "audit",
                            "tokens",
                            "peers",
                            "logs/raised")) {
                page(base, "/api/v1/" + path, token);
                assertThat(said).as("the account may").containsKey("GET /api/v1/" + path + " 200");
            }
            page(base, "/status", "wrong");
            for (String command :
                    List.of(
                            "status",
                            "config-show",
                            "config-diff",
                            "calls {\"user\":\"\",\"state\":\"\",\"application\":\"\",\"longerThanSeconds\":0,\"most\":0}",
                            "trace-list",
                            "trace-show {\"wanted\":\"canary\",\"bodies\":true,\"most\":9}",
                            "users list",
                            "log-show")) {
                ask(command);
            }
            Files.writeString(file, Files.readString(file) + "sip2: {}\n");
            ask("reload");
            Files.writeString(file, Files.readString(file).replace("sip2: {}\n", ""));
            ask("reload");
            String config = file.toString();
            command("config", "show", "--config", config);
            command("config", "show", "--json", "--config", config);
            command("config", "check", "--config", config);
            // This process has no such variables.
            Path client = folder.resolve("client.yaml");
            Files.writeString(client, "control: {directory: control}\n");
            String named = source == Source.PLACEHOLDER ? client.toString() : config;
            command("support", "--for", "1s", "--out", zip.toString(), "--config", named);
            ask("log-reset");
        } finally {
            root.removeAppender("canary");
        }
        said.put("log", lines.text.toString());
        unzip(zip);
        files();
        assertThat(said.get("support/CONTENTS.txt"))
                .as("a server alone has no cluster, and misses none")
                .contains("none: this server is in no cluster")
                .doesNotContain("MISSING");
        assertThat(said.get("log")).contains("The configuration was reloaded");
        assertThat(said.get("trace-show {\"wanted\":\"canary\",\"bodies\":true,\"most\":9}"))
                .as("the trace has the message")
                .contains("Authorization");
        said.forEach((where, text) ->
                canaries.forEach((key, canary) ->
                        assertThat(text.contains(canary)).as(key + " in " + where).isFalse()));
    }

    /** An account and its token, which are secrets too. */
    private String account() throws Exception {
        Accounts accounts = new Accounts(new AccountFile(folder.resolve("admin")));
        String password = "CANARYACCOUNT" + Long.toString(System.nanoTime(), 36);
        accounts.add("root", Set.of(Role.ADMIN), password);
        String token = accounts.token("root", Set.of(), "", Duration.ofHours(1)).token();
        canaries.put("password of an account", password);
        canaries.put("token of an account", token);
        return token;
    }

    /** What the server has written: call records, the audit log, the database. */
    private void files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path one : all.filter(Files::isRegularFile).toList()) {
                String name = folder.relativize(one).toString();
                boolean given = name.matches("(c|client)\\.yaml|conf\\.d/.*|secret\\d+");
                if (!given) {
                    said.put("file " + name, Files.readString(one, StandardCharsets.ISO_8859_1));
                }
            }
        }
        assertThat(said.keySet())
                .contains("file calls.jsonl")
                .anyMatch(one -> one.contains("audit"));
    }

    private void unzip(Path zip) throws IOException {
        assertThat(Files.getPosixFilePermissions(zip))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        List<String> names = new ArrayList<>();
        try (ZipFile open = new ZipFile(zip.toFile())) {
            for (Enumeration<? extends ZipEntry> all = open.entries(); all.hasMoreElements(); ) {
                ZipEntry entry = all.nextElement();
                try (InputStream in = open.getInputStream(entry)) {
                    byte[] bytes = in.readAllBytes();
                    names.add(entry.getName().replaceFirst(".*?/", ""));
                    said.put(entry.getName(), new String(bytes, StandardCharsets.ISO_8859_1));
                    if (entry.getName().endsWith(".jfr")) {
                        look(bytes);
                    }
                }
            }
        }
        assertThat(names)
                .contains(
                        "CONTENTS.txt",
                        "configuration.txt",
                        "status.txt",
                        "threads-1.txt",
                        "threads-all.txt",
                        "recording.jfr",
                        "metrics.txt",
                        "log.txt",
                        "ladders/01.txt",
                        "doctor.txt",
                        "machine.txt");
    }

    /** A recording of which something can be learned, without variables and command lines. */
    private void look(byte[] recording) throws IOException {
        Path file = Files.write(folder.resolve("r.jfr"), recording);
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        assertThat(events).isNotEmpty();
        assertThat(events)
                .extracting(event -> event.getEventType().getName())
                .doesNotContain(
                        "jdk.InitialEnvironmentVariable",
                        "jdk.InitialSystemProperty",
                        "jdk.JVMInformation",
                        "jdk.SystemProcess");
    }

    /** What is said of a secret that cannot be read as one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http: {token: [CANARY1]}\n",
                "http: {token: {CANARY1: CANARY1}}\n",
                "http: {token: \"CANARY1}\n",
                "http:\n  token: 'CANARY1\n",
                "http:\n  token: CANARY1: CANARY1\n",
                "http: {token: !!int CANARY1}\n",
                "http: {token-file: a, token: CANARY1}\n",
                "http: {token: CANARY1, token: CANARY1}\n",
                "http: {token: &CANARY1 *CANARY1}\n",
                "http: {token: CANARY1 ${NONE}}\n",
                "database: {password: [CANARY1]}\n",
                "database: {url: 'jdbc:postgresql://a/b?password=CANARY1&user=b', connections: x}\n",
                "database: {url: 'jdbc:nobody://u:CANARY1@a/b'}\n"
            })
    void noneIsFoundInAFault(String yaml) throws Exception {
        file = Files.writeString(folder.resolve("c.yaml"), yaml);
        command("config", "check", "--config", file.toString());
        command("config", "show", "--config", file.toString());
        assertThat(said.toString()).doesNotContain("CANARY1");
        try {
            ConfigurationReader.read(sources());
        } catch (ConfigurationException e) {
            assertThat(e.toString()).doesNotContain("CANARY1");
        }
    }

    @Test
    void withoutAServerTheBundleSaysWhatIsMissing() throws Exception {
        file =
                Files.writeString(
                        folder.resolve("c.yaml"), BASE + "database: {password: CANARY1}\n");
        Path zip = folder.resolve("none.zip");
        command("support", "--out", zip.toString(), "--config", file.toString());
        String told = String.join("", said.values());
        assertThat(told).startsWith("0\n").contains("no server answers here", "MISSING");
        try (ZipFile open = new ZipFile(zip.toFile())) {
            for (Enumeration<? extends ZipEntry> all = open.entries(); all.hasMoreElements(); ) {
                try (InputStream in = open.getInputStream(all.nextElement())) {
                    assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                            .doesNotContain("CANARY1");
                }
            }
            assertThat(open.getEntry("none/configuration.txt")).isNotNull();
            assertThat(open.getEntry("none/doctor.txt")).isNotNull();
            assertThat(open.getEntry("none/threads-1.txt")).isNull();
        }
        command("support", "--out", zip.toString(), "--config", file.toString());
        assertThat(said.toString()).contains("is there already");
    }
}
