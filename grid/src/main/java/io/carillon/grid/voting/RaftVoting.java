package io.carillon.grid.voting;

import io.carillon.cluster.voting.Voting;
import io.carillon.grid.link.LinkSettings;
import io.carillon.grid.link.LinkStack;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.conf.ProtocolConfiguration;
import org.jgroups.protocols.raft.RAFT;
import org.jgroups.raft.StateMachine;
import org.jgroups.raft.util.CommitTable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Voting by Raft (jgroups-raft). Voters are fixed by configuration; a witness is a voter like
 * others. A member that is no voter learns what was decided. The log lies in a folder and is
 * written through (fsync), vote and term too: a voter that forgot would elect two leaders.
 *
 * <p>A witness leads only while no node can: of voters with the same log a node is chosen, and a
 * witness that leads asks for an election once a node has all that it has.
 *
 * <p>A proposal goes to the leader and ends when it was applied here. It is sent once: when the
 * leader dies with it, the outcome is not known. While there is no leader it waits.
 */
public final class RaftVoting implements Voting {
    private static final Logger LOG = LoggerFactory.getLogger(RaftVoting.class);

    /** An election takes 0.6 s when a leader died and 2.8 s when it fell silent. */
    private static final Duration TIME_OUT = Duration.ofSeconds(4);

    private static final long AGAIN_MILLIS = 50;

    /** A witness that leads looks so often for a node that could; all, whether somebody leads. */
    private static final long LOOK_MILLIS = 1_000;

    /** Whom it does not hear a member tells so often. */
    private static final long NAMING_MILLIS = 250;

    /** Longer than an election takes, and a member needs to hear of it. */
    private static final int LOOKS_WITHOUT_LEADER = 5;

    /** Changes of ownership are few. */
    private static final int MOST_PENDING = 1_000;

    private static final long MOST_LOG_BYTES = 1_000_000;

    /** Origin and number, before the change itself. */
    private static final int HEAD = 2 * Long.BYTES;

    private final RAFT raft;
    private final MemberChannel members;
    private final long origin = new SecureRandom().nextLong();
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, CompletableFuture<Void>> pending = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer;
    private Consumer<byte[]> applied = change -> {};
    private @Nullable Snapshots snapshots;
    private final int witness;
    private final NodesLead election;
    private boolean started;

    private final Set<Integer> voters;

    /** Of a witness that leads, for a node: an older build may choose the witness each time. */
    private final Asking node = new Asking(1); // of the timer's thread

    /** For somebody who leads. */
    private final Asking leader = new Asking(LOOKS_WITHOUT_LEADER); // of the timer's thread

