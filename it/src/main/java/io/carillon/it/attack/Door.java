package io.carillon.it.attack;

/** Where the server listens, and what is spoken there. */
enum Door {
    /** UDP and TCP on one port. */
    SIP("udp", 0),
    TLS("tls", 1),
    WS("ws", 2),
    WSS("wss", 3),
    /** Status and applications' pages. */
    HTTP("udp", -1);

    private final String calls;
    private final int above;

    Door(String calls, int above) {
        this.calls = calls;
        this.above = above;
    }

    /** By which transport the calls beside come: the one that is attacked, where it can be. */
    String calls() {
        return calls;
    }

    /** Ports above that of UDP; -1 for HTTP, which has a port of its own. */
    int above() {
        return above;
    }
}
