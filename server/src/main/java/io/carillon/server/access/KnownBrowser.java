package io.carillon.server.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Marks of browsers that have logged in: a random name with a MAC over it and the account. It opens
 * nothing; it says whose guesses are counted apart ({@link LoginLimits}). The key lives as long as
 * the process. Any thread.
 */
public final class KnownBrowser {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int NAME_BYTES = 12;
    private static final int KEY_BYTES = 32;
    private static final int LONGEST = 200;

    private final SecureRandom random = new SecureRandom();
    private final SecretKeySpec key;

    public KnownBrowser() {
        byte[] bytes = new byte[KEY_BYTES];
        random.nextBytes(bytes);
        this.key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /** A mark for a browser that has logged in to the account. */
    public String mark(String account) {
        byte[] bytes = new byte[NAME_BYTES];
        random.nextBytes(bytes);
        String name = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        return name + "." + mac(name, account);
    }

    /** The name in a mark that is ours and that account's; empty: it is none. */
    public String name(String mark, String account) {
        int dot = mark.indexOf('.');
        if (dot < 1 || mark.length() > LONGEST) {
            return "";
        }
        String name = mark.substring(0, dot);
        boolean ours =
                MessageDigest.isEqual(
                        mac(name, account).getBytes(StandardCharsets.US_ASCII),
                        mark.substring(dot + 1).getBytes(StandardCharsets.US_ASCII));
        return ours ? name : "";
    }

    private String mac(String name, String account) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            byte[] result = mac.doFinal((name + " " + account).getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(result);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }
}
