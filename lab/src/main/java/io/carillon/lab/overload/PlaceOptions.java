package io.carillon.lab.overload;

import io.carillon.lab.process.Machine;
import io.carillon.lab.process.WrongSetting;
import io.carillon.lab.study.CpuPinning;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that say who runs where. */
final class PlaceOptions {
    @Option(
            names = "--server-cpus",
            defaultValue = "0",
            description = "processors of the server, as taskset takes them; empty: any (0)")
    private String serverCpus = "0";

    @Option(
            names = "--load-cpus",
            defaultValue = "1",
            description = "processors of the loads and the lab; empty: any (1)")
    private String loadCpus = "1";

    @Option(
            names = "--server-argument",
            paramLabel = "ARGUMENT",
            description = "passed on to ./carillon run; repeatable")
    private List<String> serverArguments = new ArrayList<>();

    @Option(
            names = "--although-busy",
            description = "run although the machine has other things to do")
    private boolean althoughBusy;

    OverloadStudy.Places places() throws IOException, WrongSetting {
        Machine machine = Machine.here();
        CpuPinning.check("--server-cpus", serverCpus, machine.cpus());
        CpuPinning.check("--load-cpus", loadCpus, machine.cpus());
        return new OverloadStudy.Places(
                serverCpus, loadCpus, List.copyOf(serverArguments), machine);
    }

    /** Refuses a machine that has other things to do. */
    void checkMachine() throws IOException, WrongSetting {
        if (!althoughBusy) {
            CpuPinning.checkIdle();
        }
    }
}
