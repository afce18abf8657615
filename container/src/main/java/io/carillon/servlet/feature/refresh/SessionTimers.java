package io.carillon.servlet.feature.refresh;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.feature.refresh.SessionTimer.Duty;
import io.carillon.servlet.feature.refresh.SessionTimerPolicy.Method;
import io.carillon.servlet.feature.refresh.SessionTimerPolicy.Mode;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletResponse;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.port.Slot;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.SessionInterval;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.SessionExpires;
import io.carillon.sip.header.SessionExpires.Refresher;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The session timers of one application (RFC 4028): what its requests and responses say of them,
 * and what happens when one is due. An application that writes Session-Expires itself is left alone
 * for that session. The turn of the session is held, but for {@link #refusal}: any thread.
 */
public final class SessionTimers {
    private static final Slot<SessionTimers> SLOT = Slot.of(SessionTimers.class);

    private final SessionTimerPolicy policy;

    private SessionTimers(SessionTimerPolicy policy) {
        this.policy = policy;
    }

    /** Null where the container does nothing. */
    public static @Nullable SessionTimers of(SessionTimerPolicy policy) {
        return policy.mode() == Mode.OFF ? null : new SessionTimers(policy);
    }

    SessionTimerPolicy policy() {
        return policy;
    }

    /** Who keeps the time of its sessions; null where the application does so itself. */
    public static @Nullable SessionTimers of(Application application) {
        return application.parts().get(SLOT);
    }

    /** Before the first request of the application. */
    public void keep(Application application) {
        application.parts().put(SLOT, this);
    }

    /** The session's timer; null without. */
    static @Nullable SessionTimer timerOf(ServletSession session) {
        return (SessionTimer) session.sessionTimer();
    }

    /** The methods that refresh a session. */
    public static boolean refreshes(String method) {
        return method.equals(Methods.INVITE) || method.equals(Methods.UPDATE);
    }

    // ---- a request came ----

    /** Our answer to a request that wants less than we allow, or what cannot be read; else null. */
    public @Nullable MessageDraft refusal(SipRequest received, String toTag) {
        if (!refreshes(received.method()) || !received.has(HeaderName.SESSION_EXPIRES)) {
            return null;
        }
        SessionInterval interval = read(received);
        if (interval == null) {
            return MessageDraft.responseTo(received, 400, "Bad Session-Expires", toTag);
        }
        if (!interval.tooSmall(policy.minSeconds())) {
            return null;
        }
        // RFC 4028 9: "When sending the 422 response, the UAS MUST include a Min-SE header field
        // with the value of its minimum interval. This minimum interval MUST NOT be lower than 90".
        MessageDraft refusal = MessageDraft.responseTo(received, 422, null, toTag);
        refusal.set(HeaderName.MIN_SE, Integer.toString(policy.minSeconds()));
        return refusal;
    }

    private static @Nullable SessionInterval read(SipMessage message) {
        try {
            return SessionInterval.of(message);
        } catch (SipParseException e) {
            return null; // whoever asks answers 400, or goes on without a timer
        }
    }

    /**
     * Is it an UPDATE that only refreshes? Then the container answers it, unless the application
     * wants to see it.
     */
    public boolean answers(ServletSession session, ServletRequest request) {
        SessionTimer timer = timerOf(session);
        return timer != null
                && !policy.visible()
                && request.getMethod().equals(Methods.UPDATE)
                && request.received().bodyLength() == 0
                && request.received().has(HeaderName.SESSION_EXPIRES);
    }

    // ---- a 2xx of ours ----

    /** A 2xx to INVITE or UPDATE is about to be printed. */
    public void answering(ServletRequest request, ServletResponse response) {
        if (response.has(HeaderName.SESSION_EXPIRES)) {
            return; // the application's own
        }
        SessionInterval asked = read(request.received());
        SessionExpires said =
                asked == null
                        ? null
                        : asked.answer(longest(response.getSession()), offers(), preferred());
        if (asked == null || said == null) {
            return;
        }
        response.put(HeaderName.SESSION_EXPIRES, said.toString());
        // RFC 4028 9: with refresher=uac "the UAS MUST place a Require header field into the
        // response with the value 'timer'"; with uas, where the UAC knows the option: SHOULD.
        if ((said.refresher() == Refresher.UAC || asked.supported())
                && !SessionInterval.lists(response.texts(HeaderName.REQUIRE))) {
            response.putLast(HeaderName.REQUIRE, SessionInterval.TIMER);
        }
        response.timed();
    }

    private int longest(ServletSession session) {
        SessionTimer timer = timerOf(session);
        return timer == null
                ? policy.intervalSeconds()
                : Math.max(policy.intervalSeconds(), timer.minSeconds());
    }

    private boolean offers() {
        return policy.mode() != Mode.ANSWER;
    }

    private Refresher preferred() {
        return policy.refresher();
    }

    /** A 2xx to INVITE or UPDATE left. */
    public void answered(ServletRequest request, ServletResponse response, SipResponse printed) {
        ServletSession session = response.getSession();
        SessionExpires said = response.isTimed() ? expires(printed) : null;
        if (said == null) {
            // RFC 4028 9: "If the most recent 2xx response had no Session-Expires header field,
            // there is no session expiration, and no refreshes have to be performed."
            session.sessionTimer(null);
            return;
        }
        SessionTimer timer = timer(session);
        learn(timer, request.received());
        timer.refreshed(
                said.refresher() == Refresher.UAS ? Duty.REFRESH : Duty.WAIT, said.seconds());
        timer.described(printed);
    }

    private static @Nullable SessionExpires expires(SipMessage message) {
        if (!message.has(HeaderName.SESSION_EXPIRES)) {
            return null;
        }
        SessionInterval interval = read(message);
        return interval == null ? null : interval.asked();
    }

    private SessionTimer timer(ServletSession session) {
        SessionTimer timer = timerOf(session);
        if (timer == null) {
            timer = new SessionTimer(session);
            timer.minSeconds(SessionExpires.LEAST_SECONDS);
            session.sessionTimer(timer);
        }
        return timer;
    }

    /** RFC 4028 7.4: does the peer take UPDATE? It has "seen an Allow header field". */
    private void learn(SessionTimer timer, SipMessage ofPeer) {
        if (policy.method() == Method.AUTO && ofPeer.has(HeaderName.ALLOW)) {
            List<String> allowed = ofPeer.headers(HeaderName.ALLOW);
            timer.updates(allowed.contains(Methods.UPDATE));
        }
    }

    // ---- a request of ours ----

    /** A request of ours is about to leave. */
    public void sending(ServletSession session, ServletRequest request) {
        if (!refreshes(request.getMethod()) || request.has(HeaderName.SESSION_EXPIRES)) {
            return;
        }
        SessionTimer timer = timerOf(session);
        if (timer != null) {
            // RFC 4028 7.4: "it SHOULD be equal to the maximum of the Min-SE header field ... and
            // the current session interval." "it is RECOMMENDED that the refresher parameter be set
            // to 'uac' if the element sending the request is currently performing refreshes, and to
            // 'uas' if its peer is".
            int seconds = Math.max(timer.minSeconds(), timer.intervalSeconds());
            Refresher who = timer.duty() == Duty.REFRESH ? Refresher.UAC : Refresher.UAS;
            offer(request, new SessionExpires(seconds, who), timer.minSeconds());
        } else if (offers() && request.isInitial()) {
            offer(
                    request,
                    new SessionExpires(policy.intervalSeconds(), policy.refresher()),
                    policy.minSeconds());
        }
    }

    private static void offer(ServletRequest request, SessionExpires expires, int minSeconds) {
        request.put(HeaderName.SESSION_EXPIRES, expires.toString());
        if (minSeconds > SessionExpires.LEAST_SECONDS) {
            request.put(HeaderName.MIN_SE, Integer.toString(minSeconds));
        }
        if (!SessionInterval.lists(request.texts(HeaderName.SUPPORTED))) {
            request.putLast(HeaderName.SUPPORTED, SessionInterval.TIMER);
        }
        request.noted().timed();
    }

    /**
     * A 422 came to the first INVITE of a session: the same with the Session-Expires and Min-SE
     * with which it is tried again (RFC 4028 7.3), and the session's next CSeq; null: the
     * application gets the 422.
     */
    public @Nullable MessageDraft again(
            ServletSession session, ServletRequest request, SipResponse response) {
        if (!request.known().isTimed() || !response.has(HeaderName.MIN_SE)) {
            return null;
        }
        SessionInterval told = read(response);
        SessionExpires before = expires(request.freeze());
        // What was refused once is not tried again unless it becomes larger.
        if (told == null || before == null || told.minSeconds() <= before.seconds()) {
            return null;
        }
        String seconds = Integer.toString(told.minSeconds());
        MessageDraft draft = request.copyDraft();
        draft.remove(HeaderName.VIA);
        draft.setCSeq(session.dialog().nextCSeq(), request.getMethod());
        draft.set(HeaderName.SESSION_EXPIRES, seconds);
        draft.set(HeaderName.MIN_SE, seconds);
        return draft;
    }

    /** A 2xx to an INVITE or UPDATE of ours came. */
    public void accepted(ServletSession session, ServletRequest request, SipResponse response) {
        if (!refreshes(request.getMethod())) {
            return;
        }
        if (request.has(HeaderName.SESSION_EXPIRES) && !request.known().isTimed()) {
            return; // the application's own
        }
        SessionExpires said = expires(response);
        boolean wanted = request.known().isTimed() && offers();
        if (said == null && !wanted) {
            // RFC 4028 7.2: "no session expiration for this session".
            session.sessionTimer(null);
            return;
        }
        SessionTimer timer = timer(session);
        learn(timer, response);
        if (said == null) {
            // RFC 4028 7.2: "the UAC can still use session timers": we refresh alone.
            int seconds = timer.intervalSeconds();
            timer.refreshed(Duty.REFRESH, seconds == 0 ? longest(session) : seconds);
            timer.described(request.freeze());
            return;
        }
        // A rogue UAS "wishes to force a UAC to generate refreshes at a rapid rate" (section 11).
        int seconds = Math.max(said.seconds(), policy.minSeconds());
        timer.refreshed(said.refresher() == Refresher.UAS ? Duty.WAIT : Duty.REFRESH, seconds);
        timer.described(request.freeze());
    }

    /** An ACK of ours leaves. */
    public void acknowledging(ServletSession session, ServletRequest ack) {
        SessionTimer timer = timerOf(session);
        if (timer != null && timer.offers() && ack.getContentLength() > 0) {
            timer.described(ack.freeze());
        }
    }

    // ---- proxies ----

    /** Do proxies ask for timers too? */
    public boolean inserts() {
        return policy.mode() == Mode.INSERT;
    }

    /** A request is about to be forwarded by a proxy that {@link #inserts}. */
    public void forwarding(SipRequest received, MessageDraft draft) {
        if (!refreshes(received.method())) {
            return;
        }
        SessionInterval interval = read(received);
        if (interval == null) {
            return;
        }
        SessionInterval.Forwarded forwarded =
                interval.forward(policy.intervalSeconds(), policy.minSeconds());
        if (!forwarded.expires().equals(interval.asked())) {
            draft.set(HeaderName.SESSION_EXPIRES, forwarded.expires().toString());
        }
        if (forwarded.minSeconds() > 0) {
            draft.set(HeaderName.MIN_SE, Integer.toString(forwarded.minSeconds()));
        }
    }

    /**
     * RFC 4028 8.2: what a proxy adds to a 2xx whose sender knows no timers, for a caller who does.
     *
     * @param sent the request as it was forwarded
     * @return null: nothing
     */
    public @Nullable SessionExpires forwarded(
            SipRequest received, SipRequest sent, SipResponse response) {
        if (response.status() < 200
                || response.status() >= 300
                || !refreshes(received.method())
                || response.has(HeaderName.SESSION_EXPIRES)) {
            return null;
        }
        SessionExpires remembered = expires(sent);
        return remembered != null && SessionInterval.lists(received.headers(HeaderName.SUPPORTED))
                ? new SessionExpires(remembered.seconds(), Refresher.UAC)
                : null;
    }

    /** Writes what {@link #forwarded} gave. */
    public static void write(SessionExpires expires, MessageDraft response) {
        response.set(HeaderName.SESSION_EXPIRES, expires.toString());
        if (!SessionInterval.lists(response.all(HeaderName.REQUIRE))) {
            response.addLast(HeaderName.REQUIRE, SessionInterval.TIMER);
        }
    }

    /** A 2xx passed a proxy that stays on the way of the dialog. */
    public void passed(
            ServletSession session, SipResponse response, @Nullable SessionExpires ours) {
        SessionExpires said = ours != null ? ours : expires(response);
        if (said == null) {
            session.sessionTimer(null);
            return;
        }
        timer(session).refreshed(Duty.WATCH, Math.max(said.seconds(), policy.minSeconds()));
    }

    // ---- the time has come ----

    void due(SessionTimer timer) {
        ServletSession session = timer.session();
        if (timer.duty() == Duty.WATCH) {
            Refresh.forget(session);
            return;
        }
        Dialog dialog = session.dialog().own();
        if (dialog == null || dialog.state() != Dialog.State.CONFIRMED) {
            session.sessionTimer(null);
            return;
        }
        if (session.host().millis() >= timer.giveUpAtMillis()) {
            Refresh.expired(session);
        } else if (timer.duty() == Duty.REFRESH) {
            new Refresh(session).begin(timer, dialog);
        }
    }
}
