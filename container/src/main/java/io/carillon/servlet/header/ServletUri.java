package io.carillon.servlet.header;

import io.carillon.sip.uri.OpaqueUri;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.TelUri;
import io.carillon.sip.uri.Uri;
import java.util.Objects;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;

/**
 * A URI as applications see it: a mutable holder of an immutable {@link Uri}. Every setter makes a
 * new value, so a bad argument leaves the old one. Owner: the turn.
 */
public abstract sealed class ServletUri extends LiveValue implements URI
        permits ServletSipUri, ServletTelUrl, ServletOpaqueUri {
    ServletUri(Rights rights, @Nullable Owner owner) {
        super(rights, owner);
    }

    public static ServletUri of(Uri uri, Rights rights, @Nullable Owner owner) {
        return switch (uri) {
            case SipUri sip -> new ServletSipUri(sip, rights, owner);
            case TelUri tel -> new ServletTelUrl(tel, rights, owner);
            case OpaqueUri other -> new ServletOpaqueUri(other, rights, owner);
        };
    }

    /** The present value. */
    public abstract Uri value();

    abstract void putParameter(String name, String value);

    abstract void dropParameter(String name);

    @Override
    public final @Nullable String getParameter(String key) {
        return parameter(Objects.requireNonNull(key, "key"));
    }

    abstract @Nullable String parameter(String key);

    /** A null value removes the parameter, as {@code Parameterable} has it; "" makes a flag. */
    @Override
    public final void setParameter(String name, @Nullable String value) {
        Objects.requireNonNull(name, "name");
        if (value == null) {
            removeParameter(name);
            return;
        }
        HeaderElements.refuseLineBreak(value);
        ParameterText.checkName(name);
        changingUriParameter(name);
        putParameter(name, value);
    }

    @Override
    public final void removeParameter(String name) {
        if (parameter(Objects.requireNonNull(name, "name")) != null) {
            changingUriParameter(name);
            dropParameter(name);
        }
    }

    @Override
    public final String getScheme() {
        return value().scheme();
    }

    @Override
    public final boolean isSipURI() {
        return value().isSip();
    }

    /** A free copy with no owner. */
    @Override
    @SuppressWarnings(
            "MissingSuperClone") // the copy belongs to nobody, so it is made by the constructor
    public final URI clone() {
        return of(value(), Rights.FREE, null);
    }

    /**
     * RFC 3261 19.1.4 for SIP and SIPS, RFC 3966 5 for TEL, the text for others. Not transitive, by
     * those rules.
     */
    @Override
    public final boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof URI that && value().matches(Addresses.toUri(that)));
    }

    @Override
    public abstract int hashCode();

    @Override
    public final String toString() {
        return value().toString();
    }
}
