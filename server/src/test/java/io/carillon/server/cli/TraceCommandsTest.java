package io.carillon.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.HomeFolder;
import io.carillon.server.Server;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.testkit.SourceApplication;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Traces, calls and log levels as a user types them, at a running server with real sockets. */
class TraceCommandsTest {
    @TempDir private Path folder;
    private Server server;
    private DatagramSocket phone;
    private DatagramSocket collector;
    private String said = "";
    private String name = "";

    @BeforeEach
    void start() throws Exception {
        collector = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        collector.setSoTimeout(20_000);
        phone = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        phone.setSoTimeout(20_000);
        Path uas =
                SourceApplication.build(Path.of("../examples/uas/src/main"), folder.resolve("uas"));
        Files.writeString(
                folder.resolve("server.yaml"),
                """
                sip: {listen: [udp:127.0.0.1:0], shards: 2}
                http: {listen: 127.0.0.1:0}
                control: {directory: control}
                drain: {transactions: 0 s}
                trace: {hep: "udp:127.0.0.1:%d", node: here}
                log: {level: warn, levels: {io.carillon.net: error}}
                """
                        .formatted(collector.getLocalPort()));
        Configuration configuration = ConfigurationReader.read(folder.resolve("server.yaml"));
        server = Server.start(configuration, List.of(uas), new HomeFolder(folder));
    }

    @AfterEach
    void stop() {
        server.close();
        phone.close();
        collector.close();
    }

    private int type(String... arguments) {
        CommandLine line = Main.commandLine();
        StringWriter text = new StringWriter();
        line.setOut(new PrintWriter(text, true));
        line.setErr(new PrintWriter(text, true));
        String[] all = new String[arguments.length + 2];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "--config";
        all[arguments.length + 1] = folder.resolve("server.yaml").toString();
        int exit = line.execute(all);
        said = text.toString();
        return exit;
    }

    private void send(String method, int cseq, String toTag) throws Exception {
        int port =
                Integer.parseInt(
                        server.readyLine().replaceAll("(?s).*udp:127\\.0\\.0\\.1:(\\d+).*", "$1"));
        String own = "127.0.0.1:" + phone.getLocalPort();
        String request =
                """
                %s sip:echo@127.0.0.1 SIP/2.0
                Via: SIP/2.0/UDP %s;branch=z9hG4bK%s%d
                Max-Forwards: 70
                From: %s<sip:carol@example.com>;tag=from
                To: <sip:echo@127.0.0.1>%s
                Call-ID: traced-call
                CSeq: %d %s
                Contact: <sip:carol@%s>
                Authorization: Basic c2VjcmV0
                Content-Length: 0

                """
                        .formatted(
                                method,
                                own,
                                method,
                                cseq,
                                name,
                                toTag.isEmpty() ? "" : ";tag=" + toTag,
                                cseq,
                                method,
                                own)
                        .replace("\n", "\r\n");
        byte[] bytes = request.getBytes(StandardCharsets.UTF_8);
        phone.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
    }

