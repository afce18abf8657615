package io.carillon.servlet.feature.b2bua;

import io.carillon.servlet.header.Addresses;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlet.kernel.DerivedSession;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletResponse;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionRequests;
import io.carillon.servlet.kernel.UacTransaction;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.servlet.port.Provenance;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.Methods;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.TooManyHopsException;
import javax.servlet.sip.UAMode;
import org.jspecify.annotations.Nullable;

/**
 * Back-to-back user agents: copies requests to the other leg, keeps the pairs of sessions and
 * requests. Stateless: the pairs lie in the sessions.
 */
public final class BackToBack implements B2buaHelper {
    private final CopyRules rules;

    public BackToBack(CopyRules rules) {
        this.rules = rules;
    }

    // ---- requests ----

    @Override
    public SipServletRequest createRequest(SipServletRequest original) {
        ServletRequest received = received(original);
        return within(received, () -> copy(received, null, null));
    }

    @Override
    public SipServletRequest createRequest(
            SipServletRequest original,
            boolean linked,
            @Nullable Map<String, List<String>> headerMap)
            throws TooManyHopsException {
        ServletRequest received = received(original);
        if (!received.isInitial()) {
            throw new IllegalArgumentException("the original request is not an initial one");
        }
        HeaderMap.check(headerMap, received.getApplicationSession().application());
        // RFC 3261 8.1.1.6 with 16.3: what would leave with a Max-Forwards below 0 is answered with
        // 483.
        UasTransaction server = received.uas();
        if (received.getMaxForwards() == 0) {
            if (server != null) {
                server.answer(SipServletResponse.SC_TOO_MANY_HOPS);
            }
            throw new TooManyHopsException("Max-Forwards is 0");
        }
        return within(
                received,
                () -> {
                    ServletSession here = received.getSession();
                    if (linked && here.linked() != null) {
                        throw new IllegalArgumentException(
                                "the session of the original request is linked already");
                    }
                    ServletRequest made = copy(received, null, headerMap);
                    if (linked) {
                        link(here, made.getSession());
                        received.link(made);
                        made.link(received);
                    }
                    return made;
                });
    }

    @Override
    public SipServletRequest createRequest(
            SipSession session,
            SipServletRequest original,
            @Nullable Map<String, List<String>> headerMap) {
        ServletRequest received = known(original); // or one of ours, that the other side is to get
        ServletSession there = own(session);
        HeaderMap.check(headerMap, there.application());
        if (there.parent() != received.getApplicationSession()) {
            throw new IllegalArgumentException(
                    "the two sessions belong to different application sessions");
        }
        return within(
                received,
                () -> {
                    ServletRequest made =
                            (ServletRequest) there.createRequest(received.getMethod());
                    CopiedHeaders.copy(received, made, false, timed(received));
                    rules.hide(received, made);
                    HeaderMap.apply(headerMap, made);
                    copies(made, received);
                    ServletSession here = received.getSession();
                    link(here, there);
                    if (received.incoming()
                            || received.linked()
                                    == null) { // a request of ours may have its pair already
                        received.link(made);
                        made.link(received);
                    }
                    return made;
                });
    }

    /**
     * A request like the received one, in a new session.
     *
     * @param callId null for a new one
     */
    public ServletRequest copy(
            ServletRequest received,
            @Nullable String callId,
            @Nullable Map<String, List<String>> headerMap) {
        ApplicationSession parent = received.getApplicationSession();
        ServletSession here = received.getSession();
        NameAddress caller = rules.caller(received, received.fromValue());
        NameAddress from = HeaderMap.address(headerMap, HeaderName.FROM, caller);
        NameAddress to = HeaderMap.address(headerMap, HeaderName.TO, received.toValue());
        ServletRequest made =
                SessionRequests.begin(
                        parent,
                        here.handler(),
                        callId == null ? CallPartition.newCallId(parent) : callId,
                        received.getMethod(),
                        // SIP Servlet 1.1, 12.2: a tag in the map is ignored, the container makes
                        // its own.
                        Addresses.forFromTo(from),
                        Addresses.forFromTo(to),
                        received.requestUri());
        // JSR 289, 15.3: it continues the selection of applications where the received one is.
        made.getSession().path().setRouting(here.path().routing());
        made.getSession().path().place(here.path().depth());
        made.getSession().countsFor(here.countedAt());
        made.put(HeaderName.MAX_FORWARDS, Integer.toString(oneLess(received.getMaxForwards())));
        boolean register = received.getMethod().equals(Methods.REGISTER);
        CopiedHeaders.copy(received, made, register, timed(received));
        Provenance original = rules.provenance(received).ofCopy();
        if (!original.equals(Provenance.NONE)) {
            made.noted().copied(original);
        }
        rules.hide(received, made);
        HeaderMap.apply(headerMap, made);
        UasTransaction server = received.uas();
        UacTransaction client = made.uac();
        if (client != null && server != null && !server.transaction().source().internal()) {
            client.madeFrom(received.received());
        }
        copies(made, received);
        return made;
    }

    private boolean timed(ServletRequest received) {
        return rules.timed(received.getSession().application());
    }

    /** Should it lead back to us, it is from whoever sent the received one. */
    private static void copies(ServletRequest made, ServletRequest received) {
        UacTransaction client = made.uac();
        if (client != null) {
            client.began(received.initialHop());
        }
    }

    private static int oneLess(int maxForwards) {
        return maxForwards < 0 ? 70 : Math.max(0, maxForwards - 1);
    }

