package io.carillon.sip.hop;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Told once what came of a keep-alive, on the shard's thread and never inside of the call. */
public interface Pong {
    /**
     * The flow is whole.
     *
     * @param seenAs the address that the other end sees us at; null where it does not say
     */
    void answered(@Nullable InetSocketAddress seenAs);

    /** No answer came in time, or the flow is gone. */
    void failed();
}
