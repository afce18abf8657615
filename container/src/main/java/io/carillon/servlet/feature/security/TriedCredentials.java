package io.carillon.servlet.feature.security;

import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.servlet.port.OutboundInterfaces;
import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.auth.DigestCredentials;
import io.carillon.sip.auth.DigestServer;
import io.carillon.sip.auth.DigestServer.Verdict;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.server.ServerTransaction;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/** Tells the guard and the network what became of credentials. Immutable; any thread. */
final class TriedCredentials {
    private final DigestServer digest;

    TriedCredentials(DigestServer digest) {
        this.digest = digest;
    }

    /**
     * Where credentials came from, when that may be forged: whoever knows a password then proves by
     * it who he is, and not where. Only a challenge that was sent there is answered from there. A
     * source that the operator trusts may be many. Null: not asked.
     */
    static byte @Nullable [] mayBeForged(ServletRequest request) {
        Hop from = from(request);
        PeerConduct conduct = conduct(request);
        return from == null
                        || conduct == null
                        || from.transport().reliable()
                        || conduct.trusts(from)
                ? null
                : address(from);
    }

    /** Are credentials from there not looked at, as too many were wrong? */
    static boolean held(ServletRequest request, String realm, String user) {
        UasTransaction server = request.uas();
        Hop from = from(request);
        PeerConduct conduct = conduct(request);
        if (server == null || from == null || conduct == null) {
            return false;
        }
        // Whose connection it is goes on by it, whatever others try from the same address.
        ServerTransaction transaction = server.transaction();
        return conduct.holdsCredentials(from, now(transaction))
                && !(ownConnection(transaction)
                        && transaction
                                .shard()
                                .wire()
                                .isOf(transaction.source(), number(realm, user)));
    }

    /**
     * Who answers a challenge that was sent to its address surely is at that address, so that a
     * wrong answer is nobody else's, and a right one shows that he is there.
     *
     * @param now of the challenges: wall clock, in milliseconds
     */
    void tell(ServletRequest request, DigestCredentials given, Verdict verdict, long now) {
        UasTransaction server = request.uas();
        Hop from = from(request);
        PeerConduct conduct = conduct(request);
        if (server == null
                || from == null
                || conduct == null
                || (verdict != Verdict.ACCEPTED && verdict != Verdict.REFUSED)) {
            return;
        }
        boolean surely =
                from.transport().reliable()
                        || !conduct.trusts(from) // its nonce was looked at
                        || digest.answersOurs(given, now, address(from));
        if (verdict == Verdict.REFUSED) {
            conduct.failed(
                    PeerConduct.Failure.WRONG_CREDENTIALS, from, surely, now(server.transaction()));
        } else if (surely) {
            conduct.provenUser(from, now(server.transaction()));
        }
    }

    private static long now(ServerTransaction transaction) {
        return transaction.shard().executor().nanoTime();
    }

    /** Who gave the right ones belongs here, and so does the connection that he came by. */
    static void accepted(ServletRequest request, String realm, String user) {
        UasTransaction server = request.uas();
        if (server != null) {
            ServerTransaction transaction = server.transaction();
            Hop from = transaction.source();
            transaction
                    .shard()
                    .wire()
                    .proved(from, ownConnection(transaction) ? number(realm, user) : 0);
        }
    }

    /** Through a proxy many users come by one connection, which is none of theirs. */
    private static boolean ownConnection(ServerTransaction transaction) {
        return transaction.source().transport().webSocket()
                && transaction.request().count(HeaderName.VIA) == 1;
    }

    /** The same for the same user, and nobody finds a name for that of another one. */
    private static long number(String realm, String user) {
        try {
            byte[] text = (realm + '\0' + user).getBytes(StandardCharsets.UTF_8);
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text);
            return ByteBuffer.wrap(hash).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }

    /** Where a challenge to that request goes, as a mark in its nonce; null: nobody asks for it. */
    static byte @Nullable [] challenged(ServletRequest request) {
        Hop from = from(request);
        return from == null || conduct(request) == null ? null : address(from);
    }

    /**
     * Where the request came in, whatever applications of ours it has passed; null where one of
     * them has made it.
     */
    private static @Nullable Hop from(ServletRequest request) {
        UasTransaction server = request.uas();
        Hop from = server == null ? null : OutboundInterfaces.cameIn(server.transaction().source());
        return from == null ? null : from.initial();
    }

    /** Who listens how peers behave; null for nobody. */
    private static @Nullable PeerConduct conduct(ServletRequest request) {
        UasTransaction server = request.uas();
        return server == null ? null : server.transaction().shard().config().conduct();
    }

    private static byte[] address(Hop from) {
        return from.remote().getAddress().getAddress();
    }
}
