package io.carillon.it.example;

import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.lab.rig.CarillonLaunch;
import io.carillon.lab.rig.ServerProcess;
import io.carillon.lab.rig.Sipp;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./carillon it hiding}: the examples' conversations across a border. The server listens
 * inside, at 127.0.0.9, and outside, at 127.0.0.1, and hides its topology from whoever is outside.
 * Once the callers are inside and call out, once they are outside and call in. Everything that
 * phones outside receive is searched for addresses, ports and names of the inside.
 */
@Command(
        name = "hiding",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Plays the examples' conversations with topology hiding, and searches what is seen outside.")
public final class Hiding implements Callable<Integer> {
    private static final long SECONDS = 90;
    private static final String OUTSIDE = "127.0.0.1";
    private static final String INSIDE = "127.0.0.9";
    private static final String NAME = "core-node9.example";

    /** Their application has the callee's address from its configuration. */
    private static final Map<String, Integer> NEXT_HOPS = Map.of("b2bua", 6580, "proxy", 6590);

    @Option(names = "--only", split = ",", description = "these examples (all)")
    private List<String> only = List.of();

    @Option(
            names = "--port",
            defaultValue = "5060",
            description = "SIP outside; inside 11 above it, HTTP 12 above (${DEFAULT-VALUE})")
    private int port;

    @Option(
            names = "--off",
            description = "without hiding: how much there is to find, as a check of the search")
    private boolean off;

    @Option(names = "--out", description = "folder of logs and captures (it/target/hiding-TIME)")
    private String out = "";

    private Path root = Path.of("");
    private Path folder = Path.of("");
    private int failed;
    private int leaking;
    private int uncaptured;
    private int conversations;

    @Override
    public Integer call() {
        try {
            root = Folders.root();
            folder = Folders.results(out, "it", "hiding");
            System.out.printf(
                    "Searched for: %s, %s, the ports of the server and the phones inside%n",
                    INSIDE, String.join(", ", names()));
            play(true);
            play(false);
            System.out.printf(
                    "%d of %d conversations went well; something of the inside was seen in %d. Logs: %s%n",
                    conversations - failed, conversations, leaking, folder);
            if (uncaptured > 0) {
                System.err.printf(
                        "carillon it hiding: %d conversations were not captured, only what SIPp logged was searched:"
                                + " install tshark, and let it capture on lo%n",
                        uncaptured);
            }
            // Without hiding the search has to find something, or it shows nothing with it.
            boolean searched = off == (leaking > 0);
            return failed + uncaptured == 0 && searched ? 0 : 1;
        } catch (IOException e) {
            System.err.println("carillon it hiding: " + e.getMessage());
            return 1;
        }
    }

    private int inner() {
        return port + 11;
    }

    private int http() {
        return port + 12;
    }

    private static List<String> names() throws IOException {
        List<String> names = new ArrayList<>(List.of("core-node9"));
        String machine = InetAddress.getLocalHost().getHostName();
        if (machine.length() > 5) {
            names.add(machine);
        }
        return names;
    }

    /**
     * One layout.
     *
     * @param outwards callers inside, callees outside; else callers outside, and the callees of
     *     those applications inside that can be told where they are
     */
    private void play(boolean outwards) throws IOException {
        String layout = outwards ? "out" : "in";
        Path logs = folder.resolve(layout);
        Files.createDirectories(logs);
        try (ServerProcess server = server(logs, outwards)) {
            List<String> all = only.isEmpty() ? Conversation.examples(root) : only;
            for (String name : all) {
                conversations++;
                Conversation read = Conversation.read(root, name);
                Border border = new Border(name, outwards, logs.resolve(name));
                String fault = border.talk(border.placed(read));
                Map<String, Integer> found = border.found();
                failed += fault.isEmpty() ? 0 : 1;
                leaking += found.isEmpty() ? 0 : 1;
                System.out.printf(
                        "%-4s %-18s %-4s %6d messages outside, found: %s%n",
                        layout,
                        name,
                        fault.isEmpty() ? "ok" : "FAILED " + fault,
                        border.messages,
                        found.isEmpty() ? "none" : found);
            }
            System.out.println(layout + "  " + server.name() + " on port " + server.port());
        }
    }

    private ServerProcess server(Path logs, boolean outwards) throws IOException {
        Path config = logs.resolve("carillon.yaml");
        Files.writeString(
                config,
                """
                security:
                  algorithms: [md5, sha-256, sha-512-256]
                peers:
                  outside:
                    addresses: [%s]
                    local-address: %s
                    hide-topology: %s
                  inside:
                    addresses: [%s]
                    local-address: %s
                topology-hiding:
                  internal: [%s]
                """
                        .formatted(OUTSIDE, OUTSIDE, !off, INSIDE, INSIDE, NAME));
        List<String> listen = new ArrayList<>();
        for (String transport : List.of("udp", "tcp")) {
            listen.add(transport + ":" + OUTSIDE + ":" + port);
            listen.add(transport + ":" + INSIDE + ":" + inner());
        }
        CarillonLaunch launch =
                CarillonLaunch.at(port)
                        .listening(String.join(",", listen))
                        .http(http())
                        .with("--config", config.toString());
        if (outwards) {
            return launch.with("--param", "uac-register-call.control-from=" + INSIDE).start(logs);
        }
        for (Map.Entry<String, Integer> hop : NEXT_HOPS.entrySet()) {
            String next = hop.getKey() + ".next-hop=sip:" + INSIDE + ":" + hop.getValue();
            launch = launch.with("--param", next);
        }
        return launch.start(logs);
    }

    /** One conversation across the border. */
    private final class Border {
        private final String example;
        private final boolean outwards;
        private final Path logs;
        private final List<Integer> insidePorts = new ArrayList<>(List.of(inner()));
        private final List<Path> outsiders = new ArrayList<>();
        private int messages;

        Border(String example, boolean outwards, Path logs) {
            this.example = example;
            this.outwards = outwards;
            this.logs = logs;
        }

        /** The same conversation with its phones where they belong. */
        Conversation placed(Conversation read) throws IOException {
            boolean calleesInside = calleesInside();
            List<List<String>> callees = new ArrayList<>();
            for (List<String> callee : read.callees()) {
                callees.add(phone(read, callee, calleesInside));
            }
            List<List<String>> callers = new ArrayList<>();
            for (List<String> caller : read.callers()) {
                callers.add(called(phone(read, caller, outwards), calleesInside));
            }
            return read.with(callees, callers);
        }

        /** A phone is reached by the way that it registered by: callers register it themselves. */
        private boolean calleesInside() {
            return outwards ? example.equals("registrar") : NEXT_HOPS.containsKey(example);
        }

        private List<String> phone(Conversation read, List<String> arguments, boolean inside)
                throws IOException {
            List<String> placed = new ArrayList<>(arguments);
            placed.addAll(List.of("-i", inside ? INSIDE : OUTSIDE, "-trace_msg"));
            for (int i = 0; i + 1 < arguments.size(); i++) {
                // Where users registered, an earlier run may have left that port outside, too.
                boolean tells = !example.equals("registrar") || read.callers().contains(arguments);
                if (arguments.get(i).equals("-p") && inside && tells) {
                    insidePorts.add(Integer.parseInt(arguments.get(i + 1)));
                }
                if (arguments.get(i).equals("-sf") && inside) {
                    Path scenario = read.folder().resolve(arguments.get(i + 1)).normalize();
                    placed.set(i + 1, told(scenario).toString());
                }
            }
            return placed;
        }

        /** A scenario whose phone says in each request where it is, as proxies inside might. */
        private Path told(Path scenario) throws IOException {
            String text =
                    Files.readString(scenario)
                            .replace(
                                    "Max-Forwards: 70\n",
                                    "Max-Forwards: 70\nX-Routed-By: "
                                            + NAME
                                            + ", "
                                            + INSIDE
                                            + ":"
                                            + inner()
                                            + "\nUser-Agent: phone at "
                                            + NAME
                                            + "\n");
            Path copy = logs.resolve("scenarios").resolve(String.valueOf(scenario.getFileName()));
            Files.createDirectories(logs.resolve("scenarios"));
            Files.writeString(copy, text);
            return copy;
        }

        /** Whom a caller calls, and by which address of the server. */
        private List<String> called(List<String> arguments, boolean calleesInside) {
            String server = outwards ? INSIDE + ":" + inner() : OUTSIDE + ":" + port;
            List<String> called = new ArrayList<>();
            boolean named = false;
            for (int i = 0; i < arguments.size(); i++) {
                String word = arguments.get(i);
                if (calleesInside && !outwards && word.equals("-rsa")) {
                    i++; // by the address that it dials
                } else if (!word.startsWith("-") && word.matches(".*:\\d+")) {
                    boolean byServer = called.contains("-rsa") || (calleesInside && !outwards);
                    named |= !called.contains("-rsa");
                    called.add(byServer ? server : word);
                } else {
                    called.add(word);
                }
            }
            if (!named) {
                called.add(server);
            }
            return called;
        }

        String talk(Conversation conversation) throws IOException {
            StringBuilder faults = new StringBuilder();
            try {
                conversation.prepare(root);
            } catch (IOException e) {
                return String.valueOf(e.getMessage());
            }
            try (Capture _ = Capture.start(logs, port)) {
                List<Sipp> callees = conversation.startCallees(logs);
                try {
                    Pause.millis(300);
                    for (int i = 0; i < conversation.callers().size(); i++) {
                        faults.append(caller(conversation, i));
                    }
                    if (!conversation.clicks().isEmpty()
                            && conversation.click(http(), 1, 1).join() > 0) {
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
            }
            collect("callee", conversation.callees().size(), !calleesInside());
            collect("caller", conversation.callers().size(), !outwards);
            return faults.toString();
        }

        private String caller(Conversation conversation, int i) throws IOException {
            try (Sipp caller = conversation.startCaller(i, logs, port, List.of("-m", "1"))) {
                caller.await(SECONDS);
                return caller.exitCode() == 0 ? "" : "caller " + i + "; ";
            }
        }

        private void collect(String who, int count, boolean outside) {
            for (int i = 0; i < count && outside; i++) {
                outsiders.add(logs.resolve(who + i));
            }
        }

        /** What is to be seen of the inside, and how often. */
        Map<String, Integer> found() throws IOException {
            LeakSearch search = new LeakSearch(INSIDE, names(), insidePorts);
            Map<String, Integer> found = new TreeMap<>();
            for (Path outsider : outsiders) {
                messages += search.received(outsider, found);
            }
            uncaptured += search.captured(logs, found) ? 0 : 1;
            return found;
        }
    }
}
