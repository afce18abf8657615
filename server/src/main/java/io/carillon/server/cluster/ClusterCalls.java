package io.carillon.server.cluster;

import io.carillon.cluster.member.MemberState;
import io.carillon.net.Network;
import io.carillon.net.link.LinkPorts;
import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.dispatch.OtherNodes;
import io.carillon.servlet.feature.adopt.Adoption;
import io.carillon.servlet.feature.adopt.LeavingCalls.Told;
import io.carillon.servlet.feature.protect.CallProtection;
import io.carillon.servlet.feature.protect.CallRecordWriter;
import io.carillon.servlet.feature.protect.CallStanding;
import io.carillon.servlet.feature.protect.ProtectionSettings;
import io.carillon.servlet.feature.protect.ProtectionStatus;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlet.port.CallStore;
import io.carillon.sip.shard.Shard;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a node: copies of them go to the store, those of a partition that comes to this node
 * go on here, those of one that leaves it are dropped. Any thread.
 */
public final class ClusterCalls implements NodeCalls {
    private final ClusterSide member;
    private final String build;
    private final CallStore store;
    private final CallProtection protection;
    private final MemberQuestions questions;
    private final LackingApplications lacking = new LackingApplications();
    private final TablesWatch tables = new TablesWatch(); // of the member's thread
    private final ActingWatch acting = new ActingWatch(); // of the member's thread
    private volatile @Nullable SipContainer container;
    private volatile @Nullable Adoption adoption;
    private volatile @Nullable OtherNodes others;
    private volatile @Nullable LinkPorts link;
    private volatile @Nullable NodeStanding standing;
    private volatile @Nullable WorkUnderWay work;
    private volatile @Nullable LoopWatch loops;

    private ClusterCalls(ClusterSide member, String build) {
        this.member = member;
        this.build = build;
        this.questions = new MemberQuestions(member::members);
        this.store = TrialStore.of(member.store());
        this.protection =
                new CallProtection(
                        store,
                        member.ownership(),
                        CallPartition::of,
                        new CallRecordWriter(member.members().self()),
                        ProtectionSettings.DEFAULT);
    }

    /**
     * Of that member.
     *
     * @param build the version of this process
     */
    public static ClusterCalls of(ClusterSide member, String build) {
        return new ClusterCalls(member, build);
    }

    /** What the container is given as its store. */
    public CallProtection protection() {
        return protection;
    }

    /** What an operator sees of calls, from any node. */
    public CallsOfAll ofAll() {
        return new CallsOfAll(member, protection, questions);
    }

    @Override
    public boolean received(int from, byte[] message) {
        return questions.received(from, message);
    }

    /** Before the container starts. */
    public void takeOver(SipContainer container, Network network) {
        this.container = container;
        adoption = container.takeOver(store);
        container.host().tokens().share(member.sessionSecrets());
        others = container.host().parts().get(OtherNodes.SLOT);
        LinkPorts ports = network.link();
        link = ports;
        acting.of(container, network.shards().getFirst().config().tokens().cluster());
        work = new WorkUnderWay(network.shards(), member.clock());
        loops = new LoopWatch(network.shards().stream().map(Shard::executor).toList());
        if (ports != null) {
            standing =
                    new NodeStanding(
                            ports,
                            build,
                            () ->
                                    network.shards().stream()
                                            .map(shard -> shard.overload().state())
                                            .toList(),
                            () -> names(container));
        }
    }

    private static List<String> names(SipContainer container) {
        return container.applications().stream().map(Application::name).toList();
    }

    /** Applications are there, messages are received: the node takes part. */
    public void begin() {
        member.begin(this);
    }

    @Override
    public void tick(MemberState state) {
        NodeStanding known = standing;
        if (known != null) {
            known.tick(state);
            SipContainer here = container;
            if (here != null) {
                lacking.look(names(here), known.heard(member.number()), member.number());
            }
        }
        WorkUnderWay looks = work;
        if (looks != null) {
            looks.tick();
        }
        acting.look();
        tables.look(member.node().tablesApart(), member.node().table().version());
    }

    @Override
    public boolean hangs() {
        LoopWatch watch = loops;
        return watch != null && watch.hangs();
    }

    @Override
    public boolean quiet(int partition, long since) {
        WorkUnderWay looks = work;
        return looks == null || looks.quiet(partition, since);
    }

    @Override
    public void promoted(int partition, long term) {
        Adoption known = adoption;
        if (known != null) {
            known.promoted(partition, term);
        }
    }

