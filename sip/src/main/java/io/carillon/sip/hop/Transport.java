package io.carillon.sip.hop;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The transports of SIP: RFC 3261 section 18 and RFC 7118. */
public enum Transport {
    UDP(false, 5060),
    TCP(true, 5060),
    TLS(true, 5061),
    WS(true, 80),
    WSS(true, 443);

    private final boolean reliable;
    private final int defaultPort;
    private final String parameter;

    Transport(boolean reliable, int defaultPort) {
        this.reliable = reliable;
        this.defaultPort = defaultPort;
        this.parameter = name().toLowerCase(Locale.ROOT);
    }

    /** True when it delivers by itself, so that transactions do not retransmit. */
    public boolean reliable() {
        return reliable;
    }

    /** The port meant when none is written. */
    public int defaultPort() {
        return defaultPort;
    }

    /** The token of the Via header's sent-protocol. */
    public String viaToken() {
        return name();
    }

    /** The transport of this token in any case, or null for one that is not known. */
    public static @Nullable Transport of(String token) {
        for (Transport t : VALUES) {
            if (t.name().equalsIgnoreCase(token)) {
                return t;
            }
        }
        return null;
    }

    /** True when TLS hides what is carried: TLS and WSS. */
    public boolean secure() {
        return this == TLS || this == WSS;
    }

    /** True when messages travel in WebSocket frames (RFC 7118): WS and WSS. */
    public boolean webSocket() {
        return this == WS || this == WSS;
    }

    /** The value of a URI's transport parameter. */
    public String parameter() {
        return parameter;
    }

    private static final Transport[] VALUES = values();
}
