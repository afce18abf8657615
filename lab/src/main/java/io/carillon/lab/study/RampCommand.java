package io.carillon.lab.study;

import io.carillon.lab.peers.KamailioServer;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Machine;
import io.carillon.lab.process.WrongSetting;
import io.carillon.lab.rig.CallTimes;
import io.carillon.lab.rig.LoadedServer;
import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./carillon lab ramp}: response times, CPU and failures at each rate. */
@Command(
        name = "ramp",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Raises the call rate in steps and charts response times, CPU, failures and time-outs at each; says up"
                    + " to which rate half of the calls are answered within 25 ms and 95 %% within 50 ms.",
            "docs/guides/lab.md says what each figure means. Nothing else should run on the machine."
        })
public final class RampCommand implements Callable<Integer> {
    private static final Pattern PEER = Pattern.compile("udp:([^:\\s]+):([0-9]{1,5})");

    @Option(
            names = "--from",
            defaultValue = "100",
            description = "first rate, calls/s (${DEFAULT-VALUE})")
    private int from = 100;

    @Option(names = "--to", defaultValue = "2000", description = "last rate (${DEFAULT-VALUE})")
    private int to = 2000;

    @Option(
            names = "--step",
            defaultValue = "100",
            description = "what the rate rises by (${DEFAULT-VALUE})")
    private int step = 100;

    @Option(
            names = "--seconds",
            defaultValue = "30",
            description = "time at each rate (${DEFAULT-VALUE})")
    private int seconds = 30;

    @Option(
            names = "--warmup",
            defaultValue = "60",
            description = "seconds of load before the first rate (${DEFAULT-VALUE})")
    private int warmup = 60;

    @Option(
            names = "--workload",
            defaultValue = "proxy200",
            description = "workload of ./carillon load: b2bua, proxy200 or uas (${DEFAULT-VALUE})")
    private String workload = "proxy200";

    @Option(
            names = "--app",
            paramLabel = "ARCHIVE",
            description = "application of our server (the example of the workload)")
    private String application = "";

    @Option(
            names = "--hold",
            defaultValue = "0",
            paramLabel = "SECONDS",
            description = "talk time (${DEFAULT-VALUE})")
    private double hold;

    @Option(
            names = "--ring",
            defaultValue = "0",
            paramLabel = "SECONDS",
            description = "ringing (${DEFAULT-VALUE})")
    private double ring;

    @Option(
            names = "--peer",
            paramLabel = "udp:HOST:PORT|kamailio",
            description = "another server at the same rates: one that runs, or Debian's Kamailio")
    private String peer = "";

    @Option(
            names = "--peer-pid",
            paramLabel = "PID",
            description = "the running peer's process on this machine, for its CPU")
    private long peerPid;

    @Option(names = "--only-peer", description = "measure the peer alone")
    private boolean onlyPeer;

    @Option(
            names = "--server-cpus",
            defaultValue = "0",
            description = "processors of the servers, as taskset takes them; empty: any (0)")
    private String serverCpus = "0";

    @Option(
            names = "--load-cpus",
            defaultValue = "1",
            description = "processors of the load and the lab; empty: any (1)")
    private String loadCpus = "1";

    @Option(
            names = "--server-argument",
            paramLabel = "ARGUMENT",
            description = "passed on to ./carillon run; repeatable")
    private List<String> serverArguments = new ArrayList<>();

    @Option(
            names = "--load-argument",
            paramLabel = "ARGUMENT",
            description = "passed on to ./carillon load; repeatable")
    private List<String> loadArguments = new ArrayList<>();

