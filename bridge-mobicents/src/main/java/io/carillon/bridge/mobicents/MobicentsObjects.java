package io.carillon.bridge.mobicents;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.NamedServlet;
import io.carillon.servlet.dispatch.ApiObjects;
import io.carillon.servlet.dispatch.SipRequests;
import io.carillon.servlet.feature.proxy.ServletProxy;
import io.carillon.servlet.feature.proxy.ServletProxyBranch;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletResponse;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.kernel.SessionLookup;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.uri.Uri;
import java.util.List;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipSessionsUtil;
import org.jspecify.annotations.Nullable;
import org.mobicents.servlet.sip.annotation.ConcurrencyControlMode;

/** Makes the objects of applications such that casts to Mobicents' interfaces succeed. */
public final class MobicentsObjects implements ApiObjects {
    private static final List<String> SHARED =
            List.of(
                    "org.mobicents.javax.servlet.",
                    "org.mobicents.servlet.sip.annotation.",
                    "org.mobicents.servlet.sip.listener.",
                    "org.mobicents.servlet.sip.notification.");

    /** The one class of a package which is the implementation's otherwise. */
    private static final String CONNECTOR = "org.mobicents.servlet.sip.SipConnector";

    @Override
    public String bridges() {
        return "Mobicents";
    }

    @Override
    public boolean shares(String className) {
        return className.startsWith("org.mobicents.")
                && (className.equals(CONNECTOR) || SHARED.stream().anyMatch(className::startsWith));
    }

    @Override
    public void starting(Application application) {
        application.context().setAttribute(HostResolver.ATTRIBUTE, new HostResolver());
        // What holds here always, whatever the application declares.
        application
                .context()
                .setAttribute(
                        ConcurrencyControlMode.class.getName(),
                        ConcurrencyControlMode.SipApplicationSession);
    }

    @Override
    public SipFactory factory(SipRequests plain, Application application) {
        return ExtendedFactory.over(plain, application);
    }

    @Override
    public SipSessionsUtil sessionsUtil(SessionLookup plain, Application application) {
        return ExtendedSessionsUtil.over(plain);
    }

    @Override
    public ApplicationSession applicationSession(
            SessionHost host,
            Application application,
            Shard home,
            String id,
            @Nullable String key) {
        return new ExtendedApplicationSession(host, application, home, id, key);
    }

    @Override
    public ServletSession session(
            ApplicationSession parent,
            String callId,
            NameAddress local,
            NameAddress remote,
            NamedServlet handler) {
        return new ExtendedSession(parent, callId, local, remote, handler);
    }

    @Override
    public ServletSession session(
            ApplicationSession parent,
            int ordinal,
            long createdAtMillis,
            String callId,
            NamedServlet handler,
            NameAddress nobody) {
        return new ExtendedSession(parent, ordinal, createdAtMillis, callId, handler, nobody);
    }

    @Override
    public ServletRequest request(
            SessionHost host,
            SipRequest received,
            Hop source,
            RoutePreprocessing routing,
            boolean initial) {
        return new ExtendedRequest(host, received, source, routing, initial);
    }

    @Override
    public ServletRequest request(SessionHost host, MessageDraft draft, boolean initial) {
        return new ExtendedRequest(host, draft, initial);
    }

    @Override
    public ServletResponse response(
            ServletRequest request, ServletSession session, MessageDraft draft, int status) {
        return new ExtendedResponse(request, session, draft, status);
    }

    @Override
    public ServletResponse response(
            ServletRequest request,
            ServletSession session,
            SipResponse received,
            @Nullable Hop source) {
        return new ExtendedResponse(request, session, received, source);
    }

    @Override
    public ServletProxy proxy(ServletRequest request, UasTransaction server) {
        return new ExtendedProxy(request, server);
    }

    @Override
    public ServletProxyBranch branch(ServletProxy proxy, Uri target) {
        return new ExtendedProxyBranch(proxy, target);
    }
}
