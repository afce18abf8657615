package io.carillon.servlet.feature.security;

import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.uri.SipUri;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says within the trust domain who a caller is that proved it by digest (RFC 3325 section 5): the
 * identity that he prefers when it is one of his, else his user name at our first domain. Nothing
 * else of what he wrote is in it: we vouch for user and domain, not for a display name, and who
 * calls back what was asserted goes nowhere else. Immutable; the turn is held.
 *
 * @param domains our domains, lower case, the first by itself; empty: the realm stands for them
 */
public record IdentityAsserter(List<String> domains) {
    public IdentityAsserter {
        domains = domains.stream().map(d -> d.toLowerCase(Locale.ROOT)).toList();
    }

    /** Puts P-Asserted-Identity in the place of what the caller wrote. */
    void write(ServletRequest request, String user, String realm) {
        List<String> own = domains.isEmpty() ? List.of(realm.toLowerCase(Locale.ROOT)) : domains;
        NameAddress asserted = NameAddress.of(SipUri.of(user, own.getFirst(), -1));
        // RFC 3325 9.2: "There may be one or two P-Preferred-Identity values."
        for (String preferred : request.texts(HeaderName.P_PREFERRED_IDENTITY)) {
            NameAddress wish = parsed(preferred);
            if (wish != null && belongsTo(wish, user, Set.copyOf(own))) {
                asserted = NameAddress.of(anew(user, (SipUri) wish.uri()));
                break;
            }
        }
        request.drop(HeaderName.P_PREFERRED_IDENTITY);
        request.put(HeaderName.P_ASSERTED_IDENTITY, asserted.toString());
    }

    /** User and domain; that it is a telephone number he may say. */
    private static SipUri anew(String user, SipUri wish) {
        SipUri plain = SipUri.of(user, wish.host().toLowerCase(Locale.ROOT), -1);
        boolean number = "phone".equalsIgnoreCase(wish.param("user"));
        return number ? plain.withParam("user", "phone") : plain;
    }

    private static @Nullable NameAddress parsed(String preferred) {
        try {
            return NameAddress.parse(preferred);
        } catch (SipParseException e) {
            return null; // a hint that cannot be read is none
        }
    }

    private static boolean belongsTo(NameAddress wish, String user, Set<String> own) {
        return wish.uri() instanceof SipUri sip
                && user.equals(sip.user())
                && own.contains(sip.host().toLowerCase(Locale.ROOT));
    }
}
