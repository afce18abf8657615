package io.carillon.servlet.header;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.util.Objects;
import javax.servlet.sip.Address;
import javax.servlet.sip.ServletParseException;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.URI;

/**
 * The way between the API's addresses and URIs and our immutable values, for the container's own
 * code. Stateless; the objects made here belong to the turn.
 */
public final class Addresses {
    private Addresses() {}

    /**
     * The value of an API URI, ours or anybody's.
     *
     * @throws IllegalArgumentException when a foreign implementation prints something that is no
     *     URI
     */
    public static Uri toUri(URI uri) {
        if (uri instanceof ServletUri ours) {
            return ours.value();
        }
        try {
            return Uri.parse(uri.toString());
        } catch (SipParseException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * The value of an API address, ours or anybody's, tag included.
     *
     * @throws IllegalArgumentException when a foreign implementation prints something that is no
     *     address
     */
    public static NameAddress toNameAddress(Address address) {
        if (address instanceof ServletAddress ours) {
            return ours.value();
        }
        try {
            return NameAddress.parse(address.toString());
        } catch (SipParseException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * The address with the parameter lr.
     *
     * @param header its name, for the error
     * @throws IllegalArgumentException when the URI is no SIP URI
     */
    public static NameAddress looseRouter(NameAddress address, String header) {
        if (!(address.uri() instanceof SipUri sip)) {
            throw new IllegalArgumentException(header + " takes a SIP URI, not " + address.uri());
        }
        return sip.isLooseRouter() ? address : address.withUri(sip.withParam("lr", null));
    }

    /** A URI the application may change as it likes; nobody else sees the changes. */
    public static URI free(Uri uri) {
        return ServletUri.of(uri, Rights.FREE, null);
    }

    /** An address the application may change as it likes; nobody else sees the changes. */
    public static Address free(NameAddress address) {
        return new ServletAddress(address, Rights.FREE, null);
    }

    /** A URI whose setters throw IllegalStateException. */
    public static URI readOnly(Uri uri) {
        return ServletUri.of(uri, Rights.READ_ONLY, null);
    }

    /** An address whose setters throw IllegalStateException: From, To, popped routes. */
    public static Address readOnly(NameAddress address) {
        return new ServletAddress(address, Rights.READ_ONLY, null);
    }

    /**
     * The Record-Route or Path URI of ours on which applications put parameters of their own;
     * anything else is refused (IllegalArgumentException for the parameters that route,
     * IllegalStateException for the other parts).
     *
     * @param beforeChange called before each change; may throw IllegalStateException
     */
    public static SipURI recordRoute(SipUri uri, Runnable beforeChange) {
        return new ServletSipUri(uri, Rights.ROUTE_PARAMETERS, beforeChange::run);
    }

    /**
     * A Contact of ours that stands in no message yet: user part, display name and parameters may
     * change.
     *
     * @param beforeChange called before each change; may throw IllegalStateException
     */
    public static Address managedContact(NameAddress contact, Runnable beforeChange) {
        return new ServletAddress(contact, Rights.CONTACT, beforeChange::run);
    }

    /**
     * From or To of a new request out of what an application gave: no tag, no URI headers and none
     * of the URI parameters that RFC 3261 19.1.1, table 1, keeps out of From and To. The port
     * stays: the table has no place for it either, but many identities are an address and a port.
     *
     * @throws IllegalArgumentException for the wildcard
     */
    public static NameAddress forFromTo(Address address) {
        return forFromTo(toNameAddress(address));
    }

    /** {@link #forFromTo(Address)} for a value. */
    @SuppressWarnings("ReferenceEquality") // the same URI when nothing was to be taken away
    public static NameAddress forFromTo(NameAddress value) {
        if (value.wildcard()) {
            throw new IllegalArgumentException("* is for Contact only");
        }
        NameAddress bare = value.withoutParam("tag");
        Uri legal = forFromTo(value.uri());
        return legal == value.uri() ? bare : bare.withUri(legal);
    }

    /** What of a URI may stand in From or To; the same URI when all of it may. */
    public static Uri forFromTo(Uri uri) {
        return uri instanceof SipUri sip ? withoutIllegalInFromTo(sip) : uri;
    }

    /** {@link #forFromTo(Address)} for a bare URI. */
    public static NameAddress forFromTo(URI uri) {
        return forFromTo(NameAddress.of(toUri(uri)));
    }

    private static SipUri withoutIllegalInFromTo(SipUri uri) {
        return uri.withoutHeaders()
                .withoutParam("method")
                .withoutParam("maddr")
                .withoutParam("ttl")
                .withoutParam("transport")
                .withoutParam("lr");
    }

    static NameAddress parse(String text) throws ServletParseException {
        try {
            return NameAddress.parse(Objects.requireNonNull(text, "address"));
        } catch (SipParseException e) {
            throw new ServletParseException(e.getMessage(), e);
        }
    }
}
