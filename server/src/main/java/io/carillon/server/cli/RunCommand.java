package io.carillon.server.cli;

import io.carillon.server.HomeFolder;
import io.carillon.server.Server;
import io.carillon.server.cluster.ClusterOnOneMachine;
import io.carillon.server.cluster.OwnPlace;
import io.carillon.server.config.ClusterSettings;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationException;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.config.ConfigurationSources;
import io.carillon.server.config.ListenAddress;
import io.carillon.server.config.Origin;
import io.carillon.server.config.ReadConfiguration;
import io.carillon.server.service.ServiceManager;
import io.carillon.server.start.SettingException;
import io.carillon.server.start.StartException;
import io.carillon.server.warmup.WarmUp;
import io.carillon.servlet.app.ApplicationName;
import io.carillon.sip.hop.HostPort;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code carillon run}: starts the server and stays until SIGTERM or {@code carillon stop}. */
@Command(
        name = "run",
        description = "Starts the server; without archives with the example applications.",
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "ARCHIVE",
            arity = "0..*",
            description = "Applications: .war, .sar, or a folder.")
    private List<Path> archives = new ArrayList<>();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration in YAML; see docs/reference/configuration.md.")
    private @Nullable Path config;

    @Option(
            names = "--sip",
            split = ",",
            paramLabel = "udp:HOST:PORT",
            converter = ListenConverter.class,
            description =
                    "Where to listen for SIP, separated by commas; udp, tcp, tls, ws or wss,"
                            + " \"as HOST:PORT\" after it says what others call it.")
    private @Nullable List<ListenAddress> sip;

    @Option(
            names = "--http",
            paramLabel = "HOST:PORT",
            converter = HostPortConverter.class,
            description = "Where to listen for HTTP.")
    private @Nullable HostPort http;

    @Option(
            names = "--watch",
            paramLabel = "FOLDER",
            description =
                    "A folder that is watched: its archives are deployed as they come and go.")
    private @Nullable Path watch;

    @Option(
            names = "--cluster",
            paramLabel = "FILE|NAME",
            description =
                    "A node of a cluster: FILE is a configuration with the section cluster; NAME is"
                            + " one on this machine, of three nodes and a router (docs/guides/clustering.md).")
    private @Nullable String cluster;

    @Option(names = "--router", paramLabel = "FILE", description = "The application router's file.")
    private @Nullable Path router;

    @Option(
            names = "--param",
            paramLabel = "APP.NAME=VALUE",
            description =
                    "A context parameter of an application; repeatable. APP and NAME may have dots: the longest deployed name is meant.")
    private List<String> parameters = new ArrayList<>();

    // The launcher has read these two before.
    @SuppressWarnings("unused")
    @Option(
            names = "--jvm",
            paramLabel = "OPTION",
            description = "One more JVM option; repeatable.")
    private List<String> jvm = new ArrayList<>();

    @SuppressWarnings("unused")
    @Option(
            names = "--jvm-options",
            paramLabel = "FILE",
            description =
                    "JVM options, one a line, instead of the shipped ones, as carillon lab jvm"
                            + " recommends them.")
    private @Nullable Path jvmOptions;

    @Option(names = "--show-jvm", description = "Prints the JVM and its options, and stops.")
    private boolean showJvm;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        if (cluster != null && Files.exists(Path.of(cluster))) {
            config = Path.of(cluster);
        }
        if (showJvm) {
            spec.commandLine()
                    .getOut()
                    .println(
                            String.join(
                                    "\n",
                                    ManagementFactory.getRuntimeMXBean().getInputArguments()));
            return 0;
        }
        ReadConfiguration read = read();
        Server server = start(read);
        server.endWithProcess();
        System.out.println(server.readyLine());
        System.out.println(server.hints().replace("./carillon", HomeFolder.current().command()));
        System.out.flush();
        ServiceManager.ofProcess().ready(server.readyLine());
        server.checkDeployed();
        new CountDownLatch(1).await(); // the process ends by its shutdown hook
        return 0;
    }

    /** A setting whose file is no good is told with its place in the configuration. */
    private Server start(ReadConfiguration read) throws StartException {
        try {
            return Server.start(
                    read,
                    () -> again(read.configuration()),
                    archives,
                    HomeFolder.current(),
                    () -> warmUp(read.configuration()));
        } catch (SettingException e) {
            Origin place = read.place(e.key());
            if (place == null) {
                throw e;
            }
            throw new StartException(place + ": " + e.getMessage(), e);
        }
    }

    private static void warmUp(Configuration configuration) {
        Duration limit = configuration.start().warmUp();
        if (configuration.cluster().configured()) {
            WarmUp.runOfNode(limit);
        } else {
            WarmUp.run(limit);
        }
    }

    /** What was asked for, else the owner's; the examples bring a file of their own. */
    private @Nullable Path configurationFile() {
        if (config != null) {
            return config;
        }
        HomeFolder home = HomeFolder.current();
        if (Files.isRegularFile(home.configuration())) {
            return home.configuration();
        }
        Path shipped = home.examplesConfiguration();
        boolean examples = archives.isEmpty() && watch == null;
        return examples && Files.isRegularFile(shipped) ? shipped : null;
    }

    /** For a start: of a cluster, the place that this process takes in it is chosen. */
    private ReadConfiguration read() throws ConfigurationException, StartException {
        ReadConfiguration read = ConfigurationReader.read(sources());
        Configuration result = read.configuration();
        if (cluster != null && !result.cluster().configured()) {
            ClusterName.check(spec.commandLine(), cluster, config);
            result = ClusterOnOneMachine.node(result, cluster, HomeFolder.current().clusters());
        } else if (result.cluster().configured()) {
            result =
                    result.withCluster(
                            OwnPlace.of(result.cluster(), HomeFolder.current().clusters()));
        }
        return read.with(options(result));
    }

    /** For a reload: the place in the cluster is that of the start. */
    private ReadConfiguration again(Configuration started) throws ConfigurationException {
        ReadConfiguration read = ConfigurationReader.read(sources());
        Configuration result = read.configuration();
        ClusterSettings before = started.cluster();
        if (before.configured() && !result.cluster().configured()) {
            result =
                    result.withCluster(before)
                            .withSipListen(List.of())
                            .withHttpListen(started.http().listen());
        } else if (before.listen() != null && result.cluster().nodes().contains(before.listen())) {
            result = result.withCluster(result.cluster().withListen(before.listen()));
        }
        return read.with(options(result));
    }

    /** What the command line says wins over the names of clusters too. */
    private Configuration options(Configuration of) {
        Configuration result = of;
        if (sip != null) {
            result = result.withSipListen(sip);
        }
        if (http != null) {
            result = result.withHttpListen(http);
        }
        return result;
    }

    private ConfigurationSources sources() {
        ConfigurationSources sources = ConfigurationSources.of(configurationFile());
        if (sip != null) {
            String all = String.join(",", sip.stream().map(ListenAddress::toString).toList());
            sources =
                    sources.with(
                            new ConfigurationSources.Option(
                                    "--sip", List.of("sip", "listen"), all, true));
        }
        if (http != null) {
            sources = sources.with(option("--http", http.toString(), "http", "listen"));
        }
        if (watch != null) {
            String folder = watch.toAbsolutePath().toString();
            sources = sources.with(option("--watch", folder, "deploy", "folder"));
        }
        if (router != null) {
            sources = sources.with(option("--router", router.toString(), "router"));
        }
        for (String parameter : parameters) {
            sources = sources.with(parameter(parameter));
        }
        return sources;
    }

    private static ConfigurationSources.Option option(String name, String value, String... path) {
        return new ConfigurationSources.Option(name, List.of(path), value, false);
    }

    private ConfigurationSources.Option parameter(String parameter) {
        int equals = parameter.indexOf('=');
        int dot = parameter.indexOf('.');
        if (dot <= 0 || equals <= dot + 1) {
            throw new ParameterException(
                    spec.commandLine(), "--param " + parameter + ": it has to be APP.NAME=VALUE");
        }
        String application = parameter.substring(0, dot);
        String fault = ApplicationName.fault(application);
        if (fault != null) {
            throw new ParameterException(
                    spec.commandLine(), "--param " + parameter + ": APP: " + fault);
        }
        return option(
                "--param",
                parameter.substring(equals + 1),
                "applications",
                application,
                "context-params",
                parameter.substring(dot + 1, equals));
    }

    static final class ListenConverter implements ITypeConverter<ListenAddress> {
        @Override
        public ListenAddress convert(String value) {
            try {
                return ListenAddress.parse(value.strip());
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(
                        "'" + value + "' has to be " + ListenAddress.FORM);
            }
        }
    }

    static final class HostPortConverter implements ITypeConverter<HostPort> {
        @Override
        public HostPort convert(String value) {
            try {
                return HostPort.parse(value.strip());
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException("'" + value + "' has to be HOST:PORT");
            }
        }
    }
}
