package io.carillon.lab.compare;

import io.carillon.lab.rig.Sipp;
import io.carillon.lab.rig.SippPair;
import java.io.IOException;
import java.nio.file.Path;

/** A calling and an answering SIPp with the scenarios of this checkout. */
record SippLoad(ComparisonSetup trial) implements Load {
    @Override
    public Running start(int serverPort, int rate, int seconds, Path folder) throws IOException {
        long calls = (long) rate * seconds;
        SippPair pair =
                SippPair.start(trial.sipp(serverPort, rate, calls), folder, trial.sippUser());
        // What is not answered is over after 64*T1 = 32 s; as long again for a SIPp that makes its
        // calls late.
        long patience = 2L * seconds + trial.shape().holdMillis() / 1000 + 40L;
        return new Pair(pair, calls, patience, folder);
    }

    private record Pair(SippPair sipp, long calls, long patience, Path folder) implements Running {
        @Override
        public long cpuNanos() throws IOException {
            return sipp.cpuNanos();
        }

        @Override
        public Tally await() throws IOException {
            if (!sipp.hasEnded(patience)) {
                // SIPp waits for ever where an answer is missing; its counts come when it is ended.
                sipp.close();
            }
            Sipp.Counts caller = SippPair.callerCounts(folder);
            Sipp.Counts callee = SippPair.calleeCounts(folder);
            return new Tally(
                    caller.succeeded() + caller.failed(),
                    calls - caller.succeeded(),
                    caller.retransmissions() + callee.retransmissions(),
                    -1,
                    -1,
                    -1,
                    "");
        }

        @Override
        public void close() throws IOException {
            sipp.close();
        }
    }
}
