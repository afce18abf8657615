package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.bytes.AttributeCodec.LeftOut;
import io.carillon.servlet.bytes.RecordHeader;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallRecords;
import io.carillon.servlet.port.CallStore;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The form of records: what older and newer builds, and broken stores, make of it. */
class RecordFormTest {
    /** Written once for each version of the form, and read for ever. */
    private static final Path RECORDED = Path.of("src/test/resources/records");

    private static TwoNodes keepers(List<Keeper> keepers) {
        return new TwoNodes(server -> {
            Keeper keeper = new Keeper();
            keepers.add(keeper);
            server.deploy(keeper, ExecutionMode.ADAPTIVE, keeper);
        });
    }

    private static Leg called(TwoNodes nodes, String callId) {
        Leg alice =
                Leg.caller(nodes.alice, AdoptedCallsTest.called(nodes, "sip:s@10.0.0.1", callId));
        alice.ack();
        nodes.run(AdoptedCallsTest.SHORT);
        return alice;
    }

    /** The one record there is. */
    private static byte[] only(TwoNodes nodes) {
        return nodes.store.records().values().iterator().next().bytes();
    }

    private static RecordHeader header(TwoNodes nodes) {
        return CallRecords.header(only(nodes));
    }

    @Test
    void theHeaderSaysWhatANodeHasToKnow() {
        TwoNodes nodes = keepers(new ArrayList<>());
        called(nodes, "c1");
        nodes.write();
        ApplicationSession session = nodes.server.container.sessions().all().iterator().next();
        RecordHeader header = header(nodes);
        assertThat(header.application()).isEqualTo("test");
        assertThat(header.id()).isEqualTo(session.getId());
        assertThat(header.key()).isNull();
        assertThat(header.partition()).isBetween(0, 1023);
        assertThat(header.term()).isOne();
        assertThat(header.sequence()).isOne();
        assertThat(header.deadlineMillis()).isEqualTo(session.getExpirationTime());
        assertThat(header.whole()).isTrue();
        assertThat(header.dialogs()).hasSize(1);
    }

    /** A newer build has more sections, and more in those that this one knows. */
    @Test
    void whatANewerBuildAddsIsSkipped() {
        List<Keeper> keepers = new ArrayList<>();
        TwoNodes nodes = keepers(keepers);
        Leg alice = called(nodes, "c1");
        String known = keepers.getFirst().seen.getLast();
        byte[] more = "more".getBytes(StandardCharsets.UTF_8);
        nodes.fail(bytes ->
                Sections.changed(
                        bytes,
                        0,
                        (number, within, whole, content) -> {
                            if (number == 3 && within == 0) {
                                return joined(whole, Sections.section(99, more));
                            }
                            byte[] longer =
                                    Sections.section(
                                            number,
                                            joined(
                                                    Arrays.copyOfRange(
                                                            whole, content, whole.length),
                                                    more));
                            return joined(longer, Sections.section(99, more));
                        }));
        alice.reinvite();
        nodes.run(AdoptedCallsTest.SHORT);
        assertThat(keepers.getLast().seen.getLast()).isEqualTo(known);
        alice.bye();
        nodes.assertEnded(1);
    }

