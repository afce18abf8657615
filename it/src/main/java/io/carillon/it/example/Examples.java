package io.carillon.it.example;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it examples}: all examples in one server, each with its conversation; every
 * SIPp must end well, and no callee may have seen an unexpected message.
 */
@Command(
        name = "examples",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Deploys all examples together and plays each one's conversation.")
public final class Examples implements Callable<Integer> {
    private static final long SECONDS = 90;

    @Option(names = "--only", split = ",", description = "these examples (all)")
    private List<String> only = List.of();

    @Option(names = "--server-argument", description = "passed on to carillon run; repeatable")
    private List<String> serverArguments = List.of();

    @Option(names = "--out", description = "folder of logs (it/target/examples-TIME)")
    private String out = "";

    @Override
    public Integer call() {
        try {
            Path root = Folders.root();
            Path folder = Folders.results(out, "it", "examples");
            List<String> names = only.isEmpty() ? Conversation.examples(root) : only;
            List<Conversation> conversations = new ArrayList<>();
            for (String name : names) {
                conversations.add(Conversation.read(root, name));
            }
            int failed = 0;
            try (ServerProcess server = Conversation.server(folder, serverArguments)) {
                for (Conversation conversation : conversations) {
                    failed += play(conversation, server, root, folder) ? 0 : 1;
                }
            }
            System.out.printf(
                    "%d of %d conversations went well. Logs: %s%n",
                    conversations.size() - failed, conversations.size(), folder);
            return failed == 0 ? 0 : 1;
        } catch (IOException e) {
            System.err.println("carillon it examples: " + e.getMessage());
            return 1;
        }
    }

    private static boolean play(
            Conversation conversation, ServerProcess server, Path root, Path folder)
            throws IOException {
        Path logs = folder.resolve(conversation.example());
        String fault;
        try {
            conversation.prepare(root);
            fault = talk(conversation, server, logs);
        } catch (IOException e) {
            fault = String.valueOf(e.getMessage());
        }
        System.out.printf(
                "%-20s %s%n", conversation.example(), fault.isEmpty() ? "ok" : "FAILED: " + fault);
        return fault.isEmpty();
    }

    private static String talk(Conversation conversation, ServerProcess server, Path logs)
            throws IOException {
        StringBuilder faults = new StringBuilder();
        List<Sipp> callees = conversation.startCallees(logs);
        try {
            Pause.millis(300);
            for (int i = 0; i < conversation.callers().size(); i++) {
                try (Sipp caller =
                        conversation.startCaller(i, logs, server.port(), List.of("-m", "1"))) {
                    caller.await(SECONDS);
                    if (caller.exitCode() != 0) {
                        faults.append("caller ").append(i).append(" of ").append(logs).append("; ");
                    }
                }
            }
            if (!conversation.clicks().isEmpty() && conversation.click(1, 1).join() > 0) {
                faults.append("the visitor's call failed; ");
            }
            Pause.millis(500);
        } finally {
            for (Sipp callee : callees) {
                callee.close();
            }
        }
        for (int i = 0; i < callees.size(); i++) {
            Sipp.Counts counts = Sipp.counts(logs.resolve("callee" + i));
            if (counts.failed() + counts.unexpected() > 0) {
                faults.append("callee ").append(i).append(": ").append(counts).append("; ");
            }
        }
        return faults.toString();
    }
}
