package io.carillon.grid.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.port.CallStore.State;
import java.util.List;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes past Infinispan into its memory, and what is left to it. */
class NodeMemoryTest {
    private static final int PARTITION = 3;
    private static final String KEY = Stored.key(PARTITION, "call");

    private final DefaultCacheManager manager = new DefaultCacheManager();
    private NodeMemory memory = memory();

    private NodeMemory memory() {
        manager.defineConfiguration(
                "calls",
                new ConfigurationBuilder()
                        .clustering()
                        .hash()
                        .numSegments(1024)
                        .keyPartitioner(new PartitionKeys())
                        .build());
        return new NodeMemory(manager.<String, byte[]>getCache("calls").getAdvancedCache());
    }

    @BeforeEach
    void empty() {
        manager.getCache("calls").clear();
    }

    @AfterEach
    void stop() {
        manager.stop();
    }

    private static byte[] value(long term, long sequence) {
        return Stored.value(new State(PARTITION, "call", term, sequence, new byte[] {1}));
    }

    private byte[] stored() {
        byte[] value = manager.<String, byte[]>getCache("calls").get(KEY);
        assertThat(value).isNotNull();
        return value;
    }

    @Test
    void theLaterStateStaysAndInfinispanSeesIt() {
        assertThat(memory.store(PARTITION, KEY, Change.KEEP_LATER, value(1, 5))).isTrue();
        assertThat(memory.store(PARTITION, KEY, Change.KEEP_LATER, value(1, 4))).isTrue();
        assertThat(stored()).isEqualTo(value(1, 5));
        assertThat(memory.store(PARTITION, KEY, Change.KEEP_LATER, value(2, 1))).isTrue();
        assertThat(stored()).isEqualTo(value(2, 1));
    }

    @Test
    void aRemovalIsForgottenWhenNothingElseIsStored() {
        byte[] removal = Stored.value(new State(PARTITION, "call", 1, 5, null));
        memory.store(PARTITION, KEY, Change.KEEP_LATER, removal);
        memory.store(PARTITION, KEY, Change.KEEP_LATER, value(1, 6));
        assertThat(memory.store(PARTITION, KEY, Change.FORGET_REMOVED, removal)).isTrue();
        assertThat(stored()).isEqualTo(value(1, 6));
        byte[] later = Stored.value(new State(PARTITION, "call", 1, 7, null));
        memory.store(PARTITION, KEY, Change.KEEP_LATER, later);
        assertThat(memory.store(PARTITION, KEY, Change.FORGET_REMOVED, later)).isTrue();
        assertThat(manager.getCache("calls").get(KEY)).isNull();
    }

    /** It has read what was there, and stores over whatever is there when others have answered. */
    @Test
    void aKeyThatInfinispanWritesIsLeftToIt() {
        memory.begins(List.of(KEY));
        memory.begins(List.of(KEY));
        assertThat(memory.store(PARTITION, KEY, Change.KEEP_LATER, value(1, 5))).isFalse();
        memory.ended(List.of(KEY));
        assertThat(memory.store(PARTITION, KEY, Change.KEEP_LATER, value(1, 5))).isFalse();
        assertThat(memory.given(PARTITION, KEY, value(1, 3))).as("from another holder").isTrue();
        assertThat(stored()).isEqualTo(value(1, 3));
        manager.getCache("calls").clear();
        assertThat(manager.getCache("calls").get(KEY)).isNull();
        memory.ended(List.of(KEY));
        assertThat(memory.store(PARTITION, KEY, Change.KEEP_LATER, value(1, 5))).isTrue();
    }
}