    /**
     * Makes the part of a member.
     *
     * @param settings with the port offset of this channel
     * @param voters numbers of the members that vote, on all nodes the same
     * @param witness the one of them that has no calls; -1 for none
     * @param folder where the log lies; of this member alone
     */
    public RaftVoting(LinkSettings settings, Collection<Integer> voters, int witness, Path folder)
            throws Exception {
        this.witness = witness;
        this.voters = Set.copyOf(voters);
        JChannel channel =
                LinkStack.votingChannel(settings, protocols(settings, voters, witness, folder));
        raft = channel.getProtocolStack().findProtocol(RAFT.class);
        election = channel.getProtocolStack().findProtocol(NodesLead.class);
        raft.stateMachine(new Machine());
        members =
                new MemberChannel(
                        channel, settings.cluster() + ".voting", settings.member(), witness);
        members.onProposal(this::proposedByOther);
        members.onHandOn(this::handsOn);
        members.onLeaderless(this::elects);
        timer =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("cluster-voting").factory());
    }

    private static List<ProtocolConfiguration> protocols(
            LinkSettings settings, Collection<Integer> voters, int witness, Path folder) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("raft_id", String.valueOf(settings.member()));
        attributes.put(
                "members", voters.stream().map(String::valueOf).collect(Collectors.joining(",")));
        attributes.put("dynamic_view_changes", "false");
        attributes.put("log_dir", folder.toString());
        attributes.put("log_prefix", "voting-" + settings.member());
        attributes.put("log_use_fsync", "true");
        // Followers learn by it what was decided. Not send_commits_immediately: with 1.1.4 leader
        // and a member that came back answer each other for ever, and it never gets what it missed.
        attributes.put("resend_interval", "20");
        return List.of(
                new ProtocolConfiguration(
                        NodesLead.class.getName(),
                        new LinkedHashMap<>(Map.of("witness", String.valueOf(witness)))),
                new ProtocolConfiguration("raft.RAFT", attributes));
    }

    /** Messages between the members who vote. */
    public io.carillon.cluster.voting.MemberLink members() {
        return members;
    }

    @Override
    public void onApplied(Consumer<byte[]> told) {
        applied = told;
    }

    @Override
    public void snapshots(Snapshots state) {
        snapshots = state;
    }

    /** Waits until this member has joined: some seconds when it is the first. */
    @Override
    public void start() {
        if (started) {
            return;
        }
        started = true;
        // Without somebody who can say the state, the log is the state.
        raft.maxLogSize(snapshots == null ? Long.MAX_VALUE : MOST_LOG_BYTES);
        try {
            members.connect();
        } catch (Exception e) {
            members.close();
            throw new IllegalStateException("the voters cannot be joined: " + e.getMessage(), e);
        }
        if (members.self() == witness) {
            every(LOOK_MILLIS, this::handOn);
        }
        every(LOOK_MILLIS, this::wantLeader);
        every(NAMING_MILLIS, members::namePairs);
    }

    /** It ends with the timer, whatever befalls one look. */
    private void every(long millis, Runnable look) {
        Runnable anyhow =
                () -> {
                    try {
                        look.run();
                    } catch (RuntimeException e) {
                        LOG.error("A look at the voters failed", e);
                    }
                };
        var _ = timer.scheduleWithFixedDelay(anyhow, millis, millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Elections are held when views change (jgroups-raft 1.1.4). A voter that held one which came
     * to nothing has a later term than the leader, and takes nothing from it, also in its next life
     * (a leader that heard of that would step down: Raft, section 5.1). Nothing that it proposes is
     * decided then, and it does not learn what is, until there is another election.
     */
    private void wantLeader() {
        Address known = raft.leader();
        boolean led = known != null && members.sees(known);
        if (led || !majority()) {
            leader.reset();
        } else if (leader.isDue()) {
            LOG.warn("A majority of the voters is seen and none is known to lead: asking for one");
            members.leaderless(raft.currentTerm());
        }
    }

    /**
     * A member knows nobody who leads, and this one is the oldest, which holds elections: in a term
     * later than that of both.
     */
    private void elects(long term) {
        raft.currentTerm(term); // nothing where its own is as late
        var _ = election.runVotingThread();
    }

    /** For tests: as after an election of this voter's that came to nothing. */
    void triedInVain() {
        raft.currentTerm(raft.currentTerm() + 1);
    }

    /** Of a witness: does it lead although a node could? */
    private void handOn() {
        if (!raft.isLeader()) {
            node.reset();
        } else if (nodeHasAll() && node.isDue()) {
            LOG.info("The witness leads the voters, and hands on the lead to a node");
            members.handOn();
        }
    }

    private boolean nodeHasAll() {
        CommitTable others = raft.commitTable();
        return others != null
                && others.keys().stream()
                        .map(others::get)
                        .anyMatch(log -> log != null && log.matchIndex() >= raft.lastAppended());
    }

    /** The leader wants an election, which the oldest member holds. */
    private void handsOn(Address by) {
        if (by.equals(raft.leader()) && MemberChannel.number(by) == witness) {
            var _ = election.runVotingThread();
        }
    }

    /** Is a majority of the voters seen? Any thread. */
    public boolean majority() {
        return members.seen().stream().filter(voters::contains).count() >= raft.majority();
    }

    @Override
    public boolean leads() {
        return raft.isLeader();
    }

    /** The term of the voters, which rises with each election. */
    public long electionTerm() {
        return raft.currentTerm();
    }

    @Override
    public CompletionStage<Void> propose(byte[] change) {
        CompletableFuture<Void> outcome = new CompletableFuture<>();
        if (pending.size() >= MOST_PENDING) {
            return CompletableFuture.failedStage(
                    new IllegalStateException(MOST_PENDING + " changes wait for the voters"));
        }
        long number = numbers.incrementAndGet();
        byte[] proposal =
                ByteBuffer.allocate(HEAD + change.length)
                        .putLong(origin)
                        .putLong(number)
                        .put(change)
                        .array();
        pending.put(number, outcome);
        long end = System.nanoTime() + TIME_OUT.toNanos();
        try {
            timer.execute(() -> submit(number, proposal, end));
        } catch (RejectedExecutionException e) {
            fail(number, "this member has left the voters");
        }
        return outcome;
    }

    private void submit(long number, byte[] proposal, long end) {
        if (!pending.containsKey(number)) {
            return;
        }
        long left = end - System.nanoTime();
        if (left <= 0) {
            fail(number, "no voter leads");
            return;
        }
        Address leader = raft.leader();
        // A leader that has died is known as such until there is another.
        if (leader == null || !members.sees(leader)) {
            later(TimeUnit.MILLISECONDS.toNanos(AGAIN_MILLIS), () -> submit(number, proposal, end));
            return;
        }
        later(left, () -> fail(number, "the outcome is not known in time"));
        if (raft.isLeader()) {
            lead(proposal, why -> fail(number, why));
        } else {
            members.sendProposal(leader, proposal);
        }
    }

    private void later(long nanos, Runnable task) {
        // It ends with the timer, and what waits for it is told then.
        var _ = timer.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    private void lead(byte[] proposal, Consumer<String> failed) {
        CompletableFuture<byte[]> decided;
        try {
            decided = raft.setAsync(proposal, 0, proposal.length, null);
        } catch (RuntimeException e) {
            failed.accept(String.valueOf(e.getMessage()));
            return;
        }
        var _ =
                decided.whenComplete((nothing, failure) -> {
                    if (failure != null) {
                        failed.accept(String.valueOf(failure.getMessage()));
                    }
                });
    }

    private void proposedByOther(byte[] proposal) {
        if (proposal.length >= HEAD && raft.isLeader()) {
            // Its proposer is told by its time-out.
            lead(proposal, why -> LOG.info("A proposal of another voter failed: {}", why));
        }
    }

    private void fail(long number, String why) {
        CompletableFuture<Void> outcome = pending.remove(number);
        if (outcome != null) {
            outcome.completeExceptionally(new IllegalStateException(why));
        }
    }

    @Override
    public void close() {
        members.close();
        timer.shutdownNow();
        List.copyOf(pending.keySet())
                .forEach(number -> fail(number, "this member has left the voters"));
    }

    /** What was decided, in order, on Raft's own thread. */
    private final class Machine implements StateMachine {
        @Override
        public byte @Nullable [] apply(byte[] data, int offset, int length, boolean response) {
            if (length < HEAD) {
                return null;
            }
            ByteBuffer proposal = ByteBuffer.wrap(data, offset, length);
            long by = proposal.getLong();
            long number = proposal.getLong();
            byte[] change = new byte[proposal.remaining()];
            proposal.get(change);
            try {
                applied.accept(change);
            } catch (RuntimeException e) {
                LOG.error("A change that the voters decided could not be applied", e);
            }
            CompletableFuture<Void> outcome = by == origin ? pending.remove(number) : null;
            if (outcome != null) {
                outcome.completeAsync(() -> null, timer);
            }
            return null;
        }

        @Override
        public void readContentFrom(DataInput in) {
            Snapshots state = snapshots;
            if (state != null) {
                try {
                    byte[] all = new byte[in.readInt()];
                    in.readFully(all);
                    state.restore(all);
                } catch (IOException e) {
                    throw new UncheckedIOException("the voters' state cannot be read", e);
                }
            }
        }

        @Override
        public void writeContentTo(DataOutput out) throws IOException {
            Snapshots state = snapshots;
            if (state == null) {
                throw new IOException("nobody can say the voters' state");
            }
            byte[] all = state.state();
            out.writeInt(all.length);
            out.write(all);
        }
    }
}
