package io.carillon.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.hop.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Races of RFC 3261, RFC 3262, RFC 3311 and RFC 5407 between user agents, directly and through a
 * proxy; named by section.
 */
class RaceTest {
    private final VirtualTime time = new VirtualTime();
    private final SimulatedNetwork network = new SimulatedNetwork(time, 1);
    private final UserAgent alice = UserAgent.start(network, "alice", "10.0.1.1", 5060);
    private final UserAgent bob = UserAgent.start(network, "bob", "10.0.2.1", 5060);
    private final UserAgent carol = UserAgent.start(network, "carol", "10.0.3.1", 5060);
    private ProxyNode proxy;

    private String target(boolean proxied) {
        if (!proxied) {
            return "sip:bob@10.0.2.1";
        }
        proxy =
                ProxyNode.start(network, "10.0.9.1", 3, user -> List.of("sip:bob@10.0.2.1"))
                        .scattered();
        return "sip:bob@10.0.9.1";
    }

    private void forking() {
        proxy =
                ProxyNode.start(
                                network,
                                "10.0.9.1",
                                3,
                                user -> List.of("sip:bob@10.0.2.1", "sip:carol@10.0.3.1"))
                        .scattered();
    }

    private void nothingIsLeft() {
        time.runFor(Duration.ofSeconds(70));
        assertThat(alice.leftovers() + bob.leftovers() + carol.leftovers()).isEmpty();
        assertThat(alice.faults()).isEmpty();
        assertThat(bob.faults()).isEmpty();
        assertThat(carol.faults()).isEmpty();
        if (proxy != null) {
            assertThat(proxy.leftovers()).isEmpty();
            assertThat(proxy.faults()).isEmpty();
        }
    }

    private void millis(long span) {
        time.runFor(Duration.ofMillis(span));
    }

    private static Predicate<byte[]> starts(String prefix) {
        return bytes -> new String(bytes, StandardCharsets.UTF_8).startsWith(prefix);
    }

