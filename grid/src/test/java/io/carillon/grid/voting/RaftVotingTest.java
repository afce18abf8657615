package io.carillon.grid.voting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.cluster.voting.MemberLink;
import io.carillon.cluster.voting.Voting;
import io.carillon.grid.BusyCarriers;
import io.carillon.grid.Loopback;
import io.carillon.grid.link.ClusterKey;
import io.carillon.grid.link.Discovery;
import io.carillon.grid.link.LinkSettings;
import io.carillon.grid.link.WayRoundHeader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.MessageBatch;
import org.jgroups.util.Util;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Voters in one process over loopback: they agree on one order, also when one of them dies. */
class RaftVotingTest {
    @TempDir Path folder;

    private final List<InetSocketAddress> addresses = Loopback.addresses(3);
    private final TreeMap<Integer, Voter> voters = new TreeMap<>();
    private int witness = -1;

    /** A voter, what it was told, and the state that this makes. */
    private final class Voter implements Voting.Snapshots, MemberLink.Listener {
        final List<String> changes = new CopyOnWriteArrayList<>();
        final List<String> events = new CopyOnWriteArrayList<>();
        final List<CompletionStage<Void>> atDeath = new CopyOnWriteArrayList<>();
        final RaftVoting voting;

        Voter(int number, byte firstByteOfKey) throws Exception {
            byte[] secret = new byte[32];
            secret[0] = firstByteOfKey;
            voting =
                    new RaftVoting(
                            new LinkSettings(
                                    "voters",
                                    number,
                                    addresses.get(number),
                                    0,
                                    new Discovery.Nodes(addresses),
                                    new ClusterKey("voters", List.of(secret))),
                            List.of(0, 1, 2),
                            witness,
                            folder);
            voting.onApplied(change -> changes.add(new String(change, StandardCharsets.UTF_8)));
            voting.snapshots(this);
            voting.members().listen(this);
        }

        @Override
        public byte[] state() {
            return String.join("\n", changes).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void restore(byte[] state) {
            changes.clear();
            changes.addAll(List.of(new String(state, StandardCharsets.UTF_8).split("\n")));
        }

        @Override
        public void received(int from, byte[] bytes) {
            events.add(from + " says " + new String(bytes, StandardCharsets.UTF_8));
        }

        @Override
        public void joined(int member) {
            events.add(member + " joined");
        }

        @Override
        public void left(int member) {
            events.add(member + " left");
        }

        @Override
        public void died(int member) {
            events.add(member + " died");
            if (atDeath.isEmpty()) { // of each connection that closed there is a proof
                atDeath.add(proposeItsDeath());
            }
        }

        /** On a machine that has other work the next leader may take longer than a proposal. */
        private CompletionStage<Void> proposeItsDeath() {
            return voting.propose("its death".getBytes(StandardCharsets.UTF_8))
                    .exceptionallyCompose(failure ->
                            String.valueOf(failure.getMessage()).contains("no voter leads")
                                    ? proposeItsDeath()
                                    : CompletableFuture.failedFuture(failure));
        }
    }

    private Voter start(int number) {
        return start(number, (byte) 0);
    }

