package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.overload.HandlerLoad;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.FewThreads;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.port.Passage;
import io.carillon.servlet.port.Provenance;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.overload.OverloadConfig;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.ar.SipApplicationRouterInfo;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import javax.servlet.sip.ar.SipRouteModifier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * New calls that came before the server knew that it is late: they are refused when their turn
 * comes too late, and those behind them are served in time.
 */
class LateCallsTest {
    private static final Duration COMPUTES = Duration.ofMillis(20);

    /** How the first application passes a call on to the second one. */
    private enum By {
        PROXY,
        B2BUA,
        /** There is one between them, which passes on at once. */
        A_CHAIN
    }

    /** Of one thread, in a second. */
    private static final int CAPACITY = 50;

    private final List<String> served = new ArrayList<>();
    private Server server;
    private FewThreads threads;
    private RawPeer phone;
    private int number;
    private SipServletRequest held;
    private boolean heldServed;
    private long firstUntil;

    private final class Computing extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doMessage(SipServletRequest message) throws IOException {
            serve(message);
        }

        @Override
        protected void doInvite(SipServletRequest invite) throws IOException {
            serve(invite);
        }

        private void serve(SipServletRequest request) throws IOException {
            threads.compute(
                    served.isEmpty() && firstUntil > 0
                            ? Duration.ofNanos(firstUntil - now())
                            : COMPUTES);
            served.add(request.getCallId());
            heldServed |= ((SipURI) request.getRequestURI()).getUser().equals("held");
            request.createResponse(200).send();
        }
    }

    /** The first application: it computes as long, and the next one gets the call. */
    private final class Passing extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doInvite(SipServletRequest invite) throws ServletException, IOException {
            threads.compute(COMPUTES);
            invite.getProxy().proxyTo(invite.getRequestURI());
        }
    }

    private static final class AtOnce extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doInvite(SipServletRequest invite) throws ServletException, IOException {
            invite.getProxy().proxyTo(invite.getRequestURI());
        }
    }

    /** The first application: it passes on what it gets, but calls to "held" when it is told to. */
    private final class Holding extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doInvite(SipServletRequest invite) throws ServletException, IOException {
            if (((SipURI) invite.getRequestURI()).getUser().equals("held")) {
                held = invite;
            } else {
                invite.getProxy().proxyTo(invite.getRequestURI());
            }
        }
    }

    @BeforeEach
    void start() throws Exception {
        start(OverloadConfig.DEFAULT);
    }

    private void start(OverloadConfig overload) throws Exception {
        served.clear();
        start(overload, null);
    }

    private void start(OverloadConfig overload, @Nullable Supplier<SipServlet> first)
            throws Exception {
        start(overload, first, null);
    }

    private void start(
            OverloadConfig overload,
            @Nullable Supplier<SipServlet> first,
            @Nullable Supplier<SipServlet> between)
            throws Exception {
        SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), 31);
        threads = new FewThreads(network.time(), 1);
        server =
                new Server(
                        network,
                        "10.0.0.1",
                        1,
                        31,
                        new RoundTripStore(),
                        StackConfig.builder().overload(overload).build(),
                        ContainerConfig.defaults(),
                        threads);
        if (first != null) {
            deploy("first", first);
        }
        if (between != null) {
            server.container.deploy(
                    ApplicationDescription.builder("between")
                            .servlet("main", between::get)
                            .execution(ExecutionMode.NON_BLOCKING)
                            .build());
        }
        deploy("computing", Computing::new);
        phone = server.peer("10.0.0.2");
    }

    private void deploy(String name, Supplier<SipServlet> servlet) throws DeploymentException {
        server.container.deploy(
                ApplicationDescription.builder(name)
                        .servlet("main", servlet::get)
                        .execution(ExecutionMode.BLOCKING)
                        .build());
    }

    private void message() {
        send("MESSAGE");
    }

    private void send(String method) {
        number++;
        phone.request(
                method + " sip:a@10.0.0.1",
                "<sip:x@x>;tag=a",
                "<sip:a@10.0.0.1>",
                "m" + number + "@" + phone.hostPort(),
                1,
                "Contact: <sip:x@10.0.0.2>");
    }

    private void burst() {
        burst("MESSAGE");
    }

    /** Ten times the capacity for a third of a second, then what it can do. */
    private void burst(String method) {
        for (int i = 0; i < CAPACITY * 10 / 3; i++) {
            send(method);
            server.run(Duration.ofMillis(2));
        }
    }

    /** RFC 3261 21.1.1: a 100 says that the call is worked on. */
    @Test
    void noCallThatIsRefusedLateWasToldBeforeThatItIsWorkedOn() {
        burst("INVITE");
        server.run(Duration.ofMillis(200));
        assertThat(phone.responses(503)).isPositive();
        server.run(Duration.ofMinutes(1));

        assertThat(served).isNotEmpty().doesNotHaveDuplicates();
        assertThat(phone.callsWith(503)).doesNotContainAnyElementsOf(phone.callsWith(100));
        assertThat(served).doesNotContainAnyElementsOf(phone.callsWith(503));
        assertThat(phone.callsWith(503).size() + served.size()).isEqualTo(number);
    }

    /** One handler holds the only thread until then; the others of the burst wait behind it. */
    private void burstBehindOneUntil(long nanos) throws Exception {
        start();
        firstUntil = nanos;
        for (int i = 0; i < 90; i++) {
            send("INVITE");
            server.run(Duration.ofMillis(2));
        }
    }

    private long refused() {
        return server.container.features().handlerLoads().refused().sum();
    }

    private long now() {
        return server.network.time().nanoTime();
    }

    /** Its handler's thread refuses a call in the very microsecond in which its 100 is due. */
    @Test
    void noCallGetsA100WhileItsRefusalIsOnItsWay() throws Exception {
        burstBehindOneUntil(Long.MAX_VALUE);
        assertThat(refused()).isZero();
        while (refused() == 0) {
            server.run(Duration.ofNanos(500));
        }
        long due = now();

        for (int before = 0; before < 6_000; before += 250) {
            burstBehindOneUntil(due - before);
            server.run(Duration.ofMillis(100));
            assertThat(phone.callsWith(503))
                    .as("a thread that is free %d ns before the first 100 is due", before)
                    .isNotEmpty()
                    .doesNotContainAnyElementsOf(phone.callsWith(100));
        }
    }

    /** While nothing is shed a call gets its 100, and it is served although that has changed. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoWasToldThatHisCallIsWorkedOnIsServed(boolean byTheSecondApplication) throws Exception {
        start(OverloadConfig.DEFAULT, byTheSecondApplication ? Passing::new : null);
        server.container.features().handlerLoads().settings(false, 10_000_000, 500_000_000);
        burst("INVITE");
        Set<String> told = phone.callsWith(100);
        assertThat(told).isNotEmpty();
        server.container.features().handlerLoads().settings(true, 10_000_000, 500_000_000);
        server.run(Duration.ofMinutes(1));

        assertThat(phone.callsWith(503)).isNotEmpty();
        assertThat(served).containsAll(told);
    }

    private String callsHeld() {
        String call = "held@" + phone.hostPort();
        phone.request(
                "INVITE sip:held@10.0.0.1",
                "<sip:x@x>;tag=a",
                "<sip:held@10.0.0.1>",
                call,
                1,
                "Contact: <sip:x@10.0.0.2>");
        return call;
    }

    /** The next application decides later than the request left the one before it. */
    @Test
    void whatAPassageTellsOfTheCallerIsAsOfNow() throws Exception {
        start(OverloadConfig.DEFAULT, Holding::new);
        callsHeld();
        server.run(Duration.ofMillis(100));
        Passage passage =
                new Passage(
                        "computing",
                        new SipApplicationRouterInfo(
                                "computing",
                                SipApplicationRoutingRegion.NEUTRAL_REGION,
                                null,
                                null,
                                SipRouteModifier.NO_ROUTE,
                                null),
                        null,
                        null,
                        null,
                        Provenance.NONE,
                        1,
                        Origin.OUTSIDE,
                        0,
                        new WeakReference<>(((ServletRequest) held).uas().transaction()));
        assertThat(passage.told()).isFalse();
        server.run(Duration.ofMillis(150));
        assertThat(passage.told()).isTrue();
    }

    /** The second application is late, and the first one has had this call for a while. */
    @ParameterizedTest
    @EnumSource
    void whoWasToldIsServedByTheLastApplicationAlthoughItRefusesNewCalls(By by) throws Exception {
        start(OverloadConfig.DEFAULT, Holding::new, by == By.A_CHAIN ? AtOnce::new : null);
        String late = callsHeld();
        server.run(Duration.ofMillis(250));
        assertThat(phone.callsWith(100)).contains(late);
        for (int i = 0; i < CAPACITY; i++) { // so it is known what its handlers take
            send("INVITE");
            server.run(COMPUTES.plusMillis(5));
        }
        server.container.features().handlerLoads().settings(false, 10_000_000, 500_000_000);
        burst("INVITE");
        server.run(Duration.ofMillis(600));
        server.container.features().handlerLoads().settings(true, 10_000_000, 500_000_000);
        send("INVITE");
        server.run(Duration.ofMillis(60));
        assertThat(
                        server.container
                                .features()
                                .handlerLoads()
                                .seen(server.network.time().nanoTime()))
                .filteredOn(HandlerLoad.Seen::shedding)
                .extracting(HandlerLoad.Seen::application)
                .contains("computing");

        if (by == By.B2BUA) {
            held.getB2buaHelper().createRequest(held, true, null).send();
        } else {
            held.getProxy().proxyTo(held.getRequestURI());
        }
        server.run(Duration.ofSeconds(5));
        assertThat(heldServed).isTrue();
        assertThat(phone.callsWith(503)).isNotEmpty().doesNotContain(late);
    }

    @Test
    void whatWaitedTooLongIsRefusedAndWhatComesThenIsServedAtOnce() {
        burst();
        server.run(Duration.ofMillis(400));
        long answered = phone.responses(200) + phone.responses(503);
        assertThat(answered).as("all of the burst has its answer").isEqualTo(number);
        assertThat(phone.responses(503)).isPositive();
        assertThat(server.container.features().handlerLoads().refused().sum()).isPositive();

        server.run(Duration.ofSeconds(2));
        long before = phone.responses(200);
        message();
        server.run(COMPUTES.plusMillis(5));
        assertThat(phone.responses(200)).isEqualTo(before + 1);
    }

    /** A repeat of what was refused gets the same answer, and no handler ever. */
    @Test
    void whatWasRefusedLateIsNeverServed() {
        burst();
        server.run(Duration.ofSeconds(5));

        assertThat(served).hasSize((int) phone.responses(200)).doesNotHaveDuplicates();
        assertThat(phone.responses(200) + phone.responses(503)).isEqualTo(number);
        assertThat(server.container.sessions().all()).as("held after it").isEmpty();
    }

    @Test
    void anEmergencyCallIsServedHoweverLongItWaited() {
        burst();
        phone.request(
                "MESSAGE urn:service:sos",
                "<sip:x@x>;tag=a",
                "<urn:service:sos>",
                "sos@" + phone.hostPort(),
                1);
        message();
        server.run(Duration.ofSeconds(5));

        assertThat(served).contains("sos@" + phone.hostPort());
        assertThat(phone.responses(503)).isPositive();
    }

    /** Without overload control everything is served, however late. */
    @Test
    void whereNothingIsShedNothingIsRefusedForItsAge() throws Exception {
        start(OverloadConfig.OFF);
        server.container.features().handlerLoads().settings(false, 10_000_000, 500_000_000);
        burst();
        server.run(Duration.ofSeconds(5));

        assertThat(phone.responses(503)).isZero();
        assertThat(phone.responses(200)).isEqualTo(number);
    }
}
