package io.carillon.server.cluster;

import io.carillon.cluster.lease.Ack;
import io.carillon.cluster.lease.Beat;
import io.carillon.cluster.link.Owners;
import io.carillon.cluster.link.TableOwners;
import io.carillon.cluster.member.Incarnation;
import io.carillon.cluster.member.MemberState;
import io.carillon.cluster.node.ClusterNode;
import io.carillon.cluster.node.ClusterTimes;
import io.carillon.cluster.node.NodeIdentity;
import io.carillon.cluster.node.NodeMessages;
import io.carillon.cluster.node.NodeOutput;
import io.carillon.cluster.table.PartitionTable;
import io.carillon.cluster.table.VotedTable;
import io.carillon.cluster.voting.MemberLink;
import io.carillon.grid.GridNode;
import io.carillon.net.link.LinkConfig;
import io.carillon.server.config.ClusterSettings;
import io.carillon.server.nodes.OtherPages;
import io.carillon.server.start.StartException;
import io.carillon.servlet.feature.adopt.LeavingCalls.Told;
import io.carillon.servlet.port.CallStore;
import io.carillon.sip.flow.FlowTokens;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.Partitions;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * This process as a member of its cluster: it votes, holds a lease, keeps copies of calls, and says
 * which calls are its own. One thread does all that is decided ({@link ClusterNode}); what comes
 * from the grid's threads is queued for it.
 *
 * <p>Opened before the SIP ports, begun behind the deployment, closed last. Any thread.
 */
