package io.carillon.servlet.feature.security;

import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.bytes.WireText;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.TelUri;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The user whom P-Asserted-Identity names (RFC 3325 section 9.1): in our realm and at our own hosts
 * by the user part, elsewhere by user and host, for {@code alice} of another domain is not our
 * {@code alice}; a telephone number by its digits.
 *
 * @param ownHost whether a host of a URI means this server
 */
record AssertedIdentity(String realm, Predicate<String> ownHost) {

    /** Null where the header is absent, or names nobody. */
    @Nullable String of(ServletRequest request) {
        if (!request.has(HeaderName.P_ASSERTED_IDENTITY)) {
            return null;
        }
        // RFC 3325 9.1: at most two values, a SIP URI and a tel URL, in one header or in two.
        String number = null;
        for (NameAddress value : values(request)) {
            if (value.uri() instanceof SipUri sip && sip.user() != null) {
                boolean own = realm.equalsIgnoreCase(sip.host()) || ownHost.test(sip.host());
                return own ? sip.user() : sip.user() + "@" + sip.host();
            }
            if (value.uri() instanceof TelUri tel) {
                number = tel.number();
            }
        }
        return number;
    }

    /** What cannot be read asserts nothing: the caller is asked himself. */
    private static List<NameAddress> values(ServletRequest request) {
        List<NameAddress> values = new ArrayList<>();
        for (String text : request.texts(HeaderName.P_ASSERTED_IDENTITY)) {
            byte[] bytes = WireText.bytes(text);
            try {
                values.addAll(NameAddress.parseList(bytes, 0, bytes.length));
            } catch (SipParseException e) {
                return List.of();
            }
        }
        return values;
    }
}
