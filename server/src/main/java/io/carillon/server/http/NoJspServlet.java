package io.carillon.server.http;

import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands where a JSP would: Carillon compiles none, and their text is not for visitors. Threads of
 * HTTP requests.
 */
public final class NoJspServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(NoJspServlet.class);

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        LOG.warn(
                "{}{} is a JSP, and JSPs are not compiled here: use a servlet or a page",
                request.getContextPath(),
                request.getServletPath());
        response.sendError(
                HttpServletResponse.SC_NOT_IMPLEMENTED, "This page is a JSP: not supported here");
    }
}
