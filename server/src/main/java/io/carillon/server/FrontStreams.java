package io.carillon.server;

import io.carillon.net.NetworkConfig;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.protection.Protection;
import io.carillon.router.RouterConfig;
import io.carillon.server.config.Configuration;
import io.carillon.server.start.SettingException;
import io.carillon.server.tls.TlsSide;
import io.carillon.sip.codec.MessageLimits;
import java.util.List;

/** What the server's configuration says to a router about connections. Stateless. */
public final class FrontStreams {
    private FrontStreams() {}

    /**
     * The limits of the server, and its certificates where a listener has TLS.
     *
     * @throws SettingException naming the setting of {@code tls} that is wrong
     */
    public static RouterConfig.Streams of(Configuration configuration, List<ListeningPoint> points)
            throws SettingException {
        NetworkConfig standard = NetworkConfig.of(points);
        Protection protection = SipTranslation.protection(configuration);
        NetworkConfig network =
                protection.network(
                        standard.withStream(
                                        standard.stream()
                                                .withProxies(SipTranslation.proxies(configuration)))
                                .withWebSocket(configuration.ws().config()));
        MessageLimits messages = ProtectionTranslation.messagesOfRouter(configuration.sip());
        if (points.stream().noneMatch(point -> point.transport().secure())) {
            return new RouterConfig.Streams(
                    network.stream(), network.webSocket(), null, protection.guard(), messages);
        }
        TlsSide tls = TlsSide.open(configuration.tls(), points);
        tls.start();
        return new RouterConfig.Streams(
                network.stream(),
                network.webSocket(),
                tls.contexts(),
                protection.guard(),
                messages);
    }
}
