package io.carillon.servlet.kernel;

import io.carillon.servlet.app.NamedServlet;
import io.carillon.servlet.bytes.Attributes;
import io.carillon.servlet.bytes.UnderWay;
import io.carillon.servlet.port.KeptAddresses;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.message.SipMessage;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.URI;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import javax.servlet.sip.ar.SipTargetedRequestType;
import org.jspecify.annotations.Nullable;

/**
 * One party of a call as an application sees it: the life of a session with its attributes and what
 * is under way in it. Its dialog is {@link SessionDialog}, its way to others {@link SessionPath}.
 *
 * <p>Owner of all fields: whoever holds the turn of its application session. {@link #valid} and the
 * accessed time are volatile, for those who only look. What is not private is what {@link
 * SessionBytes} writes and reads.
 */
public non-sealed class ServletSession extends SessionDialog implements Origin.Known {
    /** What the application is in this session; NONE until the first message decides. */
    public enum Role {
        NONE,
        UAC,
        UAS,
        PROXY
    }

    /** What the application router said. */
    public record Routing(
            SipApplicationRoutingRegion region,
            @Nullable URI subscriber,
            java.io.@Nullable Serializable stateInfo) {}

    private final int ordinal;
    private final long createdAtMillis;
    private volatile boolean valid = true;
    volatile long accessedAtMillis;
    boolean invalidateWhenReady;

    /** A BYE waits for the turn. Set on a shard, taken back in the turn. */
    private volatile boolean byeWaits;

    /** CSeq number of the ACK that waits for the turn or was taken last; -1 for none. */
    private volatile int ack = -1;

    /**
     * Of long addresses, as counted in {@link KeptAddresses}; 0 in nearly all. An account of this
     * process, so it is in no bytes.
     */
    @UnderWay private int keptBytes;

    /** Of the description that its timer offers, counted there as well. */
    @UnderWay private int describedBytes;

    /** {@link #countedAt} of one that counts for whom its application session counts for. */
    private static final int OF_PARENT = -1;

    /**
     * Where whoever began it is counted, which with a session key is another than who began its
     * application session. An account of this process, so it is in no bytes.
     */
    @UnderWay private int counted = OF_PARENT;

    /** Is it counted there as one beyond the two of a call? As {@link #keptBytes} in no bytes. */
    @UnderWay private boolean further;

    NamedServlet handler;
    final Attributes attributes = new Attributes();
    @Nullable ServletSession linked;

    private final OpenMessages open = new OpenMessages();

    /**
     * By {@link SessionObjects} only. The parent lists it; nobody else has it before this returns.
     */
    @SuppressWarnings("this-escape")
    public ServletSession(
            ApplicationSession parent,
            String callId,
            NameAddress local,
            NameAddress remote,
            NamedServlet handler) {
        super(parent, callId, local, remote);
        this.ordinal = parent.nextOrdinal();
        this.handler = handler;
        this.createdAtMillis = host().millis();
        this.accessedAtMillis = createdAtMillis;
        this.invalidateWhenReady = parent.application().description().invalidateWhenReady();
        parent.add(this);
        countFurther();
        host().counters().sessions.increment();
        host().hooks().opened(this);
    }

    /** A session that comes back from bytes: {@link SessionBytes} fills it. */
    @SuppressWarnings("this-escape")
    public ServletSession(
            ApplicationSession parent,
            int ordinal,
            long createdAtMillis,
            String callId,
            NamedServlet handler,
            NameAddress nobody) {
        super(parent, callId, nobody, nobody);
        this.ordinal = ordinal;
        this.handler = handler;
        this.createdAtMillis = createdAtMillis;
        parent.add(this);
        countFurther();
    }

    /** A fork's session: like this one but for the dialog (SIP Servlet 1.1, 6.2.3.2). */
    public ServletSession derive(String remoteTag) {
        return DerivedSession.of(this, remoteTag);
    }

    /**
     * The session of another notifier of the same request (RFC 6665 4.4.1); null where there are
     * too many, which is counted.
     *
     * @param forks such sessions so far
     */
    public @Nullable ServletSession deriveNotified(String remoteTag, int forks) {
        return DerivedSession.notified(this, remoteTag, forks);
    }

    /**
     * Another dialog of the same initial request, with a tag of its own: the copy of this session.
     */
    public ServletSession deriveAnswering(String newLocalTag) {
        return DerivedSession.answering(this, newLocalTag);
    }

    /** The challenges that its application answered; null where there was none. */
    public @Nullable AnsweredChallenges challenges() {
        SessionExtras rare = seldom;
        return rare == null ? null : rare.challenges;
    }

    public void challenges(AnsweredChallenges answered) {
        seldom().challenges = answered;
    }

    /** When it has to be refreshed (RFC 4028); null for a session without timer. */
    public @Nullable RefreshTimer sessionTimer() {
        SessionExtras rare = seldom;
        return rare == null ? null : rare.timer;
    }

    /** Null takes the timer away. */
    public void sessionTimer(@Nullable RefreshTimer timer) {
        RefreshTimer before = sessionTimer();
        if (before != null && before != timer) {
            before.cancel();
        }
        if (before != timer) {
            seldom().timer = timer;
        }
        if (timer == null) {
            keepDescription(0);
        }
    }

    // ---- what it keeps ----

    private void countFurther() {
        if (KeptAddresses.further(parent().sessions().size())) {
            further = true;
            host().keptAddresses().changed(0, KeptAddresses.SESSION_BYTES, countedAt());
        }
    }

    /** A message came whose addresses and routes the session may keep; with the turn held. */
    public void keep(SipMessage message) {
        int now = KeptAddresses.of(message);
        if (now > keptBytes && valid) {
            host().keptAddresses().changed(keptBytes, now, countedAt());
            keptBytes = now;
        }
    }

    /**
     * Its timer keeps a description of ours, to offer it again when the session is refreshed: for
     * as long as the call lives, and of a size that the peers choose. With the turn held.
     *
     * @param length its length in bytes; 0: none any more
     * @return false where there is no room for a long one: then none is kept
     */
    public boolean keepDescription(int length) {
        int bytes = Math.max(0, length - KeptAddresses.USUAL);
        if (bytes == describedBytes) {
            return true;
        }
        boolean room =
                bytes < describedBytes || (valid && !host().keptAddresses().full(countedAt()));
        int now = room ? bytes : 0;
        host().keptAddresses().changed(describedBytes, now, countedAt());
        describedBytes = now;
        return room;
    }

    /** Where whoever began it is counted in the accounts of sources. */
    @Override
    public int countedAt() {
        return counted == OF_PARENT ? parent().countedAt() : counted;
    }

    /**
     * It was begun by a request of who is counted there; before anything else is known of it, with
     * the turn held.
     */
    public void countsFor(int beginner) {
        if (further) {
            host().keptAddresses().changed(KeptAddresses.SESSION_BYTES, 0, countedAt());
            host().keptAddresses().changed(0, KeptAddresses.SESSION_BYTES, beginner);
        }
        counted = beginner;
        host().rooms().ofOne(parent(), counted, 1);
    }

    // ---- what is open ----

    /** A transaction began that the application sees. */
    public void opened(SipServletMessage message) {
        open.add(message);
        touch();
    }

    /** Its last word was said. */
    public void closed(SipServletMessage message) {
        if (open.remove(message)) {
            parent().mayBeReady();
        }
    }

    /** Something of an answered INVITE that the session's end has to let go. */
    public interface Lingering {
        void release();
    }

    public void lingers(Lingering invite) {
        if (valid) {
            open.lingers(invite);
        } else {
            invite.release();
        }
    }

    @Override
    public final @Nullable UasTransaction original() {
        return open.original();
    }

    @Override
    final void terminated() {
        if (counted != OF_PARENT) {
            host().rooms().ofOne(parent(), counted, -1);
        }
        callOver();
    }

    @Override
    final void callOver() {
        sessionTimer(null);
        open.sendHeldBye(this);
        open.dropUnconfirmed();
    }

    /** What is under way in it. */
    public OpenMessages underWay() {
        return open;
    }

    /** The open messages, oldest first; never changed by the caller. */
    public List<SipServletMessage> open() {
        return open.messages();
    }

    public void touch() {
        long now = host().millis();
        if (accessedAtMillis != now) { // a message touches it several times
            accessedAtMillis = now;
        }
        parent().touch(now);
    }

    // ---- what waits for the turn; any thread ----

    public boolean byeWaits() {
        return byeWaits;
    }

    public void byeWaits(boolean waits) {
        byeWaits = waits;
    }

    /** Does that ACK wait, or was it taken? Then another one for the same INVITE is a repeat. */
    public boolean knowsAck(int cseq) {
        return ack == cseq;
    }

    public void knowAck(int cseq) {
        ack = cseq;
    }

    /** It was for no INVITE that waits for an ACK, or has to be passed on each time. */
    public void forgetAck(int cseq) {
        if (ack == cseq) {
            ack = -1;
        }
    }

    // ---- links ----

    public @Nullable ServletSession linked() {
        return linked;
    }

    public void link(@Nullable ServletSession other) {
        linked = other;
    }

    /** The Join or Replaces of the request that began this session names that one. */
    public void correspondTo(SipTargetedRequestType by, ServletSession named) {
        SessionExtras rare = seldom();
        rare.correspondsBy = by;
        rare.corresponds = named.ordinal;
    }

    /** The other one of the two sessions that such a header ties together; null without. */
    @Nullable ServletSession corresponding(SipTargetedRequestType by) {
        SessionExtras rare = seldom;
        if (rare != null && rare.correspondsBy == by) {
            return parent().session(rare.corresponds);
        }
        for (ServletSession other : parent().sessions()) {
            SessionExtras its = other.seldom;
            if (its != null && its.names(ordinal, by)) {
                return other;
            }
        }
        return null;
    }

    // ---- end ----

    boolean ready() {
        if (!open.isEmpty()) {
            return false;
        }
        return switch (state) {
            case TERMINATED -> true;
            case INITIAL -> completed;
            default -> false;
        };
    }

    @Override
    public boolean isReadyToInvalidate() {
        parent().enterNow();
        try {
            checkValid();
            return ready();
        } finally {
            parent().exit();
        }
    }

    /** First the listeners hear, then the session ends, unless one of them took the flag back. */
    void endIfReady() {
        if (!valid || !invalidateWhenReady || !ready()) {
            return;
        }
        host().events().readyToInvalidate(this);
        if (valid && invalidateWhenReady && ready()) {
            end();
        }
    }

    @Override
    public void invalidate() {
        if (!parent().enter()) {
            parent().submitLater(TurnTask.of(this::end));
            return;
        }
        try {
            checkValid();
            boolean unsupervised = proxied != null && !proxied.supervised();
            if (!unsupervised
                    && (!open.isEmpty() || state == State.EARLY || state == State.CONFIRMED)) {
                throw new IllegalStateException(
                        "the session is "
                                + state
                                + (open.isEmpty() ? "" : " with a transaction pending"));
            }
            end();
        } finally {
            parent().exit();
        }
    }

    /** Ends the session whatever its state; the turn is held. */
    public void end() {
        if (!valid) {
            return;
        }
        host().events().destroyed(this);
        if (keptBytes > 0) {
            host().keptAddresses().changed(keptBytes, 0, countedAt());
            keptBytes = 0;
        }
        if (further) {
            host().keptAddresses().changed(KeptAddresses.SESSION_BYTES, 0, countedAt());
            further = false;
        }
        sessionTimer(null);
        open.sendHeldBye(this);
        LegEnding.abandonOpen(this, 500);
        valid = false;
        host().counters().sessionEnded(state);
        if (subscription) {
            host().counters().subscriptions.decrement();
            host().rooms().subscriptions(countedAt(), -1);
        }
        DialogKey mine = key;
        if (mine != null) {
            host().tables().removeDialog(mine, this);
        }
        ForwardedDialog through = proxied;
        if (through != null) {
            through.forget();
        }
        ServletSession other = linked;
        if (other != null) {
            other.linked = null;
            linked = null;
        }
        open.release();
        parent().remove(this);
        for (String name : attributes.names()) {
            Object value = attributes.remove(name);
            if (value != null) {
                host().events().unbound(this, name, value);
            }
        }
    }

    @Override
    final void checkValid() {
        if (!valid) {
            throw new IllegalStateException("the session " + getId() + " is invalid");
        }
    }

    // ---- the rest of the interface ----

    @Override
    public SipServletRequest createRequest(String method) {
        return ServletRequest.inSession(this, method);
    }

    public int ordinal() {
        return ordinal;
    }

    public NamedServlet handler() {
        return handler;
    }

    @Override
    public void setHandler(String name) throws ServletException {
        checkValid();
        NamedServlet found = parent().application().servlet(Objects.requireNonNull(name, "name"));
        if (found == null) {
            throw new ServletException(
                    "application " + parent().application().name() + " has no servlet " + name);
        }
        parent().inTurn(() -> handler = found);
    }

    @Override
    public String getId() {
        return parent().getId() + '.' + ordinal;
    }

    /** As {@link #getCreationTime()}, of an ended session too. */
    public long createdAtMillis() {
        return createdAtMillis;
    }

    @Override
    public long getCreationTime() {
        checkValid();
        return createdAtMillis;
    }

    @Override
    public long getLastAccessedTime() {
        return accessedAtMillis;
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public boolean getInvalidateWhenReady() {
        checkValid();
        return invalidateWhenReady;
    }

    @Override
    public void setInvalidateWhenReady(boolean invalidateWhenReady) {
        checkValid();
        parent().inTurn(() -> {
            this.invalidateWhenReady = invalidateWhenReady;
            if (invalidateWhenReady) {
                parent().mayBeReady();
            }
        });
    }

    /** What a subclass adds to the session's bytes. The turn is held. */
    protected void writeMore(StateWriter out) {}

    /** Reads what {@link #writeMore} wrote. */
    protected void readMore(StateReader in) {}

    @Override
    public @Nullable Object getAttribute(String name) {
        checkValid();
        return attributes.get(Objects.requireNonNull(name, "name"));
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        checkValid();
        return Collections.enumeration(attributes.names());
    }

    @Override
    public void setAttribute(String name, Object value) {
        checkValid();
        Objects.requireNonNull(name, "name");
        if (value == null) {
            removeAttribute(name);
            return;
        }
        host().store().checkAttribute(parent().application(), name, value);
        Object old = attributes.put(name, value);
        if (parent().held()) {
            host().events().set(this, name, old, value);
        } else {
            parent().inTurn(() -> host().events().set(this, name, old, value));
        }
    }

    @Override
    public void removeAttribute(String name) {
        checkValid();
        Object old = attributes.remove(Objects.requireNonNull(name, "name"));
        if (old != null) {
            parent().inTurn(() -> host().events().removed(this, name, old));
        }
    }

    @Override
    public String toString() {
        return parent().application().name() + " session " + getId() + ' ' + state;
    }
}
