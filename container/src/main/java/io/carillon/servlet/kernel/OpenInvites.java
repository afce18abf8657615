package io.carillon.servlet.kernel;

import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.server.Role;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.shard.Shard;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/**
 * The INVITEs of a call that are under way, in its record: of one that was received, what answers
 * it; of one that was sent, what its answers belong to. At another node their transactions are made
 * again. Where we have answered with a 2xx it is sent again until its ACK comes; where we were, the
 * callee repeats his until ours comes.
 */
final class OpenInvites {
    private OpenInvites() {}

    // ---- writing; with the turn held ----

    /** Begins a section of that kind; what it returns ends it. */
    interface Section {
        int begin(StateWriter out);
    }

    /** One that was received and may be answered, or whose 2xx waits for its ACK. */
    static boolean received(ServletRequest request) {
        UasTransaction server = request.uas();
        return server != null
                && request.getMethod().equals(Methods.INVITE)
                && (!server.finalSent() || server.success() != null)
                && goesWithProxy(request);
    }

    /** It has no proxy, or one that goes to another node. */
    private static boolean goesWithProxy(ServletRequest request) {
        RequestProxy proxy = request.proxyOrNull();
        return proxy == null || request.host().hooks().proxyGoes(proxy);
    }

    /** One that was sent, and has no final response or a 2xx without its ACK. */
    private static boolean sent(ServletRequest request) {
        UacTransaction client = request.uac();
        return client != null
                && request.getMethod().equals(Methods.INVITE)
                && (client.stateName().equals(UacState.SENT.name()) || unconfirmed(request));
    }

    private static boolean unconfirmed(ServletRequest request) {
        ServletSession session = request.session();
        return session != null
                && session.open().stream()
                        .anyMatch(open ->
                                open instanceof ServletResponse response
                                        && response.request() == request
                                        && response.awaitsAck());
    }

    /** Does it go to another node, so that whoever has kept it has it there? */
    static boolean goes(ServletRequest request) {
        return received(request) || (sent(request) && leftFor(request) != null);
    }

    /** Where it left by the wire; null where it has not, or went to an application of ours. */
    private static @Nullable Hop leftFor(ServletRequest request) {
        UacTransaction client = request.uac();
        RequestAttempt attempt = client == null ? null : client.attempt();
        Hop to = attempt == null || !attempt.sent() ? null : attempt.hop();
        return to == null || to.internal() ? null : to;
    }

    /** Those of one session, each as far as the predicate has it. */
    private static List<ServletRequest> open(ServletSession session, boolean received) {
        List<ServletRequest> found = new ArrayList<>(1);
        for (SipServletMessage message : session.open()) {
            ServletRequest request =
                    message instanceof ServletResponse response
                            ? response.request()
                            : (ServletRequest) message;
            if (request.session() == session
                    && (received ? received(request) : sent(request))
                    && !found.contains(request)) {
                found.add(request);
            }
        }
        return found;
    }

    /** The one of that session; null where none is open. */
    static @Nullable ServletRequest of(ServletSession session, boolean received) {
        List<ServletRequest> all = open(session, received);
        return all.isEmpty() ? null : all.getFirst();
    }

    /** Is something to be sent again as soon as another node has the call? */
    static boolean urgent(ServletSession session) {
        ServletRequest request = of(session, true);
        UasTransaction server = request == null ? null : request.uas();
        ServletRequest sent = of(session, false);
        UacTransaction client = sent == null ? null : sent.uac();
        RequestProxy proxy = request == null ? null : request.proxyOrNull();
        return (server != null && server.success() != null)
                || (client != null && client.givenUp())
                || (sent != null && sent.isInitial() && isUnheard(session))
                || (proxy != null && proxy.isUrgent());
    }

    /** Nothing that says more than 100 (Trying) has come: the INVITE may never have left. */
    private static boolean isUnheard(ServletSession session) {
        return session.dialog().state() == SipSession.State.INITIAL;
    }

    /**
     * When another node has to look after an INVITE of the session that rings, if nobody has made
     * it do so before: then its own time limit begins. 0 where none rings.
     */
    static long ringsUntilMillis(ServletSession session) {
        ServletRequest received = of(session, true);
        ServletRequest sent = of(session, false);
        boolean proxied = received != null && received.proxyOrNull() != null;
        if (!proxied && (sent == null || unconfirmed(sent))) {
            return 0;
        }
        long limit = session.parent().home().config().timerCNanos() / 1_000_000L;
        return session.createdAtMillis() + limit;
    }

