package io.carillon.grid.link;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that the nodes of a cluster share. The first one proves this node to others; each is
 * accepted from others, so that it can be changed on one node after the other. Any thread.
 */
public final class ClusterKey {
    /** What is shorter can be guessed. */
    public static final int LEAST_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private final String cluster;
    private final List<SecretKeySpec> keys;

    /**
     * A key.
     *
     * @param cluster name of the cluster: a node of another one is refused, also with the same key
     * @param secrets one or more, the first is this node's own
     */
    public ClusterKey(String cluster, List<byte[]> secrets) {
        if (secrets.isEmpty()) {
            throw new IllegalArgumentException("a cluster has a key");
        }
        for (byte[] secret : secrets) {
            if (secret.length < LEAST_BYTES) {
                throw new IllegalArgumentException(
                        "the key of a cluster has at least " + LEAST_BYTES + " bytes");
            }
        }
        this.cluster = cluster;
        this.keys = secrets.stream().map(bytes -> new SecretKeySpec(bytes, ALGORITHM)).toList();
    }

    /** What only a holder of the key can say about these bytes, as hex. */
    String mark(byte[] bytes) {
        return HexFormat.of().formatHex(mac(keys.getFirst(), bytes));
    }

    /** Was the mark made by a holder of one of the keys? */
    boolean isMark(String mark, byte[] bytes) {
        byte[] given = mark.getBytes(StandardCharsets.US_ASCII);
        boolean found = false;
        for (SecretKeySpec key : keys) {
            byte[] own =
                    HexFormat.of().formatHex(mac(key, bytes)).getBytes(StandardCharsets.US_ASCII);
            found |= MessageDigest.isEqual(own, given);
        }
        return found;
    }

    private byte[] mac(SecretKeySpec key, byte[] bytes) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update("carillon link 1 ".getBytes(StandardCharsets.US_ASCII));
            byte[] name = cluster.getBytes(StandardCharsets.UTF_8);
            mac.update((byte) (name.length >>> 8));
            mac.update((byte) name.length);
            mac.update(name);
            return mac.doFinal(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + ALGORITHM, e);
        }
    }
}
