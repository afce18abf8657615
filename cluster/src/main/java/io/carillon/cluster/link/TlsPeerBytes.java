package io.carillon.cluster.link;

import io.carillon.sip.hop.TlsPeer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What TLS knows of a client at a router, as it goes beside each of its messages: protocol, cipher
 * suite, the names that were proved, and the certificates that the client has shown. Stateless.
 */
public final class TlsPeerBytes {
    /** The most that goes beside a message, so that a part of it still fits a datagram. */
    static final int MOST_BYTES = 4_000;

    private TlsPeerBytes() {}

    /** In bytes; of a chain that is too long the first certificate alone, or none. */
    public static byte[] of(TlsPeer peer) {
        try {
            List<X509Certificate> chain = peer.certificates();
            byte[] bytes = of(peer, chain);
            if (bytes.length > MOST_BYTES && chain.size() > 1) {
                bytes = of(peer, chain.subList(0, 1));
            }
            return bytes.length > MOST_BYTES ? of(peer, List.of()) : bytes;
        } catch (IOException | CertificateException e) {
            throw new IllegalStateException("certificates of a connection", e);
        }
    }

    private static byte[] of(TlsPeer peer, List<X509Certificate> chain)
            throws IOException, CertificateException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeUTF(peer.protocol());
        out.writeUTF(peer.cipherSuite());
        List<String> names = peer.identities();
        int most = Math.min(names.size(), 16);
        out.writeByte(most);
        for (String name : names.subList(0, most)) {
            out.writeUTF(name);
        }
        out.writeByte(chain.size());
        for (X509Certificate each : chain) {
            byte[] encoded = each.getEncoded();
            out.writeShort(encoded.length);
            out.write(encoded);
        }
        return bytes.toByteArray();
    }

    /** Null when they make no sense. */
    public static @Nullable TlsPeer read(byte[] bytes) {
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            String protocol = in.readUTF();
            String cipherSuite = in.readUTF();
            List<String> names = new ArrayList<>();
            for (int i = in.readUnsignedByte(); i > 0; i--) {
                names.add(in.readUTF());
            }
            List<X509Certificate> chain = new ArrayList<>();
            for (int i = in.readUnsignedByte(); i > 0; i--) {
                byte[] encoded = new byte[in.readUnsignedShort()];
                in.readFully(encoded);
                chain.add(
                        (X509Certificate)
                                CertificateFactory.getInstance("X.509")
                                        .generateCertificate(new ByteArrayInputStream(encoded)));
            }
            return new TlsPeer(protocol, cipherSuite, chain, names);
        } catch (IOException | CertificateException e) {
            return null;
        }
    }
}
