package io.carillon.net.tls;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes certificates (RFC 5280) for trials and tests: signed by themselves or by one made before.
 * Real ones come from an authority. Immutable; the {@code with} methods change one part.
 *
 * @param names SIP domains, host names or addresses in digits; each becomes a DNS name and a SIP
 *     URI, or an address
 * @param notBefore begin of its validity
 * @param notAfter end of its validity
 * @param authority may it sign others
 * @param rsaBits 0: an elliptic curve (P-256); else an RSA key of so many bits
 */
public record CertificateMaker(
        List<String> names, Instant notBefore, Instant notAfter, boolean authority, int rsaBits) {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter GENERALIZED =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final Instant LAST_OF_UTC_TIME = Instant.parse("2049-12-31T23:59:59Z");
    private static final byte[] TRUE = DerWriter.of(0x01, new byte[] {-1});
    private static final int LONGEST_CN = 64;

    public CertificateMaker {
        names = List.copyOf(names);
        if (names.isEmpty()) {
            throw new IllegalArgumentException("a certificate needs a name");
        }
    }

    /** One on an elliptic curve that is valid from an hour ago on. */
    public static CertificateMaker of(List<String> names, Duration valid) {
        Instant now = Instant.now();
        return new CertificateMaker(
                names, now.minus(Duration.ofHours(1)), now.plus(valid), false, 0);
    }

    public CertificateMaker withValidity(Instant from, Instant to) {
        return new CertificateMaker(names, from, to, authority, rsaBits);
    }

    public CertificateMaker asAuthority() {
        return new CertificateMaker(names, notBefore, notAfter, true, rsaBits);
    }

    public CertificateMaker withRsa(int bits) {
        return new CertificateMaker(names, notBefore, notAfter, authority, bits);
    }

    /**
     * What was made.
     *
     * @param certificate the certificate
     * @param key its private key
     */
    public record Made(X509Certificate certificate, PrivateKey key) {

        /** The certificate as PEM. */
        public String certificatePem() {
            try {
                return PemFile.print("CERTIFICATE", certificate.getEncoded());
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("a certificate without bytes", e);
            }
        }

        /** The key as PEM (PKCS#8, not enciphered): for a file that nobody else may read. */
        public String keyPem() {
            return PemFile.print("PRIVATE KEY", key.getEncoded());
        }

        /** Says nothing of the key. */
        @Override
        public String toString() {
            return certificate.getSubjectX500Principal().getName();
        }
    }

    /** Signed by itself. */
    public Made selfSigned() {
        return made(null);
    }

    /** Signed by that authority. */
    public Made signedBy(Made issuer) {
        return made(issuer);
    }

    private Made made(@Nullable Made issuer) {
        try {
            KeyPair pair = pair();
            PrivateKey signer = issuer == null ? pair.getPrivate() : issuer.key();
            byte[] subject = name();
            byte[] by =
                    issuer == null
                            ? subject
                            : issuer.certificate().getSubjectX500Principal().getEncoded();
            byte[] algorithm = algorithm(signer);
            byte[] body =
                    DerWriter.of(
                            DerWriter.SEQUENCE,
                            DerWriter.explicit(0, DerWriter.integer(2)),
                            DerWriter.integer(new BigInteger(127, RANDOM).setBit(0)),
                            algorithm,
                            by,
                            DerWriter.of(DerWriter.SEQUENCE, time(notBefore), time(notAfter)),
                            subject,
                            pair.getPublic().getEncoded(),
                            DerWriter.explicit(3, extensions()));
            Signature signature =
                    Signature.getInstance(ec(signer) ? "SHA256withECDSA" : "SHA256withRSA");
            signature.initSign(signer);
            signature.update(body);
            byte[] whole =
                    DerWriter.of(
                            DerWriter.SEQUENCE, body, algorithm, DerWriter.bits(signature.sign()));
            return new Made(parse(whole), pair.getPrivate());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK can make no certificate", e);
        }
    }

    private static X509Certificate parse(byte[] der) throws GeneralSecurityException {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(der));
    }

    private KeyPair pair() throws GeneralSecurityException {
        if (rsaBits > 0) {
            KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
            rsa.initialize(rsaBits);
            return rsa.generateKeyPair();
        }
        KeyPairGenerator ec = KeyPairGenerator.getInstance("EC");
        ec.initialize(new ECGenParameterSpec("secp256r1"));
        return ec.generateKeyPair();
    }

    private static boolean ec(PrivateKey key) {
        return key.getAlgorithm().equals("EC");
    }

    private static byte[] algorithm(PrivateKey signer) {
        return ec(signer)
                ? DerWriter.of(DerWriter.SEQUENCE, DerWriter.oid("1.2.840.10045.4.3.2"))
                : DerWriter.of(
                        DerWriter.SEQUENCE,
                        DerWriter.oid("1.2.840.113549.1.1.11"),
                        DerWriter.of(DerWriter.NULL));
    }

    private byte[] name() {
        String first = names.getFirst();
        String common = first.length() > LONGEST_CN ? first.substring(0, LONGEST_CN) : first;
        return DerWriter.of(
                DerWriter.SEQUENCE,
                DerWriter.of(
                        DerWriter.SET,
                        DerWriter.of(
                                DerWriter.SEQUENCE,
                                DerWriter.oid("2.5.4.3"),
                                DerWriter.text(DerWriter.UTF8, common))));
    }

    /** RFC 5280 4.1.2.5: two digits for the year until 2049, four from then on. */
    private static byte[] time(Instant at) {
        return at.isAfter(LAST_OF_UTC_TIME)
                ? DerWriter.text(DerWriter.GENERALIZED_TIME, GENERALIZED.format(at))
                : DerWriter.text(DerWriter.UTC_TIME, UTC.format(at));
    }

    private byte[] extensions() {
        List<byte[]> all = new ArrayList<>();
        all.add(extension("2.5.29.17", false, alternatives()));
        if (authority) {
            all.add(extension("2.5.29.19", true, DerWriter.of(DerWriter.SEQUENCE, TRUE)));
            // keyCertSign and cRLSign
            all.add(
                    extension(
                            "2.5.29.15",
                            true,
                            DerWriter.of(DerWriter.BIT_STRING, new byte[] {1, 6})));
        } else {
            // digitalSignature; RSA besides keyEncipherment, for the oldest cipher suites
            byte[] usage = {(byte) (rsaBits > 0 ? 5 : 7), (byte) (rsaBits > 0 ? 0xa0 : 0x80)};
            all.add(extension("2.5.29.15", true, DerWriter.of(DerWriter.BIT_STRING, usage)));
            // A SIP server is a client, too.
            all.add(
                    extension(
                            "2.5.29.37",
                            false,
                            DerWriter.of(
                                    DerWriter.SEQUENCE,
                                    DerWriter.oid("1.3.6.1.5.5.7.3.1"),
                                    DerWriter.oid("1.3.6.1.5.5.7.3.2"))));
        }
        return DerWriter.of(DerWriter.SEQUENCE, all.toArray(new byte[0][]));
    }

    private static byte[] extension(String oid, boolean critical, byte[] value) {
        byte[] wrapped = DerWriter.of(DerWriter.OCTET_STRING, value);
        return critical
                ? DerWriter.of(DerWriter.SEQUENCE, DerWriter.oid(oid), TRUE, wrapped)
                : DerWriter.of(DerWriter.SEQUENCE, DerWriter.oid(oid), wrapped);
    }

    /** RFC 5280 4.2.1.6: DNS name 2, URI 6, address 7. */
    private byte[] alternatives() {
        List<byte[]> all = new ArrayList<>();
        for (String name : names) {
            InetAddress literal = literal(name);
            if (literal != null) {
                all.add(DerWriter.of(0x87, literal.getAddress()));
            } else {
                all.add(DerWriter.of(0x82, name.getBytes(StandardCharsets.US_ASCII)));
                if (name.indexOf('*') < 0) {
                    all.add(
                            DerWriter.of(
                                    0x86, ("sip:" + name).getBytes(StandardCharsets.US_ASCII)));
                }
            }
        }
        return DerWriter.of(DerWriter.SEQUENCE, all.toArray(new byte[0][]));
    }

    private static @Nullable InetAddress literal(String name) {
        try {
            return InetAddress.ofLiteral(name);
        } catch (IllegalArgumentException e) {
            return null; // a name
        }
    }
}
