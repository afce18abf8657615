package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.node.ClusterTimes;
import io.carillon.sip.message.SipRequest;
import io.carillon.testkit.Call;
import io.carillon.testkit.Ending;
import io.carillon.testkit.LinkConditions;
import io.carillon.testkit.UserAgent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Calls of all kinds on a cluster of 3 or 5 nodes under faults of all kinds, each run made by its
 * seed. {@code -Dcarillon.cluster.seeds=10000} runs more of them, {@code
 * -Dcarillon.cluster.first=N} those from N on, {@code -Dcarillon.cluster.seed=N} one, with its
 * story.
 */
class ClusterCallsSimulationTest {
    private static final long MILLIS = 1_000_000;
    private static final long SECONDS = 1_000 * MILLIS;
    private static final ClusterTimes STANDARD = ClusterTimes.STANDARD;

    /** Partitions move sooner, so that more of them do while something fails. */
    private static final ClusterTimes RESTLESS =
            new ClusterTimes(
                    STANDARD.beat(),
                    STANDARD.lease(),
                    STANDARD.margin(),
                    STANDARD.again(),
                    STANDARD.doubt(),
                    3 * SECONDS,
                    STANDARD.rejoin(),
                    STANDARD.fill(),
                    SECONDS,
                    STANDARD.handOver(),
                    STANDARD.handOvers(),
                    STANDARD.firstHandOvers(),
                    STANDARD.doubling());

    @Test
    void anEstablishedCallEndsOnlyByItsParties() {
        Long one = Long.getLong("carillon.cluster.seed");
        long from = one == null ? Long.getLong("carillon.cluster.first", 0) : one;
        long to = one == null ? from + Long.getLong("carillon.cluster.seeds", 15) : one + 1;
        List<String> faults = new ArrayList<>();
        int calls = 0;
        int timers = 0;
        for (long seed = from; seed < to; seed++) {
            Run run = new Run(seed);
            run.whole();
            calls += run.calls.size();
            timers += run.cluster.fired.count();
            if (!run.faults.isEmpty()) {
                faults.add("seed " + seed + ": " + run.faults);
                if (one != null) {
                    run.cluster.story.forEach(System.out::println);
                    run.bob.calls().forEach(System.out::println);
                }
            }
        }
        System.out.printf(
                "%d seeds, %d calls, %d timers, %d seeds went wrong%n",
                to - from, calls, timers, faults.size());
        assertThat(faults).isEmpty();
    }

    /** A call of Alice's, and what is to become of it. */
    private static final class Plan {
        final String kind;
        final Call call;
        final long endsAt;
        final boolean bobEnds;
        final boolean cancels;

        /** Bob has sent his BYE, which may arrive behind the 481 to a request of Alice's. */
        boolean bobEnded;

        /** Alice has hung up, as nothing was heard of her INVITE. */
        boolean unheard;

        Plan(String kind, Call call, long endsAt, boolean bobEnds, boolean cancels) {
            this.kind = kind;
            this.call = call;
            this.endsAt = endsAt;
            this.bobEnds = bobEnds;
            this.cancels = cancels;
        }
    }

    private static final class Run {
        private static final List<String> KINDS =
                List.of("uas", "b2bua", "proxy", "rings", "timers", "room");
        private static final List<String> RINGING = List.of("b2bua", "proxy", "rings");
        private static final long LENGTH = 60 * SECONDS;

        final SimulatedCluster cluster;
        final UserAgent alice;
        final UserAgent bob;
        final List<Plan> calls = new ArrayList<>();
        final List<String> faults = new ArrayList<>();

        Run(long seed) {
            cluster =
                    new SimulatedCluster(
                            seed, seed % 4 == 3 ? 5 : 3, seed % 2 == 0 ? STANDARD : RESTLESS);
            alice = UserAgent.start(cluster.network, "alice", "10.0.1.1", 5060);
            bob = UserAgent.start(cluster.network, "bob", "10.0.1.2", 5060);
            bob.onCall(call -> {
                call.ring();
                cluster.time.after(cluster.between(500, 4_000) * MILLIS, call::answer);
            });
        }

