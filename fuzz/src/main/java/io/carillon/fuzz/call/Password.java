package io.carillon.fuzz.call;

import io.carillon.fuzz.check.Finding;
import io.carillon.fuzz.check.Program;
import io.carillon.servlet.feature.security.UserStore;
import io.carillon.sip.auth.DigestAlgorithm;
import io.carillon.sip.auth.DigestCredentials;
import io.carillon.sip.auth.Qop;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.AuthHeader;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipResponse;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Two users with passwords, and credentials of theirs as a program says: right in all that it does
 * not change. Knows which nonces it was given. Owner: the test's thread.
 */
final class Password {
    static final String REALM = "fuzz";

    /** Has the role that most of the protected requests need; the other one has not. */
    static final String ALICE = "alice";

    static final String BOB = "bob";

    private static final String SECRET = "secret";
    private static final byte[] NO_BODY = {};
    private static final Map<String, UserStore.User> USERS =
            Map.of(ALICE, user(ALICE, "staff"), BOB, user(BOB, "guest"));

    /** Nonces of this input that are young enough, oldest first. */
    private final List<String> nonces = new ArrayList<>();

    private int count;

    /** The values made last, for who has overheard them. */
    private @Nullable Made last;

    /**
     * Credentials.
     *
     * @param value of the header
     * @param user who proves himself; null where they are wrong in something
     * @param use nonce and count: good for one request
     * @param method that they are for
     * @param uri that they are for
     */
    record Made(String value, @Nullable String user, String use, String method, String uri) {
        /**
         * Whom they prove in such a request; null: nobody. In a dialog its tags say what is meant,
         * so that any URI of ours will do there; elsewhere the user has to be the same.
         */
        @Nullable String proves(String inMethod, String inUri, boolean inDialog) {
            boolean same =
                    uri.equals(inUri)
                            || (!uri.endsWith("10.0.0.9")
                                    && (inDialog || userOf(uri).equals(userOf(inUri))));
            return same && method.equals(inMethod) ? user : null;
        }

        private static String userOf(String uri) {
            return uri.substring(0, uri.indexOf('@') + 1);
        }
    }

    private static UserStore.User user(String name, String role) {
        Map<DigestAlgorithm, String> ha1 = new EnumMap<>(DigestAlgorithm.class);
        for (DigestAlgorithm one : DigestAlgorithm.values()) {
            ha1.put(one, one.ha1(name, REALM, SECRET));
        }
        return new UserStore.User(name, ha1, Set.of(role));
    }

    static UserStore store() {
        return (realm, name) -> REALM.equals(realm) ? USERS.get(name) : null;
    }

    void clear() {
        nonces.clear();
        count = 0;
        last = null;
    }

    /** All nonces so far are too old from now on. */
    void expired() {
        nonces.clear();
        last = last == null ? null : new Made(last.value, null, last.use, last.method, last.uri);
    }

    /** Takes the nonce of a challenge. */
    void challenged(SipResponse response) {
        HeaderName name =
                response.status() == 401
                        ? HeaderName.WWW_AUTHENTICATE
                        : HeaderName.PROXY_AUTHENTICATE;
        String value = response.header(name);
        if (value == null) {
            return;
        }
        try {
            String nonce = AuthHeader.parse(value).param("nonce");
            if (nonce != null && !nonces.contains(nonce)) {
                nonces.add(nonce);
            }
        } catch (SipParseException e) {
            throw new Finding("a challenge that cannot be read: " + value);
        }
    }

    /** Whether a message carries credentials of our realm for a challenge of this input. */
    boolean betrayed(SipMessage message) {
        for (HeaderName name : List.of(HeaderName.AUTHORIZATION, HeaderName.PROXY_AUTHORIZATION)) {
            for (String value : message.headers(name)) {
                if (value.contains("realm=\"" + REALM + '"')
                        && nonces.stream().anyMatch(value::contains)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Right ones. */
    Made right(String user, String method, String uri) {
        return made(new Program(new byte[0]), user, method, uri);
    }

    /** What the program makes of them. */
    Made made(Program program, String method, String uri) {
        if (program.next(6) == 5 && last != null) {
            return last;
        }
        return made(program, program.next(ALICE, BOB, ALICE, "carol"), method, uri);
    }

    private Made made(Program program, String user, String method, String uri) {
        boolean known = USERS.containsKey(user) && !nonces.isEmpty();
        String nonce = nonces.isEmpty() ? "none" : nonces.getLast();
        switch (program.next(8)) {
            case 5 -> nonce = nonces.isEmpty() ? nonce : nonces.getFirst();
            case 6 -> {
                nonce = "AAAA" + nonce.substring(Math.min(4, nonce.length()));
                known = false;
            }
            case 7 -> {
                nonce = "made";
                known = false;
            }
            default -> {}
        }
        int nc =
                switch (program.next(8)) {
                    case 5 -> Math.max(1, count);
                    case 6 -> 1;
                    case 7 -> Integer.MAX_VALUE;
                    default -> ++count;
                };
        int other = program.next(16);
        String realm = other == 15 ? "other" : REALM;
        String secret = other == 14 ? "wrong" : SECRET;
        known &= other < 14;
        String forMethod = other == 13 ? "INVITE" : other == 12 ? "OPTIONS" : method;
        String forUri = other == 11 ? "sip:other@10.0.0.9" : other == 10 ? "sip:10.0.0.9" : uri;
        DigestAlgorithm algorithm = other == 9 ? DigestAlgorithm.MD5 : DigestAlgorithm.SHA_256;
        Qop qop = other == 8 ? null : Qop.AUTH;
        String counted = DigestCredentials.nc(nc);
        String response =
                algorithm.response(
                        algorithm.ha1(user, realm, secret),
                        nonce,
                        qop,
                        counted,
                        qop == null ? null : "c0ffee",
                        forMethod,
                        forUri,
                        NO_BODY);
        AuthHeader header =
                AuthHeader.of("Digest")
                        .withQuoted("username", user)
                        .withQuoted("realm", realm)
                        .withQuoted("nonce", nonce)
                        .withQuoted("uri", forUri)
                        .withQuoted("response", response)
                        .withToken("algorithm", algorithm.token());
        if (qop != null) {
            header =
                    header.withToken("qop", qop.token())
                            .withToken("nc", counted)
                            .withQuoted("cnonce", "c0ffee");
        }
        Made made =
                new Made(
                        header.toString(),
                        known ? user : null,
                        nonce + (qop == null ? 1 : nc),
                        forMethod,
                        forUri);
        last = made;
        return made;
    }
}
