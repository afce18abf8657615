package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that was taken over and of which nobody is heard: are there still peers that have it? */
class SilentCallsTest {
    private static final HeaderName REASON = HeaderName.of("Reason");
    private static final Duration LONG =
            Duration.ofMillis(2 * (SilentCalls.SILENT_MILLIS + SilentCalls.SPREAD_MILLIS));

    private static TwoNodes bridge(ExecutionMode mode) {
        return TwoNodes.protecting(
                server -> server.deploy(new Bridge("sip:b@10.0.0.3:5060"), mode));
    }

    private static void endless(TwoNodes nodes) {
        nodes.server.container.sessions().all().forEach(session -> session.setExpires(0));
    }

    /** Its removal was lost with the node: nobody has it. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aCallThatNoPeerHasAnyMoreIsEnded(ExecutionMode mode) {
        TwoNodes nodes = bridge(mode);
        AdoptedCallsTest.connect(nodes, "sip:bob@10.0.0.1", "c1");
        endless(nodes);
        nodes.run(Duration.ofSeconds(1));

        nodes.fail();

        nodes.run(Duration.ofMillis(SilentCalls.SILENT_MILLIS - 1_000));
        assertThat(nodes.adoption.adopted()).as("not before its time").isZero();
        nodes.alice.answerAll(481);
        nodes.bob.answerAll(481);
        nodes.run(LONG);
        assertThat(nodes.adoption.asked()).isEqualTo(2);
        assertThat(nodes.adoption.endedSilent()).isEqualTo(2);
        nodes.assertEnded(1);
        assertThat(nodes.store.records().values())
                .as("and its record goes")
                .allMatch(state -> state.bytes() == null);
    }

    /** One of the two is gone: the other hears of it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theLegOfAPeerThatHasItIsEndedWithTheOther(boolean answers) {
        TwoNodes nodes = bridge(ExecutionMode.ADAPTIVE);
        Leg[] legs = AdoptedCallsTest.connect(nodes, "sip:bob@10.0.0.1", "c1");
        endless(nodes);
        nodes.run(Duration.ofSeconds(1));

        nodes.fail();

        if (answers) {
            nodes.alice.answerAll(481);
        }
        SipRequest asked = nodes.bob.requestWithin(LONG, "OPTIONS");
        assertThat(asked.toTag()).isNotNull();
        nodes.bob.respond(asked, 200, "");
        SipRequest bye = nodes.bob.requestWithin(Duration.ofMinutes(2), "BYE");
        assertThat(bye.header(REASON)).contains("cause=481");
        nodes.bob.respond(bye, 200, "");
        assertThat(legs).hasSize(2);
        nodes.run(Duration.ofMinutes(5));
        assertThat(nodes.adoption.endedSilent()).isEqualTo(1);
        nodes.assertEnded(1);
    }

    @Test
    void aCallThatBothPeersHaveGoesOnAndIsAskedForOnce() {
        TwoNodes nodes = bridge(ExecutionMode.ADAPTIVE);
        Leg[] legs = AdoptedCallsTest.connect(nodes, "sip:bob@10.0.0.1", "c1");
        endless(nodes);
        nodes.run(Duration.ofSeconds(1));

        nodes.fail();

        nodes.alice.answerAll(200);
        nodes.bob.answerAll(501); // RFC 3261 8.2.1: it knows the dialog, if not the method
        nodes.run(LONG);
        nodes.run(LONG);
        assertThat(nodes.adoption.asked()).isEqualTo(2);
        assertThat(nodes.adoption.endedSilent()).isZero();
        assertThat(nodes.server.container.callsHeld()).isEqualTo(1);
        nodes.alice.answerAll(0);
        nodes.bob.answerAll(200);
        nodes.alice.forget();
        nodes.bob.forget();
        legs[0].send("BYE");
        nodes.bob.requestWithin(Duration.ofSeconds(2), "BYE");
        nodes.alice.response(200);
    }

    /** Whoever has just sent something has the call. */
    @Test
    void oneThatWasHeardSinceIsNotAskedFor() {
        TwoNodes nodes =
                TwoNodes.protecting(
                        server -> server.deploy(new Keeper(), ExecutionMode.NON_BLOCKING));
        Leg alice = Leg.caller(nodes.alice, AdoptedCallsTest.called(nodes, "sip:s@10.0.0.1", "c1"));
        alice.ack();
        endless(nodes);
        nodes.run(Duration.ofSeconds(1));

        nodes.fail();

        nodes.run(Duration.ofSeconds(1));
        alice.send("INFO");
        nodes.alice.response(200);
        nodes.run(LONG);
        assertThat(nodes.adoption.asked()).isZero();
        alice.bye();
        nodes.assertEnded(1);
    }
}