    /** Writes those that were received, each into a section. */
    static void received(ServletSession session, StateWriter out, Section section) {
        for (ServletRequest request : open(session, true)) {
            UasTransaction server = request.uas();
            if (server != null) {
                int mark = section.begin(out);
                ServerTransaction transaction = server.transaction();
                out.putVarint(session.ordinal());
                out.putString(transaction.localTag());
                out.putBoolean(request.isInitial()).putBoolean(request.backToBack());
                MessageBytes.writeHop(out, transaction.source());
                out.putBytes(server.received().keptBytes());
                ServletResponse success = server.success();
                out.putBytes(success == null ? null : success.received().keptBytes());
                RequestProxy proxy = request.proxyOrNull();
                out.putBytes(proxy == null ? null : request.host().hooks().proxyBytes(proxy));
                out.end(mark);
            }
        }
    }

    /** Writes those that were sent, each into a section. */
    static void sent(ServletSession session, StateWriter out, Section section) {
        for (ServletRequest request : open(session, false)) {
            UacTransaction client = request.uac();
            RequestAttempt attempt = client == null ? null : client.attempt();
            byte[] left = attempt == null ? null : attempt.requestBytes();
            Hop to = leftFor(request);
            if (client != null && left != null && to != null) {
                int mark = section.begin(out);
                ServletRequest behind = request.linked();
                ServletSession other = behind == null ? null : behind.session();
                out.putVarint(session.ordinal()).putSigned(other == null ? -1 : other.ordinal());
                out.putBoolean(request.isInitial()).putBoolean(request.backToBack());
                MessageBytes.writeHop(out, to);
                out.putBytes(left);
                out.putBoolean(client.givenUp()); // since version 2
                out.end(mark);
            }
        }
    }

    /**
     * Writes those that a CANCEL ended, while what was sent for them waits for its end, each into a
     * section: it is not known whether their callers have heard of that.
     */
    static void cancelled(ServletSession session, StateWriter out, Section section) {
        UasTransaction server = cancelled(of(session, false));
        if (server != null) {
            int mark = section.begin(out);
            ServerTransaction transaction = server.transaction();
            out.putString(transaction.localTag());
            MessageBytes.writeHop(out, transaction.source());
            out.putBytes(server.received().keptBytes());
            out.end(mark);
        }
    }

    /**
     * What was received and given up, for which that request was sent; null where it is none such.
     */
    static @Nullable UasTransaction cancelled(@Nullable ServletRequest sent) {
        UacTransaction client = sent == null ? null : sent.uac();
        UasTransaction server = client == null ? null : client.callerGone();
        return server != null && !server.transaction().source().internal() ? server : null;
    }

    /** Its caller is told once more that it has ended. On the shard's thread. */
    static void answerCancelled(Shard home, StateReader in, int partition) {
        String tag = in.needString();
        Hop source = MessageBytes.readHop(in);
        byte[] bytes = in.getBytes();
        if (source != null
                && bytes != null
                && home.parseOwn(bytes) instanceof SipRequest received
                && home.requests().resume(received, source, tag, partition)
                        instanceof ServerTransaction transaction) {
            transaction.respond(MessageDraft.responseTo(received, 487, null, tag).freezeResponse());
        }
    }

    /** Writes what applications have set in them, each into a section. */
    static void attributes(
            ServletSession session, AttributeCodec codec, StateWriter out, Section section) {
        for (boolean received : new boolean[] {true, false}) {
            ServletRequest request = of(session, received);
            MessageExtras rare = request == null ? null : request.extrasOrNull();
            if (request != null
                    && rare != null
                    && !rare.attributeNames().isEmpty()
                    && goes(request)) {
                int mark = section.begin(out);
                out.putVarint(session.ordinal()).putBoolean(received);
                MessageBytes.writeAttributes(request, out, codec);
                out.end(mark);
            }
        }
    }

    // ---- reading ----

    static void readAttributes(ApplicationSession parent, StateReader in, AttributeCodec codec) {
        ServletSession session = parent.session(in.getCount(Integer.MAX_VALUE));
        boolean received = in.getBoolean();
        ServletRequest request = session == null ? null : of(session, received);
        if (request != null) {
            MessageBytes.readAttributes(request, in, codec);
        }
    }

