package io.carillon.testkit;

import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Many small worlds, each made from one number: callers, callees and what stands between them, on a
 * network that loses, doubles and delays; several calls at once, each with its own habits. A run
 * with the same seed is the same run, so the number of a failing one is the whole bug report.
 *
 * <p>{@code -Dcarillon.seeds=N} sets how many are run, {@code -Dcarillon.seed=N} runs one of them,
 * {@code -Dcarillon.trace=true} prints its messages. Owner: the test's thread.
 */
public final class Simulation {
    /** RFC 3261 16.6 step 11: Timer C of proxies. */
    private static final Duration TIMER_C = Duration.ofSeconds(181);

    /** Nothing may be left so long after the last call has ended. */
    private static final Duration LINGER = Duration.ofSeconds(70);

    private static final Duration LONGEST_CALL = Duration.ofMinutes(5);

    private final MiddleNode.@Nullable Factory middle;
    private final List<Invariant> invariants = new ArrayList<>(Invariants.standard());
    private int calls = 4;
    private int maxShards = 3;
    private Duration expiry = Duration.ZERO;

    private Simulation(MiddleNode.@Nullable Factory middle) {
        this.middle = middle;
    }

    /** User agents that call each other through what this makes. */
    public static Simulation through(MiddleNode.Factory middle) {
        return new Simulation(middle);
    }

    /** User agents that call each other directly. */
    public static Simulation direct() {
        return new Simulation(null);
    }

    /** Adds something that has to hold. */
    public Simulation invariant(Invariant invariant) {
        invariants.add(invariant);
        return this;
    }

    /** The most calls of a run; 4 without it. */
    public Simulation calls(int most) {
        calls = most;
        return this;
    }

    /**
     * How long the middle may keep, beyond Timer C, what was lost for good: its sessions' expiry.
     */
    public Simulation expiry(Duration value) {
        expiry = value;
        return this;
    }

    /**
     * Runs the seeds that the system properties ask for, or so many from 1 on.
     *
     * @throws AssertionError for the first seed that fails, with its number and its story
     */
    public Summary runSeeds(int otherwise) {
        Long one = Long.getLong("carillon.seed");
        Summary summary = new Summary();
        if (one != null) {
            summary.add(run(one));
            return summary;
        }
        long seeds = Long.getLong("carillon.seeds", otherwise);
        for (long seed = 1; seed <= seeds; seed++) {
            summary.add(run(seed));
        }
        return summary;
    }