        void whole() {
            boolean up = cluster.time.runUntil(cluster::whole, Duration.ofSeconds(90));
            if (!up) {
                faults.add("the cluster did not come up");
                return;
            }
            cluster.note("whole");
            if (cluster.chance(0.5)) {
                cluster.network.conditions(LinkConditions.PERFECT.withLoss(0.03));
            }
            int count = 20;
            for (int i = 0; i < count; i++) {
                cluster.time.after(cluster.between(0, LENGTH * 3 / 4), this::begins);
            }
            fault(cluster.time.nanoTime() + LENGTH);
            cluster.time.runFor(Duration.ofNanos(LENGTH));
            cluster.loss = 0;
            if (!cluster.time.runUntil(this::over, Duration.ofMinutes(4))) {
                faults.add("calls do not end");
            }
            cluster.network.conditions(LinkConditions.PERFECT);
            calls.forEach(this::judge);
            faults.addAll(cluster.fired.wrong());
            faults.addAll(cluster.owners.wrong());
            nothingStays();
        }

        // ---- calls ----

        private void begins() {
            String kind = KINDS.get(cluster.random.nextInt(KINDS.size()));
            String user = kind.equals("room") ? "room" + cluster.random.nextInt(2) : kind;
            Call call = alice.call("sip:" + user + "@" + SimulatedCluster.HOST);
            Plan plan =
                    new Plan(
                            kind,
                            call,
                            cluster.time.nanoTime() + cluster.between(12, 60) * SECONDS,
                            kind.equals("proxy") && cluster.chance(0.5),
                            RINGING.contains(kind) && cluster.chance(0.2));
            calls.add(plan);
            if (plan.cancels) {
                cluster.time.after(
                        cluster.between(300, 1_500) * MILLIS,
                        () -> {
                            plan.unheard = unheard(call);
                            call.cancel();
                        });
            }
            goesOn(plan);
        }

        private void goesOn(Plan plan) {
            Call call = plan.call;
            cluster.time.after(
                    cluster.between(500, 6_000) * MILLIS,
                    () -> {
                        if (call.state() == Call.State.ENDED) {
                            return;
                        }
                        if (call.state() == Call.State.ESTABLISHED) {
                            if (cluster.time.nanoTime() >= plan.endsAt) {
                                hangUp(plan);
                            } else {
                                change(call);
                            }
                        } else if (cluster.time.nanoTime() >= plan.endsAt && unheard(call)) {
                            // The node that had its INVITE is gone, and was not to tell anybody.
                            plan.unheard = true;
                            call.cancel();
                        }
                        goesOn(plan);
                    });
        }

        /** Nothing but 100 (Trying) has come: there is no dialog that would have to go on. */
        private boolean unheard(Call call) {
            return call.events().stream()
                    .noneMatch(event ->
                            event.text().startsWith("< ") && !event.text().startsWith("< 100 "));
        }

        private void change(Call call) {
            switch (cluster.random.nextInt(3)) {
                case 0 -> call.reinvite();
                case 1 -> call.info();
                default -> {}
            }
        }

        /** The callee of a proxied call is found by its Call-ID. */
        private void hangUp(Plan plan) {
            SipRequest invite = plan.call.invite();
            if (plan.bobEnds && invite != null) {
                for (Call leg : bob.calls()) {
                    SipRequest came = leg.invite();
                    if (came != null
                            && came.callId().equals(invite.callId())
                            && leg.state() == Call.State.ESTABLISHED) {
                        plan.bobEnded = true;
                        leg.bye();
                        return;
                    }
                }
            }
            plan.call.bye();
        }

        private boolean over() {
            return calls.stream().allMatch(plan -> plan.call.state() == Call.State.ENDED);
        }

        private void judge(Plan plan) {
            Ending how = plan.call.ending();
            boolean good =
                    switch (how) {
                        case null -> false;
                        case RELEASED_HERE -> true;
                        case RELEASED_THERE -> plan.bobEnds;
                        case CANCELLED -> plan.cancels || plan.unheard;
                        case REJECTED ->
                                (plan.cancels || plan.unheard) && plan.call.finalStatus() == 487;
                        case GAVE_UP -> plan.bobEnded || plan.unheard;
                    };
            if (!good) {
                faults.add(plan.kind + " " + plan.call);
            }
        }

        // ---- faults ----

        private void fault(long until) {
            long later = cluster.between(1_500, 9_000) * MILLIS;
            if (cluster.time.nanoTime() + later < until) {
                cluster.time.after(
                        later,
                        () -> {
                            one();
                            fault(until);
                        });
            }
        }

