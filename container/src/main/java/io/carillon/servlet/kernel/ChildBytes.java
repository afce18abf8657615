package io.carillon.servlet.kernel;

import io.carillon.servlet.app.NamedServlet;
import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.servlet.bytes.Attributes;
import io.carillon.servlet.header.AddressFactory;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.header.CSeq;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipSession.State;
import javax.servlet.sip.URI;
import javax.servlet.sip.ar.SipApplicationRoutingRegion;
import javax.servlet.sip.ar.SipApplicationRoutingRegionType;
import javax.servlet.sip.ar.SipTargetedRequestType;
import org.jspecify.annotations.Nullable;

/**
 * One session in the bytes of its application session ({@link SessionBytes}), but for its
 * attributes: sections of its own. Pure functions of the turn's holder.
 */
final class ChildBytes {
    private static final int IDENTITY = 1;
    private static final int STATE = 2;
    private static final int PARTIES = 3;
    private static final int KEY = 4;
    private static final int DIALOG = 5;
    private static final int PROXIED = 6;
    private static final int ROUTING = 7;
    private static final int CORRESPONDS = 8;
    private static final int PLACE = 9;
    private static final int INTERFACE = 10;
    private static final int SECURITY = 11;
    private static final int REFRESH = 12;
    private static final int SUBSCRIPTIONS = 13;
    private static final int LINK = 14;

    /** What a bridge adds. */
    private static final int MORE = 15;

    /** Its BYE is under way. */
    private static final int ENDS = 16;

    private static final int VERSION = 1;

    /** Older versions kept more than a session may have now. */
    private static final int MOST_USAGES = 100;

    /** Stands in a session that is being read until its own addresses are. */
    private static final NameAddress NOBODY = NameAddress.of(SipUri.of(null, "invalid", -1));

    private static final Uri UNKNOWN = NOBODY.uri();

    private ChildBytes() {}

    /**
     * A session that was read.
     *
     * @param linked number of the one that it is linked to; -1 for none
     */
    record Read(ServletSession session, int linked) {}

    // ---- writing ----

    static void write(ServletSession session, StateWriter out, AttributeCodec codec) {
        writeState(session, out);
        writeDialogs(session.dialog, out);
        writePath(session.path, out, codec);
        SessionExtras rare = session.extras;
        SipTargetedRequestType by = rare == null ? null : rare.correspondsBy;
        if (rare != null && by != null) {
            int section = begin(out, CORRESPONDS);
            out.putString(by.name()).putSigned(rare.corresponds);
            out.end(section);
        }
        if (secured(session)) {
            int section = begin(out, SECURITY);
            session.host().hooks().writeSecurity(session, out);
            out.end(section);
        }
        RefreshTimer timer = session.sessionTimer();
        if (timer != null) {
            int section = begin(out, REFRESH);
            timer.write(out);
            out.end(section);
        }
        writeSubscriptions(session.dialog.usages, out);
        ServletSession linked = session.linked;
        if (linked != null) {
            int section = begin(out, LINK);
            out.putVarint(linked.ordinal());
            out.end(section);
        }
        if (LegEnding.endsAlone(session)) {
            out.end(begin(out, ENDS));
        }
        StateWriter more = new StateWriter(16);
        session.writeMore(more);
        if (more.length() > 0) {
            int section = begin(out, MORE);
            out.append(more);
            out.end(section);
        }
    }

    private static int begin(StateWriter out, int number) {
        out.putVarint(number);
        return out.begin(VERSION);
    }

    private static void writeState(ServletSession session, StateWriter out) {
        int section = begin(out, IDENTITY);
        out.putVarint(session.ordinal()).putVarint(session.createdAtMillis());
        out.putString(session.getCallId()).putString(session.handler.name());
        out.end(section);
        section = begin(out, STATE);
        SessionDialog dialog = session.dialog;
        out.putString(dialog.role.name()).putString(dialog.state.name());
        out.putBoolean(session.invalidateWhenReady).putBoolean(dialog.completed);
        out.putBoolean(dialog.subscription);
        out.putVarint(session.accessedAtMillis).putVarint(dialog.localCSeq);
        out.end(section);
        section = begin(out, PARTIES);
        out.putString(dialog.localTag);
        out.putString(dialog.local.toString()).putString(dialog.remote.toString());
        Uri target = dialog.target;
        out.putString(target == null ? null : target.toString());
        out.end(section);
    }

