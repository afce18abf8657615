package io.carillon.servlet.dispatch;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.feature.compose.Composition;
import io.carillon.servlet.feature.compose.DialogWay;
import io.carillon.servlet.feature.identity.Originators;
import io.carillon.servlet.feature.identity.SigningPolicy;
import io.carillon.servlet.feature.proxy.ProxyHost;
import io.carillon.servlet.feature.proxy.ProxyObjects;
import io.carillon.servlet.feature.proxy.ServletProxy;
import io.carillon.servlet.feature.proxy.ServletProxyBranch;
import io.carillon.servlet.feature.refresh.SessionTimers;
import io.carillon.servlet.feature.security.Gate;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.servlet.port.NextApplication;
import io.carillon.servlet.port.Passed;
import io.carillon.sip.header.SessionExpires;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.uri.Uri;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What session timers, identity, composition and security do for proxies. */
public final class ProxyFeatures implements ProxyHost {
    private final ProxyObjects objects;
    private final FeatureSettings settings;
    private final Composition composition;
    private final ApplicationCalls calls;
    private final LongSupplier millis;

    /**
     * @param millis the wall clock in milliseconds since 1970
     */
    public ProxyFeatures(
            ProxyObjects objects,
            FeatureSettings settings,
            Composition composition,
            ApplicationCalls calls,
            LongSupplier millis) {
        this.objects = objects;
        this.settings = settings;
        this.composition = composition;
        this.calls = calls;
        this.millis = millis;
    }

    @Override
    public ServletProxy proxy(ServletRequest request, UasTransaction server) {
        return objects.proxy(request, server);
    }

    @Override
    public ServletProxyBranch branch(ServletProxy proxy, Uri target) {
        return objects.branch(proxy, target);
    }

    @Override
    public void leaving(ServletRequest request, MessageDraft draft, boolean inDialog) {
        SessionTimers timers = inserting(request.getApplicationSession().application());
        if (timers != null) {
            timers.forwarding(request.received(), draft);
        }
        SigningPolicy signing = inDialog ? null : settings.signing();
        if (signing != null && signing.proxied() && SigningPolicy.concerns(request.getMethod())) {
            signing.sign(draft, millis.getAsLong(), Originators.of(request, signing.trusted()));
        }
    }

    /** RFC 4028 8.1: who asks for a session timer on the way; null for nobody. */
    private static @Nullable SessionTimers inserting(Application application) {
        SessionTimers timers = SessionTimers.of(application);
        return timers != null && timers.inserts() ? timers : null;
    }

    @Override
    public boolean atEnd(String method, ServletSession session) {
        return composition.atEnd(method, session);
    }

    @Override
    public NextApplication next(
            ServletRequest request, ServletSession session, ServletRequest view) {
        return composition.proxied(request, session, view);
    }

    @Override
    public @Nullable Hop next(
            ServletSession session, SipRequest received, Hop source, MessageDraft draft) {
        return DialogWay.onward(session, received, source, draft);
    }

    @Override
    public boolean times(ServletSession session) {
        return inserting(session.application()) != null;
    }

    @Override
    public @Nullable SessionExpires expires(
            ServletSession session, SipRequest received, SipRequest sent, SipResponse response) {
        SessionTimers timers = inserting(session.application());
        return timers == null ? null : timers.forwarded(received, sent, response);
    }

    @Override
    public void write(SessionExpires expires, MessageDraft response) {
        SessionTimers.write(expires, response);
    }

    @Override
    public void passed(
            ServletSession session,
            String method,
            SipResponse response,
            @Nullable SessionExpires ours) {
        SessionTimers timers =
                SessionTimers.refreshes(method) ? SessionTimers.of(session.application()) : null;
        if (timers != null) {
            timers.passed(session, response, ours);
        }
    }

    @Override
    public boolean open(ServletSession session) {
        return Gate.of(session.application()) == null;
    }

    @Override
    public Passed pass(ServletSession session, ServletRequest request, Runnable again) {
        return calls.pass(session.application(), session.handler(), request, again);
    }

    @Override
    public boolean serve(ServletSession session, ServletRequest request) {
        return calls.serve(session.application(), session.handler(), request);
    }

    @Override
    public boolean service(ServletSession session, ServletRequest request) {
        return calls.service(session.application(), session.handler(), request);
    }
}
