package io.carillon.servlet.session;

import io.carillon.servlet.ApiObjects;
import io.carillon.servlet.SipContainer;
import io.carillon.servlet.TurnTap;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.NamedServlet;
import io.carillon.servlet.dispatch.CallEnding;
import io.carillon.servlet.message.Addresses;
import io.carillon.servlet.message.ServletRequest;
import io.carillon.servlet.message.SessionRequests;
import io.carillon.servlet.message.Subscriber;
import io.carillon.servlet.message.UacTransaction;
import io.carillon.servlet.message.UasTransaction;
import io.carillon.servlet.proxy.ProxiedDialog;
import io.carillon.servlet.refresh.SessionTimer;
import io.carillon.servlet.security.SessionSecurity;
import io.carillon.servlet.store.UnderWay;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.stack.Shard;
import io.carillon.sip.stack.Transport;
import io.carillon.sip.uri.Uri;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
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
import javax.servlet.sip.ar.SipTargetedRequestType;
import org.jspecify.annotations.Nullable;

/**
 * One party of a call as an application sees it: a dialog, or the place where one may come to be.
 *
 * <p>Owner of all fields: whoever holds the turn of its application session. {@link #state}, {@link
 * #valid} and the accessed time are volatile, for those who only look. What is not private is what
 * {@link SessionBytes} writes and reads.
 */
public class ServletSession implements SipSession {
    /** What the application is in this session; NONE until the first message decides. */
    public enum Role {
        NONE,
        UAC,
        UAS,
        PROXY
    }

    static final int MAX_USAGES = 100;

    private final ApplicationSession parent;
    private final int ordinal;
    private final String callId;
    private final long createdAtMillis;
    Role role = Role.NONE;
    volatile State state = State.INITIAL;
    private volatile boolean valid = true;
    volatile long accessedAtMillis;
    boolean invalidateWhenReady;

    /**
     * A final failure brought a UAC back to INITIAL, or a request that creates no dialog is
     * answered.
     */
    boolean completed;

    /** Begun by SUBSCRIBE, NOTIFY or REFER: over when the subscription is. */
    boolean subscription;

    /** Our tag before (and in) a dialog; null while nobody needs one, as for a proxy. */
    @Nullable String localTag;

    /** Before a dialog perhaps without our tag; see {@link #local()}. */
    NameAddress local;

    NameAddress remote;
    @Nullable Dialog dialog;
    @Nullable ProxiedDialog proxied;

    /** Where a request before any dialog goes, and its CSeq. */
    @Nullable Uri target;

    long localCSeq;
    NamedServlet handler;
    final Attributes attributes = new Attributes();
    @Nullable ServletSession linked;

    private final OpenMessages open = new OpenMessages();
    @UnderWay private @Nullable UacTransaction heldBye;
    @Nullable DialogKey key;
    @Nullable Routing routing;

    /** How many applications the initial request visited before; 0 for the first. */
    int depth;

    /** Did the initial request come from, or go to, another application of ours? */
    boolean composed;

    @Nullable Seldom seldom;

    /** Where the last response of this session left; null before there was one. */
    @UnderWay private @Nullable Shard answeredFrom;

    /** What few sessions have; made for those. */
    static final class Seldom {
        @Nullable InetSocketAddress outbound;

        /** With {@link #outbound}, where the application chose the transport too. */
        @Nullable Transport outboundTransport;

        @Nullable SessionSecurity security;

        @Nullable SessionTimer timer;

        /** Subscriptions that use the dialog; immutable. */
        List<String> usages = List.of();

        /** Which session the Join or Replaces that began this one names, by its number; or -1. */
        int corresponds = -1;

        @Nullable SipTargetedRequestType correspondsBy;
    }

    /** What the application router said. */
    public record Routing(
            SipApplicationRoutingRegion region,
            @Nullable URI subscriber,
            java.io.@Nullable Serializable stateInfo) {}

