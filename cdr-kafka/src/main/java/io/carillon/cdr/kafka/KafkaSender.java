package io.carillon.cdr.kafka;

import io.carillon.telemetry.records.RecordSender;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes records into a topic: the value is the record's JSON, the key the id of its call, so that
 * all records of a call lie in one partition, in order. By the sink's thread.
 */
final class KafkaSender implements RecordSender {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration CLOSE = Duration.ofSeconds(2);

    private final Opening opening;
    private final String topic;
    private @Nullable Producer<String, String> producer;

    /** Makes a producer; may fail for now. */
    interface Opening {
        Producer<String, String> open() throws IOException;
    }

    KafkaSender(Opening opening, String topic) {
        this.opening = opening;
        this.topic = topic;
    }

    @Override
    public void send(List<String> json) throws IOException, InterruptedException {
        Producer<String, String> open = producer;
        if (open == null) {
            open = opening.open();
            producer = open;
        }
        try {
            List<Future<RecordMetadata>> sent = new ArrayList<>(json.size());
            for (String one : json) {
                Future<RecordMetadata> last = open.send(new ProducerRecord<>(topic, key(one), one));
                if (last.isDone()) {
                    // It has failed: with the brokers away each further one would wait as long.
                    last.get();
                }
                sent.add(last);
            }
            open.flush();
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        } catch (InterruptException e) {
            throw stopped(e);
        } catch (ExecutionException e) {
            throw failed(e.getCause() == null ? e : e.getCause());
        } catch (KafkaException e) {
            throw failed(e);
        }
    }

    private static InterruptedException stopped(InterruptException e) {
        InterruptedException same = new InterruptedException(e.getMessage());
        same.initCause(e);
        return same;
    }

    /**
     * A fatal failure, as of a sequence that the broker does not know any more, is one of this
     * producer: the next one begins anew.
     */
    private IOException failed(Throwable cause) {
        if (cause instanceof RecordTooLargeException || cause instanceof CorruptRecordException) {
            return new Refused(String.valueOf(cause.getMessage()), cause);
        }
        close();
        return new IOException(String.valueOf(cause.getMessage()), cause);
    }

    private static String key(String json) throws Refused {
        JsonNode record;
        try {
            record = JSON.readTree(json);
        } catch (JacksonException e) {
            throw new Refused("no record: " + e.getOriginalMessage(), e);
        }
        return record.path("call").asString(record.path("id").asString(""));
    }

    @Override
    public void close() {
        Producer<String, String> open = producer;
        producer = null;
        if (open != null) {
            open.close(CLOSE);
        }
    }
}
