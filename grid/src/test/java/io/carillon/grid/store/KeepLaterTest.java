package io.carillon.grid.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.port.CallStore.State;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.infinispan.functional.EntryView.ReadWriteEntryView;
import org.infinispan.functional.MetaParam;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A node that holds a record has the latest state of it after each write. */
class KeepLaterTest {
    private byte @Nullable [] stored;

    @Test
    void theLaterOfTwoStays() {
        byte[] first = value(1, 7);
        byte[] second = value(1, 8);
        byte[] nextTerm = value(2, 1);
        assertThat(written(first, null)).isSameAs(first);
        assertThat(written(second, first)).isSameAs(second);
        assertThat(written(nextTerm, second)).isSameAs(nextTerm);
        assertThat(written(second, nextTerm)).isSameAs(nextTerm);
    }

    /** What is seen as there may lie on another node, which had the write before this one. */
    @Test
    void whatAnotherNodeHasAlreadyIsStoredHereToo() {
        byte[] asked = value(1, 7);
        assertThat(written(value(1, 7), asked)).isEqualTo(asked);
        byte[] later = value(1, 8);
        assertThat(written(value(1, 7), later)).isSameAs(later);
    }

    private byte @Nullable [] written(byte[] value, byte @Nullable [] seen) {
        stored = null;
        KeepLater.INSTANCE.apply(value, view(seen));
        return stored;
    }

    private static byte[] value(long term, long sequence) {
        return Stored.value(new State(3, "call", term, sequence, new byte[] {1, 2}));
    }

    /** An entry that is seen, whoever has it; what is set lies here. */
    @SuppressWarnings("unchecked")
    private ReadWriteEntryView<String, byte[]> view(byte @Nullable [] seen) {
        return (ReadWriteEntryView<String, byte[]>)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {ReadWriteEntryView.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "find" -> Optional.ofNullable(seen);
                                    case "set" -> {
                                        stored = (byte[]) arguments[0];
                                        assertThat((MetaParam.Writable[]) arguments[1]).isEmpty();
                                        yield null;
                                    }
                                    default -> throw new AssertionError(method.getName());
                                });
    }
}