    /** Waits for a message that begins so. */
    private String expect(String start) throws Exception {
        while (true) {
            DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
            phone.receive(packet);
            String text =
                    new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8);
            if (text.startsWith(start)) {
                return text;
            }
        }
    }

    /** Calls and returns the tag of the server's side. */
    private String call() throws Exception {
        send("INVITE", 1, "");
        String ok = expect("SIP/2.0 200");
        String tag = ok.replaceAll("(?s).*\nTo:[^\n]*;tag=([^;\\s]+).*", "$1");
        send("ACK", 1, tag);
        return tag;
    }

    @Test
    void aCallIsTracedShownExportedAndHungUp() throws Exception {
        assertThat(type("trace", "on", "--user", "carol", "--for", "10m")).isZero();
        assertThat(said)
                .isEqualToIgnoringNewLines(
                        "trace 1 is on: user carol, for 10 min and at most 1000 calls");
        call();
        assertThat(type("calls")).isZero();
        assertThat(said.lines().toList()).hasSize(3);
        assertThat(said).contains("sip:carol@example.com", "confirmed", "uas", "here", "1 call");
        assertThat(type("call", "traced-call")).isZero();
        assertThat(said).contains("dialog", "confirmed, tags", "target       sip:carol@127.0.0.1");

        assertThat(type("hangup", "traced-call")).isZero();
        assertThat(said).contains("sip:carol@example.com: BYE");
        expect("BYE sip:carol@127.0.0.1");

        assertThat(type("trace", "list")).isZero();
        assertThat(said)
                .contains("trace 1: user carol, 1 of 1000 calls, ends in ", "traced-call")
                .contains(", by " + System.getProperty("user.name"));
        assertThat(type("trace", "carol", "--messages")).isZero();
        assertThat(said)
                .contains("INVITE ─", "█ uas", "─ BYE ─")
                .contains("Authorization: Basic")
                .doesNotContain("c2VjcmV0");
        export();
        assertThat(type("trace", "off")).isZero();
        assertThat(said).isEqualToIgnoringNewLines("1 trace is off");
        assertThat(type("trace", "clear")).isZero();
        assertThat(type("trace", "carol")).isEqualTo(1);
        assertThat(said)
                .startsWith("carillon: nothing is recorded of a call, session or user 'carol'");
    }

    @Test
    void whatACallerWritesIsNoCommandToTheTerminal() throws Exception {
        name = "\"\u009B31mX\u202E\" ";
        assertThat(type("trace", "on", "--user", "carol")).isZero();
        call();
        Path file = folder.resolve("out.txt");
        String[][] all = {
            {"calls"},
            {"calls", "--json"},
            {"call", "traced-call"},
            {"call", "traced-call", "--json"},
            {"trace", "list"},
            {"trace", "carol", "--messages"},
            {"trace", "carol", "--json"},
            {"trace", "carol", "--messages", "--out", file.toString()},
        };
        for (String[] one : all) {
            assertThat(type(one)).isZero();
            assertThat(said).as(String.join(" ", one)).doesNotContain("\u009B", "\u202E");
        }
        assertThat(file).content().contains("\\u009b31mX\\u202e").doesNotContain("\u009B");
        assertThat(type("trace", "carol", "--messages")).isZero();
        assertThat(said).contains("From: \"\\u009b31mX\\u202e\" <sip:carol@example.com>");
        assertThat(type("hangup", "traced-call")).isZero();
        assertThat(said).doesNotContain("\u009B", "\u202E");
    }

    private void export() throws Exception {
        for (String format : List.of("text", "svg", "pcap", "json")) {
            Path file = folder.resolve("out." + format);
            assertThat(type("trace", "traced-call", "--format", format, "--out", file.toString()))
                    .isZero();
            assertThat(said).contains("1 call, ");
            assertThat(file).isNotEmptyFile();
            assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                    .doesNotContain("c2VjcmV0");
        }
        assertThat(Files.readString(folder.resolve("out.svg"))).startsWith("<svg");
        assertThat(Files.readString(folder.resolve("out.json")))
                .contains("\"id\" : \"traced-call\"");
    }

    @Test
    void theCollectorGetsEveryMessageAndTheStatusCountsThem() throws Exception {
        call();
        DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
        collector.receive(packet);
        String first =
                new String(packet.getData(), 0, packet.getLength(), StandardCharsets.ISO_8859_1);
        assertThat(first).startsWith("HEP3").contains("here", "traced-call", "INVITE sip:echo");
        collector.receive(packet);
        collector.receive(packet);
        assertThat(type("status", "--json")).isZero();
        assertThat(said)
                .containsPattern("\"trace.hep_sent\" : [3-9]")
                .contains("\"trace.hep_dropped\" : 0");
    }

    @Test
    void wrongWishesAreTold() {
        assertThat(type("trace", "on")).isEqualTo(1);
        assertThat(said).startsWith("carillon: say which calls");
        assertThat(type("trace", "on", "--all", "--for", "soon")).isEqualTo(2);
        assertThat(said).contains("write 90s, 10m or 2h");
        assertThat(type("trace")).isEqualTo(2);
        assertThat(type("trace", "x", "--format", "pcap")).isEqualTo(2);
        assertThat(type("trace", "x", "--format", "gif")).isEqualTo(2);
        assertThat(type("trace", "off", "7")).isEqualTo(1);
        assertThat(said).isEqualToIgnoringNewLines("carillon: no trace 7 is on");
        assertThat(type("hangup", "nobody")).isEqualTo(1);
        assertThat(said)
                .isEqualToIgnoringNewLines(
                        "carillon: there is no call 'nobody' (./carillon calls lists them)");
        assertThat(type("call", "nobody")).isEqualTo(1);
        assertThat(type("calls", "--state", "dancing")).isEqualTo(2);
        assertThat(type("calls")).isZero();
        assertThat(said).isEqualToIgnoringNewLines("0 calls");
    }

    @Test
    void theLogLevelIsChangedWhileItRunsAndGoesBack() {
        assertThat(type("log")).isZero();
        assertThat(said)
                .containsPattern("everything +warn")
                .containsPattern("io.carillon.net +error");
        assertThat(type("log", "error")).isZero();
        assertThat(said).containsPattern("everything +error");
        assertThat(type("log", "DEBUG", "io.carillon.net")).isZero();
        assertThat(said).containsPattern("io.carillon.net +debug");
        assertThat(type("log", "trace", "io.carillon.sip")).isZero();
        assertThat(type("log", "off", "io.netty")).isZero();
        assertThat(type("log", "reset")).isZero();
        assertThat(said)
                .containsPattern("everything +warn")
                .containsPattern("io.carillon.net +error")
                .containsPattern("io.netty +warn")
                .doesNotContain("io.carillon.sip");
        assertThat(type("log", "loud")).isEqualTo(1);
        assertThat(said)
                .isEqualToIgnoringNewLines(
                        "carillon: 'loud' is no level; there are off, error, warn, info, debug, trace");
        assertThat(type("log", "reset", "io.carillon")).isEqualTo(2);
    }
}
