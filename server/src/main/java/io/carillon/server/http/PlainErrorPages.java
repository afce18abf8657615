package io.carillon.server.http;

import java.io.IOException;
import javax.servlet.RequestDispatcher;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.ee8.nested.Request;
import org.eclipse.jetty.ee8.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Error pages that say what happened to the visitor and nothing of the inside: what a servlet threw
 * is in the log, not in the page. The application's own error pages of web.xml come first.
 */
final class PlainErrorPages extends ErrorPageErrorHandler {
    PlainErrorPages() {
        setShowStacks(false);
        setShowServlet(false);
        setShowMessageInTitle(false);
    }

    @Override
    protected void generateAcceptableResponse(
            Request baseRequest,
            HttpServletRequest request,
            HttpServletResponse response,
            int code,
            String message)
            throws IOException {
        boolean thrown = request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) != null;
        request.removeAttribute(RequestDispatcher.ERROR_EXCEPTION); // Jetty would print its causes
        super.generateAcceptableResponse(
                baseRequest,
                request,
                response,
                code,
                thrown ? HttpStatus.getMessage(code) : message);
    }
}