    private Voter start(int number, byte key) {
        try {
            Voter voter = new Voter(number, key);
            voter.voting.start();
            voters.put(number, voter);
            return voter;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void startAll() {
        List<CompletableFuture<Voter>> all =
                IntStream.range(0, 3)
                        .mapToObj(number ->
                                CompletableFuture.supplyAsync(
                                        () -> {
                                            try {
                                                Voter voter = new Voter(number, (byte) 0);
                                                voter.voting.start();
                                                return voter;
                                            } catch (Exception e) {
                                                throw new IllegalStateException(e);
                                            }
                                        },
                                        task -> new Thread(task).start()))
                        .toList();
        for (int number = 0; number < 3; number++) {
            voters.put(number, all.get(number).join());
        }
        Loopback.until(
                "all see all",
                () ->
                        voters.values().stream()
                                .allMatch(voter -> voter.voting.members().seen().size() == 3));
        Loopback.until("a leader", () -> leader() >= 0);
    }

    private int leader() {
        for (int number : voters.keySet()) {
            if (voters.get(number).voting.leads()) {
                return number;
            }
        }
        return -1;
    }

    private static void propose(Voter voter, String change) throws Exception {
        voter.voting
                .propose(change.getBytes(StandardCharsets.UTF_8))
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
    }

    @AfterEach
    void close() {
        voters.values().forEach(voter -> voter.voting.close());
    }

    @Test
    void threeVotersAgreeOnOneOrderAndGoOnWithoutTheDeadLeader() throws Exception {
        startAll();
        List<String> proposed = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            Voter by = voters.get(i % 3);
            propose(by, "change " + i);
            proposed.add("change " + i);
            // "applied here", says the interface
            assertThat(by.changes).contains("change " + i);
        }
        for (Voter voter : voters.values()) {
            Loopback.until("all applied", () -> voter.changes.size() == 30);
            assertThat(voter.changes).isEqualTo(proposed);
        }

        int dead = leader();
        Voter gone = voters.remove(dead);
        Util.shutdown(((MemberChannel) gone.voting.members()).channel());
        for (Voter voter : voters.values()) {
            Loopback.until("the proof of its death", () -> voter.events.contains(dead + " died"));
            Loopback.until("the view without it", () -> voter.events.contains(dead + " left"));
            Loopback.until("what it proposed then", () -> !voter.atDeath.isEmpty());
            assertThat(voter.atDeath.getFirst())
                    .as("what was proposed because of its death was not sent to it")
                    .succeedsWithin(30, TimeUnit.SECONDS);
        }
        propose(voters.firstEntry().getValue(), "after its death");
        propose(voters.lastEntry().getValue(), "and another");
        for (Voter voter : voters.values()) {
            Loopback.until("both", () -> voter.changes.contains("and another"));
            assertThat(voter.changes)
                    .endsWith("after its death", "and another")
                    .contains("its death")
                    .hasSize(34);
        }
        gone.voting.close();
        Voter back = start(dead);
        Loopback.until("what it missed", () -> back.changes.contains("and another"));
        assertThat(back.changes).isEqualTo(voters.firstEntry().getValue().changes);
    }

    /** So the two can part at once, whoever does not see the other. */
    @Test
    void whoIsNotSeenAnyMoreIsReachedAndReachesWhoDoesNotSeeIt() throws Exception {
        startAll();
        JChannel zero = channel(0);
        JChannel two = channel(2);
        List<Address> left = List.of(zero.getAddress(), two.getAddress());
        View without = View.create(zero.getAddress(), zero.getView().getViewId().getId() + 1, left);
        GMS views = zero.getProtocolStack().findProtocol(GMS.class);
        views.installView(without);
        Loopback.until("the view", () -> voters.get(0).events.contains("1 left"));

        voters.get(0).voting.members().send(1, "lost".getBytes(StandardCharsets.UTF_8));
        reaches(0, 1, "go");
        reaches(1, 0, "gone");
        assertThat(voters.get(1).events).doesNotContain("0 says lost");
    }

    /** Nobody need go: a third hears both. One way only, or both. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void twoThatDoNotHearEachOtherReachEachOtherByAThird(boolean bothWays) throws Exception {
        startAll();
        List<Address> byAge = channel(0).getView().getMembers();
        DISCARD here = cut(byAge.get(1), byAge.get(2));
        DISCARD there = bothWays ? cut(byAge.get(2), byAge.get(1)) : null;
        int one = MemberChannel.number(byAge.get(1));
        int other = MemberChannel.number(byAge.get(2));
        long begin = System.nanoTime();
        // Longer than anybody's silence is taken for death.
        for (int i = 0; System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(6); i++) {
            talk(one, other, i);
        }
        here.resetIgnoredMembers();
        if (there != null) {
            there.resetIgnoredMembers();
        }
        Loopback.until("straight again", () -> roundless(one) && roundless(other));
        talk(one, other, -1);
        assertThat(voters.values())
                .allSatisfy(voter ->
                        assertThat(voter.events).noneMatch(event -> event.endsWith(" left")));
    }

    private boolean roundless(int number) {
        return voters.get(number).voting.members().byAnother() == 0;
    }

    private void talk(int one, int other, int number) throws Exception {
        String text = "message " + number;
        voters.get(one).voting.members().send(other, text.getBytes(StandardCharsets.UTF_8));
        voters.get(other).voting.members().send(one, text.getBytes(StandardCharsets.UTF_8));
        propose(voters.get(Math.floorMod(number, 3)), "change " + number);
        Loopback.until(text, () -> voters.get(other).events.contains(one + " says " + text));
        Loopback.until(text, () -> voters.get(one).events.contains(other + " says " + text));
    }

    /** The oldest hears both, and decides. */
    @Test
    void whereNobodyPassesOnBetweenTwoTheYoungerIsLeftOut() throws Exception {
        startAll();
        List<Address> byAge = channel(0).getView().getMembers();
        int middle = MemberChannel.number(byAge.getFirst());
        int elder = MemberChannel.number(byAge.get(1));
        int younger = MemberChannel.number(byAge.getLast());
        ProtocolStack stack = channel(middle).getProtocolStack();
        stack.insertProtocol(new NoWayRound(), ProtocolStack.Position.ABOVE, TCP.class);
        cut(byAge.get(1), byAge.getLast());
        cut(byAge.getLast(), byAge.get(1));
        for (int other : List.of(middle, elder)) {
            Voter voter = voters.get(other);
            Loopback.until("one goes", () -> voter.events.contains(younger + " left"));
            assertThat(voter.events).doesNotContain(elder + " left", middle + " left");
        }
    }

    /** As in a build from before: what is to be passed on is nothing that it knows. */
    private static final class NoWayRound extends Protocol {
        @Override
        public Object up(Message message) {
            return isOne(message) ? null : up_prot.up(message);
        }

        @Override
        public void up(MessageBatch batch) {
            batch.removeIf(NoWayRound::isOne, true);
            if (!batch.isEmpty()) {
                up_prot.up(batch);
            }
        }

        private static boolean isOne(Message message) {
            return message.getHeaders().values().stream()
                    .anyMatch(WayRoundHeader.class::isInstance);
        }
    }

    /** What is sent while the connection closes may be lost. */
    private void reaches(int from, int to, String text) {
        Loopback.until(
                text,
                () -> {
                    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                    voters.get(from).voting.members().sendUnseen(to, bytes);
                    return voters.get(to).events.contains(from + " says " + text);
                });
    }

    private JChannel channel(int number) {
        return ((MemberChannel) voters.get(number).voting.members()).channel();
    }

    private DISCARD cut(Address at, Address from) throws Exception {
        DISCARD discard = new DISCARD().addIgnoreMember(from);
        JChannel channel = channel(MemberChannel.number(at));
        discard.setProtocolStack(channel.getProtocolStack());
        channel.getProtocolStack().insertProtocol(discard, ProtocolStack.Position.ABOVE, TCP.class);
        return discard;
    }

    /** Else a node whose applications compute would lose its lease for it. */
    @Test
    void votersDecideWhileApplicationsComputeOnAllVirtualThreads() throws Exception {
        startAll();
        propose(voters.get(0), "before");
        try (var _ = new BusyCarriers()) {
            for (int number = 0; number < 3; number++) {
                propose(voters.get(number), "while they compute");
            }
        }
    }

    /** The witness is the oldest here, which would be chosen among voters with the same log. */
    @Test
    void aNodeIsChosenBeforeTheWitness() throws Exception {
        witness = 2;
        Voter oldest = start(2);
        start(0);
        Loopback.until("a leader", () -> leader() >= 0);
        assertThat(leader()).isZero();
        start(1);
        propose(voters.get(1), "a change");
        assertThat(oldest.voting.leads()).isFalse();
    }

    @Test
    void aWitnessHandsOnTheLeadOnceANodeHasAllThatItHas() throws Exception {
        witness = 2;
        start(2);
        Voter zero = start(0);
        for (int i = 0; i < 5; i++) {
            propose(zero, "change " + i);
        }
        Loopback.until("all applied", () -> voters.get(2).changes.size() == 5);
        voters.remove(0).voting.close();
        Voter one = start(1); // with an empty log: it cannot lead at once
        Loopback.until("what it missed", () -> one.changes.contains("change 4"));
        Loopback.until("the lead", one.voting::leads);
        propose(one, "and another");
        propose(voters.get(2), "by the witness");
        // The witness may have seen that the first node's connections closed, and proposed that.
        assertThat(one.changes)
                .filteredOn(change -> !change.equals("its death"))
                .hasSize(7)
                .endsWith("and another", "by the witness");
    }

    /** It takes nothing from a leader of an earlier term, and stayed outside for good. */
    @Test
    void aVoterWhoseElectionCameToNothingIsLedAgain() {
        startAll();
        int leader = leader();
        Voter other = voters.get((leader + 1) % 3);
        long term = voters.get(leader).voting.electionTerm();
        Loopback.until("it knows of it", () -> other.voting.electionTerm() == term);
        other.voting.triedInVain();
        other.voting.triedInVain();
        assertThat(other.voting.electionTerm()).isEqualTo(term + 2);
        Loopback.until("it is led", () -> decided(other));
        for (Voter voter : voters.values()) {
            Loopback.until("all applied", () -> voter.changes.contains("again"));
            assertThat(voter.voting.electionTerm()).isGreaterThanOrEqualTo(term + 2);
        }
    }

    private static boolean decided(Voter by) {
        try {
            propose(by, "again");
            return true;
        } catch (Exception e) {
            return false; // nobody leads yet
        }
    }

    @Test
    void aVoterThatIsAloneDecidesNothing() {
        Voter alone = start(0);
        assertThatThrownBy(() -> propose(alone, "x")).hasMessageContaining("no voter leads");
        assertThat(alone.changes).isEmpty();
        assertThat(alone.voting.leads()).isFalse();
    }

    @Test
    void messagesComeInOrderAndFromTheirSender() {
        start(0);
        start(1);
        Loopback.until(
                "both see both",
                () ->
                        voters.values().stream()
                                .allMatch(voter -> voter.voting.members().seen().size() == 2));
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            byte[] text = String.valueOf(i).getBytes(StandardCharsets.UTF_8);
            voters.get(0).voting.members().send(1, text);
            voters.get(0).voting.members().send(2, text);
            expected.add("0 says " + i);
        }
        voters.get(1).voting.members().send(1, "to myself".getBytes(StandardCharsets.UTF_8));
        Voter receiver = voters.get(1);
        Loopback.until("all messages", () -> receiver.events.contains("0 says 499"));
        Loopback.until("the own one", () -> receiver.events.contains("1 says to myself"));
        assertThat(receiver.events)
                .filteredOn(event -> event.startsWith("0 says"))
                .isEqualTo(expected);
    }

    @Test
    void whoDoesNotHaveTheKeyIsNotSeen() {
        Voter one = start(0);
        Voter stranger = start(1, (byte) 1);
        assertThat(one.voting.members().seen()).containsExactly(0);
        assertThat(stranger.voting.members().seen()).containsExactly(1);
    }
}
