package io.carillon.servlet.feature.proxy;

import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.server.ServerTransaction;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where the ends of a proxied dialog are: the source of the last response by a branch that only who
 * got our request can know; of the caller before he sent one, the source of a request that nobody
 * can have forged. 0: nowhere.
 *
 * <p>Owner: the turn of the application session.
 */
final class EndPlaces {
    long caller;
    long callee;

    /** Of a call that was answered; null where the 2xx has to be changed on its way. */
    @Nullable WayBack wayBack;

    /**
     * A datagram says only where it claims to come from, and the tags of the dialog prove nothing
     * of the caller: the callee knows both.
     */
    static long proven(ServerTransaction server) {
        Hop from = server.source();
        return from.internal() || from.reliable() || NextHop.trusted(server.shard(), from)
                ? source(from)
                : 0;
    }

    static long source(Hop hop) {
        InetAddress address = hop.remote().getAddress();
        return address == null ? 0 : SourceKey.of(address);
    }
}
