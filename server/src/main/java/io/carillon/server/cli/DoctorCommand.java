package io.carillon.server.cli;

import io.carillon.server.MachineNeeds;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationException;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFailure;
import io.carillon.server.doctor.Doctor;
import io.carillon.server.doctor.Finding;
import io.carillon.server.doctor.FirstTouch;
import io.carillon.server.doctor.Report;
import io.carillon.server.doctor.ReportText;
import io.carillon.server.doctor.RunningServer;
import io.carillon.server.doctor.ServerNeeds;
import io.carillon.server.doctor.SystemFiles;
import io.carillon.server.doctor.TlsChecks;
import io.carillon.server.measure.OverloadText;
import io.carillon.server.measure.ServerStatus;
import io.carillon.server.measure.StatusText;
import io.carillon.server.start.SettingException;
import io.carillon.server.tls.TlsSide;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code carillon doctor}: what of this machine costs calls, with a server or without. */
@Command(
        name = "doctor",
        description = "Says what of this machine costs calls, and the commands that mend it.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:nothing is worse than a note",
            "1:there is a warning or a fault",
            "2:wrong arguments, or a configuration that cannot be read"
        })
final class DoctorCommand implements Callable<Integer> {
    private static final int WRONG = 2;
    private static final double LONGEST_WATCH = 3600;

    /** The part of the memory that the shipped options give to the heap (MaxRAMPercentage). */
    private static final int HEAP_PERCENT = 50;

    @Option(names = "--json", description = "As JSON (docs/guides/doctor.md).")
    private boolean json;

    @Option(
            names = "--watch",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "How long counters are watched (${DEFAULT-VALUE}); 0: one look.")
    private double watchSeconds;

    @Option(
            names = "--touch",
            description =
                    "Takes the free memory for some seconds, and says what its first use costs; not while a server runs.")
    private boolean touch;

    @Mixin private ControlTarget target = new ControlTarget();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        if (!(watchSeconds >= 0 && watchSeconds <= LONGEST_WATCH)) {
            throw new ParameterException(
                    spec.commandLine(), "--watch has to be 0 to 3600 seconds, not " + watchSeconds);
        }
        ServerNeeds needs;
        try {
            needs = MachineNeeds.of(target.configuration(), heapOfAServer());
        } catch (ConfigurationException e) {
            spec.commandLine().getErr().println("carillon: " + e.getMessage());
            return WRONG;
        }
        ServerStatus status = status();
        if (touch && status != null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--touch takes the memory that a server may need: stop process "
                            + status.pid()
                            + " first (./carillon stop)");
        }
        List<Finding> beside = new ArrayList<>(certificates(status));
        if (touch) {
            beside.add(FirstTouch.touch(FirstTouch.room(SystemFiles.real())));
        }
        Doctor doctor = new Doctor(SystemFiles.real(), needs, server(status), beside);
        if (watchSeconds > 0 && !json) {
            spec.commandLine().getErr().printf("Watching for %.0f s ...%n", watchSeconds);
        }
        TimeUnit.MILLISECONDS.sleep((long) (watchSeconds * 1000));
        Report report = doctor.report(watchSeconds);
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? ReportText.json(report) : ReportText.terminal(report));
        out.flush();
        return report.failed() ? 1 : 0;
    }

    /** Of the server that runs here; null when none does. */
    private @Nullable ServerStatus status()
            throws IOException, ConfigurationException, ControlFailure {
        Path socket = target.socketOrNull();
        return socket == null ? null : StatusText.parse(ControlClient.ask(socket, "status"));
    }

    /** Those of the server that runs, else those that one would start with. */
    private List<Finding> certificates(@Nullable ServerStatus status)
            throws ConfigurationException {
        if (status != null) {
            return TlsChecks.of(status.tls());
        }
        Configuration configuration = target.configuration();
        if (!configuration.tls().meant()) {
            return List.of();
        }
        try (TlsSide tls = TlsSide.open(configuration.tls(), List.of())) {
            return TlsChecks.of(tls.status());
        } catch (SettingException e) {
            return List.of(TlsChecks.broken(String.valueOf(e.getMessage())));
        }
    }

    private static @Nullable RunningServer server(@Nullable ServerStatus status) {
        if (status == null) {
            return null;
        }
        return new RunningServer(
                status.pid(),
                status.sip(),
                status.kernelDrops(),
                status.heap().maxBytes(),
                status.heap().touchedBytes(),
                status.heap().softMaxBytes(),
                status.overload().load(),
                status.handlersApart(),
                shedding(status.overload()));
    }

    private static List<String> shedding(ServerStatus.Overload overload) {
        ZonedDateTime now = ZonedDateTime.now(ZoneId.systemDefault());
        return overload.shedding() || !overload.late().isEmpty()
                ? OverloadText.lines(overload, now.getZone(), now.toLocalDate())
                : List.of();
    }

    private static long heapOfAServer() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize() / 100 * HEAP_PERCENT
                : Runtime.getRuntime().maxMemory();
    }
}
