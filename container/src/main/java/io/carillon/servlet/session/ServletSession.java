package io.carillon.servlet.session;

import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.NamedServlet;
import io.carillon.servlet.dispatch.CallEnding;
import io.carillon.servlet.message.Addresses;
import io.carillon.servlet.message.ServletRequest;
import io.carillon.servlet.message.ServletResponse;
import io.carillon.servlet.message.SessionRequests;
import io.carillon.servlet.message.UasTransaction;
import io.carillon.servlet.proxy.ProxiedDialog;
import io.carillon.servlet.store.AttributeCodec;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.header.NameAddress;
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
import org.jspecify.annotations.Nullable;

/**
 * One party of a call as an application sees it: a dialog, or the place where one may come to be.
 *
 * <p>Owner of all fields: whoever holds the turn of its application session. {@link #state}, {@link
 * #valid} and the accessed time are volatile, for those who only look.
 */
public final class ServletSession implements SipSession {
    /** What the application is in this session; NONE until the first message decides. */
    public enum Role {
        NONE,
        UAC,
        UAS,
        PROXY
    }

    private final ApplicationSession parent;
    private final int ordinal;
    private final String callId;
    private final long createdAtMillis;
    private Role role = Role.NONE;
    private volatile State state = State.INITIAL;
    private volatile boolean valid = true;
    private volatile long accessedAtMillis;
    private boolean invalidateWhenReady;

    /**
     * A final failure brought a UAC back to INITIAL, or a request that creates no dialog is
     * answered.
     */
    private boolean completed;

    /** Begun by SUBSCRIBE, NOTIFY or REFER: over when the subscription is. */
    private boolean subscription;

    /** Our tag before (and in) a dialog; null for a proxy. */
    private @Nullable String localTag;

    private NameAddress local;
    private NameAddress remote;
    private @Nullable Dialog dialog;
    private @Nullable ProxiedDialog proxied;

    /** Where a request before any dialog goes, and its CSeq. */
    private @Nullable Uri target;

    private long localCSeq;
    private NamedServlet handler;
    private volatile @Nullable Attributes attributes;
    private @Nullable ServletSession linked;

    /**
     * Requests that wait for our response, requests of ours that wait for their final one, 2xx that
     * wait for the ACK.
     */
    private @Nullable ArrayList<SipServletMessage> pending;

    /** INVITEs with a 2xx whose transactions may still bring another (until Timer M). */
    private @Nullable ArrayList<Lingering> lingering;

    private @Nullable DialogKey key;
    private @Nullable Routing routing;
    private @Nullable InetSocketAddress outbound;

