package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.admission.MailboxLimits;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A handler that sleeps, and what its call gets meanwhile: bounded for the call and for all calls
 * together, nothing that comes once is lost, and others do not notice.
 */
class BusyCallTest extends BusyCall {
    @Test
    void rfc3261_13_3_1_4_anAckThatIsRepeatedWaitsOnce() {
        start(config().build());
        sleeper.sleepsIn = "ACK";
        SipResponse ok = answered("sleepy");
        assertThat(threads.asleep()).isEqualTo(1);
        for (int i = 0; i < FLOOD; i++) {
            within("ACK", ok, "sleepy", 1, LARGE);
            pass(2);
        }
        assertThat(held()).isLessThan(65_536);
        assertThat(count(Counter.REPEATS_NOT_QUEUED)).isEqualTo(FLOOD);
        assertServed("other");
        wake();
        within("BYE", ok, "sleepy", 2);
        alice.response(200);
        assertOver();
    }

    @Test
    void acksWithEverNewNumbersAreBoundedAndTheOthersDropped() {
        start(config().build());
        sleeper.sleepsIn = "ACK";
        SipResponse ok = answered("sleepy");
        for (int i = 0; i < FLOOD; i++) {
            within("ACK", ok, "sleepy", 2 + i, LARGE);
            pass(2);
            assertThat(held()).isLessThan(BOUND);
        }
        assertThat(count(Counter.MESSAGES_NOT_QUEUED)).isGreaterThan(FLOOD - 50);
        assertServed("other");
        wake();
        within("BYE", ok, "sleepy", 2);
        alice.response(200);
        assertOver();
    }

    @Test
    void rfc3261_13_3_1_4_anAckWithoutRoomComesAgainWithThe2xx() {
        start(config().mailbox(new MailboxLimits(1, 1_000)).build());
        sleeper.sleepsIn = "INVITE";
        invite("b", "sleepy");
        SipResponse ok = alice.response(200);
        // One request that waits takes all the room that there is.
        within("OPTIONS", ok, "sleepy", 2);
        pass(10);
        within("ACK", ok, "sleepy", 1);
        pass(10);
        assertThat(count(Counter.MESSAGES_NOT_QUEUED)).isEqualTo(1);
        long sent = alice.responses(200);
        pass(10_000);
        assertThat(alice.responses(200)).as("the 2xx is repeated still").isGreaterThan(sent + 1);
        wake();
        within("ACK", ok, "sleepy", 1);
        pass(100);
        assertThat(sleeper.events).containsExactly("INVITE", "OPTIONS", "ACK");
        sent = alice.responses(200);
        pass(10_000);
        assertThat(alice.responses(200)).as("and then no more").isEqualTo(sent);
        within("BYE", ok, "sleepy", 10);
        alice.response(200);
        assertOver();
    }

    @Test
    void rfc3261_21_5_1_requestsBeyondGet500WithRetryAfterAndTheByeGetsIn() {
        start(config().build());
        sleeper.sleepsIn = "INFO";
        SipResponse ok = answered("sleepy");
        alice.forget();
        for (int i = 0; i < 200; i++) {
            within("INFO", ok, "sleepy", 2 + i, LARGE);
            pass(2);
        }
        // The transactions count what they hold, and what waits is counted too.
        assertThat(waiting()).isLessThan(BOUND);
        assertThat(count(Counter.REQUESTS_NOT_QUEUED)).isGreaterThan(150);
        SipResponse refused = (SipResponse) alice.all.getLast();
        assertThat(refused.status()).isEqualTo(500);
        assertThat(refused.header(HeaderName.RETRY_AFTER)).isNotNull();
        // A request that its transaction has given up still waits.
        pass(40_000);
        assertThat(held()).isGreaterThan(500_000);
        assertServed("other");
        within("BYE", ok, "sleepy", 900);
        within("BYE", ok, "sleepy", 901);
        pass(10);
        wake();
        assertThat(sleeper.events).contains("BYE");
        assertThat(alice.responses(500)).isGreaterThan(150);
        assertOver();
    }

