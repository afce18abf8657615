package io.carillon.grid.voting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jgroups.Address;
import org.jgroups.View;
import org.jgroups.protocols.raft.RAFT;
import org.jgroups.util.ExtendedUUID;
import org.jgroups.util.Util;
import org.junit.jupiter.api.Test;

/** Member 0 is the oldest, then come 1 and 2; the test is the wire, and the clock. */
class BrokenPairsTest {
    private static final long MILLIS = 1_000_000;

    private final List<Address> members = List.of(member(0), member(1), member(2));
    private final List<String> said = new ArrayList<>();
    private final Set<Address> silent = new HashSet<>();
    private View view = View.create(members.getFirst(), 1, members);
    private long now;

    private static Address member(int number) {
        return ExtendedUUID.randomUUID("m" + number)
                .put(RAFT.raft_id_key, Util.stringToBytes(String.valueOf(number)));
    }

    private BrokenPairs pairs(int self, int witness) {
        return new BrokenPairs(
                new BrokenPairs.Link() {
                    @Override
                    public View view() {
                        return view;
                    }

                    @Override
                    public Address self() {
                        return members.get(self);
                    }

                    @Override
                    public Set<Address> silent() {
                        return silent;
                    }

                    @Override
                    public void name(Address oldest, Set<Integer> silent) {
                        said.add(self + " names " + silent);
                    }

                    @Override
                    public void ask(Address member) {
                        said.add("asks " + MemberChannel.number(member));
                    }

                    @Override
                    public void leaveOut(Address member) {
                        said.add("leaves out " + MemberChannel.number(member));
                    }
                },
                witness,
                () -> now);
    }

    /** One names the other four times a second, which answers whenever it is asked. */
    private void named(BrokenPairs oldest, int by, int silent) {
        for (int i = 0; i < 4; i++) {
            oldest.named(members.get(by), Set.of(silent));
            oldest.lives(members.get(silent));
            now += 250 * MILLIS;
        }
    }

    @Test
    void whoIsNotHeardIsNamedToTheOldestUntilItIsHeardAgain() {
        BrokenPairs pairs = pairs(2, -1);
        pairs.name();
        assertThat(said).isEmpty();
        silent.add(members.get(1));
        pairs.name();
        pairs.name();
        assertThat(said).containsExactly("2 names [1]", "2 names [1]");
        silent.clear();
        pairs.name();
        assertThat(said).hasSize(2);
    }

    @Test
    void whoDoesNotHearTheOldestAndTheOldestItselfNameNobody() {
        BrokenPairs deaf = pairs(2, -1);
        silent.add(members.get(0));
        silent.add(members.get(1));
        deaf.name();
        BrokenPairs oldest = pairs(0, -1);
        silent.remove(members.get(0));
        oldest.name();
        assertThat(said).as("its own view has to show it").isEmpty();
    }

    @Test
    void theYoungerOfABrokenPairGoesWhoeverNamesTheOther() {
        named(pairs(0, -1), 1, 2);
        assertThat(said).containsExactly("asks 2", "asks 2", "asks 2", "leaves out 2");
        said.clear();
        named(pairs(0, -1), 2, 1);
        assertThat(said).containsExactly("asks 1", "asks 1", "asks 1", "leaves out 2");
    }

    @Test
    void theWitnessGoesBeforeANode() {
        named(pairs(0, 1), 2, 1);
        assertThat(said).last().isEqualTo("leaves out 1");
    }

    /** It was stopped, and goes on: who names it hears it as well, and is not to go. */
    @Test
    void oneThatIsNotNamedWhenItWasHeardStays() {
        BrokenPairs oldest = pairs(0, -1);
        for (int i = 0; i < 8; i++) {
            oldest.named(members.get(2), Set.of(1));
            now += 250 * MILLIS;
        }
        oldest.lives(members.get(1));
        now += 250 * MILLIS;
        oldest.named(members.get(2), Set.of(1));
        now += 2_000 * MILLIS;
        oldest.named(members.get(2), Set.of(1));
        assertThat(said).containsOnly("asks 1");
    }

    @Test
    void theDeadDoNotAnswerAndNobodyGoes() {
        BrokenPairs oldest = pairs(0, -1);
        for (int i = 0; i < 20; i++) {
            oldest.named(members.get(2), Set.of(1));
            oldest.lives(members.get(2));
            now += 250 * MILLIS;
        }
        assertThat(said).containsOnly("asks 1");
    }

    @Test
    void whoIsNotTheOldestDecidesNothingAndNobodyAboutTheOldest() {
        named(pairs(1, -1), 2, 0);
        named(pairs(0, -1), 2, 0);
        assertThat(said).isEmpty();
    }

    @Test
    void whoHasLeftDecidesNothing() {
        BrokenPairs oldest = pairs(0, -1);
        view = View.create(members.getFirst(), 2, List.of(members.get(0), members.get(1)));
        named(oldest, 2, 1);
        assertThat(said).isEmpty();
    }
}
