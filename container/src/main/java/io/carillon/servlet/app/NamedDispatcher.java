package io.carillon.servlet.app;

import java.io.IOException;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/**
 * Hands a message to another servlet of the same application, in the caller's thread and turn.
 * Immutable.
 *
 * @param handles whether the target becomes the handler of the message's session too
 */
record NamedDispatcher(NamedServlet target, boolean handles) implements RequestDispatcher {
    /** One of the two is null, as in {@code Servlet.service} of a SIP servlet. */
    @Override
    public void forward(@Nullable ServletRequest request, @Nullable ServletResponse response)
            throws ServletException, IOException {
        Object message = request == null ? response : request;
        if (handles && message instanceof SipServletMessage sip) {
            SipSession session = sip.getSession(false);
            if (session != null) {
                session.setHandler(target.name());
            }
        }
        target.servlet().service(request, response);
    }

    @Override
    public void include(@Nullable ServletRequest request, @Nullable ServletResponse response) {
        throw new UnsupportedOperationException(
                "RequestDispatcher.include has no meaning for SIP; use forward");
    }
}
