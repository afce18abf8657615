package io.carillon.server.cli;

import io.carillon.net.listen.ListeningPoint;
import io.carillon.router.Router;
import io.carillon.server.FrontStreams;
import io.carillon.server.LogLevels;
import io.carillon.server.cluster.FrontRouter;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.ListenAddress;
import io.carillon.server.warmup.WarmUp;
import io.carillon.sip.hop.HostPort;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code carillon router}: a router of a cluster; and below it commands to the application router
 * of the running server.
 */
@Command(
        name = "router",
        description =
                "Runs a router: one address before the nodes of a cluster (docs/guides/router.md). It keeps"
                        + " nothing of a call, so it may be ended and started at any time.",
        subcommands = {RouterCommand.Reload.class, ExplainCommand.class},
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
            paramLabel = "[TRANSPORT:]HOST:PORT",
            converter = FrontConverter.class,
            description =
                    "Where SIP is received by UDP, or by the transport before it, where that is not"
                            + " the cluster's address itself. May be given for each transport.")
    private List<ListenAddress> listen = List.of();

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
                    "--config FILE or --cluster NAME is needed, or one of the commands reload and explain");
        }
        Configuration configuration = source.configuration(spec);
        LogLevels.apply(configuration.log());
        FrontRouter.Own own = new FrontRouter.Own(link, listen, http);
        List<ListeningPoint> points = FrontRouter.points(configuration.cluster(), own);
        Router router =
                FrontRouter.start(
                        configuration.cluster(),
                        own,
                        points,
                        FrontStreams.of(configuration, points),
                        () -> WarmUp.runOfRouter(configuration.start().warmUp()));
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(router::close));
        spec.commandLine()
                .getOut()
                .println(
                        "READY: SIP "
                                + router.listening().stream()
                                        .map(Object::toString)
                                        .collect(Collectors.joining(", "))
                                + "; link "
                                + router.link().getHostString()
                                + ":"
                                + router.link().getPort());
        router.warnings().forEach(spec.commandLine().getOut()::println);
        spec.commandLine().getOut().flush();
        new CountDownLatch(1).await(); // the process ends by its shutdown hook
        return 0;
    }

    /** {@code HOST:PORT}, or with a transport before it. */
    static final class FrontConverter implements ITypeConverter<ListenAddress> {
        @Override
        public ListenAddress convert(String text) {
            try {
                return ListenAddress.parse(text);
            } catch (IllegalArgumentException e) {
                try {
                    return new ListenAddress(ListenAddress.Transport.UDP, HostPort.parse(text));
                } catch (IllegalArgumentException neither) {
                    throw new TypeConversionException(
                            "'"
                                    + text
                                    + "' is not HOST:PORT, or tcp:, tls:, ws: or wss: before it");
                }
            }
        }
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
            String answer = target.ask("router-reload");
            spec.commandLine().getOut().println(answer.strip());
            return 0;
        }
    }
}
