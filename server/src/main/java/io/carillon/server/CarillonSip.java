package io.carillon.server;

import io.carillon.server.config.Configuration;
import java.util.Optional;

/** Composes network, shards and container. */
final class CarillonSip {
    private CarillonSip() {}

    static SipSide open(Configuration configuration, Home home) throws StartException {
        return Optional.<SipSide>empty()
                .orElseThrow(() ->
                        new StartException(
                                "this build has no SIP side for "
                                        + configuration.sip().listen()
                                        + " in "
                                        + home.folder()));
    }
}