    @Option(
            names = "--although-busy",
            description = "run although the machine has other things to do; the page says so")
    private boolean althoughBusy;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "where the results go (lab/target/ramp-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        List<LoadedServer> servers = new ArrayList<>();
        try {
            RampStudy study = asked();
            CpuPinning.check("--server-cpus", serverCpus, study.machine().cpus());
            CpuPinning.check("--load-cpus", loadCpus, study.machine().cpus());
            if (!althoughBusy) {
                CpuPinning.checkIdle();
            }
            Path folder = Folders.results(out, "lab", "ramp");
            CpuPinning.pinThisProcess(loadCpus);
            start(study, folder, servers);
            run(study, folder, servers);
            return 0;
        } catch (WrongSetting e) {
            System.err.println("carillon lab ramp: " + e.getMessage());
            return 2;
        } catch (IOException e) {
            System.err.println("carillon lab ramp: " + e.getMessage());
            return 1;
        } finally {
            servers.forEach(RampCommand::close);
        }
    }

    private void run(RampStudy study, Path folder, List<LoadedServer> servers) throws IOException {
        StudyProgress progress = StudyProgress.here();
        progress.say("Results: " + folder);
        RateTrials.Load load = new RateTrials.Load(workload, loadCpus, loadArguments);
        List<RampStep> steps = new RampRun(study, load, folder, progress).run(servers);
        progress.part("", 0);
        for (String server : study.servers()) {
            progress.say(RampVerdict.of(server, steps).sentence());
        }
        progress.say("The page: " + RampReport.page(folder));
    }

    private static void close(LoadedServer server) {
        try {
            server.close();
        } catch (IOException e) {
            System.err.println("carillon lab ramp: " + e.getMessage());
        }
    }

    private RampStudy asked() throws IOException, WrongSetting {
        if (from < 1 || to < from || step < 1) {
            throw new WrongSetting(
                    "--from is at least 1 and at most --to, --step at least 1; not "
                            + from
                            + ", "
                            + to
                            + " and "
                            + step);
        }
        if (seconds < 2 || warmup < 1 || hold < 0 || ring < 0) {
            throw new WrongSetting(
                    "--seconds is at least 2, --warmup at least 1, --hold and --ring at least 0");
        }
        StudyApplication.checkWorkload(workload);
        if (onlyPeer && peer.isEmpty()) {
            throw new WrongSetting("--only-peer needs --peer");
        }
        List<String> names = new ArrayList<>();
        if (!onlyPeer) {
            names.add("carillon");
        }
        if (!peer.isEmpty()) {
            names.add(peer.equals(KamailioServer.NAME) ? KamailioServer.NAME : "peer");
            peerAddress();
        }
        return new RampStudy(
                onlyPeer ? "" : archive().toString(),
                workload,
                from,
                to,
                step,
                seconds,
                warmup,
                new CallTimes(ring, hold),
                names,
                serverCpus,
                loadCpus,
                Machine.here());
    }

    private Path archive() throws WrongSetting {
        return StudyApplication.archive(application, workload);
    }

    private void start(RampStudy study, Path folder, List<LoadedServer> servers)
            throws IOException, WrongSetting {
        if (!onlyPeer) {
            List<String> shipped = JvmOptions.read(Folders.jvmOptions());
            StudyServer.Plan plan =
                    new StudyServer.Plan(
                            Path.of(study.application()), shipped, arguments(folder), serverCpus);
            servers.add(StudyServer.start(plan, folder.resolve("server")));
        }
        if (peer.equals(KamailioServer.NAME)) {
            Path own = folder.resolve("peer");
            ServerProcess.Launch launch =
                    KamailioServer.proxy(serverCpus, ServerProcess.freePort(), own);
            servers.add(ServerProcess.start(launch, own));
        } else if (!peer.isEmpty()) {
            servers.add(RunningPeer.at(peerAddress(), peerPid));
        }
    }

    /** Beside Kamailio, which sends 100 Trying at once here, ours does so too. */
    private List<String> arguments(Path folder) throws IOException {
        List<String> arguments = new ArrayList<>(serverArguments);
        if (peer.equals(KamailioServer.NAME)) {
            Path config = folder.resolve("carillon.yaml");
            Files.writeString(config, "sip:\n  trying: immediate\n");
            arguments.addAll(List.of("--config", config.toString()));
        }
        return arguments;
    }

    private InetSocketAddress peerAddress() throws WrongSetting {
        Matcher address = PEER.matcher(peer);
        if (peer.equals(KamailioServer.NAME)) {
            return new InetSocketAddress(0);
        }
        if (!address.matches() || Integer.parseInt(address.group(2)) > 65_535) {
            throw new WrongSetting("--peer is udp:HOST:PORT or kamailio, not " + peer);
        }
        try {
            return new InetSocketAddress(
                    InetAddress.getByName(address.group(1)), Integer.parseInt(address.group(2)));
        } catch (UnknownHostException e) {
            throw new WrongSetting("--peer: there is no host " + address.group(1));
        }
    }
}
