package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ApplicationKey;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.token.ClusterKeys;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.Partitions;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.BitSet;
import java.util.Objects;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.SipURI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An application session with a key goes on at the next node, also one that began anew. */
class KeyedSessionsTest {
    private static final String ROOM = "sip:room@10.0.0.1";
    private static final String SINCE = "X-Since";
    private static final HeaderName SINCE_HEADER = HeaderName.of(SINCE);

    /** Says with which call its application session began. */
    public static final class Room extends SipServlet {
        private static final long serialVersionUID = 1L;

        public static String key(SipServletRequest request) {
            return Objects.requireNonNull(((SipURI) request.getRequestURI()).getUser());
        }

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            if (request.getApplicationSession().getAttribute("since") == null) {
                request.getApplicationSession().setAttribute("since", request.getCallId());
            }
            SipServletResponse ok = request.createResponse(200);
            ok.setHeader(SINCE, (String) request.getApplicationSession().getAttribute("since"));
            ok.send();
        }

        @Override
        protected void doBye(SipServletRequest request) throws IOException {
            request.createResponse(200).send();
        }
    }

    private static TwoNodes nodes(ExecutionMode mode) {
        return TwoNodes.inCluster(
                server -> {
                    try {
                        server.container.deploy(
                                ApplicationDescription.builder("test")
                                        .servlet("main", Room::new)
                                        .key(new ApplicationKey(Room.class.getName(), "key"))
                                        .execution(mode)
                                        .build());
                    } catch (DeploymentException e) {
                        throw new IllegalStateException(e);
                    }
                },
                true);
    }

    private static Leg call(TwoNodes nodes, String callId, String since) {
        SipResponse ok = AdoptedCallsTest.called(nodes, ROOM, callId);
        assertThat(ok.header(SINCE_HEADER)).as("the session of call %s", callId).isEqualTo(since);
        Leg caller = Leg.caller(nodes.alice, ok);
        caller.ack();
        return caller;
    }

    @ParameterizedTest
    @CsvSource({"NON_BLOCKING, 0", "NON_BLOCKING, 2000", "ADAPTIVE, 0", "BLOCKING, 2000"})
    void oneThatEndedAndBeganAnewIsKeptToo(ExecutionMode mode, long pauseMillis) {
        TwoNodes nodes = nodes(mode);
        for (int i = 0; i < 4; i++) {
            Leg caller = call(nodes, "before" + i, "before" + i);
            nodes.run(Duration.ofMillis(500));
            caller.bye();
            nodes.run(Duration.ofMillis(pauseMillis));
        }
        Leg first = call(nodes, "first", "first");
        nodes.run(Duration.ofMillis(100));

        nodes.fail();

        Leg second = call(nodes, "second", "first");
        first.bye();
        second.bye();
        nodes.assertEnded(1);
        assertThat(nodes.store.records().values())
                .as("and its record is removed in the end")
                .allMatch(state -> state.bytes() == null);
    }

    /** Many failing reads of the grid are no proof that there is nothing. */
    @Test
    void oneWhoseRecordsCannotBeReadForALongTimeIsWaitedFor() {
        TwoNodes nodes = nodes(ExecutionMode.NON_BLOCKING);
        Leg first = call(nodes, "first", "first");
        nodes.run(Duration.ofMillis(100));
        nodes.store.failing = 30;

        nodes.fail();

        nodes.run(Duration.ofSeconds(8));
        Leg second = call(nodes, "second", "first");
        first.bye();
        second.bye();
        nodes.assertEnded(1);
    }

    /** It would be a second one of that key, whose timers do not run and whose messages stay. */
    @Test
    void aNodeThatDoesNotOwnThePartitionOfTheKeyMakesNoSession() {
        BitSet owned = new BitSet();
        owned.set(Partitions.ofKey("own"));
        Ownership ownership =
                new Ownership() {
                    @Override
                    public boolean owns(int partition) {
                        return owned.get(partition) || partition == Partitions.ofKey("left");
                    }

                    @Override
                    public boolean mayBegin(int partition) {
                        return owned.get(partition);
                    }

                    @Override
                    public long term(int partition) {
                        return 1;
                    }
                };
        SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), 5);
        Server server =
                new Server(
                        network,
                        "10.0.0.1",
                        2,
                        5,
                        SessionStores.inMemory(),
                        StackConfig.builder()
                                .cluster(
                                        new ClusterPlace(
                                                5, ClusterKeys.of(1, 2), ownership, 2, () -> 0))
                                .build(),
                        ContainerConfig.defaults());
        Room room = new Room();
        server.deploy(room, ExecutionMode.ADAPTIVE);
        SipFactory factory =
                (SipFactory) room.getServletContext().getAttribute(SipServlet.SIP_FACTORY);
        SipSessionsUtil sessions =
                (SipSessionsUtil)
                        room.getServletContext().getAttribute(SipServlet.SIP_SESSIONS_UTIL);
        assertThat(sessions.getApplicationSessionByKey("own", true)).isNotNull();
        assertThatThrownBy(() -> factory.createApplicationSessionByKey("another"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("key another")
                .hasMessageContaining("@SipApplicationKey");
        assertThatThrownBy(() -> sessions.getApplicationSessionByKey("another", true))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> sessions.getApplicationSessionByKey("left", true))
                .as("it may be with the owner already")
                .isInstanceOf(IllegalStateException.class);
        assertThat(sessions.getApplicationSessionByKey("another", false)).isNull();
        assertThat(server.container.sessions().all()).hasSize(1);
    }
}
