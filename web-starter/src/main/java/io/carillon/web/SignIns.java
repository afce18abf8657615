package io.carillon.web;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who is signed in: tokens of 256 random bits, kept by their digests. Any thread. Bounded: 100,000
 * sign-ins; wrong passwords are counted for each user there is, and for 1,024 groups of those that
 * are not, so that no flood of names makes room for guesses.
 */
final class SignIns {
    private static final int MOST = 100_000;
    private static final int GROUPS = 1_024;
    private static final int TRIES = 5;
    private static final long WAIT_MILLIS = 60_000;

    private record SignedIn(String user, long untilMillis) {}

    private record Wrong(int tries, long untilMillis) {}

    private final Map<String, WebProperties.Account> accounts;
    private final Duration life;
    private final LongSupplier millis;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, SignedIn> byDigest = new ConcurrentHashMap<>();
    private final Map<String, Wrong> wrong = new ConcurrentHashMap<>();

    SignIns(Map<String, WebProperties.Account> accounts, Duration life, LongSupplier millis) {
        this.accounts = Map.copyOf(accounts);
        this.life = life;
        this.millis = millis;
    }

    /**
     * A token for a user who knows his password.
     *
     * @throws ApiProblem 401 or 429
     */
    String signIn(String user, String password) {
        long now = millis.getAsLong();
        String counted = accounts.containsKey(user) ? user : "?" + user.hashCode() % GROUPS;
        Wrong before = wrong.get(counted);
        if (before != null && before.untilMillis > now && before.tries >= TRIES) {
            throw ApiProblem.tooManyTries((before.untilMillis - now + 999) / 1000);
        }
        WebProperties.Account account = accounts.get(user);
        // The same work for a user who does not exist.
        boolean right = matches(account == null ? "" : account.password(), password);
        if (account == null || !right) {
            noteWrong(counted, now);
            throw ApiProblem.wrongPassword();
        }
        wrong.remove(counted);
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        makeRoom(now);
        byDigest.put(digest(token), new SignedIn(user, now + life.toMillis()));
        return token;
    }

    private void noteWrong(String counted, long now) {
        wrong.compute(
                counted,
                (name, entry) ->
                        new Wrong(
                                entry == null || entry.untilMillis <= now ? 1 : entry.tries + 1,
                                now + WAIT_MILLIS));
    }

    private void makeRoom(long now) {
        if (byDigest.size() >= MOST) {
            byDigest.values().removeIf(entry -> entry.untilMillis <= now);
            Iterator<String> oldest = byDigest.keySet().iterator();
            while (byDigest.size() >= MOST && oldest.hasNext()) {
                oldest.next();
                oldest.remove();
            }
        }
    }

    /** The user of a token, or null. */
    @Nullable String user(@Nullable String token) {
        if (token == null || token.length() > 100) {
            return null;
        }
        SignedIn found = byDigest.get(digest(token));
        return found != null && found.untilMillis > millis.getAsLong() ? found.user : null;
    }

    void signOut(String token) {
        byDigest.remove(digest(token));
    }

    private static boolean matches(String expected, String given) {
        String prefix = "sha256:";
        byte[] wanted =
                HexFormat.of()
                        .parseHex(
                                expected.startsWith(prefix)
                                        ? expected.substring(prefix.length())
                                        : digest(expected));
        return MessageDigest.isEqual(wanted, HexFormat.of().parseHex(digest(given)));
    }

    private static String digest(String text) {
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
