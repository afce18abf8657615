package io.carillon.servlet.port;

import io.carillon.sip.shard.Shard;
import io.carillon.sip.token.RandomSource;
import io.carillon.sip.token.ShardToken;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.servlet.sip.URI;
import org.jspecify.annotations.Nullable;

/**
 * The id of an application session as it stands in a URI or URL (SIP Servlet 1.1, 15.11.3 and
 * {@code encodeURL}): behind it a seal that only this container, or its cluster, can make. Ids are
 * names, not secrets (that of a keyed session is its key), so without the seal a stranger could
 * write himself into a session. Any thread.
 */
public final class SessionTokens {
    /** The parameter of URIs and URLs that carries the token. */
    public static final String PARAMETER = "io.carillon.appsession";

    /** The parameter of URLs beside it that carries a token of the session's partition. */
    public static final String PLACE = "io.carillon.place";

    private static final String ALGORITHM = "HmacSHA256";
    private static final int SEAL_DIGITS = 26;

    /** The first one seals, all open. */
    private volatile List<SecretKeySpec> secrets;

    public SessionTokens(RandomSource random) {
        ByteBuffer bytes = ByteBuffer.allocate(32);
        while (bytes.hasRemaining()) {
            bytes.putLong(random.nextLong());
        }
        secrets = List.of(new SecretKeySpec(bytes.array(), ALGORITHM));
    }

    /**
     * The secrets that all nodes of a cluster have, so that each knows the tokens of the others.
     * Before the first message.
     *
     * @param shared the first one seals; the others are those before, or the next
     */
    public void share(List<byte[]> shared) {
        secrets = shared.stream().map(secret -> new SecretKeySpec(secret, ALGORITHM)).toList();
    }

    /** The token of the application session with that id. */
    public String token(String id) {
        return id + '.' + seal(secrets.getFirst(), id);
    }

    /**
     * Writes the token into the URI ({@code encodeURI}).
     *
     * @throws IllegalArgumentException when it is neither SIP nor SIPS
     */
    public void encode(URI uri, String id) {
        if (!uri.isSipURI()) {
            throw new IllegalArgumentException(
                    "only a SIP or SIPS URI can carry a session: " + uri);
        }
        uri.setParameter(PARAMETER, token(id));
    }

    /**
     * As {@link #encode(URI, String)}; in a cluster with the session's partition beside, so that a
     * request to the URI comes to it.
     *
     * @param partition -1 without a cluster
     */
    public void encode(URI uri, String id, Shard home, int partition) {
        encode(uri, id);
        if (partition >= 0) {
            uri.setParameter(ShardToken.ROUTE_PARAM, home.tokens().uri(partition));
        }
    }

    /**
     * A token of the session's partition; null without a cluster.
     *
     * @param partition -1 without a cluster
     */
    public static @Nullable String place(Shard home, int partition) {
        return partition < 0 || home.config().tokens().cluster() == null
                ? null
                : home.tokens().uri(partition);
    }

    /** The id in a token that this container made; null for any other text. */
    public @Nullable String id(String token) {
        int dot = token.lastIndexOf('.');
        if (dot <= 0) {
            return null;
        }
        String id = token.substring(0, dot);
        byte[] given = token.substring(dot + 1).getBytes(StandardCharsets.UTF_8);
        for (SecretKeySpec secret : secrets) {
            byte[] right = seal(secret, id).getBytes(StandardCharsets.UTF_8);
            if (MessageDigest.isEqual(given, right)) {
                return id;
            }
        }
        return null;
    }

    /**
     * 104 bits in hexadecimal: RFC 3261 19.1.4 compares parameter values without regard to case.
     */
    private static String seal(SecretKeySpec secret, String id) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            byte[] full = mac.doFinal(id.getBytes(StandardCharsets.UTF_8));
            return java.util.HexFormat.of().formatHex(full).substring(0, SEAL_DIGITS);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }
}
