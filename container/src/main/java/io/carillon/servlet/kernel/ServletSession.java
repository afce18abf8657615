package io.carillon.servlet.kernel;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.NamedServlet;
import io.carillon.servlet.bytes.Attributes;
import io.carillon.servlet.bytes.ByReference;
import io.carillon.servlet.bytes.Part;
import io.carillon.servlet.bytes.UnderWay;
import io.carillon.servlet.header.Addresses;
import io.carillon.servlet.port.KeptAddresses;
import io.carillon.servlet.port.OnBehalf;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.shard.Shard;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.Address;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.URI;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import org.jspecify.annotations.Nullable;

/**
 * One party of a call as an application sees it: the life of a session, and its parts: the path of
 * its messages, its dialog, its attributes, what is under way in it, and what few have.
 *
 * <p>Owner of all fields: whoever holds the turn of its application session. {@link #valid} and the
 * accessed time are volatile, for those who only look. What is not private is what {@link
 * SessionBytes} writes and reads.
 */
public class ServletSession implements SipSession, ByReference, Origin.Known {
    /** {@link #countedAt} of one that counts as its application session does. */
    private static final int OF_PARENT = -1;

    private final ApplicationSession parent;
    private final int ordinal;
    private final long createdAtMillis;
    volatile boolean valid = true;
    volatile long accessedAtMillis;
    boolean invalidateWhenReady;
    NamedServlet handler;

    @Part final SessionPath path = new SessionPath();
    @Part final SessionDialog dialog;
    final Attributes attributes = new Attributes();
    private final OpenMessages open = new OpenMessages();
    @Nullable SessionExtras extras;
    @Nullable ServletSession linked;

    /** Where whoever began it is counted. An account of this process, so it is in no bytes. */
    @UnderWay private int counted = OF_PARENT;

