package io.carillon.server;

import io.carillon.net.Network;
import io.carillon.net.link.LinkPorts;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.SecuritySettings;
import io.carillon.server.config.SessionSettings;
import io.carillon.server.data.Database;
import io.carillon.server.data.SqlUsers;
import io.carillon.server.identity.Identities;
import io.carillon.servlet.SipContainer;
import io.carillon.servlet.config.EndPolicy;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What the configuration says to the container about callers, times and addresses. Stateless. */
final class ContainerTerms {
    private ContainerTerms() {}

    /** Where others reach us: our own ports, and those of routers before us. */
    static List<ListeningPoint> reachable(Network network) {
        List<ListeningPoint> all = new ArrayList<>(network.listening());
        LinkPorts routers = network.link();
        if (routers != null) {
            for (Transport each : routers.transports()) {
                HostPort at = routers.address(each);
                int port = at.port() < 0 ? each.defaultPort() : at.port();
                all.add(new ListeningPoint(each, at.bareHost(), port, at.bareHost(), port));
            }
        }
        return all;
    }

    /** All of it. */
    static void apply(
            SipContainer container,
            Configuration configuration,
            SqlUsers store,
            Identities identities,
            Database database) {
        secure(container, configuration, store);
        timeLimits(container, configuration);
        identities.applyTo(container);
        container.settings().dataSource(database.dataSource());
    }

    /** How long beginnings and ends of applications may take, and calls. */
    static void timeLimits(SipContainer container, Configuration configuration) {
        container.limitCallbacks(
                configuration.deploy().initWithin(), configuration.deploy().destroyWithin());
        container
                .outlivedCalls()
                .policy(
                        configuration.sessions().expiredCalls() == SessionSettings.ExpiredCalls.BYE
                                ? EndPolicy.BYE
                                : EndPolicy.LEAVE);
        container.settings().sessionTimers(configuration.sessionTimers().policy());
    }

    /** Who has to prove who they are, and how. */
    static void secure(SipContainer container, Configuration configuration, SqlUsers store) {
        secure(container, configuration);
        container.security().users().store(store);
        store.onChange(container.security().users()::forget);
    }

    /** The same, of users that are known already. */
    static void secure(SipContainer container, Configuration configuration) {
        SecuritySettings settings = configuration.security();
        container
                .security()
                .settings(
                        settings.algorithms(),
                        settings.realm(),
                        Math.toIntExact(settings.nonceLife().toSeconds()),
                        Set.copyOf(settings.trustedPeers()));
        container.security().digestUri(settings.digestUri());
    }
}
