package io.carillon.web;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who is signed in: tokens of 256 random bits, kept by their digests. Any thread. Bounded: 100,000
 * sign-ins.
 *
 * <p>Who guesses waits, by source and by account, and a user who exists is no exception: names that
 * are none wait alike. A source from which a user has signed in before is counted by itself, so
 * nobody elsewhere can keep him out.
 */
final class SignIns {
    private static final int MOST = 100_000;
    private static final int LONGEST_NAME = 100;
    private static final long MINUTE = 60_000;

    private record SignedIn(String user, long untilMillis) {}

    private final Passwords passwords;
    private final Duration life;
    private final LongSupplier millis;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, SignedIn> byDigest = new ConcurrentHashMap<>();

    private final Waits sources = new Waits(10, 5 * MINUTE, 15 * MINUTE, MOST);
    private final Waits accounts = new Waits(10, MINUTE / 2, 5 * MINUTE, MOST);
    private final Waits usual = new Waits(5, MINUTE, 5 * MINUTE, MOST);

    /** Users with a source from which they have signed in; the least recent goes for a new one. */
    private final Set<String> usualPlaces =
            Collections.synchronizedSet(
                    Collections.newSetFromMap(
                            new LinkedHashMap<>(16, 0.75f, true) {
                                private static final long serialVersionUID = 1L;

                                @Override
                                protected boolean removeEldestEntry(
                                        Map.Entry<String, Boolean> eldest) {
                                    return size() > MOST;
                                }
                            }));

    private final Comparisons comparisons = new Comparisons();
    private final LongAdder refused = new LongAdder();

    SignIns(Passwords passwords, Duration life, LongSupplier millis) {
        this.passwords = passwords;
        this.life = life;
        this.millis = millis;
    }

    /**
     * A token for a user who knows his password.
     *
     * @param address from which it is asked
     * @throws ApiProblem 401, 429 to who has to wait, or 503 where too many sign in at once
     */
    String signIn(String user, String password, String address) {
        long now = millis.getAsLong();
        String source = source(address);
        String name = user.length() > LONGEST_NAME ? user.substring(0, LONGEST_NAME) : user;
        String place = source + ' ' + name;
        boolean isUsual = usualPlaces.contains(place);
        long wait =
                isUsual
                        ? usual.left(place, now)
                        : Math.max(sources.left(source, now), accounts.left(name, now));
        if (wait > 0) {
            refused.increment();
            throw ApiProblem.tooManyTries((wait + 999) / 1000);
        }
        if (!compare(user, password, source, isUsual)) {
            if (isUsual) {
                usual.wrong(place, now);
            } else {
                sources.wrong(source, now);
                accounts.wrong(name, now);
            }
            throw ApiProblem.wrongPassword();
        }
        // Not the source's other tries: a sign-in of one's own would buy guesses at others.
        usual.right(place);
        usualPlaces.add(place);
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        makeRoom(now);
        byDigest.put(digest(token), new SignedIn(user, now + life.toMillis()));
        return token;
    }

    private boolean compare(String user, String password, String source, boolean isUsual) {
        Boolean right =
                comparisons.of(
                        new Comparisons.Asker(source, isUsual),
                        () -> passwords.match(user, password));
        if (right == null) {
            refused.increment();
            throw ApiProblem.manySignIns();
        }
        return right;
    }

    /** An IPv4 address, or the first 64 bits of an IPv6 address: whoever has one has them all. */
    private static String source(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        try {
            byte[] all = InetAddress.ofLiteral(address).getAddress();
            return HexFormat.of().formatHex(all, 0, Math.min(8, all.length));
        } catch (IllegalArgumentException e) {
            return address;
        }
    }

    /** Tries that were refused without a look at the password. */
    long refused() {
        return refused.sum();
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

    /** Whether that sign-in still lives, asked again and again: it ends, or its user ends it. */
    BooleanSupplier lives(@Nullable String token) {
        String key = token == null ? "" : digest(token);
        return () -> {
            SignedIn found = byDigest.get(key);
            return found != null && found.untilMillis > millis.getAsLong();
        };
    }

    void signOut(String token) {
        byDigest.remove(digest(token));
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
