package io.carillon.server.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Call detail records. Off while it names no place for them.
 *
 * @param file of JSON lines
 * @param csv the same as CSV
 * @param rotateSize bytes of one file
 * @param rotateAfter age of one file
 * @param keep how long rotated files stay
 * @param keepSize bytes of rotated files
 * @param postgresql JDBC URL
 * @param postgresqlUser of that database
 * @param postgresqlPasswordFile of that user
 * @param webhook URL that gets records by POST
 * @param webhookKeyFile key of their HMAC
 * @param kafka brokers of an Apache Kafka
 * @param kafkaTopic of the records there
 * @param kafkaSettingsFile of that client
 * @param spool folder of what waits for a sink
 * @param spoolSize bytes that may wait for each
 * @param interval of the records of open calls
 * @param maxLegs legs that are followed
 * @param queue records of applications that may wait to be written
 * @param withoutApplication also calls that no application took
 * @param maskDigits digits of numbers that are hidden
 * @param privateIdentities whether asserted identities are kept where the caller wants privacy
 * @param codecs lines of the session descriptions that name codecs
 */
public record CdrSettings(
        @Setting(
                        value =
                                "File of call detail records, a JSON object in each line. When it is rotated, its"
                                        + " name gets the time.",
                        standardText = "none")
                @Nullable Path file,
        @Setting(
                        value = "File of call detail records as CSV, with a line of names.",
                        standardText = "none")
                @Nullable Path csv,
        @Setting(
                        value = "A file of this size is rotated.",
                        standard = "100 MiB",
                        min = "64 KiB",
                        max = "100 GiB")
                ByteSize rotateSize,
        @Setting(
                        value = "A file of this age is rotated.",
                        standard = "24 h",
                        min = "1 s",
                        max = "8760 h")
                Duration rotateAfter,
        @Setting(
                        value = "Rotated files that are older are deleted.",
                        standard = "720 h",
                        min = "1 s",
                        max = "87600 h")
                Duration keep,
        @Setting(
                        value = "Of more bytes in rotated files the oldest files are deleted.",
                        standard = "10 GiB",
                        min = "1 MiB",
                        max = "10000 GiB",
                        metrics = "cdr.files_deleted_keep_size")
                ByteSize keepSize,
        @Setting(
                        value =
                                "JDBC URL of a PostgreSQL that gets the records, as in"
                                        + " jdbc:postgresql://db.example/billing; the table is carillon_cdr.",
                        standardText = "none")
                @Nullable String postgresql,
        @Setting(value = "That database's user.", standardText = "none")
                @Nullable String postgresqlUser,
        @Setting(value = "File whose first line is that user's password.", standardText = "none")
                @Nullable Path postgresqlPasswordFile,
        @Setting(
                        value = "URL that gets the records by POST, as a JSON array.",
                        standardText = "none")
                @Nullable String webhook,
        @Setting(
                        value =
                                "File whose first line is the key of the HMAC in Carillon-Signature. A webhook asks"
                                        + " for it.",
                        standardText = "none")
                @Nullable Path webhookKeyFile,
        @Setting(
                        value =
                                "Brokers of an Apache Kafka that gets the records, as in"
                                        + " kafka1.example:9092,kafka2.example:9092. The module carillon-cdr-kafka has to"
                                        + " be there.",
                        standardText = "none")
                @Nullable String kafka,
        @Setting(value = "Topic of the records there.", standard = "carillon-cdr")
                String kafkaTopic,
        @Setting(
                        value =
                                "File of further settings of the producer, as for TLS and passwords: Java"
                                        + " properties by Kafka's names.",
                        standardText = "none")
                @Nullable Path kafkaSettingsFile,
        @Setting(
                        value =
                                "Folder of the records that wait for PostgreSQL, Kafka or the webhook, and of the list"
                                        + " of open calls. One server uses it.",
                        standardText = ".carillon/cdr in Carillon's folder")
                @Nullable Path spool,
        @Setting(
                        value =
                                "Bytes that may wait in `spool` for each of PostgreSQL, Kafka and"
                                        + " the webhook; over it, new records for that one are"
                                        + " dropped.",
                        more = "Dropped records are counted and told in the log.",
                        standard = "1 GiB",
                        min = "64 KiB",
                        max = "10000 GiB",
                        metrics = "cdr.records_dropped_spool")
                ByteSize spoolSize,
        @Setting(
                        value =
                                "How often the open calls are written down, for a server that is killed.",
                        standard = "1 min",
                        min = "1 s",
                        max = "24 h")
                Duration interval,
        @Setting(
                        value =
                                "Legs that are followed at a time, of about 1 KiB each; a further one has no"
                                        + " record.",
                        standard = "200000",
                        min = "100",
                        max = "10000000",
                        metrics = "cdr.legs_not_followed")
                int maxLegs,
        @Setting(
                        value =
                                "Records of applications' own that may wait until they are written; a further one"
                                        + " is dropped, counted and told in the log.",
                        standard = "10000",
                        min = "100",
                        max = "10000000",
                        metrics = "cdr.records_dropped_queue")
                int queue,
        @Setting(
                        value =
                                "Records also of calls that no application took, as those of scanners and those"
                                        + " refused for overload.",
                        standard = "false")
                boolean withoutApplication,
        @Setting(
                        value =
                                "So many digits at the end of each telephone number are replaced by stars, and"
                                        + " display names left out; 0: nothing is hidden.",
                        standard = "0",
                        min = "0",
                        max = "32")
                int maskDigits,
        @Setting(
                        value =
                                "Whether a record holds the asserted identity of a caller who asks for privacy"
                                        + " (Privacy: id).",
                        standard = "false")
                boolean privateIdentities,
        @Setting(
                        value =
                                "Whether a record holds the lines of offer and answer that name media and codecs.",
                        standard = "false")
                boolean codecs) {

    public CdrSettings {
        if (webhook != null && webhookKeyFile == null) {
            throw new IllegalArgumentException(
                    "webhook: needs webhook-key-file; without a key nobody can tell whose records"
                            + " they are");
        }
    }

    /** Is there any place for records? */
    public boolean configured() {
        return file != null
                || csv != null
                || postgresql != null
                || webhook != null
                || kafka != null;
    }
}