    private static byte[] joined(byte[] one, byte[] other) {
        byte[] all = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, all, one.length, other.length);
        return all;
    }

    @Test
    void aBrokenRecordCostsItsCallAlone() {
        TwoNodes nodes = keepers(new ArrayList<>());
        Leg first = called(nodes, "c1");
        Leg second = called(nodes, "c2");
        String broken = nodes.server.container.sessions().all().iterator().next().getId();
        nodes.fail(bytes ->
                CallRecords.header(bytes).id().equals(broken)
                        ? Sections.changed(
                                bytes,
                                0,
                                (number, within, whole, content) ->
                                        within == 3 && number == 5
                                                ? Sections.section(5, new byte[] {1, 2})
                                                : whole)
                        : bytes);
        int[] answered = new int[2];
        Leg[] legs = {first, second};
        for (int i = 0; i < 2; i++) {
            legs[i].send("BYE");
            answered[i] = ((io.carillon.sip.message.SipResponse) nodes.alice.any()).status();
        }
        assertThat(answered).containsExactlyInAnyOrder(200, 481);
        nodes.run(java.time.Duration.ofMinutes(2));
        assertThat(nodes.adoption.lost()).isOne();
        assertThat(nodes.adoption.adopted()).isOne();
        nodes.server.assertEmpty();
    }

    @Test
    void bytesThatAreNoRecordAreCountedAndNothingElse() {
        TwoNodes nodes = keepers(new ArrayList<>());
        Leg first = called(nodes, "c1");
        nodes.write();
        CallStore.State good = nodes.store.records().values().iterator().next();
        nodes.store
                .records()
                .put(
                        "bad",
                        new CallStore.State(
                                good.partition(), "bad", 1, 1, new byte[] {7, 7, 7, 7, 7, 7}));
        nodes.die();
        nodes.rise();
        first.bye();
        nodes.run(java.time.Duration.ofMinutes(2));
        assertThat(nodes.adoption.lost()).isOne();
        nodes.server.assertEmpty();
    }

    // ---- what cannot go ----

    /** Not for another JVM. */
    private static final class Plain {}

    /** A value of the application. */
    public record Guest(String name, SipSession session) implements Serializable {}

    static final class Odd extends SipServlet {
        private static final long serialVersionUID = 1L;
        transient SipSession last;

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            SipSession session = request.getSession();
            last = session;
            if (session.getAttribute("guest") == null) {
                session.setAttribute("guest", new Guest("Käthe", session));
                session.setAttribute("text", "stays");
            }
            request.createResponse(200).send();
        }

        @Override
        protected void doBye(SipServletRequest request) throws IOException {
            last = request.getSession();
            request.createResponse(200).send();
        }
    }

    private static TwoNodes odd(List<Odd> all, boolean distributable) {
        return new TwoNodes(server -> {
            Odd odd = new Odd();
            all.add(odd);
            try {
                server.container.deploy(
                        ApplicationDescription.builder("test")
                                .servlet("main", () -> odd)
                                .distributable(distributable)
                                .execution(ExecutionMode.ADAPTIVE)
                                .build());
            } catch (DeploymentException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void whatIsLeftBehindIsNamed() {
        List<Odd> all = new ArrayList<>();
        TwoNodes nodes = odd(all, false);
        called(nodes, "c1");
        all.getFirst().last.setAttribute("plain", new Plain());
        nodes.write();
        assertThat(header(nodes).whole()).isFalse();
        ApplicationSession session = nodes.server.container.sessions().all().iterator().next();
        assertThat(CallRecords.leftOut(session))
                .containsExactlyInAnyOrder(
                        new LeftOut("guest", Guest.class.getName()),
                        new LeftOut("plain", Plain.class.getName()));
    }

    @Test
    void theRestOfTheCallGoesOnWithoutIt() {
        List<Odd> all = new ArrayList<>();
        TwoNodes nodes = odd(all, false);
        Leg alice = called(nodes, "c1");
        nodes.fail();
        alice.send("INVITE");
        nodes.alice.response(200);
        alice.ack();
        nodes.run(AdoptedCallsTest.SHORT);
        assertThat(all.getLast().last.getAttribute("text")).isEqualTo("stays");
        alice.bye();
        nodes.assertEnded(1);
    }

    // ---- builds before ----

    /**
     * Writes what is not there yet: {@code -Dcarillon.records.write=true}. A file that is there is
     * never written again; a new number is due when a section of a call has changed.
     */
    private static void record(String name, byte[] bytes) throws IOException {
        Path file = RECORDED.resolve(name);
        if (Boolean.getBoolean("carillon.records.write") && !Files.exists(file)) {
            Files.createDirectories(RECORDED);
            Files.write(file, bytes);
        }
    }

    @Test
    void recordsOfThisVersionAreKept() throws IOException {
        TwoNodes called = keepers(new ArrayList<>());
        called(called, "recorded");
        called.write();
        record("2-called.bin", only(called));
        TwoNodes bridge =
                new TwoNodes(server ->
                        server.deploy(new Bridge("sip:bob@10.0.0.3"), ExecutionMode.ADAPTIVE));
        AdoptedCallsTest.connect(bridge, "sip:x@10.0.0.1", "recorded");
        bridge.write();
        record("2-bridge.bin", only(bridge));
        TwoNodes proxy =
                new TwoNodes(server -> server.deploy(new Passes(), ExecutionMode.ADAPTIVE));
        AdoptedCallsTest.connect(proxy, "sip:bob@10.0.0.3", "recorded", "Route: <sip:10.0.0.1;lr>");
        proxy.write();
        record("2-proxy.bin", only(proxy));
        assertThat(RECORDED.resolve("2-called.bin")).exists();
    }

    /** A call that a build of that version wrote goes on, and its peers end it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1-called.bin", "1-bridge.bin", "1-proxy.bin",
                "2-called.bin", "2-bridge.bin", "2-proxy.bin"
            })
    void aRecordOfABuildBeforeIsRead(String name) throws IOException {
        byte[] bytes = Files.readAllBytes(RECORDED.resolve(name));
        RecordHeader header = CallRecords.header(bytes);
        List<Keeper> keepers = new ArrayList<>();
        TwoNodes nodes =
                new TwoNodes(server -> {
                    switch (name.substring(2)) {
                        case "called.bin" -> {
                            Keeper keeper = new Keeper();
                            keepers.add(keeper);
                            server.deploy(keeper, ExecutionMode.ADAPTIVE, keeper);
                        }
                        case "bridge.bin" ->
                                server.deploy(
                                        new Bridge("sip:bob@10.0.0.3"), ExecutionMode.ADAPTIVE);
                        default -> server.deploy(new Passes(), ExecutionMode.ADAPTIVE);
                    }
                });
        nodes.store
                .records()
                .put(
                        header.id(),
                        new CallStore.State(header.partition(), header.id(), 1, 1, bytes));
        nodes.die();
        nodes.rise();
        nodes.run(AdoptedCallsTest.SHORT);
        assertThat(nodes.adoption.bring(header.id(), () -> {})).isTrue();
        nodes.run(AdoptedCallsTest.SHORT);
        assertThat(nodes.adoption.adopted()).isOne();
        nodes.server.assertClean();
        ApplicationSession session = nodes.server.container.sessions().find(header.id());
        assertThat(session.sessions()).hasSize(name.contains("bridge") ? 2 : 1);
        assertThat(session.sessions().getFirst().getState()).isEqualTo(SipSession.State.CONFIRMED);
        assertThat(session.sessions().getFirst().getCallId()).isEqualTo("recorded");
        if (!keepers.isEmpty()) {
            assertThat(session.sessions().getFirst().getAttribute("text")).isEqualTo("Käthe");
            assertThat(session.sessions().getFirst().getAttribute("number")).isEqualTo(17L);
        }
    }
}
