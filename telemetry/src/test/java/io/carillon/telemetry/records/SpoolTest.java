package io.carillon.telemetry.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What waits on disk: its order, its bound, and what a kill leaves. */
class SpoolTest {
    private static final int BATCH = 100;
    private static final int BYTES = 1 << 20;

    @TempDir Path folder;

    private Spool open(long most) throws IOException {
        return new Spool(folder.resolve("spool"), most);
    }

    @Test
    void whatWasFlushedIsThereAfterAKillAndWhatWasTakenIsNot() throws IOException {
        Spool first = open(BYTES);
        first.append("\"one\"");
        first.append("\"two\"");
        first.append("\"three\"");
        assertThat(first.next(BATCH, BYTES)).isEmpty();
        first.flush();
        first.taken(first.next(1, BYTES));

        Spool second = open(BYTES); // the first one was never closed
        assertThat(second.next(BATCH, BYTES)).containsExactly("\"two\"", "\"three\"");
        second.append("\"four\"");
        second.flush();
        second.taken(second.next(BATCH, BYTES));
        assertThat(second.next(BATCH, BYTES)).containsExactly("\"four\"");
        second.taken(List.of("\"four\""));
        assertThat(second.next(BATCH, BYTES)).isEmpty();
        assertThat(second.bytes()).isZero();
    }

    @Test
    void aRecordThatAKillCutShortIsLeftOut() throws IOException {
        Spool first = open(BYTES);
        first.append("\"whole\"");
        first.close();
        Path segment;
        try (Stream<Path> all = Files.list(folder.resolve("spool"))) {
            segment = all.filter(p -> p.toString().endsWith(".jsonl")).findAny().get();
        }
        Files.writeString(segment, "\"cut sho", StandardOpenOption.APPEND);
        assertThat(open(BYTES).next(BATCH, BYTES)).containsExactly("\"whole\"");
    }

    @Test
    void itIsBoundedAndHasRoomAgainWhenRecordsWereTaken() throws IOException {
        Spool spool = open(100);
        String record = "\"" + "x".repeat(37) + "\""; // 40 bytes with its line end
        assertThat(spool.append(record)).isTrue();
        assertThat(spool.append(record)).isTrue();
        assertThat(spool.append(record)).isFalse();
        spool.flush();
        spool.taken(spool.next(1, BYTES));
        assertThat(spool.append(record)).isTrue();
    }

    @Test
    void segmentsOfWhichAllWasTakenAreDeleted() throws IOException {
        Spool spool = open(100L << 20);
        String record = "\"" + "x".repeat(100_000) + "\"";
        for (int i = 0; i < 100; i++) {
            spool.append(record);
        }
        spool.flush();
        List<String> all = new ArrayList<>();
        for (List<String> next = spool.next(BATCH, BYTES);
                !next.isEmpty();
                next = spool.next(BATCH, BYTES)) {
            all.addAll(next);
            spool.taken(next);
        }
        assertThat(all).hasSize(100).containsOnly(record);
        try (Stream<Path> left = Files.list(folder.resolve("spool"))) {
            assertThat(left.filter(p -> p.toString().endsWith(".jsonl"))).hasSize(1);
        }
    }

    /**
     * Restarts without a call: the place of what was taken must not be taken for a new record's.
     */
    @Test
    void aRecordIsNotSkippedForTheReasonThatAnOlderOneWasTaken() throws IOException {
        try (Spool first = open(BYTES)) {
            first.append("\"taken\"");
            first.flush();
            first.taken(first.next(BATCH, BYTES));
        }
        try (Spool idle = open(BYTES)) {
            assertThat(idle.next(BATCH, BYTES)).isEmpty();
        }
        try (Spool third = open(BYTES)) {
            third.append("\"lost?\"");
        }
        assertThat(open(BYTES).next(BATCH, BYTES)).containsExactly("\"lost?\"");
    }

    @Test
    void aPositionInsideOfARecordIsNotBelieved() throws IOException {
        try (Spool first = open(BYTES)) {
            first.append("\"one\"");
        }
        Files.writeString(folder.resolve("spool").resolve("position"), "1 3\n");
        assertThat(open(BYTES).next(BATCH, BYTES)).containsExactly("\"one\"");
        Files.writeString(folder.resolve("spool").resolve("position"), "1 4711\n");
        assertThat(open(BYTES).next(BATCH, BYTES)).containsExactly("\"one\"");
    }

    @Test
    void whenTheDiskWasFullForAMomentNoRecordIsTornAndNoneIsLost() throws IOException {
        boolean[] full = {false};
        Path spool = folder.resolve("spool");
        Spool first = new Spool(spool, BYTES, FullDisk.when(() -> full[0]));
        first.append("\"one\"");
        first.flush();
        full[0] = true;
        first.append("\"two\"");
        assertThatThrownBy(first::flush).hasMessage("No space left on device");
        assertThat(first.next(BATCH, BYTES)).containsExactly("\"one\"");
        Spool killed = open(BYTES);
        assertThat(killed.next(BATCH, BYTES)).containsExactly("\"one\"");
        full[0] = false;
        first.append("\"three\"");
        first.flush();
        assertThat(first.next(BATCH, BYTES)).containsExactly("\"one\"", "\"two\"", "\"three\"");
        first.close();
        assertThat(open(BYTES).next(BATCH, BYTES))
                .containsExactly("\"one\"", "\"two\"", "\"three\"");
    }

    /** The disk is full when a segment is, too: the spool goes on when there is room. */
    @Test
    void aDiskThatIsFullAsASegmentEndsDoesNotEndTheSpool() throws IOException {
        boolean[] full = {false};
        Spool spool = new Spool(folder.resolve("spool"), 100L << 20, FullDisk.when(() -> full[0]));
        String record = "\"" + "x".repeat(100_000) + "\"";
        int taken = 0;
        while (taken < 42) { // the last one fills the segment
            spool.append(record);
            taken++;
        }
        full[0] = true;
        assertThatThrownBy(() -> spool.append(record)).hasMessage("No space left on device");
        assertThatThrownBy(() -> spool.append(record)).hasMessage("No space left on device");
        full[0] = false;
        spool.append(record);
        spool.flush();
        int found = 0;
        for (List<String> next = spool.next(BATCH, BYTES);
                !next.isEmpty();
                next = spool.next(BATCH, BYTES)) {
            assertThat(next).containsOnly(record);
            found += next.size();
            spool.taken(next);
        }
        assertThat(found).isEqualTo(taken + 1);
    }

    /** What a disk that takes nothing keeps in memory is bounded. */
    @Test
    void whileTheDiskIsFullNoMoreThanAMegabyteWaits() throws IOException {
        Spool first = new Spool(folder.resolve("spool"), 100L << 20, FullDisk.when(() -> true));
        String record = "\"" + "x".repeat(100_000) + "\"";
        for (int i = 0; i < 10; i++) {
            assertThat(first.append(record)).isTrue();
        }
        assertThatThrownBy(() -> first.append(record)).hasMessage("No space left on device");
        assertThat(first.bytes()).isLessThanOrEqualTo(1 << 20);
    }
}
