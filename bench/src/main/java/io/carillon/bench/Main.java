package io.carillon.bench;

import io.carillon.bench.micro.CallCost;
import io.carillon.bench.micro.Jmh;
import io.carillon.lab.compare.CompareCommand;
import io.carillon.lab.compare.FirstMinutesCommand;
import io.carillon.lab.compare.HighestCommand;
import io.carillon.lab.compare.ShardsCommand;
import io.carillon.lab.measure.AllocationPerMessage;
import io.carillon.lab.measure.ColdStart;
import io.carillon.lab.measure.FrontCost;
import io.carillon.lab.measure.GridCost;
import io.carillon.lab.measure.HeldB2buaCalls;
import io.carillon.lab.measure.HeldCallCost;
import io.carillon.lab.measure.IdleCost;
import io.carillon.lab.measure.LoadCost;
import io.carillon.lab.measure.StreamCost;
import io.carillon.lab.measure.TraceCost;
import io.carillon.lab.peers.Peers;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * {@code ./carillon bench}: measurements that are too long for the tests. Those of running servers
 * are the lab's; what runs inside this process, in virtual time, is here.
 */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        subcommands = {
            ColdStart.class,
            CompareCommand.class,
            FirstMinutesCommand.class,
            HighestCommand.class,
            ShardsCommand.class,
            Peers.class,
            HeldB2buaCalls.class,
            HeldCallCost.class,
            AllocationPerMessage.class,
            CallCost.class,
            LoadCost.class,
            StreamCost.class,
            IdleCost.class,
            TraceCost.class,
            FrontCost.class,
            GridCost.class,
            Jmh.class
        },
        description = "Measurements of Carillon and of its peers.")
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }
}
