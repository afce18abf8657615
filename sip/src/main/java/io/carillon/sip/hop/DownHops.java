package io.carillon.sip.hop;

import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.RetryAfter;
import io.carillon.sip.message.SipResponse;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Servers that failed lately: they are tried after the others, never left out, so that an error of
 * ours or a forged one cannot cut anybody off. Costs a look at a size while nobody is down.
 *
 * <p>Owner: the shard's thread.
 */
public final class DownHops {
    /** An ICMP error speaks for the requests that are waiting just now, not for those of later. */
    private static final long REFUSED_NANOS = 4_000_000_000L;

    private record Way(Transport transport, InetSocketAddress remote) {}

    private record Down(long untilNanos, long refusedUntilNanos) {
        Down and(Down other) {
            return new Down(
                    later(untilNanos, other.untilNanos),
                    later(refusedUntilNanos, other.refusedUntilNanos));
        }

        private static long later(long one, long two) {
            return one - two > 0 ? one : two;
        }
    }

    private final FailoverConfig config;
    private final Map<Way, Down> byWay;

    public DownHops(FailoverConfig config) {
        this.config = config;
        this.byWay =
                new LinkedHashMap<>() {
                    @Override
                    protected boolean removeEldestEntry(Map.Entry<Way, Down> eldest) {
                        return size() > config.maxDown();
                    }
                };
    }

    /** It did not answer, or could not be reached. */
    public void failed(@Nullable Hop hop, long now) {
        if (hop != null && config.downTimeNanos() > 0) {
            put(hop, new Down(now + config.downTimeNanos(), now));
        }
    }

    /** It answered. */
    public void heard(@Nullable Hop hop, SipResponse response, long now) {
        if (response.status() == 503) {
            unavailable(hop, response, now);
        } else {
            alive(hop);
        }
    }

    private void unavailable(@Nullable Hop hop, SipResponse response, long now) {
        String text = response.header(HeaderName.RETRY_AFTER);
        if (hop == null || text == null) {
            return;
        }
        // 21.5.4: the client "SHOULD NOT forward any other requests to that server for the duration
        // specified in the Retry-After header field, if present."
        long most = config.maxRetryAfterNanos() / 1_000_000_000L;
        long asked = Math.min(seconds(text), most) * 1_000_000_000L;
        if (asked > 0) {
            put(hop, new Down(now + asked, now));
        }
    }

    /** A time that nobody can read is none. */
    private static long seconds(String retryAfter) {
        try {
            return RetryAfter.parse(retryAfter).seconds();
        } catch (SipParseException unreadable) {
            return 0;
        }
    }

    /** Its machine said by ICMP that nobody is there. */
    public void refused(Hop hop, long now) {
        put(hop, new Down(now + config.downTimeNanos(), now + REFUSED_NANOS));
    }

    private void put(Hop hop, Down down) {
        if (hop.internal() || hop.connection() != 0) {
            return;
        }
        Way way = new Way(hop.transport(), hop.remote());
        Down before = byWay.remove(way);
        byWay.put(way, before == null ? down : before.and(down));
    }

    private void alive(@Nullable Hop hop) {
        if (hop != null && !byWay.isEmpty()) {
            byWay.remove(new Way(hop.transport(), hop.remote()));
        }
    }

    public boolean isDown(Hop hop, long now) {
        Down down = down(hop);
        return down != null && now - down.untilNanos() < 0;
    }

    /** Has its machine refused a datagram of ours a moment ago? */
    public boolean refuses(Hop hop, long now) {
        Down down = down(hop);
        return down != null && now - down.refusedUntilNanos() < 0;
    }

    private @Nullable Down down(Hop hop) {
        return byWay.isEmpty() || hop.internal()
                ? null
                : byWay.get(new Way(hop.transport(), hop.remote()));
    }

    /** The same hops in the same order, but those that are down at the end. */
    public List<Hop> order(List<Hop> hops, long now) {
        if (byWay.isEmpty() || hops.size() < 2) {
            return hops;
        }
        List<Hop> up = new ArrayList<>(hops.size());
        List<Hop> down = new ArrayList<>();
        for (Hop hop : hops) {
            (isDown(hop, now) ? down : up).add(hop);
        }
        if (up.isEmpty() || down.isEmpty()) {
            return hops;
        }
        up.addAll(down);
        return up;
    }

    public int size() {
        return byWay.size();
    }
}
