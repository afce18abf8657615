package io.carillon.grid.process;

import io.carillon.grid.Loopback;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Three nodes in three processes. */
final class ThreeProcesses implements AutoCloseable {
    final List<ChildNode> nodes = new ArrayList<>();

    private final Path folder;

    ThreeProcesses(Path folder) throws Exception {
        this.folder = folder;
        List<Integer> ports =
                Loopback.addresses(3).stream().map(InetSocketAddress::getPort).toList();
        for (int number = 0; number < 3; number++) {
            nodes.add(new ChildNode(number, folder, ports));
        }
        for (ChildNode node : nodes) {
            node.answer();
        }
        for (ChildNode node : nodes) {
            Loopback.until("three nodes see each other", () -> answers(node, "seen", "3"));
            Loopback.until("two copies", () -> answers(node, "missing", "0"));
        }
        Loopback.until(
                "a leader", () -> nodes.stream().anyMatch(node -> answers(node, "leads", "true")));
    }

    static boolean answers(ChildNode node, String question, String answer) {
        try {
            return node.ask(question).equals(answer);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** As {@link Loopback#until}, and tells what the nodes said where it fails. */
    void until(String what, BooleanSupplier condition) {
        try {
            Loopback.until(what, condition);
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + said(), e);
        }
    }

    private String said() {
        StringBuilder all = new StringBuilder();
        for (int number = 0; number < nodes.size(); number++) {
            all.append("\nnode ").append(number).append(": ");
            all.append(nodes.get(number).events()).append('\n');
            try {
                all.append(Files.readString(folder.resolve("node-" + number + ".err")));
            } catch (IOException e) {
                all.append(e);
            }
        }
        return all.toString();
    }

    /** The number of the node that leads the voters. */
    int leader() throws Exception {
        for (int number = 0; number < nodes.size(); number++) {
            if (nodes.get(number).ask("leads").equals("true")) {
                return number;
            }
        }
        throw new AssertionError("nobody leads");
    }

    @Override
    public void close() {
        nodes.forEach(ChildNode::close);
    }
}