    /** Runs one seed. */
    public SimulationRun run(long seed) {
        SplittableRandom random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L);
        SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), random.nextLong());
        network.conditions(conditions(random));
        if (Boolean.getBoolean("carillon.trace")) {
            network.tap(Simulation::trace);
        }
        SimulationRun run = new SimulationRun(seed, network);
        try {
            play(run, random);
            return run;
        } catch (AssertionError | RuntimeException e) {
            String text = "seed " + seed + " fails; run it again with -Dcarillon.seed=" + seed;
            throw new AssertionError(text + "\n" + e.getMessage() + "\n" + run.story(), e);
        }
    }

    private static LinkConditions conditions(SplittableRandom random) {
        if (random.nextInt(4) == 0) {
            return LinkConditions.PERFECT;
        }
        return new LinkConditions(
                random.nextInt(3) == 0 ? 0 : random.nextDouble(0.2),
                random.nextDouble(0.1),
                random.nextDouble(0.2),
                LinkConditions.WORST.minDelayNanos(),
                LinkConditions.WORST.maxDelayNanos(),
                random.nextLong(LinkConditions.WORST.holdNanos()));
    }

    private void play(SimulationRun run, SplittableRandom random) {
        SimulatedNetwork network = run.network();
        VirtualTime time = network.time();
        int callees = 1 + random.nextInt(3);
        for (int i = 0; i < callees; i++) {
            UserAgent agent = agent(run, random, "callee" + i, "10.0.2." + (i + 1));
            CallHabits.callee(agent, random.split());
        }
        MiddleNode.Factory factory = middle;
        if (factory != null) {
            run.middle(factory.start(network, "10.0.9.1", user -> targets(user, callees)));
        }
        UserAgent caller = agent(run, random, "caller", "10.0.1.1");
        int count = 1 + random.nextInt(calls);
        for (int i = 0; i < count; i++) {
            int number = i;
            String target = target(run, random, callees);
            SplittableRandom habits = random.split();
            time.after(
                    Duration.ofMillis(random.nextInt(5_000)),
                    () -> run.dialled(number, CallHabits.dial(caller, target, number, habits)));
        }
        if (random.nextInt(20) == 0) {
            UserAgent victim = run.agents().getFirst();
            time.after(Duration.ofMillis(random.nextInt(15_000)), () -> run.crash(victim));
        }
        finish(run, time);
    }

    private void finish(SimulationRun run, VirtualTime time) {
        time.runFor(Duration.ofSeconds(6));
        boolean ended = time.runUntil(run::ended, LONGEST_CALL.multipliedBy(2));
        time.runFor(LINGER);
        String left = run.leftovers();
        if (!left.isEmpty() && run.lostForGood()) {
            // What was lost for good ends by Timer C, or by the expiry of its session.
            time.runFor(TIMER_C.plus(expiry).plus(LINGER));
            left = run.leftovers();
        }
        for (Invariant invariant : invariants) {
            invariant.check(run);
        }
        if (!ended || !left.isEmpty()) {
            throw new AssertionError("left: " + left);
        }
    }

    private UserAgent agent(SimulationRun run, SplittableRandom random, String name, String host) {
        UserAgent agent =
                UserAgent.start(
                        run.network(),
                        name,
                        host,
                        5060,
                        1 + random.nextInt(maxShards),
                        StackConfig.builder());
        run.agents().add(agent.longestCall(LONGEST_CALL));
        return agent;
    }

    /** The user part says which callees: {@code u5} is the set with the bits 0 and 2. */
    private static List<String> targets(String user, int callees) {
        List<String> uris = new ArrayList<>();
        int set = user.startsWith("u") ? Integer.parseInt(user.substring(1)) : 0;
        for (int i = 0; i < callees; i++) {
            if ((set & 1 << i) != 0) {
                uris.add("sip:callee" + i + "@10.0.2." + (i + 1));
            }
        }
        return uris;
    }

    private static String target(SimulationRun run, SplittableRandom random, int callees) {
        MiddleNode node = run.middle();
        int set = 1 + random.nextInt((1 << callees) - 1);
        if (node != null) {
            return node.uri().replace("sip:", "sip:u" + set + "@");
        }
        return targets("u" + Integer.lowestOneBit(set), callees).getFirst();
    }

    private static void trace(
            long atNanos,
            SimulatedNetwork.Fate fate,
            Transport transport,
            InetSocketAddress from,
            InetSocketAddress to,
            byte[] bytes) {
        if (fate == SimulatedNetwork.Fate.SENT) {
            return;
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        int cseq = text.indexOf("CSeq:");
        System.out.println(
                (atNanos - VirtualTime.START_NANOS) / 1_000_000
                        + " ms "
                        + fate
                        + " "
                        + from.getAddress().getHostAddress()
                        + " -> "
                        + to.getAddress().getHostAddress()
                        + " "
                        + text.substring(0, text.indexOf('\r'))
                        + " | "
                        + text.substring(cseq, text.indexOf('\r', cseq)));
    }

    /** What a number of runs came to: that they were calls, and not all of them failures. */
    public static final class Summary {
        private int runs;
        private int total;
        private int answered;
        private int gaveUp;
        private long messages;

        private void add(SimulationRun run) {
            runs++;
            messages += run.network().sent();
            for (SimulatedCall call : run.calls()) {
                total++;
                answered += call.caller().answered() ? 1 : 0;
                gaveUp += call.caller().ending() == Ending.GAVE_UP ? 1 : 0;
            }
        }

        public int runs() {
            return runs;
        }

        public int calls() {
            return total;
        }

        public int answered() {
            return answered;
        }

        public int gaveUp() {
            return gaveUp;
        }

        @Override
        public String toString() {
            return runs
                    + " runs, "
                    + total
                    + " calls, "
                    + answered
                    + " answered, "
                    + gaveUp
                    + " given up by their callers, "
                    + messages
                    + " messages";
        }
    }
}
