package io.carillon.servlet.bytes;

import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
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
 * How values of applications lie in the bytes of a session: text and numbers as themselves;
 * anything else by reference into a side table that stays on this node, or, for distributable
 * applications, serialized behind an allow list.
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
                    "java.time",
                    "java.math");

    private final List<Object> references;
    private final @Nullable ClassLoader classes;

    /**
     * @param references the side table: filled by writing, read by reading
     * @param classes loader of a distributable application, whose values are serialized; null for
     *     any other
     */
    public AttributeCodec(List<Object> references, @Nullable ClassLoader classes) {
        this.references = references;
        this.classes = classes;
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
            write(out, attributes.get(name));
        }
    }

    public Attributes readAttributes(StateReader in) {
        int count = in.getCount(MAX_ATTRIBUTES);
        Attributes attributes = new Attributes();
        for (int i = 0; i < count; i++) {
            String name = in.needString();
            Object value = readReference(in);
            if (value != null) {
                attributes.put(name, value);
            }
        }
        return attributes;
    }

    public void write(StateWriter out, @Nullable Object value) {
        switch (value) {
            case null -> out.putVarint(NULL);
            case String text -> out.putVarint(TEXT).putString(text);
            case Long number -> out.putVarint(LONG).putSigned(number);
            case Integer number -> out.putVarint(INT).putSigned(number);
            case Boolean flag -> out.putVarint(BOOLEAN).putBoolean(flag);
            default -> {
                if (classes != null && value instanceof Serializable && !ofTheContainer(value)) {
                    out.putVarint(SERIALIZED).putBytes(serialize(value));
                } else {
                    out.putVarint(REFERENCE).putVarint(references.size());
                    references.add(value);
                }
            }
        }
    }

    /** Messages, sessions and timers are kept as references. */
    public static boolean ofTheContainer(Object value) {
        String name = value.getClass().getName();
        return name.startsWith(CONTAINER) || name.startsWith("io.carillon.bridge.");
    }

    public @Nullable Object readReference(StateReader in) {
        int kind = in.getCount(SERIALIZED);
        return switch (kind) {
            case NULL -> null;
            case TEXT -> in.needString();
            case LONG -> in.getSigned();
            case INT -> (int) in.getSigned();
            case BOOLEAN -> in.getBoolean();
            case REFERENCE -> references.get(in.getCount(references.size() - 1));
            default -> deserialize(in.getBytes());
        };
    }

    /** In the place of an object of the container inside of a value: where it is in the table. */
    private record Kept(int at) implements Serializable {}

    private byte[] serialize(Object value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new Referring(bytes)) {
            out.writeObject(value);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "cannot be serialized: " + value.getClass().getName(), e);
        }
        return bytes.toByteArray();
    }

    private Object deserialize(byte @Nullable [] bytes) {
        if (bytes == null) {
            throw new StateFormatException("no bytes of a serialized value");
        }
        try (ObjectInputStream in = new OfApplication(bytes)) {
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

    private final class Referring extends ObjectOutputStream {
        @SuppressWarnings("this-escape") // no subclass
        Referring(ByteArrayOutputStream bytes) throws IOException {
            super(bytes);
            enableReplaceObject(true);
        }

        @Override
        protected Object replaceObject(Object value) {
            if (!(value instanceof ByReference)) {
                return value;
            }
            references.add(value);
            return new Kept(references.size() - 1);
        }
    }

    private final class OfApplication extends ObjectInputStream {
        @SuppressWarnings("this-escape") // no subclass
        OfApplication(byte[] bytes) throws IOException {
            super(new ByteArrayInputStream(bytes));
            enableResolveObject(true);
        }

        @Override
        protected Object resolveObject(Object value) {
            return value instanceof Kept kept ? references.get(kept.at()) : value;
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
