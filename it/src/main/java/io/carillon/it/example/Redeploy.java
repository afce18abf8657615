package io.carillon.it.example;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.ControlCommand;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it redeploy}: all examples run in one server, and one after the other is
 * deployed again and again while its conversation's calls go through it; no call may fail, and at
 * the end only the newest version is left.
 */
@Command(
        name = "redeploy",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Replaces running examples under load: failed calls, versions that are left.")
public final class Redeploy implements Callable<Integer> {
    private static final long TAIL_SECONDS = 60;

    /** The longest that the last call's transactions and sessions live on. */
    private static final int LEAVING_SECONDS = 60;

    @Option(names = "--rate", defaultValue = "50", description = "calls/s (${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--times",
            defaultValue = "3",
            description = "redeployments of each example (${DEFAULT-VALUE})")
    private int times;

    @Option(
            names = "--every",
            defaultValue = "3",
            description = "seconds between them (${DEFAULT-VALUE})")
    private int everySeconds;

    @Option(names = "--only", split = ",", description = "these examples (all)")
    private List<String> only = List.of();

    @Option(names = "--server-argument", description = "passed on to carillon run; repeatable")
    private List<String> serverArguments = List.of();

    @Option(names = "--out", description = "folder of logs (it/target/redeploy-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            Path root = Folders.root();
            Path folder = Folders.results(out, "it", "redeploy");
            List<String> names = only.isEmpty() ? Conversation.examples(root) : only;
            int unclean = 0;
            try (ServerProcess server = Conversation.server(folder, serverArguments)) {
                for (String name : names) {
                    Conversation conversation = Conversation.read(root, name);
                    unclean += redeploy(conversation, server, root, folder.resolve(name)) ? 0 : 1;
                }
            }
            System.out.printf(
                    "%d of %d examples were replaced without a failed call. Logs and counts: %s%n",
                    names.size() - unclean, names.size(), folder);
            return unclean == 0 ? 0 : 1;
        } catch (IOException e) {
            System.err.println("carillon it redeploy: " + e.getMessage());
            return 1;
        }
    }

    private boolean redeploy(
            Conversation conversation, ServerProcess server, Path root, Path folder)
            throws IOException {
        conversation.prepare(root);
        String name = conversation.example();
        long calls = (long) rate * everySeconds * (times + 1);
        List<String> load =
                List.of("-r", Integer.toString(rate), "-m", Long.toString(calls), "-l", "1000000");
        int last = conversation.callers().size() - 1;
        List<Sipp> callees = conversation.startCallees(folder);
        long visitors = 0;
        try {
            Pause.millis(300);
            for (int i = 0; i < last; i++) {
                try (Sipp first =
                        conversation.startCaller(i, folder, server.port(), List.of("-m", "1"))) {
                    first.await(TAIL_SECONDS);
                }
            }
            if (last < 0) {
                CompletableFuture<Integer> clicks = conversation.click(rate, (int) calls);
                replace(server, root, name);
                visitors = clicks.join();
            } else {
                try (Sipp caller = conversation.startCaller(last, folder, server.port(), load)) {
                    replace(server, root, name);
                    caller.await(everySeconds + TAIL_SECONDS);
                }
            }
        } finally {
            for (Sipp callee : callees) {
                callee.close();
            }
        }
        return report(name, calls, visitors, folder, callees.size(), server);
    }

    private void replace(ServerProcess server, Path root, String name) throws IOException {
        for (int i = 0; i < times; i++) {
            Pause.millis(everySeconds * 1000L);
            ControlCommand.run(server, "deploy", Folders.example(root, name).toString());
        }
    }

    /** With visitors of a page in place of SIPps, {@code visitors} counts their failed calls. */
    private boolean report(
            String name, long calls, long visitors, Path folder, int callees, ServerProcess server)
            throws IOException {
        int last = callers(folder) - 1;
        long failed = visitors;
        long retransmissions = 0;
        if (last >= 0) {
            Sipp.Counts caller = Sipp.counts(folder.resolve("caller" + last));
            failed = calls - caller.succeeded();
            retransmissions = caller.retransmissions();
        }
        for (int i = 0; i < callees; i++) {
            Sipp.Counts callee = Sipp.counts(folder.resolve("callee" + i));
            failed += callee.failed();
            retransmissions += callee.retransmissions();
        }
        int versions = versions(server, name);
        for (int waited = 0; versions > 1 && waited < LEAVING_SECONDS; waited++) {
            Pause.millis(1000);
            versions = versions(server, name);
        }
        System.out.printf(
                "%-20s %d calls at %d/s, %d redeployments: %d failed, %d retransmissions, %s%n",
                name,
                calls,
                rate,
                times,
                failed,
                retransmissions,
                versions == 1
                        ? "only the newest version is left"
                        : versions + " versions are left");
        return failed == 0 && versions == 1;
    }

    private static int callers(Path folder) {
        int count = 0;
        while (folder.resolve("caller" + count).toFile().isDirectory()) {
            count++;
        }
        return count;
    }

    /** How many versions of an application the server has. */
    private static int versions(ServerProcess server, String name) throws IOException {
        return (int)
                ControlCommand.run(server, "applications")
                        .lines()
                        .filter(line -> line.startsWith(name + " "))
                        .count();
    }
}