        /** One at a time: the next only where each call has two copies again. */
        private void one() {
            int victim = cluster.random.nextInt(cluster.size());
            for (int node = 0; node < cluster.size(); node++) {
                if (!cluster.lives(node)) {
                    cluster.start(node);
                    return;
                }
            }
            boolean calm =
                    cluster.all().stream()
                            .allMatch(each ->
                                    each.runs()
                                            && !cluster.isCut(each.number())
                                            && each.table().orphans() == 0
                                            && !each.protection().status().alarm());
            if (!calm) {
                return;
            }
            switch (cluster.random.nextInt(10)) {
                case 0, 1, 2 -> cluster.kill(victim);
                case 3 -> cluster.stop(victim, cluster.between(200, 9_000) * MILLIS);
                case 4 ->
                        cluster.cut(
                                victim,
                                SimulatedWires.Cut.BOTH_WAYS,
                                cluster.between(200, 9_000) * MILLIS);
                case 8 -> {
                    SimulatedWires.Cut how =
                            cluster.chance(0.5) ? SimulatedWires.Cut.DEAF : SimulatedWires.Cut.MUTE;
                    cluster.cut(victim, how, cluster.between(200, 9_000) * MILLIS);
                }
                case 9 -> cluster.isolate(cluster.between(200, 9_000) * MILLIS);
                case 5 -> {
                    if (cluster.all().stream().allMatch(SimulatedMember::stable)) {
                        cluster.note("node " + victim + " is told to leave");
                        cluster.node(victim).leave();
                    }
                }
                case 6 -> cluster.loss = cluster.chance(0.5) ? 0 : cluster.random.nextDouble() / 5;
                default -> {}
            }
        }

        // ---- the end ----

        /** A call that nobody has is asked for after ten minutes at most, twice. */
        private static final int MOST_MINUTES = 25;

        /** Until an application session is over of which nothing is heard. */
        private static final int SESSION_MINUTES = 60;

        private boolean empty() {
            return alice.leftovers().isEmpty()
                    && bob.leftovers().isEmpty()
                    && cluster.all().stream()
                            .allMatch(each ->
                                    each.container.callsHeld() == 0
                                            && each.container.sessions().dialogs() == 0
                                            && each.adoption().known() == 0
                                            && each.adoption().loading() == 0
                                            && cluster.grid.node(each.number()).size() == 0);
        }

        /** A proxy is no party of a call, and asks nobody for it: its session ends by its time. */
        private boolean onlyProxied() {
            return cluster.all().stream()
                    .flatMap(each -> each.container.sessions().all().stream())
                    .flatMap(session -> session.sessions().stream())
                    .allMatch(leg -> leg.dialog().proxied() != null);
        }

        private void nothingStays() {
            for (int node = 0; node < cluster.size(); node++) {
                cluster.start(node);
            }
            for (int minute = 0; minute < MOST_MINUTES && !empty(); minute++) {
                cluster.time.runFor(Duration.ofMinutes(1));
            }
            if (!empty() && onlyProxied()) {
                cluster.time.runFor(Duration.ofMinutes(SESSION_MINUTES));
            }
            String left = alice.leftovers() + bob.leftovers();
            if (!left.isEmpty()) {
                faults.add("phones: " + left);
            }
            for (SimulatedMember each : cluster.all()) {
                int held = each.container.callsHeld();
                int waiting = each.adoption().known() + each.adoption().loading();
                if (held + waiting > 0 || each.container.sessions().dialogs() > 0) {
                    faults.add(
                            "node "
                                    + each.number()
                                    + " has "
                                    + each.container.sessions().all()
                                    + ", "
                                    + waiting
                                    + " records, "
                                    + each.container.sessions().dialogs()
                                    + " dialogs");
                }
                if (each.adoption().lost() > 0) {
                    faults.add("node " + each.number() + " could not take over a call");
                }
                Throwable failure = each.container.errors().lastOfContainer();
                String thrown = each.container.errors().lastOfApplications();
                if (failure != null || !thrown.isEmpty()) {
                    faults.add("node " + each.number() + ": " + failure + ", " + thrown);
                }
                List<String> records = cluster.grid.node(each.number()).records();
                if (!records.isEmpty()) {
                    faults.add("the store of node " + each.number() + " has " + records);
                }
            }
        }
    }
}