    private static void writeDialogs(SessionDialog session, StateWriter out) {
        DialogKey key = session.key;
        if (key != null) {
            int section = begin(out, KEY);
            out.putString(key.callId()).putString(key.localTag()).putString(key.remoteTag());
            out.end(section);
        }
        Dialog dialog = session.own;
        if (dialog != null) {
            int section = begin(out, DIALOG);
            dialog.write(out);
            out.end(section);
        }
        ForwardedDialog proxied = session.proxied;
        if (proxied != null) {
            int section = begin(out, PROXIED);
            proxied.write(out);
            out.end(section);
        }
    }

    private static void writePath(SessionPath path, StateWriter out, AttributeCodec codec) {
        SessionPath.Routing said = path.routing;
        if (said != null) {
            int section = begin(out, ROUTING);
            out.putString(said.region().getLabel());
            out.putString(said.region().getType().name());
            URI subscriber = said.subscriber();
            out.putString(subscriber == null ? null : subscriber.toString());
            codec.write(out, said.stateInfo(), "what the application router remembers");
            out.end(section);
        }
        int section = begin(out, PLACE);
        out.putVarint(path.depth).putBoolean(path.composed);
        out.putString(path.origin.name());
        out.putSigned(path.peer).putBoolean(path.heard);
        out.end(section);
        InetSocketAddress chosen = path.outbound();
        if (chosen != null) {
            section = begin(out, INTERFACE);
            Transport transport = path.outboundTransport();
            out.putString(chosen.getAddress().getHostAddress()).putVarint(chosen.getPort());
            out.putString(transport == null ? null : transport.name());
            out.end(section);
        }
    }

    private static void writeSubscriptions(@Nullable DialogUsages usages, StateWriter out) {
        if (usages == null || (usages.untilMillis == 0 && usages.names.isEmpty())) {
            return;
        }
        int section = begin(out, SUBSCRIPTIONS);
        out.putVarint(usages.names.size());
        usages.names.forEach(out::putString);
        out.putSigned(usages.untilMillis).putBoolean(usages.hungUp);
        out.end(section);
    }

    private static boolean secured(ServletSession session) {
        AnsweredChallenges challenges = session.challenges();
        return session.path().caller() != null || (challenges != null && !challenges.isEmpty());
    }

    // ---- reading ----

    /** Reads one into the child that lives, or into a new one. */
    static Read read(ApplicationSession parent, StateReader in, AttributeCodec codec) {
        if (in.getCount(Integer.MAX_VALUE) != IDENTITY) {
            throw new StateFormatException("a session without its identity");
        }
        in.begin();
        ServletSession session = child(parent, in);
        in.end();
        blank(session);
        int linked = -1;
        boolean state = false;
        boolean parties = false;
        while (in.hasMore()) {
            int number = in.getCount(Integer.MAX_VALUE);
            in.begin();
            state |= number == STATE;
            parties |= number == PARTIES;
            switch (number) {
                case STATE -> readState(session, in);
                case PARTIES -> readParties(session.dialog, in);
                case KEY ->
                        DialogLife.register(
                                session,
                                new DialogKey(in.needString(), in.needString(), in.needString()));
                case DIALOG -> session.dialog.own = Dialog.read(in);
                case PROXIED -> readProxied(session, in);
                case ROUTING -> session.path.routing = routing(in, codec);
                case CORRESPONDS -> readCorresponds(session.extras(), in);
                case PLACE -> readPlace(session, in);
                case INTERFACE -> session.path.outbound = outbound(in);
                case SECURITY -> session.host().hooks().readSecurity(session, in);
                case REFRESH -> readRefresh(session, in);
                case SUBSCRIPTIONS -> readUsages(session.dialog, in);
                case LINK -> linked = in.getCount(Integer.MAX_VALUE);
                case ENDS -> session.dialog.ends = true;
                case MORE -> session.readMore(in);
                default -> {} // of a newer version
            }
            in.end();
        }
        if (!state || !parties) {
            throw new StateFormatException("a session without its state or its parties");
        }
        needUsable(session);
        return new Read(session, linked);
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
        if (living.createdAtMillis() != createdAtMillis || !living.getCallId().equals(callId)) {
            throw new StateFormatException("another session has the number " + ordinal);
        }
        living.handler = handler;
        return living;
    }

    /** What few sessions have is as the bytes say: all of that goes first. */
    private static void blank(ServletSession session) {
        RefreshTimer before = session.sessionTimer();
        if (before != null) {
            before.cancel();
        }
        session.extras = null;
        session.path.caller = null;
        session.path.routing = null;
        session.path.outbound = null;
        session.dialog.own = null;
        session.dialog.usages = null;
        session.dialog.ends = false;
        session.attributes.become(new Attributes());
    }