public final class ClusterSide implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterSide.class);
    private static final long TICK_MILLIS = 50;

    /** The grid knows by then who is dead, also whose machine has lost its power. */
    private static final long SILENT_NANOS = TimeUnit.MILLISECONDS.toNanos(6_500);

    private static final long PLACEMENT_MILLIS = 1_000;
    private static final long CLOSE_SECONDS = 5;

    /** From a view of the voters until the grid follows: a member learns that it is left out. */
    private static final long LEFT_MILLIS = 400;

    /** It is told again, as what is sent while its connection closes may be lost. */
    private static final long LEFT_AGAIN_MILLIS = 100;

    private final ClusterSettings settings;
    private final MemberNames members;
    private final ClusterKeyFile keys;
    private final int number;
    private final GridNode grid;
    private final ClusterNode node;
    private final LongSupplier clock;
    private final ClusterThread thread;
    private final Proposals proposals;
    private final Outlook outlook = new Outlook();
    private final ComingPartitions coming;
    private final NodeMessages messages; // of the thread
    private final LeavingPartitions leaving; // of the thread
    private volatile NodeCalls calls = NodeCalls.NONE;
    private volatile Owners owners = Owners.UNKNOWN;

    private ClusterSide(ClusterSettings settings, ClusterKeyFile keys, Path folder, boolean witness)
            throws StartException {
        this.settings = settings;
        this.keys = keys;
        this.members = witness ? MemberNames.ofWitness(settings) : MemberNames.ofNode(settings);
        ClusterMembers configured = members.first();
        this.number = witness ? configured.witnessNumber() : settings.member();
        this.clock = BootClock.ofMachine();
        this.thread = new ClusterThread();
        List<Integer> voters = configured.voters();
        GridNode.Builder builder =
                GridNode.of(name(), number)
                        .listen(configured.address(number))
                        .nodes(() -> members.get().known())
                        .voters(voters)
                        .folder(folder)
                        .witness(configured.witness() == null ? -1 : configured.witnessNumber());
        keys.secrets().forEach(builder::secret);
        this.grid = builder.build();
        this.node =
                new ClusterNode(
                        new NodeIdentity(
                                number,
                                witness ? "witness" : settings.nodes().get(number).toString(),
                                configured.address(number).toString(),
                                witness),
                        Incarnation.first(
                                TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis()),
                                new SecureRandom().nextInt()),
                        PartitionTable.of(voters.stream().mapToInt(Integer::intValue).toArray()),
                        ClusterTimes.STANDARD.detectingWithin(settings.detectWithin().toNanos()),
                        clock,
                        new Output());
        this.proposals = new Proposals(grid, voters, number);
        this.messages = new NodeMessages(node, proposals::here, grid.link()::sendUnseen);
        this.coming = new ComingPartitions(node.ownership());
        this.leaving = new LeavingPartitions(new Leaving(), thread::after, node::handedOver);
    }

    /**
     * Joins the cluster; waits for some seconds where nobody is there yet.
     *
     * @param folder where votes are kept, of this member alone
     * @throws StartException in a sentence, when a port is taken or the key is no key
     */
    public static ClusterSide open(ClusterSettings settings, Path folder) throws StartException {
        return open(settings, folder, false);
    }

    /** As witness. */
    public static ClusterSide openWitness(ClusterSettings settings, Path folder)
            throws StartException {
        return open(settings, folder, true);
    }

    private static ClusterSide open(ClusterSettings settings, Path folder, boolean witness)
            throws StartException {
        Path file = Objects.requireNonNull(settings.keyFile(), "a cluster has a key");
        try {
            ClusterSide side =
                    new ClusterSide(settings, ClusterKeyFile.read(file), folder, witness);
            side.start();
            return side;
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw new StartException("cluster: " + e.getMessage(), e);
        }
    }

    private boolean witness() {
        return number == members.first().witnessNumber();
    }

    private String name() {
        return Objects.requireNonNull(settings.name(), "a cluster has a name");
    }

    private void start() {
        thread.holdBack();
        VotedTable voted =
                new VotedTable(
                        node.table(),
                        table ->
                                thread.execute(() -> {
                                    node.applied(table, clock.getAsLong());
                                    tableMayHaveChanged();
                                }));
        grid.voting().onApplied(voted::applied);
        grid.voting().snapshots(voted);
        grid.link().listen(new Heard());
        grid.start();
        LOG.info(
                "Member {} of cluster {}{}: {}",
                number,
                name(),
                witness() ? ", the witness" : "",
                members.first().address(number));
    }

    // ---- what the server is composed of ----

    /** For which partitions this node may act now. */
    public Ownership ownership() {
        return node.ownership();
    }

    /** The stack's place in the cluster. */
    public ClusterPlace place(int loops) {
        return keys.place(name(), coming, loops);
    }

    /** Tokens of flows, the same on all nodes; the clock in hours. */
    public FlowTokens flows(LongSupplier hours) {
        return keys.flows(name(), hours);
    }

    /** The node's link to routers. */
    public LinkConfig link() {
        return new LinkConfig(
                number,
                members.first().link(number),
                Objects.requireNonNull(settings.address(), "a cluster has an address"),
                FrontAddresses.streams(settings),
                keys.links(name()),
                coming,
                () -> owners,
                partitions(),
                LinkConfig.Control.NONE,
                LinkConfig.PARKED_BYTES,
                members.first().routers());
    }

    /** What the pages of this node know of the others. */
    public OtherPages pages() {
        return new ClusterPages(members, number, node::table, partitions(), grid.tls());
    }

    private Partitions partitions() {
        return new Partitions(ClusterKeyFile.number(name()), keys.tokens(name()));
    }

    /** Of the node: goes on while the machine sleeps. */
    LongSupplier clock() {
        return clock;
    }

    /** Of this member. */
    int number() {
        return number;
    }

    /** Its table and its standing are read by any thread. */
    ClusterNode node() {
        return node;
    }

    MemberLink members() {
        return grid.link();
    }

    List<byte[]> sessionSecrets() {
        return keys.sessions(name());
    }

    /** Copies of calls. */
    public CallStore store() {
        return grid.store();
    }

    /** Takes part from now on, with these calls. */
    public void begin(NodeCalls mine) {
        calls = mine;
        thread.begin();
        thread.every(TICK_MILLIS, this::tick);
        if (!witness()) {
            thread.every(PLACEMENT_MILLIS, this::placed);
        }
    }

    // ---- on the thread ----

    private void tick() {
        NodeCalls mine = calls;
        node.hangs(mine.hangs());
        node.tick(clock.getAsLong(), grid.voting().leads());
        tableMayHaveChanged();
        mine.tick(node.state());
    }

    private void placed() {
        node.placed(PlacedCopies.of(grid.store()::placement), clock.getAsLong());
        outlook.look(grid.store().partitionsWithoutCopy(), clock.getAsLong());
    }

    private void tableMayHaveChanged() {
        leaving.flush();
        PartitionTable table = node.table();
        if (table.version() == owners.version()) {
            return;
        }
        owners = TableOwners.of(table, members.get().links(table));
        calls.tableChanged();
    }

    /** What comes from other members, on the grid's thread. */
    private final class Heard implements MemberLink.Listener {
        @Override
        public void received(int from, byte[] bytes) {
            if (calls.received(from, bytes)) {
                return;
            }
            thread.execute(() -> {
                messages.received(from, bytes, clock.getAsLong());
                tableMayHaveChanged();
            });
        }

        @Override
        public void joined(int member) {
            LOG.info("Member {} of cluster {} is seen", member, name());
        }

        @Override
        public void left(int member) {
            LOG.info("Member {} of cluster {} is not seen any more", member, name());
            for (long millis = 0; millis < LEFT_MILLIS; millis += LEFT_AGAIN_MILLIS) {
                thread.after(millis, () -> messages.left(member, grid.link().seen()));
            }
            thread.after(LEFT_MILLIS, () -> leftOut(member));
        }

        @Override
        public void died(int member) {
            LOG.warn("Member {} of cluster {} is dead", member, name());
            thread.execute(() -> {
                messages.died(member, clock.getAsLong());
                tableMayHaveChanged();
            });
        }
    }

    /** Who was left out by a majority himself has given his lease up, and has no word. */
    private void leftOut(int member) {
        boolean seen = grid.link().seen().contains(member);
        if (calls != NodeCalls.NONE && !seen && !witness() && node.holds(clock.getAsLong())) {
            grid.store().leaveOut(member);
        }
    }

    /** What becomes of calls that are another node's. */
    private final class Leaving implements LeavingPartitions.Calls {
        @Override
        public void drop(BitSet partitions) {
            calls.lost(partitions);
        }

        @Override
        public BitSet unwritten(BitSet partitions) {
            return calls.unwritten(partitions);
        }

        @Override
        public void letGo(BitSet partitions, Told told) {
            calls.letGo(partitions, (p, all) -> thread.execute(() -> told.asked(p, all)));
        }

        @Override
        public BitSet present(BitSet partitions) {
            return calls.present(partitions);
        }

        @Override
        public String keeps(int partition) {
            return calls.keeps(partition);
        }
    }

    /** What the node wants. */
    private final class Output implements NodeOutput {
        @Override
        public void send(int voter, Beat beat) {
            grid.link().send(voter, NodeMessages.of(beat));
        }

        @Override
        public void send(int member, Ack ack) {
            grid.link().send(member, NodeMessages.of(ack));
        }

        @Override
        public void send(int member, byte[] table) {
            grid.link().send(member, NodeMessages.ofTable(table));
        }

        @Override
        public void propose(byte[] change) {
            proposals.propose(change);
        }

        @Override
        public boolean mayHandOver() {
            return calls.mayHandOver();
        }

        @Override
        public void promoted(int partition, long term, int previous) {
            leaving.back(partition);
            if (previous != PartitionTable.NONE) {
                coming.add(partition);
                return;
            }
            goesOn(partition, term);
        }

        @Override
        public void allOurs(int partition, long term) {
            if (coming.has(partition)) {
                goesOn(partition, term);
                calls.tableChanged();
            }
        }

        private void goesOn(int partition, long term) {
            leaving.flush(); // what was lost before it comes back is dropped before it
            calls.promoted(partition, term);
            coming.came(partition);
        }

        @Override
        public boolean quiet(int partition, long since) {
            return calls.quiet(partition, since);
        }

        @Override
        public void handOver(int partition, long term, int to) {
            leaving.handOver(partition);
        }

        @Override
        public void lost(int partition, long term) {
            coming.remove(partition);
            leaving.lost(partition);
        }

        @Override
        public void state(MemberState from, MemberState to, String reason) {
            boolean bad = to == MemberState.GONE || to == MemberState.ISOLATED;
            LOG.atLevel(bad ? Level.WARN : Level.INFO)
                    .log("Cluster {}: this member is {} ({}), was {}", name(), to, reason, from);
        }
    }

    // ---- the end ----

    /**
     * Gives all partitions to others, and goes; returns when that is done or the time is over.
     *
     * @return are they all with others?
     */
    public boolean leave(long seconds) throws InterruptedException {
        thread.execute(() -> node.leave(clock.getAsLong()));
        return NodeLeave.of(node, clock, this::othersTakeCalls, grid.store()::partitionsWithoutCopy)
                .within(seconds, SILENT_NANOS);
    }

    /** Is there a node that partitions can be given to? */
    boolean othersTakeCalls() {
        return node.table().members().stream()
                .anyMatch(other -> other.number() != number && other.stable());
    }

    @Override
    public void close() {
        if (thread.ended()) {
            return;
        }
        thread.begin();
        thread.execute(() -> node.end(clock.getAsLong()));
        thread.end(CLOSE_SECONDS);
        grid.close();
        members.close();
    }

    // ---- what is seen ----

    /** Who serves which call. */
    public CallPlaces places() {
        return new CallPlaces(node.table(), members.get().all(), calls.heard(), partitions());
    }

    /** As it is now. */
    public ClusterView view() {
        NodeCalls mine = calls;
        return new ClusterView(
                name(),
                number,
                node.state().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                node.holds(clock.getAsLong()),
                grid.voting().leads(),
                node.table().version(),
                ClusterView.members(
                        node.table(),
                        members.get().all(),
                        grid.link().seen(),
                        members.first().voters(),
                        mine.heard()),
                node.table().orphans(),
                witness() ? 0 : grid.store().partitionsWithoutCopy(),
                witness() ? 0 : grid.store().entries(),
                proposals.failed(),
                mine.view(),
                mine == NodeCalls.NONE || witness() ? null : outlook.view(clock.getAsLong(), mine));
    }
}
