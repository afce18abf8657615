package io.carillon.net.tls;

import io.carillon.net.listen.ListeningPoint;
import io.carillon.sip.hop.TlsPeer;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Makes the TLS end of each new connection: certificates, trust, protocol versions. Called on the
 * connection's event loop, so an implementation must not block; any loop, at the same time.
 */
public interface TlsContexts {

    /**
     * The server's end of an accepted connection.
     *
     * @param point the listening point that accepted it
     * @param alloc the connection's buffers
     */
    SslHandler server(ListeningPoint point, ByteBufAllocator alloc);

    /**
     * The client's end of a connection that is being opened.
     *
     * @param domain the name that the peer's certificate must carry (RFC 5922 7); null where the
     *     target was an address in digits
     * @param remote the address connected to
     * @param alloc the connection's buffers
     */
    SslHandler client(@Nullable String domain, InetSocketAddress remote, ByteBufAllocator alloc);

    /**
     * Who is at the other end, once the handshake is over; null where an implementation does not
     * say.
     *
     * @param remote the peer's address
     */
    default @Nullable TlsPeer peer(SslHandler handler, InetSocketAddress remote) {
        return null;
    }

    /**
     * A handshake is over, well or not.
     *
     * @param point the listening point that accepted the connection; null for one of ours
     * @param nanos since the connection was there
     */
    default void took(@Nullable ListeningPoint point, HandshakeOutcome outcome, long nanos) {}

    /** Do we show a certificate to a server that asks for one? */
    default boolean provesItself() {
        return false;
    }
}
