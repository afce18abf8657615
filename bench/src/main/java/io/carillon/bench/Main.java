package io.carillon.bench;

import io.carillon.bench.micro.CallCost;
import io.carillon.bench.micro.Jmh;
import io.carillon.lab.compare.Compare;
import io.carillon.lab.compare.Highest;
import io.carillon.lab.compare.Shards;
import io.carillon.lab.measure.ColdStart;
import io.carillon.lab.measure.Garbage;
import io.carillon.lab.measure.Held;
import io.carillon.lab.measure.Hold;
import io.carillon.lab.measure.LoadCost;
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
            Compare.class,
            Highest.class,
            Shards.class,
            Peers.class,
            Hold.class,
            Held.class,
            Garbage.class,
            CallCost.class,
            LoadCost.class,
            TraceCost.class,
            Jmh.class
        },
        description = "Measurements of Carillon and of its peers.")
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }
}
