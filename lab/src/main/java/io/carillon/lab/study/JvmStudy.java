package io.carillon.lab.study;

import io.carillon.lab.process.Machine;
import io.carillon.lab.process.WrongSetting;
import io.carillon.lab.rig.CallTimes;
import io.carillon.lab.rig.RateSearch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A study of JVM settings as it was asked for; stored, so that it can be gone on with.
 *
 * @param application archive that the server runs
 * @param workload name of {@code ./carillon load}
 * @param heap as -Xmx takes it
 * @param settings in the order in which they are measured
 * @param timing how long each part takes
 * @param probeCalls calls of the search
 * @param heldCalls calls of the hold
 * @param fixedRate rate that every setting gets, clean or not; 0: each one's highest is searched
 * @param firstRate where the search begins
 * @param mostRate where it ends
 * @param resolution of the search, as a share of the rate
 * @param serverCpus processors of the server, as taskset takes them; empty: any
 * @param loadCpus processors of the load and the lab
 * @param serverArguments further ones of {@code ./carillon run}
 * @param loadArguments further ones of {@code ./carillon load}
 * @param machine what it runs on
 */
public record JvmStudy(
        String application,
        String workload,
        String heap,
        List<JvmSetting> settings,
        StudyTiming timing,
        CallTimes probeCalls,
        CallTimes heldCalls,
        int fixedRate,
        int firstRate,
        int mostRate,
        double resolution,
        String serverCpus,
        String loadCpus,
        List<String> serverArguments,
        List<String> loadArguments,
        Machine machine) {
    /** Refuses what cannot be run here and now. */
    void checkRun(boolean althoughBusy) throws IOException, WrongSetting {
        CpuPinning.check("--server-cpus", serverCpus, machine.cpus());
        CpuPinning.check("--load-cpus", loadCpus, machine.cpus());
        if (!althoughBusy) {
            CpuPinning.checkIdle();
        }
    }

    long secondsPerSetting() {
        return timing.secondsPerSetting(probeCalls, heldCalls, fixedRate == 0);
    }

    boolean isSearch() {
        return fixedRate == 0;
    }

    RateSearch.Limits limits() {
        return RateSearch.Limits.quick(firstRate, mostRate, resolution);
    }

    RateTrials.Load load() {
        return new RateTrials.Load(workload, loadCpus, loadArguments);
    }

    StudyServer.Plan server(List<String> jvmOptions) {
        return new StudyServer.Plan(Path.of(application), jvmOptions, serverArguments, serverCpus);
    }
}
