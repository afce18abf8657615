package io.carillon.servlet.kernel;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.servlet.bytes.DialogHash;
import io.carillon.servlet.bytes.RecordHeader;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.shard.Shard;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import javax.servlet.sip.ServletTimer;
import org.jspecify.annotations.Nullable;

/**
 * A call as bytes that another node goes on with: a {@link RecordHeader}, which says what is in it
 * to whoever only looks, and behind it the sections of {@link SessionBytes}. Stateless.
 */
public final class CallRecords {
    /**
     * By how much CSeq and nonce counts of ours rise with each change of the owner: more than a
     * node sends in one call between two flushes.
     */
    private static final int GAP = 100;

    /** A call that went through more owners than that is as far behind as one that did. */
    private static final int MOST_OWNERS = 16;

    /** Adds a section that no build knows, for trials of two builds that are one. */
    private static final boolean TRIAL = Boolean.getBoolean("carillon.trial.section");

    /** Of most calls with an INVITE under way: what is longer is copied once more. */
    private static final int USUAL_BYTES = 4096;

    /** A thread that wrote a longer one does not keep its room. */
    private static final int KEPT_BYTES = 1 << 16;

    /**
     * Where an event loop writes a record before it is copied to its length; of other threads there
     * are many, and some wait for long. Null while one is being written.
     */
    private static final ThreadLocal<@Nullable StateWriter> ROOM = new ThreadLocal<>();

    private static final int TRIAL_SECTION = 9_999;
    private static final String TRIAL_TEXT = "of a build that writes more than this one reads";

    private CallRecords() {}

    // ---- writing ----

    /** As {@link #write(ApplicationSession, int, long, long)}, by nobody who has a number. */
    public static byte[] write(ApplicationSession session, long term, long sequence) {
        return write(session, -1, term, sequence);
    }

    /**
     * The call as it is now. With the turn held, at the end of a piece of work.
     *
     * @param node number of this node
     * @param term of its partition
     * @param sequence of this state in that term; 0 for a store that counts by itself
     */
    public static byte[] write(ApplicationSession session, int node, long term, long sequence) {
        if (!session.host().shards().inShard()) {
            return write(session, node, term, sequence, new StateWriter(USUAL_BYTES));
        }
        StateWriter kept = ROOM.get();
        StateWriter body = kept == null ? new StateWriter(USUAL_BYTES) : kept;
        // Classes of the application write attributes: what they call finds no room in use.
        ROOM.remove();
        try {
            return write(session, node, term, sequence, body);
        } finally {
            if (body.capacity() <= KEPT_BYTES) {
                body.clear();
                ROOM.set(body);
            }
        }
    }

    private static byte[] write(
            ApplicationSession session, int node, long term, long sequence, StateWriter body) {
        AttributeCodec codec = codec(session);
        SessionBytes.write(session, body, codec);
        if (!codec.leftOut().isEmpty()) {
            LeftBehind.tell(session.application(), codec.leftOut());
        }
        String archive = session.application().parts().get(ArchiveDigest.SLOT);
        RecordHeader header =
                new RecordHeader(
                        session.getApplicationName(),
                        archive == null ? "" : archive,
                        session.getId(),
                        session.key(),
                        CallPartition.of(session),
                        term,
                        sequence,
                        deadline(session),
                        codec.leftOut().isEmpty(),
                        List.copyOf(dialogs(session)));
        if (TRIAL) {
            body.putVarint(TRIAL_SECTION);
            int section = body.begin(1);
            body.putString(TRIAL_TEXT);
            body.end(section);
        }
        RecordStamp.write(body, session.host().millis(), node);
        StateWriter front = new StateWriter(256);
        header.write(front);
        return front.toByteArrayWith(body);
    }

    /** How much of a record says something of the call: behind it stands when it was written. */
    public static int lengthWithoutStamp(byte[] record) {
        return record.length - RecordStamp.LENGTH;
    }

    /** What of it would not survive this node, and why; with the turn held. Nothing is written. */
    public static List<AttributeCodec.LeftOut> leftOut(ApplicationSession session) {
        AttributeCodec codec = codec(session);
        SessionBytes.write(session, new StateWriter(1024), codec);
        return List.copyOf(codec.leftOut());
    }

