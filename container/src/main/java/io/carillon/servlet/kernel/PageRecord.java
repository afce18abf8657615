package io.carillon.servlet.kernel;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.servlet.bytes.Attributes;
import io.carillon.servlet.bytes.ContainerValues;
import io.carillon.servlet.header.AddressFactory;
import io.carillon.servlet.header.ServletAddress;
import io.carillon.servlet.header.ServletUri;
import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.servlet.ServletContext;
import javax.servlet.sip.ServletParseException;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP session as another node reads it. Immutable.
 *
 * @param createdMillis when it began; this and the others by the wall clock
 * @param accessedMillis when its last request began
 * @param lastAccessedMillis when the one before did
 * @param inactiveMillis so long it lives without one; 0 or less: for ever
 * @param owner id of the application session that it belongs to; null for none
 * @param place a token of the partition of that application session; null for none
 */
public record PageRecord(
        long createdMillis,
        long accessedMillis,
        long lastAccessedMillis,
        long inactiveMillis,
        @Nullable String owner,
        @Nullable String place,
        Map<String, Object> attributes) {
    private static final int VERSION = 1;

    /** The number of the section; none of a call has it. */
    private static final int SECTION = 1_000;

    /** Behind it; who does not know of it does not read so far. */
    private static final int PLACE_SECTION = 1_001;

    public PageRecord {
        attributes = Map.copyOf(attributes);
    }

    /** Is its time over? */
    public boolean over(long nowMillis) {
        return over(accessedMillis, inactiveMillis, nowMillis);
    }

    private static boolean over(long accessed, long inactive, long nowMillis) {
        return inactive > 0 && nowMillis - accessed > inactive;
    }

    /** As bytes. What cannot go is left out, and named in the log. Runs code of the application. */
    public byte[] bytes(Application application) {
        StateWriter out = new StateWriter(256);
        out.putVarint(SECTION);
        int section = out.begin(VERSION);
        out.putVarint(createdMillis).putVarint(accessedMillis).putVarint(lastAccessedMillis);
        out.putVarint(Math.max(0, inactiveMillis)).putString(owner);
        AttributeCodec codec = codec(application, null);
        Attributes kept = new Attributes();
        attributes.forEach(kept::put);
        codec.write(out, kept);
        out.end(section);
        if (place != null) {
            out.putVarint(PLACE_SECTION);
            int placed = out.begin(VERSION);
            out.putString(place);
            out.end(placed);
        }
        if (!codec.leftOut().isEmpty()) {
            LeftBehind.tell(application, codec.leftOut());
        }
        return out.toByteArray();
    }

    /**
     * Reads what {@link #bytes} wrote.
     *
     * @param tables where sessions are that it names
     * @throws StateFormatException for other bytes
     */
    public static PageRecord of(byte[] bytes, Application application, SessionTables tables) {
        StateReader in = begin(bytes);
        long created = in.getVarint();
        long accessed = in.getVarint();
        long lastAccessed = in.getVarint();
        long inactive = in.getVarint();
        String owner = in.getString();
        Attributes kept = codec(application, tables).readAttributes(in);
        in.end();
        Map<String, Object> attributes = new LinkedHashMap<>();
        for (String name : kept.names()) {
            Object value = kept.get(name);
            if (value != null) {
                attributes.put(name, value);
            }
        }
        return new PageRecord(
                created, accessed, lastAccessed, inactive, owner, place(bytes), attributes);
    }

    /**
     * Is the time over of what these bytes say? Nothing is made of them.
     *
     * @throws StateFormatException for other bytes
     */
    public static boolean over(byte[] bytes, long nowMillis) {
        StateReader in = begin(bytes);
        var _ = in.getVarint();
        long accessed = in.getVarint();
        var _ = in.getVarint();
        return over(accessed, in.getVarint(), nowMillis);
    }

    /** The id of the application session that these bytes name; null for none. */
    public static @Nullable String owner(byte[] bytes) {
        StateReader in = begin(bytes);
        for (int i = 0; i < 4; i++) {
            var _ = in.getVarint();
        }
        return in.getString();
    }

    /** A token of the partition of that application session; null for none. */
    public static @Nullable String place(byte[] bytes) {
        StateReader in = begin(bytes);
        in.end();
        if (!in.hasMore() || in.getVarint() != PLACE_SECTION) {
            return null; // of an older version, or of a newer one
        }
        in.begin();
        return in.getString();
    }

    private static StateReader begin(byte[] bytes) {
        StateReader in = new StateReader(bytes);
        if (in.getVarint() != SECTION) {
            throw new StateFormatException("no HTTP session");
        }
        in.begin();
        return in;
    }

    private static AttributeCodec codec(Application application, @Nullable SessionTables tables) {
        return AttributeCodec.record(
                new Values(application, tables),
                application.description().distributable() ? application.ownClasses() : null);
    }

    /** The container's objects: sessions by their ids, addresses and URIs by value. */
    private record Values(Application application, @Nullable SessionTables tables)
            implements ContainerValues {
        // The codes are never given to anything else.
        private static final int SESSION = 1;
        private static final int APPLICATION_SESSION = 2;
        private static final int ADDRESS = 3;
        private static final int URI = 4;
        private static final int CONTEXT = 5;

        @Override
        public byte @Nullable [] bytes(Object value) {
            StateWriter out = new StateWriter(64);
            switch (value) {
                case ServletSession own ->
                        out.putVarint(SESSION)
                                .putString(own.parent().getId())
                                .putVarint(own.ordinal());
                case ApplicationSession own ->
                        out.putVarint(APPLICATION_SESSION).putString(own.getId());
                case ServletAddress address -> out.putVarint(ADDRESS).putString(address.toString());
                case ServletUri uri -> out.putVarint(URI).putString(uri.toString());
                case ServletContext context when context == application.context() ->
                        out.putVarint(CONTEXT);
                default -> {
                    return null;
                }
            }
            return out.toByteArray();
        }

        @Override
        public @Nullable Object read(byte[] bytes) {
            StateReader in = new StateReader(bytes);
            try {
                return switch (in.getCount(Integer.MAX_VALUE)) {
                    case SESSION -> session(in.needString(), in.getCount(Integer.MAX_VALUE));
                    case APPLICATION_SESSION -> find(in.needString());
                    case ADDRESS -> AddressFactory.createAddress(in.needString());
                    case URI -> AddressFactory.createURI(in.needString());
                    case CONTEXT -> application.context();
                    default -> null; // of a newer version
                };
            } catch (ServletParseException e) {
                throw new StateFormatException("an address or URI that was kept", e);
            }
        }

        private @Nullable ServletSession session(String id, int ordinal) {
            ApplicationSession found = find(id);
            if (found == null) {
                return null;
            }
            return found.session(ordinal);
        }

        private @Nullable ApplicationSession find(String id) {
            return tables == null ? null : tables.find(id);
        }

        @Override
        public int mark() {
            return 0;
        }

        @Override
        public void back(int mark) {}
    }
}
