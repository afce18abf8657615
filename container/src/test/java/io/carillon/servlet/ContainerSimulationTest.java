package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.feature.protect.CallProtection;
import io.carillon.servlet.feature.protect.CallRecordWriter;
import io.carillon.servlet.feature.protect.ProtectionSettings;
import io.carillon.servlet.feature.protect.ProtectionStatus;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.ScriptedStore;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.harness.SimPhone;
import io.carillon.servlet.kernel.SessionStore;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.token.Ownership;
import io.carillon.testkit.LinkConditions;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Several calls at once from phones to phones, all of them applications, through a proxy or a B2BUA
 * application, on containers of several shards, over a network that loses, doubles and swaps
 * messages.
 *
 * <p>{@code -Dcarillon.seeds=10000} runs more of them, {@code -Dcarillon.seed=N} one of them.
 */
class ContainerSimulationTest {
    private static final int CALLS = 4;
    private static final String TARGET = "sip:b@10.0.0.3";

    /** Milliseconds that a BYE takes over two ways that lose nothing, held back on both. */
    private static final long SOON_MILLIS = 3_000;

    private int answered;
    private int crossed;

    private static final class Forwarder extends SipServlet {
        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            if (request.isInitial()) {
                Proxy proxy = request.getProxy();
                proxy.setRecordRoute(true);
                proxy.proxyTo(
                        ((SipFactory) getServletContext().getAttribute(SIP_FACTORY))
                                .createURI(TARGET));
            }
        }
    }

    @Test
    void bothEndsAgreeAndNothingIsLeft() {
        Long one = Long.getLong("carillon.seed");
        if (one != null) {
            run(one);
            return;
        }
        long seeds = Long.getLong("carillon.seeds", 200);
        answered = 0;
        for (long seed = 1; seed <= seeds; seed++) {
            try {
                run(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        "seed " + seed + " fails: run it with -Dcarillon.seed=" + seed, e);
            }
        }
        // The calls of the seeds are calls, not all of them failures.
        assertThat(answered).isGreaterThan((int) seeds);
        assertThat(crossed).as("BYEs that crossed").isBetween(1, answered / 4);
    }

    /** What each found beyond the seeds of every build. Their rules have tests of their own. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource("3106, a 200 waits for its turn while a CANCEL is answered with 487")
    void seedsThatFailed(long seed, String as) {
        run(seed);
        assertThat(answered).as(as).isPositive();
    }

    /** RFC 3261 15: one end's BYE ends the session at the other; a B2BUA has to pass it on. */
    @Test
    void aBridgeThatKeepsTheByesIsFound() {
        found(
                "released by both ends within",
                new Bridge(TARGET) {
                    @Override
                    protected void doRequest(SipServletRequest request)
                            throws ServletException, IOException {
                        if (request.getMethod().equals("BYE")) {
                            request.createResponse(200).send();
                        } else {
                            super.doRequest(request);
                        }
                    }
                });
    }

    /** A B2BUA that ends a call at both sides, which nobody asked for. */
    @Test
    void aBridgeThatReleasesByItselfIsFound() {
        found(
                "was released",
                new Bridge(TARGET) {
                    @Override
                    protected void doRequest(SipServletRequest request)
                            throws ServletException, IOException {
                        super.doRequest(request);
                        SipSession here = request.getSession();
                        SipSession there = request.getB2buaHelper().getLinkedSession(here);
                        if (request.getMethod().equals("ACK") && there != null) {
                            there.createRequest("BYE").send();
                            here.createRequest("BYE").send();
                        }
                    }
                });
    }

    private void found(String as, Bridge wayward) {
        List<String> failures = new ArrayList<>();
        for (long seed = 1; seed <= 60; seed++) {
            try {
                run(seed, wayward);
            } catch (AssertionError | RuntimeException e) {
                failures.add(String.valueOf(e.getMessage()));
            }
        }
        assertThat(failures).anyMatch(text -> text.contains(as));
    }

    private void run(long seed) {
        run(seed, new Bridge(TARGET));
    }

    private void run(long seed, Bridge bridgeOfHalf) {
        SplittableRandom random = new SplittableRandom(seed);
        SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), random.nextLong());
        double loss = random.nextInt(3) == 0 ? 0 : random.nextDouble(0.2);
        network.conditions(LinkConditions.WORST.withLoss(loss));
        if (Boolean.getBoolean("carillon.trace")) {
            network.tap(ContainerSimulationTest::trace);
        }
        boolean bridge = random.nextBoolean();
        Stores stores = new Stores(network, random.nextInt(4));
        Server middle = stores.server("10.0.0.1", random);
        middle.deploy(bridge ? bridgeOfHalf : new Forwarder(), mode(random));
        SimPhone callee = new SimPhone(random.split());
        Server there = stores.server("10.0.0.3", random);
        there.deploy(callee, mode(random), callee);
        SimPhone caller = new SimPhone(random.split());
        Server here = stores.server("10.0.0.2", random);
        here.deploy(caller, mode(random), caller);
        for (int i = 0; i < CALLS; i++) {
            int number = i;
            network.time()
                    .after(
                            Duration.ofMillis(random.nextInt(3_000)),
                            () -> caller.dial(number, "sip:b@10.0.0.1"));
        }
        Server[] servers = {here, middle, there};
        network.time().runFor(Duration.ofSeconds(20 + 70));
        if (loss == 0) {
            assertNothingLeft(servers);
        }
        // The longest call: 4 s ringing, 6 s talk, and 32 s for each message that meets deaf ears.
        network.time().runFor(Duration.ofSeconds(3 * 32));
        agree(caller.calls, callee.calls, bridge);
        if (loss == 0) {
            byesCrossOrAreHeard(caller.calls, callee.calls);
        }
        // What was lost for good ends by Timer C and by the expiry of its application session.
        network.time().runFor(Duration.ofSeconds(181 + 180 + 70));
        assertNothingLeft(servers);
        stores.assertNothingLeft();
    }

    /** Where the state of the calls goes, of all servers in the same way. */
    private static final class Stores {
        private final SimulatedNetwork network;
        private final int kind;
        private final List<CallProtection> protections = new ArrayList<>();
        private final List<ScriptedStore> scripted = new ArrayList<>();

        Stores(SimulatedNetwork network, int kind) {
            this.network = network;
            this.kind = kind;
        }

        Server server(String host, SplittableRandom random) {
            int shards = 1 + random.nextInt(3);
            return new Server(network, host, shards, random.nextLong(), store());
        }

        private SessionStore store() {
            return switch (kind) {
                case 0 -> new RoundTripStore();
                case 1 -> copied();
                default -> SessionStores.inMemory();
            };
        }

        /**
         * Copies elsewhere, in a store that is slow at times, alone at times, and fails at times.
         */
        private SessionStore copied() {
            ScriptedStore store = new ScriptedStore(network.time());
            SplittableRandom random = new SplittableRandom(network.random().nextLong());
            store.script =
                    () -> {
                        store.holders = random.nextInt(10) == 0 ? 1 : 2;
                        store.failure = random.nextInt(10) == 0 ? "split" : null;
                        int most = random.nextInt(10) == 0 ? 700 : 20;
                        store.answersAfter = Duration.ofMillis(random.nextInt(most));
                    };
            CallProtection protection =
                    new CallProtection(
                            store,
                            Ownership.ALONE,
                            session -> session.getId().hashCode() & 15,
                            new CallRecordWriter(1),
                            ProtectionSettings.DEFAULT);
            scripted.add(store);
            protections.add(protection);
            return protection;
        }

        void assertNothingLeft() {
            if (!scripted.isEmpty()) {
                assertThat(scripted.stream().mapToLong(ScriptedStore::states).sum()).isPositive();
            }
            for (ScriptedStore store : scripted) {
                assertThat(store.twoAtOnce).as("one batch of a partition").isFalse();
                assertThat(store.records()).as("records of calls that have ended").isZero();
            }
            for (CallProtection protection : protections) {
                ProtectionStatus status = protection.status();
                assertThat(status.calls() + status.unprotectedCalls()).as("calls counted").isZero();
                assertThat(status.waiting()).as("messages that wait").isZero();
                assertThat(status.bytesInFlight()).as("bytes in flight").isZero();
            }
        }
    }

    private static void assertNothingLeft(Server[] servers) {
        for (Server server : servers) {
            server.assertEmpty();
            assertThat(server.node.leftovers()).isEmpty();
        }
    }

    /** {@code -Dcarillon.trace=true}: the messages of a seed that is run by its number. */
    private static void trace(
            long atNanos,
            SimulatedNetwork.Fate fate,
            Transport transport,
            InetSocketAddress from,
            InetSocketAddress to,
            byte[] bytes) {
        if (fate != SimulatedNetwork.Fate.SENT) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            String line = text.substring(0, text.indexOf('\r'));
            int call = text.indexOf("Call-ID:");
            int cseq = text.indexOf("CSeq:");
            System.out.println(
                    (atNanos - VirtualTime.START_NANOS) / 1_000_000
                            + " ms "
                            + fate
                            + ' '
                            + from
                            + " -> "
                            + to
                            + ' '
                            + line
                            + " | "
                            + text.substring(cseq, text.indexOf('\r', cseq))
                            + " | "
                            + text.substring(call, text.indexOf('\r', call)));
        }
    }

    private static ExecutionMode mode(SplittableRandom random) {
        return random.nextBoolean() ? ExecutionMode.BLOCKING : ExecutionMode.NON_BLOCKING;
    }

    /** How each call ended. */
    private void agree(
            Map<String, SimPhone.Call> callers,
            Map<String, SimPhone.Call> callees,
            boolean bridge) {
        for (Map.Entry<String, SimPhone.Call> entry : callers.entrySet()) {
            SimPhone.Call caller = entry.getValue();
            SimPhone.Call callee = callees.get(entry.getKey());
            assertThat(caller.answered || caller.failed || caller.cancelled)
                    .as("call %s has an end for its caller", entry.getKey())
                    .isTrue();
            if (caller.answered) {
                answered++;
                assertThat(callee).as("call %s reached its callee", entry.getKey()).isNotNull();
                assertThat(callee.answered).as("call %s was answered", entry.getKey()).isTrue();
                agreeOnRelease(entry.getKey(), caller, callee);
            }
            if (callee != null && callee.confirmed && !caller.answered) {
                // Its 200 crossed a CANCEL in a B2BUA, which took the call back.
                assertThat(bridge).as("call %s went through a B2BUA", entry.getKey()).isTrue();
                assertThat(callee.byeReceived || callee.byeSent || callee.foundGone)
                        .as("call %s was taken back", entry.getKey())
                        .isTrue();
            }
        }
    }

    /**
     * Who released. RFC 3261 15: "A BYE request terminates a session": both ends know it, and a BYE
     * that came was sent by the other end. BYEs may cross.
     */
    private void agreeOnRelease(String number, SimPhone.Call caller, SimPhone.Call callee) {
        assertThat(caller.released).as("call %s is over for its caller", number).isTrue();
        assertThat(callee.released).as("call %s is over for its callee", number).isTrue();
        assertThat(caller.byeSent || callee.byeSent).as("call %s was released", number).isTrue();
        heard(number + ", caller to callee", caller, callee);
        heard(number + ", callee to caller", callee, caller);
        crossed += caller.byeSent && callee.byeSent ? 1 : 0;
    }

    /** Where nothing is lost, an end hears of a BYE before it sends one of its own, or at once. */
    private static void byesCrossOrAreHeard(
            Map<String, SimPhone.Call> callers, Map<String, SimPhone.Call> callees) {
        for (Map.Entry<String, SimPhone.Call> entry : callers.entrySet()) {
            SimPhone.Call caller = entry.getValue();
            SimPhone.Call callee = callees.get(entry.getKey());
            if (callee != null && caller.byeSent && callee.byeSent) {
                assertThat(Math.abs(caller.byeSentAt - callee.byeSentAt))
                        .as("call %s, released by both ends within ms", entry.getKey())
                        .isLessThan(SOON_MILLIS);
            }
        }
    }

    private static void heard(String number, SimPhone.Call from, SimPhone.Call to) {
        if (to.byeReceived) {
            assertThat(from.byeSent).as("BYE of call %s was sent", number).isTrue();
        }
        if (from.byeSent) {
            assertThat(to.byeReceived || to.byeSent || to.foundGone)
                    .as("BYE of call %s came, or crossed another", number)
                    .isTrue();
        }
    }
}