    private static AttributeCodec codec(ApplicationSession session) {
        Application application = session.application();
        return RecordValues.codec(
                session,
                application.description().distributable() ? application.ownClasses() : null);
    }

    private static Set<Long> dialogs(ApplicationSession session) {
        Set<Long> hashes = new TreeSet<>();
        for (ServletSession child : session.sessions()) {
            DialogKey key = child.dialog.key;
            if (key != null) {
                hashes.add(DialogHash.of(key));
            }
            for (boolean received : new boolean[] {true, false}) {
                ServletRequest invite = OpenInvites.of(child, received);
                if (invite != null && OpenInvites.goes(invite)) {
                    // A repeated INVITE and a CANCEL have no To tag, an answer may have any.
                    hashes.add(half(child, invite));
                }
            }
            UasTransaction cancelled = OpenInvites.cancelled(OpenInvites.of(child, false));
            if (cancelled != null) {
                hashes.add(DialogHash.half(cancelled.received()));
            }
            ForwardedDialog through = child.dialog.proxied;
            if (through != null) {
                session.host().hooks().keys(through, one -> hashes.add(DialogHash.of(one)));
            }
        }
        return hashes;
    }

    private static long half(ServletSession session, ServletRequest invite) {
        UacTransaction client = invite.uac();
        if (client == null || !client.sent()) {
            return DialogHash.half(invite.received());
        }
        String tag = session.dialog.localTag;
        SipRequest sent = tag == null ? client.sentRequest() : null;
        return sent == null ? DialogHash.half(session.getCallId(), tag) : DialogHash.half(sent);
    }

    /** When something is due in it first; 0 for never. */
    private static long deadline(ApplicationSession session) {
        long first = ends(session);
        for (ServletTimer timer : session.getTimers()) {
            first = Math.min(first, ((TimerChild) timer).dueAtMillis());
        }
        for (ServletSession child : session.sessions()) {
            RefreshTimer refresh = child.sessionTimer();
            DialogUsages using = child.dialog.usages;
            long rings = OpenInvites.ringsUntilMillis(child);
            first = OpenInvites.urgent(child) || LegEnding.endsAlone(child) ? 1 : first;
            first = rings == 0 ? first : Math.min(first, rings);
            first = refresh == null ? first : Math.min(first, refresh.dueAtMillis());
            first = using == null || !using.hungUp ? first : Math.min(first, using.untilMillis);
        }
        return first == Long.MAX_VALUE ? 0 : first;
    }

    private static long ends(ApplicationSession session) {
        long end = session.expiry.time();
        return end == 0 ? Long.MAX_VALUE : Math.max(1, end);
    }

    // ---- reading ----

    /**
     * What stands in front of a record.
     *
     * @throws StateFormatException for bytes that are no record
     */
    public static RecordHeader header(byte[] record) {
        return RecordHeader.read(new StateReader(record));
    }

    /** What became of a record that was to be taken over. */
    public enum Adopted {
        /** It goes on here. */
        GOES_ON,
        /** It was here before, its application has been stopped, or its partition has gone. */
        NOT_NEEDED,
        /** It could not be read: that call is lost. */
        LOST
    }

    /** Hears what became of a record; in the turn of the session. */
    public interface Outcome {
        /**
         * @param failure why it is lost; null where it is not
         */
        void adopted(Adopted how, @Nullable Throwable failure);
    }

    /**
     * Takes over a call. What was in flight at the node before is over; what its application and
     * its peers know of it goes on. The work is done in the turn of the session, where its
     * application runs. Any thread.
     *
     * @param home its shard from now on
     * @param term of its partition now
     * @param places makes it one of this node's, unless the partition has gone meanwhile
     * @param outcome told once
     * @throws StateFormatException for bytes that are no record
     */
    public static void adopt(
            NewSessions sessions,
            Application application,
            Shard home,
            byte[] record,
            long term,
            Predicate<BooleanSupplier> places,
            Outcome outcome) {
        var _ = RecordHeader.read(new StateReader(record));
        home.perform(() -> {
            try {
                begin(sessions, application, home, record, term, places, outcome);
            } catch (RuntimeException | LinkageError e) { // it is told, whatever the bytes are
                outcome.adopted(Adopted.LOST, e);
            }
        });
    }

