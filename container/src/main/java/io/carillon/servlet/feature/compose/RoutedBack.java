package io.carillon.servlet.feature.compose;

import io.carillon.servlet.kernel.SessionPath;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.uri.SipUri;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Requests that a router sent away with ROUTE_BACK: what to go on with when they come back, found
 * by a token in the route that brings them. The oldest are forgotten. Any thread.
 */
final class RoutedBack {
    /** Name of the parameter that carries the token. */
    static final String PARAM = "crb";

    static final int CAP = 20_000;

    /**
     * @param name the application to go on with; null: the router is asked again
     * @param begun the request that it came from; null when there is none, gone when that was
     *     answered
     */
    record Awaited(
            @Nullable String name,
            SessionPath.Routing routing,
            @Nullable NameAddress initialPopped,
            @Nullable Hop initialHop,
            int depth,
            int countedAt,
            @Nullable WeakReference<ServerTransaction> begun) {}

    private final LongAdder forgotten;
    private final Map<String, Awaited> byToken =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Awaited> eldest) {
                    boolean full = size() > CAP;
                    if (full) {
                        forgotten.increment();
                    }
                    return full;
                }
            };

    /**
     * @param forgotten counts those that gave way to others
     */
    RoutedBack(LongAdder forgotten) {
        this.forgotten = forgotten;
    }

    synchronized void await(String token, Awaited what) {
        byToken.put(token, what);
    }

    /**
     * What comes back with that route; it may come more than once, as a fork or with credentials.
     */
    @Nullable Awaited find(@Nullable NameAddress popped) {
        if (popped == null || !(popped.uri() instanceof SipUri uri)) {
            return null;
        }
        String token = uri.param(PARAM);
        if (token == null) {
            return null;
        }
        synchronized (this) {
            return byToken.get(token);
        }
    }
}
