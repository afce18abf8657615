package io.carillon.server.cluster;

import io.carillon.cluster.link.DeployedNames;
import io.carillon.cluster.link.LinkPeer;
import io.carillon.cluster.link.NodeHealth;
import io.carillon.cluster.link.NodeReport;
import io.carillon.cluster.link.PeerId;
import io.carillon.cluster.member.MemberState;
import io.carillon.net.link.LinkPorts;
import io.carillon.sip.overload.OverloadState;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What a node says of itself to routers and nodes: how it is, its build, its applications, what it
 * uses of its processors, and how much new work it lets in while it sheds. Looked at with each
 * tick, said when it has changed.
 *
 * <p>One thread, the cluster's; {@link #heard} any.
 */
final class NodeStanding {
    private final LinkPorts link;
    private final String build;
    private final Supplier<List<OverloadState>> loads;
    private final Supplier<Collection<String>> applications;
    private final ProcessorUse use = ProcessorUse.ofProcess();
    private volatile NodeHealth said = NodeHealth.STARTING;
    private volatile NodeReport reported = NodeReport.NONE;

    /**
     * @param build the version of this process
     * @param loads of the shards
     * @param applications their names
     */
    NodeStanding(
            LinkPorts link,
            String build,
            Supplier<List<OverloadState>> loads,
            Supplier<Collection<String>> applications) {
        this.link = link;
        this.build = build;
        this.loads = loads;
        this.applications = applications;
    }

    void tick(MemberState state) {
        List<OverloadState> now = loads.get();
        NodeReport report =
                new NodeReport(
                        build,
                        perRouter(newPerSecond(now)),
                        use.percent(System.nanoTime()),
                        DeployedNames.of(applications.get()));
        if (!report.equals(reported)) {
            reported = report;
            link.say(report);
        }
        NodeHealth how = of(state, now.stream().anyMatch(OverloadState::shedding));
        if (how != said) {
            said = how;
            link.say(how);
        }
    }

    /** What it says, and what the other nodes say that are heard. Any thread. */
    Map<Integer, ClusterView.Heard> heard(int self) {
        long now = System.nanoTime();
        Map<Integer, ClusterView.Heard> all = new TreeMap<>();
        for (LinkPeer peer : link.peers()) {
            if (PeerId.isNode(peer.id()) && peer.alive(now)) {
                all.put(peer.id(), heard(peer.health(), peer.report()));
            }
        }
        all.put(self, heard(said, reported));
        return all;
    }

    private static ClusterView.Heard heard(NodeHealth health, NodeReport report) {
        int used = report.usedPercent();
        return new ClusterView.Heard(
                health.name().toLowerCase(Locale.ROOT),
                report.build(),
                used == NodeReport.NOT_SAID ? null : (Integer) used,
                report.applications());
    }

    static NodeHealth of(MemberState state, boolean sheds) {
        return switch (state) {
            case STARTING, GONE, WITNESS -> NodeHealth.STARTING;
            case ISOLATED -> NodeHealth.ISOLATED;
            case LEAVING -> NodeHealth.DRAINING;
            case JOINING, STABLE, OWNER -> sheds ? NodeHealth.OVERLOADED : NodeHealth.READY;
        };
    }

    /** What all shards let in, if each did as those that shed; 0 where none does. */
    static double newPerSecond(List<OverloadState> shards) {
        double sum = 0;
        int shedding = 0;
        for (OverloadState one : shards) {
            if (one.shedding() && one.admittedPerSecond() > 0) {
                sum += one.admittedPerSecond();
                shedding++;
            }
        }
        return shedding == 0 ? 0 : Math.max(1, sum * shards.size() / shedding);
    }

    /** Each router that lives gets its part. */
    private int perRouter(double all) {
        long now = System.nanoTime();
        long routers =
                link.peers().stream()
                        .filter(each -> PeerId.isRouter(each.id()) && each.alive(now))
                        .count();
        return (int) Math.ceil(all / Math.max(1, routers));
    }
}
