package io.carillon.servlet.kernel;

import io.carillon.servlet.app.NamedServlet;
import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.header.CSeq;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.servlet.http.HttpSession;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipSession.State;
import javax.servlet.sip.ar.SipTargetedRequestType;
import org.jspecify.annotations.Nullable;

/**
 * An application session with its children and timers as a value, and back. What is under way is
 * not in it: transactions end with the node that holds them. Pure functions of the turn's holder.
 */
@SuppressWarnings("EnumOrdinal") // the version of the section says what the ordinals mean
public final class SessionBytes {
    private static final int VERSION = 6;

    /** From this version on a session's timer (RFC 4028) stands behind its security. */
    private static final int WITH_TIMERS = 2;

    /** From this version on it says whether they outlived their call, and until when they live. */
    private static final int WITH_HUNG_UP = 6;

    /** From this version on the subscriptions of its dialog stand behind that. */
    private static final int WITH_USAGES = 3;

    /** From this version on a proxied dialog says where its ends were heard. */
    private static final int WITH_SOURCES = 5;

    /** From this version on the origins of the session and of each child. */
    private static final int WITH_ORIGINS = 4;

    /** From this version on who was heard in each child. */
    private static final int WITH_PEERS = 5;

    private static final int MAX_CHILDREN = 10_000;

    /** Older versions kept more than a session may have now. */
    private static final int MOST_USAGES = 100;

    /** Stands in a session that is being read until its own addresses are. */
    private static final NameAddress NOBODY = NameAddress.of(SipUri.of(null, "invalid", -1));

    private static final Uri UNKNOWN = NOBODY.uri();

    private SessionBytes() {}

    /** Writes the session with its children and timers. */
    public static void write(ApplicationSession session, StateWriter out, AttributeCodec codec) {
        int section = out.begin(VERSION);
        out.putString(session.getId()).putString(session.key());
        out.putVarint(session.getCreationTime()).putBoolean(session.announced);
        out.putVarint(session.expiry.accessedAtMillis()).putVarint(session.expiry.minutes());
        out.putVarint(session.ordinals());
        out.putBoolean(session.invalidateWhenReady).putBoolean(session.expiry.expired());
        out.putVarint(session.origin.ordinal());
        codec.write(out, session.attributes);
        Collection<ServletTimer> timers = session.getTimers();
        out.putVarint(timers.size());
        for (ServletTimer timer : timers) {
            ((TimerChild) timer).write(out, codec);
        }
        out.putVarint(session.sessions().size());
        for (ServletSession child : session.sessions()) {
            write(child, out, codec);
        }
        // An HTTP session is named only: what is in it belongs to the HTTP server's threads.
        List<HttpSession> http = session.http().sessions();
        out.putVarint(http.size());
        for (HttpSession one : http) {
            out.putString(one.getId());
        }
        out.end(section);
    }

    /**
     * Takes the state that {@link #write} wrote, into the children that live and into new ones for
     * those that do not.
     *
     * @throws StateFormatException for other bytes
     */
    public static void read(ApplicationSession session, StateReader in, AttributeCodec codec) {
        int version = in.begin();
        if (!session.getId().equals(in.needString())) {
            throw new StateFormatException("another application session's state");
        }
        in.getString();
        if (session.getCreationTime() != in.getVarint()) {
            throw new StateFormatException("an application session of another time");
        }
        session.announced = in.getBoolean();
        final long accessed = in.getVarint();
        final int minutes = in.getCount(Integer.MAX_VALUE);
        session.ordinals(in.getCount(Integer.MAX_VALUE));
        session.invalidateWhenReady = in.getBoolean();
        session.expiry.restore(accessed, minutes, in.getBoolean());
        session.origin = origin(in, version);
        session.attributes.become(codec.readAttributes(in));
        int timers = in.getCount(MAX_CHILDREN);
        for (int i = 0; i < timers; i++) {
            session.host().hooks().readTimer(session, in, codec);
        }
        int count = in.getCount(MAX_CHILDREN);
        int[] links = new int[count];
        ServletSession[] children = new ServletSession[count];
        for (int i = 0; i < count; i++) {
            children[i] = child(session, in);
            links[i] = read(children[i], in, codec, version);
        }
        readHttp(session, in);
        in.end();
        for (int i = 0; i < count; i++) {
            children[i].link(links[i] < 0 ? null : session.session(links[i]));
        }
    }

    /** The HTTP sessions live in the HTTP server: one that it does not know is over. */
    private static void readHttp(ApplicationSession session, StateReader in) {
        int count = in.getCount(MAX_CHILDREN);
        Set<String> named = new HashSet<>();
        for (int i = 0; i < count; i++) {
            named.add(in.needString());
        }
        session.http().keepOnly(named);
    }

