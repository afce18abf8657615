package io.carillon.servlet;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.NamedServlet;
import io.carillon.servlet.dispatch.SipRequests;
import io.carillon.servlet.message.ServletRequest;
import io.carillon.servlet.message.ServletResponse;
import io.carillon.servlet.message.UasTransaction;
import io.carillon.servlet.proxy.ServletProxy;
import io.carillon.servlet.proxy.ServletProxyBranch;
import io.carillon.servlet.session.ApplicationSession;
import io.carillon.servlet.session.ServletSession;
import io.carillon.servlet.session.SessionLookup;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.uri.Uri;
import java.util.ServiceLoader;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipSessionsUtil;
import org.jspecify.annotations.Nullable;

/**
 * Makes the objects of the API that applications hold. A bridge for applications of another server
 * makes subclasses that implement that server's interfaces too, so that a cast in an application
 * succeeds; without one, everything is as it stands here.
 *
 * <p>Stateless; any thread.
 */
public interface ApiObjects {
    /** What the API says and no more. */
    ApiObjects PLAIN = new ApiObjects() {};

    /** The bridge on the class path, or none. More than one cannot be: an object has one class. */
    static ApiObjects installed() {
        return ServiceLoader.load(ApiObjects.class, ApiObjects.class.getClassLoader())
                .findFirst()
                .orElse(PLAIN);
    }

    /** The server that the bridge stands for, as messages call it; empty without one. */
    default String bridges() {
        return "";
    }

    /**
     * Does an application get this class from the server, whatever its archive holds? Of the API
     * itself that goes without saying.
     */
    default boolean shares(String className) {
        return false;
    }

    /** Before the application's instances are made: the place for attributes of its context. */
    default void starting(Application application) {}

    /** The application's factory. */
    default SipFactory factory(SipRequests plain, SipContainer container, Application application) {
        return plain;
    }

    /** The application's way to its sessions. */
    default SipSessionsUtil sessionsUtil(
            SessionLookup plain, SipContainer container, Application application) {
        return plain;
    }

    /** An application session that begins. */
    default ApplicationSession applicationSession(
            SipContainer container,
            Application application,
            Shard home,
            String id,
            @Nullable String key) {
        return new ApplicationSession(container, application, home, id, key);
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
            SipContainer container,
            SipRequest received,
            Hop source,
            RoutePreprocessing routing,
            boolean initial) {
        return new ServletRequest(container, received, source, routing, initial);
    }

    /** A request of ours. */
    default ServletRequest request(SipContainer container, MessageDraft draft, boolean initial) {
        return new ServletRequest(container, draft, initial);
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

    /** The proxy of a request. */
    default ServletProxy proxy(ServletRequest request, UasTransaction server) {
        return new ServletProxy(request, server);
    }

    /** A target of a proxy. */
    default ServletProxyBranch branch(ServletProxy proxy, Uri target) {
        return new ServletProxyBranch(proxy, target);
    }
}
