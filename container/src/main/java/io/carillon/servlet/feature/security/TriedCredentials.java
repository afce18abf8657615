package io.carillon.servlet.feature.security;

import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.UasTransaction;
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
        ServerTransaction transaction = guarded(request);
        PeerConduct conduct = conduct(transaction);
        if (conduct == null || transaction == null) {
            return null;
        }
        Hop from = transaction.source().initial();
        return from.transport().reliable() || conduct.trusts(from) ? null : address(from);
    }

    /** Are credentials from there not looked at, as too many were wrong? */
    static boolean held(ServletRequest request, String realm, String user) {
        ServerTransaction transaction = guarded(request);
        PeerConduct conduct = conduct(transaction);
        if (conduct == null || transaction == null) {
            return false;
        }
        Hop from = transaction.source();
        // Whose connection it is goes on by it, whatever others try from the same address.
        return conduct.holdsCredentials(from.initial(), transaction.shard().executor().nanoTime())
                && !(ownConnection(transaction)
                        && transaction.shard().wire().isOf(from, number(realm, user)));
    }

    /**
     * Who answers a challenge that was sent to its address surely is at that address, so that a
     * wrong answer is nobody else's, and a right one shows that he is there.
     *
     * @param now of the challenges: wall clock, in milliseconds
     */
    void tell(ServletRequest request, DigestCredentials given, Verdict verdict, long now) {
        ServerTransaction transaction = guarded(request);
        PeerConduct conduct = conduct(transaction);
        if (conduct == null
                || transaction == null
                || (verdict != Verdict.ACCEPTED && verdict != Verdict.REFUSED)) {
            return;
        }
        Hop from = transaction.source().initial();
        long nanos = transaction.shard().executor().nanoTime();
        boolean surely =
                from.transport().reliable()
                        || !conduct.trusts(from) // its nonce was looked at
                        || digest.answersOurs(given, now, address(from));
        if (verdict == Verdict.REFUSED) {
            conduct.failed(PeerConduct.Failure.WRONG_CREDENTIALS, from, surely, nanos);
        } else if (surely) {
            conduct.provenUser(from, nanos);
        }
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
        ServerTransaction transaction = guarded(request);
        return transaction == null ? null : address(transaction.source());
    }

    /** The transaction of a request from the network, where somebody listens how peers behave. */
    private static @Nullable ServerTransaction guarded(ServletRequest request) {
        UasTransaction server = request.uas();
        ServerTransaction transaction = server == null ? null : server.transaction();
        return transaction == null
                        || transaction.source().internal()
                        || transaction.shard().config().conduct() == null
                ? null
                : transaction;
    }

    private static @Nullable PeerConduct conduct(@Nullable ServerTransaction transaction) {
        return transaction == null ? null : transaction.shard().config().conduct();
    }

    private static byte[] address(Hop from) {
        return from.initial().remote().getAddress().getAddress();
    }
}
