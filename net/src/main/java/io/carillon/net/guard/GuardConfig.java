package io.carillon.net.guard;

import io.carillon.sip.address.AddressRanges;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Limits of a {@link Guard}. Immutable.
 *
 * @param trusted sources that are neither limited nor banned
 * @param datagramRate of one source
 * @param streamRate messages of one source on all its connections
 * @param connectionRate connections of one source that begin
 * @param connectionsPerAddress of one source; 0 for no limit
 * @param bans when a source is banned
 * @param scanners beginnings of User-Agent values, in any case, of programs that look for victims
 */
public record GuardConfig(
        AddressRanges trusted,
        Rate datagramRate,
        Rate streamRate,
        Rate connectionRate,
        int connectionsPerAddress,
        BanRule bans,
        List<String> scanners) {

    public GuardConfig {
        scanners = List.copyOf(scanners);
        if (connectionsPerAddress < 0) {
            throw new IllegalArgumentException("connections per address: 0 or more");
        }
    }

    /**
     * A token bucket.
     *
     * @param perSecond lasting rate; 0 for no limit
     * @param burst what may come at once
     */
    public record Rate(int perSecond, int burst) {
        /** No limit. */
        public static final Rate OFF = new Rate(0, 1);

        public Rate {
            if (perSecond < 0 || burst < 1) {
                throw new IllegalArgumentException("a rate of " + perSecond + ", burst " + burst);
            }
        }
    }

    /**
     * When a source is banned, and for how long.
     *
     * @param banAfter failures in a window that lead to a ban; 0 for no bans
     * @param banWindowNanos of them
     * @param banTimeNanos of a ban
     * @param datagramBanTimeNanos of a ban for failures in datagrams, whose source may be forged
     */
    public record BanRule(
            int banAfter, long banWindowNanos, long banTimeNanos, long datagramBanTimeNanos) {
        /** Nobody is banned. */
        public static final BanRule OFF = new BanRule(0, 1, 1, 1);

        public BanRule {
            if (banAfter < 0
                    || banWindowNanos < 1
                    || banTimeNanos < 1
                    || datagramBanTimeNanos < 1) {
                throw new IllegalArgumentException("the rule of bans");
            }
        }
    }

    /** Loopback trusted, and limits that no honest source meets. */
    public static GuardConfig standard() {
        return new GuardConfig(
                AddressRanges.of(List.of("127.0.0.0/8", "::1")),
                new Rate(5_000, 2_500),
                new Rate(5_000, 2_500),
                new Rate(100, 1_000),
                1_000,
                new BanRule(
                        60,
                        TimeUnit.SECONDS.toNanos(60),
                        TimeUnit.MINUTES.toNanos(10),
                        TimeUnit.MINUTES.toNanos(1)),
                List.of());
    }
}
