package io.carillon.servlet.header;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.Methods;
import java.util.Objects;

/** Which headers hold addresses, and which the container manages. Stateless; any thread. */
public final class HeaderRules {
    private static final int ADDRESS = 1;
    private static final int SYSTEM = 2;

    /** Bits by {@link HeaderName#id()}. */
    private static final byte[] KIND = kinds();

    private HeaderRules() {}

    private static byte[] kinds() {
        byte[] kinds = new byte[HeaderName.knownCount()];
        mark(
                kinds,
                ADDRESS | SYSTEM,
                HeaderName.FROM,
                HeaderName.TO,
                HeaderName.ROUTE,
                HeaderName.RECORD_ROUTE,
                HeaderName.PATH);
        mark(
                kinds,
                SYSTEM,
                HeaderName.CALL_ID,
                HeaderName.CSEQ,
                HeaderName.VIA,
                HeaderName.RACK,
                HeaderName.RSEQ);
        mark(
                kinds,
                ADDRESS,
                HeaderName.CONTACT,
                HeaderName.SERVICE_ROUTE,
                HeaderName.REPLY_TO,
                HeaderName.REFER_TO,
                HeaderName.REFERRED_BY,
                HeaderName.ALERT_INFO,
                HeaderName.CALL_INFO,
                HeaderName.ERROR_INFO,
                HeaderName.P_ASSERTED_IDENTITY,
                HeaderName.P_PREFERRED_IDENTITY,
                HeaderName.P_ASSOCIATED_URI,
                HeaderName.P_CALLED_PARTY_ID,
                HeaderName.DIVERSION,
                HeaderName.HISTORY_INFO,
                HeaderName.GEOLOCATION);
        return kinds;
    }

    private static void mark(byte[] kinds, int bits, HeaderName... names) {
        for (HeaderName name : names) {
            kinds[name.id()] |= (byte) bits;
        }
    }

    /** The header that an application names. */
    public static HeaderName named(String name) {
        return HeaderName.of(Objects.requireNonNull(name, "name"));
    }

    /**
     * Content-Length is right in whatever we print; what applications say about it has no effect.
     */
    public static boolean isComputed(HeaderName name) {
        return name.equals(HeaderName.CONTENT_LENGTH);
    }

    /**
     * May an application change From and To, but for their tags? In requests: a response repeats
     * those of its request (RFC 3261 8.2.6.2), as ACK and CANCEL do (13.2.2.4, 9.1).
     *
     * @param status of a response, 0 of a request
     */
    public static boolean mayRename(String method, int status) {
        return status == 0 && !method.equals(Methods.ACK) && !method.equals(Methods.CANCEL);
    }

    /**
     * Delta-seconds as the API gives them: -1 for what is none, the largest number for a larger
     * one.
     */
    public static int seconds(String value) {
        long seconds = Ascii.parseDecimal(value, Integer.MAX_VALUE);
        return seconds == -2 ? Integer.MAX_VALUE : (int) seconds;
    }

    /** Is the header defined as {@code (name-addr / addr-spec) *(SEMI generic-param)}? */
    public static boolean isAddress(HeaderName name) {
        return name.id() >= 0 && (KIND[name.id()] & ADDRESS) != 0;
    }

    /** May the header hold addresses as far as we know? An extension header may. */
    public static boolean mayBeAddress(HeaderName name) {
        return name.id() < 0 || isAddress(name);
    }

    /** Does the container manage this header in every message? (Contact depends on the message.) */
    public static boolean isSystem(HeaderName name) {
        return name.id() >= 0 && (KIND[name.id()] & SYSTEM) != 0;
    }

    /**
     * What an application may do to a header of a message.
     *
     * @param status of a response, 0 of a request
     */
    public static Rights rights(HeaderName name, String method, int status) {
        if (isSystem(name) && !isPathOfRegistrar(name, method, status)) {
            return Rights.READ_ONLY;
        }
        boolean managed = name.equals(HeaderName.CONTACT) && !hasFreeContact(method, status);
        return managed ? Rights.CONTACT : Rights.FREE;
    }

    /**
     * RFC 3327 5.3: "The registrar copies the Path header field values into a Path header field in
     * the successful (200 class) REGISTER response". Nobody but the application knows them.
     */
    private static boolean isPathOfRegistrar(HeaderName name, String method, int status) {
        return name.equals(HeaderName.PATH) && status >= 200 && method.equals("REGISTER");
    }

    /**
     * Contact is the application's in REGISTER, 3xx, 485 and in a 200 to OPTIONS; elsewhere it is
     * the container's.
     */
    private static boolean hasFreeContact(String method, int status) {
        return method.equals("REGISTER")
                || (status >= 300 && status < 400)
                || status == 485
                || (status == 200 && method.equals("OPTIONS"));
    }
}
