package io.carillon.sip.uri;

import org.jspecify.annotations.Nullable;

/** A URI of a scheme that SIP does not route by: http, mailto, urn, or one never heard of. */
public final class OpaqueUri extends Uri {
    private final int schemeEnd;

    OpaqueUri(String text, int schemeEnd) {
        super(text);
        this.schemeEnd = schemeEnd;
    }

    @Override
    public String scheme() {
        return text.substring(0, schemeEnd).toLowerCase(java.util.Locale.ROOT);
    }

    /** What follows the scheme and its colon. */
    public String schemeSpecificPart() {
        return text.substring(schemeEnd + 1);
    }

    /** Always null: nothing is known about the inside of such a URI. */
    @Override
    public @Nullable String param(String name) {
        return null;
    }

    @Override
    public boolean matches(Uri other) {
        return other instanceof OpaqueUri o
                && scheme().equals(o.scheme())
                && schemeSpecificPart().equals(o.schemeSpecificPart());
    }
}
