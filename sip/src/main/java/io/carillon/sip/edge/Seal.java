package io.carillon.sip.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Makes tokens that only holders of the key can read or make, and the same token of the same text
 * each time: a Call-ID has to stay the same for a whole dialog, and a repeated message has to be
 * the same bytes. That rules a random nonce out, so the nonce is a code of the text itself, as in
 * RFC 5297: HMAC-SHA-256 of the text, cut to 128 bits, is both the check and the nonce of AES in
 * counter mode. Equal texts show as equal tokens, and nothing else shows but their length.
 *
 * <p>Owner: one thread.
 */
public final class Seal {
    /** Bytes that a token holds beside the text. */
    static final int CHECK_BYTES = 16;

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder DECODER = Base64.getUrlDecoder();

    private static final class Key {
        final Mac mac;
        final Mac macWith;
        final SecretKeySpec cipher;

        Key(byte[] secret) throws GeneralSecurityException {
            mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(derived(secret, "check", 32), "HmacSHA256"));
            macWith = Mac.getInstance("HmacSHA256");
            macWith.init(new SecretKeySpec(derived(secret, "check with", 32), "HmacSHA256"));
            cipher = new SecretKeySpec(derived(secret, "cipher", 32), "AES");
        }

        /** The code of a text, and of what stands beside it in clear, if anything does. */
        byte[] check(byte[] text, @Nullable String with) {
            if (with == null) {
                return Arrays.copyOf(mac.doFinal(text), CHECK_BYTES);
            }
            byte[] beside = with.getBytes(ISO_8859_1);
            macWith.update(ByteBuffer.allocate(Integer.BYTES).putInt(beside.length).array());
            macWith.update(beside);
            return Arrays.copyOf(macWith.doFinal(text), CHECK_BYTES);
        }
    }

    /** What stands in clear beside a token, and is covered by it; null for nothing. */
    @FunctionalInterface
    interface With {
        @Nullable String of(String text);
    }

    private final List<Key> keys = new ArrayList<>();
    private final Cipher cipher;

    /**
     * @param secrets the first one makes tokens, all read them; at least one, of 16 bytes or more
     */
    public Seal(List<byte[]> secrets) {
        try {
            for (byte[] secret : secrets) {
                if (secret.length < 16) {
                    throw new IllegalArgumentException("a key of " + secret.length + " bytes");
                }
                keys.add(new Key(secret));
            }
            cipher = Cipher.getInstance("AES/CTR/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HMAC-SHA-256 and AES", e);
        }
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("no key");
        }
    }

    /** A number that follows from a secret, for tokens of another kind. */
    public static int number(byte[] secret) {
        return ByteBuffer.wrap(derived(secret, "number", Integer.BYTES)).getInt();
    }

    /**
     * A key for another purpose that follows from a secret.
     *
     * @param purpose tells it from keys for others
     */
    public static byte[] derived(byte[] secret, String purpose, int bytes) {
        try {
            Mac derive = Mac.getInstance("HmacSHA256");
            derive.init(new SecretKeySpec(secret, "HmacSHA256"));
            ByteBuffer key = ByteBuffer.allocate(bytes);
            for (int i = 0; key.hasRemaining(); i++) {
                byte[] part =
                        derive.doFinal(("carillon edge: " + purpose + i).getBytes(ISO_8859_1));
                key.put(part, 0, Math.min(part.length, key.remaining()));
            }
            return key.array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HMAC-SHA-256", e);
        }
    }

    /** So many characters a token of a text of so many has. */
    static int length(int text) {
        return (4 * (CHECK_BYTES + text) + 2) / 3;
    }

    /** The longest text whose token has at most so many characters; negative when none has. */
    static int room(int characters) {
        return 3 * characters / 4 - CHECK_BYTES;
    }

    /** The token of a text; letters, digits, hyphen and underscore. */
    String close(String text) {
        return close(text, null);
    }

    /**
     * The same for a text that counts only beside another one.
     *
     * @param with stands in clear beside the token; null for none
     */
    String close(String text, @Nullable String with) {
        Key key = keys.getFirst();
        byte[] plain = text.getBytes(ISO_8859_1);
        byte[] check = key.check(plain, with);
        byte[] token = Arrays.copyOf(check, CHECK_BYTES + plain.length);
        byte[] hidden = crypt(key, check, plain, 0, plain.length);
        System.arraycopy(hidden, 0, token, CHECK_BYTES, hidden.length);
        return ENCODER.encodeToString(token);
    }

    /**
     * The text of a token; null when none of the keys has made it. Every key is tried, and checks
     * are compared in constant time: how long it takes tells nothing about what was wrong.
     */
    @Nullable String open(String token) {
        return open(token, text -> null);
    }

    /**
     * @param with says what has to stand beside a token with that text, if it is one of ours
     */
    @Nullable String open(String token, With with) {
        byte[] bytes;
        try {
            bytes = DECODER.decode(token);
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
        if (bytes.length <= CHECK_BYTES) {
            return null;
        }
        String found = null;
        byte[] check = Arrays.copyOf(bytes, CHECK_BYTES);
        for (Key key : keys) {
            byte[] plain = crypt(key, check, bytes, CHECK_BYTES, bytes.length - CHECK_BYTES);
            String text = new String(plain, ISO_8859_1);
            if (MessageDigest.isEqual(key.check(plain, with.of(text)), check)) {
                found = text;
            }
        }
        return found;
    }

    private byte[] crypt(Key key, byte[] nonce, byte[] b, int from, int length) {
        try {
            cipher.init(Cipher.ENCRYPT_MODE, key.cipher, new IvParameterSpec(nonce));
            return cipher.doFinal(b, from, length);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES in counter mode takes every text", e);
        }
    }
}