    /** By {@link ApiObjects} only. The parent lists it; nobody else has it before this returns. */
    @SuppressWarnings("this-escape")
    public ServletSession(
            ApplicationSession parent,
            String callId,
            NameAddress local,
            NameAddress remote,
            NamedServlet handler) {
        this.parent = parent;
        this.ordinal = parent.nextOrdinal();
        this.callId = callId;
        this.local = local;
        this.remote = remote;
        this.handler = handler;
        this.createdAtMillis = container().millis();
        this.accessedAtMillis = createdAtMillis;
        this.invalidateWhenReady = parent.application().description().invalidateWhenReady();
        parent.add(this);
        container().counters().sessions.increment();
        TurnTap tap = container().tap();
        if (tap != null) {
            tap.opened(this);
        }
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
        this.ordinal = ordinal;
        this.callId = callId;
        this.handler = handler;
        this.local = nobody;
        this.remote = nobody;
        this.createdAtMillis = createdAtMillis;
        parent.add(this);
    }

    /** A fork's session: like the original but for the dialog (SIP Servlet 1.1, 6.2.3.2). */
    public ServletSession derive(String remoteTag) {
        ServletSession derived =
                container()
                        .objects()
                        .session(parent, callId, local, remote.withTag(remoteTag), handler);
        derived.role = role;
        derived.localTag = localTag;
        derived.localCSeq = localCSeq;
        derived.target = target;
        derived.routing = routing;
        derived.depth = depth;
        derived.composed = composed;
        Seldom rare = seldom;
        if (rare != null) {
            Seldom its = derived.seldom();
            its.outbound = rare.outbound;
            its.outboundTransport = rare.outboundTransport;
            its.security = rare.security;
        }
        derived.invalidateWhenReady = invalidateWhenReady;
        derived.attributes.become(attributes);
        container().events().created(derived);
        return derived;
    }

    public SipContainer container() {
        return parent.container();
    }

    public ApplicationSession parent() {
        return parent;
    }

    public Application application() {
        return parent.application();
    }

    // ---- the dialog ----

    public Role role() {
        return role;
    }

    public void become(Role role) {
        this.role = role;
    }

    public @Nullable Dialog dialog() {
        return dialog;
    }

    /** The dialog begins by a message of this method: the tables learn its key. */
    public void begin(Dialog dialog, String method) {
        boolean subscribes = !method.equals("INVITE");
        if (subscribes != subscription) {
            subscription = subscribes;
            container().counters().subscriptions.add(subscribes ? 1 : -1);
        }
        this.dialog = dialog;
        this.localTag = dialog.localTag();
        this.local = dialog.local();
        this.remote = dialog.remote();
        register(dialog.key());
    }

    /**
     * Requests with this key are this session's. An earlier key (of the half dialog before the
     * first answer) goes.
     */
    public void register(DialogKey newKey) {
        DialogKey old = key;
        if (newKey.equals(old)) {
            return;
        }
        key = newKey;
        // Never without a key: a shard may look just now (InDialogRequests.find).
        container().sessions().addDialog(newKey, this);
        if (old != null) {
            container().sessions().removeDialog(old, this);
        }
    }

    public @Nullable ProxiedDialog proxied() {
        return proxied;
    }

    public void begin(ProxiedDialog proxiedDialog) {
        this.proxied = proxiedDialog;
    }

    /** The session's state follows its dialog after each message. */
    public void follow() {
        Dialog mine = dialog;
        if (mine != null) {
            if (mine.state() == Dialog.State.CONFIRMED) {
                target = null; // from now on the dialog knows
            }
            enter(
                    switch (mine.state()) {
                        case EARLY -> State.EARLY;
                        case CONFIRMED -> State.CONFIRMED;
                        case TERMINATED -> State.TERMINATED;
                    });
        }
    }

    /** RFC 6665 4.4.1: until Timer N, a NOTIFY with our half of a dialog is for this session. */
    public void awaitNotify(DialogKey half) {
        container().sessions().addDialog(half, this);
    }

    /** Timer N has fired, or the session ends. */
    public void notifyAwaited(DialogKey half) {
        container().sessions().removeDialog(half, this);
    }

    /** Who waits for NOTIFYs to a SUBSCRIBE of this session; null when nobody does any more. */
    public @Nullable Subscriber subscriber() {
        return open.subscriber();
    }

