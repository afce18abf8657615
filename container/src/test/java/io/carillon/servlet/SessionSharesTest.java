package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.http.ApplicationWebSessions;
import io.carillon.servlet.feature.http.WebSessions;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.port.NoRoom;
import io.carillon.servlet.port.PageVisitor;
import io.carillon.servlet.port.SessionShares;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.message.SipResponse;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One source alone does not take all application sessions; nor do all visitors of pages. */
class SessionSharesTest {
    private static final int ROOM = 80;
    private static final int HALF = ROOM / 2;

    /** Of what one leaves who has half. */
    private static final int QUARTER = HALF / 4;

    private static final long TRUSTED = source("10.0.0.9");

    private final Server server =
            new Server(
                    new SimulatedNetwork(new VirtualTime(), 5),
                    "10.0.0.1",
                    1,
                    5,
                    new RoundTripStore(),
                    StackConfig.DEFAULT,
                    ContainerConfig.defaults().withMaxSessions(ROOM));
    private final RawPeer greedy = server.peer("10.0.0.2");
    private final RawPeer other = server.peer("10.0.0.3");
    private final RawPeer trusted = server.peer("10.0.0.9");
    private final SessionShares shares =
            new SessionShares(ROOM, 25, 50, new Sources(source -> source == TRUSTED, 77));

    SessionSharesTest() {
        server.container.sessions().shares(shares);
    }

    private static PageVisitor visitor(long source) {
        return new PageVisitor(source, Origin.OUTSIDE);
    }

    private static long source(String address) {
        return SourceKey.of(InetAddress.ofLiteral(address));
    }

    private static void invite(RawPeer from, String callId) {
        from.request(
                "INVITE sip:us@10.0.0.1",
                "<sip:x@" + from.hostPort() + ">;tag=x",
                "<sip:us@10.0.0.1>",
                callId,
                1,
                "Contact: <sip:" + from.hostPort() + ">");
    }