    /** On the shard's thread. */
    private static void begin(
            NewSessions sessions,
            Application application,
            Shard home,
            byte[] record,
            long term,
            Predicate<BooleanSupplier> places,
            Outcome outcome) {
        StateReader in = new StateReader(record);
        RecordHeader header = RecordHeader.read(in);
        if (sessions.host().tables().find(header.id()) != null) {
            outcome.adopted(Adopted.NOT_NEEDED, null);
            return;
        }
        List<OpenInvites.Resumed> resumed =
                SessionBytes.resume(sessions.host(), home, in, header.partition());
        StateReader again = new StateReader(record);
        RecordHeader.read(again);
        ApplicationSession made = sessions.another(application, home, header.id(), header.key());
        made.submitLater(
                TurnTask.of(() -> {
                    Adopted how = Adopted.LOST;
                    Throwable failure = null;
                    try {
                        if (!places.test(() -> sessions.place(made))) {
                            made.valid = false;
                            how = Adopted.NOT_NEEDED;
                        } else {
                            CallPartition.set(made, header.partition());
                            failure = read(made, again, header, term, resumed);
                            how = failure == null ? Adopted.GOES_ON : Adopted.LOST;
                        }
                    } catch (RuntimeException | LinkageError e) {
                        made.valid = false;
                        SilentEnd.giveBack(made);
                        failure = e;
                    }
                    outcome.adopted(how, failure);
                }));
    }

    private static int gap(RecordHeader header, long term) {
        long owners = Math.max(1, Math.min(MOST_OWNERS, term - header.term()));
        return (int) owners * GAP;
    }

    private static @Nullable Throwable read(
            ApplicationSession session,
            StateReader in,
            RecordHeader header,
            long term,
            List<OpenInvites.Resumed> resumed) {
        TakeOver how;
        String kept;
        try {
            AttributeCodec codec = codec(session);
            SessionBytes.Beside beside = SessionBytes.read(session, in, codec, resumed);
            kept = beside.kept();
            how = beside.stamp().takeOver(term, session.host().millis());
            session.host().store().adopted(session, how);
            goOn(session, gap(header, term));
        } catch (RuntimeException | LinkageError e) { // classes of applications are read
            SilentEnd.drop(session);
            return e;
        }
        try {
            tell(session, how, kept, resumed);
        } catch (RuntimeException | LinkageError e) {
            session.failed(e); // it is here all the same, and messages wait to be told
        }
        return null;
    }

    /** The session goes on: who waits for that is told, and what was under way is ended. */
    private static void tell(
            ApplicationSession session,
            TakeOver how,
            @Nullable String kept,
            List<OpenInvites.Resumed> resumed) {
        if (kept != null) {
            session.host().hooks().goesOn(session, how, kept);
        }
        session.host().hooks().takenOver(session, how);
        session.host().events().didActivate(session);
        for (OpenInvites.Resumed one : resumed) {
            ServletSession child = session.session(one.ordinal());
            if (child != null) {
                OpenInvites.answerAgain(child, one);
            }
        }
        for (ServletSession child : List.copyOf(session.sessions())) {
            if (child.dialog.ends) {
                // The BYE, or its answer, may be lost: who has ended the call never hears of it.
                LegEnding.bye(child);
            }
        }
    }

    private static void goOn(ApplicationSession session, int gap) {
        for (ServletSession child : List.copyOf(session.sessions())) {
            DialogLife.goOn(child, gap);
            AnsweredChallenges answered = child.challenges();
            if (answered != null) {
                answered.skip(gap);
            }
            RefreshTimer refresh = child.sessionTimer();
            if (refresh != null) {
                refresh.adopted();
            }
            session.host().hooks().opened(child);
        }
        session.expiry.goOn();
        session.mayBeReady();
    }
}
