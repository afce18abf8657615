package io.carillon.servlet.dispatch;

import io.carillon.servlet.bytes.AttributeCodec;
import io.carillon.servlet.feature.compose.Composition;
import io.carillon.servlet.feature.compose.DialogWay;
import io.carillon.servlet.feature.flow.KeptFlows;
import io.carillon.servlet.feature.identity.Originators;
import io.carillon.servlet.feature.identity.SigningPolicy;
import io.carillon.servlet.feature.identity.VerificationPolicy;
import io.carillon.servlet.feature.proxy.ProxiedDialogBytes;
import io.carillon.servlet.feature.proxy.ProxyBytes;
import io.carillon.servlet.feature.proxy.ProxyHost;
import io.carillon.servlet.feature.refresh.SessionTimer;
import io.carillon.servlet.feature.refresh.SessionTimers;
import io.carillon.servlet.feature.security.OwnCredentials;
import io.carillon.servlet.feature.security.Security;
import io.carillon.servlet.feature.security.SessionSecurity;
import io.carillon.servlet.feature.timer.ApplicationTimer;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.ForwardedDialog;
import io.carillon.servlet.kernel.LegEnding;
import io.carillon.servlet.kernel.RefreshTimer;
import io.carillon.servlet.kernel.RequestProxy;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletResponse;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionHooks;
import io.carillon.servlet.kernel.TakeOver;
import io.carillon.servlet.kernel.TurnTap;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.servlet.port.NextApplication;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.shard.Shard;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.servlet.sip.AuthInfo;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/**
 * Brings the moments of sessions and messages to the features. One for a container; with the turn
 * held, but where {@link SessionHooks} says otherwise.
 */
public final class FeatureHooks implements SessionHooks {
    private final LongSupplier millis;
    private final FeatureSettings settings;
    private final Composition composition;
    private final Security security;
    private final KeptFlows keptFlows;
    private final ApplicationCalls calls;
    private final LateAnswers lateAnswers;
    private final OutlivedCalls outlivedCalls;
    private final B2buaHelper backToBack;
    private final ProxyHost proxies;

    public FeatureHooks(
            LongSupplier millis,
            FeatureSettings settings,
            Features features,
            ApplicationCalls calls,
            LateAnswers lateAnswers,
            OutlivedCalls outlivedCalls) {
        this.millis = millis;
        this.settings = settings;
        this.composition = features.composition();
        this.security = features.security();
        this.keptFlows = features.keptFlows();
        this.backToBack = features.backToBack();
        this.proxies = features.proxies();
        this.calls = calls;
        this.lateAnswers = lateAnswers;
        this.outlivedCalls = outlivedCalls;
    }

    // ---- a request of ours leaves ----

    @Override
    public void acknowledging(ServletSession session, ServletRequest ack) {
        SessionTimers timers = SessionTimers.of(session.application());
        if (timers != null) {
            timers.acknowledging(session, ack);
        }
    }

    @Override
    public void sending(ServletSession session, ServletRequest request) {
        SessionTimers timers = SessionTimers.of(session.application());
        if (timers != null) {
            timers.sending(session, request);
        }
        if (!request.isInitial()) {
            return;
        }
        VerificationPolicy verification = settings.verification();
        if (verification != null && request.has(HeaderName.IDENTITY)) {
            verification.verifier().copied(request.texts(HeaderName.IDENTITY), request.getCallId());
        }
        SigningPolicy signing = settings.signing();
        if (signing != null && SigningPolicy.concerns(request.method())) {
            signing.sign(
                    request.edit(),
                    millis.getAsLong(),
                    Originators.of(session, request, signing.trusted()));
        }
    }

    @Override
    public void authenticate(ServletSession session, ServletRequest request) {
        OwnCredentials.again(security, request);
    }

    @Override
    public NextApplication onward(ServletSession session, ServletRequest request, Shard shard) {
        return composition.made(request, session, shard);
    }

    @Override
    public @Nullable Hop next(ServletSession session, MessageDraft draft) {
        return DialogWay.fromEnd(session, draft);
    }

    @Override
    public void consume(MessageDraft leaving, List<String> own) {
        security.consume(leaving, own);
    }

    @Override
    public boolean keepsAlive(ServletRequest request) {
        return KeptFlows.asked(request);
    }

    // ---- it is answered ----

    @Override
    public @Nullable MessageDraft again(
            ServletSession session, ServletRequest request, SipResponse refusal) {
        SessionTimers timers = SessionTimers.of(session.application());
        return timers == null ? null : timers.again(session, request, refusal);
    }

    @Override
    public void registered(
            ServletSession session,
            ServletRequest request,
            SipResponse response,
            @Nullable RequestAttempt attempt) {
        keptFlows.answered(session, request, response, attempt);
    }

