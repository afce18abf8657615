package io.carillon.examples.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlettest.SipTest;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Call;
import io.carillon.testkit.Ending;
import io.carillon.testkit.ScriptedPeer;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.SourceApplication;
import io.carillon.testkit.UserAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.servlet.sip.SipApplicationSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three archives on one INVITE by the router file beside this module, which is changed while a call
 * is up. Dora wants her calls at emil's; alice calls dora. A request has been at an application
 * when that application's session was touched by it, and on the wire it shows a Via for each.
 */
@SipTest(
        router = ChainTest.ROUTER,
        contextParams = "call-forwarding.rules=dora always emil; frida busy emil")
class ChainTest {
    static final String ROUTER = "target/chain-test.properties";
    private static final Path SHIPPED = Path.of("chain.properties");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final List<String> CHAIN =
            List.of("call-blocking", "call-forwarding", "registrar");

    @TempDir private static Path folder;
    private static final List<Path> archives = new ArrayList<>();

    private SipTestServer server;
    private UserAgent alice;
    private UserAgent dora;
    private UserAgent emil;
    private Wire wire;

    @BeforeAll
    static void build() throws IOException {
        Files.createDirectories(Path.of("target"));
        Files.copy(SHIPPED, Path.of(ROUTER), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        for (String name : CHAIN) {
            Path main = Path.of("..", name, "src/main");
            archives.add(SourceApplication.build(main, folder.resolve(name)));
        }
    }

    @BeforeEach
    void deployAndRegister(SipTestServer started) throws Exception {
        server = started;
        Files.copy(SHIPPED, Path.of(ROUTER), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        server.container().reloadRouter(true);
        Location location = new Location(server);
        for (Path archive : archives) {
            server.deploy(archive);
        }
        alice = server.phone("alice");
        dora = server.phone("dora").onCall(Call::answer);
        emil = server.phone("emil").onCall(Call::answer);
        location.register(dora);
        location.register(emil);
        location.register(server.phone("frida").onCall(call -> call.reject(486)));
        wire = new Wire(server);
    }

    /** The router file loses the line of call-forwarding, as an editor would write it. */
    private void withoutForwarding() throws IOException {
        Path changed = Path.of(ROUTER + ".new");
        try (Stream<String> lines = Files.lines(SHIPPED)) {
            Files.write(
                    changed, lines.filter(line -> !line.contains("\"call-forwarding\"")).toList());
        }
        Files.move(changed, Path.of(ROUTER), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertThat(server.container().reloadRouter(false)).isTrue();
    }

    private void hasItsWay(UserAgent caller, Call call, List<String> applications) {
        UserAgent callee = applications.contains("call-forwarding") ? emil : dora;
        Call other = callee.lastCall();
        for (Call end : List.of(call, other)) {
            server.advance(SECOND);
            long before = now();
            wire.clear();
            assertThat(end.reinvite()).isTrue();
            server.advance(SECOND);
            assertThat(touchedSince(before)).containsExactlyElementsOf(applications);
            int hops = applications.size() + 1;
            String to = (end == call ? callee : caller).uri().toString();
            assertThat(wire.requests())
                    .as("a re-INVITE and its ACK, from " + end.agent())
                    .containsExactly("INVITE " + to + " " + hops, "ACK " + to + " " + hops);
        }
    }

    private long now() {
        return 1_700_000_000_000L + server.time().nanoTime() / 1_000_000L;
    }

    private List<String> touchedSince(long millis) {
        List<String> touched = new ArrayList<>();
        for (String application : CHAIN) {
            for (SipApplicationSession session : server.sessions(application)) {
                if (session.getLastAccessedTime() >= millis) {
                    touched.add(application);
                }
            }
        }
        return touched;
    }

    private void ends(Call first, Call second, int hops) {
        wire.clear();
        assertThat(first.bye()).isTrue();
        server.advance(SECOND);
        assertThat(first.ending()).isEqualTo(Ending.RELEASED_HERE);
        assertThat(second.ending()).isEqualTo(Ending.RELEASED_THERE);
        assertThat(wire.requests()).containsExactly("BYE " + second.agent().uri() + " " + hops);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void runningCallsKeepTheirPathAndNewCallsTakeTheNewOne(boolean byCaller) throws Exception {
        Call first = alice.call(server.uri("dora"));
        server.advance(SECOND);
        assertThat(wire.requests())
                .containsExactly("INVITE " + emil.uri() + " 4", "ACK " + emil.uri() + " 4");
        assertThat(dora.calls()).isEmpty();
        hasItsWay(alice, first, CHAIN);

        withoutForwarding();
        hasItsWay(alice, first, CHAIN);
        UserAgent bob = server.phone("bob");
        wire.clear();
        Call second = bob.call(server.uri("dora"));
        server.advance(SECOND);
        assertThat(wire.requests())
                .containsExactly("INVITE " + dora.uri() + " 3", "ACK " + dora.uri() + " 3");
        hasItsWay(bob, second, List.of("call-blocking", "registrar"));
        hasItsWay(alice, first, CHAIN);

        Call atEmil = emil.lastCall();
        ends(byCaller ? first : atEmil, byCaller ? atEmil : first, 4);
        Call atDora = dora.lastCall();
        ends(byCaller ? second : atDora, byCaller ? atDora : second, 3);
        server.assertNothingLeft();
    }

    @Test
    void aBusyPhoneOfTheLocationServiceMakesForwardingAskItForAnother() {
        Call call = alice.call(server.uri("frida"));
        server.advance(SECOND);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        assertThat(emil.calls()).hasSize(1);
        ends(call, emil.lastCall(), 4);
        server.assertNothingLeft();
    }

    @Test
    void whoIsBlockedGetsToNobody() {
        Call call = server.phone("mallory").call(server.uri("dora"));
        server.advance(SECOND);
        assertThat(call.finalStatus()).isEqualTo(403);
        assertThat(server.sessions("call-forwarding")).isEmpty();
        assertThat(server.sessions("registrar")).isEmpty();
        server.assertNothingLeft();
    }

    @Test
    void aCancelGoesThroughAllThree() {
        emil.onCall(Call::ring);
        Call call = alice.call(server.uri("dora"));
        server.advance(SECOND);
        assertThat(call.state()).isEqualTo(Call.State.EARLY);
        call.cancel();
        server.advance(SECOND);
        assertThat(call.finalStatus()).isEqualTo(487);
        assertThat(emil.lastCall().ending()).isEqualTo(Ending.CANCELLED);
        server.assertNothingLeft();
    }

    /** RFC 3261 16.4 knows a Route of ours alone; one behind it would be told where emil is. */
    @Test
    void whoBringsARouteOfHisOwnIsRefused() {
        ScriptedPeer caller = ScriptedPeer.bind(server.network(), "caller", "10.0.1.9", 5060);
        ScriptedPeer proxy = ScriptedPeer.bind(server.network(), "proxy", "10.0.1.8", 5060);
        caller.send(
                SimulatedNetwork.address(SipTestServer.HOST, 5060),
                "INVITE sip:dora@10.0.0.1 SIP/2.0\nVia: SIP/2.0/UDP 10.0.1.9;branch=z9hG4bK1\n"
                        + "Route: <sip:10.0.0.1;lr>, <sip:10.0.1.8;lr>\nMax-Forwards: 70\n"
                        + "From: <sip:alice@x>;tag=a\nTo: <sip:b@x>\nCall-ID: c1\n"
                        + "CSeq: 1 INVITE\nContact: <sip:a@10.0.1.9>\n");
        caller.expect("403");
        server.advance(SECOND);
        assertThat(proxy.all()).isEmpty();
        assertThat(emil.calls()).isEmpty();
    }
}
