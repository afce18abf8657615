package io.carillon.it.place;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.carillon.it.failover.TrialCluster;
import io.carillon.it.line.Line;
import io.carillon.lab.process.Folders;
import io.carillon.lab.process.Pause;
import io.carillon.server.calls.CallDetail;
import io.carillon.server.cluster.CallPlace;
import io.carillon.server.cluster.ClusterCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code ./carillon it explain}: {@code ./carillon router explain} says where calls are and who
 * would go on with them; then a node is killed, and each call does a re-INVITE. Was it served where
 * that was said?
 */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "What ./carillon router explain says of calls, before and after kill -9 of a node, against"
                        + " where they are then served.")
public final class Explain implements Callable<Integer> {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long WHOLE_SECONDS = 180;
    private static final long AGREED_SECONDS = 30;
    private static final long LOOK_MILLIS = 200;
    private static final int NOBODY = -1;

    @Option(names = "--calls", defaultValue = "20", description = "calls (${DEFAULT-VALUE})")
    private int count;

    @Option(
            names = "--port",
            defaultValue = "17060",
            description = "the router's; the 49 behind it are the nodes' (${DEFAULT-VALUE})")
    private int port;

    @Option(names = "--out", description = "folder of logs (it/target/explain-TIME)")
    private String out = "";

    /**
     * What was said of a call.
     *
     * @param owner who has it
     * @param next who would go on with it
     */
    private record Said(int owner, int next) {
        static Said of(CallPlace place) {
            return new Said(number(place.owner()), number(place.next()));
        }

        private static int number(CallPlace.@Nullable Place place) {
            return place == null ? NOBODY : place.number();
        }

        int without(int gone) {
            return owner == gone ? next : owner;
        }
    }

    @Override
    public Integer call() {
        try {
            boolean good = run();
            System.out.println(good ? "PASSED" : "FAILED");
            return good ? 0 : 1;
        } catch (IOException e) {
            System.err.println("carillon it explain: " + e.getMessage());
            return 1;
        }
    }

    private boolean run() throws IOException {
        if (count < 1) {
            throw new IOException("--calls begins at 1");
        }
        Path folder = Folders.results(out, "it", "explain");
        List<PlacedCall> calls = new ArrayList<>();
        try (TrialCluster cluster = TrialCluster.of(folder, port, TrialCluster.More.NOTHING)) {
            System.out.println("3 nodes and a router start; logs: " + folder);
            cluster.start();
            // What is said of a partition that moves is soon over.
            cluster.awaitEven(WHOLE_SECONDS);
            for (int i = 0; i < count; i++) {
                calls.add(
                        new PlacedCall(
                                cluster.address(),
                                "explained-" + i + "-" + System.nanoTime(),
                                Line.open("udp", cluster.address())));
            }
            return judge(cluster, new Asking(cluster, folder), calls);
        } finally {
            for (PlacedCall call : calls) {
                call.close();
            }
        }
    }

    private boolean judge(TrialCluster cluster, Asking asking, List<PlacedCall> calls)
            throws IOException {
        int faults = 0;
        List<Said> before = new ArrayList<>();
        asking.from(0);
        for (PlacedCall call : calls) {
            Said announced = asking.ofCall(call);
            call.invite();
            Said said = asking.ofCall(call);
            faults += differs(call, "before it began", announced.owner(), said.owner());
            faults +=
                    differs(call, "by its next request", said.owner(), asking.ofNext(call).owner());
            faults += differs(call, "where it is", said.owner(), asking.holder(call));
            before.add(said);
        }
        asking.ofUri();
        int victim = before.getFirst().owner();
        int witness = cluster.size() - 1 - (victim == cluster.size() - 1 ? 1 : 0);
        cluster.kill(victim);
        System.out.printf("kill -9 of node %d; node %d is asked now%n", victim, witness);
        awaitAgreed(cluster, victim);
        asking.from(witness);
        int moved = 0;
        // At once: the nodes that are left soon share the partitions evenly.
        for (int i = 0; i < calls.size(); i++) {
            int expected = before.get(i).without(victim);
            moved += before.get(i).owner() == victim ? 1 : 0;
            faults += differs(calls.get(i), "after the kill", expected, asking.owner(calls.get(i)));
        }
        cluster.awaitRest(witness, WHOLE_SECONDS);
        for (PlacedCall call : calls) {
            int said = asking.ofCall(call).owner();
            faults += differs(call, "by its next request", said, asking.ofNext(call).owner());
            call.invite();
            faults += differs(call, "served after the kill", said, asking.holder(call));
            call.bye();
        }
        asking.ofUri();
        System.out.printf(
                "%d calls, %d of them at the node that was killed; %d times something else than was said%n",
                calls.size(), moved, faults);
        return faults == 0 && moved > 0;
    }

