package io.carillon.server.routes;

import io.carillon.servlet.feature.compose.RouteReport;
import io.carillon.sip.message.SipRequest;
import java.util.List;

/** The running server's application router. Any thread. */
public interface Routes {
    /** Which applications the request would visit; nothing is sent. */
    RouteReport route(SipRequest request);

    /**
     * Reads the router's file again.
     *
     * @param always or only when it was written to
     * @return false when there was nothing to read
     * @throws io.carillon.servlet.route.RouterException naming file and line; the old rules stay
     */
    boolean reloadRouter(boolean always);

    /** A sentence for each application that the router's file names and nobody deployed. */
    List<String> routedButNotDeployed();
}
