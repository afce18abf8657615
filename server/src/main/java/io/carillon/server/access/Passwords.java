package io.carillon.server.access;

import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.crypto.password.Pbkdf2PasswordEncoder;

/**
 * Hashes of passwords, in the form of Spring Security: the name of the encoding in braces, then
 * what it gave. Whether an account exists makes no difference to the work. Any thread; computes for
 * some hundred milliseconds.
 */
final class Passwords {
    private static final String FORM = "{pbkdf2@SpringSecurity_v5_8}";

    private final PasswordEncoder encoder;

    /** Nobody's, made once: as dear to compare with as anybody's. */
    private final String nobodys;

    Passwords() {
        this(Pbkdf2PasswordEncoder.defaultsForSpringSecurity_v5_8());
    }

    /**
     * @param encoder of the form above
     */
    Passwords(PasswordEncoder encoder) {
        this.encoder = encoder;
        this.nobodys = "0".repeat(2 * (16 + 32)); // salt and hash of that encoder, in hex
    }

    String hash(String password) {
        return FORM + encoder.encode(password);
    }

    /**
     * Is it that password?
     *
     * @param hash null where there is no such account
     */
    boolean matches(char[] given, @Nullable String hash) {
        boolean known = hash != null && hash.startsWith(FORM);
        String compared = known && hash != null ? hash.substring(FORM.length()) : nobodys;
        return encoder.matches(new String(given), compared) && known;
    }
}
