package io.carillon.telemetry.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How records look, and the files that hold them. */
class RecordFormsTest {
    private static final long HOUR = 3_600_000;
    private static final long NOW = 1_700_000_000_000L;

    @TempDir Path folder;

    @Test
    void theLastDigitsOfNumbersAreHiddenAndNamesOfUsersAreNot() {
        NumberMask mask = new NumberMask(4);
        assertThat(mask.address("\"030 123456\" <sip:+49-30-123456@example.com;user=phone>"))
                .isEqualTo("<sip:+49-30-12****@example.com;user=phone>");
        assertThat(mask.address("<tel:+4930123>")).isEqualTo("<tel:+493****>");
        assertThat(mask.address("sips:110@example.com:5061"))
                .isEqualTo("sips:***@example.com:5061");
        assertThat(mask.address("<sip:alice@192.0.2.11>")).isEqualTo("<sip:alice@192.0.2.11>");
        assertThat(mask.address("<sip:192.0.2.11>")).isEqualTo("<sip:192.0.2.11>");
        assertThat(mask.address("sip:192.0.2.11:5060")).isEqualTo("sip:192.0.2.11:5060");
        assertThat(mask.address(null)).isNull();
        assertThat(new NumberMask(0).address("\"x\" <tel:110>")).isEqualTo("\"x\" <tel:110>");
    }

    @Test
    void kafkaWithoutItsModuleIsASentence() {
        assertThatThrownBy(() -> RecordConfig.Elsewhere.kafka("k:9092", "calls", null, "cdr."))
                .isInstanceOf(RecordException.class)
                .hasMessageStartingWith("cdr.kafka: carillon-cdr-kafka is not among the libraries");
    }

    private static CallRecord record(String from) {
        return RecordText.read(
                "{\"record\":\"final\",\"id\":\"n-1\",\"node\":\"n\",\"from\":"
                        + from
                        + ",\"talkSeconds\":-1.5,\"fields\":{\"a\":1}}");
    }

    @Test
    void csvQuotesWhatItHasToAndGivesNoSpreadsheetAFormula() {
        String line = RecordText.csv(record("\"=cmd(), \\\"x\\\"\""));
        assertThat(line)
                .startsWith("final,n-1,,n,,")
                .contains(",\"'=cmd(), \"\"x\"\"\",")
                .contains(",-1.5,")
                .endsWith(",\"{\"\"a\"\":1}\",");
        assertThat(line.split(",", -1).length).isGreaterThan(40);
        assertThat(RecordText.csvHead()).startsWith("record,id,call,node,application,version,");
    }

    @Test
    void jsonHasOneLineAndLeavesOutWhatIsNotKnown() {
        assertThat(RecordText.json(record("\"a\\nb\"")))
                .isEqualTo(
                        "{\"record\":\"final\",\"id\":\"n-1\",\"node\":\"n\",\"from\":\"a\\nb\","
                                + "\"talkSeconds\":-1.5,\"fields\":{\"a\":1}}");
    }

    private RecordFile file(Consumer<RecordDraft> change, LongAdder deleted) {
        Path path = folder.resolve("calls.csv");
        RecordDraft draft = new RecordDraft();
        change.accept(draft);
        return new RecordFile(path, "head", draft.files(), deleted);
    }

