package io.carillon.examples.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.HomeFolder;
import io.carillon.server.Server;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.data.Database;
import io.carillon.server.data.SqlUsers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example in a server, on sockets: RFC 3261 section 10.3, digest, forking, restart. */
class RegistrarTest {
    private static final String YAML =
            """
            sip: {listen: [udp:127.0.0.1:0], shards: 2}
            http: {listen: 127.0.0.1:0}
            control: {directory: control}
            drain: {transactions: 0 s}
            """;

    @TempDir private Path folder;
    private Path application;

    @BeforeEach
    void packAndAddUsers() throws Exception {
        application = folder.resolve("registrar");
        copy(Path.of("src/main/webapp"), application);
        copy(Path.of("target/classes"), application.resolve("WEB-INF/classes"));
        try (Database database =
                new Database(
                        ConfigurationReader.standard().database(), new HomeFolder(folder).data())) {
            SqlUsers users = new SqlUsers(database);
            users.add("carillon", "alice", "alice-secret", Set.of());
            users.add("carillon", "bob", "bob-secret", Set.of());
        }
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

    private Server start() throws Exception {
        return Server.start(
                ConfigurationReader.read("test.yaml", YAML, folder),
                java.util.List.of(application),
                new HomeFolder(folder));
    }

    private static InetSocketAddress address(String ready) {
        Matcher port = Pattern.compile("udp:127\\.0\\.0\\.1:(\\d+)").matcher(ready);
        assertThat(port.find()).as(ready).isTrue();
        return new InetSocketAddress("127.0.0.1", Integer.parseInt(port.group(1)));
    }

    private static Phone bob(InetSocketAddress server) throws IOException {
        return new Phone(server, "bob", "bob-secret", "SHA-256");
    }

    @Test
    void bindingsFollowRfc3261Section103() throws Exception {
        try (Server server = start();
                Phone bob = bob(address(server.readyLine()))) {
            assertThat(bob.register("Contact: <" + bob.contact() + ">;q=0.5", "Expires: 120"))
                    .startsWith("SIP/2.0 200")
                    .contains("Contact: <" + bob.contact() + ">")
                    .contains("q=0.5")
                    .contains("expires=120");
            assertThat(bob.register("Contact: <sip:bob@192.0.2.7>;expires=600"))
                    .contains(bob.contact())
                    .contains("sip:bob@192.0.2.7");
            assertThat(bob.register("Contact: <sip:bob@192.0.2.8>;expires=10"))
                    .startsWith("SIP/2.0 423")
                    .contains("Min-Expires: 60");
            assertThat(bob.register("Contact: <sip:bob@192.0.2.7>, <sip:bob@192.0.2.7>;q=0.1"))
                    .startsWith("SIP/2.0 200")
                    .containsOnlyOnce("192.0.2.7");
            assertThat(bob.register("Contact: *", "Expires: 60")).startsWith("SIP/2.0 400");
            assertThat(bob.register("Contact: <sip:bob@192.0.2.7>;expires=0"))
                    .contains(bob.contact())
                    .doesNotContain("192.0.2.7");
            assertThat(bob.register()).contains(bob.contact());
            assertThat(bob.register("Contact: *", "Expires: 0"))
                    .startsWith("SIP/2.0 200")
                    .doesNotContain("Contact:");
        }
    }

    @Test
    void onlyTheUserHimselfWithTheRightPasswordRegisters() throws Exception {
        try (Server server = start()) {
            InetSocketAddress address = address(server.readyLine());
            try (Phone wrong = new Phone(address, "bob", "guess", "MD5");
                    Phone unknown = new Phone(address, "carol", "guess", "MD5");
                    Phone md5 = new Phone(address, "bob", "bob-secret", "MD5")) {
                assertThat(wrong.register("Contact: <" + wrong.contact() + ">"))
                        .startsWith("SIP/2.0 401");
                assertThat(unknown.register("Contact: <" + unknown.contact() + ">"))
                        .startsWith("SIP/2.0 401");
                assertThat(md5.register("Contact: <" + md5.contact() + ">"))
                        .startsWith("SIP/2.0 200");
            }
        }
    }

    @Test
    void aCallRingsAllContactsAndNobodyRegisteredIs480() throws Exception {
        try (Server server = start()) {
            InetSocketAddress address = address(server.readyLine());
            try (Phone desk = bob(address);
                    Phone mobile = bob(address);
                    Phone alice = new Phone(address, "alice", "alice-secret", "SHA-512-256")) {
                alice.send("MESSAGE sip:bob@127.0.0.1", 1);
                assertThat(alice.receive()).startsWith("SIP/2.0 480");
                desk.register("Contact: <" + desk.contact() + ">");
                mobile.register("Contact: <" + mobile.contact() + ">");
                alice.send("MESSAGE sip:bob@127.0.0.1", 2);
                String atDesk = desk.receive();
                String atMobile = mobile.receive();
                assertThat(atDesk).startsWith("MESSAGE " + desk.contact());
                assertThat(atMobile).startsWith("MESSAGE " + mobile.contact());
                desk.reply(atDesk, 486);
                mobile.reply(atMobile, 200);
                assertThat(alice.receive()).startsWith("SIP/2.0 200");
            }
        }
    }

    @Test
    void thePathOfARegistrationIsTheRouteOfItsCalls() throws Exception {
        try (Server server = start()) {
            InetSocketAddress address = address(server.readyLine());
            try (Phone edge = bob(address);
                    Phone alice = new Phone(address, "alice", "alice-secret", "SHA-256")) {
                String path = edge.contact().replace("bob@", "") + ";lr";
                assertThat(
                                edge.register(
                                        "Contact: <sip:bob@192.0.2.7>",
                                        "Path: <" + path + ">",
                                        "Supported: path"))
                        .startsWith("SIP/2.0 200");
                alice.send("MESSAGE sip:bob@127.0.0.1", 1);
                assertThat(edge.receive())
                        .startsWith("MESSAGE sip:bob@192.0.2.7")
                        .contains("Route: <" + path + ">");
            }
        }
    }

    /** What was acknowledged is there after the process was killed in the middle of its work. */
    @Test
    void everyAcknowledgedBindingSurvivesKill9() throws Exception {
        Files.writeString(
                folder.resolve("test.yaml"),
                YAML + "applications: {registrar: {context-params: {max-contacts: 50}}}\n");
        Map<String, Phone> acknowledged = new LinkedHashMap<>();
        Process first = spawn();
        InetSocketAddress address = address(readyLine(first));
        for (int i = 0; i < 50; i++) {
            try (Phone bob = bob(address)) {
                String contact = "sip:bob@192.0.2.7:" + (6000 + i);
                if (bob.register("Contact: <" + contact + ">").startsWith("SIP/2.0 200")) {
                    acknowledged.put(contact, bob);
                }
            }
        }
        first.destroyForcibly().waitFor();
        assertThat(acknowledged).hasSize(50);
        Process second = spawn();
        try (Phone bob = bob(address(readyLine(second)))) {
            String all = bob.register();
            assertThat(all).startsWith("SIP/2.0 200");
            for (String contact : acknowledged.keySet()) {
                assertThat(all).contains("<" + contact + ">");
            }
        } finally {
            second.destroyForcibly().waitFor();
        }
    }

    private Process spawn() throws IOException {
        return new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-XX:+UseSerialGC",
                        "-Dcarillon.home=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.carillon.server.cli.Main",
                        "run",
                        "--config",
                        folder.resolve("test.yaml").toString(),
                        application.toString())
                .redirectErrorStream(true)
                .start();
    }

    private static String readyLine(Process process) throws IOException {
        StringBuilder all = new StringBuilder();
        BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("READY")) {
                return line;
            }
            all.append(line).append('\n');
        }
        throw new AssertionError("the server did not start:\n" + all);
    }
}
