package io.carillon.cluster.link;

import io.carillon.sip.token.ClusterKeys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What all nodes and routers of a cluster share, and nobody else knows. Each key of the link is
 * derived from it by HMAC-SHA-256 under a label of its own, so that none tells another.
 *
 * <p>Immutable; any thread.
 */
public final class LinkSecret {
    /** Fewest bytes. */
    public static final int LEAST_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final String TOKENS = "carillon tokens 1";
    private static final String CLUSTER = "carillon cluster 1 ";

    private final byte[] secret;

    private LinkSecret(byte[] secret) {
        this.secret = secret;
    }

    /**
     * Of these bytes.
     *
     * @throws IllegalArgumentException when they are fewer than {@link #LEAST_BYTES}
     */
    public static LinkSecret of(byte[] bytes) {
        if (bytes.length < LEAST_BYTES) {
            throw new IllegalArgumentException(
                    "a cluster's key has at least " + LEAST_BYTES + " bytes, not " + bytes.length);
        }
        return new LinkSecret(Arrays.copyOf(bytes, bytes.length));
    }

    /**
     * What follows from it for one cluster: two that were given the same key by mistake, as those
     * of a copied configuration, do not understand each other.
     */
    public LinkSecret of(String cluster) {
        return new LinkSecret(hmac((CLUSTER + cluster).getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Of a line of hexadecimal digits, 64 or more.
     *
     * @throws IllegalArgumentException when it is something else; the message does not tell it
     */
    public static LinkSecret parse(String line) {
        byte[] bytes;
        try {
            bytes = HexFormat.of().parseHex(line.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("a cluster's key is a line of hexadecimal digits");
        }
        return of(bytes);
    }

    /**
     * The keys of a cluster's tokens, of the same secrets: so that one file is all that nodes and
     * routers share.
     *
     * @param secrets the cluster's, one or two: ours, and the one before it while they change
     */
    public static ClusterKeys tokenKeys(List<LinkSecret> secrets) {
        ByteBuffer own = ByteBuffer.wrap(secrets.getFirst().derive(TOKENS));
        ClusterKeys keys = ClusterKeys.of(own.getLong(), own.getLong());
        if (secrets.size() == 1) {
            return keys;
        }
        ByteBuffer other = ByteBuffer.wrap(secrets.get(1).derive(TOKENS));
        return keys.andReads(other.getLong(), other.getLong());
    }

    /** A key of HELLOs from one to another: of its own in each direction. */
    LinkMac hello(int sender, int receiver) {
        return mac("hello", sender, receiver, 0, 0);
    }

    /** A key of the other frames from one to another, for these two processes. */
    LinkMac session(int sender, int receiver, long senderBoot, long receiverBoot) {
        return mac("session", sender, receiver, senderBoot, receiverBoot);
    }

    /** 128 bits for a use outside of this package, under a label. */
    public byte[] derive(String label) {
        return Arrays.copyOf(hmac(label.getBytes(StandardCharsets.UTF_8)), LinkMac.BYTES);
    }

    private LinkMac mac(String label, int sender, int receiver, long senderBoot, long otherBoot) {
        byte[] name = ("carillon link 1 " + label + " ").getBytes(StandardCharsets.US_ASCII);
        ByteBuffer text = ByteBuffer.allocate(name.length + 20);
        text.put(name).putShort((short) sender).putShort((short) receiver);
        text.putLong(senderBoot).putLong(otherBoot);
        return new LinkMac(Arrays.copyOf(hmac(text.array()), LinkMac.BYTES));
    }

    private byte[] hmac(byte[] text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + ALGORITHM, e);
        }
    }
}
