package io.carillon.servlet.kernel;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.NamedServlet;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.shard.Shard;
import org.jspecify.annotations.Nullable;

/** Makes sessions and messages, as applications hold them. Stateless; any thread. */
public interface SessionObjects {
    /** An application session that begins. */
    default ApplicationSession applicationSession(
            SessionHost host,
            Application application,
            Shard home,
            String id,
            @Nullable String key) {
        return new ApplicationSession(host, application, home, id, key);
    }

    /** A session that begins. */
    default ServletSession session(
            ApplicationSession parent,
            String callId,
            NameAddress local,
            NameAddress remote,
            NamedServlet handler) {
        return new ServletSession(parent, callId, local, remote, handler);
    }

    /** A session that comes back from bytes; {@code nobody} stands in until they are read. */
    default ServletSession session(
            ApplicationSession parent,
            int ordinal,
            long createdAtMillis,
            String callId,
            NamedServlet handler,
            NameAddress nobody) {
        return new ServletSession(parent, ordinal, createdAtMillis, callId, handler, nobody);
    }

    /** A request that came. */
    default ServletRequest request(
            SessionHost host,
            SipRequest received,
            Hop source,
            RoutePreprocessing routing,
            boolean initial) {
        return new ServletRequest(host, received, source, routing, initial);
    }

    /** A request of ours. */
    default ServletRequest request(SessionHost host, MessageDraft draft, boolean initial) {
        return new ServletRequest(host, draft, initial);
    }

    /** A response of ours. */
    default ServletResponse response(
            ServletRequest request, ServletSession session, MessageDraft draft, int status) {
        return new ServletResponse(request, session, draft, status);
    }

    /** A response that came. */
    default ServletResponse response(
            ServletRequest request,
            ServletSession session,
            SipResponse received,
            @Nullable Hop source) {
        return new ServletResponse(request, session, received, source);
    }
}
