package io.carillon.servlet.feature.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.bytes.RecordHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Where the records of calls are found that nobody has asked for yet. */
class RecordIndexTest {
    private static final int RECORDS = 2_000;
    private static final int DIALOGS = 40;

    private final RecordIndex index = new RecordIndex();

    private static KnownRecord record(int number) {
        List<Long> dialogs = LongStream.range(0, DIALOGS).boxed().toList();
        return new KnownRecord(
                null, // nobody asks for it
                new RecordHeader("app", "app.war", "r" + number, null, 1, 1, 1, 0, true, dialogs),
                1);
    }

    /** A reader finds records of a partition while this node loses it. */
    @Test
    void aRecordThatIsRemovedWhileItIsAddedIsOnNoDialog() throws Exception {
        List<KnownRecord> records = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            records.add(record(i));
        }
        CyclicBarrier both = new CyclicBarrier(2);
        try (var threads = Executors.newFixedThreadPool(2)) {
            Future<?> adds =
                    threads.submit(() -> {
                        for (KnownRecord each : records) {
                            both.await();
                            index.add(each);
                        }
                        return null;
                    });
            Future<?> removes =
                    threads.submit(() -> {
                        for (KnownRecord each : records) {
                            both.await();
                            while (index.find(each.id) == null) {
                                Thread.onSpinWait();
                            }
                            index.remove(each);
                        }
                        return null;
                    });
            adds.get();
            removes.get();
        }
        assertThat(index.isEmpty()).isTrue();
        for (long dialog = 0; dialog < DIALOGS; dialog++) {
            assertThat(index.on(dialog)).isEmpty();
        }
    }
}
