package io.carillon.net.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import org.jspecify.annotations.Nullable;

/** The SIP domains that a certificate is made out to: RFC 5922 sections 7.1 and 7.2. */
public final class PeerIdentities {

    private static final int DNS = 2;
    private static final int URI = 6;
    private static final int ADDRESS = 7;

    private PeerIdentities() {}

    /**
     * The domains, in lower case and in the order of the certificate. RFC 5922 7.1: the hosts of
     * SIP URIs without a user; if there is none, the DNS names; the common name only where there is
     * no subjectAltName at all. Empty: nobody that SIP knows.
     */
    public static List<String> domains(X509Certificate certificate) {
        Collection<List<?>> names = alternatives(certificate);
        if (names == null) {
            return commonName(certificate);
        }
        List<String> uris = new ArrayList<>();
        List<String> dns = new ArrayList<>();
        for (List<?> name : names) {
            String text = String.valueOf(name.get(1));
            if (kind(name) == URI) {
                String host = hostOfSip(text);
                if (host != null) {
                    uris.add(host);
                }
            } else if (kind(name) == DNS) {
                dns.add(text.toLowerCase(Locale.ROOT));
            }
        }
        // RFC 5922 7.1: "An implementation MUST accept a domain name system identifier as a SIP
        // domain identity if and only if no other identity is found that matches the "sip" URI
        // type"
        return List.copyOf(uris.isEmpty() ? dns : uris);
    }

    /** The addresses in digits that the certificate is made out to. */
    static List<String> addresses(X509Certificate certificate) {
        Collection<List<?>> names = alternatives(certificate);
        return names == null
                ? List.of()
                : names.stream()
                        .filter(name -> kind(name) == ADDRESS)
                        .map(name -> String.valueOf(name.get(1)))
                        .toList();
    }

    private static int kind(List<?> name) {
        return name.get(0) instanceof Integer number ? number : -1;
    }

    /** Null where the certificate has no subjectAltName, or one that cannot be read. */
    private static @Nullable Collection<List<?>> alternatives(X509Certificate certificate) {
        try {
            return certificate.getSubjectAlternativeNames();
        } catch (CertificateParsingException e) {
            // One that nobody can read names nobody: an empty list, so that the CN does not count.
            return List.of();
        }
    }

    /** RFC 5922 7.1: a URI of scheme sip without a user part; not sips. */
    private static @Nullable String hostOfSip(String uri) {
        if (!uri.regionMatches(true, 0, "sip:", 0, 4) || uri.indexOf('@') >= 0) {
            return null;
        }
        int end = 4;
        while (end < uri.length() && ";?".indexOf(uri.charAt(end)) < 0) {
            end++;
        }
        String host = uri.substring(4, end);
        int colon = host.startsWith("[") ? host.indexOf("]:") + 1 : host.lastIndexOf(':');
        return (colon > 0 ? host.substring(0, colon) : host).toLowerCase(Locale.ROOT);
    }

    private static List<String> commonName(X509Certificate certificate) {
        try {
            LdapName subject = new LdapName(certificate.getSubjectX500Principal().getName());
            for (Rdn part : subject.getRdns().reversed()) {
                if (part.getType().equalsIgnoreCase("CN")) {
                    return List.of(String.valueOf(part.getValue()).toLowerCase(Locale.ROOT));
                }
            }
            return List.of();
        } catch (InvalidNameException e) {
            return List.of(); // a name that cannot be read is nobody's
        }
    }

    /**
     * RFC 5922 7.2: names are compared whole, in any case, without wildcards. An internationalised
     * domain is expected in its ASCII form, as URIs and certificates carry it.
     */
    static boolean matches(List<String> identities, String domain) {
        String wanted = domain.endsWith(".") ? domain.substring(0, domain.length() - 1) : domain;
        for (String identity : identities) {
            if (identity.equalsIgnoreCase(wanted)) {
                return true;
            }
        }
        return false;
    }
}