    /** The child that lives, or a new one. */
    private static ServletSession child(ApplicationSession parent, StateReader in) {
        int ordinal = in.getCount(Integer.MAX_VALUE);
        final long createdAtMillis = in.getVarint();
        String callId = in.needString();
        String name = in.needString();
        NamedServlet handler = parent.application().servlet(name);
        if (handler == null) {
            throw new StateFormatException(
                    "application " + parent.getApplicationName() + " has no servlet " + name);
        }
        ServletSession living = parent.session(ordinal);
        if (living == null) {
            return parent.host()
                    .objects()
                    .session(parent, ordinal, createdAtMillis, callId, handler, NOBODY);
        }
        if (living.getCreationTime() != createdAtMillis || !living.getCallId().equals(callId)) {
            throw new StateFormatException("another session has the number " + ordinal);
        }
        living.handler = handler;
        return living;
    }

    private static void write(ServletSession session, StateWriter out, AttributeCodec codec) {
        out.putVarint(session.ordinal()).putVarint(session.getCreationTime());
        out.putString(session.getCallId());
        out.putString(session.handler.name());
        out.putVarint(session.dialog.role.ordinal()).putVarint(session.dialog.state.ordinal());
        out.putBoolean(session.invalidateWhenReady).putBoolean(session.dialog.completed);
        out.putBoolean(session.dialog.subscription);
        out.putVarint(session.accessedAtMillis).putVarint(session.dialog.localCSeq);
        out.putString(session.dialog.localTag);
        out.putString(session.dialog.local.toString()).putString(session.dialog.remote.toString());
        Uri target = session.dialog.target;
        out.putString(target == null ? null : target.toString());
        ServletSession linked = session.linked;
        out.putSigned(linked == null ? -1 : linked.ordinal());
        writeDialogs(session.dialog, out);
        codec.write(out, session.path.routing);
        SessionExtras rare = session.extras;
        SipTargetedRequestType by = rare == null ? null : rare.correspondsBy;
        out.putSigned(by == null ? -1 : by.ordinal());
        out.putSigned(rare == null ? -1 : rare.corresponds);
        out.putVarint(session.path.depth).putBoolean(session.path.composed);
        InetSocketAddress chosen = session.path().outbound();
        out.putString(chosen == null ? null : chosen.getAddress().getHostAddress());
        out.putVarint(chosen == null ? 0 : chosen.getPort());
        Transport transport = session.path().outboundTransport();
        out.putString(transport == null ? null : transport.name());
        codec.write(out, session.attributes);
        boolean secured = secured(session);
        out.putBoolean(secured);
        if (secured) {
            session.host().hooks().writeSecurity(session, out);
        }
        RefreshTimer timer = session.sessionTimer();
        out.putBoolean(timer != null);
        if (timer != null) {
            timer.write(out);
        }
        writeSubscriptions(session.dialog, out);
        out.putVarint(session.path.origin.ordinal());
        out.putSigned(session.path.peer).putBoolean(session.path.heard);
        session.writeMore(out);
    }

    private static void writeDialogs(SessionDialog session, StateWriter out) {
        DialogKey key = session.key;
        out.putBoolean(key != null);
        if (key != null) {
            out.putString(key.callId()).putString(key.localTag()).putString(key.remoteTag());
        }
        Dialog dialog = session.own;
        out.putBoolean(dialog != null);
        if (dialog != null) {
            dialog.write(out);
        }
        ForwardedDialog proxied = session.proxied;
        out.putBoolean(proxied != null);
        if (proxied != null) {
            proxied.write(out);
        }
    }

    private static void writeSubscriptions(SessionDialog session, StateWriter out) {
        DialogUsages usages = session.usages;
        List<String> names = session.subscriptions();
        out.putVarint(names.size());
        names.forEach(out::putString);
        out.putSigned(usages == null ? 0 : usages.untilMillis);
        out.putBoolean(usages != null && usages.hungUp);
    }

    private static boolean secured(ServletSession session) {
        AnsweredChallenges challenges = session.challenges();
        return session.path().caller() != null || (challenges != null && !challenges.isEmpty());
    }

    private static SessionPath.@Nullable Routing routing(@Nullable Object said) {
        if (said == null || said instanceof SessionPath.Routing) {
            return (SessionPath.@Nullable Routing) said;
        }
        throw new StateFormatException("no routing: " + said.getClass().getName());
    }

    /** Of a session that an older version wrote: nobody knows, so the strictest. */
    private static Origin origin(StateReader in, int version) {
        Origin[] all = Origin.values();
        return version < WITH_ORIGINS ? Origin.OUTSIDE : all[in.getCount(all.length - 1)];
    }

    private static @Nullable SipTargetedRequestType targeted(long ordinal) {
        SipTargetedRequestType[] all = SipTargetedRequestType.values();
        if (ordinal < -1 || ordinal >= all.length) {
            throw new StateFormatException("targeted request type " + ordinal);
        }
        return ordinal < 0 ? null : all[(int) ordinal];
    }

    private static SessionPath.@Nullable Interface outbound(StateReader in) {
        String host = in.getString();
        int port = in.getCount(65_535);
        String transport = in.getString();
        try {
            return host == null
                    ? null
                    : new SessionPath.Interface(
                            new InetSocketAddress(InetAddress.ofLiteral(host), port),
                            transport == null ? null : Transport.of(transport));
        } catch (IllegalArgumentException e) {
            throw new StateFormatException("an outbound interface", e);
        }
    }

