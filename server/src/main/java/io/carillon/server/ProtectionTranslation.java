package io.carillon.server;

import io.carillon.net.guard.GuardConfig;
import io.carillon.protection.Protections;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.GuardSettings;
import io.carillon.server.config.OverloadSettings;
import io.carillon.server.config.SecuritySettings;
import io.carillon.server.config.SessionSettings;
import io.carillon.server.config.SipSettings;
import io.carillon.server.config.TcpSettings;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.admission.MailboxLimits;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.message.MessageIndex;

/** The limits of the configuration. */
final class ProtectionTranslation {
    private static final int BYTES_OF_A_VIA = 1_024;

    private ProtectionTranslation() {}

    static Protections limits(Configuration configuration) {
        SecuritySettings security = configuration.security();
        return new Protections(
                guard(configuration.guard()),
                requests(configuration.sip(), configuration.guard()),
                sessions(configuration.sessions()),
                connections(configuration),
                new Protections.Users(
                        security.nonces(), security.usersRemembered(), security.lookups()),
                configuration.guard().applicationLog(),
                overload(configuration.overload()));
    }

    private static Protections.Overload overload(OverloadSettings settings) {
        return new Protections.Overload(
                settings.shed(), settings.delay(), settings.handlerDelay(), settings.retryAfter());
    }

    static GuardConfig guard(GuardSettings settings) {
        return new GuardConfig(
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
    }

    /** As of a server, with room for the Via that the router puts before those of a node. */
    static MessageLimits messagesOfRouter(SipSettings sip) {
        int maxMessage =
                Math.min(
                        sip.maxMessage().intBytes() + BYTES_OF_A_VIA,
                        MessageIndex.MAX_MESSAGE_BYTES);
        return new MessageLimits(
                maxMessage, maxMessage, sip.maxHeaders() + 1, sip.maxHeader().intBytes());
    }

    private static Protections.Requests requests(SipSettings sip, GuardSettings guard) {
        int maxMessage = sip.maxMessage().intBytes();
        return new Protections.Requests(
                sip.requestHeap(),
                sip.sharePerSource(),
                sip.maxTransactions(),
                guard.forks(),
                sip.ringingWithin(),
                new MessageLimits(
                        maxMessage, maxMessage, sip.maxHeaders(), sip.maxHeader().intBytes()));
    }

    private static Protections.Sessions sessions(SessionSettings sessions) {
        return new Protections.Sessions(
                sessions.max(),
                sessions.maxOfOne(),
                sessions.maxSubscriptions(),
                sessions.sharePerSource(),
                sessions.shareOfPages(),
                sessions.addressHeap(),
                new MailboxLimits(sessions.waitingMessages(), sessions.waitingBytes().intBytes()));
    }

    private static Protections.Connections connections(Configuration configuration) {
        TcpSettings tcp = configuration.tcp();
        GuardSettings guard = configuration.guard();
        return new Protections.Connections(
                tcp.maxConnections(),
                tcp.connectTimeout(),
                tcp.firstMessageWithin(),
                tcp.messageWithin(),
                tcp.idleTimeout(),
                configuration.tls().handshakeWithin(),
                tcp.writeQueue().intBytes(),
                guard.unfinishedMessages().bytes(),
                guard.unsentMessages().bytes());
    }
}
