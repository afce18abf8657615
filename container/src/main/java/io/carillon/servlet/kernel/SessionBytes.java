package io.carillon.servlet.kernel;

import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.servlet.bytes.Attributes;
import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.shard.Shard;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.servlet.http.HttpSession;
import javax.servlet.sip.ServletTimer;
import org.jspecify.annotations.Nullable;

/**
 * An application session with its children and timers as a value, and back: sections, each with its
 * number, version and length, so that a reader skips what it does not know. What is under way is
 * not in it: transactions end with the node that holds them. Pure functions of the turn's holder.
 *
 * <p>Numbers of sections are never given again. A field is added behind the others with a higher
 * version, or in a section of its own. Names stand for the values of enums.
 */
public final class SessionBytes {
    // 1 is io.carillon.servlet.bytes.RecordHeader
    private static final int APPLICATION_SESSION = 2;
    private static final int SESSION = 3;
    private static final int TIMER = 4;
    private static final int HTTP = 5;

    /** Attributes come last: they may hold sessions and timers. */
    private static final int ATTRIBUTES = 6;

    private static final int SESSION_ATTRIBUTES = 7;

    /** In records only, before the attributes, which may hold these requests. */
    private static final int RECEIVED_INVITE = 8;

    private static final int SENT_INVITE = 9;

    /** Behind both, as they may hold each other. */
    private static final int INVITE_ATTRIBUTES = 10;

    private static final int VERSION = 1;

    // 11 is RecordStamp

    private static final int CANCELLED_INVITE = 12;

    /** In records only: what who looks on has to say to who looks on next. */
    private static final int ONLOOKER = 13;

    /** Of {@link #SENT_INVITE}: since 2 it says whether the INVITE was given up. */
    private static final int SENT_INVITE_VERSION = 2;

    private static final int MAX_CHILDREN = 10_000;

    private SessionBytes() {}

    /** Writes the session with its children and timers. */
    public static void write(ApplicationSession session, StateWriter out, AttributeCodec codec) {
        writeOwn(session, out);
        for (ServletSession child : session.sessions()) {
            int section = begin(out, SESSION);
            ChildBytes.write(child, out, codec);
            out.end(section);
        }
        for (ServletTimer timer : session.getTimers()) {
            int section = begin(out, TIMER);
            ((TimerChild) timer).write(out, codec);
            out.end(section);
        }
        if (codec.forAnother()) {
            for (ServletSession child : session.sessions()) {
                OpenInvites.received(child, out, to -> begin(to, RECEIVED_INVITE));
                OpenInvites.sent(child, out, to -> begin(to, SENT_INVITE));
                OpenInvites.cancelled(child, out, to -> begin(to, CANCELLED_INVITE));
            }
            for (ServletSession child : session.sessions()) {
                OpenInvites.attributes(child, codec, out, to -> begin(to, INVITE_ATTRIBUTES));
            }
        }
        writeHttp(session, out);
        if (codec.forAnother()) {
            writeOnlooker(session, out);
        }
        if (!session.attributes.isEmpty()) {
            int section = begin(out, ATTRIBUTES);
            codec.write(out, session.attributes);
            out.end(section);
        }
        for (ServletSession child : session.sessions()) {
            if (!child.attributes.isEmpty()) {
                int section = begin(out, SESSION_ATTRIBUTES);
                out.putVarint(child.ordinal());
                codec.write(out, child.attributes);
                out.end(section);
            }
        }
    }

    private static int begin(StateWriter out, int number) {
        out.putVarint(number);
        return out.begin(number == SENT_INVITE ? SENT_INVITE_VERSION : VERSION);
    }

    private static void writeOwn(ApplicationSession session, StateWriter out) {
        int section = begin(out, APPLICATION_SESSION);
        out.putString(session.getId()).putString(session.key());
        out.putVarint(session.createdAtMillis).putBoolean(session.announced);
        out.putVarint(session.expiry.accessedAtMillis()).putVarint(session.expiry.minutes());
        out.putVarint(session.ordinals());
        out.putBoolean(session.invalidateWhenReady).putBoolean(session.expiry.expired());
        out.putString(session.origin.name());
        out.end(section);
    }

    private static void writeOnlooker(ApplicationSession session, StateWriter out) {
        String kept = session.host().hooks().kept(session);
        if (kept != null) {
            int section = begin(out, ONLOOKER);
            out.putString(kept);
            out.end(section);
        }
    }

    /** An HTTP session is named only: what is in it belongs to the HTTP server's threads. */
    private static void writeHttp(ApplicationSession session, StateWriter out) {
        Set<String> ids = new LinkedHashSet<>(ExpectedPages.of(session));
        for (HttpSession one : session.http().sessions()) {
            ids.add(one.getId());
        }
        if (!ids.isEmpty()) {
            int section = begin(out, HTTP);
            out.putVarint(ids.size());
            ids.forEach(out::putString);
            out.end(section);
        }
    }

    /**
     * Takes the state that {@link #write} wrote, into the children that live and into new ones for
     * those that do not.
     *
     * @throws StateFormatException for other bytes
     */
    public static void read(ApplicationSession session, StateReader in, AttributeCodec codec) {
        var _ = read(session, in, codec, List.of());
    }

    /**
     * As above, of another node's record.
     *
     * @param resumed what {@link #resume} made of it
     * @return what it says beside the session
     */
    static Beside read(
            ApplicationSession session,
            StateReader in,
            AttributeCodec codec,
            List<OpenInvites.Resumed> resumed) {
        Reading reading = new Reading(session, in, codec, resumed);
        reading.all();
        return new Beside(reading.stamp, reading.kept);
    }