    private void invites(RawPeer from, int calls) {
        for (int i = 0; i < calls; i++) {
            invite(from, from.hostPort() + "-" + i);
        }
        server.run(Duration.ofMillis(100));
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void oneSourceWithinItsRateLeavesRoomForOthers(ExecutionMode mode) {
        server.deploy(new Manual(), mode);
        invites(greedy, 2 * ROOM);
        // Alone it may have the first half.
        assertThat(server.container.callsHeld()).isEqualTo(HALF);
        assertThat(greedy.responses(503)).isEqualTo(2 * ROOM - HALF);
        assertThat(server.container.counters().refusedShare.sum()).isEqualTo(2 * ROOM - HALF);
        assertThat(greedy.all)
                .filteredOn(m -> m instanceof SipResponse r && r.status() == 503)
                .allSatisfy(m -> assertThat(m.header(HeaderName.RETRY_AFTER)).isNotNull());
        assertThat(shares.lastRefused()).isEqualTo("10.0.0.2");
        invites(other, QUARTER);
        assertThat(other.responses(180)).isEqualTo(QUARTER);
        assertThat(other.responses(503)).isZero();
        assertThat(server.container.status().refused()).isZero();
    }

    /** As many as there are hold what they may: the next caller finds room. */
    @ParameterizedTest
    @ValueSource(ints = {5, 20, 100})
    void manySourcesLeaveRoomForTheNextOne(int many) throws Exception {
        int room = 1_000;
        SessionShares all = new SessionShares(room, 25, 50, new Sources(source -> false, 77));
        Server large =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 5),
                        "10.0.0.1",
                        1,
                        5,
                        new RoundTripStore(),
                        StackConfig.DEFAULT,
                        ContainerConfig.defaults().withMaxSessions(room));
        large.container.sessions().shares(all);
        large.deploy(new Manual(), ExecutionMode.NON_BLOCKING);
        List<RawPeer> peers = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            peers.add(large.peer("10.0.1." + (1 + i)));
        }
        for (int call = 0; call < 2 * room / many; call++) {
            for (RawPeer peer : peers) {
                invite(peer, peer.hostPort() + "-" + call);
            }
            large.run(Duration.ofMillis(10));
        }
        assertThat(large.container.callsHeld()).isBetween(room / 2, room - 5);
        RawPeer next = large.peer("10.0.2.1");
        for (int call = 0; call < 5; call++) {
            invite(next, "next-" + call);
            large.run(Duration.ofMillis(10));
        }
        assertThat(next.responses(180)).isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aSourceThatIsTrustedMayHaveAllOfIt(ExecutionMode mode) {
        server.deploy(new Manual(), mode);
        invites(trusted, ROOM);
        assertThat(trusted.responses(180)).isEqualTo(ROOM);
        assertThat(shares.held(TRUSTED)).isZero();
    }

    /** A caller who never sends an ACK has his share back once his calls are given up. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void whatASourceHeldIsGivenBackWhenItsSessionsEnd(ExecutionMode mode) {
        Manual app = new Manual();
        server.deploy(app, mode);
        for (int i = 0; i < QUARTER; i++) {
            invite(greedy, "c" + i);
            server.run(Duration.ofMillis(50));
            app.answer(200);
        }
        assertThat(shares.held(source("10.0.0.2"))).isEqualTo(QUARTER);
        // RFC 3261 13.3.1.4: 64*T1 without ACK, then a BYE, whose time-out takes as long again.
        server.run(Duration.ofSeconds(33 + 33));
        server.assertEmpty();
        assertThat(shares.held(source("10.0.0.2"))).isZero();
    }

    /** Pages of a container that is not ours begin sessions by the factory, outside of any turn. */
    @Test
    void whatAPageBeginsByTheFactoryCountsForItsVisitor() throws Exception {
        server.deploy(new Manual(), ExecutionMode.NON_BLOCKING);
        SipFactory factory =
                (SipFactory)
                        server.container
                                .applications()
                                .getFirst()
                                .context()
                                .getAttribute(SipServlet.SIP_FACTORY);
        int[] made = {0};
        assertThatThrownBy(() ->
                        PageVisitor.serve(
                                "10.0.0.7",
                                () -> {
                                    for (; made[0] < ROOM; made[0]++) {
                                        factory.createApplicationSession();
                                    }
                                }))
                .isInstanceOf(NoRoom.class);
        assertThat(made[0]).isEqualTo(HALF);
        assertThat(shares.pages()).isEqualTo(HALF);
        assertThat(shares.held(source("10.0.0.7"))).isEqualTo(HALF);
        assertThat(server.container.counters().refusedPages.sum()).isEqualTo(1);
        invites(other, QUARTER);
        assertThat(other.responses(180)).isEqualTo(QUARTER);
        // Behind the page nothing counts for its visitor any more.
        factory.createApplicationSession();
        assertThat(shares.pages()).isEqualTo(HALF);
    }

    @Test
    void visitorsOfPagesLeaveRoomForCalls() throws Exception {
        server.deploy(new Manual(), ExecutionMode.NON_BLOCKING);
        Application application = server.container.applications().getFirst();
        WebSessions pages =
                new ApplicationWebSessions(
                        server.container.host(), server.container.newSessions(), application);
        List<ApplicationSession> made = new ArrayList<>();
        for (int i = 0; i < HALF; i++) {
            made.add(pages.create(visitor(SourceKey.ofInet4(i))));
        }
        assertThat(shares.pages()).isEqualTo(HALF);
        assertThatThrownBy(() -> pages.create(visitor(SourceKey.ofInet4(HALF))))
                .isInstanceOf(NoRoom.class);
        assertThat(server.container.counters().refusedPages.sum()).isEqualTo(1);
        invites(other, QUARTER);
        assertThat(other.responses(180)).isEqualTo(QUARTER);
        made.forEach(session -> session.inTurn(session::end));
        assertThat(shares.pages()).isZero();
        assertThat(shares.held(SourceKey.ofInet4(1))).isZero();
    }

    @Test
    void aVisitorWithoutCookieLeavesRoomForOtherVisitors() throws Exception {
        server.deploy(new Manual(), ExecutionMode.NON_BLOCKING);
        Application application = server.container.applications().getFirst();
        WebSessions pages =
                new ApplicationWebSessions(
                        server.container.host(), server.container.newSessions(), application);
        invites(trusted, HALF);
        PageVisitor visitor = visitor(source("10.0.0.2"));
        // Of what the others leave a quarter.
        for (int i = 0; i < QUARTER; i++) {
            pages.create(visitor);
        }
        assertThatThrownBy(() -> pages.create(visitor)).isInstanceOf(NoRoom.class);
        assertThat(shares.lastRefused()).isEqualTo("10.0.0.2");
        assertThat(pages.create(visitor(source("10.0.0.4"))).isValid()).isTrue();
    }
}
