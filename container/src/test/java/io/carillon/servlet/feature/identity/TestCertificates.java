package io.carillon.servlet.feature.identity;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Certificates for tests, written by hand: the JDK reads them, but has nothing to make them. */
public final class TestCertificates {
    private static final byte[] ECDSA_SHA256 =
            sequence(oid(0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02));
    private static int serial = 1;

    private TestCertificates() {}

    public static KeyPair keys(String curve) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(curve));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    public static KeyPair keys() {
        return keys("secp256r1");
    }

    /**
     * @param years from and to, as 2020 and 2049
     * @param issuer null: self-signed
     * @param domain a DNS name; null without
     * @param numbers value of the TNAuthList extension; null without
     */
    public static X509Certificate certificate(
            String name,
            KeyPair keys,
            int[] years,
            @Nullable String issuer,
            PrivateKey by,
            boolean authority,
            @Nullable String domain,
            byte @Nullable [] numbers) {
        ByteArrayOutputStream extensions = new ByteArrayOutputStream();
        add(
                extensions,
                extension(
                        oid(0x55, 0x1D, 0x13),
                        authority ? sequence(tlv(0x01, new byte[] {-1})) : sequence()));
        if (domain != null) {
            byte[] dns = tlv(0x82, domain.getBytes(StandardCharsets.US_ASCII));
            add(extensions, extension(oid(0x55, 0x1D, 0x11), sequence(dns)));
        }
        if (numbers != null) {
            add(extensions, extension(oid(0x2B, 6, 1, 5, 5, 7, 1, 26), sequence(numbers)));
        }
        byte[] body =
                sequence(
                        tlv(0xA0, integer(2)),
                        integer(serial++),
                        ECDSA_SHA256,
                        name(issuer == null ? name : issuer),
                        sequence(time(years[0]), time(years[1])),
                        name(name),
                        keys.getPublic().getEncoded(),
                        tlv(0xA3, sequence(extensions.toByteArray())));
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(by);
            signature.update(body);
            byte[] signed = signature.sign();
            byte[] bits = new byte[signed.length + 1];
            System.arraycopy(signed, 0, bits, 1, signed.length);
            byte[] der = sequence(body, ECDSA_SHA256, tlv(0x03, bits));
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(der));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A self-signed one for a domain. */
    public static X509Certificate of(KeyPair keys, @Nullable String domain) {
        return certificate(
                "test", keys, new int[] {2020, 2049}, null, keys.getPrivate(), false, domain, null);
    }

    /** TNAuthList entries. */
    public static byte[] provider(String code) {
        return tlv(0xA0, tlv(0x16, code.getBytes(StandardCharsets.US_ASCII)));
    }

    public static byte[] range(String start, int count) {
        return tlv(
                0xA1,
                sequence(tlv(0x16, start.getBytes(StandardCharsets.US_ASCII)), integer(count)));
    }

    public static byte[] one(String number) {
        return tlv(0xA2, tlv(0x16, number.getBytes(StandardCharsets.US_ASCII)));
    }

    public static String pem(X509Certificate... chain) {
        StringBuilder text = new StringBuilder();
        try {
            for (X509Certificate one : chain) {
                text.append("-----BEGIN CERTIFICATE-----\n")
                        .append(
                                Base64.getMimeEncoder(64, new byte[] {'\n'})
                                        .encodeToString(one.getEncoded()))
                        .append("\n-----END CERTIFICATE-----\n");
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        return text.toString();
    }

    private static byte[] extension(byte[] id, byte[] value) {
        return sequence(id, tlv(0x04, value));
    }

    private static byte[] name(String common) {
        byte[] text = tlv(0x0C, common.getBytes(StandardCharsets.UTF_8));
        return sequence(tlv(0x31, sequence(oid(0x55, 4, 3), text)));
    }

    private static byte[] time(int year) {
        return tlv(0x18, (year + "0101000000Z").getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] integer(int value) {
        return tlv(0x02, BigInteger.valueOf(value).toByteArray());
    }

    private static byte[] oid(int... bytes) {
        byte[] value = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            value[i] = (byte) bytes[i];
        }
        return tlv(0x06, value);
    }

    private static byte[] sequence(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            add(all, part);
        }
        return tlv(0x30, all.toByteArray());
    }

    private static byte[] tlv(int tag, byte[] value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (value.length >= 256) {
            out.write(0x82);
            out.write(value.length >> 8);
        } else if (value.length >= 128) {
            out.write(0x81);
        }
        out.write(value.length);
        add(out, value);
        return out.toByteArray();
    }

    private static void add(ByteArrayOutputStream out, byte[] bytes) {
        out.write(bytes, 0, bytes.length);
    }
}
