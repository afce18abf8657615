package io.carillon.web;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.crypto.password.Pbkdf2PasswordEncoder;

/**
 * The passwords of the accounts, in the forms of Spring Security: the name of an encoding in braces
 * and what it gave. Whether a user exists makes no difference to the work. Immutable; any thread.
 */
final class Passwords {
    private static final Logger LOG = LoggerFactory.getLogger(Passwords.class);
    private static final int LONGEST = 200;
    private static final int USUAL_COST = 10;

    private static final String BCRYPT = "bcrypt";
    private static final String PBKDF2 = "pbkdf2@SpringSecurity_v5_8";
    private static final String PLAIN = "noop";

    /** The encodings, and what a text of each looks like; group 1 is the cost. */
    private static final Map<String, Pattern> FORMS =
            new TreeMap<>(
                    Map.of(
                            BCRYPT,
                            Pattern.compile("\\$2[aby]?\\$([0-9]{2})\\$[./0-9A-Za-z]{53}"),
                            PBKDF2,
                            Pattern.compile("(?:[0-9a-f]{2}){32,}()"),
                            PLAIN,
                            Pattern.compile(".+()")));

    private static final Pattern ENCODED = Pattern.compile("\\{([^}]*)\\}(.*)");

    private static final PasswordEncoder ENCODER = encoder(USUAL_COST);

    private final Map<String, String> byUser = new HashMap<>();

    /** Nobody's, as dear to compare with as the dearest of the accounts'. */
    private final String nobodys;

    /**
     * @throws IllegalArgumentException naming the account whose password is in none of the forms
     */
    Passwords(Map<String, WebProperties.Account> accounts) {
        List<String> plain = new ArrayList<>();
        String dearest = PLAIN;
        int cost = 0;
        for (Map.Entry<String, WebProperties.Account> one : accounts.entrySet()) {
            String encoded = one.getValue().password();
            Matcher form = form(one.getKey(), encoded);
            String encoding = encoding(encoded);
            byUser.put(one.getKey(), encoded);
            switch (encoding) {
                case BCRYPT -> {
                    cost = Math.max(cost, Integer.parseInt(form.group(1)));
                    dearest = BCRYPT;
                }
                case PBKDF2 -> dearest = dearest.equals(BCRYPT) ? BCRYPT : PBKDF2;
                default -> plain.add(one.getKey());
            }
        }
        nobodys =
                switch (dearest) {
                    case BCRYPT -> String.valueOf(encoder(cost).encode("nobody"));
                    case PBKDF2 -> "{" + PBKDF2 + "}" + pbkdf2().encode("nobody");
                    default -> "{" + PLAIN + "}nobody";
                };
        if (!plain.isEmpty()) {
            LOG.warn(
                    "The passwords of {} stand in the configuration as they are ({noop}): whoever"
                            + " reads it knows them. docs/guides/web-blocks.md says how to encode them",
                    plain);
        }
    }

    private static Matcher form(String user, @Nullable String encoded) {
        Pattern form = encoded == null ? null : FORMS.get(encoding(encoded));
        if (encoded != null && form != null) {
            Matcher matcher = form.matcher(encoded.substring(encoded.indexOf('}') + 1));
            if (matcher.matches()) {
                return matcher;
            }
        }
        // Not the text itself: it may be a password.
        throw new IllegalArgumentException(
                "carillon.web.accounts."
                        + user
                        + ".password is not in the form {bcrypt}... of an encoded password; known"
                        + " are "
                        + FORMS.keySet()
                        + ", where {noop} stands before a password as it is (docs/guides/web-blocks.md"
                        + " says how to encode one)");
    }

    private static String encoding(String encoded) {
        Matcher parts = ENCODED.matcher(encoded);
        return parts.matches() ? parts.group(1) : "";
    }

    private static PasswordEncoder encoder(int cost) {
        return new DelegatingPasswordEncoder(
                BCRYPT,
                Map.of(
                        BCRYPT,
                        new BCryptPasswordEncoder(cost),
                        PBKDF2,
                        pbkdf2(),
                        PLAIN,
                        new AsItIs()));
    }

    private static PasswordEncoder pbkdf2() {
        return Pbkdf2PasswordEncoder.defaultsForSpringSecurity_v5_8();
    }

    /** A password, encoded as the configuration wants it. */
    static String encode(CharSequence password) {
        return String.valueOf(ENCODER.encode(password));
    }

    /** Is it the user's password? For a user who does not exist it is not, after the same work. */
    boolean match(String user, String given) {
        String encoded = byUser.get(user);
        String tried = given.length() > LONGEST ? "" : given;
        boolean right = ENCODER.matches(tried, encoded == null ? nobodys : encoded);
        if (encoded != null && encoding(encoded).equals(PLAIN)) {
            // Cheap to compare, as the others are not; what this one says is of no interest.
            var _ = ENCODER.matches(tried, nobodys);
        }
        return encoded != null && right;
    }

    /** Under {@code noop}. */
    private static final class AsItIs implements PasswordEncoder {
        @Override
        public String encode(@Nullable CharSequence password) {
            return String.valueOf(password);
        }

        @Override
        public boolean matches(@Nullable CharSequence given, @Nullable String expected) {
            if (given == null || expected == null) {
                return false;
            }
            return MessageDigest.isEqual(
                    expected.getBytes(StandardCharsets.UTF_8),
                    given.toString().getBytes(StandardCharsets.UTF_8));
        }
    }
}
