package io.carillon.servlet.kernel;

import io.carillon.sip.hop.TlsPeer;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a message tells of its TLS connection, under the names that the servlet specifications give
 * it: Java Servlet 4.0 section 3.10 for HTTPS, which JSR 289 takes over for SIPS.
 */
final class TlsAttributes {
    private static final String PREFIX = "javax.servlet.request.";
    private static final String CERTIFICATES = PREFIX + "X509Certificate";
    private static final String CIPHER_SUITE = PREFIX + "cipher_suite";
    private static final String KEY_SIZE = PREFIX + "key_size";
    private static final int[] KEY_SIZES = {256, 128};

    private TlsAttributes() {}

    /** Null where there is no such attribute. */
    static @Nullable Object get(@Nullable TlsPeer peer, String name) {
        if (peer == null || !name.startsWith(PREFIX)) {
            return null;
        }
        return switch (name) {
            case CERTIFICATES ->
                    peer.certificates().isEmpty()
                            ? null
                            : peer.certificates().toArray(new X509Certificate[0]);
            case CIPHER_SUITE -> peer.cipherSuite();
            case KEY_SIZE -> keySize(peer.cipherSuite());
            default -> null;
        };
    }

    /** Bits of the key that enciphers, which stand in the suite's name. */
    private static int keySize(String cipherSuite) {
        for (int bits : KEY_SIZES) {
            if (cipherSuite.contains(Integer.toString(bits) + "_")) {
                return bits;
            }
        }
        return KEY_SIZES[0]; // ChaCha20
    }

    static List<String> names(@Nullable TlsPeer peer) {
        if (peer == null) {
            return List.of();
        }
        return peer.certificates().isEmpty()
                ? List.of(CIPHER_SUITE, KEY_SIZE)
                : List.of(CERTIFICATES, CIPHER_SUITE, KEY_SIZE);
    }
}