    @Test
    void notifiesBeyondGet500WithRetryAfter() {
        start(config().build());
        sleeper.sleepsIn = "SUBSCRIBE";
        alice.request(
                "SUBSCRIBE sip:b@10.0.0.1",
                FROM,
                "<sip:b@y>",
                "watch",
                1,
                CONTACT,
                "Event: presence",
                "Expires: 60");
        SipResponse ok = alice.response(200);
        for (int i = 0; i < 200; i++) {
            String[] all = Arrays.copyOf(LARGE, LARGE.length + 2);
            all[LARGE.length] = "Event: presence";
            all[LARGE.length + 1] = "Subscription-State: active";
            within("NOTIFY", ok, "watch", 2 + i, all);
            pass(2);
        }
        assertThat(waiting()).isLessThan(BOUND);
        assertThat(count(Counter.REQUESTS_NOT_QUEUED)).isGreaterThan(150);
        assertServed("other");
        wake();
        assertThat(alice.responses(200)).isGreaterThan(10);
    }

    @Test
    void aCancelWaitsOnceHoweverOftenItComes() {
        start(config().build());
        sleeper.sleepsIn = "INVITE";
        invite("ring", "sleepy");
        alice.response(180);
        String branch = "z9hG4bK10.0.0.20";
        for (int i = 0; i < 200; i++) {
            // As by TCP, where its transaction has ended before the next one comes.
            pass(40_000);
            alice.send(
                    alice.text("CANCEL sip:ring@10.0.0.1", branch, FROM, "<sip:b@y>", "sleepy", 1));
        }
        pass(10);
        assertThat(waiting()).isLessThan(10_000);
        wake();
        assertThat(sleeper.events).containsOnlyOnce("CANCEL");
        assertOver();
    }

    @Test
    void allCallsTogetherAreBoundedAndOthersAreServed() {
        int max = 4 << 20;
        start(config().requestHeapBytes(max).build());
        sleeper.sleepsIn = "ACK";
        List<SipResponse> calls = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            calls.add(answered("sleepy" + i));
        }
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < calls.size(); i++) {
                within("ACK", calls.get(i), "sleepy" + i, 2 + round, LARGE);
                pass(2);
            }
            // An eighth, and the message that passed it; the ACKs that are at work.
            assertThat(held()).isLessThan(max / 8 + 65_536 + 40 * 2_000);
            assertServed("other" + round);
        }
        assertThat(count(Counter.MESSAGES_NOT_QUEUED)).isGreaterThan(700);
        for (int i = 0; i < calls.size(); i++) {
            within("BYE", calls.get(i), "sleepy" + i, 100);
            pass(2);
        }
        wake();
        assertThat(sleeper.events.stream().filter("BYE"::equals)).hasSize(40 + 20);
        assertOver();
    }

    @Test
    void newCallsOfOneSourceWhoseHandlersSleepLeaveRoomForThoseOfOthers() {
        Sources sources = new Sources(source -> false, 77);
        int max = 4 << 20;
        start(config().requestHeapBytes(max).shares(sources, 25).build());
        sleeper.sleepsIn = "INVITE";
        String large = "X-Large: " + "x".repeat(10_000);
        for (int i = 0; i < 200; i++) {
            alice.request("INVITE sip:b@10.0.0.1", FROM, "<sip:b@y>", "a" + i, 1, CONTACT, large);
            pass(2);
        }
        // A quarter is for what is new, and half of that for one source.
        assertThat(waiting()).isBetween(max / 8L, max / 8L + 15_000);
        assertThat(alice.responses(500)).isGreaterThan(100);
        assertThat(count(Counter.REQUESTS_NOT_QUEUED)).isEqualTo(alice.responses(500));
        for (int i = 0; i < 10; i++) {
            bob.request("INVITE sip:b@10.0.0.1", FROM, "<sip:b@y>", "b" + i, 1, CONTACT, large);
            pass(2);
        }
        pass(100);
        assertThat(bob.responses(500)).isZero();
        assertThat(bob.responses(200)).isEqualTo(10);
        wake();
        assertOver();
    }
}
