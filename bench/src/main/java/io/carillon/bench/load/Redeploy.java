package io.carillon.bench.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon bench redeploy}: each example is deployed again and again while calls go
 * through it; no call may fail, and at the end only the newest version is left.
 */
@Command(
        name = "redeploy",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Replaces running examples under load: failed calls, versions that are left.")
public final class Redeploy implements Callable<Integer> {
    @Option(names = "--rate", defaultValue = "50", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--times",
            defaultValue = "5",
            description = "redeployments of each example (${DEFAULT-VALUE})")
    private int times;

    @Option(
            names = "--every",
            defaultValue = "4",
            description = "seconds between them (${DEFAULT-VALUE})")
    private int everySeconds;

    @Option(
            names = "--talk",
            defaultValue = "6",
            description = "seconds of talk, so that calls live across versions (${DEFAULT-VALUE})")
    private int talkSeconds;

    @Option(
            names = "--applications",
            split = ",",
            defaultValue = "uas,b2bua,proxy",
            description = "examples (${DEFAULT-VALUE})")
    private List<String> applications = List.of();

    @Option(names = "--server-argument", description = "passed on to carillon run; repeatable")
    private List<String> serverArguments = List.of();

    @Option(names = "--out", description = "folder of logs (bench/target/redeploy-TIME)")
    private String out = "";

    @Override
    public Integer call() throws InterruptedException {
        try {
            Path folder = Folders.results(out, "redeploy");
            boolean clean = true;
            for (String application : applications) {
                clean &= redeploy(application, folder.resolve(application));
            }
            System.out.println("Logs and counts: " + folder);
            return clean ? 0 : 1;
        } catch (IOException e) {
            System.err.println("carillon bench redeploy: " + e.getMessage());
            return 1;
        }
    }

    @SuppressWarnings("try") // the callee answers by itself
    private boolean redeploy(String application, Path folder)
            throws IOException, InterruptedException {
        Path root = Folders.root();
        Path archive = Peer.example(root, application);
        long calls = (long) rate * everySeconds * (times + 1);
        String left;
        try (Peer server = Peer.carillon(root, "", archive, folder, serverArguments);
                Sipp callee =
                        Sipp.start(
                                folder.resolve("callee"),
                                "",
                                root.resolve("bench/scenarios/proxy200-uas.xml"),
                                SippPair.CALLEE_PORT,
                                List.of());
                Sipp caller = caller(root, application, folder, server.port(), calls)) {
            for (int i = 0; i < times; i++) {
                Pause.millis(everySeconds * 1000L);
                System.out.print(command(root, "deploy", archive.toString()));
            }
            caller.await(60L + everySeconds + talkSeconds);
            Pause.millis(1000);
            left = command(root, "applications");
        }
        // Closed, both SIPps have written their last counts.
        return report(application, folder, calls, left);
    }

    private Sipp caller(Path root, String application, Path folder, int port, long calls)
            throws IOException {
        String scenario = application.equals("uas") ? "uas-uac.xml" : "proxy200-uac.xml";
        List<String> options = new ArrayList<>();
        options.add("127.0.0.1:" + SippPair.CALLEE_PORT);
        options.addAll(List.of("-rsa", "127.0.0.1:" + port));
        options.addAll(List.of("-r", Integer.toString(rate), "-m", Long.toString(calls)));
        options.addAll(List.of("-l", "1000000", "-d", Integer.toString(talkSeconds * 1000)));
        return Sipp.start(
                folder.resolve("caller"),
                "",
                root.resolve("bench/scenarios").resolve(scenario),
                SippPair.CALLER_PORT,
                options);
    }

    private boolean report(String application, Path folder, long calls, String left)
            throws IOException {
        Sipp.Counts counts = SippPair.callerCounts(folder);
        long failed = calls - counts.succeeded();
        // A line of headings, and the newest version alone.
        boolean alone = left.lines().count() == 2 && left.contains(" " + (times + 1) + " ");
        System.out.printf(
                "%s: %d calls at %d calls/s across %d redeployments, %d failed, %d retransmissions%n%s",
                application, calls, rate, times, failed, counts.retransmissions(), left);
        if (!alone) {
            System.out.println("An old version is left.");
        }
        return failed == 0 && alone;
    }

    private static String command(Path root, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(root + "/carillon"));
        command.addAll(List.of(arguments));
        Process client = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
