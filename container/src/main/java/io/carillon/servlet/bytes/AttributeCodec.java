package io.carillon.servlet.bytes;

import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How values of applications lie in the bytes of a session: text and numbers as themselves, and for
 * distributable applications whatever is serializable, behind an allow list. Anything else goes by
 * reference into a side table that stays on this node; in a record for another node ({@link
 * #record}) the container's objects go by value ({@link ContainerValues}), and what is left stays
 * behind and is named.
 *
 * <p>Owner: whoever holds the turn of the session that is written or read.
 */
public final class AttributeCodec {
    private static final int NULL = 0;
    private static final int TEXT = 1;
    private static final int LONG = 2;
    private static final int INT = 3;
    private static final int BOOLEAN = 4;
    private static final int REFERENCE = 5;
    private static final int SERIALIZED = 6;
    private static final int OF_CONTAINER = 7;
    private static final int LEFT_OUT = 8;
    private static final int DOUBLE = 9;
    private static final int FLOAT = 10;
    private static final int SHORT = 11;
    private static final int BYTE = 12;
    private static final int CHAR = 13;
    private static final int MAX_KEPT = 10_000;
    private static final int MAX_ATTRIBUTES = 10_000;
    private static final int MAX_DEPTH = 200;
    private static final long MAX_REFERENCES = 1_000_000;
    private static final long MAX_ARRAY = 16L << 20;
    private static final int SMALL_TABLE = 64;

    /** Of the container's own objects. */
    private static final String CONTAINER =
            AttributeCodec.class.getPackageName().replaceFirst("bytes$", "");

    private static final ObjectInputFilter.Status REJECTED = ObjectInputFilter.Status.REJECTED;

    /** Of the JDK: values, and collections of them. Not what lies in packages below these. */
    private static final Set<String> PLAIN =
            Set.of(
                    "java.lang",
                    "java.util",
                    "java.util.concurrent",
                    "java.util.concurrent.atomic",
                    "java.util.concurrent.locks", // in the bytes of a ConcurrentHashMap
                    "java.time",
                    "java.math");

    private final List<Object> references;
    private final @Nullable ClassLoader classes;
    private final @Nullable ContainerValues values;
    private final List<LeftOut> leftOut;

    /**
     * A value that could not go.
     *
     * @param where its name: of the attribute, or what it is
     * @param type name of the class that is the reason
     */
    public record LeftOut(String where, String type) {}

    /**
     * @param references the side table: filled by writing, read by reading
     * @param classes loader of a distributable application, whose values are serialized; null for
     *     any other
     */
    public AttributeCodec(List<Object> references, @Nullable ClassLoader classes) {
        this(references, classes, null);
    }

    private AttributeCodec(
            List<Object> references,
            @Nullable ClassLoader classes,
            @Nullable ContainerValues values) {
        this.references = references;
        this.classes = classes;
        this.values = values;
        this.leftOut = new ArrayList<>();
    }

    /**
     * One for bytes that another node reads.
     *
     * @param values the container's own objects
     * @param classes as above
     */
    public static AttributeCodec record(ContainerValues values, @Nullable ClassLoader classes) {
        return new AttributeCodec(List.of(), classes, values);
    }

    /** Is it for bytes that another node reads? */
    public boolean forAnother() {
        return values != null;
    }

    /** What stayed behind in what was written, or read, so far. */
    public List<LeftOut> leftOut() {
        return leftOut;
    }

    public void write(StateWriter out, Attributes attributes) {
        if (attributes.isEmpty()) {
            out.putVarint(0);
            return;
        }
        List<String> names = attributes.names();
        out.putVarint(names.size());
        for (String name : names) {
            out.putString(name);
            write(out, attributes.kept(name), name);
        }
    }

    public Attributes readAttributes(StateReader in) {
        int count = in.getCount(MAX_ATTRIBUTES);
        Attributes attributes = new Attributes();
        for (int i = 0; i < count; i++) {
            String name = in.needString();
            Object value = read(in, name);
            if (value != null) {
                attributes.put(name, value);
            }
        }
        return attributes;
    }

    public void write(StateWriter out, @Nullable Object value) {
        write(out, value, "");
    }

    /**
     * Writes a value.
     *
     * @param where what it is, for {@link #leftOut}
     */
    public void write(StateWriter out, @Nullable Object value, String where) {
        switch (value) {
            case null -> out.putVarint(NULL);
            case String text -> out.putVarint(TEXT).putString(text);
            case Long number -> out.putVarint(LONG).putSigned(number);
            case Integer number -> out.putVarint(INT).putSigned(number);
            case Boolean flag -> out.putVarint(BOOLEAN).putBoolean(flag);
            case Double number ->
                    out.putVarint(DOUBLE).putSigned(Double.doubleToRawLongBits(number));
            case Float number -> out.putVarint(FLOAT).putSigned(Float.floatToRawIntBits(number));
            case Short number -> out.putVarint(SHORT).putSigned(number);
            case Byte number -> out.putVarint(BYTE).putSigned(number);
            case Character character -> out.putVarint(CHAR).putVarint(character);
            default -> writeObject(out, value, where);
        }
    }

    private void writeObject(StateWriter out, Object value, String where) {
        ContainerValues own = values;
        if (own == null) {
            if (classes != null && value instanceof Serializable && !ofTheContainer(value)) {
                out.putVarint(SERIALIZED).putBytes(serialize(value, references));
            } else {
                out.putVarint(REFERENCE).putVarint(references.size());
                references.add(value);
            }
            return;
        }
        byte[] ofContainer = own.bytes(value);
        if (ofContainer != null) {
            out.putVarint(OF_CONTAINER).putBytes(ofContainer);
        } else if (classes == null || !(value instanceof Serializable) || ofTheContainer(value)) {
            leave(out, where, value.getClass().getName());
        } else {
            writeSerialized(out, value, where, own);
        }
    }

    /** The objects of the container that are in it first, then its own bytes. */
    private void writeSerialized(StateWriter out, Object value, String where, ContainerValues own) {
        List<Object> kept = new ArrayList<>();
        List<byte[]> bytesOfKept = new ArrayList<>();
        byte[] bytes;
        int mark = own.mark();
        try {
            bytes = serialize(value, kept);
            for (Object one : kept) {
                byte[] ofOne = own.bytes(one);
                if (ofOne == null) {
                    throw new NotSerializableException(one.getClass().getName());
                }
                bytesOfKept.add(ofOne);
            }
        } catch (IllegalArgumentException | NotSerializableException e) {
            own.back(mark);
            leave(out, where, reason(e, value, where));
            return;
        }
        out.putVarint(SERIALIZED).putVarint(bytesOfKept.size());
        bytesOfKept.forEach(out::putBytes);
        out.putBytes(bytes);
    }

    /** The class that is the reason, where the JDK says which, and where it lies. */
    private static String reason(Exception e, Object value, String where) {
        String whole = value.getClass().getName();
        Throwable cause = e instanceof NotSerializableException ? e : e.getCause();
        String inner = cause instanceof NotSerializableException ? cause.getMessage() : null;
        if (inner == null || inner.equals(whole)) {
            return whole;
        }
        String path = PathToFault.of(value, where, inner);
        return whole + " (" + inner + " in it" + (path == null ? ")" : ": " + path + ")");
    }

    private void leave(StateWriter out, String where, String type) {
        leftOut.add(new LeftOut(where, type));
        out.putVarint(LEFT_OUT).putString(type);
    }

    /** Messages, sessions and timers: kept as references, or by {@link ContainerValues}. */
    public static boolean ofTheContainer(Object value) {
        String name = value.getClass().getName();
        return name.startsWith(CONTAINER) || name.startsWith("io.carillon.bridge.");
    }

    public @Nullable Object readReference(StateReader in) {
        return read(in, "");
    }

    /**
     * Reads what {@link #write(StateWriter, Object, String)} wrote.
     *
     * @return null for nothing, and for what stayed behind
     */
    public @Nullable Object read(StateReader in, String where) {
        int kind = in.getCount(CHAR);
        return switch (kind) {
            case NULL -> null;
            case TEXT -> in.needString();
            case LONG -> in.getSigned();
            case INT -> (int) in.getSigned();
            case BOOLEAN -> in.getBoolean();
            case REFERENCE -> references.get(in.getCount(references.size() - 1));
            case OF_CONTAINER -> ofContainer(in);
            case LEFT_OUT -> {
                leftOut.add(new LeftOut(where, in.needString()));
                yield null;
            }
            case DOUBLE -> Double.longBitsToDouble(in.getSigned());
            case FLOAT -> Float.intBitsToFloat((int) in.getSigned());
            case SHORT -> (short) in.getSigned();
            case BYTE -> (byte) in.getSigned();
            case CHAR -> (char) in.getCount(Character.MAX_VALUE);
            default -> readSerialized(in);
        };
    }

    private @Nullable Object ofContainer(StateReader in) {
        ContainerValues own = values;
        byte[] bytes = in.getBytes();
        if (own == null || bytes == null) {
            throw new StateFormatException("an object of the container, by value");
        }
        return own.read(bytes);
    }

    private Object readSerialized(StateReader in) {
        if (values == null) {
            return deserialize(in.getBytes(), references);
        }
        List<Object> kept = new ArrayList<>();
        for (int i = in.getCount(MAX_KEPT); i > 0; i--) {
            Object one = ofContainer(in);
            kept.add(one == null ? GONE : one);
        }
        return deserialize(in.getBytes(), kept);
    }

    /** In the place of an object of the container inside of a value: where it is in the table. */
    private record Kept(int at) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    /** In the table for what is no more; null in the value. */
    private static final Object GONE = new Object();

    private byte[] serialize(Object value, List<Object> kept) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new Referring(bytes, kept)) {
            out.writeObject(value);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "cannot be serialized: " + value.getClass().getName(), e);
        }
        return bytes.toByteArray();
    }

    private Object deserialize(byte @Nullable [] bytes, List<Object> kept) {
        if (bytes == null) {
            throw new StateFormatException("no bytes of a serialized value");
        }
        try (ObjectInputStream in = new OfApplication(bytes, kept)) {
            in.setObjectInputFilter(info -> fits(info, bytes.length) ? allow(info) : REJECTED);
            return in.readObject();
        } catch (IOException | ClassNotFoundException | RuntimeException e) {
            // Classes check what they read by exceptions of many kinds.
            throw new StateFormatException("a serialized value", e);
        }
    }

    /**
     * What declares more than its bytes can hold would take memory for it: an element has a byte at
     * least, and a hash table at most four slots for each.
     */
    private static boolean fits(ObjectInputFilter.FilterInfo info, int bytes) {
        return info.arrayLength() <= 4L * bytes + SMALL_TABLE;
    }

    /**
     * Values of the JDK's plain packages and of the application's own classes; nothing else on the
     * class path, nothing that runs code by being read, and no more than a session can hold.
     */
    private ObjectInputFilter.Status allow(ObjectInputFilter.FilterInfo info) {
        if (info.depth() > MAX_DEPTH
                || info.references() > MAX_REFERENCES
                || info.arrayLength() > MAX_ARRAY) {
            return ObjectInputFilter.Status.REJECTED;
        }
        Class<?> type = info.serialClass();
        if (type == null) {
            return ObjectInputFilter.Status.UNDECIDED;
        }
        while (type.isArray()) {
            type = type.getComponentType();
        }
        return type.isPrimitive()
                        || type == Kept.class
                        || ByReference.class.isAssignableFrom(type) // resolved: none is read
                        || PLAIN.contains(type.getPackageName())
                        || type.getClassLoader() == classes
                ? ObjectInputFilter.Status.ALLOWED
                : REJECTED;
    }

    private static final class Referring extends ObjectOutputStream {
        private final List<Object> kept;

        @SuppressWarnings("this-escape") // no subclass
        Referring(ByteArrayOutputStream bytes, List<Object> kept) throws IOException {
            super(bytes);
            this.kept = kept;
            enableReplaceObject(true);
        }

        @Override
        protected Object replaceObject(Object value) {
            if (!(value instanceof ByReference)) {
                return value;
            }
            kept.add(value);
            return new Kept(kept.size() - 1);
        }
    }

    private final class OfApplication extends ObjectInputStream {
        private final List<Object> kept;

        @SuppressWarnings("this-escape") // no subclass
        OfApplication(byte[] bytes, List<Object> kept) throws IOException {
            super(new ByteArrayInputStream(bytes));
            this.kept = kept;
            enableResolveObject(true);
        }

        @Override
        protected @Nullable Object resolveObject(Object value) {
            Object one = value instanceof Kept place ? kept.get(place.at()) : value;
            return one == GONE ? null : one;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass described)
                throws IOException, ClassNotFoundException {
            Class<?> type = named(described);
            if (ByReference.class.isAssignableFrom(type)) {
                throw new InvalidClassException(type.getName(), "is kept as a reference");
            }
            return type;
        }

        private Class<?> named(ObjectStreamClass described)
                throws IOException, ClassNotFoundException {
            try {
                return Class.forName(described.getName(), false, classes);
            } catch (ClassNotFoundException e) {
                return super.resolveClass(described);
            }
        }
    }

    /** A side table for one round. */
    public static List<Object> table() {
        return new ArrayList<>();
    }
}