    /**
     * RFC 5057: a subscription uses the dialog, or does so no longer; with the last one the dialog
     * ends, unless a call uses it too.
     *
     * @param usage tells subscriptions apart
     */
    public void used(String usage, boolean over) {
        if (!subscription || dialog == null) {
            return;
        }
        Seldom rare = over ? seldom : seldom();
        List<String> usages = rare == null ? List.of() : rare.usages;
        if (!over) {
            if (!usages.contains(usage) && usages.size() < MAX_USAGES && rare != null) {
                rare.usages = usages.isEmpty() ? List.of(usage) : with(usages, usage);
            }
            return;
        }
        if (rare != null && usages.contains(usage)) {
            List<String> left = new ArrayList<>(usages);
            left.remove(usage);
            rare.usages = List.copyOf(left);
        }
        if (rare == null || rare.usages.isEmpty()) {
            subscriptionEnded();
        }
    }

    private static List<String> with(List<String> usages, String another) {
        List<String> more = new ArrayList<>(usages);
        more.add(another);
        return List.copyOf(more);
    }

    /** RFC 6665 4.4.1: a NOTIFY that ends the subscription ends a dialog that has no other use. */
    public void subscriptionEnded() {
        Dialog mine = dialog;
        if (subscription && mine != null) {
            mine.terminate();
            follow();
        }
    }

    /** The one place where the state changes. TERMINATED is the last. */
    public void enter(State to) {
        if (state == to || state == State.TERMINATED) {
            return;
        }
        container().counters().moved(state, to);
        state = to;
        if (to == State.TERMINATED) {
            sessionTimer(null);
            sendHeldBye();
            open.dropUnconfirmed();
        }
        if (to == State.TERMINATED || to == State.INITIAL) {
            parent.mayBeReady();
        }
    }

    /**
     * SIP Servlet 1.1, 6.2.1: a UAC whose early dialog failed is where it began, and may send
     * again.
     */
    public void fallBack() {
        DialogKey old = key;
        dialog = null;
        remote = SessionRequests.withoutTag(remote);
        if (old != null) {
            container().sessions().removeDialog(old, this);
            key = null;
        }
        complete();
        enter(State.INITIAL);
    }

    /** Nothing more is to come unless the application begins it. */
    public void complete() {
        completed = true;
        parent.mayBeReady();
    }

    public NameAddress local() {
        NameAddress own = local;
        String tag = own.tag() == null ? localTag() : null;
        if (tag != null) {
            own = own.withTag(tag);
            local = own;
        }
        return own;
    }

    /** As {@link #local()}, perhaps without our tag: for who only looks, from any thread. */
    public NameAddress knownLocal() {
        return local;
    }

    public NameAddress remote() {
        return remote;
    }

    /** Made on first use: that of the initial request's transaction, as long as it is open. */
    public String localTag() {
        String tag = localTag;
        if (tag == null) {
            UasTransaction initial = open.original();
            tag = initial == null ? parent.home().newTag() : initial.transaction().localTag();
            localTag = tag;
        }
        return tag;
    }

    public void setLocalTag(String tag) {
        localTag = tag;
    }

    public long nextCSeq() {
        completed = false;
        return ++localCSeq;
    }

    public void setTarget(Uri target) {
        this.target = target;
    }

    public @Nullable Uri target() {
        return target;
    }

    public long localCSeq() {
        return localCSeq;
    }

    /**
     * The initial request that made this session, as long as it may be answered: for further
     * answers of forks behind a B2BUA.
     */
    public @Nullable UasTransaction original() {
        return open.original();
    }

    /**
     * Another dialog of the same initial request, with a tag of its own: the copy of this session.
     */
    public ServletSession deriveAnswering(String newLocalTag) {
        ServletSession derived =
                container()
                        .objects()
                        .session(parent, callId, local.withTag(newLocalTag), remote, handler);
        derived.localTag = newLocalTag;
        derived.routing = routing;
        derived.depth = depth;
        derived.composed = composed;
        derived.invalidateWhenReady = invalidateWhenReady;
        derived.attributes.become(attributes);
        container().events().created(derived);
        return derived;
    }

    Seldom seldom() {
        Seldom own = seldom;
        if (own == null) {
            own = new Seldom();
            seldom = own;
        }
        return own;
    }