    @Override
    public SipServletRequest createCancel(SipSession session) {
        ServletSession own = own(session);
        return within(own.parent(), () -> cancelOf(own));
    }

    private static SipServletRequest cancelOf(ServletSession own) {
        for (SipServletMessage open : own.open()) {
            if (open instanceof ServletRequest request
                    && request.getMethod().equals(Methods.INVITE)
                    && request.uac() != null
                    && request.isCommitted()) {
                return request.createCancel();
            }
        }
        throw new IllegalStateException("no INVITE of ours is pending in this session");
    }

    @Override
    public SipServletResponse createResponseToOriginalRequest(
            SipSession session, int status, @Nullable String reasonPhrase) {
        ServletSession own = own(session);
        if (status < 100 || status > 699) {
            throw new IllegalArgumentException("status is 100 to 699, not " + status);
        }
        UasTransaction server = own.underWay().original();
        if (server == null) {
            throw new IllegalStateException(
                    "the session has no initial request that can still be answered");
        }
        return within(
                server.request(),
                () -> {
                    if (!server.finalSent()) {
                        return server.createIn(own, status, reasonPhrase);
                    }
                    if (status < 200 || status >= 300 || !server.takesFurther2xx()) {
                        throw new IllegalStateException(
                                "the original request has its final response");
                    }
                    // SIP Servlet 1.1, 12.5: another answer of the fork behind us is another
                    // dialog: a new To tag, a cloned session.
                    ServletSession fork =
                            DerivedSession.answering(own, CallPartition.newTag(own.parent()));
                    return server.createFurther(fork, status, reasonPhrase);
                });
    }

    // ---- links ----

    @Override
    public @Nullable SipSession getLinkedSession(SipSession session) {
        ServletSession own = own(session);
        checkValid(own);
        return own.linked();
    }

    @Override
    public @Nullable SipServletRequest getLinkedSipServletRequest(SipServletRequest request) {
        return ((ServletRequest) Objects.requireNonNull(request, "req")).linked();
    }

    @Override
    public void linkSipSessions(SipSession session1, SipSession session2) {
        ServletSession one = own(session1);
        ServletSession two = own(session2);
        within(
                one.parent(),
                () -> {
                    link(one, two);
                    return two;
                });
    }

    private static void link(ServletSession one, ServletSession two) {
        checkValid(one);
        checkValid(two);
        if (one.parent() != two.parent()) {
            throw new IllegalArgumentException("links stay inside one application session");
        }
        if (one == two) {
            throw new IllegalArgumentException("a session is not linked to itself");
        }
        if (one.linked() == two && two.linked() == one) {
            return;
        }
        if (one.linked() != null || two.linked() != null) {
            throw new IllegalArgumentException("one of the sessions is linked to another one");
        }
        one.link(two);
        two.link(one);
    }

    @Override
    public void unlinkSipSessions(SipSession session) {
        ServletSession own = own(session);
        within(
                own.parent(),
                () -> {
                    unlink(own);
                    return own;
                });
    }

    private static void unlink(ServletSession own) {
        checkValid(own);
        ServletSession other = own.linked();
        if (other == null) {
            throw new IllegalArgumentException("the session is not linked");
        }
        own.link(null);
        other.link(null);
    }

    @Override
    public List<SipServletMessage> getPendingMessages(SipSession session, UAMode mode) {
        ServletSession own = own(session);
        Objects.requireNonNull(mode, "mode");
        return within(own.parent(), () -> pending(own, mode));
    }

    private static List<SipServletMessage> pending(ServletSession own, UAMode mode) {
        checkValid(own);
        List<SipServletMessage> pending = new ArrayList<>(2);
        for (SipServletMessage open : own.open()) {
            boolean ofClient =
                    open instanceof ServletResponse || ((ServletRequest) open).uac() != null;
            if (!open.isCommitted() && ofClient == (mode == UAMode.UAC)) {
                pending.add(open);
            }
        }
        if (pending.size() > 1) {
            pending.sort((a, b) -> Long.compare(cseq(a), cseq(b)));
        }
        return pending;
    }

    private static long cseq(SipServletMessage message) {
        String value = message.getHeader("CSeq");
        return value == null ? 0 : Long.parseLong(value.substring(0, value.indexOf(' ')));
    }

    // ---- arguments ----

    private static ServletRequest known(SipServletRequest original) {
        if (!(Objects.requireNonNull(original, "origRequest") instanceof ServletRequest request)) {
            throw new IllegalArgumentException("not a request of this container");
        }
        return request;
    }

    private static ServletRequest received(SipServletRequest original) {
        ServletRequest request = known(original);
        if (!request.incoming()) {
            throw new IllegalArgumentException("the original request is one of ours");
        }
        return request;
    }

    private static ServletSession own(SipSession session) {
        if (!(Objects.requireNonNull(session, "session") instanceof ServletSession own)) {
            throw new IllegalArgumentException("not a session of this container");
        }
        return own;
    }

    private static void checkValid(ServletSession session) {
        if (!session.isValid()) {
            throw new IllegalArgumentException("the session is invalid");
        }
    }

    private interface Work<T> {
        T run();
    }

    private static <T> T within(ServletRequest request, Work<T> work) {
        return within(request.getApplicationSession(), work);
    }

    /** In the turn, or refused: each of these gives its caller something that he needs at once. */
    private static <T> T within(ApplicationSession parent, Work<T> work) {
        parent.enterNow();
        try {
            return work.run();
        } finally {
            parent.exit();
        }
    }
}
