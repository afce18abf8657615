package io.carillon.servlet.kernel;

import io.carillon.servlet.app.MailBodies;
import io.carillon.servlet.app.OldHabit;
import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UnsupportedEncodingException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import javax.servlet.ServletOutputStream;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.ProxyBranch;
import javax.servlet.sip.Rel100Exception;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * A response as an application sees it: made here for a received request, or received for one of
 * ours or of a proxy's branch.
 *
 * <p>Owner: the turn of its application session.
 */
public class ServletResponse extends ServletMessage
        implements SipServletResponse, ApplicationThreads.Work {
    private final ServletRequest request;
    private final ServletSession session;
    private final boolean incoming;
    private @Nullable Hop source;
    private @Nullable ResponseBranch branch;
    private int status;
    private boolean committed;
    private boolean branchResponse;
    private boolean acknowledged;

    /** What is left of it when it was packed. */
    private byte @Nullable [] packed;

    /** A response of ours; by {@link SessionObjects} only. */
    public ServletResponse(
            ServletRequest request, ServletSession session, MessageDraft draft, int status) {
        super(draft);
        this.request = request;
        this.session = session;
        this.incoming = false;
        this.status = status;
    }

    /** A response that came; by {@link SessionObjects} only. */
    public ServletResponse(
            ServletRequest request,
            ServletSession session,
            SipResponse received,
            @Nullable Hop source) {
        super(received);
        this.request = request;
        this.session = session;
        this.incoming = true;
        this.status = received.status();
        this.source = source;
    }

    /** A response of ours to a received request. */
    static ServletResponse made(
            ServletRequest request, ServletSession session, MessageDraft draft, int status) {
        return request.host().objects().response(request, session, draft, status);
    }

    /**
     * A response that we made for a request that timed out or failed. SIP Servlet 1.1 5.1: what was
     * not received has no remote address.
     *
     * @param tried where the request went; null when it went nowhere
     */
    static ServletResponse generated(
            ServletRequest request, ServletSession session, SipResponse made, @Nullable Hop tried) {
        ServletResponse response = received(request, session, made, null);
        if (tried != null && session.application().has(OldHabit.TRIED_ADDRESS)) {
            response.extras().tried = tried;
        }
        return response;
    }

    /** A response that came. */
    static ServletResponse received(
            ServletRequest request,
            ServletSession session,
            SipResponse received,
            @Nullable Hop source) {
        ServletResponse response =
                request.host().objects().response(request, session, received, source);
        // SIP Servlet 1.1, 5.2: a response to INVITE is committed once its ACK or PRACK was made,
        // every other one at once.
        response.committed = !response.awaitsAck() && !response.awaitsPrack();
        return response;
    }

    /** A response that a proxy's branch got. */
    public static ServletResponse proxied(
            ServletRequest request,
            ServletSession session,
            SipResponse received,
            ResponseBranch branch) {
        ServletResponse response =
                request.host().objects().response(request, session, received, null);
        response.branch = branch;
        return response;
    }

    /** Is it a reliable provisional response that the application still has to acknowledge? */
    boolean awaitsPrack() {
        return incoming
                && branch == null
                && !acknowledged
                && status > 100
                && status < 200
                && getMethod().equals("INVITE")
                && Dialog.reliable(received());
    }

    /** Is it a 2xx to INVITE that the application still has to acknowledge? */
    public boolean awaitsAck() {
        return incoming
                && branch == null
                && !acknowledged
                && status >= 200
                && status < 300
                && getMethod().equals("INVITE");
    }

    void acknowledge() {
        acknowledged = true;
        committed = true;
    }

    public void commit() {
        committed = true;
    }

    public void markBranchResponse() {
        branchResponse = true;
    }

    /** Nobody is expected to look at it any more: its bytes are kept, and parsed if need be. */
    public void pack() {
        if (packed == null && draftOrNull() == null) {
            packed = below().keptBytes();
            dropMessage();
        }
    }

    @Override
    SipMessage unpacked() {
        byte[] kept = packed;
        SipMessage again = kept == null ? null : session.parent().home().parseOwn(kept);
        if (again == null) {
            throw new IllegalStateException("a response that was parsed cannot be parsed again");
        }
        return again;
    }

    boolean incoming() {
        return incoming;
    }

    ServletSession session() {
        return session;
    }

    ServletRequest request() {
        return request;
    }

    /** The response as it was received. */
    public SipResponse received() {
        return (SipResponse) freeze();
    }

    /** Where it came from; null for one of ours, also in the place of one that never came. */
    public @Nullable Hop source() {
        return source;
    }

    /** With {@link OldHabit#TRIED_ADDRESS} one that never came has the way of its request. */
    @Override
    protected @Nullable Hop receivedFrom() {
        ResponseBranch by = branch;
        if (by != null) {
            return by.answeredBy(status, session.application().has(OldHabit.TRIED_ADDRESS));
        }
        Hop from = source;
        MessageExtras rare = from == null ? extrasOrNull() : null;
        return rare == null ? from : rare.tried;
    }

    @Override
    protected int statusOrZero() {
        return status;
    }

    @Override
    public String getMethod() {
        return request.getMethod();
    }

    @Override
    public boolean isCommitted() {
        return committed;
    }

    @Override
    public SipServletRequest getRequest() {
        // SIP Servlet 1.1: for a proxied one, the request as it was forwarded on the branch.
        ResponseBranch own = branch;
        return own != null ? own.getRequest() : request;
    }

    @Override
    public ServletSession getSession() {
        return session;
    }

    @Override
    public ServletSession getSession(boolean create) {
        return session;
    }

    @Override
    public ApplicationSession getApplicationSession() {
        return session.parent();
    }

    @Override
    public ApplicationSession getApplicationSession(boolean create) {
        return session.parent();
    }

    @Override
    public int getStatus() {
        return status;
    }

    @Override
    public void setStatus(int statusCode) {
        setStatus(statusCode, null);
    }

    @Override
    public void setStatus(int statusCode, @Nullable String reasonPhrase) {
        checkWritable();
        if (statusCode < 100 || statusCode > 699) {
            throw new IllegalArgumentException("status is 100 to 699, not " + statusCode);
        }
        edit().setStatus(statusCode, reasonPhrase);
        status = statusCode;
    }

    @Override
    public String getReasonPhrase() {
        return ((SipResponse) (draftOrNull() == null ? below() : copyDraft().freezeResponse()))
                .reason();
    }

    /** RFC 3261 20.27, 20.44: the realms of the challenges in it. */
    @Override
    public Iterator<String> getChallengeRealms() {
        List<String> realms = new ArrayList<>(1);
        addRealms(realms, texts(HeaderName.WWW_AUTHENTICATE));
        addRealms(realms, texts(HeaderName.PROXY_AUTHENTICATE));
        return realms.iterator();
    }

    private static void addRealms(List<String> realms, List<String> challenges) {
        for (String challenge : challenges) {
            int at = challenge.toLowerCase(Locale.ROOT).indexOf("realm=\"");
            int end = at < 0 ? -1 : challenge.indexOf('"', at + 7);
            if (end > 0) {
                realms.add(challenge.substring(at + 7, end));
            }
        }
    }

    @Override
    public SipServletRequest createAck() {
        if (!incoming
                || !getMethod().equals("INVITE")
                || status < 200
                || status >= 300
                || branch != null) {
            throw new IllegalStateException(
                    "only a 2xx to an INVITE of ours is acknowledged by the application");
        }
        if (acknowledged) {
            throw new IllegalStateException("the ACK was made before");
        }
        return SessionRequests.ack(this);
    }

    @Override
    public SipServletRequest createPrack() throws Rel100Exception {
        if (status <= 100 || status >= 200) {
            throw new Rel100Exception(Rel100Exception.NOT_1XX);
        }
        if (!getMethod().equals("INVITE")) {
            throw new Rel100Exception(Rel100Exception.NOT_INVITE);
        }
        if (!incoming || !Dialog.reliable(received())) {
            throw new Rel100Exception(Rel100Exception.NOT_100rel);
        }
        if (acknowledged) {
            throw new IllegalStateException("the PRACK was made before");
        }
        SipServletRequest prack = SessionRequests.prack(this);
        acknowledged = true;
        commit();
        session.closed(this);
        return prack;
    }

    @Override
    public void send() throws IOException {
        uas().send(this);
    }

    @Override
    public void sendReliably() throws Rel100Exception {
        uas().sendReliably(this);
    }

    private UasTransaction uas() {
        UasTransaction server = request.uas();
        if (server == null || incoming) {
            throw new IllegalStateException("a received response is not sent");
        }
        return server;
    }

    @Override
    public @Nullable Proxy getProxy() {
        ResponseBranch own = branch;
        return own == null ? null : own.getProxy();
    }

    @Override
    public @Nullable ProxyBranch getProxyBranch() {
        return branch;
    }

    @Override
    public boolean isBranchResponse() {
        return branchResponse;
    }

    /** Was it written to since it came? */
    public boolean changed() {
        return draftOrNull() != null;
    }

    /**
     * Puts what the application changed in a response on its way through a proxy into the one that
     * leaves. Via stays.
     */
    public void copyInto(MessageDraft outgoing) {
        SipResponse mine = copyDraft().freezeResponse();
        SipResponse theirs = outgoing.copy().freezeResponse();
        for (int i = 0; i < theirs.headerCount(); i++) {
            HeaderName name = theirs.nameAt(i);
            if (!name.equals(HeaderName.VIA)) {
                outgoing.remove(name);
            }
        }
        for (int i = 0; i < mine.headerCount(); i++) {
            HeaderName name = mine.nameAt(i);
            if (!name.equals(HeaderName.VIA) && !name.equals(HeaderName.CONTENT_LENGTH)) {
                outgoing.addLast(name, mine.valueAt(i));
            }
        }
        outgoing.setStatus(mine.status(), mine.reason());
        if (mine.bodyLength() > 0 || outgoing.bodyLength() > 0) {
            outgoing.body(mine.body(), mine.header(HeaderName.CONTENT_TYPE));
        }
    }

    // ---- javax.servlet.ServletResponse ----

    /**
     * {@code javax.servlet.ServletResponse} has no checked exception here: an unknown charset is an
     * illegal argument.
     */
    @Override
    public void setCharacterEncoding(String name) {
        try {
            super.setCharacterEncoding(name);
        } catch (UnsupportedEncodingException e) {
            throw new IllegalArgumentException("unknown charset " + name, e);
        }
    }

    @Override
    public @Nullable ServletOutputStream getOutputStream() {
        return null;
    }

    @Override
    public @Nullable PrintWriter getWriter() {
        return null;
    }

    @Override
    public void setContentLengthLong(long length) {
        setContentLength((int) Math.min(length, Integer.MAX_VALUE));
    }

    @Override
    public void setBufferSize(int size) {
        // SIP Servlet 1.1, 5: messages are not streamed, the buffer is a matter of HTTP.
    }

    @Override
    public int getBufferSize() {
        return 0;
    }

    @Override
    public void flushBuffer() {
        // As setBufferSize.
    }

    @Override
    public void resetBuffer() {
        // As setBufferSize.
    }

    @Override
    public void reset() {
        // As setBufferSize.
    }

    @Override
    public void setLocale(Locale locale) {
        setContentLanguage(Objects.requireNonNull(locale, "locale"));
    }

    @Override
    public @Nullable Locale getLocale() {
        return getContentLanguage();
    }

    /** The container writes its Session-Expires, not the application. */
    public void timed() {
        extras().timed = true;
    }

    public boolean isTimed() {
        MessageExtras own = extrasOrNull();
        return own != null && own.timed;
    }

    @Override
    final MailBodies mailBodies() {
        return session.application().mailBodies();
    }

    // ---- the watchdog's view ----

    @Override
    public String application() {
        return session.application().name();
    }

    @Override
    public String servlet() {
        return session.handler().name();
    }

    @Override
    public String method() {
        return Integer.toString(status);
    }

    @Override
    public String callId() {
        return getCallId();
    }

    @Override
    public String toString() {
        return freeze().toString();
    }
}
