package io.carillon.telemetry.records;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Call detail records of a server or an application.
 *
 * @param files where they are written
 * @param elsewhere where else they go, each by a spool on disk
 * @param spoolBytes that may wait for each of these
 * @param interval of the records of open calls
 * @param maxLegs legs that are followed
 * @param queue records of applications that may wait to be written
 * @param content what stands in them
 */
public record RecordConfig(
        Files files,
        List<Elsewhere> elsewhere,
        long spoolBytes,
        Duration interval,
        int maxLegs,
        int queue,
        Content content) {

    /**
     * Files, which are rotated.
     *
     * @param json file of JSON lines; null for none
     * @param csv the same as CSV
     * @param rotateBytes bytes of one file
     * @param rotateAfter age of one file
     * @param keep how long rotated files stay
     * @param keepBytes bytes of rotated files
     */
    public record Files(
            @Nullable Path json,
            @Nullable Path csv,
            long rotateBytes,
            Duration rotateAfter,
            Duration keep,
            long keepBytes) {}

    /**
     * A place elsewhere.
     *
     * @param name as in the configuration; the folder of its spool has it too
     */
    public record Elsewhere(String name, RecordSender sender) {
        private static final long MILLIS = 1_000;

        /**
         * A PostgreSQL.
         *
         * @param prefix of the keys that name the files
         * @throws RecordException when the file of the password cannot be read
         */
        public static Elsewhere postgresql(
                String url, @Nullable String user, @Nullable Path passwordFile, String prefix)
                throws RecordException {
            String password =
                    passwordFile == null
                            ? null
                            : RecordSecret.read(passwordFile, prefix + "postgresql-password-file");
            return new Elsewhere("postgresql", new PostgresqlSender(url, user, password));
        }

        /**
         * A topic of Kafka.
         *
         * @param settings file of further settings of the client; null for none
         * @param prefix of the keys
         * @throws RecordException when the module for it is not there, or its settings are none
         */
        public static Elsewhere kafka(
                String brokers, String topic, @Nullable Path settings, String prefix)
                throws RecordException {
            for (RecordSenders one :
                    ServiceLoader.load(RecordSenders.class, RecordSenders.class.getClassLoader())) {
                if (one.name().equals("kafka")) {
                    try {
                        return new Elsewhere("kafka", one.open(brokers, topic, settings));
                    } catch (RecordException e) {
                        throw new RecordException(prefix + "kafka: " + e.getMessage(), e);
                    }
                }
            }
            throw new RecordException(
                    prefix
                            + "kafka: carillon-cdr-kafka is not among the libraries; add it as the"
                            + " page on call records (docs/guides/cdr.md) says");
        }

        /**
         * Who gets records by POST.
         *
         * @param prefix of the keys that name the files
         * @throws RecordException when the file of the key cannot be read, or the URL is none
         */
        public static Elsewhere webhook(String url, Path keyFile, String prefix)
                throws RecordException {
            byte[] key =
                    RecordSecret.read(keyFile, prefix + "webhook-key-file")
                            .getBytes(StandardCharsets.UTF_8);
            try {
                return new Elsewhere(
                        "webhook",
                        new WebhookSender(
                                URI.create(url), key, () -> System.currentTimeMillis() / MILLIS));
            } catch (IllegalArgumentException e) {
                throw new RecordException(prefix + "webhook: " + e.getMessage(), e);
            }
        }
    }

    /**
     * What stands in a record.
     *
     * @param withoutApplication also calls that no application took have one
     * @param maskDigits digits of numbers that are hidden
     * @param privateIdentities are asserted identities kept where the caller wants privacy?
     * @param codecs lines of the session descriptions that name codecs
     */
    public record Content(
            boolean withoutApplication,
            int maskDigits,
            boolean privateIdentities,
            boolean codecs) {}

    public RecordConfig {
        elsewhere = List.copyOf(elsewhere);
    }

    /** Is there any place for records? */
    public boolean configured() {
        return files.json() != null || files.csv() != null || !elsewhere.isEmpty();
    }
}
