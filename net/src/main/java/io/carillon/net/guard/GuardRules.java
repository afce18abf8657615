package io.carillon.net.guard;

import io.carillon.sip.address.AddressRanges;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A configuration of the guard with what it counts by. The record stays as it is; what it holds is
 * for any thread.
 *
 * @param config that it is made of
 * @param trusted who is neither limited nor banned
 * @param datagrams rates of sources; null: no limit
 * @param streams the same of messages on connections
 * @param connections the same of connections
 * @param bans null: nobody is banned
 * @param ofBrowsers by WebSocket, from where a user of ours is
 * @param scanners names, in small letters
 */
record GuardRules(
        GuardConfig config,
        AddressRanges trusted,
        @Nullable SourceRates datagrams,
        @Nullable SourceRates streams,
        @Nullable SourceRates connections,
        @Nullable Bans bans,
        HeldCredentials ofBrowsers,
        List<String> scanners) {

    static GuardRules first(GuardConfig config, Proofs proofs, LongSupplier random, long nowNanos) {
        GuardConfig.BanRule rule = config.bans();
        return new GuardRules(
                config,
                config.trusted(),
                rates(config.datagramRate(), random, nowNanos),
                rates(config.streamRate(), random, nowNanos),
                rates(config.connectionRate(), random, nowNanos),
                rule.banAfter() == 0 ? null : new Bans(rule, proofs, random, nowNanos),
                new HeldCredentials(rule, random, nowNanos),
                names(config));
    }

    /** Of another configuration; what is the same in both goes on counting. */
    GuardRules changed(GuardConfig next, Proofs proofs, LongSupplier random, long nowNanos) {
        GuardRules fresh = first(next, proofs, random, nowNanos);
        boolean sameBans = next.bans().equals(config.bans());
        return new GuardRules(
                next,
                next.trusted(),
                next.datagramRate().equals(config.datagramRate()) ? datagrams : fresh.datagrams,
                next.streamRate().equals(config.streamRate()) ? streams : fresh.streams,
                next.connectionRate().equals(config.connectionRate())
                        ? connections
                        : fresh.connections,
                sameBans ? bans : fresh.bans,
                sameBans ? ofBrowsers : fresh.ofBrowsers,
                fresh.scanners);
    }

    private static List<String> names(GuardConfig config) {
        return config.scanners().stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    }

    private static @Nullable SourceRates rates(
            GuardConfig.Rate rate, LongSupplier random, long startNanos) {
        return rate.perSecond() == 0
                ? null
                : new SourceRates(rate.perSecond(), rate.burst(), random.getAsLong(), startNanos);
    }
}