    @Override
    public void accepted(ServletSession session, ServletRequest request, SipResponse response) {
        SessionTimers timers = SessionTimers.of(session.application());
        if (timers != null) {
            timers.accepted(session, request, response);
        }
    }

    @Override
    public void deliver(ServletSession session, ServletResponse response) {
        boolean handled = calls.service(session.application(), session.handler(), response);
        // A 2xx that a BYE has overtaken: its call is over, and nobody else will acknowledge it.
        if (!handled || session.dialog().state() == SipSession.State.TERMINATED) {
            LegEnding.unhandled(session, response);
        }
    }

    @Override
    public AttemptUser lateAnswers() {
        return lateAnswers;
    }

    @Override
    public void endLateAnswer(@Nullable SipRequest sent, SipResponse response, @Nullable Hop from) {
        lateAnswers.end(sent, response, from);
    }

    // ---- we answer ----

    @Override
    public void answering(ServletRequest request, ServletResponse response) {
        SessionTimers timers = timers(request, response);
        if (timers != null) {
            timers.answering(request, response);
        }
    }

    @Override
    public void answered(ServletRequest request, ServletResponse response, SipResponse printed) {
        SessionTimers timers = timers(request, response);
        if (timers != null) {
            timers.answered(request, response, printed);
        }
    }

    /** Null where the response does not refresh a session, or nobody keeps its time. */
    private static @Nullable SessionTimers timers(
            ServletRequest request, ServletResponse response) {
        int status = response.getStatus();
        return status >= 200 && status < 300 && SessionTimers.refreshes(request.getMethod())
                ? SessionTimers.of(response.getSession().application())
                : null;
    }

    // ---- what applications ask of a message ----

    @Override
    public RequestProxy proxy(ServletRequest request, UasTransaction server) {
        return proxies.proxy(request, server);
    }

    @Override
    public B2buaHelper b2bua() {
        return backToBack;
    }

    @Override
    public void answerChallenge(
            ServletRequest request, SipServletResponse challenge, AuthInfo info, boolean keep) {
        OwnCredentials.answer(security, request, challenge, info, keep);
    }

    @Override
    public void answerChallenge(
            ServletRequest request,
            SipServletResponse challenge,
            String user,
            String password,
            boolean keep) {
        OwnCredentials.answer(security, request, challenge, user, password, keep);
    }

    // ---- life ----

    @Override
    public void opened(ServletSession session) {
        TurnTap onlooker = calls.tap();
        if (onlooker != null) {
            onlooker.opened(session);
        }
    }

    @Override
    public void takenOver(ApplicationSession session, TakeOver how) {
        TurnTap onlooker = calls.tap();
        if (onlooker != null) {
            onlooker.takenOver(session, how);
        }
    }

    @Override
    public @Nullable String kept(ApplicationSession session) {
        TurnTap onlooker = calls.tap();
        return onlooker == null ? null : onlooker.kept(session);
    }

    @Override
    public void goesOn(ApplicationSession session, TakeOver how, String kept) {
        TurnTap onlooker = calls.tap();
        if (onlooker != null) {
            onlooker.goesOn(session, how, kept);
        }
    }

    @Override
    public void dropped(ApplicationSession session) {
        TurnTap onlooker = calls.tap();
        if (onlooker != null) {
            onlooker.dropped(session);
        }
    }

    @Override
    public void ended(ServletSession session) {
        TurnTap onlooker = calls.tap();
        if (onlooker != null) {
            onlooker.ended(session);
        }
    }

    @Override
    public void expired(ApplicationSession session) {
        outlivedCalls.expired(session);
    }

    @Override
    public void failed(ApplicationSession session, Throwable error) {
        calls.failed(session.application().name(), error);
    }

    // ---- bytes ----

    @Override
    public void readTimer(ApplicationSession session, StateReader in, AttributeCodec codec) {
        ApplicationTimer.read(session, in, codec);
    }

    @Override
    public ForwardedDialog readForwarded(ServletSession session, StateReader in) {
        return ProxiedDialogBytes.read(session, in);
    }

    @Override
    public boolean proxyGoes(RequestProxy proxy) {
        return ProxyBytes.goes(proxy);
    }

    @Override
    public byte @Nullable [] proxyBytes(RequestProxy proxy) {
        return ProxyBytes.write(proxy);
    }

    @Override
    public void readProxy(ServletRequest invite, byte[] bytes) {
        ProxyBytes.read(invite, bytes);
    }

    @Override
    public void keys(ForwardedDialog dialog, Consumer<DialogKey> each) {
        ProxiedDialogBytes.keys(dialog, each);
    }

    @Override
    public RefreshTimer readRefresh(ServletSession session, StateReader in) {
        return SessionTimer.read(session, in);
    }

    @Override
    public void writeSecurity(ServletSession session, StateWriter out) {
        SessionSecurity.write(session, out);
    }

    @Override
    public void readSecurity(ServletSession session, StateReader in) {
        SessionSecurity.read(session, in);
    }
}
