package io.carillon.servlet.feature.compose;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.port.Provenance;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.ar.SipApplicationRouter;
import org.jspecify.annotations.Nullable;

/** The applications that a router chooses among, and what becomes of its answers. Any thread. */
public interface RoutedApplications {
    SipApplicationRouter router();

    /** The application of that name that takes new calls; null where there is none. */
    @Nullable Application find(String name);

    /** Answer to an initial request that no application wants; 0: it is proxied on. */
    int noApplicationStatus();

    /** Answer to a request that cannot be routed on either; never 0. */
    int refusalStatus();

    /** What is known of who sent a request, for whoever gets it next. With the turn held. */
    Provenance provenance(ServletRequest request);

    /** The router failed at that request. */
    void failed(SipServletRequest request, Throwable error);
}