    /**
     * What a record says that is not the session's.
     *
     * @param stamp when and by whom it was written
     * @param kept of who looked on there; null for nothing
     */
    record Beside(RecordStamp stamp, @Nullable String kept) {}

    /**
     * Makes the transactions of INVITEs again that another node has received. On the shard's
     * thread, before anything else is read.
     *
     * @param partition of the record
     */
    static List<OpenInvites.Resumed> resume(
            SessionHost host, Shard home, StateReader in, int partition) {
        List<OpenInvites.Resumed> resumed = new ArrayList<>();
        while (in.hasMore()) {
            int number = in.getCount(Integer.MAX_VALUE);
            in.begin();
            OpenInvites.Resumed one =
                    number == RECEIVED_INVITE
                            ? OpenInvites.resume(host, home, in, partition)
                            : null;
            if (one != null) {
                resumed.add(one);
            } else if (number == CANCELLED_INVITE) {
                OpenInvites.answerCancelled(home, in, partition);
            }
            in.end();
        }
        return resumed;
    }

    private static final class Reading {
        private final ApplicationSession session;
        private final StateReader in;
        private final AttributeCodec codec;
        private final List<ServletSession> children = new ArrayList<>();
        private final List<Integer> links = new ArrayList<>();
        private final Set<String> http = new HashSet<>();
        private final List<OpenInvites.Resumed> resumed;
        private RecordStamp stamp = RecordStamp.NONE;
        private @Nullable String kept;
        private boolean own;
        private boolean taken;

        Reading(
                ApplicationSession session,
                StateReader in,
                AttributeCodec codec,
                List<OpenInvites.Resumed> resumed) {
            this.session = session;
            this.in = in;
            this.codec = codec;
            this.resumed = resumed;
        }

        void all() {
            session.attributes.become(new Attributes());
            while (in.hasMore()) {
                section();
            }
            if (!own) {
                throw new StateFormatException("no section of the application session");
            }
            take();
            // The HTTP sessions live in the HTTP server: one that it does not know is over, but
            // those of another node, which their next requests bring here.
            session.http().keepOnly(http);
            if (codec.forAnother() && session.application().description().distributable()) {
                ExpectedPages.expect(session, http);
            }
            for (int i = 0; i < children.size(); i++) {
                int linked = links.get(i);
                children.get(i).link(linked < 0 ? null : session.session(linked));
            }
        }

        private void section() {
            int number = in.getCount(Integer.MAX_VALUE);
            int version = in.begin();
            if (!own && number > APPLICATION_SESSION && number <= SESSION_ATTRIBUTES) {
                throw new StateFormatException("section " + number + " before the first");
            }
            switch (number) {
                case APPLICATION_SESSION -> readOwn();
                case SESSION -> readChild();
                case TIMER -> session.host().hooks().readTimer(session, in, codec);
                case RECEIVED_INVITE -> take();
                case SENT_INVITE -> {
                    take();
                    OpenInvites.readSent(session, in, version);
                }
                case INVITE_ATTRIBUTES -> OpenInvites.readAttributes(session, in, codec);
                case HTTP -> readHttp();
                case ATTRIBUTES -> session.attributes.become(codec.readAttributes(in));
                case SESSION_ATTRIBUTES -> readAttributes();
                case ONLOOKER -> kept = in.getString();
                case RecordStamp.SECTION -> stamp = RecordStamp.read(in);
                default -> {} // of a newer version
            }
            in.end();
        }

        /** The sessions are all there: INVITEs that were received are theirs. */
        private void take() {
            if (!taken) {
                taken = true;
                for (OpenInvites.Resumed one : resumed) {
                    ServletSession child = session.session(one.ordinal());
                    if (child != null) {
                        OpenInvites.take(child, one);
                    }
                }
            }
        }

        private void readOwn() {
            if (!session.getId().equals(in.needString())) {
                throw new StateFormatException("another application session's state");
            }
            in.getString();
            session.createdAtMillis = in.getVarint();
            session.announced = in.getBoolean();
            final long accessed = in.getVarint();
            final int minutes = in.getCount(Integer.MAX_VALUE);
            session.ordinals(in.getCount(Integer.MAX_VALUE));
            session.invalidateWhenReady = in.getBoolean();
            session.expiry.restore(accessed, minutes, in.getBoolean());
            session.origin = origin(in);
            own = true;
        }

        private void readChild() {
            if (children.size() == MAX_CHILDREN) {
                throw new StateFormatException("more than " + MAX_CHILDREN + " sessions");
            }
            ChildBytes.Read read = ChildBytes.read(session, in, codec);
            children.add(read.session());
            links.add(read.linked());
        }

        private void readHttp() {
            for (int i = in.getCount(MAX_CHILDREN); i > 0; i--) {
                http.add(in.needString());
            }
        }

        private void readAttributes() {
            ServletSession child = session.session(in.getCount(Integer.MAX_VALUE));
            if (child != null) {
                child.attributes.become(codec.readAttributes(in));
            }
        }
    }

    /** By its name; one that this version does not know is the strictest. */
    static Origin origin(StateReader in) {
        return value(Origin.class, in.needString(), Origin.OUTSIDE);
    }

    /** The value of that name; the other one where this version has none. */
    static <E extends Enum<E>> E value(Class<E> type, @Nullable String name, E other) {
        for (E one : type.getEnumConstants()) {
            if (one.name().equals(name)) {
                return one;
            }
        }
        return other;
    }
}
