package io.carillon.telemetry.records;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A configuration of call records under construction; what a test does not set is as in a server.
 */
final class RecordDraft {
    @Nullable Path json;
    @Nullable Path csv;
    long rotateBytes = 100 << 20;
    Duration rotateAfter = Duration.ofHours(24);
    Duration keep = Duration.ofHours(720);
    long keepBytes = 10L << 30;
    Duration interval = Duration.ofMinutes(1);
    int maxLegs = 200_000;
    int queue = 10_000;
    boolean withoutApplication;
    boolean codecs;

    RecordConfig.Files files() {
        return new RecordConfig.Files(json, csv, rotateBytes, rotateAfter, keep, keepBytes);
    }

    RecordConfig config() {
        return new RecordConfig(
                files(),
                List.of(),
                1 << 30,
                interval,
                maxLegs,
                queue,
                new RecordConfig.Content(withoutApplication, 0, false, codecs));
    }
}
