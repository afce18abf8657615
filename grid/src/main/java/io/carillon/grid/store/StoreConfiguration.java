package io.carillon.grid.store;

import io.carillon.grid.link.LinkSettings;
import io.carillon.grid.link.LinkStack;
import io.carillon.sip.token.Ownership;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfiguration;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.global.ShutdownHookBehavior;
import org.infinispan.partitionhandling.PartitionHandling;
import org.infinispan.remoting.transport.jgroups.AbstractJGroupsChannelConfigurator;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jgroups.JChannel;
import org.jgroups.conf.ProtocolConfiguration;
import org.jspecify.annotations.Nullable;

/** How Infinispan is set up. */
final class StoreConfiguration {
    static final String CACHE = "calls";

    /** Copies of each record. */
    static final int COPIES = 2;

    /** A node that is silent is seen after 2.5 s: then its part is written elsewhere. */
    static final long ANSWER_SECONDS = 4;

    private static final long LOCK_SECONDS = 2;
    private static final long JOIN_SECONDS = 30;

    /**
     * Two grids that have met compare all records, one partition after the other. When that is not
     * done in time, Infinispan takes each member of the smaller one for a holder of everything
     * (ISPN000524), and what only others have is lost as they leave. A node that joins waits as
     * long for its copies: less than a supervisor gives it to start (180 s).
     */
    private static final long MERGE_SECONDS = 120;

    /**
     * Records that are copied to another holder at once; the next ones follow when they are there.
     */
    private static final int COPIED_AT_ONCE = 128;

    private StoreConfiguration() {}

    static GlobalConfiguration global(LinkSettings settings, OwnChannel channel) {
        GlobalConfigurationBuilder global = new GlobalConfigurationBuilder();
        global.transport()
                .defaultTransport()
                .clusterName(settings.cluster() + ".store")
                .nodeName(settings.cluster() + "-" + settings.member())
                // The number of the member goes with its address.
                .machineId(String.valueOf(settings.member()))
                .distributedSyncTimeout(JOIN_SECONDS, TimeUnit.SECONDS)
                .addProperty(JGroupsTransport.CHANNEL_CONFIGURATOR, channel);
        global.serialization().addContextInitializer(new GridSchema());
        global.cacheManagerName("carillon-" + settings.cluster() + "-" + settings.member());
        global.jmx().disable();
        global.metrics().gauges(false).histograms(false);
        global.shutdown().hookBehavior(ShutdownHookBehavior.DONT_REGISTER);
        return global.build();
    }

    /**
     * Both halves of a divided grid go on, for they do not decide who owns a call: the table does.
     * Of two states the later one stays when they meet.
     */
    static Configuration cache() {
        ConfigurationBuilder cache = new ConfigurationBuilder();
        cache.encoding().key().mediaType(MediaType.APPLICATION_OBJECT_TYPE);
        cache.encoding().value().mediaType(MediaType.APPLICATION_OBJECT_TYPE);
        cache.clustering()
                .cacheMode(CacheMode.DIST_SYNC)
                .remoteTimeout(ANSWER_SECONDS, TimeUnit.SECONDS);
        cache.clustering()
                .hash()
                .numOwners(COPIES)
                .numSegments(Ownership.PARTITIONS)
                .keyPartitioner(new PartitionKeys());
        cache.clustering()
                .stateTransfer()
                .timeout(MERGE_SECONDS, TimeUnit.SECONDS)
                .chunkSize(COPIED_AT_ONCE);
        cache.clustering()
                .partitionHandling()
                .whenSplit(PartitionHandling.ALLOW_READ_WRITES)
                .mergePolicy(new LaterStays());
        cache.locking().lockAcquisitionTimeout(LOCK_SECONDS, TimeUnit.SECONDS);
        cache.statistics().disable();
        return cache.build();
    }

    /** Hands Infinispan the channel of ours. */
    static final class OwnChannel extends AbstractJGroupsChannelConfigurator {
        private final LinkSettings settings;
        private final Company company;
        private @Nullable JChannel made;

        OwnChannel(LinkSettings settings, Company company) {
            this.settings = settings;
            this.company = company;
        }

        @Override
        public JChannel createChannel(String name) throws Exception {
            made =
                    LinkStack.channel(
                            settings,
                            company.others().isEmpty()
                                    ? LinkStack.JOIN_ALONE
                                    : LinkStack.JOIN_OTHERS);
            return made;
        }

        /** Refuses to go on with any other channel than this one. */
        JChannel check() {
            if (made == null || !made.isConnected()) {
                throw new IllegalStateException("the grid came up on another stack than ours");
            }
            LinkStack.check(made);
            return made;
        }

        @Override
        public String getName() {
            return "carillon";
        }

        @Override
        public String getProtocolStackString() {
            return "";
        }

        @Override
        public List<ProtocolConfiguration> getProtocolStack() {
            return List.of();
        }
    }
}
