package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.harness.SleepingThreads;
import io.carillon.servlet.store.RoundTripStore;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.stack.Counter;
import io.carillon.sip.stack.MailboxLimits;
import io.carillon.sip.stack.Shard;
import io.carillon.sip.stack.StackConfig;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.junit.jupiter.api.Test;

/**
 * A handler that sleeps, and what its call gets meanwhile: bounded for the call and for all calls
 * together, nothing that comes once is lost, and others do not notice.
 */
class BusyCallTest {
    private static final int FLOOD = 3_000;
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    /** What waits for a turn, what its runner took before, and the message at work. */
    private static final long BOUND = 2L * MailboxLimits.DEFAULT.bytes() + 65_536;

    private static final String[] LARGE = new String[4];

    static {
        Arrays.fill(LARGE, "X-Large: " + "x".repeat(14_000));
    }

    private static final class Sleeper extends SipServlet {
        final List<String> events = new ArrayList<>();
        SleepingThreads threads;
        final List<SipServletResponse> unacknowledged = new ArrayList<>();
        boolean acknowledges = true;
        String sleepsIn = "";

        Sleeper(SleepingThreads threads) {
            this.threads = threads;
        }

        private void in(String event) {
            events.add(event);
            if (event.equals(sleepsIn)) {
                threads.sleep();
            }
        }

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            String uri = request.getRequestURI().toString();
            boolean call = request.isInitial() && request.getMethod().equals("INVITE");
            if (call && uri.contains("proxy")) {
                request.getProxy().setRecordRoute(true);
                request.getProxy().setSupervised(true);
                request.getProxy().proxyTo(factory.createURI("sip:b@10.0.0.3:5060"));
            } else if (call && uri.contains("fork")) {
                request.getProxy().setParallel(true);
                request.getProxy()
                        .proxyTo(
                                List.of(
                                        factory.createURI("sip:b@10.0.0.3:5060"),
                                        factory.createURI("sip:c@10.0.0.3:5060")));
            } else if (call && uri.contains("call")) {
                SipServletRequest onward =
                        factory.createRequest(
                                request.getApplicationSession(),
                                "INVITE",
                                "sip:server@10.0.0.1",
                                "sip:b@10.0.0.3:5060");
                onward.send();
            } else if (request.getMethod().equals("CANCEL")) {
                in("CANCEL");
            } else if (uri.contains("ring")) {
                request.createResponse(180).send();
                in("INVITE");
            } else if (!request.getMethod().equals("ACK")) {
                request.createResponse(200).send();
                in(request.getMethod());
            } else {
                in("ACK");
            }
        }

        void acknowledge() {
            for (SipServletResponse success : unacknowledged) {
                try {
                    success.createAck().send();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }
            unacknowledged.clear();
        }

        @Override
        protected void doResponse(SipServletResponse response) throws IOException {
            if (response.getMethod().equals("INVITE")
                    && response.getStatus() == 200
                    && response.getProxy() == null) {
                unacknowledged.add(response);
                if (acknowledges) {
                    acknowledge();
                }
            }
            in(Integer.toString(response.getStatus()));
        }
    }

    private SimulatedNetwork network;
    private SleepingThreads threads;
    private Sleeper sleeper;
    private Server server;
    private RawPeer alice;
    private RawPeer bob;

    private void start(StackConfig stack) {
        network = new SimulatedNetwork(new VirtualTime(), 27);
        threads = new SleepingThreads(network.time());
        sleeper = new Sleeper(threads);
        server =
                new Server(
                                network,
                                "10.0.0.1",
                                1,
                                27,
                                new RoundTripStore(),
                                stack,
                                ContainerConfig.defaults(),
                                threads)
                        .deploy(sleeper, ExecutionMode.BLOCKING);
        alice = server.peer("10.0.0.2");
        bob = server.peer("10.0.0.3");
    }

    private static StackConfig.Builder config() {
        return StackConfig.builder().maxHeldBytes(64 << 20);
    }

    private long count(Counter counter) {
        return server.node.shards().stream().mapToLong(s -> s.counters().get(counter)).sum();
    }

    private long held() {
        return server.node.shards().stream().mapToLong(Shard::heldBytes).sum();
    }

    private void pass(long millis) {
        server.run(Duration.ofMillis(millis));
    }

    private void invite(String user, String callId) {
        alice.request("INVITE sip:" + user + "@10.0.0.1", FROM, "<sip:b@y>", callId, 1, CONTACT);
    }

    /** Within the call; to is what the 200 said. */
    private void within(String method, SipResponse ok, String callId, int cseq, String... headers) {
        alice.request(method + " sip:b@10.0.0.1", FROM, ok.to().toString(), callId, cseq, headers);
    }

    private SipResponse answered(String callId) {
        invite("b", callId);
        SipResponse ok = alice.response(200);
        within("ACK", ok, callId, 1);
        pass(10);
        return ok;
    }

    /** Somebody else's call, from its beginning to its end, while the first handler sleeps. */
    private void assertServed(String callId) {
        String before = sleeper.sleepsIn;
        sleeper.sleepsIn = "";
        alice.forget();
        SipResponse ok = answered(callId);
        within("BYE", ok, callId, 2);
        alice.response(200);
        sleeper.sleepsIn = before;
    }

    private void wake() {
        sleeper.sleepsIn = "";
        threads.wake();
        pass(1_000);
        assertThat(threads.asleep()).isZero();
        assertThat(waiting()).isZero();
        alice.forget();
    }

    private long waiting() {
        return server.node.shards().stream().mapToLong(s -> s.waiting().bytes()).sum();
    }

    private void assertOver() {
        pass(70_000);
        server.assertEmpty();
        assertThat(held()).isZero();
    }

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
        alice.request("CANCEL sip:call@10.0.0.1", FROM, "<sip:b@y>", "other", 1);
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
        start(config().maxHeldBytes(max).build());
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
        start(config().maxHeldBytes(200_000).build());
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
        start(config().maxHeldBytes(200_000).build());
        for (int i = 0; i < 5; i++) {
            bob.forget();
            invite("fork", "c" + i);
            SipRequest one = bob.request("INVITE");
            bob.request("INVITE");
            bob.respond(one, 486, "b" + i, LARGE);
            pass(10);
            // Half of what new work may hold, and the one that passed it.
            assertThat(held()).isLessThan(100_000 + 65_536 + 10_000);
        }
        assertThat(count(Counter.FINALS_NOT_QUEUED)).isEqualTo(3);
        // The other branches go on ringing until Timer C.
        pass(400_000);
        assertThat(alice.responses(486)).isEqualTo(5);
        assertThat(waiting()).isZero();
        assertOver();
    }

    @Test
    void aFinalResponseWithoutRoomIsTold503() {
        start(config().maxHeldBytes(20_000).build());
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
        start(config().maxHeldBytes(20_000).build());
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
        start(config().maxHeldBytes(20_000).build());
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
