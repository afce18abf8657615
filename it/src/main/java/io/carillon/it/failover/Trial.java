package io.carillon.it.failover;

import io.carillon.it.failover.Oracle.Line;
import io.carillon.it.failover.Oracle.Loss;
import io.carillon.server.cluster.ClusterView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The losses of a run, one after the other. One thread. */
final class Trial {
    private static final int LEAST_REHEARSED_SECONDS = 10;
    private static final long WHOLE_SECONDS = 300;
    private static final long SETTLE_SECONDS = 90;
    private static final double LOAD_AFTER_SECONDS = 3;
    private static final long LINGER_MILLIS = 2_000;
    private static final long LOOK_MILLIS = 200;
    private static final long FLAP_SECONDS = 3;
    private static final long FLUSH_MILLIS = 250;

    private final TrialCluster cluster;
    private final Site site;
    private final Shape shape;
    private final Phones.CallersBy callersBy;
    private final Path folder;
    private final LineTable table;
    private int returned = -1;

    /**
     * What each loss is like.
     *
     * @param lasts seconds of a fault that ends
     * @param rate calls/s
     * @param seconds of calls before it
     */
    record Shape(
            Fault fault,
            int lasts,
            Victim victim,
            List<Kind> kinds,
            int rate,
            int seconds,
            Phones.Pace pace) {}

    Trial(
            TrialCluster cluster,
            Site site,
            Shape shape,
            Phones.CallersBy callersBy,
            Path folder,
            LineTable table) {
        this.cluster = cluster;
        this.site = site;
        this.shape = shape;
        this.callersBy = callersBy;
        this.folder = folder;
        this.table = table;
    }

    /**
     * All calls of a loss once without one, which nobody judges: code that has just begun is slow,
     * and a node that dies in the field has run for a while. A short run goes without.
     */
    void rehearse() throws IOException {
        if (shape.seconds() < LEAST_REHEARSED_SECONDS) {
            return;
        }
        cluster.awaitEven(WHOLE_SECONDS);
        System.out.println("All calls once without a loss");
        try (Phones phones =
                new Phones(site.phones(), cluster.address(), callersBy, shape.pace())) {
            phones.load(shape.kinds(), shape.rate(), shape.seconds());
            phones.nodeGoes();
            phones.load(shape.kinds(), shape.rate(), LOAD_AFTER_SECONDS);
            phones.settle(settleSeconds());
        }
    }

    /** One. */
    void loss(int number, int of) throws IOException {
        Victim who = shape.victim().of(number);
        if (who.afterReturn()) {
            if (returned < 0) {
                cluster.awaitWhole(WHOLE_SECONDS);
                returned = cluster.victim(false);
                cluster.kill(returned);
                cluster.restart(returned);
            }
            cluster.awaitProtected(WHOLE_SECONDS);
        } else {
            // A call that is given to another node may come back by that way too.
            cluster.awaitEven(WHOLE_SECONDS);
        }
        try (Phones phones =
                new Phones(site.phones(), cluster.address(), callersBy, shape.pace())) {
            phones.load(shape.kinds(), shape.rate(), shape.seconds());
            if (who == Victim.REBALANCE) {
                awaitMoves(phones);
            }
            int node =
                    who.afterReturn()
                            ? cluster.other(returned)
                            : cluster.victim(who == Victim.COORDINATOR);
            System.out.printf(
                    "Loss %d of %d: %s of node %d (%s)%n",
                    number, of, shape.fault().text(), node, who.name().toLowerCase(Locale.ROOT));
            judge(phones, node, who, number, number < of);
        }
    }

    /** All calls have shown what they have to, and have ended. */
    private long settleSeconds() {
        Phones.Pace pace = shape.pace();
        return SETTLE_SECONDS
                + TimeUnit.MILLISECONDS.toSeconds(pace.timerMillis())
                + TimeUnit.NANOSECONDS.toSeconds(pace.spreadNanos());
    }

