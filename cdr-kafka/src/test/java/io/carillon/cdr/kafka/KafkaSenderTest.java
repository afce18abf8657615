package io.carillon.cdr.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.carillon.telemetry.records.CallListener;
import io.carillon.telemetry.records.CallRecords;
import io.carillon.telemetry.records.RecordConfig;
import io.carillon.telemetry.records.RecordException;
import io.carillon.telemetry.records.RecordSender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records for Kafka: what goes into a message, what fails how, and a real broker that is killed.
 */
class KafkaSenderTest {
    private static final Duration BACK = Duration.ofSeconds(120);

    @TempDir Path folder;

    private static String record(int number) {
        return "{\"record\":\"final\",\"id\":\"n-%d\",\"call\":\"c-%d\",\"node\":\"n\"}"
                .formatted(number, number / 2);
    }

    private static MockProducer<String, String> mock() {
        return new MockProducer<>(true, null, new StringSerializer(), new StringSerializer());
    }

    @Test
    void theKeyOfAMessageIsTheCallSoThatItsRecordsStayInOrder() throws Exception {
        MockProducer<String, String> producer = mock();
        KafkaSender sender = new KafkaSender(() -> producer, "calls");
        String own = "{\"record\":\"application\",\"id\":\"n-9\",\"node\":\"n\"}";
        sender.send(List.of(record(2), record(3), own));
        assertThat(producer.history())
                .extracting(ProducerRecord::topic, ProducerRecord::key, ProducerRecord::value)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("calls", "c-1", record(2)),
                        org.assertj.core.groups.Tuple.tuple("calls", "c-1", record(3)),
                        org.assertj.core.groups.Tuple.tuple("calls", "n-9", own));
    }

    @Test
    void whatIsTooLargeIsRefusedAndAllElseComesAgainByANewProducer() throws Exception {
        List<MockProducer<String, String>> made = new ArrayList<>();
        KafkaSender sender =
                new KafkaSender(
                        () -> {
                            made.add(mock());
                            return made.getLast();
                        },
                        "calls");
        sender.send(List.of(record(1)));
        made.getFirst().sendException = new RecordTooLargeException("too large");
        assertThatThrownBy(() -> sender.send(List.of(record(2))))
                .isInstanceOf(RecordSender.Refused.class);
        assertThat(made.getFirst().closed()).isFalse();
        made.getFirst().sendException = new TimeoutException("nobody there");
        assertThatThrownBy(() -> sender.send(List.of(record(2))))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(RecordSender.Refused.class)
                .hasMessageContaining("nobody there");
        assertThat(made.getFirst().closed()).isTrue();
        sender.send(List.of(record(2)));
        assertThat(made).hasSize(2);
    }

    @Test
    void settingsThatCannotBeAreNamedAtTheStart() throws Exception {
        Path settings = folder.resolve("settings");
        assertThatThrownBy(() -> place("kafka.example", null))
                .isInstanceOf(RecordException.class)
                .hasMessage("cdr.kafka: HOST:PORT, not kafka.example");
        assertThatThrownBy(() -> place("127.0.0.1:9092", settings))
                .hasMessageStartingWith("cdr.kafka: " + settings + " cannot be read");
        Files.writeString(settings, "compression.type=of feathers\n");
        assertThatThrownBy(() -> place("127.0.0.1:9092", settings))
                .hasMessageContaining("of feathers");
        Files.writeString(settings, "compression.type=lz4\n");
        assertThat(place("127.0.0.1:9092", settings).name()).isEqualTo("kafka");
    }

    private static RecordConfig.Elsewhere place(String brokers, Path settings)
            throws RecordException {
        return RecordConfig.Elsewhere.kafka(brokers, "calls", settings, "cdr.");
    }

    private CallRecords records(String broker) throws Exception {
        return CallRecords.open(
                new RecordConfig(
                        new RecordConfig.Files(
                                null, null, 1, Duration.ofDays(1), Duration.ofDays(1), 1),
                        List.of(
                                place(
                                        broker,
                                        Files.writeString(
                                                folder.resolve("settings"),
                                                "delivery.timeout.ms=2000\nrequest.timeout.ms=1000\n"
                                                        + "max.block.ms=2000\n"))),
                        1 << 20,
                        Duration.ofMinutes(1),
                        100,
                        1_000,
                        new RecordConfig.Content(false, 0, false, false)),
                folder.resolve("spool"),
                new CallRecords.Place(
                        "n",
                        System::nanoTime,
                        System::currentTimeMillis,
                        peer -> false,
                        peer -> "",
                        false),
                CallListener.NONE);
    }

    private static void write(CallRecords records, int from, int to) {
        for (int i = from; i < to; i++) {
            records.write("billing", 1, Map.of("number", i));
        }
    }

    /** The numbers of all records that the broker has. */
    private static Set<Integer> numbers(String broker, int most) {
        Set<Integer> numbers = new HashSet<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(
                        Map.of(
                                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, broker,
                                ConsumerConfig.GROUP_ID_CONFIG, "test",
                                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"),
                        new StringDeserializer(),
                        new StringDeserializer())) {
            consumer.subscribe(List.of("calls"));
            long until = System.nanoTime() + BACK.toNanos();
            while (numbers.size() < most && System.nanoTime() - until < 0) {
                for (ConsumerRecord<String, String> one : consumer.poll(Duration.ofSeconds(1))) {
                    String value = one.value();
                    int at = value.indexOf("\"number\":") + "\"number\":".length();
                    numbers.add(Integer.parseInt(value.substring(at, value.indexOf('}', at))));
                }
            }
        }
        return numbers;
    }

    @Test
    void aBrokerThatIsKilledGetsEveryRecordWhenItIsBack() throws Exception {
        Path home = Files.createDirectory(folder.resolve("broker"));
        try (BrokerProcess broker = BrokerProcess.start(home)) {
            try (CallRecords records = records(broker.address())) {
                write(records, 0, 300);
                await().atMost(BACK).until(() -> records.counters().get("cdr.records_sent") == 300);
                broker.kill();
                write(records, 300, 900);
                await().atMost(BACK).until(() -> records.counters().get("cdr.now_sinks_away") == 1);
                assertThat(records.counters().get("cdr.now_spool_bytes")).isPositive();

                broker.restart();
                await().atMost(BACK).until(() -> records.counters().get("cdr.records_sent") == 900);
                assertThat(records.counters().get("cdr.now_spool_bytes")).isZero();
            }
            assertThat(numbers(broker.address(), 900))
                    .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 900).boxed().toList());
        }
    }
}
