package io.carillon.telemetry.records;

import io.carillon.servlettest.SipTestServer;
import io.carillon.sip.shard.Shard;
import io.carillon.testkit.SimulatedNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A container under virtual time whose calls have records, as the server composes them. */
final class RecordedServer {
    private static final Duration LINGER = Duration.ofSeconds(3);
    private static final long EPOCH_MILLIS = 1_700_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000;

    final SipTestServer sip;
    final Path file;
    private final Path folder;
    private final RecordConfig config;
    CallRecords records;

    RecordedServer(Path folder, Consumer<RecordDraft> change) throws RecordException {
        this.sip = SipTestServer.open(7, false);
        this.file = folder.resolve("calls.jsonl");
        this.folder = folder;
        RecordDraft draft = new RecordDraft();
        draft.json = file;
        change.accept(draft);
        this.config = draft.config();
        this.records = open();
        tap();
    }

    private CallRecords open() throws RecordException {
        return CallRecords.byTurns(
                config,
                folder.resolve("spool"),
                new CallRecords.Place(
                        "node1",
                        sip.time()::nanoTime,
                        () -> EPOCH_MILLIS + sip.time().nanoTime() / NANOS_PER_MILLI,
                        peer -> peer.remoteHost().equals("10.0.1.1"),
                        peer -> peer.remoteHost().equals("10.0.1.2") ? "trunk" : "",
                        false),
                CallListener.NONE);
    }

    private void tap() {
        for (SimulatedNode node : sip.network().nodes()) {
            if (node.name().equals("server")) {
                for (Shard shard : node.shards()) {
                    shard.tap(records.tap());
                }
            }
        }
        sip.container().tap(records.turnTap());
        sip.container().settings().records(records::write);
    }

    /** The process is gone without a word, and another one starts where it was. */
    void killedAndStarted() throws RecordException {
        records.forgetLock();
        records = open();
        tap();
    }

    /** So much later, with all turns of the writer. */
    void advance(Duration span) {
        for (Duration left = span; left.isPositive(); left = left.minusMillis(200)) {
            sip.advance(Duration.ofMillis(200));
            records.turn();
        }
    }

    /** The records that were written by now, once what has ended has lingered. */
    List<CallRecord> written() {
        advance(LINGER);
        return inFile();
    }

    List<CallRecord> inFile() {
        try {
            return Files.readAllLines(file).stream().map(RecordText::read).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
