package io.carillon.sip.auth;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.header.AuthHeader;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of one realm: a challenge that was taken, and what answers it again and again
 * with a growing nonce count. Not thread safe; owner: whoever holds the turn.
 */
public final class DigestClient {
    private static final int VERSION = 1;

    private final String realm;
    private final DigestAlgorithm algorithm;
    private final String nonce;
    private final @Nullable String opaque;
    private final @Nullable Qop qop;
    private final boolean algorithmGiven;
    private final String username;
    private final String ha1;
    private int count;

    private DigestClient(
            AuthHeader challenge,
            DigestAlgorithm algorithm,
            @Nullable Qop qop,
            String username,
            String ha1) {
        this.realm = text(challenge, "realm");
        this.nonce = text(challenge, "nonce");
        this.opaque = challenge.param("opaque");
        this.algorithmGiven = challenge.param("algorithm") != null;
        this.algorithm = algorithm;
        this.qop = qop;
        this.username = username;
        this.ha1 = ha1;
    }

    private DigestClient(StateReader in) {
        realm = in.needString();
        nonce = in.needString();
        opaque = in.getString();
        DigestAlgorithm known = DigestAlgorithm.of(in.needString());
        if (known == null) {
            throw new StateFormatException("a digest algorithm");
        }
        algorithm = known;
        algorithmGiven = in.getBoolean();
        String quality = in.getString();
        qop = quality == null ? null : Qop.of(quality);
        username = in.needString();
        ha1 = in.needString();
        count = in.getCount(Integer.MAX_VALUE);
    }

    /** As a value; H(A1) is in it, the password is not. */
    public void write(StateWriter out) {
        int section = out.begin(VERSION);
        out.putString(realm).putString(nonce).putString(opaque).putString(algorithm.token());
        out.putBoolean(algorithmGiven);
        out.putString(qop == null ? null : qop.token());
        out.putString(username).putString(ha1).putVarint(count);
        out.end(section);
    }

    /** What {@link #write} wrote. */
    public static DigestClient read(StateReader in) {
        in.begin();
        DigestClient read = new DigestClient(in);
        in.end();
        try {
            read.unanswered();
        } catch (IllegalArgumentException e) {
            throw new StateFormatException("credentials that cannot be printed", e);
        }
        return read;
    }

    /** What the next credentials say whatever the request is. */
    private AuthHeader unanswered() {
        AuthHeader header =
                AuthHeader.of("Digest")
                        .withQuoted("username", username)
                        .withQuoted("realm", realm)
                        .withQuoted("nonce", nonce);
        return opaque == null ? header : header.withQuoted("opaque", opaque);
    }

    /**
     * Whether the challenge can be answered. RFC 8760 2.4: "The client MUST ignore any challenge it
     * does not understand."
     */
    public static boolean understands(AuthHeader challenge) {
        return challenge.isScheme("Digest")
                && challenge.param("realm") != null
                && challenge.param("nonce") != null
                && DigestAlgorithm.of(challenge.param("algorithm")) != null
                && (challenge.param("qop") == null || chosen(challenge) != null);
    }

    /** The first of auth and auth-int that is offered: auth goes through whoever edits bodies. */
    private static @Nullable Qop chosen(AuthHeader challenge) {
        String offered = challenge.param("qop");
        if (offered == null) {
            return null;
        }
        Qop found = null;
        for (String one : offered.split(",", -1)) {
            Qop qop = Qop.of(one.strip());
            if (qop == Qop.AUTH) {
                return qop;
            }
            found = qop == null ? found : qop;
        }
        return found;
    }

    /**
     * Takes a challenge that is {@linkplain #understands understood}.
     *
     * @throws IllegalArgumentException when it is not
     */
    public static DigestClient of(AuthHeader challenge, String username, String password) {
        DigestAlgorithm algorithm = DigestAlgorithm.of(challenge.param("algorithm"));
        if (algorithm == null || !understands(challenge)) {
            throw new IllegalArgumentException("no challenge that we can answer: " + challenge);
        }
        String ha1 = algorithm.ha1(username, text(challenge, "realm"), password);
        return new DigestClient(challenge, algorithm, chosen(challenge), username, ha1);
    }

    private static String text(AuthHeader challenge, String name) {
        String value = challenge.param(name);
        return value == null ? "" : value;
    }

    /**
     * The credentials go on at another node, which may not know of the last ones that left. RFC
     * 7616 3.4: a server refuses a count that it has seen, not one that is missing.
     *
     * @param counts by how much the next nonce count is higher
     */
    public void skip(int counts) {
        if (count > 0) {
            count = count > Integer.MAX_VALUE - counts ? count : count + counts;
        }
    }

    public String realm() {
        return realm;
    }

    public String username() {
        return username;
    }

    public DigestAlgorithm algorithm() {
        return algorithm;
    }

    /**
     * RFC 7616 3.3: only the nonce was too old. A challenge to what was answered that does not say
     * so means a wrong secret.
     */
    public static boolean stale(AuthHeader challenge) {
        String stale = challenge.param("stale");
        return stale != null && Ascii.equalsIgnoreCase(stale, "true");
    }

    /**
     * The next credentials.
     *
     * @param uri Request-URI as it is printed
     * @param cnonce unpredictable text
     */
    public AuthHeader answer(String method, String uri, byte[] body, String cnonce) {
        count++;
        String nc = DigestCredentials.nc(count);
        AuthHeader header =
                unanswered()
                        .withQuoted("uri", uri)
                        .withQuoted(
                                "response",
                                algorithm.response(ha1, nonce, qop, nc, cnonce, method, uri, body));
        if (algorithmGiven) {
            header = header.withToken("algorithm", algorithm.token());
        }
        if (qop != null) {
            header =
                    header.withToken("qop", qop.token())
                            .withToken("nc", nc)
                            .withQuoted("cnonce", cnonce);
        }
        return header;
    }
}
