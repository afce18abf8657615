package io.carillon.net.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;

/** RFC 5922 sections 7.1 and 7.2. */
class PeerIdentitiesTest {

    @Test
    void urisOfSchemeSipWithoutAUserCount() throws Exception {
        assertThat(
                        domains(
                                "URI:sip:Example.com",
                                "URI:sip:alice@example.net",
                                "URI:sips:secure.example",
                                "URI:https://web.example",
                                "URI:SIP:b.example;transport=tcp",
                                "URI:sip:c.example:5061",
                                "DNS:dns.example"))
                .containsExactly("example.com", "b.example", "c.example");
    }

    @Test
    void dnsNamesCountOnlyWhereNoSipUriDoes() throws Exception {
        assertThat(domains("URI:sip:alice@example.net", "DNS:DNS.example"))
                .containsExactly("dns.example");
    }

    @Test
    void theCommonNameCountsOnlyWithoutAnyAlternative() throws Exception {
        assertThat(domains()).containsExactly("common.example");
        assertThat(domains("URI:https://web.example")).isEmpty();
    }

    /** "Implementations MUST match the values in their entirety". */
    @Test
    void namesAreComparedWholeInAnyCaseWithoutWildcards() {
        List<String> names = List.of("example.com", "*.example.org", ".example.net");
        assertThat(PeerIdentities.matches(names, "EXAMPLE.com")).isTrue();
        assertThat(PeerIdentities.matches(names, "example.com.")).isTrue();
        assertThat(PeerIdentities.matches(names, "foo.example.com")).isFalse();
        assertThat(PeerIdentities.matches(names, "foo.example.org")).isFalse();
        assertThat(PeerIdentities.matches(names, "foo.example.net")).isFalse();
    }

    @Test
    void whatStrangersWriteIntoNamesDoesNotReachALog() {
        assertThat(CertificateText.of("a\r\n2026 INFO \u001b[31m\u202eb\u2028"))
                .isEqualTo("a??2026 INFO ?[31m?b?");
    }

    private static List<String> domains(String... alternatives) throws Exception {
        return PeerIdentities.domains(certificate(alternatives));
    }

    private static X509Certificate certificate(String... alternatives) throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
        byte[][] names = new byte[alternatives.length][];
        for (int i = 0; i < names.length; i++) {
            String value = alternatives[i].substring(4);
            int tag = alternatives[i].startsWith("URI:") ? 0x86 : 0x82;
            names[i] = DerWriter.of(tag, value.getBytes(StandardCharsets.US_ASCII));
        }
        byte[] extension =
                DerWriter.of(
                        DerWriter.SEQUENCE,
                        DerWriter.oid("2.5.29.17"),
                        DerWriter.of(
                                DerWriter.OCTET_STRING, DerWriter.of(DerWriter.SEQUENCE, names)));
        byte[] algorithm = DerWriter.of(DerWriter.SEQUENCE, DerWriter.oid("1.2.840.10045.4.3.2"));
        byte[] name =
                DerWriter.of(
                        DerWriter.SEQUENCE,
                        DerWriter.of(
                                DerWriter.SET,
                                DerWriter.of(
                                        DerWriter.SEQUENCE,
                                        DerWriter.oid("2.5.4.3"),
                                        DerWriter.text(DerWriter.UTF8, "Common.example"))));
        byte[] time = DerWriter.text(DerWriter.UTC_TIME, "260101000000Z");
        byte[] start =
                names.length == 0
                        ? new byte[0]
                        : DerWriter.explicit(3, DerWriter.of(DerWriter.SEQUENCE, extension));
        byte[] body =
                DerWriter.of(
                        DerWriter.SEQUENCE,
                        DerWriter.explicit(0, DerWriter.integer(2)),
                        DerWriter.integer(7),
                        algorithm,
                        name,
                        DerWriter.of(DerWriter.SEQUENCE, time, time),
                        name,
                        pair.getPublic().getEncoded(),
                        start);
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(pair.getPrivate());
        signature.update(body);
        byte[] whole =
                DerWriter.of(DerWriter.SEQUENCE, body, algorithm, DerWriter.bits(signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(whole));
    }
}
