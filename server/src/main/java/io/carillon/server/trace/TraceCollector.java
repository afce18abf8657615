package io.carillon.server.trace;

import io.carillon.sip.hop.Hop;
import org.jspecify.annotations.Nullable;

/** Gets the messages of calls as they come and go. Called on shards: it must not wait. */
public interface TraceCollector {
    /**
     * One message.
     *
     * @param call the Call-ID that stands for the whole call, the same for all its legs
     * @param received came it in, or went it out?
     * @param localHost our host, where the hop does not say it; or null
     * @param localPort with it
     * @param bytes not to be written to
     * @param length how many of them count
     * @param atNanos when, by the clock of the shards
     */
    void offer(
            String call,
            boolean received,
            Hop hop,
            @Nullable String localHost,
            int localPort,
            byte[] bytes,
            int length,
            long atNanos);
}
