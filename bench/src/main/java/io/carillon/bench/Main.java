package io.carillon.bench;

import io.carillon.bench.attack.Attacks;
import io.carillon.bench.compare.Compare;
import io.carillon.bench.compare.Highest;
import io.carillon.bench.compare.Shards;
import io.carillon.bench.load.Chain;
import io.carillon.bench.load.ClickToCall;
import io.carillon.bench.load.ColdStart;
import io.carillon.bench.load.Connections;
import io.carillon.bench.load.Examples;
import io.carillon.bench.load.FullDisk;
import io.carillon.bench.load.Garbage;
import io.carillon.bench.load.Held;
import io.carillon.bench.load.Hiding;
import io.carillon.bench.load.Hold;
import io.carillon.bench.load.LoadCost;
import io.carillon.bench.load.Phones;
import io.carillon.bench.load.Redeploy;
import io.carillon.bench.load.Register;
import io.carillon.bench.load.Slow;
import io.carillon.bench.load.TraceCost;
import io.carillon.bench.micro.CallCost;
import io.carillon.bench.micro.Jmh;
import io.carillon.bench.peers.Peers;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code ./carillon bench}: measurements that are too long for the tests. */
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
            Examples.class,
            Hiding.class,
            ClickToCall.class,
            Redeploy.class,
            FullDisk.class,
            Register.class,
            Phones.class,
            Chain.class,
            Slow.class,
            Connections.class,
            Attacks.class,
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