    private static int differs(PlacedCall call, String when, int said, int found) {
        if (said == found && said != NOBODY) {
            return 0;
        }
        System.out.printf(
                "%s, %s: node %d was said, node %d it was%n", call.id(), when, said, found);
        return 1;
    }

    private static void awaitAgreed(TrialCluster cluster, int gone) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(AGREED_SECONDS);
        int other = gone == 0 ? 1 : 0;
        // Until they know of its death all agree that it owns its part.
        while (cluster.owned(other, gone) > 0 || !cluster.isAgreed(gone)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException(
                        "the partitions of node "
                                + gone
                                + " had no owner after "
                                + AGREED_SECONDS
                                + " s");
            }
            Pause.millis(LOOK_MILLIS);
        }
    }

    /** The command, as an operator gives it on the machine of a node. */
    private static final class Asking {
        private final TrialCluster cluster;
        private final Path folder;
        private int node;

        Asking(TrialCluster cluster, Path folder) {
            this.cluster = cluster;
            this.folder = folder;
        }

        void from(int other) throws IOException {
            node = other;
            Files.writeString(
                    configuration(), "control: {directory: " + cluster.control(node) + "}\n");
        }

        private Path configuration() {
            return folder.resolve("asking.yaml");
        }

        Said ofCall(PlacedCall call) throws IOException {
            return Said.of(ClusterCommands.place(explain(call.id(), "--json")));
        }

        /** As {@link #ofCall}, without a process for it. */
        int owner(PlacedCall call) throws IOException {
            String id = Base64.getEncoder().encodeToString(call.id().getBytes(UTF_8));
            return Said.of(ClusterCommands.place(cluster.ask(node, "where-call", id))).owner();
        }

        Said ofNext(PlacedCall call) throws IOException {
            Path file = folder.resolve("message.sip");
            Files.writeString(file, call.next());
            return Said.of(ClusterCommands.place(explain(file.toString(), "--json")));
        }

        /** It names the partition, and the applications that the call would visit. */
        void ofUri() throws IOException {
            String said = explain("sip:uas@127.0.0.1", "--from", "sip:caller@127.0.0.1");
            if (!said.contains("partition ") || !said.contains("uas")) {
                throw new IOException("of a URI was said: " + said);
            }
        }

        /** Who has the call, as the nodes say among themselves. */
        int holder(PlacedCall call) throws IOException {
            List<CallDetail> found =
                    JSON.readValue(cluster.ask(node, "call", call.id()), new TypeReference<>() {});
            return found.size() == 1
                    ? Objects.requireNonNull(found.getFirst().cluster(), "in a cluster").node()
                    : NOBODY;
        }

        private String explain(String... words) throws IOException {
            List<String> command =
                    new ArrayList<>(List.of(Folders.launcher(), "router", "explain", words[0]));
            command.addAll(List.of(words).subList(1, words.length));
            command.addAll(
                    List.of(
                            "--pid",
                            Long.toString(cluster.pid(node)),
                            "--config",
                            configuration().toString()));
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), UTF_8);
            try {
                if (process.waitFor() != 0) {
                    throw new IOException(String.join(" ", command) + ": " + said.strip());
                }
            } catch (InterruptedException e) {
                process.destroy();
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
            return said;
        }
    }
}