    private void awaitMoves(Phones phones) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WHOLE_SECONDS);
        while (!cluster.takesOver(returned)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("node " + returned + " came back and was given nothing");
            }
            phones.pass(LOOK_MILLIS);
        }
    }

    private void judge(Phones phones, int node, Victim who, int number, boolean more)
            throws IOException {
        ClusterView before = cluster.view(node);
        long goneAt = System.nanoTime();
        long goneAtMillis = System.currentTimeMillis();
        begin(node);
        // A process dies some milliseconds after it was asked to be killed.
        long actsUntilMillis = System.currentTimeMillis() + shape.fault().actsMillis();
        phones.nodeGoes();
        phones.load(shape.kinds(), shape.rate(), LOAD_AFTER_SECONDS);
        end(phones, node, goneAt);
        phones.settle(settleSeconds());
        phones.pass(LINGER_MILLIS);
        boolean killed = shape.fault() == Fault.KILL;
        List<CallFacts> facts = promised(phones.facts());
        List<String> timers =
                facts.stream()
                        .filter(CallFacts::good)
                        .flatMap(call -> call.timers().stream())
                        .toList();
        long unprotected =
                before.calls().unprotected().values().stream().mapToLong(Long::longValue).sum();
        Loss loss =
                new Loss(
                        goneAt,
                        shape.pace().takeOverNanos(),
                        before.calls().isProtected() + unprotected,
                        unprotected,
                        phones.strays(),
                        cluster.timers()
                                .judge(
                                        timers,
                                        shape.fault().moves() ? node : -1,
                                        goneAtMillis - FLUSH_MILLIS,
                                        actsUntilMillis),
                        who == Victim.REBALANCE,
                        killed ? String.valueOf(node) : "");
        List<Line> lines = Oracle.judge(facts, loss);
        lines.forEach(System.out::println);
        System.out.println("      the others say: " + others(node));
        write(folder.resolve("loss-" + number + ".txt"), facts, loss);
        if (killed && (more || shape.victim().afterReturn())) {
            cluster.restart(node);
            returned = node;
        }
        table.add(shape.fault(), facts, loss, agreed(killed && !more ? node : -1));
    }

    /** While no node lives the router refuses what begins: its sender tries his next server. */
    private List<CallFacts> promised(List<CallFacts> all) {
        if (shape.fault() != Fault.ISOLATED) {
            return all;
        }
        List<CallFacts> some =
                all.stream()
                        .filter(call ->
                                call.atKill() != CallFacts.Stage.AFTER
                                        || !call.fault().contains("SIP/2.0 503"))
                        .toList();
        System.out.printf(
                "      %d calls that began while no node could answer got 503%n",
                all.size() - some.size());
        return some;
    }

    private boolean agreed(int gone) throws IOException {
        if (gone < 0) {
            cluster.awaitProtected(WHOLE_SECONDS);
        }
        return cluster.comesToAgree(gone, WHOLE_SECONDS);
    }

    // ---- the fault ----

    private void begin(int node) throws IOException {
        switch (shape.fault()) {
            case KILL -> cluster.kill(node);
            case STOP -> cluster.stop(node);
            case CUT, FLAP -> site.wire().cut(node);
            case DEAF -> site.wire().deafen(node);
            case MUTE -> site.wire().mute(node);
            case BETWEEN -> site.wire().part(node, cluster.other(node));
            case ISOLATED -> {
                for (int each = 0; each < cluster.size(); each++) {
                    site.wire().cut(each);
                }
            }
        }
    }

    private void end(Phones phones, int node, long goneAt) throws IOException {
        long until = goneAt + TimeUnit.SECONDS.toNanos(shape.lasts());
        if (shape.fault() == Fault.KILL) {
            return;
        }
        if (shape.fault() == Fault.FLAP) {
            for (boolean there = false; until - System.nanoTime() > 0; there = !there) {
                phones.pass(TimeUnit.SECONDS.toMillis(FLAP_SECONDS));
                if (there) {
                    site.wire().cut(node);
                } else {
                    site.wire().mend(node);
                }
            }
        }
        phones.pass(Math.max(0, TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime())));
        if (shape.fault() == Fault.STOP) {
            cluster.goOn(node);
        } else {
            site.wire().mendAll();
        }
    }

    // ---- what is said of it ----

    private String others(int gone) throws IOException {
        List<String> all = new ArrayList<>();
        for (int node = 0; node < cluster.size(); node++) {
            if (node != gone) {
                ClusterView.CallsView calls = cluster.view(node).calls();
                all.add(
                        String.format(
                                Locale.ROOT,
                                "node %d took over %d calls, %d wait, %d not taken over, %d messages"
                                        + " left unprotected %s",
                                node,
                                calls.takenOver(),
                                calls.waiting(),
                                calls.lost(),
                                calls.leftUnprotected(),
                                calls.unprotected()));
            }
        }
        return String.join("; ", all);
    }

    /** Each call in a line, for who looks for a fault; times in ms after the loss. */
    private static void write(Path file, List<CallFacts> facts, Loss loss) throws IOException {
        List<String> lines = new ArrayList<>();
        for (CallFacts call : facts) {
            StringBuilder line = new StringBuilder();
            line.append(call.good() ? "good  " : "WRONG ").append(call.kind().user());
            line.append(' ').append(call.atKill()).append(' ').append(call.name());
            line.append(call.nodes().isEmpty() ? "" : " by nodes " + call.nodes());
            for (CallFacts.Check check : call.checks()) {
                line.append("; ").append(check.what());
                line.append(" at ").append(millis(check.sentNanos() - loss.goneAtNanos()));
                line.append(
                        check.answered()
                                ? " after " + millis(check.answeredNanos() - check.sentNanos())
                                : " never answered");
            }
            lines.add(line + (call.good() ? "" : "; " + call.wrong()));
        }
        loss.strays().forEach(stray -> lines.add("stray " + stray));
        Files.write(file, lines);
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
