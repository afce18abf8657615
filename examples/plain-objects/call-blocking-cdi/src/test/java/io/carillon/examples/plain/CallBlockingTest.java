package io.carillon.examples.plain;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Call;
import io.carillon.testkit.Received;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.SourceApplication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The archive in a container: who is refused, and that one line takes the blocking away. */
@SipTest(contextParams = "call-blocking-cdi.next-hop=sip:10.0.1.1")
class CallBlockingTest {
    private static final List<String> LIBRARIES = List.of("weld", "jakarta.", "jboss", "jandex");

    @TempDir private static Path folder;
    private static Path application;

    @BeforeAll
    static void build() throws IOException {
        application = archive("blocking");
    }

    private static Path archive(String name) throws IOException {
        Path built = SourceApplication.build(Path.of("src/main"), folder.resolve(name));
        return SourceApplication.addLibraries(
                built,
                path ->
                        path.endsWith("pojo/target/classes")
                                || path.getFileName().toString().startsWith("carillon-pojo")
                                || LIBRARIES.stream()
                                        .anyMatch(start ->
                                                path.getFileName().toString().startsWith(start)));
    }

    private static int statusOfCallBy(String user, SipTestServer server) {
        server.phone("bob").onCall(Call::answer);
        Call call = server.phone(user).call(server.uri("bob"));
        server.advance(Duration.ofSeconds(1));
        int status = call.finalStatus();
        if (status == 200) {
            call.bye();
        }
        return status;
    }

    @Test
    void callersWhoAreBlockedGet503AndOthersTheirCall(SipTestServer server) throws Exception {
        server.deploy(application);
        assertThat(statusOfCallBy("alice", server)).isEqualTo(200);
        assertThat(statusOfCallBy("mallory", server)).isEqualTo(503);
        server.assertNothingLeft();
    }

    @ParameterizedTest
    @CsvSource({
        "<sip:mallory;a=b@x>, sip:bob@10.0.0.1, 503",
        "<sip:%6Dallory@x>, sip:bob@10.0.0.1, 503",
        "<sip:+49-30-12@x;user=phone>, sip:bob@10.0.0.1, 503",
        "<tel:+49-30-12>, sip:bob@10.0.0.1, 503",
        "<sip:bob@x>, sip:bob@10.0.0.1;maddr=10.9.9.9, 200",
        "<sip:bob@x>, sip:bob@10.0.0.1;transport=tcp;ttl=1, 200",
    })
    @SipTest(
            contextParams = {
                "call-blocking-cdi.next-hop=sip:10.0.1.2",
                "call-blocking-cdi.blocked=mallory, +49 30 12"
            })
    void whoIsBlockedIsSoInEverySpellingAndWhoIsNotGoesToTheNextHop(
            String from, String uri, int status, SipTestServer server) throws Exception {
        server.deploy(application);
        ScriptedPeer caller = server.peer("caller");
        ScriptedPeer hop = server.peer("hop");
        send(caller, from, uri, "");
        if (status == 200) {
            Received invite = hop.expect("INVITE");
            assertThat(invite.header("Request-URI")).isEqualTo("sip:bob@10.0.1.2");
            hop.reply(invite, 200, "Contact: <sip:bob@10.0.1.2>");
        }
        caller.expect(Integer.toString(status));
    }

    @Test
    @SipTest(contextParams = "call-blocking-cdi.next-hop=sip:10.0.1.2")
    void aCallersOwnRouteDoesNotLeadPastTheNextHop(SipTestServer server) throws Exception {
        server.deploy(application);
        ScriptedPeer caller = server.peer("caller");
        server.peer("hop");
        ScriptedPeer elsewhere = server.peer("elsewhere");
        send(caller, "<sip:bob@x>", "sip:bob@10.0.0.1", "Route: <sip:10.0.1.3;lr>\n");
        caller.expect("403");
        assertThat(elsewhere.all()).isEmpty();
    }

    private static void send(ScriptedPeer caller, String from, String uri, String more) {
        caller.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                "INVITE "
                        + uri
                        + " SIP/2.0\nVia: SIP/2.0/UDP 10.0.1.1;branch=z9hG4bK-1\n"
                        + "Max-Forwards: 70\nFrom: "
                        + from
                        + ";tag=a\nTo: <sip:bob@10.0.0.1>\nCall-ID: c@10.0.1.1\nCSeq: 1 INVITE\n"
                        + "Contact: <sip:caller@10.0.1.1>\n"
                        + more);
    }

    @Test
    void oneLineOfConfigurationTakesTheBlockingAway(SipTestServer server) throws Exception {
        Path changed = archive("not-blocking");
        Path file = changed.resolve("WEB-INF/classes/META-INF/beans.xml");
        List<String> lines = Files.readAllLines(file);
        List<String> fewer =
                lines.stream()
                        .filter(line -> !line.contains("io.carillon.examples.blocking"))
                        .toList();
        assertThat(fewer).hasSize(lines.size() - 1);
        Files.write(file, fewer);
        server.deploy(changed);
        assertThat(statusOfCallBy("mallory", server)).isEqualTo(200);
    }

    @Test
    void theHandlerIsTheSameFileUnderTheOtherFramework() throws IOException {
        String path = "src/main/java/io/carillon/examples/plain/ProxyHandler.java";
        Path other = Path.of("../call-blocking-spring").resolve(path);
        assertThat(Files.mismatch(Path.of(path), other)).isEqualTo(-1);
    }
}
