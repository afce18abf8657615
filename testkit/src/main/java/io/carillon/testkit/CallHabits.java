package io.carillon.testkit;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * What callers and callees of a {@link Simulation} do, at random: late, at the same time as the
 * other end, or not at all.
 */
final class CallHabits {
    private static final int[] REFUSALS = {404, 480, 486, 488, 503, 600, 603};

    private CallHabits() {}

    /** Gives a callee its habits. */
    static void callee(UserAgent agent, SplittableRandom random) {
        boolean slow = random.nextBoolean();
        agent.changeDelay(() -> slow ? Duration.ofMillis(random.nextInt(2_000)) : Duration.ZERO);
        agent.onCall(call -> answer(call, random.split()));
    }

    private static void answer(Call call, SplittableRandom random) {
        VirtualTime time = call.agent().network().time();
        long at = random.nextInt(3) == 0 ? 0 : millis(random, 2_000);
        int tones = random.nextInt(3);
        for (int i = 0; i < tones; i++) {
            boolean reliable = random.nextBoolean();
            int status = reliable ? 183 : 180;
            time.after(at, () -> call.provisional(status, reliable));
            at += millis(random, 1_500);
        }
        long end = at + (random.nextBoolean() ? 0 : millis(random, 6_000));
        switch (random.nextInt(8)) {
            case 0 -> {
                int status = REFUSALS[random.nextInt(REFUSALS.length)];
                time.after(end, () -> call.reject(status));
            }
            // Nobody picks up: the caller cancels, or this end refuses in the end.
            case 1 -> {}
            default -> time.after(end, call::answer);
        }
        talk(call, random, end);
    }

    /** Calls, and gives that call its habits. */
    static Call dial(UserAgent agent, String target, int number, SplittableRandom random) {
        Invitation invitation =
                agent.invite(target).header(SimulationRun.NUMBER, Integer.toString(number));
        if (random.nextBoolean()) {
            invitation.supports100rel();
        }
        if (random.nextInt(4) == 0) {
            invitation.withoutOffer();
        }
        Call call = invitation.send();
        VirtualTime time = agent.network().time();
        if (random.nextInt(3) == 0) {
            time.after(millis(random, 8_000), call::cancel);
        }
        talk(call, random, millis(random, 3_000));
        return call;
    }

    /** Changes at any time, in any state; an end in the end. */
    private static void talk(Call call, SplittableRandom random, long from) {
        VirtualTime time = call.agent().network().time();
        int changes = random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            int kind = random.nextInt(4);
            time.after(
                    from + millis(random, 8_000),
                    () -> {
                        switch (kind) {
                            case 0 -> call.update();
                            case 1 -> call.info();
                            default -> call.reinvite();
                        }
                    });
        }
        // On whole seconds, so that both ends often release at the same instant.
        time.after(
                from / 1_000_000_000L * 1_000_000_000L
                        + Duration.ofSeconds(6 + random.nextInt(6)).toNanos(),
                () -> end(call));
    }

    private static void end(Call call) {
        if (call.state() == Call.State.ENDED) {
            return;
        }
        if (!call.bye() && !call.cancel()) {
            call.reject(480);
        }
        call.agent().network().time().after(Duration.ofSeconds(5), () -> end(call));
    }

    private static long millis(SplittableRandom random, int most) {
        return random.nextInt(most) * 1_000_000L;
    }
}
