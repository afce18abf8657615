package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.config.RouterConfig;
import io.carillon.servlet.feature.overload.HandlerLoad;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.PoolThreads;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.guard.PeerTerms;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.overload.OverloadConfig;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handlers that take longer than the calls come in: their application is shed, others are not. */
class LateApplicationTest {
    private static final int POOL = 5;
    private static final Duration HELD = Duration.ofMillis(200);

    /** Of the pool, in a second. */
    private static final int CAPACITY = 25;

    private static final long PEER = SourceKey.of(InetAddress.ofLiteral("10.0.0.9"));

    @TempDir Path folder;
    private Server server;
    private PoolThreads threads;
    private RawPeer phone;
    private RawPeer other;
    private RawPeer peer;
    private int number;

    private final class Asking extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doMessage(SipServletRequest message) throws IOException {
            threads.hold(HELD);
            message.createResponse(200).send();
        }
    }

    private static final class Prompt extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doMessage(SipServletRequest message) throws IOException {
            message.createResponse(200).send();
        }
    }

    /** One peer is a trunk of the operator's own. */
    private static final class OfTrunk implements PeerConduct {
        @Override
        public boolean admits(SipRequest initial, Hop from, long nowNanos) {
            return true;
        }

        @Override
        public void failed(Failure how, Hop from, boolean proven, long nowNanos) {}

        @Override
        public void proven(Hop from, long nowNanos) {}

        @Override
        public boolean trusts(Hop from) {
            return SourceKey.of(from.remote().getAddress()) == PEER;
        }
    }

    @BeforeEach
    void start() throws Exception {
        Path router = folder.resolve("router.properties");
        Files.writeString(
                router,
                """
                MESSAGE: ("asking", "DAR:From", "TERMINATING", "", "NO_ROUTE", "0", "USER=asking"), \\
                  ("prompt", "DAR:From", "TERMINATING", "", "NO_ROUTE", "1", "USER=prompt")
                """);
        SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), 31);
        threads = new PoolThreads(network.time(), POOL);
        Sources sources =
                new Sources(
                        source -> false,
                        31,
                        source -> source == PEER ? new PeerTerms(1, 480) : PeerTerms.STRANGER);
        server =
                new Server(
                        network,
                        "10.0.0.1",
                        1,
                        31,
                        new RoundTripStore(),
                        StackConfig.builder()
                                .shares(sources, 100)
                                .overload(OverloadConfig.DEFAULT)
                                .conduct(new OfTrunk())
                                .build(),
                        ContainerConfig.defaults().withRouter(new RouterConfig(router, null)),
                        threads);
        server.container.deploy(
                ApplicationDescription.builder("asking")
                        .servlet("main", Asking::new)
                        .execution(ExecutionMode.BLOCKING)
                        .build());
        server.container.deploy(
                ApplicationDescription.builder("prompt")
                        .servlet("main", Prompt::new)
                        .execution(ExecutionMode.BLOCKING)
                        .build());
        phone = server.peer("10.0.0.2");
        other = server.peer("10.0.0.3");
        peer = server.peer("10.0.0.9");
    }

    private void message(RawPeer from, String user, String... headers) {
        number++;
        from.request(
                "MESSAGE sip:" + user + "@10.0.0.1",
                "<sip:x@x>;tag=a",
                "<sip:" + user + "@10.0.0.1>",
                user + number + "@" + from.hostPort(),
                1,
                headers);
    }

    /** Each second so many for the one that asks, and ten for the other. */
    private void load(int perSecond, int seconds) {
        for (int i = 0; i < perSecond * seconds; i++) {
            message(phone, "asking");
            if (i % (perSecond / 10) == 0) {
                message(other, "prompt");
            }
            server.run(Duration.ofNanos(1_000_000_000L / perSecond));
        }
    }

    private List<HandlerLoad.Seen> seen() {
        return server.container.features().handlerLoads().seen(server.time.nanoTime());
    }

    private static SipResponse last(RawPeer of, int status) {
        for (SipMessage message : of.all.reversed()) {
            if (message instanceof SipResponse response && response.status() == status) {
                return response;
            }
        }
        throw new AssertionError("no " + status);
    }

    @Test
    void onlyTheApplicationThatIsLateIsShed() {
        load(4 * CAPACITY, 20);

        assertThat(phone.responses(200)).isGreaterThan(CAPACITY * 19);
        assertThat(phone.responses(503)).isGreaterThan(CAPACITY * 50);
        assertThat(other.responses(200)).isEqualTo(200);
        assertThat(other.responses(503)).isZero();
        assertThat(server.container.features().handlerLoads().refused().sum())
                .isEqualTo(phone.responses(503));
        assertThat(seen())
                .filteredOn(HandlerLoad.Seen::shedding)
                .singleElement()
                .extracting(HandlerLoad.Seen::application)
                .isEqualTo("asking");
        // RFC 3261 21.5.4: a phone may be told when to come again.
        String retryAfter = last(phone, 503).header(HeaderName.RETRY_AFTER);
        assertThat(retryAfter).isNotNull();
        assertThat(Integer.parseInt(retryAfter)).isBetween(1, 10);
    }

    @Test
    void aPeerIsRefusedAsAgreedAndNeverToldToSendNothing() {
        load(4 * CAPACITY, 5);
        for (int i = 0; i < 20; i++) {
            message(peer, "asking");
        }
        server.run(Duration.ofMillis(50));

        assertThat(peer.responses(480)).isPositive();
        assertThat(peer.responses(503)).isZero();
        assertThat(last(peer, 480).header(HeaderName.RETRY_AFTER)).isNull();
    }

    /** RFC 4412: of whom the operator vouches for; anybody can write the header. */
    @Test
    void emergencyCallsOfATrustedPeerAreLetIn() {
        load(4 * CAPACITY, 5);
        long before = phone.responses(503);
        for (int i = 0; i < 10; i++) {
            message(peer, "asking", "Resource-Priority: esnet.1");
            message(phone, "asking", "Resource-Priority: esnet.1");
            load(4 * CAPACITY, 1);
        }
        server.run(Duration.ofSeconds(3));

        assertThat(peer.responses(480)).isZero();
        assertThat(peer.responses(200)).isEqualTo(10);
        assertThat(phone.responses(503)).isGreaterThan(before + 600);
    }

    @Test
    void whenItKeepsUpAgainAllAreLetIn() {
        load(4 * CAPACITY, 10);
        load(20, 15);
        long refused = phone.responses(503);
        long done = phone.responses(200);

        load(20, 10);

        assertThat(phone.responses(503)).isEqualTo(refused);
        assertThat(phone.responses(200) - done).isGreaterThan(190);
        assertThat(seen()).noneMatch(HandlerLoad.Seen::shedding);
    }
}
