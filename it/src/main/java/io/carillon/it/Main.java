package io.carillon.it;

import io.carillon.it.attack.Attacks;
import io.carillon.it.calls.Connections;
import io.carillon.it.calls.Slow;
import io.carillon.it.example.Chain;
import io.carillon.it.example.ClickToCall;
import io.carillon.it.example.Examples;
import io.carillon.it.example.Hiding;
import io.carillon.it.example.Redeploy;
import io.carillon.it.failover.Failover;
import io.carillon.it.failover.TroubledStore;
import io.carillon.it.operate.Healthy;
import io.carillon.it.operate.Logs;
import io.carillon.it.operate.Reload;
import io.carillon.it.order.Order;
import io.carillon.it.phone.Phones;
import io.carillon.it.place.Explain;
import io.carillon.it.place.Routers;
import io.carillon.it.place.Streams;
import io.carillon.it.registration.ClusterRegister;
import io.carillon.it.registration.Flows;
import io.carillon.it.registration.FullDisk;
import io.carillon.it.registration.Register;
import io.carillon.it.telemetry.Alerts;
import io.carillon.it.telemetry.Records;
import io.carillon.it.telemetry.Traces;
import io.carillon.it.upgrade.Scale;
import io.carillon.it.upgrade.Upgrade;
import io.carillon.it.watch.Watch;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * {@code ./carillon it NAME}: acceptance runs. Each uses the built server from outside, as its
 * users do, and its exit code says whether all went well. Without a name it lists them.
 */
@Command(
        name = "it",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        synopsisHeading = "Usage: ./carillon ",
        customSynopsis = "it NAME [OPTIONS]",
        commandListHeading = "%nRuns:%n",
        footer = {
            "",
            "./carillon it NAME --help tells the options of one; docs/reference/acceptance.md"
        },
        subcommands = {
            Examples.class,
            Redeploy.class,
            Chain.class,
            Hiding.class,
            ClickToCall.class,
            Phones.class,
            Register.class,
            ClusterRegister.class,
            FullDisk.class,
            Slow.class,
            Connections.class,
            Attacks.class,
            Reload.class,
            Logs.class,
            Healthy.class,
            Failover.class,
            TroubledStore.class,
            Upgrade.class,
            Scale.class,
            Explain.class,
            Streams.class,
            Routers.class,
            Flows.class,
            Order.class,
            Watch.class,
            Traces.class,
            Records.class,
            Alerts.class
        },
        description = "Acceptance runs of the built server; 0 when all went well.")
public final class Main implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getOut());
        return CommandLine.ExitCode.OK;
    }

    /** A wrong argument is one sentence, not the whole help. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main());
        line.setParameterExceptionHandler((wrong, arguments) -> {
            wrong.getCommandLine().getErr().println(sentence(wrong));
            return CommandLine.ExitCode.USAGE;
        });
        return line;
    }

    private static String sentence(ParameterException wrong) {
        CommandLine command = wrong.getCommandLine();
        if (command.getParent() == null
                && wrong instanceof UnmatchedArgumentException unmatched
                && !unmatched.isUnknownOption()) {
            return "carillon it: there is no run '"
                    + unmatched.getUnmatched().getFirst()
                    + "'; ./carillon it lists them";
        }
        return "carillon "
                + command.getCommandSpec().qualifiedName()
                + ": "
                + String.valueOf(wrong.getMessage()).lines().findFirst().orElse("")
                + " (--help tells all options)";
    }
}
