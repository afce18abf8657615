package io.carillon.it.operate;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.ControlCommand;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it reload}: the configuration is read again and again while calls go on, each
 * time with other values of each kind; files with a fault between them change nothing.
 */
@Command(
        name = "reload",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Reloads under load, with a change of each kind: failed calls, and what a fault changes.")
public final class Reload implements Callable<Integer> {
    private static final int TAIL_SECONDS = 60;

    @Option(names = "--rate", defaultValue = "500", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(names = "--times", defaultValue = "50", description = "reloads (${DEFAULT-VALUE})")
    private int times;

    @Option(
            names = "--fault-every",
            defaultValue = "5",
            description = "a faulty file before every n-th (${DEFAULT-VALUE})")
    private int faultEvery;

    @Option(names = "--out", description = "folder of logs and counts (it/target/reload-TIME)")
    private String out = "";

    private final Map<String, Integer> changed = new LinkedHashMap<>();
    private int faults;
    private int wrong;

    @Override
    public Integer call() {
        try {
            return measure();
        } catch (IOException e) {
            System.err.println("carillon it reload: " + e.getMessage());
            return 1;
        }
    }

    private int measure() throws IOException {
        Path folder = Folders.results(out, "it", "reload");
        int port = ServerProcess.freePort();
        int other = ServerProcess.freePort();
        ReloadFile file = new ReloadFile(folder, port, ServerProcess.freePort(), other);
        file.write(1);
        Path calls = folder.resolve("calls");
        try (ServerProcess server =
                CarillonLaunch.at(port)
                        .listening("")
                        .running(Folders.example(Folders.root(), "uas"))
                        .with("--config", file.path().toString())
                        .start(folder)) {
            try (Sipp warm = caller(folder.resolve("warm-up"), port, 5L * rate)) {
                warm.await(TAIL_SECONDS);
            }
            // More than the reloads need; it is ended behind them.
            try (Sipp sipp = caller(calls, port, 3600L * rate)) {
                Pause.millis(1000);
                for (int i = 2; i < times + 2; i++) {
                    if (i % faultEvery == 0) {
                        fault(server, file, i / faultEvery);
                    }
                    reload(server, file, i, other);
                }
                Pause.millis(1000);
                checkRunning(sipp);
            }
            server.checkAlive();
        }
        return report(calls);
    }

    private static void checkRunning(Sipp sipp) throws IOException {
        if (sipp.hasEnded(0)) {
            throw new IOException("SIPp ended before the reloads did");
        }
    }

    private Sipp caller(Path folder, int port, long calls) throws IOException {
        List<String> options =
                List.of(
                        "127.0.0.1:" + port,
                        "-key",
                        "user",
                        "uas",
                        "-r",
                        Integer.toString(rate),
                        "-m",
                        Long.toString(calls),
                        "-l",
                        "1000000",
                        "-d",
                        "0",
                        "-trace_err");
        Path scenario = Folders.scenarios().resolve("uas-uac.xml");
        return Sipp.start(folder, "", scenario, ServerProcess.freePort(), options);
    }

    private void reload(ServerProcess server, ReloadFile file, int number, int other)
            throws IOException {
        file.write(number);
        String said = ControlCommand.run(server, "reload");
        for (String kind : ReloadFile.KINDS) {
            if (said.contains("Changed: " + kind + " ")) {
                changed.merge(kind, 1, Integer::sum);
            }
        }
        if (said.contains("Needs a restart")) {
            fail("reload " + number + ": " + said.strip());
        }
        boolean answers = answers(other);
        if (answers != ReloadFile.listensElsewhere(number)) {
            fail("reload " + number + ": port " + other + (answers ? " answers" : " is silent"));
        }
        if (!PresentedCertificate.at(file.securePort())
                .equals(PresentedCertificate.in(file.certificate(number)))) {
            fail("reload " + number + ": clients of TLS see another certificate");
        }
        String visited =
                ControlCommand.run(
                        server,
                        "route",
                        "--json",
                        "--method",
                        "MESSAGE",
                        "--uri",
                        "sip:a@b.example");
        if (visited.contains("\"uas\"") != ReloadFile.routesMessages(number)) {
            fail("reload " + number + ": a MESSAGE would go " + visited.strip());
        }
    }

    private void fault(ServerProcess server, ReloadFile file, int number) throws IOException {
        String before = ControlCommand.run(server, "config", "show", "--json");
        ReloadFile.Fault fault = file.fault(number);
        faults++;
        try {
            fail(fault.what() + ": was taken: " + ControlCommand.run(server, "reload"));
        } catch (IOException refused) {
            String said = String.valueOf(refused.getMessage());
            if (!said.contains(fault.said())
                    || !said.contains("the running configuration stays as it is")) {
                fail(fault.what() + ": not said with file and line: " + said);
            }
        }
        if (!ControlCommand.run(server, "config", "show", "--json").equals(before)) {
            fail(fault.what() + ": something has changed");
        }
    }

    private void fail(String what) {
        wrong++;
        System.out.println("WRONG: " + what);
    }

    /** Is an OPTIONS answered there? */
    private static boolean answers(int port) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (DatagramSocket socket = new DatagramSocket(0, loopback)) {
            socket.setSoTimeout(500);
            String id = Long.toString(System.nanoTime(), 36);
            String request =
                    "OPTIONS sip:uas@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:"
                            + socket.getLocalPort()
                            + ";branch=z9hG4bK"
                            + id
                            + "\r\nMax-Forwards: 70\r\nFrom: <sip:a@127.0.0.1>;tag=1\r\n"
                            + "To: <sip:uas@127.0.0.1>\r\nCall-ID: "
                            + id
                            + "\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n";
            byte[] bytes = request.getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < 4; i++) {
                socket.send(new DatagramPacket(bytes, bytes.length, loopback, port));
                try {
                    socket.receive(new DatagramPacket(new byte[4096], 4096));
                    return true;
                } catch (SocketTimeoutException | PortUnreachableException silent) {
                    // once more, as a phone would
                }
            }
            return false;
        }
    }

    private int report(Path calls) throws IOException {
        Sipp.Counts counts = Sipp.counts(calls);
        ReloadFile.KINDS.forEach(kind ->
                System.out.printf("%-34s changed %d times%n", kind, changed.getOrDefault(kind, 0)));
        boolean each =
                ReloadFile.KINDS.stream()
                        .allMatch(kind -> changed.getOrDefault(kind, 0) >= times - 1);
        System.out.printf(
                "%d reloads and %d faulty files at %d calls/s: %d calls, %d failed, %d"
                        + " retransmissions; %d things were wrong%n",
                times,
                faults,
                rate,
                counts.succeeded() + counts.failed(),
                counts.failed(),
                counts.retransmissions(),
                wrong);
        return counts.failed() == 0 && counts.succeeded() > 0 && wrong == 0 && each ? 0 : 1;
    }
}
