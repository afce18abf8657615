package io.carillon.net.tls;

import io.netty.handler.ssl.ClientAuth;

/** Whether a listener asks those who connect for a certificate. */
public enum ClientCertificates {
    /** They are not asked. */
    NONE(ClientAuth.NONE),
    /** They are asked; without one they may go on, with one that is not trusted they may not. */
    REQUEST(ClientAuth.OPTIONAL),
    /** Without a trusted one the handshake fails. */
    REQUIRE(ClientAuth.REQUIRE);

    private final ClientAuth auth;

    ClientCertificates(ClientAuth auth) {
        this.auth = auth;
    }

    ClientAuth auth() {
        return auth;
    }
}
