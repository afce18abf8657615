package io.carillon.lab.rig;

import io.carillon.lab.process.Disturbance;
import io.carillon.lab.process.Occupation;
import java.io.IOException;

/**
 * What the machine does beside a server, its load and this process, over several readings. Used by
 * one thread.
 */
public final class Surroundings {
    private final Target target;
    private Occupation last;
    private double steal;
    private double others;
    private int readings;

    private Surroundings(Target target, Occupation now) {
        this.target = target;
        this.last = now;
    }

    public static Surroundings watch(Target target) throws IOException {
        return new Surroundings(target, Occupation.now(target.foreign()));
    }

    /** Takes in what happened since the last reading. */
    public void read() throws IOException {
        Occupation now = Occupation.now(target.foreign());
        // Less than before: a process of ours has ended, and took its time with it.
        if (now.ownTicks() >= last.ownTicks()) {
            Disturbance past = now.since(last);
            steal += past.steal();
            others += past.others();
            readings++;
        }
        last = now;
    }

    /** The mean of all readings. */
    public Disturbance mean() {
        return readings == 0
                ? new Disturbance(0, 0)
                : new Disturbance(steal / readings, others / readings);
    }
}
