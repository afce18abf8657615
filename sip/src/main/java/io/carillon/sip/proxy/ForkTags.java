package io.carillon.sip.proxy;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;

/**
 * The To tags of one forwarded request by which more was heard of than its targets: behind one of
 * them it was forked again. Each tag is a dialog (RFC 3261 12.1.2), which costs room here, and who
 * answers can make up as many as he likes; so there is a limit for all targets together. The first
 * tag of a target counts for nothing: how many targets there are is our own choice.
 *
 * <p>Owner: the shard's thread. Bound: the limit, and one.
 */
final class ForkTags {
    private static final int MOST_TEXT = 64;

    private final Set<String> tags = new HashSet<>();

    /**
     * Is there room for the dialog of that tag? One that was admitted before stays so.
     *
     * @param success a 2xx: it gets one place more than what rings, else the tags of those who only
     *     ring could take the place of who answers
     */
    boolean admits(String toTag, boolean success, int most) {
        String tag = kept(toTag);
        if (tags.contains(tag)) {
            return true;
        }
        if (tags.size() - (success ? 1 : 0) >= most) {
            return false;
        }
        tags.add(tag);
        return true;
    }

    /** Who answers makes it as long as he likes: of a long one there is its hash in its place. */
    private static String kept(String tag) {
        if (tag.length() <= MOST_TEXT) {
            return tag;
        }
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(tag.getBytes(StandardCharsets.ISO_8859_1));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
