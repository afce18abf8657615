package io.carillon.lab.rig;

import io.carillon.lab.process.CpuOccupation;
import io.carillon.lab.process.Disturbance;
import java.io.IOException;

/**
 * What the machine does beside a server, its load and this process, over several readings. Used by
 * one thread.
 */
public final class MachineWatch {
    private final LoadedServer target;
    private CpuOccupation last;
    private double steal;
    private double others;
    private int readings;

    private MachineWatch(LoadedServer target, CpuOccupation now) {
        this.target = target;
        this.last = now;
    }

    public static MachineWatch watch(LoadedServer target) throws IOException {
        return new MachineWatch(target, CpuOccupation.now(target.foreign()));
    }

    /** Takes in what happened since the last reading. */
    public void read() throws IOException {
        CpuOccupation now = CpuOccupation.now(target.foreign());
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
