package io.carillon.servlet.feature.security;

import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.auth.DigestCredentials;
import io.carillon.sip.auth.DigestServer;
import io.carillon.sip.auth.DigestServer.Verdict;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.server.ServerTransaction;
import org.jspecify.annotations.Nullable;

/** Tells the guard what became of credentials, and of whom. Immutable; any thread. */
final class TriedCredentials {
    private final DigestServer digest;

    TriedCredentials(DigestServer digest) {
        this.digest = digest;
    }

    /**
     * Who answers a challenge that was sent to its address surely is at that address, so that a
     * wrong answer is nobody else's.
     *
     * @param now of the challenges: wall clock, in milliseconds
     */
    void tell(ServletRequest request, DigestCredentials given, Verdict verdict, long now) {
        ServerTransaction transaction = guarded(request);
        PeerConduct conduct = transaction == null ? null : transaction.shard().config().conduct();
        if (conduct == null || transaction == null) {
            return;
        }
        Hop from = transaction.source().initial();
        long nanos = transaction.shard().executor().nanoTime();
        if (verdict == Verdict.ACCEPTED) {
            conduct.proven(from, nanos);
        } else if (verdict == Verdict.REFUSED
                && !(from.transport().webSocket() && conduct.provenLately(from, nanos))) {
            // A page of any site has a browser behind the same address try what it likes.
            boolean proven =
                    from.transport().reliable() || digest.answersOurs(given, now, address(from));
            conduct.failed(PeerConduct.Failure.WRONG_CREDENTIALS, from, proven, nanos);
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

    private static byte[] address(Hop from) {
        return from.initial().remote().getAddress().getAddress();
    }
}