    /**
     * One that another node has received, at its new shard.
     *
     * @param ordinal of its session
     * @param success the 2xx that it was answered with; null where it has none yet
     * @param proxy the proxy that it has; null for none
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    record Resumed(
            int ordinal,
            ServletRequest request,
            ServerTransaction transaction,
            boolean backToBack,
            byte @Nullable [] success,
            byte @Nullable [] proxy) {}

    /**
     * Makes the transaction again. On the shard's thread.
     *
     * @return null where it is over: it was answered here meanwhile
     */
    static @Nullable Resumed resume(SessionHost host, Shard home, StateReader in, int partition) {
        int ordinal = in.getCount(Integer.MAX_VALUE);
        String tag = in.needString();
        boolean initial = in.getBoolean();
        boolean backToBack = in.getBoolean();
        Hop source = MessageBytes.readHop(in);
        byte[] bytes = in.getBytes();
        byte[] success = in.getBytes();
        byte[] proxy = in.getBytes();
        if (source == null
                || bytes == null
                || !(home.parseOwn(bytes) instanceof SipRequest received)
                || !(home.requests().resume(received, source, tag, partition)
                        instanceof ServerTransaction transaction)) {
            return null;
        }
        RoutePreprocessing routing = RoutePreprocessing.of(received, source, home.wire());
        ServletRequest request =
                ServletRequest.incoming(host, received, transaction, source, routing, initial);
        transaction.attach(request);
        transaction.setRole(proxy == null ? Role.UAS : Role.PROXY);
        return new Resumed(ordinal, request, transaction, backToBack, success, proxy);
    }

    /** It is its session's from now on; in the turn. */
    static void take(ServletSession session, Resumed resumed) {
        ServletRequest request = resumed.request();
        request.bind(session);
        if (resumed.backToBack()) {
            request.getB2buaHelper();
        }
        session.opened(request);
        session.path().answeredFrom(resumed.transaction().shard());
    }

    /** Its 2xx is sent until the ACK comes; in the turn, when the session is whole. */
    static void answerAgain(ServletSession session, Resumed resumed) {
        byte[] bytes = resumed.success();
        UasTransaction server = resumed.request().uas();
        byte[] proxy = resumed.proxy();
        if (server == null || server.finalSent()) {
            return;
        }
        if (proxy != null) {
            session.host().hooks().readProxy(resumed.request(), proxy);
            return;
        }
        if (bytes != null
                && session.parent().home().parseOwn(bytes) instanceof SipResponse success
                && resumed.transaction().claimFinal()) {
            ServletResponse response =
                    ServletResponse.made(
                            resumed.request(),
                            session,
                            MessageDraft.copyOf(success),
                            success.status());
            SipResponse printed = response.received();
            response.commit();
            resumed.request().commit();
            server.transition(UasState.ACCEPTED);
            server.success = response;
            server.acceptedAtMillis = session.host().millis();
            resumed.transaction().respondAsUas(printed);
        } else if (resumed.transaction().finalClaimed()) {
            // A CANCEL came while nobody had the call, and was answered with 487.
            ServletRequest onward = resumed.request().linked();
            UacTransaction client = onward == null ? null : onward.uac();
            if (client != null) {
                client.callerGone(server);
                client.abandon();
            }
            server.cancelled();
        }
    }

    /** One that another node has sent goes on; in the turn. */
    static void readSent(ApplicationSession parent, StateReader in, int version) {
        ServletSession session = parent.session(in.getCount(Integer.MAX_VALUE));
        int behind = (int) in.getSigned();
        boolean initial = in.getBoolean();
        boolean backToBack = in.getBoolean();
        Hop to = MessageBytes.readHop(in);
        byte[] bytes = in.getBytes();
        boolean cancelled = version >= 2 && in.getBoolean();
        if (session == null
                || to == null
                || bytes == null
                || !(parent.home().parseOwn(bytes) instanceof SipRequest sent)) {
            return;
        }
        ServletRequest request =
                ServletRequest.outgoing(session, MessageDraft.copyOf(sent), initial);
        UacTransaction client = request.uac();
        if (client == null) {
            return;
        }
        if (backToBack) {
            request.getB2buaHelper();
        }
        request.commit();
        RequestAttempt resumed =
                parent.home()
                        .resume(
                                new OutgoingRequest(MessageDraft.copyOf(sent), client)
                                        .decorator(session.host().contacts())
                                        .origin(session.origin())
                                        .countedAt(session.countedAt()),
                                sent,
                                to,
                                cancelled || !initial || !isUnheard(session));
        client.goesOn(resumed, cancelled);
        session.opened(request);
        ServletSession other = behind < 0 ? null : parent.session(behind);
        ServletRequest original = other == null ? null : of(other, true);
        if (original != null) {
            request.link(original);
            original.link(request);
        }
    }
}
