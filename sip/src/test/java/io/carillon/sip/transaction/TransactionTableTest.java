package io.carillon.sip.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table against a list, with hashes that meet in the same places. */
class TransactionTableTest {
    private final Recorder recorder = new Recorder();
    private final TransactionTable table = new TransactionTable();

    private Transaction transaction(long hash, String branch) {
        Transaction made = recorder.new NonInviteClient(TransactionTimers.DEFAULT, false);
        made.key(hash, branch);
        return made;
    }

    /** Few different hashes: places are contended, and runs of places wrap round the end. */
    @ParameterizedTest
    @ValueSource(longs = {1, 3, 64, 100_000, Long.MAX_VALUE})
    void findsWhatWasAddedAndNotWhatWasRemoved(long hashes) {
        Random random = new Random(hashes);
        List<Transaction> present = new ArrayList<>();
        List<Transaction> removed = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            // Grows to some hundreds (one growth at least), then shrinks again.
            boolean add = present.isEmpty() || random.nextInt(100) < (step < 10_000 ? 55 : 45);
            if (add) {
                // Around zero: the last places and the first.
                long hash = Math.floorMod(random.nextLong(), hashes) - hashes / 2;
                Transaction made = transaction(hash, "b" + step);
                table.add(made);
                present.add(made);
            } else {
                Transaction gone = present.remove(random.nextInt(present.size()));
                assertThat(table.remove(gone)).isTrue();
                removed.add(gone);
            }
        }
        assertThat(table.size()).isEqualTo(present.size());
        for (Transaction t : present) {
            assertThat(table.find(t.keyHash, t.branch())).isSameAs(t);
        }
        for (Transaction t : removed) {
            assertThat(table.find(t.keyHash, t.branch())).isNull();
            assertThat(table.remove(t)).isFalse();
        }
        Set<Transaction> visited = new HashSet<>();
        table.forEach(visited::add);
        assertThat(visited).containsExactlyInAnyOrderElementsOf(present);
    }

    @Test
    void theBranchDecidesWhereHashesAreEqual() {
        Transaction first = transaction(7, "z9hG4bKa");
        Transaction second = transaction(7, "z9hG4bKb");
        table.add(first);
        table.add(second);
        assertThat(table.find(7, "z9hG4bKb")).isSameAs(second);
        assertThat(table.find(7, "z9hG4bKB")).isNull();
        assertThat(table.remove(first)).isTrue();
        assertThat(table.find(7, "z9hG4bKb")).isSameAs(second);
    }

    /** 0 marks an empty place inside. */
    @Test
    void aHashOfZeroIsAHash() {
        Transaction zero = transaction(0, "z9hG4bKzero");
        table.add(zero);
        assertThat(table.find(0, "z9hG4bKzero")).isSameAs(zero);
        assertThat(table.find(0, "z9hG4bKother")).isNull();
        assertThat(table.remove(zero)).isTrue();
        assertThat(table.size()).isZero();
    }
}
