package io.carillon.servlet.feature.b2bua;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.port.Provenance;
import io.carillon.sip.header.NameAddress;

/** What other features say of a request that is copied to the other leg. With the turn held. */
public interface CopyRules {
    /** Does the container keep the time of this application's sessions (RFC 4028)? */
    boolean timed(Application application);

    /** Who calls, as the other leg is told: another than in the received one for privacy's sake. */
    NameAddress caller(ServletRequest received, NameAddress from);

    /** The copy has its headers: what the caller wants hidden goes. */
    void hide(ServletRequest received, ServletRequest copy);

    /** What is known of who sent the received one. */
    Provenance provenance(ServletRequest received);
}
