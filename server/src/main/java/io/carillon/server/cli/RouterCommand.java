package io.carillon.server.cli;

import io.carillon.router.Router;
import io.carillon.server.cluster.FrontRouter;
import io.carillon.server.control.ControlClient;
import io.carillon.sip.hop.HostPort;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code carillon router}: a router of a cluster; and below it commands to the application router
 * of the running server.
 */
@Command(
        name = "router",
        description =
                "Runs a router: one address before the nodes of a cluster (docs/router.md). It keeps"
                        + " nothing of a call, so it may be ended and started at any time.",
        subcommands = RouterCommand.Reload.class,
        mixinStandardHelpOptions = true)
final class RouterCommand implements Callable<Integer> {
    @Mixin private ClusterSource source = new ClusterSource();

    @Option(
            names = "--link",
            paramLabel = "HOST:PORT",
            converter = RunCommand.HostPortConverter.class,
            description = "Which of cluster.routers this one is, where there are several.")
    private @Nullable HostPort link;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            converter = RunCommand.HostPortConverter.class,
            description =
                    "Where SIP is received, by UDP, where that is not cluster.address itself.")
    private @Nullable HostPort listen;

    @Option(
            names = "--http",
            paramLabel = "HOST:PORT",
            converter = RunCommand.HostPortConverter.class,
            description = "Where its metrics and status are shown, by HTTP.")
    private @Nullable HostPort http;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        if (!source.given()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--config FILE or --cluster NAME is needed, or the command reload");
        }
        Router router = FrontRouter.start(source.settings(spec), link, listen, http);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(router::close));
        spec.commandLine()
                .getOut()
                .println(
                        "READY: SIP udp:"
                                + router.listening().getFirst().getHostString()
                                + ":"
                                + router.listening().getFirst().getPort()
                                + "; link "
                                + router.link().getHostString()
                                + ":"
                                + router.link().getPort());
        router.warnings().forEach(spec.commandLine().getOut()::println);
        spec.commandLine().getOut().flush();
        new CountDownLatch(1).await(); // the process ends by its shutdown hook
        return 0;
    }

    /** {@code carillon router reload}. */
    @Command(
            name = "reload",
            description =
                    "Reads the router's file again now. A wrong one is told with its line, and the old"
                            + " rules stay.",
            mixinStandardHelpOptions = true)
    static final class Reload implements Callable<Integer> {
        @Mixin private ControlTarget target = new ControlTarget();

        @Spec private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws Exception {
            String answer = ControlClient.ask(target.socket(), "router-reload");
            spec.commandLine().getOut().println(answer.strip());
            return 0;
        }
    }
}
