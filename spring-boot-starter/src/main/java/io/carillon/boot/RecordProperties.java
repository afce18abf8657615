package io.carillon.boot;

import io.carillon.telemetry.records.RecordConfig;
import io.carillon.telemetry.records.RecordException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The {@code carillon.cdr} properties of an application: call detail records. Off while they name
 * no place for them.
 *
 * @param file of JSON lines
 * @param csv the same as CSV
 * @param rotateSize bytes of one file
 * @param rotateAfter age of one file
 * @param keep how long rotated files stay
 * @param keepSize bytes of rotated files
 * @param postgresql JDBC URL; the driver is the application's to add
 * @param postgresqlUser of that database
 * @param postgresqlPasswordFile file whose first line is that user's password
 * @param webhook URL that gets records by POST
 * @param webhookKeyFile file whose first line is the key of their HMAC
 * @param kafka brokers of an Apache Kafka; carillon-cdr-kafka is the application's to add
 * @param kafkaTopic of the records there
 * @param kafkaSettingsFile of further settings of that client
 * @param spool folder of what waits, and of the list of open calls; one application uses it
 * @param spoolSize bytes that may wait for each place elsewhere
 * @param interval of the records of open calls
 * @param maxLegs legs that are followed
 * @param queue records of the application's own that may wait to be written
 * @param withoutApplication also calls that no handler took
 * @param maskDigits digits of numbers that are hidden
 * @param privateIdentities whether asserted identities are kept where the caller wants privacy
 * @param codecs lines of the session descriptions that name codecs
 */
@ConfigurationProperties("carillon.cdr")
public record RecordProperties(
        @Nullable Path file,
        @Nullable Path csv,
        @DefaultValue("100MB") DataSize rotateSize,
        @DefaultValue("24h") Duration rotateAfter,
        @DefaultValue("720h") Duration keep,
        @DefaultValue("10GB") DataSize keepSize,
        @Nullable String postgresql,
        @Nullable String postgresqlUser,
        @Nullable Path postgresqlPasswordFile,
        @Nullable String webhook,
        @Nullable Path webhookKeyFile,
        @Nullable String kafka,
        @DefaultValue("carillon-cdr") String kafkaTopic,
        @Nullable Path kafkaSettingsFile,
        @DefaultValue(".carillon/cdr") Path spool,
        @DefaultValue("1GB") DataSize spoolSize,
        @DefaultValue("1m") Duration interval,
        @DefaultValue("200000") int maxLegs,
        @DefaultValue("10000") int queue,
        @DefaultValue("false") boolean withoutApplication,
        @DefaultValue("0") int maskDigits,
        @DefaultValue("false") boolean privateIdentities,
        @DefaultValue("false") boolean codecs) {
    private static final String PREFIX = "carillon.cdr.";
    private static final int LEAST = 100;
    private static final int MOST_DIGITS = 32;

    public RecordProperties {
        if (webhook != null && webhookKeyFile == null) {
            throw new IllegalArgumentException(
                    "carillon.cdr.webhook: needs carillon.cdr.webhook-key-file; without a key nobody"
                            + " can tell whose records they are");
        }
        positive("rotate-size", rotateSize.toBytes());
        positive("rotate-after", rotateAfter.toMillis());
        positive("keep", keep.toMillis());
        positive("keep-size", keepSize.toBytes());
        positive("spool-size", spoolSize.toBytes());
        positive("interval", interval.toSeconds());
        if (maxLegs < LEAST) {
            throw new IllegalArgumentException("carillon.cdr.max-legs: 100 or more: " + maxLegs);
        }
        if (queue < LEAST) {
            throw new IllegalArgumentException("carillon.cdr.queue: 100 or more: " + queue);
        }
        if (maskDigits < 0 || maskDigits > MOST_DIGITS) {
            throw new IllegalArgumentException("carillon.cdr.mask-digits: 0 to 32: " + maskDigits);
        }
    }

    private static void positive(String key, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(PREFIX + key + ": more than nothing");
        }
    }

    /** Is there any place for records? */
    boolean named() {
        return file != null
                || csv != null
                || postgresql != null
                || webhook != null
                || kafka != null;
    }

    RecordConfig config() throws RecordException {
        return new RecordConfig(
                new RecordConfig.Files(
                        file, csv, rotateSize.toBytes(), rotateAfter, keep, keepSize.toBytes()),
                elsewhere(),
                spoolSize.toBytes(),
                interval,
                maxLegs,
                queue,
                new RecordConfig.Content(
                        withoutApplication, maskDigits, privateIdentities, codecs));
    }

    private List<RecordConfig.Elsewhere> elsewhere() throws RecordException {
        List<RecordConfig.Elsewhere> all = new ArrayList<>();
        if (postgresql != null) {
            all.add(
                    RecordConfig.Elsewhere.postgresql(
                            postgresql, postgresqlUser, postgresqlPasswordFile, PREFIX));
        }
        if (webhook != null && webhookKeyFile != null) {
            all.add(RecordConfig.Elsewhere.webhook(webhook, webhookKeyFile, PREFIX));
        }
        if (kafka != null) {
            all.add(RecordConfig.Elsewhere.kafka(kafka, kafkaTopic, kafkaSettingsFile, PREFIX));
        }
        return all;
    }
}