    /** What the application router said. */
    public record Routing(
            SipApplicationRoutingRegion region,
            @Nullable URI subscriber,
            java.io.@Nullable Serializable stateInfo) {}

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
    }

    /** A session that comes back from bytes: {@link #read} fills it. */
    ServletSession(
            ApplicationSession parent,
            int ordinal,
            String callId,
            NamedServlet handler,
            NameAddress nobody) {
        this.parent = parent;
        this.ordinal = ordinal;
        this.callId = callId;
        this.handler = handler;
        this.local = nobody;
        this.remote = nobody;
        this.createdAtMillis = container().millis();
        parent.add(this);
    }

    /** A fork's session: like the original but for the dialog (SIP Servlet 1.1, 6.2.3.2). */
    public ServletSession derive(String remoteTag) {
        ServletSession derived =
                new ServletSession(parent, callId, local, remote.withTag(remoteTag), handler);
        derived.role = role;
        derived.localTag = localTag;
        derived.localCSeq = localCSeq;
        derived.target = target;
        derived.routing = routing;
        derived.outbound = outbound;
        derived.invalidateWhenReady = invalidateWhenReady;
        Attributes all = attributes;
        derived.attributes = all == null ? null : all.copy();
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
        subscription = !method.equals("INVITE");
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
        if (old != null) {
            container().sessions().removeDialog(old, this);
        }
        key = newKey;
        container().sessions().addDialog(newKey, this);
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

    /** A 2xx whose ACK the application never made: with the dialog over nobody waits for it. */
    private void dropUnconfirmed() {
        ArrayList<SipServletMessage> list = pending;
        if (list != null) {
            list.removeIf(ServletResponse.class::isInstance);
            if (list.isEmpty()) {
                pending = null;
            }
        }
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
            dropUnconfirmed();
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
        return local;
    }

    public NameAddress remote() {
        return remote;
    }

    public @Nullable String localTag() {
        return localTag;
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
        ArrayList<SipServletMessage> list = pending;
        for (int i = 0; list != null && i < list.size(); i++) {
            if (list.get(i) instanceof ServletRequest request
                    && request.isInitial()
                    && request.uas() != null) {
                return request.uas();
            }
        }
        return null;
    }

    /**
     * Another dialog of the same initial request, with a tag of its own: the copy of this session.
     */
    public ServletSession deriveAnswering(String newLocalTag) {
        ServletSession derived =
                new ServletSession(parent, callId, local.withTag(newLocalTag), remote, handler);
        derived.localTag = newLocalTag;
        derived.routing = routing;
        derived.invalidateWhenReady = invalidateWhenReady;
        Attributes all = attributes;
        derived.attributes = all == null ? null : all.copy();
        container().events().created(derived);
        return derived;
    }

    // ---- what is open ----

    /** A transaction began that the application sees. */
    public void opened(SipServletMessage message) {
        ArrayList<SipServletMessage> list = pending;
        if (list == null) {
            list = new ArrayList<>(2);
            pending = list;
        }
        list.add(message);
        touch();
    }

    /** Its last word was said. */
    public void closed(SipServletMessage message) {
        ArrayList<SipServletMessage> list = pending;
        if (list != null && list.remove(message)) {
            if (list.isEmpty()) {
                pending = null;
            }
            parent.mayBeReady();
        }
    }

    /** Something of an answered INVITE that the session's end has to let go. */
    public interface Lingering {
        void release();
    }

    public void lingers(Lingering invite) {
        if (!valid) {
            invite.release();
            return;
        }
        ArrayList<Lingering> list = lingering;
        if (list == null) {
            list = new ArrayList<>(1);
            lingering = list;
        }
        list.add(invite);
    }

    /** Its transaction has ended by itself. */
    public void lingered(Lingering invite) {
        ArrayList<Lingering> list = lingering;
        if (list != null && list.remove(invite) && list.isEmpty()) {
            lingering = null;
        }
    }

    /** The open messages, oldest first; never changed by the caller. */
    public List<SipServletMessage> open() {
        ArrayList<SipServletMessage> list = pending;
        return list == null ? List.of() : list;
    }

    public void touch() {
        accessedAtMillis = container().millis();
        parent.touch();
    }

    // ---- links ----

    public @Nullable ServletSession linked() {
        return linked;
    }

    public void link(@Nullable ServletSession other) {
        linked = other;
    }

    // ---- end ----

    boolean ready() {
        if (pending != null) {
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
                    && (pending != null || state == State.EARLY || state == State.CONFIRMED)) {
                throw new IllegalStateException(
                        "the session is "
                                + state
                                + (pending != null ? " with a transaction pending" : ""));
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
        CallEnding.abandonOpen(this, 500);
        valid = false;
        container().counters().sessionEnded(state);
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
        pending = null;
        ArrayList<Lingering> last = lingering;
        lingering = null;
        if (last != null) {
            last.forEach(Lingering::release);
        }
        parent.remove(this);
        Attributes all = attributes;
        if (all != null) {
            for (String name : all.names()) {
                Object value = all.remove(name);
                if (value != null) {
                    container().events().unbound(this, name, value);
                }
            }
        }
    }

    // ---- state as a value ----

    /** Writes everything but what is under way: transactions end with the node that holds them. */
    @SuppressWarnings("EnumOrdinal") // the version of the section says what they mean
    void write(StateWriter out, AttributeCodec codec) {
        out.putVarint(ordinal).putString(callId).putString(handler.name());
        out.putVarint(role.ordinal()).putVarint(state.ordinal());
        out.putBoolean(invalidateWhenReady).putBoolean(completed).putBoolean(subscription);
        out.putVarint(accessedAtMillis).putVarint(localCSeq).putString(localTag);
        out.putString(local.toString()).putString(remote.toString());
        out.putString(target == null ? null : target.toString());
        out.putSigned(linked == null ? -1 : linked.ordinal);
        DialogKey mine = key;
        out.putBoolean(mine != null);
        if (mine != null) {
            out.putString(mine.callId()).putString(mine.localTag()).putString(mine.remoteTag());
        }
        out.putBoolean(dialog != null);
        if (dialog != null) {
            dialog.write(out);
        }
        out.putBoolean(proxied != null);
        if (proxied != null) {
            proxied.write(out);
        }
        codec.write(out, routing);
        InetSocketAddress chosen = outbound;
        out.putString(chosen == null ? null : chosen.getAddress().getHostAddress());
        out.putVarint(chosen == null ? 0 : chosen.getPort());
        codec.write(out, attributes);
    }

    /**
     * Takes the state that {@link #write} wrote; ordinal, Call-ID and handler were read before.
     * Returns the ordinal of the linked session, or -1.
     */
    @SuppressWarnings("EnumOrdinal") // as in write
    int read(StateReader in, AttributeCodec codec) {
        role = Role.values()[in.getCount(Role.values().length - 1)];
        State read = State.values()[in.getCount(State.values().length - 1)];
        container().counters().moved(state, read);
        state = read;
        invalidateWhenReady = in.getBoolean();
        completed = in.getBoolean();
        subscription = in.getBoolean();
        accessedAtMillis = in.getVarint();
        localCSeq = in.getVarint();
        localTag = in.getString();
        try {
            local = NameAddress.parse(in.needString());
            remote = NameAddress.parse(in.needString());
            String uri = in.getString();
            target = uri == null ? null : Uri.parse(uri);
        } catch (SipParseException e) {
            throw new StateFormatException("an address of a session", e);
        }
        final int other = (int) in.getSigned();
        DialogKey mine =
                in.getBoolean()
                        ? new DialogKey(in.needString(), in.needString(), in.needString())
                        : null;
        if (mine != null) {
            register(mine);
        }
        dialog = in.getBoolean() ? Dialog.read(in) : null;
        if (in.getBoolean()) {
            ProxiedDialog old = proxied;
            if (old != null) {
                old.forget();
            }
            proxied = ProxiedDialog.read(this, in);
        }
        routing = (Routing) codec.readReference(in);
        String host = in.getString();
        int port = in.getCount(65_535);
        outbound = host == null ? null : new InetSocketAddress(InetAddress.ofLiteral(host), port);
        attributes = codec.readAttributes(in);
        return other;
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
        return Addresses.readOnly(local);
    }

    @Override
    public Address getRemoteParty() {
        return Addresses.readOnly(remote);
    }

    public void setRouting(Routing routing) {
        this.routing = routing;
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
        outbound = address;
    }

    @Override
    public void setOutboundInterface(InetAddress address) {
        checkValid();
        outbound = container().outboundOf(address);
    }

    public @Nullable InetSocketAddress outbound() {
        return outbound;
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        checkValid();
        Attributes all = attributes;
        return all == null ? null : all.get(Objects.requireNonNull(name, "name"));
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        checkValid();
        Attributes all = attributes;
        return all == null ? Collections.emptyEnumeration() : Collections.enumeration(all.names());
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
        Attributes all = attributes;
        if (all == null) {
            synchronized (this) {
                all = attributes;
                if (all == null) {
                    all = new Attributes();
                    attributes = all;
                }
            }
        }
        Object old = all.put(name, value);
        container().events().set(this, name, old, value);
    }

    @Override
    public void removeAttribute(String name) {
        checkValid();
        Attributes all = attributes;
        Object old = all == null ? null : all.remove(Objects.requireNonNull(name, "name"));
        if (old != null) {
            container().events().removed(this, name, old);
        }
    }

    @Override
    public String toString() {
        return parent.application().name() + " session " + getId() + ' ' + state;
    }
}
