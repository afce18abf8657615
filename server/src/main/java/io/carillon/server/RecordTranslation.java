package io.carillon.server;

import io.carillon.server.config.CdrSettings;
import io.carillon.server.start.StartException;
import io.carillon.telemetry.records.RecordConfig;
import io.carillon.telemetry.records.RecordException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The {@code cdr} section as call records know it. Stateless. */
final class RecordTranslation {
    private static final String PREFIX = "cdr.";

    private RecordTranslation() {}

    /**
     * @throws StartException when a file of a key or a password cannot be read
     */
    static RecordConfig of(CdrSettings cdr) throws StartException {
        try {
            return new RecordConfig(
                    new RecordConfig.Files(
                            cdr.file(),
                            cdr.csv(),
                            cdr.rotateSize().bytes(),
                            cdr.rotateAfter(),
                            cdr.keep(),
                            cdr.keepSize().bytes()),
                    elsewhere(cdr),
                    cdr.spoolSize().bytes(),
                    cdr.interval(),
                    cdr.maxLegs(),
                    cdr.queue(),
                    new RecordConfig.Content(
                            cdr.withoutApplication(),
                            cdr.maskDigits(),
                            cdr.privateIdentities(),
                            cdr.codecs()));
        } catch (RecordException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
    }

    private static List<RecordConfig.Elsewhere> elsewhere(CdrSettings cdr) throws RecordException {
        List<RecordConfig.Elsewhere> all = new ArrayList<>();
        if (cdr.postgresql() != null) {
            all.add(
                    RecordConfig.Elsewhere.postgresql(
                            cdr.postgresql(),
                            cdr.postgresqlUser(),
                            cdr.postgresqlPasswordFile(),
                            PREFIX));
        }
        Path key = cdr.webhookKeyFile();
        if (cdr.webhook() != null && key != null) {
            all.add(RecordConfig.Elsewhere.webhook(cdr.webhook(), key, PREFIX));
        }
        if (cdr.kafka() != null) {
            all.add(
                    RecordConfig.Elsewhere.kafka(
                            cdr.kafka(), cdr.kafkaTopic(), cdr.kafkaSettingsFile(), PREFIX));
        }
        return all;
    }
}
