package io.carillon.grid.link;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import javax.security.auth.x500.X500Principal;

/**
 * A key pair that a node makes at its start, and a certificate whose common name is the mark of the
 * cluster's key over the public key. So the key proves a node, and no certificate has to be made,
 * copied or renewed.
 *
 * @param key of this process alone
 * @param certificate signed by the key itself (X.509, RFC 5280)
 */
record LinkCertificate(PrivateKey key, X509Certificate certificate) {
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int UTF8 = 0x0c;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int VERSION = 0xa0;

    /** 1.2.840.10045.4.3.2, ecdsa-with-SHA256 (RFC 5758 3.2). */
    private static final byte[] ECDSA_SHA256 = {
        0x06, 0x08, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x04, 0x03, 0x02
    };

    /** 2.5.4.3, common name. */
    private static final byte[] COMMON_NAME = {0x06, 0x03, 0x55, 0x04, 0x03};

    private static final String NAME_BEGINS = "CN=";

    /** Makes one for this process. */
    static LinkCertificate make(ClusterKey cluster) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair pair = generator.generateKeyPair();
        byte[] subject = pair.getPublic().getEncoded();
        byte[] name =
                der(
                        SEQUENCE,
                        der(SET, der(SEQUENCE, COMMON_NAME, text(UTF8, cluster.mark(subject)))));
        byte[] algorithm = der(SEQUENCE, ECDSA_SHA256);
        // RFC 5280 4.1.2.5: 99991231235959Z says that there is no well-defined end.
        byte[] validity =
                der(
                        SEQUENCE,
                        text(GENERALIZED_TIME, "20000101000000Z"),
                        text(GENERALIZED_TIME, "99991231235959Z"));
        byte[] body =
                der(
                        SEQUENCE,
                        der(VERSION, der(INTEGER, new byte[] {2})),
                        der(INTEGER, new byte[] {1}),
                        algorithm,
                        name,
                        validity,
                        name,
                        subject);
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(pair.getPrivate());
        signature.update(body);
        byte[] whole =
                der(SEQUENCE, body, algorithm, der(BIT_STRING, new byte[1], signature.sign()));
        X509Certificate certificate =
                (X509Certificate)
                        CertificateFactory.getInstance("X.509")
                                .generateCertificate(new ByteArrayInputStream(whole));
        return new LinkCertificate(pair.getPrivate(), certificate);
    }

    /** Was this certificate made by a holder of the key? That it is whole, TLS itself shows. */
    static boolean isOf(ClusterKey cluster, X509Certificate certificate) {
        String name = certificate.getSubjectX500Principal().getName(X500Principal.RFC2253);
        return name.startsWith(NAME_BEGINS)
                && cluster.isMark(
                        name.substring(NAME_BEGINS.length()),
                        certificate.getPublicKey().getEncoded());
    }

    private static byte[] text(int tag, String value) {
        return der(tag, value.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] der(int tag, byte[]... contents) {
        int length = 0;
        for (byte[] part : contents) {
            length += part.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 4);
        out.write(tag);
        if (length >= 0x100) {
            out.write(0x82);
            out.write(length >>> 8);
        } else if (length >= 0x80) {
            out.write(0x81);
        }
        out.write(length);
        for (byte[] part : contents) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
