package io.carillon.fuzz.message;

import io.carillon.fuzz.check.Finding;
import io.carillon.sip.auth.DigestAlgorithm;
import io.carillon.sip.auth.DigestClient;
import io.carillon.sip.auth.DigestCredentials;
import io.carillon.sip.auth.DigestServer;
import io.carillon.sip.auth.NonceCounts;
import io.carillon.sip.auth.Nonces;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.AuthHeader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Authorization and challenges: refused, or the same when printed and read once more; nobody gets
 * in without the password, and a challenge that we understand we can answer.
 */
public final class DigestTarget {
    private static final byte[] NO_BODY = {};
    private static final long NOW = 1_000_000;
    private static final AtomicLong SERIAL = new AtomicLong();
    private static final DigestServer SERVER =
            new DigestServer(
                    "fuzz",
                    List.of(DigestAlgorithm.values()),
                    true,
                    300,
                    new Nonces(new byte[32], SERIAL::incrementAndGet),
                    new NonceCounts(100));

    private DigestTarget() {}

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        AuthHeader header;
        try {
            header = AuthHeader.parse(new String(data, StandardCharsets.UTF_8));
            Finding.unlessEqual("once more", AuthHeader.parse(header.toString()), header);
        } catch (SipParseException refused) {
            return;
        }
        judge(header);
        if (DigestClient.understands(header)) {
            AuthHeader answer =
                    DigestClient.of(header, "alice", "secret")
                            .answer("INVITE", "sip:a@b", NO_BODY, "c0ffee");
            try {
                AuthHeader.parse(answer.toString());
            } catch (SipParseException e) {
                throw new Finding("our own answer cannot be read: " + answer);
            }
        }
    }

    private static void judge(AuthHeader header) {
        DigestCredentials credentials;
        try {
            credentials = DigestCredentials.parse(header);
        } catch (SipParseException refused) {
            return;
        }
        String ha1 = credentials.algorithm().ha1("alice", "fuzz", "a password nobody guesses");
        if (SERVER.look(credentials, NOW) == DigestServer.Standing.DUE) {
            throw new Finding("an answer to no challenge: " + header);
        }
        DigestServer.Verdict verdict = SERVER.judge(credentials, ha1, "INVITE", NO_BODY, NOW);
        if (verdict == DigestServer.Verdict.ACCEPTED) {
            throw new Finding("accepted: " + header);
        }
    }
}
