package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ApplicationKey;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.dispatch.OtherNodes;
import io.carillon.servlet.feature.adopt.Adoption;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.MemoryStore;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.token.ClusterKeys;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.Partitions;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipURI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Three nodes of a cluster at one address, before which a router gives each message to the owner of
 * its partition: what belongs to a call of the other node is handed on to it.
 */
class OtherNodesTest {
    private static final int LOOPS = 2;
    private static final int NODES = 3;
    private static final InetSocketAddress ADDRESS = SimulatedNetwork.address("10.0.0.1", 5060);
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    private final SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), 3);
    private final List<Server> nodes = new ArrayList<>();
    private final List<Room> rooms = new ArrayList<>();
    private final RawPeer alice = new RawPeer(network, "10.0.0.2", 5060);

    /** Partitions whose owner takes no new work, as it gives them away. */
    private final Set<Integer> moving = new HashSet<>();

    private final MemoryStore store = new MemoryStore(network.time());
    private final List<Adoption> adoptions = new ArrayList<>();

    /** A node that has died, another one has what it had; -1 while all live. */
    private int dead = -1;

    /** So many that are handed on are lost. */
    private int lost;

    /** Answers calls to anybody but to {@code rings}; the key is the user called. */
    public static final class Room extends SipServlet {
        private static final long serialVersionUID = 1L;
        private final transient List<SipServletRequest> invites = new ArrayList<>();
        private final transient List<String> seen = new ArrayList<>();

        private static String user(SipServletRequest request) {
            return Objects.requireNonNull(((SipURI) request.getRequestURI()).getUser());
        }

        public static String key(SipServletRequest request) {
            String user = user(request);
            // Each time another one, of the other node.
            return user.equals("both") ? keyOf(flips++ % 2) : user;
        }

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            invites.add(request);
            boolean rings = user(request).startsWith("rings");
            request.createResponse(rings ? 180 : 200).send();
        }

        @Override
        protected void doCancel(SipServletRequest cancel) {
            seen.add("CANCEL");
        }

        @Override
        protected void doAck(SipServletRequest ack) {
            seen.add("ACK");
        }

        @Override
        protected void doBye(SipServletRequest bye) throws IOException {
            seen.add("BYE");
            bye.createResponse(200).send();
        }
    }

    private static int flips;

    private static int owner(int partition) {
        return partition * NODES / Ownership.PARTITIONS;
    }

    /** Some key whose partition is that node's. */
    private static String keyOf(int node) {
        return text("key", node);
    }

    private static String text(String prefix, int node) {
        for (int i = 0; ; i++) {
            if (owner(Partitions.ofCallId(prefix + i)) == node) {
                return prefix + i;
            }
        }
    }

    /** The node that has it now. */
    private int at(int partition) {
        int owner = owner(partition);
        return owner == dead ? (owner + 2) % NODES : owner;
    }

    private StackConfig stack(int node) {
        Ownership ownership =
                new Ownership() {
                    @Override
                    public boolean owns(int partition) {
                        return at(partition) == node;
                    }

                    @Override
                    public boolean takesNewWork(int partition) {
                        return owns(partition) && !moving.contains(partition);
                    }

                    @Override
                    public long term(int partition) {
                        return dead < 0 ? 1 : 2;
                    }
                };
        return StackConfig.builder()
                .cluster(new ClusterPlace(5, ClusterKeys.of(1, 2), ownership, LOOPS, () -> 0))
                .build();
    }

    private void deploy(ExecutionMode mode, boolean keyed) {
        flips = 0;
        for (int node = 0; node < NODES; node++) {
            Server server =
                    new Server(
                            network,
                            "10.0.0.1",
                            LOOPS,
                            node + 1,
                            SessionStores.inMemory(),
                            stack(node),
                            ContainerConfig.defaults());
            network.unbind(ADDRESS);
            server.node.amongOthers(this::handOn);
            Room room = new Room();
            ApplicationDescription.Builder builder =
                    ApplicationDescription.builder("test")
                            .servlet("main", () -> room)
                            .execution(mode);
            if (keyed) {
                builder.key(new ApplicationKey(Room.class.getName(), "key"));
            }
            try {
                server.container.deploy(builder.build());
            } catch (DeploymentException e) {
                throw new IllegalStateException(e);
            }
            nodes.add(server);
            rooms.add(room);
            adoptions.add(server.container.takeOver(store));
        }
        network.bind(ADDRESS, this::routed);
    }

    private void routed(
            byte[] bytes, Transport transport, InetSocketAddress from, InetSocketAddress to) {
        int partition =
                nodes.getFirst()
                        .node
                        .shards()
                        .getFirst()
                        .config()
                        .tokens()
                        .partitionOf(bytes, bytes.length);
        nodes.get(at(partition)).node.arrives(bytes, new Hop(transport, to, from, 0), partition);
    }

    private boolean handOn(byte[] request, Hop from, int partition) {
        if (lost-- > 0) {
            return true;
        }
        network.time()
                .after(
                        Duration.ofMillis(1),
                        () -> nodes.get(at(partition)).node.arrives(request, from, partition));
        return true;
    }

    private void run() {
        network.time().runFor(Duration.ofMillis(50));
    }

    private String invite(String user, String callId, int cseq) {
        return message("INVITE", user, callId, cseq);
    }

    private String message(String method, String user, String callId, int cseq, String... more) {
        String[] headers = new String[more.length + 1];
        System.arraycopy(more, 0, headers, 0, more.length);
        headers[more.length] = CONTACT;
        return alice.text(
                method + " sip:" + user + "@10.0.0.1",
                "z9hG4bK" + callId + cseq,
                "<sip:alice@x>;tag=" + callId,
                "<sip:" + user + "@y>",
                callId,
                cseq,
                headers);
    }

    private void inDialog(String method, SipResponse ok, int cseq) {
        alice.request(
                method + ' ' + Objects.requireNonNull(ok.contact()).uri(),
                ok.from().toString(),
                ok.to().toString(),
                ok.callId(),
                cseq,
                CONTACT);
    }

    private void ends(SipResponse... all) {
        for (SipResponse ok : all) {
            inDialog("BYE", ok, 9);
            assertThat(alice.response(200).cseq().method()).isEqualTo("BYE");
        }
        network.time().runFor(Duration.ofMinutes(5));
        nodes.forEach(Server::assertEmpty);
    }

    private SipResponse called(String user, String callId) {
        alice.send(invite(user, callId, 1));
        SipResponse ok = alice.response(200);
        inDialog("ACK", ok, 1);
        run();
        return ok;
    }

    private long handed() {
        long sum = 0;
        for (Server node : nodes) {
            sum +=
                    Objects.requireNonNull(node.container.host().parts().get(OtherNodes.SLOT))
                            .handedOn();
        }
        return sum;
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void callsToAKeyAreInOneApplicationSessionWhereverTheyCome(ExecutionMode mode) {
        deploy(mode, true);
        for (int node = 0; node < 2; node++) {
            String user = text("user", node);
            Room here = rooms.get(node);
            SipResponse one = called(user, text("a" + node, 0));
            SipResponse two = called(user, text("b" + node, 1));
            assertThat(here.invites).hasSize(2);
            assertThat(here.invites.get(0).getApplicationSession())
                    .isSameAs(here.invites.get(1).getApplicationSession());
            assertThat(CallPartition.ofKey(user)).isEqualTo(Partitions.ofKey(user));
            assertThat(here.seen).containsExactly("ACK", "ACK");
            inDialog("BYE", one, 2);
            alice.response(200);
            inDialog("BYE", two, 2);
            alice.response(200);
            assertThat(here.seen).containsExactly("ACK", "ACK", "BYE", "BYE");
        }
        assertThat(handed()).isEqualTo(2);
        ends();
    }

    /** Else its session would begin here, and go on at the next owner beside the one there. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aCallToAKeyThatMovesToAnotherNodeWaitsOutside(ExecutionMode mode) {
        deploy(mode, true);
        String user = text("user", 0);
        moving.add(Partitions.ofKey(user));
        lost = 1; // the link keeps it until the partition is somewhere
        alice.send(invite(user, text("a", 0), 1));
        run();
        assertThat(handed()).isEqualTo(1);
        assertThat(rooms.get(0).invites).isEmpty();
        moving.clear();
        SipResponse ok = called(user, text("a", 0));
        assertThat(rooms.get(0).invites).hasSize(1);
        ends(ok);
    }

    /** RFC 3261 17.1.1.2, 9.1: what is repeated comes to the node that has the call. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void repeatsAndTheCancelFollow(ExecutionMode mode) {
        deploy(mode, true);
        String user = text("rings", 1);
        String callId = text("c", 0);
        lost = 1;
        alice.send(invite(user, callId, 1));
        run();
        assertThat(rooms.get(1).invites).as("the first one was lost").isEmpty();
        alice.send(invite(user, callId, 1));
        run();
        alice.send(invite(user, callId, 1));
        run();
        assertThat(rooms.get(1).invites).hasSize(1);
        alice.response(180);
        lost = 1;
        alice.send(message("CANCEL", user, callId, 1));
        run();
        assertThat(rooms.get(1).seen).isEmpty();
        alice.send(message("CANCEL", user, callId, 1));
        run();
        assertThat(alice.response(200).cseq().method()).isEqualTo("CANCEL");
        alice.response(487);
        run();
        assertThat(rooms.get(1).seen).containsExactly("CANCEL");
        assertThat(rooms.get(0).invites).isEmpty();
        ends();
    }

    /** The node dies that has handed the INVITE on: the next one knows where it went. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void theCancelFollowsWhenTheNodeInBetweenHasDied(ExecutionMode mode) {
        deploy(mode, true);
        String user = text("rings", 1);
        String callId = text("c", 0);
        alice.send(invite(user, callId, 1));
        run();
        alice.response(180);
        dead = 0;
        nodes.get(0).node.crash();
        network.bind(ADDRESS, this::routed);
        store.slowNanos = Duration.ofMillis(200).toNanos();
        adoptions.get(2).promoted(Partitions.ofCallId(callId), 2);
        alice.send(message("CANCEL", user, callId, 1));
        assertThat(alice.response(200).cseq().method()).isEqualTo("CANCEL");
        alice.response(487);
        run();
        assertThat(rooms.get(1).seen).containsExactly("CANCEL");
        network.time().runFor(Duration.ofMinutes(5));
        nodes.get(1).assertEmpty();
        nodes.get(2).assertEmpty();
    }

    /** What is kept of those that were handed on goes from the store again. */
    @Test
    void noRecordOfThemStays() {
        deploy(ExecutionMode.NON_BLOCKING, true);
        for (int i = 0; i < 3; i++) {
            ends(called(text("user", 1), text("c" + i, 0)));
        }
        assertThat(store.records()).hasSize(3);
        network.time().runFor(Duration.ofHours(1));
        assertThat(store.records().values()).allMatch(state -> state.bytes() == null);
    }

    /** The node that goes on with the partition removes them. */
    @Test
    void noRecordStaysOfThoseThatANodeHandedOnThatHasDied() {
        deploy(ExecutionMode.NON_BLOCKING, true);
        String callId = text("c", 0);
        SipResponse ok = called(text("user", 1), callId);
        dead = 0;
        nodes.get(0).node.crash();
        network.bind(ADDRESS, this::routed);
        adoptions.get(2).promoted(Partitions.ofCallId(callId), 2);
        run();
        assertThat(store.records().values()).anyMatch(state -> state.bytes() != null);
        inDialog("BYE", ok, 9);
        alice.response(200);
        network.time().runFor(Duration.ofHours(1));
        assertThat(store.records().values()).allMatch(state -> state.bytes() == null);
    }

    /** The next INVITE of the same call, as after a challenge, needs no key to be asked for. */
    @Test
    void theNextInviteOfTheCallerFollowsToo() {
        deploy(ExecutionMode.NON_BLOCKING, true);
        String user = text("rings", 1);
        String callId = text("c", 0);
        alice.send(invite(user, callId, 1));
        alice.response(180);
        alice.send(invite(user, callId, 2));
        run();
        assertThat(rooms.get(1).invites).hasSize(2);
        alice.send(message("CANCEL", user, callId, 1));
        alice.send(message("CANCEL", user, callId, 2));
        run();
        ends();
    }

    /** A key that is another one at each node would send the request to and fro for ever. */
    @Test
    void aRequestIsHandedOnOnce() {
        deploy(ExecutionMode.NON_BLOCKING, true);
        flips = 1; // node 0 is told a key of node 1, node 1 one of node 0
        alice.send(invite("both", text("c", 0), 1));
        alice.response(503);
        assertThat(handed()).isEqualTo(1);
        ends();
    }

    /** RFC 3891: the dialog that a Replaces names is where its tag leads. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aReplacesComesToTheNodeOfTheDialogThatItNames(ExecutionMode mode) {
        deploy(mode, false);
        SipResponse first = called("room", text("first", 1));
        alice.send(
                message(
                        "INVITE",
                        "room",
                        text("second", 0),
                        1,
                        "Replaces: "
                                + first.callId()
                                + ";to-tag="
                                + first.toTag()
                                + ";from-tag="
                                + first.fromTag()));
        SipResponse second = alice.response(200);
        inDialog("ACK", second, 1);
        run();
        Room there = rooms.get(1);
        assertThat(there.invites).hasSize(2);
        assertThat(there.invites.get(1).getApplicationSession())
                .isSameAs(there.invites.get(0).getApplicationSession());
        assertThat(handed()).isEqualTo(1);
        ends(first, second);
    }

    /** A Join of a dialog that nobody has begins a call, on some node. */
    @Test
    void aJoinOfNothingIsAnOrdinaryCall() {
        deploy(ExecutionMode.NON_BLOCKING, false);
        alice.send(
                message(
                        "INVITE",
                        "room",
                        text("second", 0),
                        1,
                        "Join: " + text("gone", 1) + ";to-tag=t;from-tag=f"));
        SipResponse ok = alice.response(200);
        inDialog("ACK", ok, 1);
        run();
        ends(ok);
    }
}
