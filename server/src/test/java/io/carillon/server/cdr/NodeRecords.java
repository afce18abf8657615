package io.carillon.server.cdr;

import io.carillon.server.start.StartException;
import io.carillon.servlet.SipContainer;
import io.carillon.sip.shard.Shard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;

/** The call records of one node of a cluster, life after life, in one folder. */
public final class NodeRecords {
    private static final long EPOCH_MILLIS = 1_700_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final String name;
    private final Path folder;
    private final LongSupplier nanos;
    private CallRecords records;

    /** What a test reads of a record. */
    public record Row(
            String record,
            String id,
            String call,
            String node,
            String takenFrom,
            String direction,
            String role,
            String callId,
            String application,
            int status,
            String endedBy,
            String endedWith,
            String linked,
            double talkSeconds) {}

    /**
     * @param nanos the time of the simulation
     */
    public NodeRecords(String name, Path folder, LongSupplier nanos) {
        this.name = name;
        this.folder = folder.resolve(name);
        this.nanos = nanos;
        this.records = open();
    }

    private CallRecords open() {
        try {
            return CallRecords.inTest(
                    RecordedServer.settings("file: " + file() + ", interval: 5 s"),
                    folder.resolve("spool"),
                    new CallRecords.Place(
                            name,
                            nanos,
                            () -> EPOCH_MILLIS + nanos.getAsLong() / NANOS_PER_MILLI,
                            peer -> true,
                            peer -> "",
                            true));
        } catch (StartException e) {
            throw new IllegalStateException(e);
        }
    }

    private Path file() {
        return folder.resolve("calls.jsonl");
    }

    /** The process is gone, and another one begins where it was. */
    public void again() {
        try {
            records.forgetLock();
        } catch (StartException e) {
            throw new IllegalStateException(e);
        }
        records = open();
    }

    /** Follows what that node does. */
    public void follow(List<Shard> shards, SipContainer container) {
        shards.forEach(shard -> shard.tap(records.tap()));
        container.tap(records.turnTap());
    }

    /** What is due is written. */
    public void turn() {
        records.turn();
    }

    /** The server stops in order. */
    public void close() {
        records.close();
    }

    /** Legs that are followed. */
    public long open(String counter) {
        return records.counters().getOrDefault(counter, -1L);
    }

    /** All that was written, in all lives. */
    public List<Row> written() {
        try {
            return Files.readAllLines(file()).stream()
                    .map(RecordText::read)
                    .map(NodeRecords::row)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Row row(CallRecord one) {
        return new Row(
                one.record(),
                one.id(),
                String.valueOf(one.call()),
                one.node(),
                String.valueOf(one.takenFrom()),
                String.valueOf(one.direction()),
                String.valueOf(one.role()),
                String.valueOf(one.callId()),
                String.valueOf(one.application()),
                one.status() == null ? 0 : one.status(),
                String.valueOf(one.endedBy()),
                String.valueOf(one.endedWith()),
                String.valueOf(one.linked()),
                one.talkSeconds() == null ? -1 : one.talkSeconds());
    }
}
