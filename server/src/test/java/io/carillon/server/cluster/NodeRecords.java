package io.carillon.server.cluster;

import io.carillon.servlet.SipContainer;
import io.carillon.sip.shard.Shard;
import io.carillon.telemetry.records.CallListener;
import io.carillon.telemetry.records.CallRecords;
import io.carillon.telemetry.records.RecordConfig;
import io.carillon.telemetry.records.RecordException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The call records of one node of a cluster, life after life, in one folder. */
final class NodeRecords {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long EPOCH_MILLIS = 1_700_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final String name;
    private final Path folder;
    private final LongSupplier nanos;
    private CallRecords records;

    /** What a test reads of a record. */
    record Row(
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
    NodeRecords(String name, Path folder, LongSupplier nanos) {
        this.name = name;
        this.folder = folder.resolve(name);
        this.nanos = nanos;
        this.records = open();
    }

    private CallRecords open() {
        try {
            return CallRecords.byTurns(
                    config(),
                    folder.resolve("spool"),
                    new CallRecords.Place(
                            name,
                            nanos,
                            () -> EPOCH_MILLIS + nanos.getAsLong() / NANOS_PER_MILLI,
                            peer -> true,
                            peer -> "",
                            true),
                    CallListener.NONE);
        } catch (RecordException e) {
            throw new IllegalStateException(e);
        }
    }

    private RecordConfig config() {
        return new RecordConfig(
                new RecordConfig.Files(
                        file(), null, 1 << 30, Duration.ofDays(1), Duration.ofDays(1), 1 << 30),
                List.of(),
                1 << 20,
                Duration.ofSeconds(5),
                10_000,
                100,
                new RecordConfig.Content(false, 0, false, false));
    }

    private Path file() {
        return folder.resolve("calls.jsonl");
    }

    /** The process is gone, and another one begins where it was. */
    void again() {
        try {
            records.forgetLock();
        } catch (RecordException e) {
            throw new IllegalStateException(e);
        }
        records = open();
    }

    /** Follows what that node does. */
    void follow(List<Shard> shards, SipContainer container) {
        shards.forEach(shard -> shard.tap(records.tap()));
        container.tap(records.turnTap());
    }

    /** What is due is written. */
    void turn() {
        records.turn();
    }

    /** The server stops in order. */
    void close() {
        records.close();
    }

    /** Legs that are followed. */
    long open(String counter) {
        return records.counters().getOrDefault(counter, -1L);
    }

    /** All that was written, in all lives. */
    List<Row> written() {
        try {
            return Files.readAllLines(file()).stream()
                    .map(JSON::readTree)
                    .map(NodeRecords::row)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Row row(JsonNode one) {
        return new Row(
                text(one, "record"),
                text(one, "id"),
                text(one, "call"),
                text(one, "node"),
                text(one, "takenFrom"),
                text(one, "direction"),
                text(one, "role"),
                text(one, "callId"),
                text(one, "application"),
                one.path("status").asInt(0),
                text(one, "endedBy"),
                text(one, "endedWith"),
                text(one, "linked"),
                one.path("talkSeconds").asDouble(-1));
    }

    private static String text(JsonNode one, String field) {
        return one.path(field).asString("null");
    }
}
