package io.carillon.lab.study;

import io.carillon.lab.process.CpuTimes;
import io.carillon.lab.process.Proc;
import java.io.IOException;

/**
 * What the machine does beside a server, its load and the lab, over several readings. Used by one
 * thread.
 */
final class MachineWatch {
    private final LoadedServer target;
    private CpuTimes machine;
    private long known;
    private double steal;
    private double others;
    private int readings;

    private MachineWatch(LoadedServer target, CpuTimes machine, long known) {
        this.target = target;
        this.machine = machine;
        this.known = known;
    }

    static MachineWatch watch(LoadedServer target) throws IOException {
        return new MachineWatch(target, CpuTimes.now(), known(target));
    }

    /** Takes in what happened since the last reading. */
    void read() throws IOException {
        CpuTimes now = CpuTimes.now();
        long knownNow = known(target);
        CpuTimes past = now.since(machine);
        // Less than before: a process of ours has ended, and took its time with it.
        if (knownNow >= known && past.total() > 0) {
            steal += past.stealShare();
            others += past.othersShare(knownNow - known);
            readings++;
        }
        machine = now;
        known = knownNow;
    }

    /** The mean of all readings. */
    Disturbance mean() {
        return readings == 0
                ? new Disturbance(0, 0)
                : new Disturbance(steal / readings, others / readings);
    }

    /** The lab's descendants are the load and the server, unless that is somebody else's. */
    private static long known(LoadedServer target) throws IOException {
        long own = Proc.cpuNanos(ProcessHandle.current());
        return target.isOurChild() ? own : own + target.cpuNanos();
    }
}