    /** Up to a call that is established; the callee is bob. */
    private Call established(boolean proxied) {
        bob.onCall(Call::answer);
        Call call = alice.call(target(proxied));
        millis(100);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        assertThat(bob.lastCall().state()).isEqualTo(Call.State.ESTABLISHED);
        return call;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rfc3261_13_aCallIsSetUpAndReleased(boolean proxied) {
        bob.onCall(Call::ring);
        Call call = alice.call(target(proxied));
        millis(50);
        assertThat(call.state()).isEqualTo(Call.State.EARLY);
        assertThat(bob.lastCall().answer()).isTrue();
        millis(50);
        assertThat(call.bye()).isTrue();
        nothingIsLeft();
        assertThat(call.ending()).isEqualTo(Ending.RELEASED_HERE);
        assertThat(bob.lastCall().ending()).isEqualTo(Ending.RELEASED_THERE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rfc3261_9_1_aCancelEndsARingingCall(boolean proxied) {
        bob.onCall(Call::ring);
        Call call = alice.call(target(proxied));
        millis(50);
        assertThat(call.cancel()).isTrue();
        nothingIsLeft();
        assertThat(call.finalStatus()).isEqualTo(487);
        assertThat(call.ending()).isEqualTo(Ending.CANCELLED);
        assertThat(bob.lastCall().ending()).isEqualTo(Ending.CANCELLED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rfc3261_9_1_aCancelCrossesThe200(boolean proxied) {
        bob.onCall(Call::ring);
        Call call = alice.call(target(proxied));
        millis(50);
        assertThat(bob.lastCall().answer()).isTrue();
        assertThat(call.cancel()).isTrue();
        nothingIsLeft();
        // The 2xx stands; the caller acknowledges it and releases the call.
        assertThat(call.answered()).isTrue();
        assertThat(call.ending()).isEqualTo(Ending.RELEASED_HERE);
        assertThat(bob.lastCall().ending()).isEqualTo(Ending.RELEASED_THERE);
        assertThat(bob.lastCall().story()).doesNotContain("! ACK missing");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rfc3261_9_1_aCancelBeforeAnyProvisionalResponseWaitsForOne(boolean proxied) {
        String target = target(proxied);
        Call call = alice.call(target);
        assertThat(call.cancel()).isTrue();
        nothingIsLeft();
        assertThat(call.ending()).isEqualTo(Ending.CANCELLED);
        assertThat(bob.lastCall().ending()).isEqualTo(Ending.CANCELLED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rfc3261_13_3_1_4_anAckThatIsLostIsSentAgainForTheRepeated200(boolean proxied) {
        int[] lost = new int[1];
        network.loseIf(bytes -> starts("ACK").test(bytes) && lost[0]++ < (proxied ? 3 : 2));
        bob.onCall(Call::answer);
        Call call = alice.call(target(proxied));
        millis(5_000);
        assertThat(lost[0]).isGreaterThan(2);
        assertThat(bob.lastCall().state()).isEqualTo(Call.State.ESTABLISHED);
        call.bye();
        nothingIsLeft();
        assertThat(bob.lastCall().ending()).isEqualTo(Ending.RELEASED_THERE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rfc3261_13_3_1_4_withoutAnyAckTheCalleeReleasesTheCall(boolean proxied) {
        network.loseIf(starts("ACK"));
        bob.onCall(Call::answer);
        Call call = alice.call(target(proxied));
        time.runFor(Duration.ofSeconds(31));
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        assertThat(bob.lastCall().state()).isEqualTo(Call.State.ANSWERED);
        nothingIsLeft();
        assertThat(bob.lastCall().ending()).isEqualTo(Ending.GAVE_UP);
        assertThat(call.ending()).isEqualTo(Ending.RELEASED_THERE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rfc3261_13_2_2_4_everyRepeated200GetsItsAck(boolean proxied) {
        int[] acks = new int[1];
        int[] answers = new int[1];
        network.tap((at, fate, by, from, to, bytes) -> {
            boolean delivered = fate == SimulatedNetwork.Fate.DELIVERED;
            if (delivered
                    && to.equals(alice.node().address())
                    && starts("SIP/2.0 200").test(bytes)) {
                answers[0]++;
            } else if (fate == SimulatedNetwork.Fate.SENT
                    && from.equals(alice.node().address())
                    && starts("ACK").test(bytes)) {
                acks[0]++;
            }
        });
        network.loseIf(bytes -> starts("ACK").test(bytes) && acks[0] < 4);
        bob.onCall(Call::answer);
        Call call = alice.call(target(proxied));
        millis(10_000);
        assertThat(answers[0]).isGreaterThanOrEqualTo(4);
        assertThat(acks[0]).isEqualTo(answers[0]);
        // The user agent above the stack saw it once.
        assertThat(call.story()).filteredOn(text -> text.startsWith("< 200 INVITE")).hasSize(1);
        call.bye();
        nothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rfc5407_3_2_aByeCrossesAReinvite(boolean proxied) {
        Call call = established(proxied);
        assertThat(call.bye()).isTrue();
        assertThat(bob.lastCall().reinvite()).isTrue();
        nothingIsLeft();
        assertThat(call.ending()).isEqualTo(Ending.RELEASED_HERE);
        assertThat(bob.lastCall().ending()).isEqualTo(Ending.RELEASED_THERE);
        assertThat(bob.lastCall().story()).anyMatch(text -> text.startsWith("< 481 INVITE"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rfc3261_15_1_2_aByeWhileAReinviteWaitsAnswersItWith487(boolean proxied) {
        bob.changeDelay(() -> Duration.ofSeconds(5));
        Call call = established(proxied);
        assertThat(call.reinvite()).isTrue();
        millis(300);
        assertThat(bob.lastCall().bye()).isTrue();
        nothingIsLeft();
        assertThat(call.story()).anyMatch(text -> text.startsWith("< 487 INVITE"));
        assertThat(call.ending()).isEqualTo(Ending.RELEASED_THERE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rfc3261_15_twoByesCross(boolean proxied) {
        Call call = established(proxied);
        assertThat(call.bye()).isTrue();
        assertThat(bob.lastCall().bye()).isTrue();
        nothingIsLeft();
        assertThat(call.ending()).isEqualTo(Ending.RELEASED_HERE);
        assertThat(bob.lastCall().ending()).isEqualTo(Ending.RELEASED_HERE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rfc3261_14_1_twoReinvitesCrossAndBothAreTriedAgain(boolean proxied) {
        Call call = established(proxied);
        Call other = bob.lastCall();
        assertThat(call.reinvite()).isTrue();
        assertThat(other.reinvite()).isTrue();
        time.runFor(Duration.ofSeconds(10));
        assertThat(call.story()).anyMatch(text -> text.startsWith("< 491 INVITE"));
        assertThat(other.story()).anyMatch(text -> text.startsWith("< 491 INVITE"));
        // Both changes took place in the end, each seen at both ends.
        assertThat(call.changes()).isEqualTo(2);
        assertThat(other.changes()).isEqualTo(2);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        call.bye();
        nothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rfc3311_5_2_twoUpdatesWithOffersCross(boolean proxied) {
        Call call = established(proxied);
        assertThat(call.update()).isTrue();
        assertThat(bob.lastCall().update()).isTrue();
        millis(200);
        assertThat(call.story()).anyMatch(text -> text.startsWith("< 491 UPDATE"));
        assertThat(bob.lastCall().story()).anyMatch(text -> text.startsWith("< 491 UPDATE"));
        assertThat(call.update()).isTrue();
        millis(200);
        assertThat(call.changes()).isEqualTo(1);
        call.bye();
        nothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rfc3262_3_aReliableProvisionalResponseIsRepeatedUntilItsPrack(boolean proxied) {
        int[] lost = new int[1];
        network.loseIf(bytes -> starts("PRACK").test(bytes) && lost[0]++ < 2);
        bob.onCall(call -> call.provisional(183, true));
        Call call = alice.invite(target(proxied)).supports100rel().send();
        millis(5_000);
        assertThat(call.story()).filteredOn(text -> text.startsWith("< 183")).hasSize(1);
        assertThat(call.story()).anyMatch(text -> text.startsWith("< 200 PRACK"));
        assertThat(bob.lastCall().answer()).isTrue();
        millis(200);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        call.bye();
        nothingIsLeft();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rfc3262_3_withoutAnyPrackTheCallIsRefused(boolean proxied) {
        network.loseIf(starts("PRACK"));
        bob.onCall(call -> call.provisional(183, true));
        Call call = alice.invite(target(proxied)).supports100rel().send();
        nothingIsLeft();
        assertThat(call.finalStatus()).isEqualTo(504);
        assertThat(bob.lastCall().ending()).isEqualTo(Ending.GAVE_UP);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rfc3261_17_1_1_2_aProvisionalResponseThatComesAfterTheFinalOneIsDropped(boolean proxied) {
        ScriptedPeer dave = ScriptedPeer.bind(network, "dave", "10.0.4.1", 5060);
        String target = "sip:dave@10.0.4.1";
        if (proxied) {
            proxy = ProxyNode.start(network, "10.0.9.1", 2, user -> List.of("sip:dave@10.0.4.1"));
            target = "sip:dave@10.0.9.1";
        }
        Call call = alice.call(target);
        Received invite = dave.expect("INVITE");
        dave.reply(invite, 200, "Contact: <sip:dave@10.0.4.1>");
        dave.reply(invite, 180, "Contact: <sip:dave@10.0.4.1>");
        dave.expect("ACK");
        millis(100);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        assertThat(call.story()).noneMatch(text -> text.startsWith("< 180"));
        call.bye();
        dave.reply(dave.expect("BYE"), 200);
        nothingIsLeft();
    }

    @Test
    void rfc3261_16_7_bothForksAnswerAndOneIsReleased() {
        forking();
        bob.onCall(Call::answer);
        carol.onCall(Call::answer);
        Call call = alice.call("sip:any@10.0.9.1");
        millis(500);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        call.bye();
        nothingIsLeft();
        assertThat(call.story()).contains("! another fork answered");
        assertThat(bob.lastCall().ending()).isEqualTo(Ending.RELEASED_THERE);
        assertThat(carol.lastCall().ending()).isEqualTo(Ending.RELEASED_THERE);
    }

    @Test
    void rfc3261_16_7_theOtherForkIsCancelledWhenOneAnswers() {
        forking();
        bob.onCall(Call::ring);
        carol.onCall(Call::ring);
        Call call = alice.call("sip:any@10.0.9.1");
        millis(100);
        bob.lastCall().answer();
        millis(100);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        assertThat(carol.lastCall().ending()).isEqualTo(Ending.CANCELLED);
        call.bye();
        nothingIsLeft();
    }

    @Test
    void rfc3261_16_7_aCancelReachesEveryFork() {
        forking();
        bob.onCall(Call::ring);
        carol.onCall(Call::ring);
        Call call = alice.call("sip:any@10.0.9.1");
        millis(100);
        call.cancel();
        nothingIsLeft();
        assertThat(call.finalStatus()).isEqualTo(487);
        assertThat(bob.lastCall().ending()).isEqualTo(Ending.CANCELLED);
        assertThat(carol.lastCall().ending()).isEqualTo(Ending.CANCELLED);
    }

    @Test
    void rfc3261_16_7_step6_a6xxWinsAndCancelsTheRest() {
        forking();
        bob.onCall(Call::ring);
        carol.onCall(call -> call.reject(603));
        Call call = alice.call("sip:any@10.0.9.1");
        nothingIsLeft();
        assertThat(call.finalStatus()).isEqualTo(603);
        assertThat(bob.lastCall().ending()).isEqualTo(Ending.CANCELLED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rfc3261_17_1_1_2_aCallToNobodyIsGivenUp(boolean proxied) {
        String target = target(proxied);
        bob.node().crash();
        Call call = alice.call(target);
        nothingIsLeft();
        assertThat(call.ending()).isEqualTo(Ending.GAVE_UP);
        assertThat(call.finalStatus()).isEqualTo(408);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UDP", "TCP"})
    void rfc3261_18_aCallGoesByEitherTransport(String transport) {
        bob.onCall(Call::answer);
        proxy = ProxyNode.start(network, "10.0.9.1", 2, user -> List.of("sip:bob@10.0.2.1"));
        Call call = alice.call("sip:bob@10.0.9.1;transport=" + transport.toLowerCase());
        millis(100);
        assertThat(call.state()).isEqualTo(Call.State.ESTABLISHED);
        // RFC 5658: both sides of a proxy between two transports are in the route set.
        assertThat(call.dialog().routeSet()).hasSize(transport.equals("TCP") ? 2 : 1);
        bob.lastCall().bye();
        nothingIsLeft();
        assertThat(Transport.of(transport)).isNotNull();
    }
}
