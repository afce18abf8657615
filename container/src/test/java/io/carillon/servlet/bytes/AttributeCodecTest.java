package io.carillon.servlet.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.net.URI;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values of distributable applications, read back from bytes that somebody may have changed. */
class AttributeCodecTest {
    /** Of the application: its loader is this test's. */
    private static final ClassLoader APPLICATION = new ClassLoader("application", null) {};

    private static final AtomicInteger RUN = new AtomicInteger();

    /** Runs code when it is read: not of the application, though on the class path. */
    private static final class Gadget implements Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            RUN.incrementAndGet();
        }
    }

    private static final class Handler implements InvocationHandler, Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
            return 1;
        }
    }

    private static byte[] serialized(Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        return bytes.toByteArray();
    }

    /** As {@link AttributeCodec} writes a serialized value; its kind is 6. */
    private static Object read(byte[] serialized) {
        byte[] state = new StateWriter().putVarint(6).putBytes(serialized).toByteArray();
        return new AttributeCodec(AttributeCodec.table(), APPLICATION)
                .readReference(new StateReader(state));
    }

    static List<Object> harmless() {
        return List.of(
                new ArrayList<>(List.of("a", 1L)),
                new TreeMap<>(Map.of("a", LocalDate.of(2026, 1, 2))),
                new BigInteger("12345678901234567890"),
                new int[][] {{1, 2}, {3}},
                // Its bytes name locks, which its classes had once.
                new ConcurrentHashMap<>(Map.of("a", 1)),
                Thread.State.NEW);
    }

    @ParameterizedTest
    @MethodSource("harmless")
    void plainValuesComeBack(Object value) throws Exception {
        assertThat(read(serialized(value))).isEqualTo(value);
    }

    @SuppressWarnings("URLEqualsHashCode") // that it looks names up is why it stands here
    static List<Object> harmful() throws Exception {
        Map<Object, Object> hidden = new HashMap<>();
        hidden.put("x", new ArrayList<>(List.of(new Gadget())));
        List<Object> deep = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            deep = new ArrayList<>(List.of(deep));
        }
        return List.of(
                new Gadget(),
                new ArrayList<>(List.<Object>of((Object) new Gadget[1])),
                hidden,
                // What looks a name up as soon as a map compares it.
                new HashMap<>(Map.of(URI.create("http://x.invalid").toURL(), "x")),
                Proxy.newProxyInstance(
                        AttributeCodecTest.class.getClassLoader(),
                        new Class<?>[] {Comparable.class},
                        new Handler()),
                (java.util.Comparator<String> & Serializable) String::compareTo,
                deep,
                new byte[20 << 20]);
    }

    @ParameterizedTest
    @MethodSource("harmful")
    void whatCouldRunCodeOrFillTheMemoryIsRefused(Object value) throws Exception {
        byte[] bytes = serialized(value);
        assertThatThrownBy(() -> read(bytes)).isInstanceOf(StateFormatException.class);
        assertThat(RUN).hasValue(0);
    }

    @Test
    void bytesThatAreNoObjectAreRefused() {
        assertThatThrownBy(() -> read(new byte[] {1, 2, 3}))
                .isInstanceOf(StateFormatException.class);
    }

    @Test
    void withoutADistributableApplicationNothingIsSerialized() {
        List<Object> table = AttributeCodec.table();
        StateWriter out = new StateWriter();
        Object value = new ArrayList<>(List.of("x"));
        new AttributeCodec(table, null).write(out, value);
        assertThat(table).containsExactly(value);
        assertThat(out.length()).isLessThan(5);
        assertThat(
                        new AttributeCodec(table, null)
                                .readReference(new StateReader(out.toByteArray())))
                .isSameAs(value);
    }
}
