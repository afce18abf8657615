package io.carillon.cdr.kafka;

import io.carillon.telemetry.records.RecordException;
import io.carillon.telemetry.records.RecordSender;
import io.carillon.telemetry.records.RecordSenders;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/** Makes senders to Kafka. Stateless. */
public final class KafkaSenders implements RecordSenders {
    /** While the brokers are away a batch is given up after that, and waits in the spool. */
    private static final int BLOCK_MILLIS = 10_000;

    private static final int REQUEST_MILLIS = 10_000;
    private static final int DELIVERY_MILLIS = 20_000;

    /** Each try that fails is a warning of Kafka's in the log. */
    private static final int RECONNECT_MILLIS = 5_000;

    /** What a file may set otherwise. */
    private static final Map<String, Object> STANDARD =
            Map.of(
                    ProducerConfig.CLIENT_ID_CONFIG, "carillon-cdr",
                    ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK_MILLIS,
                    ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_MILLIS,
                    ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_MILLIS,
                    ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_MILLIS,
                    ProducerConfig.LINGER_MS_CONFIG, 0);

    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public RecordSender open(String target, String topic, @Nullable Path settings)
            throws RecordException {
        Properties all = new Properties();
        all.putAll(STANDARD);
        if (settings != null) {
            try (Reader file = Files.newBufferedReader(settings)) {
                all.load(file);
            } catch (IOException | IllegalArgumentException e) {
                throw new RecordException(settings + " cannot be read: " + e, e);
            }
        }
        // A record that was taken is on all replicas in sync, once, in order.
        all.put(ProducerConfig.ACKS_CONFIG, "all");
        all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        all.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, target);
        all.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        all.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        check(target, all);
        // Brokers whose names nobody knows now may be known later: it is made when it is needed.
        return new KafkaSender(() -> producer(all), topic);
    }

    private static void check(String target, Properties all) throws RecordException {
        for (String broker : target.split(",", -1)) {
            if (Utils.getPort(broker.strip()) == null) {
                throw new RecordException("HOST:PORT, not " + broker);
            }
        }
        try {
            var _ = ProducerConfig.configDef().parse(all);
        } catch (ConfigException e) {
            throw new RecordException(String.valueOf(e.getMessage()), e);
        }
    }

    private static KafkaProducer<String, String> producer(Properties all) throws IOException {
        try {
            return new KafkaProducer<>(all);
        } catch (KafkaException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(cause.getMessage(), e);
        }
    }
}
