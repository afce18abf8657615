package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.admission.MailboxLimits;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.observe.Counter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** As {@link BusyCallTest}, of the responses to what a call has sent. */
class BusyCallResponsesTest extends BusyCall {
    /** A call to bob, asleep in the first 180 of it. */
    private SipRequest ringing(String user) {
        sleeper.sleepsIn = "180";
        invite(user, "sleepy");
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 180, "b");
        pass(50);
        assertThat(threads.asleep()).isEqualTo(1);
        return invite;
    }

    private void assertRepeatsWaitOnce(String user) {
        start(config().build());
        SipRequest invite = ringing(user);
        for (int i = 0; i < FLOOD; i++) {
            bob.respond(invite, 180, "b", LARGE);
            pass(2);
        }
        assertThat(held()).isLessThan(2 * 65_536);
        assertThat(count(Counter.REPEATS_NOT_QUEUED)).isEqualTo(FLOOD - 1);
        assertServed("other");
        bob.respond(invite, 486, "b");
        pass(10);
        wake();
        assertThat(sleeper.events.stream().filter("180"::equals)).hasSize(2);
        assertThat(sleeper.events).contains("486");
    }

    @Test
    void aProvisionalResponseThatIsRepeatedWaitsOnce() {
        assertRepeatsWaitOnce("call");
    }

    @Test
    void aProvisionalResponseToAProxyThatIsRepeatedWaitsOnce() {
        assertRepeatsWaitOnce("proxy");
        assertOver();
    }

    private void assertProvisionalsBounded(String user) {
        start(config().build());
        SipRequest invite = ringing(user);
        for (int i = 0; i < FLOOD; i++) {
            String[] all = Arrays.copyOf(LARGE, LARGE.length + 1);
            all[LARGE.length] = "X-Number: " + i;
            bob.respond(invite, 180 + i % 4, "b", all);
            pass(2);
            assertThat(held()).isLessThan(BOUND + 4_096);
        }
        assertThat(count(Counter.MESSAGES_NOT_QUEUED)).isGreaterThan(FLOOD - 50);
        assertServed("other");
        // RFC 3261 17.1.1.2: a final response comes once.
        bob.respond(invite, 486, "b");
        pass(10);
        wake();
        assertThat(sleeper.events).contains("486").doesNotContain("503");
    }

    @Test
    void provisionalResponsesAreBoundedAndTheFinalOneIsNotLost() {
        assertProvisionalsBounded("call");
    }

    @Test
    void provisionalResponsesToAProxyAreBoundedAndTheFinalOneIsNotLost() {
        assertProvisionalsBounded("proxy");
        assertOver();
    }

    /**
     * Whoever answers makes up tags: of those that wait no more begin dialogs than may fork. Where
     * we are a proxy the first tag of the target counts for nothing.
     */
    @ParameterizedTest
    @CsvSource({"call, 36", "proxy, 35"})
    void dialogsThatWaitingResponsesMayBeginAreAsFewAsForks(String user, int refused) {
        start(config().forks(5).build());
        SipRequest invite = ringing(user);
        int before = server.container.sessions().dialogs();
        for (int i = 0; i < 40; i++) {
            bob.respond(invite, 180, "made-up-" + i, "Contact: <sip:10.0.0.3>");
            pass(2);
        }
        assertThat(server.container.sessions().dialogs() - before).isBetween(4, 5);
        // The answer is expected whatever rang before: what follows it is for this call.
        bob.respond(invite, 200, "the-last", "Contact: <sip:10.0.0.3>");
        pass(2);
        assertThat(server.container.sessions().dialogs() - before).isBetween(5, 6);
        wake();
        assertThat(count(Counter.FORKS_REFUSED)).isEqualTo(refused);
        assertThat(sleeper.events).contains("200");
        // As many wait again: none that is over is counted.
        pass(400_000);
        assertThat(server.container.sessions().dialogs()).isLessThanOrEqualTo(2);
    }

    @Test
    void the2xxOfFurtherForksAreBoundedAndComeAgain() {
        start(config().mailbox(new MailboxLimits(4, 1 << 20)).build());
        SipRequest invite = ringing("call");
        for (int round = 0; round < 3; round++) {
            for (int fork = 0; fork < 10; fork++) {
                bob.respond(invite, 200, "fork" + fork);
                pass(2);
            }
        }
        assertThat(count(Counter.MESSAGES_NOT_QUEUED)).isEqualTo(3 * 6);
        wake();
        for (int fork = 0; fork < 10; fork++) {
            bob.respond(invite, 200, "fork" + fork);
            pass(50);
        }
        assertThat(sleeper.events.stream().filter("200"::equals)).hasSize(10);
    }

    /** What a callee sends is kept until its caller is ready for it. */
    @Test
    void large2xxAreHeldUntilTheirAckWasMade() {
        start(config().build());
        sleeper.acknowledges = false;
        invite("call", "c1");
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 183, "b", LARGE);
        pass(10);
        assertThat(held()).as("a provisional response").isBetween(50_000L, 60_000L);
        bob.respond(invite, 200, "b", LARGE);
        pass(10);
        assertThat(held()).isBetween(100_000L, 120_000L);
        bob.respond(invite, 200, "fork", LARGE);
        pass(10);
        assertThat(held()).isBetween(150_000L, 180_000L);
        sleeper.acknowledge();
        pass(10);
        assertThat(held()).isBetween(50_000L, 60_000L);
        pass(70_000);
        assertThat(held()).as("the request that nobody answered").isLessThan(1_000);
    }

    @Test
    void large2xxWithoutRoomAreRepeatedUntilThereIsSome() {
        start(config().requestHeapBytes(200_000).build());
        sleeper.acknowledges = false;
        List<SipRequest> invites = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            invite("call", "c" + i);
            invites.add(bob.request("INVITE"));
        }
        for (SipRequest invite : invites) {
            bob.respond(invite, 200, "b", LARGE);
            pass(10);
            assertThat(held()).isLessThan(300_000 + 65_536);
        }
        assertThat(count(Counter.MESSAGES_NOT_QUEUED)).isEqualTo(4);
        sleeper.acknowledge();
        for (SipRequest invite : invites) {
            bob.respond(invite, 200, "b", LARGE);
            pass(10);
            sleeper.acknowledge();
            pass(10);
        }
        assertThat(sleeper.events.stream().filter("200"::equals)).hasSize(10);
        pass(70_000);
        assertThat(held()).as("the requests that nobody answered").isLessThan(10_000);
    }

    @Test
    void rfc3261_16_7_candidatesThatWaitForOtherBranchesAreBounded() {
        start(config().requestHeapBytes(1_000_000).build());
        for (int i = 0; i < 5; i++) {
            bob.forget();
            invite("fork", "c" + i);
            SipRequest one = bob.request("INVITE");
            bob.request("INVITE");
            bob.respond(one, 486, "b" + i, LARGE);
            pass(10);
            // An eighth, from which on it is crowded, and the one that passed it.
            assertThat(held()).isLessThan(125_000 + 65_536 + 10_000);
        }
        // Two, and the third while it is at work itself.
        assertThat(count(Counter.FINALS_NOT_QUEUED)).isEqualTo(3);
        // The other branches go on ringing until Timer C.
        pass(400_000);
        assertThat(alice.responses(486)).isEqualTo(5);
        assertThat(waiting()).isZero();
        assertOver();
    }

    @Test
    void aFinalResponseWithoutRoomIsTold503() {
        start(config().requestHeapBytes(20_000).build());
        SipRequest invite = ringing("call");
        // Twice as much as new work may take.
        for (int i = 0; i < 4; i++) {
            bob.respond(invite, 180 + i, "b", LARGE);
            pass(2);
        }
        bob.respond(invite, 486, "b");
        pass(10);
        assertThat(count(Counter.FINALS_NOT_QUEUED)).isEqualTo(1);
        wake();
        assertThat(sleeper.events).contains("503").doesNotContain("486");
    }

    @Test
    void a2xxThatNeverHadRoomEndsTheRequestWithTimerM() {
        start(config().requestHeapBytes(20_000).build());
        SipRequest invite = ringing("call");
        for (int i = 0; i < 4; i++) {
            bob.respond(invite, 180 + i, "b", LARGE);
            pass(2);
        }
        bob.respond(invite, 200, "b");
        pass(40_000);
        wake();
        assertThat(sleeper.events).contains("408").doesNotContain("200");
    }

    @Test
    void a2xxToAProxyThatNeverHadRoomEndsTheBranchWithTimerM() {
        start(config().requestHeapBytes(20_000).build());
        SipRequest invite = ringing("proxy");
        for (int i = 0; i < 4; i++) {
            bob.respond(invite, 180 + i, "b", LARGE);
            pass(2);
        }
        bob.respond(invite, 200, "b");
        pass(40_000);
        wake();
        assertThat(alice.responses(408)).isEqualTo(1);
        assertOver();
    }
}