    private static List<String> usages(StateReader in) {
        List<String> usages = new ArrayList<>();
        for (int i = in.getCount(MOST_USAGES); i > 0; i--) {
            usages.add(in.needString());
        }
        return List.copyOf(usages);
    }

    /** Ordinal, Call-ID and handler were read before. Returns the linked ordinal, or -1. */
    private static int read(
            ServletSession session, StateReader in, AttributeCodec codec, int version) {
        readState(session, in);
        readParties(session.dialog, in);
        final int linked = (int) in.getSigned();
        readDialog(session, in, version);
        SessionPath path = session.path;
        path.routing = routing(codec.readReference(in));
        SipTargetedRequestType by = targeted(in.getSigned());
        int corresponds = (int) in.getSigned();
        path.depth = in.getCount(Integer.MAX_VALUE);
        path.composed = in.getBoolean();
        path.outbound = outbound(in);
        session.attributes.become(codec.readAttributes(in));
        RefreshTimer timer = readSecurityAndTimer(session, in, version);
        readUsages(session.dialog, in, version);
        path.origin = origin(in, version);
        path.peer = version < WITH_PEERS ? 0 : in.getSigned();
        path.heard = version >= WITH_PEERS && in.getBoolean();
        if (by != null || timer != null) {
            SessionExtras rare = session.extras();
            rare.correspondsBy = by;
            rare.corresponds = corresponds;
            rare.timer = timer;
        }
        if (timer != null) {
            timer.arm();
        }
        session.readMore(in);
        needUsable(session);
        return linked;
    }

    private static void readState(ServletSession session, StateReader in) {
        SessionDialog dialog = session.dialog;
        SessionDialog.Role[] roles = SessionDialog.Role.values();
        dialog.role = roles[in.getCount(roles.length - 1)];
        State state = State.values()[in.getCount(State.values().length - 1)];
        session.host().counters().moved(dialog.state, state);
        dialog.state = state;
        session.invalidateWhenReady = in.getBoolean();
        dialog.completed = in.getBoolean();
        dialog.subscription = in.getBoolean();
        session.accessedAtMillis = in.getVarint();
        dialog.localCSeq = in.getVarint();
    }

    private static void readParties(SessionDialog dialog, StateReader in) {
        dialog.localTag = in.getString();
        try {
            dialog.local = NameAddress.parse(in.needString());
            dialog.remote = NameAddress.parse(in.needString());
            String uri = in.getString();
            dialog.target = uri == null ? null : Uri.parse(uri);
        } catch (SipParseException e) {
            throw new StateFormatException("an address of a session", e);
        }
    }

    private static void readDialog(ServletSession session, StateReader in, int version) {
        if (in.getBoolean()) {
            DialogLife.register(
                    session, new DialogKey(in.needString(), in.needString(), in.needString()));
        }
        session.dialog.own = in.getBoolean() ? Dialog.read(in) : null;
        if (in.getBoolean()) {
            ForwardedDialog old = session.dialog.proxied;
            if (old != null) {
                old.forget();
            }
            session.dialog.proxied =
                    session.host().hooks().readForwarded(session, in, version >= WITH_SOURCES);
        }
    }

    /** What few sessions have is as the bytes say: the rest of it goes. */
    private static @Nullable RefreshTimer readSecurityAndTimer(
            ServletSession session, StateReader in, int version) {
        RefreshTimer before = session.sessionTimer();
        if (before != null) {
            before.cancel();
        }
        session.extras = null;
        session.path.caller = null;
        SessionHooks hooks = session.host().hooks();
        if (in.getBoolean()) {
            hooks.readSecurity(session, in);
        }
        return version >= WITH_TIMERS && in.getBoolean() ? hooks.readRefresh(session, in) : null;
    }

    private static void readUsages(SessionDialog dialog, StateReader in, int version) {
        List<String> names = version >= WITH_USAGES ? usages(in) : List.of();
        long until = version >= WITH_HUNG_UP ? in.getSigned() : 0;
        boolean hungUp = version >= WITH_HUNG_UP && in.getBoolean();
        dialog.usages = null;
        if (until != 0 || !names.isEmpty()) {
            DialogUsages using = dialog.usages();
            using.names = names;
            using.untilMillis = until;
            using.hungUp = hungUp;
        }
    }

    /**
     * What no request can be made of is found out here, as a dialog's own numbers and names are.
     */
    private static void needUsable(ServletSession session) {
        if (session.dialog.localCSeq < 0 || session.dialog.localCSeq >= CSeq.MAX) {
            throw new StateFormatException("a session's CSeq: " + session.dialog.localCSeq);
        }
        String tag = session.dialog.localTag;
        try {
            MessageDraft.request(Methods.OPTIONS, UNKNOWN)
                    .setFrom(tag == null ? session.dialog.local : session.dialog.local.withTag(tag))
                    .setTo(session.dialog.remote)
                    .setCallId(session.getCallId());
        } catch (IllegalArgumentException e) {
            throw new StateFormatException("a session's Call-ID, From, To or tag", e);
        }
    }
}