    /** What it remembers of callers and challenges; made when it is not there. */
    public SessionSecurity security() {
        Seldom rare = seldom();
        SessionSecurity own = rare.security;
        if (own == null) {
            own = new SessionSecurity();
            rare.security = own;
        }
        return own;
    }

    public @Nullable SessionSecurity securityOrNull() {
        Seldom rare = seldom;
        return rare == null ? null : rare.security;
    }

    /** When it has to be refreshed (RFC 4028); null for a session without timer. */
    public @Nullable SessionTimer sessionTimer() {
        Seldom rare = seldom;
        return rare == null ? null : rare.timer;
    }

    /** Null takes the timer away. */
    public void sessionTimer(@Nullable SessionTimer timer) {
        SessionTimer before = sessionTimer();
        if (before != null && before != timer) {
            before.cancel();
        }
        if (before != timer) {
            seldom().timer = timer;
        }
    }

    /** A response leaves from here. */
    public void answeredFrom(Shard shard) {
        answeredFrom = shard;
    }

    /**
     * Where requests in the dialog leave: behind the responses, so that a NOTIFY does not overtake
     * the 200 that it follows. A keyed session gets requests on any shard, and its turn may run on
     * another one.
     */
    public Shard sendsFrom() {
        Shard last = answeredFrom;
        return last == null ? container().shardFor(parent) : last;
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

    /** Its transaction has ended by itself. */
    public void lingered(Lingering invite) {
        open.lingered(invite);
    }

    /** The open messages, oldest first; never changed by the caller. */
    public List<SipServletMessage> open() {
        return open.messages();
    }

    /** Does a request, received or sent, wait for its final response? */
    public boolean hasOpenRequest() {
        for (SipServletMessage message : open.messages()) {
            if (message instanceof ServletRequest) {
                return true;
            }
        }
        return false;
    }

    /**
     * The initial request was answered with a 2xx that has its ACK; a fork behind a B2BUA may bring
     * another 2xx for 64*T1.
     */
    public void answered(UasTransaction original) {
        open.answered(original);
    }

    /** No fork of the requests behind it will bring another 2xx. */
    public void forgetAnswered() {
        open.answered(null);
    }

    public void touch() {
        long now = container().millis();
        if (accessedAtMillis != now) { // a message touches it several times
            accessedAtMillis = now;
        }
        parent.touch(now);
    }

    /** Does a 2xx of ours to an INVITE wait for its ACK? */
    public boolean awaitsAck() {
        for (SipServletMessage message : open.messages()) {
            if (message instanceof ServletRequest request) {
                UasTransaction server = request.uas();
                if (server != null && server.success() != null) {
                    return true;
                }
            }
        }
        return false;
    }

    /** A BYE that has to wait for the ACK. */
    public void hold(UacTransaction bye) {
        heldBye = bye;
    }

    /** The ACK has come, or will never come, or the call is over by other means. */
    public void sendHeldBye() {
        UacTransaction bye = heldBye;
        if (bye != null) {
            heldBye = null;
            bye.transmit(this);
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
        Seldom rare = seldom();
        rare.correspondsBy = by;
        rare.corresponds = named.ordinal;
    }

    /** The other one of the two sessions that such a header ties together; null without. */
    @Nullable ServletSession corresponding(SipTargetedRequestType by) {
        Seldom rare = seldom;
        if (rare != null && rare.correspondsBy == by) {
            return parent.session(rare.corresponds);
        }
        for (ServletSession other : parent.sessions()) {
            Seldom its = other.seldom;
            if (its != null && its.correspondsBy == by && its.corresponds == ordinal) {
                return other;
            }
        }
        return null;
    }

    /** Does it belong to a call, not to a subscription or to requests outside of dialogs? */
    public boolean byInvite() {
        return !subscription;
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
        checkValid();
        return ready();
    }

    /** First the listeners hear, then the session ends, unless one of them took the flag back. */
    void endIfReady() {
        if (!valid || !invalidateWhenReady || !ready()) {
            return;
        }
        container().events().readyToInvalidate(this);
        if (valid && invalidateWhenReady && ready()) {
            end();
        }
    }

    @Override
    public void invalidate() {
        if (!parent.enter()) {
            parent.submitLater(
                    new TurnTask() {
                        @Override
                        protected void run() {
                            if (valid) {
                                end();
                            }
                        }
                    });
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
            parent.exit();
        }
    }

    /** Ends the session whatever its state; the turn is held. */
    public void end() {
        if (!valid) {
            return;
        }
        container().events().destroyed(this);
        sessionTimer(null);
        sendHeldBye();
        CallEnding.abandonOpen(this, 500);
        valid = false;
        container().counters().sessionEnded(state);
        if (subscription) {
            container().counters().subscriptions.decrement();
        }
        DialogKey mine = key;
        if (mine != null) {
            container().sessions().removeDialog(mine, this);
        }
        ProxiedDialog through = proxied;
        if (through != null) {
            through.forget();
        }
        ServletSession other = linked;
        if (other != null) {
            other.linked = null;
            linked = null;
        }
        open.release();
        parent.remove(this);
        for (String name : attributes.names()) {
            Object value = attributes.remove(name);
            if (value != null) {
                container().events().unbound(this, name, value);
            }
        }
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
        handler = found;
    }

    @Override
    public ApplicationSession getApplicationSession() {
        return parent;
    }

    @Override
    public String getId() {
        return parent.getId() + '.' + ordinal;
    }

    @Override
    public String getCallId() {
        return callId;
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
    public State getState() {
        checkValid();
        return state;
    }

    /** The state, of an ended session too. */
    public State state() {
        return state;
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
        this.invalidateWhenReady = invalidateWhenReady;
        if (invalidateWhenReady) {
            parent.mayBeReady();
        }
    }

    @Override
    public Address getLocalParty() {
        return Addresses.readOnly(local());
    }

    @Override
    public Address getRemoteParty() {
        return Addresses.readOnly(remote);
    }

    public void setRouting(@Nullable Routing routing) {
        this.routing = routing;
    }

    public @Nullable Routing routing() {
        return routing;
    }

    /** Its place on a chain of applications, the first being 0. */
    public int depth() {
        return depth;
    }

    /** Are there others of ours on its dialog? */
    public boolean composed() {
        return composed;
    }

    public void place(int place) {
        depth = place;
    }

    /** Others of ours are, or may be, on its dialog. */
    public void compose(int place) {
        depth = place;
        composed = true;
    }

    @Override
    public SipApplicationRoutingRegion getRegion() {
        checkValid();
        Routing said = routing;
        return said == null ? SipApplicationRoutingRegion.NEUTRAL_REGION : said.region();
    }

    @Override
    public @Nullable URI getSubscriberURI() {
        checkValid();
        Routing said = routing;
        return said == null ? null : said.subscriber();
    }

    @Override
    public ServletContext getServletContext() {
        return parent.application().context();
    }

    @Override
    public void setOutboundInterface(InetSocketAddress address) {
        checkValid();
        container().checkOutbound(address);
        leaveBy(address);
    }

    /**
     * The same, and over this transport where the target leaves it open.
     *
     * @throws IllegalArgumentException when it is no listening point of ours
     */
    public void setOutboundInterface(InetSocketAddress address, Transport transport) {
        setOutboundInterface(address);
        seldom().outboundTransport = transport;
    }

    @Override
    public void setOutboundInterface(InetAddress address) {
        checkValid();
        leaveBy(container().outboundOf(address));
    }

    private void leaveBy(InetSocketAddress address) {
        Seldom rare = seldom();
        rare.outbound = address;
        rare.outboundTransport = null;
    }

    public @Nullable InetSocketAddress outbound() {
        Seldom rare = seldom;
        return rare == null ? null : rare.outbound;
    }

    public @Nullable Transport outboundTransport() {
        Seldom rare = seldom;
        return rare == null ? null : rare.outboundTransport;
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
        container().store().checkAttribute(parent.application(), name, value);
        Object old = attributes.put(name, value);
        container().events().set(this, name, old, value);
    }

    @Override
    public void removeAttribute(String name) {
        checkValid();
        Object old = attributes.remove(Objects.requireNonNull(name, "name"));
        if (old != null) {
            container().events().removed(this, name, old);
        }
    }

    @Override
    public String toString() {
        return parent.application().name() + " session " + getId() + ' ' + state;
    }
}