    private static void readState(ServletSession session, StateReader in) {
        SessionDialog dialog = session.dialog;
        dialog.role = needed(SessionDialog.Role.class, in);
        State state = needed(State.class, in);
        session.host().counters().moved(dialog.state, state);
        dialog.state = state;
        session.invalidateWhenReady = in.getBoolean();
        dialog.completed = in.getBoolean();
        dialog.subscription = in.getBoolean();
        session.accessedAtMillis = in.getVarint();
        dialog.localCSeq = in.getVarint();
    }

    /** Without it the session cannot be what it was. */
    private static <E extends Enum<E>> E needed(Class<E> type, StateReader in) {
        String name = in.needString();
        for (E one : type.getEnumConstants()) {
            if (one.name().equals(name)) {
                return one;
            }
        }
        throw new StateFormatException("no " + type.getSimpleName() + ": " + name);
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

    private static void readProxied(ServletSession session, StateReader in) {
        ForwardedDialog old = session.dialog.proxied;
        if (old != null) {
            old.forget();
        }
        session.dialog.proxied = session.host().hooks().readForwarded(session, in);
    }

    private static SessionPath.Routing routing(StateReader in, AttributeCodec codec) {
        String label = in.needString();
        SipApplicationRoutingRegionType type = needed(SipApplicationRoutingRegionType.class, in);
        String subscriber = in.getString();
        Object remembered = codec.read(in, "what the application router remembers");
        if (remembered != null && !(remembered instanceof Serializable)) {
            throw new StateFormatException("no state of a router: " + remembered.getClass());
        }
        try {
            return new SessionPath.Routing(
                    region(label, type),
                    subscriber == null ? null : AddressFactory.createURI(subscriber),
                    (Serializable) remembered);
        } catch (ServletParseException e) {
            throw new StateFormatException("the URI of a subscriber", e);
        }
    }

    /** One of the API's own where it is one: applications compare them. */
    private static SipApplicationRoutingRegion region(
            String label, SipApplicationRoutingRegionType type) {
        for (SipApplicationRoutingRegion own :
                List.of(
                        SipApplicationRoutingRegion.NEUTRAL_REGION,
                        SipApplicationRoutingRegion.ORIGINATING_REGION,
                        SipApplicationRoutingRegion.TERMINATING_REGION)) {
            if (own.getType() == type && Objects.equals(own.getLabel(), label)) {
                return own;
            }
        }
        return new SipApplicationRoutingRegion(label, type);
    }

    private static void readCorresponds(SessionExtras rare, StateReader in) {
        rare.correspondsBy = needed(SipTargetedRequestType.class, in);
        rare.corresponds = (int) in.getSigned();
    }

    private static void readPlace(ServletSession session, StateReader in) {
        SessionPath path = session.path;
        path.depth = in.getCount(Integer.MAX_VALUE);
        path.composed = in.getBoolean();
        path.origin = SessionBytes.origin(in);
        path.peer = in.getSigned();
        path.heard = in.getBoolean();
        ForwardedDialog through = session.dialog.proxied;
        if (through != null) {
            // Which came without a depth into the tables, where depths are the order.
            session.host()
                    .hooks()
                    .keys(
                            through,
                            key -> {
                                session.host().tables().removeProxied(key, session);
                                session.host().tables().addProxied(key, session);
                            });
        }
    }

    private static SessionPath.Interface outbound(StateReader in) {
        String host = in.needString();
        int port = in.getCount(65_535);
        String transport = in.getString();
        try {
            return new SessionPath.Interface(
                    new InetSocketAddress(InetAddress.ofLiteral(host), port),
                    transport == null ? null : Transport.of(transport));
        } catch (IllegalArgumentException e) {
            throw new StateFormatException("an outbound interface", e);
        }
    }

    private static void readRefresh(ServletSession session, StateReader in) {
        RefreshTimer timer = session.host().hooks().readRefresh(session, in);
        session.sessionTimer(timer);
        timer.arm();
    }

    private static void readUsages(SessionDialog dialog, StateReader in) {
        List<String> names = new ArrayList<>();
        for (int i = in.getCount(MOST_USAGES); i > 0; i--) {
            names.add(in.needString());
        }
        DialogUsages using = dialog.usages();
        using.names = List.copyOf(names);
        using.untilMillis = in.getSigned();
        using.hungUp = in.getBoolean();
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