    private long files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.count();
        }
    }

    /** A name in Latin-1 is no UTF-8, and a long one may be cut inside of an emoji. */
    @Test
    void aNameThatIsNoUnicodeDamagesNeitherItsLineNorTheNext() throws IOException {
        CallRecord strange = record("\"M\udcfcller\"");
        assertThat(RecordText.json(strange)).contains("M\ufffdller");
        assertThat(RecordText.csv(strange)).contains("M\ufffdller");
        assertThat(RecordText.json(record("\"x\ud83d\""))).contains("\"x\ufffd\"");
        assertThat(RecordText.json(record("\"\ud83d\ude00\""))).contains("\"\ud83d\ude00\"");
        Path path = folder.resolve("calls.jsonl");
        try (RecordFile file =
                new RecordFile(path, null, new RecordDraft().files(), new LongAdder())) {
            file.open(NOW);
            file.write(RecordText.json(strange), NOW);
            file.flush();
            file.write(RecordText.json(record("\"next\"")), NOW);
            file.flush();
        }
        assertThat(Files.readAllLines(path)).hasSize(2);
    }

    /** Text of a stranger may look like the escape of U+0000, which PostgreSQL does not take. */
    @Test
    void onlyACharacterZeroIsTakenOutAndNotWhatLooksLikeOne() {
        String real = RecordText.json(record("\"a\\u0000b\""));
        assertThat(RecordText.read(RecordText.withoutNul(real)).from()).isEqualTo("ab");
        String text = RecordText.json(record("\"a\\\\u0000\\\" b\""));
        assertThat(RecordText.read(RecordText.withoutNul(text)).from()).isEqualTo("a\\u0000\" b");
        String both = RecordText.json(record("\"\\\\\\u0000\\u0000\""));
        assertThat(RecordText.read(RecordText.withoutNul(both)).from()).isEqualTo("\\");
    }

    /** Who ships rotated files takes one away while this server looks at them. */
    @Test
    void whateverBecomesOfRotatedFilesTheNextRecordIsWritten() throws IOException {
        RecordDraft draft = new RecordDraft();
        draft.rotateBytes = 10;
        Path path = folder.resolve("calls.jsonl");
        Files.createSymbolicLink(folder.resolve("calls-2x.jsonl"), folder.resolve("gone"));
        try (RecordFile file = new RecordFile(path, null, draft.files(), new LongAdder())) {
            file.open(NOW);
            file.write("first record", NOW);
            file.write("second record", NOW);
            file.flush();
            assertThat(path).hasContent("second record");
            Files.delete(path);
            file.write("third record", NOW);
            file.flush();
            assertThat(path).hasContent("third record");
        }
    }

    /** Half a record, or a gap among them, would stop who reads the file. */
    @Test
    void whenTheDiskWasFullForAMomentNoLineOfAFileIsTornAndNoneIsLost() throws IOException {
        boolean[] full = {false};
        Path path = folder.resolve("calls.jsonl");
        RecordDraft draft = new RecordDraft();
        draft.rotateBytes = 30;
        RecordFile file =
                new RecordFile(
                        path, null, draft.files(), new LongAdder(), FullDisk.when(() -> full[0]));
        file.open(NOW);
        file.write("first record", NOW);
        file.flush();
        full[0] = true;
        file.write("second record", NOW);
        assertThatThrownBy(file::flush).hasMessage("No space left on device");
        assertThat(path).hasContent("first record");
        file.write("third record", NOW); // it would begin a new file
        assertThat(file.waiting()).isEqualTo(2);
        assertThat(files()).isOne();
        full[0] = false;
        file.flush();
        file.write("fourth record", NOW);
        file.close();
        assertThat(path).hasContent("fourth record");
        try (Stream<Path> all = Files.list(folder)) {
            Path rotated = all.filter(one -> !one.equals(path)).findAny().orElseThrow();
            assertThat(rotated).hasContent("first record\nsecond record\nthird record");
        }
    }

    /** The bound of what waits; what is refused is the newest. */
    @Test
    void aDiskThatStaysFullRefusesLinesAndLosesNoOlderOne() throws IOException {
        boolean[] full = {true};
        Path path = folder.resolve("calls.jsonl");
        Files.createFile(path);
        WholeLines lines = new WholeLines(FullDisk.when(() -> full[0]).open(path));
        String line = "x".repeat(100_000);
        for (int i = 0; i < 10; i++) {
            lines.add(line);
        }
        assertThatThrownBy(() -> lines.add(line)).hasMessage("No space left on device");
        assertThatThrownBy(() -> lines.add(line))
                .as("without asking the disk")
                .hasMessage("the disk takes nothing, and 10 records wait");
        assertThat(lines.waiting()).isEqualTo(10);
        assertThat(path).isEmptyFile();
        full[0] = false;
        lines.close();
        assertThat(Files.readAllLines(path)).hasSize(10).containsOnly(line);
    }

    @Test
    void aLineThatCouldNotBeCutOffIsCutOffBeforeTheNext() throws IOException {
        boolean[] bad = {false};
        Path path = folder.resolve("calls.jsonl");
        Files.createFile(path);
        WholeLines lines =
                new WholeLines(new FullDisk(WholeLines.onDisk(path), () -> bad[0], () -> bad[0]));
        lines.add("first record");
        lines.flush();
        bad[0] = true;
        lines.add("second record");
        assertThatThrownBy(lines::flush).hasMessage("No space left on device");
        assertThatThrownBy(lines::flush).hasMessage("Input/output error");
        bad[0] = false;
        lines.close();
        assertThat(path).hasContent("first record\nsecond record");
    }

    /** A full disk, and somebody deletes the file to make room: its room is free once we let go. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWaitsGoesToANewFileWhereTheOldOneWasDeleted(boolean fromTheBeginning)
            throws IOException {
        boolean[] full = {fromTheBeginning};
        Path path = folder.resolve("calls.csv");
        RecordFile file =
                new RecordFile(
                        path,
                        "head",
                        new RecordDraft().files(),
                        new LongAdder(),
                        FullDisk.when(() -> full[0]));
        file.open(NOW);
        file.flushes();
        full[0] = true;
        file.write("first record", NOW);
        Files.delete(path);
        file.openAgainIfGone(NOW);
        full[0] = false;
        file.write("second record", NOW);
        file.close();
        assertThat(path).hasContent("head\nfirst record\nsecond record");
    }

    /** As without a file descriptor, behind the one that was given back. */
    @Test
    void whereNoNewFileCanBeOpenedTheNextLookOpensIt() throws IOException {
        boolean[] none = {false};
        Path path = folder.resolve("calls.jsonl");
        try (RecordFile file =
                new RecordFile(
                        path,
                        null,
                        new RecordDraft().files(),
                        new LongAdder(),
                        at -> {
                            if (none[0]) {
                                throw new IOException("Too many open files");
                            }
                            return WholeLines.onDisk(at);
                        })) {
            file.open(NOW);
            file.write("first record", NOW);
            Files.delete(path);
            none[0] = true;
            assertThatThrownBy(() -> file.openAgainIfGone(NOW)).hasMessage("Too many open files");
            assertThat(path).as("it is there, and nobody has it open").exists();
            none[0] = false;
            file.openAgainIfGone(NOW);
            file.write("second record", NOW);
            file.flush();
            assertThat(path).hasContent("first record\nsecond record");
        }
    }

    /** What waits is not lost; when the server ends with it, it is. */
    @Test
    void recordsThatTheDiskDoesNotTakeAreCountedWhenTheyAreLost() throws IOException {
        boolean[] full = {false};
        Path path = folder.resolve("calls.jsonl");
        RecordFile file =
                new RecordFile(
                        path,
                        null,
                        new RecordDraft().files(),
                        new LongAdder(),
                        FullDisk.when(() -> full[0]));
        file.open(NOW);
        RecordPlaces places = new RecordPlaces(file, null, List.of());
        full[0] = true;
        places.write(record("\"one\""), NOW);
        places.write(record("\"two\""), NOW);
        places.flush();
        places.flush();
        assertThat(places.lost()).as("they wait").isZero();
        places.close();
        assertThat(places.lost()).isEqualTo(2);
        assertThat(path).isEmptyFile();
    }

    @Test
    void aFileIsRotatedByAgeAndBySizeAndEachBeginsWithItsHead() throws IOException {
        try (RecordFile file =
                file(
                        draft -> {
                            draft.rotateBytes = 64 << 10;
                            draft.rotateAfter = Duration.ofHours(1);
                        },
                        new LongAdder())) {
            file.open(NOW);
            file.write("one", NOW);
            file.write("two", NOW + HOUR);
            assertThat(files()).isEqualTo(2);
            file.write("x".repeat(65_530), NOW + HOUR);
            assertThat(files()).isEqualTo(3);
        }
        assertThat(folder.resolve("calls-20231114T231320Z.csv")).hasContent("head\none\n");
        assertThat(folder.resolve("calls-20231114T231320Z-1.csv")).hasContent("head\ntwo\n");
    }

    @Test
    void ofTooManyRotatedFilesTheOldestGoAndThatIsCounted() throws IOException {
        LongAdder deleted = new LongAdder();
        try (RecordFile file =
                file(
                        draft -> {
                            draft.rotateBytes = 512 << 10;
                            draft.keepBytes = 1 << 20;
                            draft.keep = Duration.ofHours(87_600);
                        },
                        deleted)) {
            file.open(NOW);
            for (int i = 0; i < 6; i++) {
                file.write("x".repeat(400_000), NOW + i * 1000L);
            }
        }
        assertThat(deleted.sum()).isEqualTo(3);
        assertThat(files()).isEqualTo(3);
    }

    @Test
    void aFileOfRecordsIsNotForEverybodyAndALineThatAKillCutShortEndsThere() throws IOException {
        Path path = folder.resolve("calls.csv");
        try (RecordFile file = file(draft -> {}, new LongAdder())) {
            file.open(NOW);
        }
        assertThat(Files.getPosixFilePermissions(path))
                .containsExactlyInAnyOrder(
                        PosixFilePermission.OWNER_READ,
                        PosixFilePermission.OWNER_WRITE,
                        PosixFilePermission.GROUP_READ);
        Files.writeString(path, "head\ncut");
        try (RecordFile file = file(draft -> {}, new LongAdder())) {
            file.open(NOW);
            file.write("next", NOW);
        }
        assertThat(path).hasContent("head\ncut\nnext\n");
    }
}
