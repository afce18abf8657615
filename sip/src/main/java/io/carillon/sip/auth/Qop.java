package io.carillon.sip.auth;

import io.carillon.sip.bytes.Ascii;
import org.jspecify.annotations.Nullable;

/** Quality of protection (RFC 7616 section 3.3). */
public enum Qop {
    /** The user. */
    AUTH("auth"),
    /** The user and the body. */
    AUTH_INT("auth-int");

    private final String token;

    Qop(String token) {
        this.token = token;
    }

    public String token() {
        return token;
    }

    /** The one of that name, null when there is none. */
    public static @Nullable Qop of(String token) {
        for (Qop one : values()) {
            if (Ascii.equalsIgnoreCase(one.token, token)) {
                return one;
            }
        }
        return null;
    }
}