    @UnderWay @Nullable SessionAccount account;

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
        this.parent = parent;
        this.dialog = new SessionDialog(callId, local, remote);
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
        this.parent = parent;
        this.dialog = new SessionDialog(callId, nobody, nobody);
        this.ordinal = ordinal;
        this.handler = handler;
        this.createdAtMillis = createdAtMillis;
        parent.add(this);
        countFurther();
    }

    // ---- whose it is, and its parts ----

    public SessionHost host() {
        return parent.host();
    }

    public ApplicationSession parent() {
        return parent;
    }

    public Application application() {
        return parent.application();
    }

    /** The path of its messages: place among applications, far end, interface. */
    public SessionPath path() {
        return path;
    }

    /** Its dialog, or the place where one may come to be. What happens to it: DialogLife. */
    public SessionDialog dialog() {
        return dialog;
    }

    /** What is under way in it. */
    public OpenMessages underWay() {
        return open;
    }

    SessionExtras extras() {
        SessionExtras own = extras;
        if (own == null) {
            own = new SessionExtras();
            extras = own;
        }
        return own;
    }

    /** The challenges that its application answered; null where there was none. */
    public @Nullable AnsweredChallenges challenges() {
        SessionExtras rare = extras;
        return rare == null ? null : rare.challenges;
    }

    public void challenges(AnsweredChallenges answered) {
        extras().challenges = answered;
    }

    /** When it has to be refreshed (RFC 4028); null for a session without timer. */
    public @Nullable RefreshTimer sessionTimer() {
        SessionExtras rare = extras;
        return rare == null ? null : rare.timer;
    }

    /** Null takes the timer away. */
    public void sessionTimer(@Nullable RefreshTimer timer) {
        RefreshTimer before = sessionTimer();
        if (before != null && before != timer) {
            before.cancel();
        }
        if (before != timer) {
            extras().timer = timer;
        }
        if (timer == null) {
            keepDescription(0);
        }
    }

    // ---- whom it counts for ----

    private SessionAccount account() {
        SessionAccount own = account;
        if (own == null) {
            own = new SessionAccount();
            account = own;
        }
        return own;
    }

    private void countFurther() {
        if (KeptAddresses.further(parent.sessions().size())) {
            account().further(host().keptAddresses(), countedAt());
        }
    }

    /** A message came whose addresses and routes the session may keep; with the turn held. */
    public void keep(SipMessage message) {
        int bytes = KeptAddresses.of(message);
        if (bytes > 0 && valid) {
            account().keep(host().keptAddresses(), bytes, countedAt());
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
        return (bytes == 0 && account == null)
                || account().describe(host().keptAddresses(), bytes, valid, countedAt());
    }

    /** Where whoever began it is counted in the accounts of sources. */
    @Override
    public int countedAt() {
        return counted == OF_PARENT ? parent.countedAt() : counted;
    }

    /** It was begun by a request of who is counted there: first of all, with the turn held. */
    public void countsFor(int beginner) {
        if (account != null) {
            account.move(host().keptAddresses(), countedAt(), beginner);
        }
        counted = beginner;
        host().rooms().ofOne(parent, counted, 1);
    }

    /** Where its requests may go: see {@link Origin}. */
    @Override
    public Origin origin() {
        return path.origin;
    }

    /** A request of that origin began it. */
    public void came(Origin from) {
        path.origin = from;
        parent.origin = parent.origin.stricter(from);
    }

    /** It sends its first request: on behalf of whoever has asked for anything in its call. */
    public void sends() {
        path.origin = parent.origin.stricter(OnBehalf.asked());
    }

    /**
     * A request in its dialog came: with the tag that we chose, which stood in what we had sent to
     * the source of the first request. So that is no forgery, wherever this one came from. Where a
     * request of ours had told somebody else the tag before, there is no peer to believe.
     */
    public void knowsOurTag() {
        if (!path.heard && dialog.hasTagOf(parent.home().config().tokens())) {
            path.heard = true;
        }
    }

    // ---- its parties ----

    /** Our party, with our tag where one was chosen or is chosen now. */
    public NameAddress local() {
        NameAddress own = dialog.local;
        if (own.tag() == null) {
            own = own.withTag(localTag());
            dialog.local = own;
        }
        return own;
    }

    /** Made on first use: that of the initial request's transaction, as long as it is open. */
    public String localTag() {
        String tag = dialog.localTag;
        if (tag == null) {
            UasTransaction initial = open.original();
            tag =
                    initial == null
                            ? parent.home().newTag(parent.expiry.partition())
                            : initial.transaction().localTag();
            dialog.localTag = tag;
        }
        return tag;
    }

    @Override
    public Address getLocalParty() {
        return Addresses.readOnly(local());
    }

    @Override
    public Address getRemoteParty() {
        return Addresses.readOnly(dialog.remote);
    }

    @Override
    public String getCallId() {
        return dialog.callId;
    }

    @Override
    public State getState() {
        checkValid();
        return dialog.state;
    }

    // ---- by what its requests leave ----

    @Override
    public void setOutboundInterface(InetSocketAddress address) {
        checkValid();
        host().outboundInterfaces().check(address);
        parent.inTurn(() -> path.leaveBy(address, null));
    }

    /**
     * The same, and over this transport where the target leaves it open.
     *
     * @throws IllegalArgumentException when it is no listening point of ours
     */
    public void setOutboundInterface(InetSocketAddress address, Transport transport) {
        checkValid();
        host().outboundInterfaces().check(address);
        parent.inTurn(() -> path.leaveBy(address, transport));
    }

    @Override
    public void setOutboundInterface(InetAddress address) {
        checkValid();
        InetSocketAddress chosen = host().outboundInterfaces().on(address);
        parent.inTurn(() -> path.leaveBy(chosen, null));
    }

    /**
     * Where requests in the dialog leave: behind the responses, so that a NOTIFY does not overtake
     * the 200 that it follows. A keyed session gets requests on any shard, and its turn may run on
     * another one.
     */
    public Shard sendsFrom() {
        Shard last = path.answeredFrom;
        return last == null ? host().shards().of(parent.home()) : last;
    }

    @Override
    public SipApplicationRoutingRegion getRegion() {
        checkValid();
        return path.region();
    }

    @Override
    public @Nullable URI getSubscriberURI() {
        checkValid();
        SessionPath.Routing said = path.routing;
        return said == null ? null : said.subscriber();
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
            parent.mayBeReady();
        }
    }

    /** That is kept until its own end, or until the session's. */
    public void lingers(OpenMessages.Lingering invite) {
        if (valid) {
            open.lingers(invite);
        } else {
            invite.release();
        }
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
        parent.touch(now);
    }

    // ---- links ----

    public @Nullable ServletSession linked() {
        return linked;
    }

    public void link(@Nullable ServletSession other) {
        linked = other;
    }

    // ---- end ----

    /** The state is TERMINATED from now on. */
    void terminated() {
        if (counted != OF_PARENT) {
            host().rooms().ofOne(parent, counted, -1);
        }
        callOver();
    }

    /** The call is over: nothing refreshes it, and no answer of it is awaited. */
    void callOver() {
        sessionTimer(null);
        open.sendHeldBye(this);
        open.dropUnconfirmed();
    }

    @Override
    public boolean isReadyToInvalidate() {
        parent.enterNow();
        try {
            checkValid();
            return SessionEnd.ready(this);
        } finally {
            parent.exit();
        }
    }

    @Override
    public void invalidate() {
        if (!parent.enter()) {
            parent.submitLater(TurnTask.of(this::end));
            return;
        }
        try {
            checkValid();
            SessionEnd.check(this);
            end();
        } finally {
            parent.exit();
        }
    }

    /** Ends the session whatever its state; the turn is held. */
    public void end() {
        if (!valid) {
            return;
        }
        host().events().destroyed(this);
        if (account != null) {
            account.close(host().keptAddresses(), countedAt());
        }
        sessionTimer(null);
        open.sendHeldBye(this);
        LegEnding.abandonOpen(this, 500);
        valid = false;
        SessionEnd.letGo(this);
    }

    private void checkValid() {
        if (!valid) {
            throw new IllegalStateException("the session " + getId() + " is invalid");
        }
    }

    // ---- the rest of the interface ----

    @Override
    public SipServletRequest createRequest(String method) {
        return ServletRequest.inSession(this, method);
    }

    @Override
    public ApplicationSession getApplicationSession() {
        return parent;
    }

    @Override
    public ServletContext getServletContext() {
        return parent.application().context();
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
        NamedServlet found = parent.application().servlet(Objects.requireNonNull(name, "name"));
        if (found == null) {
            throw new ServletException(
                    "application " + parent.application().name() + " has no servlet " + name);
        }
        parent.inTurn(() -> handler = found);
    }

    @Override
    public String getId() {
        return parent.getId() + '.' + ordinal;
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
        parent.inTurn(() -> {
            this.invalidateWhenReady = invalidateWhenReady;
            if (invalidateWhenReady) {
                parent.mayBeReady();
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
        host().store().checkAttribute(parent.application(), name, value);
        Object old = attributes.put(name, value);
        if (parent.held()) {
            host().events().set(this, name, old, value);
        } else {
            parent.inTurn(() -> host().events().set(this, name, old, value));
        }
    }

    @Override
    public void removeAttribute(String name) {
        checkValid();
        Object old = attributes.remove(Objects.requireNonNull(name, "name"));
        if (old != null) {
            parent.inTurn(() -> host().events().removed(this, name, old));
        }
    }

    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw ByReference.refused(this);
    }

    @Override
    public String toString() {
        return application().name() + " session " + getId() + ' ' + dialog.state;
    }
}
