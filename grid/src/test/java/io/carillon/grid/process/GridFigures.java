package io.carillon.grid.process;

import io.carillon.grid.Loopback;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Figures of the grid with three processes on this machine, as a command: {@code kill [times]} or
 * {@code load}. Nothing is judged.
 */
public final class GridFigures {
    private static final int RECORDS = 10_000;
    private static final int BYTES = 2_048;
    private static final int SECONDS = 10;

    private GridFigures() {}

    /** Prints a table. */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("kill")) {
            int times = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
            System.out.println("| killed | proof of death | new view | two copies again | read |");
            System.out.println("| --- | --- | --- | --- | --- |");
            for (int i = 0; i < times; i++) {
                kill(i % 2 == 0);
            }
        } else {
            System.out.println(
                    "| records/s | bytes | CPU of a record, all nodes (us) | held p50 | p99 | max"
                            + " (us) | unprotected |");
            System.out.println("| --- | --- | --- | --- | --- | --- | --- |");
            load();
        }
    }

    private static void kill(boolean leader) throws Exception {
        Path folder = Files.createTempDirectory("grid-figures");
        try (ThreeProcesses all = new ThreeProcesses(folder)) {
            int killed = leader ? all.leader() : (all.leader() + 1) % 3;
            ChildNode one = all.nodes.get((killed + 1) % 3);
            ChildNode other = all.nodes.get((killed + 2) % 3);
            all.nodes.get(killed).ask("write " + RECORDS + " " + BYTES);
            long at = System.currentTimeMillis();
            all.nodes.get(killed).kill();
            Loopback.until("the view", () -> other.millisTo(at, "left " + killed) >= 0);
            String read = one.ask("check " + RECORDS + " " + BYTES);
            Loopback.until("two copies", () -> other.millisTo(at, "missing 0") >= 0);
            System.out.printf(
                    "| %s | %d ms | %d ms | %d ms | %s |%n",
                    leader ? "leader" : "other",
                    other.millisTo(at, "died " + killed),
                    other.millisTo(at, "left " + killed),
                    other.millisTo(at, "missing 0"),
                    read);
        }
    }

    private static void load() throws Exception {
        Path folder = Files.createTempDirectory("grid-figures");
        try (ThreeProcesses all = new ThreeProcesses(folder)) {
            all.nodes.getFirst().ask("load 1000 " + SECONDS + " 1000");
            for (int rate : new int[] {0, 200, 1_000, 2_000}) {
                for (int bytes : rate == 0 ? new int[] {0} : new int[] {500, 1_000, 2_000}) {
                    List<Long> before = cpu(all);
                    String told = "0 0 0 0 1";
                    if (rate == 0) {
                        Thread.sleep(SECONDS * 1_000L);
                    } else {
                        told =
                                all.nodes
                                        .getFirst()
                                        .ask("load " + rate + " " + SECONDS + " " + bytes);
                    }
                    String[] words = told.split(" ");
                    List<Long> after = cpu(all);
                    long nanos = 0;
                    for (int i = 0; i < after.size(); i++) {
                        nanos += after.get(i) - before.get(i);
                    }
                    System.out.printf(
                            "| %d | %d | %d | %s | %s | %s | %s |%n",
                            rate,
                            bytes,
                            nanos / 1_000 / Long.parseLong(words[4]),
                            words[0],
                            words[1],
                            words[2],
                            words[3]);
                }
            }
        }
    }

    private static List<Long> cpu(ThreeProcesses all) throws Exception {
        List<Long> nanos = new ArrayList<>();
        for (ChildNode node : all.nodes) {
            nanos.add(Long.parseLong(node.ask("cpu")));
        }
        return nanos;
    }
}
