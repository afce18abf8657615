package io.carillon.server.guard;

import io.carillon.net.guard.Guard;
import io.carillon.net.guard.GuardConfig;
import io.carillon.server.config.GuardSettings;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.token.RandomSource;

/** The guard as it is configured. */
public final class GuardTranslation {
    private GuardTranslation() {}

    /** A guard whose time begins now. */
    public static Guard guard(GuardSettings settings) {
        GuardConfig config =
                new GuardConfig(
                        AddressRanges.of(settings.trusted()),
                        new GuardConfig.Rate(settings.datagramRate(), settings.datagramBurst()),
                        new GuardConfig.Rate(settings.streamRate(), settings.streamBurst()),
                        new GuardConfig.Rate(settings.connectionRate(), settings.connectionBurst()),
                        settings.connectionsPerAddress(),
                        new GuardConfig.BanRule(
                                settings.banAfter(),
                                settings.banWindow().toNanos(),
                                settings.banTime().toNanos(),
                                settings.datagramBanTime().toNanos()),
                        settings.scanners());
        return new Guard(config, RandomSource.secure()::nextLong, System.nanoTime());
    }
}
