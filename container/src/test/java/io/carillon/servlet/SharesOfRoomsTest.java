package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ApplicationKey;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.port.SessionShares;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.header.HeaderName;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.annotation.SipApplicationKey;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Everything that is bounded beside the number of application sessions: one source leaves others
 * room in it, in an application too that has all callers in one application session.
 */
class SharesOfRoomsTest {
    private static final int ROOM = 80;
    private static final int HALF = ROOM / 2;

    /** Of what one leaves who has half. */
    private static final int QUARTER = HALF / 4;

    private static final long TRUSTED = SourceKey.of(InetAddress.ofLiteral("10.0.0.9"));
    private static final Sources SOURCES = new Sources(source -> source == TRUSTED, 77);

    /** All that come are in one application session. */
    public static final class Everybody extends SipServlet {
        private static final long serialVersionUID = 1L;

        @SipApplicationKey
        public static String everybody(SipServletRequest request) {
            return "everybody";
        }

        @Override
        protected void doInvite(SipServletRequest invite) throws IOException {
            invite.createResponse(180).send();
        }

        @Override
        protected void doSubscribe(SipServletRequest subscribe) throws IOException {
            subscribe.createResponse(200).send();
            SipServletRequest notify = subscribe.getSession().createRequest("NOTIFY");
            boolean over = subscribe.getExpires() == 0;
            notify.setHeader("Event", "presence");
            notify.setHeader("Subscription-State", over ? "terminated" : "active;expires=60");
            notify.send();
        }
    }

    private final Server server =
            new Server(
                    new SimulatedNetwork(new VirtualTime(), 7),
                    "10.0.0.1",
                    1,
                    7,
                    new RoundTripStore(),
                    StackConfig.builder().shares(SOURCES, 25).build(),
                    ContainerConfig.defaults());
    private final SessionShares shares = new SessionShares(1_000, 25, 50, SOURCES);
    private final RawPeer greedy = server.peer("10.0.0.2");
    private final RawPeer other = server.peer("10.0.0.3");
    private final RawPeer trusted = server.peer("10.0.0.9");

    SharesOfRoomsTest() {
        server.container.sessions().shares(shares);
    }

    private void deploy(ExecutionMode mode) throws Exception {
        server.container.deploy(
                ApplicationDescription.builder("test")
                        .servlet("main", Everybody::new)
                        .key(new ApplicationKey(Everybody.class.getName(), "everybody"))
                        .execution(mode)
                        .build());
    }

    private void send(RawPeer from, int count, String method, String... headers) {
        String[] all = Arrays.copyOf(headers, headers.length + 1);
        all[headers.length] = "Contact: <sip:a@" + from.hostPort() + ">";
        for (int i = 0; i < count; i++) {
            from.request(
                    method + " sip:us@10.0.0.1",
                    "<sip:a@" + from.hostPort() + ">;tag=t",
                    "<sip:us@10.0.0.1>",
                    method + from.hostPort() + "-" + i,
                    1,
                    all);
            server.run(Duration.ofMillis(20));
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void subscriptionsOfOneSourceLeaveRoomForThoseOfOthers(ExecutionMode mode) throws Exception {
        server.container.rooms().maxSubscriptions(ROOM);
        deploy(mode);
        send(greedy, 2 * ROOM, "SUBSCRIBE", "Event: presence", "Expires: 60");
        assertThat(greedy.responses(200)).isEqualTo(HALF);
        assertThat(greedy.responses(503)).isEqualTo(2 * ROOM - HALF);
        assertThat(server.container.counters().subscriptionsRefused.sum())
                .isEqualTo(2 * ROOM - HALF);
        send(other, QUARTER, "SUBSCRIBE", "Event: presence", "Expires: 60");
        assertThat(other.responses(200)).isEqualTo(QUARTER);
        send(trusted, QUARTER, "SUBSCRIBE", "Event: presence", "Expires: 60");
        assertThat(trusted.responses(200)).isEqualTo(QUARTER);
        server.container.sessions().all().forEach(session -> session.inTurn(session::end));
        assertThat(server.container.counters().subscriptions.sum()).isZero();
        server.run(Duration.ofSeconds(100)); // transactions linger
        send(greedy, HALF, "SUBSCRIBE", "Event: presence", "Expires: 60");
        assertThat(greedy.responses(200)).as("all was given back").isEqualTo(2 * HALF);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void sessionsOfOneSourceInOneApplicationSessionLeaveRoomForThoseOfOthers(ExecutionMode mode)
            throws Exception {
        server.container.rooms().maxOfOne(ROOM);
        deploy(mode);
        send(greedy, 2 * ROOM, "INVITE");
        assertThat(greedy.responses(180)).isEqualTo(HALF);
        assertThat(greedy.responses(503)).isEqualTo(2 * ROOM - HALF);
        assertThat(server.container.counters().refusedOfOne.sum()).isEqualTo(2 * ROOM - HALF);
        send(other, QUARTER, "INVITE");
        assertThat(other.responses(180)).isEqualTo(QUARTER);
        send(trusted, QUARTER, "INVITE");
        assertThat(trusted.responses(180)).isEqualTo(QUARTER);
        assertThat(server.container.callsHeld()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void longAddressesOfOneSourceLeaveRoomForThoseOfOthers(ExecutionMode mode) throws Exception {
        server.container.keptAddresses().most(150_000, shares);
        deploy(mode);
        String route = "Record-Route: <sip:10.0.0.7;lr;x=" + "y".repeat(3_000) + ">";
        send(greedy, ROOM, "INVITE", route);
        long alone = server.container.keptAddresses().bytes();
        assertThat(alone).isBetween(75_000L, 85_000L);
        assertThat(server.container.counters().refusedAddresses.sum()).isPositive();
        // Of what is left a quarter, at some 6,000 each.
        send(other, 3, "INVITE", route);
        assertThat(other.responses(180)).isEqualTo(3);
        assertThat(greedy.all.getLast().header(HeaderName.RETRY_AFTER)).isNotNull();
    }
}
