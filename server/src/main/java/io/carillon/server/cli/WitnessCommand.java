package io.carillon.server.cli;

import io.carillon.server.HomeFolder;
import io.carillon.server.LogLevels;
import io.carillon.server.cluster.ClusterSide;
import io.carillon.server.cluster.NodeCalls;
import io.carillon.server.config.ClusterSettings;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code carillon witness}: votes in a cluster of two nodes, and has no calls. */
@Command(
        name = "witness",
        description =
                "Votes in a cluster of two nodes, so that one goes on when the other dies; has no"
                        + " calls (docs/guides/clustering.md).",
        mixinStandardHelpOptions = true)
final class WitnessCommand implements Callable<Integer> {
    @Mixin private ClusterSource source = new ClusterSource();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        LogLevels.apply(source.configuration(spec).log());
        ClusterSettings settings = source.settings(spec);
        if (settings.witness() == null) {
            throw new ParameterException(
                    spec.commandLine(), "cluster.witness: is needed, where the witness listens");
        }
        ClusterSide member =
                ClusterSide.openWitness(
                        settings,
                        HomeFolder.current().clusters().resolve(settings.name() + "-witness"));
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(member::close));
        member.begin(NodeCalls.NONE);
        spec.commandLine().getOut().println("READY: witness at " + settings.witness());
        spec.commandLine().getOut().flush();
        new CountDownLatch(1).await(); // the process ends by its shutdown hook
        return 0;
    }
}