    @Override
    public void lost(BitSet partitions) {
        Adoption known = adoption;
        if (known != null) {
            known.lost(partitions);
        }
    }

    @Override
    public BitSet unwritten(BitSet partitions) {
        BitSet found = new BitSet();
        SipContainer here = container;
        if (here != null) {
            for (ApplicationSession session : here.sessions().all()) {
                int partition = CallPartition.known(session);
                if (partition >= 0 && partitions.get(partition) && !protection.isWritten(session)) {
                    found.set(partition);
                }
            }
        }
        return found;
    }

    @Override
    public void letGo(BitSet partitions, Told told) {
        Adoption known = adoption;
        if (known == null) {
            NodeCalls.NONE.letGo(partitions, told);
        } else {
            known.leaving().letGo(partitions, protection::isWrittenInTurn, told);
        }
    }

    @Override
    public BitSet present(BitSet partitions) {
        Adoption known = adoption;
        return known == null ? new BitSet() : known.leaving().present(partitions);
    }

    @Override
    public String keeps(int partition) {
        SipContainer here = container;
        if (here == null) {
            return "";
        }
        for (ApplicationSession session : here.sessions().all()) {
            if (CallPartition.known(session) == partition && !protection.isWritten(session)) {
                CallStanding standing = protection.standing(session);
                String why =
                        standing == null || standing.why() == null ? "" : ", " + standing.why();
                return (session.busy() ? "a handler of call " : "the record of call ")
                        + session.getId()
                        + " of "
                        + session.application().name()
                        + (session.busy() ? " runs" : " is not written" + why);
            }
        }
        return "";
    }

    @Override
    public boolean mayHandOver() {
        SipContainer here = container;
        return !protection.status().alarm()
                && (here == null
                        || !lacking.lacks(
                                here.sessions().all().stream()
                                        .map(call -> call.application().name())));
    }

    @Override
    public void tableChanged() {
        LinkPorts ports = link;
        if (ports != null) {
            ports.changed();
        }
    }

    @Override
    public Map<Integer, ClusterView.Heard> heard() {
        NodeStanding known = standing;
        return known == null ? Map.of() : known.heard(member.number());
    }

    @Override
    public Map<String, List<Integer>> lacking() {
        return lacking.now();
    }

    @Override
    public ClusterView.CallsView view() {
        ProtectionStatus status = protection.status();
        Map<String, Long> unprotected = new TreeMap<>();
        status.unprotected()
                .forEach((why, count) -> {
                    if (count > 0) {
                        unprotected.put(why.text(), count);
                    }
                });
        Adoption known = adoption;
        return new ClusterView.CallsView(
                status.calls(),
                unprotected,
                status.leftUnprotected().values().stream().mapToLong(Long::longValue).sum(),
                status.lagMillis(),
                known == null ? 0 : known.adopted(),
                known == null ? 0 : known.known(),
                known == null ? 0 : known.lost());
    }

    /** What is counted, by name. */
    public Map<String, Long> counters() {
        ProtectionStatus status = protection.status();
        Map<String, Long> all = new HashMap<>(status.counters());
        all.putAll(status.gauges());
        all.put("cluster.now_calls_protected", status.calls());
        all.put("cluster.now_alarm", status.alarm() || !lacking.now().isEmpty() ? 1L : 0L);
        all.put("cluster.now_applications_lacking", (long) lacking.now().size());
        all.put("cluster.now_calls_unprotected", status.unprotectedCalls());
        all.put("cluster.now_nodes_by_another", (long) member.members().byAnother());
        all.put("cluster.now_tables_apart", (long) member.node().tablesApart().size());
        all.put("cluster.messages_dropped", member.members().dropped());
        all.put("cluster.messages_protected", status.leftProtected());
        all.put(
                "cluster.messages_unprotected",
                status.leftUnprotected().values().stream().mapToLong(Long::longValue).sum());
        all.put("cluster.records_written", status.states());
        all.put("cluster.record_bytes", status.bytes());
        all.put("cluster.write_failures", status.failures());
        OtherNodes handed = others;
        all.put("cluster.requests_handed_on", handed == null ? 0 : handed.handedOn());
        Adoption known = adoption;
        if (known != null) {
            all.put("cluster.calls_taken_over", known.adopted());
            all.put("cluster.calls_not_taken_over", known.lost());
            all.put("cluster.records_found_late", known.foundLate());
            all.put("cluster.silent_legs_asked", known.asked());
            all.put("cluster.silent_legs_ended", known.endedSilent());
        }
        return all;
    }
}
