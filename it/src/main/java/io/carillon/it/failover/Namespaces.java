package io.carillon.it.failover;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Each node in a network namespace of its own on a bridge, the router in another; the phones are on
 * the bridge itself. The nodes have one processor, the router and the phones another. Needs root.
 * Owner: one thread.
 */
final class Namespaces implements Site, WireFaults {
    /** RFC 2544: addresses for measuring. */
    private static final String NET = "198.18.";

    private static final int PHONES_AT = 1;
    private static final int ROUTER_AT = 2;
    private static final int NODES_AT = 10;
    private static final int SUBNETS = 250;
    private static final String NOWHERE = "02:00:00:00:00:01";

    private final String mark;
    private final String subnet;
    private final int members;
    private final String nodesOn;
    private final String loadOn;

    /** A run that is interrupted leaves nothing; one that is killed leaves all. */
    private final Thread end = new Thread(this::deleteAtTheEnd, "namespaces-end");

    /**
     * Makes them.
     *
     * @param members nodes, and the witness
     * @param nodesOn processors of the nodes, as taskset takes them
     * @param loadOn of the router and of this process
     */
    Namespaces(int members, String nodesOn, String loadOn) throws IOException {
        long pid = ProcessHandle.current().pid();
        this.mark = "cfo" + pid % 100_000;
        this.subnet = NET + (1 + pid % SUBNETS) + ".";
        this.members = members;
        this.nodesOn = nodesOn;
        this.loadOn = loadOn;
        Runtime.getRuntime().addShutdownHook(end);
        try {
            ip("link", "add", mark, "type", "bridge");
            ip("address", "add", subnet + PHONES_AT + "/24", "dev", mark);
            ip("link", "set", mark, "up");
            add("r", ROUTER_AT);
            for (int member = 0; member < members; member++) {
                add(Integer.toString(member), NODES_AT + member);
            }
            run("taskset", "-a", "-c", "-p", loadOn, Long.toString(pid));
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private String name(String part) {
        return mark + "-" + part;
    }

    private void add(String part, int at) throws IOException {
        String name = name(part);
        ip("netns", "add", name);
        ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name);
        ip("link", "set", name, "master", mark, "up");
        ip("-n", name, "link", "set", "lo", "up");
        ip("-n", name, "address", "add", subnet + at + "/24", "dev", "eth0");
        ip("-n", name, "link", "set", "eth0", "up");
        ip("-n", name, "route", "add", "default", "via", subnet + PHONES_AT);
    }

    @Override
    public String phones() {
        return subnet + PHONES_AT;
    }

    @Override
    public String router() {
        return subnet + ROUTER_AT;
    }

    @Override
    public String node(int number) {
        return subnet + (NODES_AT + number);
    }

    @Override
    public List<String> inNode(int number) {
        return inside(Integer.toString(number), nodesOn);
    }

    @Override
    public List<String> inRouter() {
        return inside("r", loadOn);
    }

    private List<String> inside(String part, String processors) {
        return List.of("ip", "netns", "exec", name(part), "taskset", "-c", processors);
    }

    @Override
    public WireFaults wire() {
        return this;
    }

    // ---- faults ----

    /** The sender sees a wire that is there: no error tells it. */
    @Override
    public void cut(int node) throws IOException {
        ip("link", "set", name(Integer.toString(node)), "nomaster");
    }

    @Override
    public void mend(int node) throws IOException {
        ip("link", "set", name(Integer.toString(node)), "master", mark);
    }

    @Override
    public void deafen(int node) throws IOException {
        for (String other : others(node)) {
            misdirect(other, node(node));
        }
    }

    @Override
    public void mute(int node) throws IOException {
        String self = Integer.toString(node);
        for (int other = 0; other < members; other++) {
            if (other != node) {
                misdirect(self, node(other));
            }
        }
        misdirect(self, router());
    }

    private List<String> others(int node) {
        List<String> all = new ArrayList<>(List.of("r"));
        for (int other = 0; other < members; other++) {
            if (other != node) {
                all.add(Integer.toString(other));
            }
        }
        return all;
    }

    /** What that one sends to that address goes to a station that nobody is. */
    private void misdirect(String part, String address) throws IOException {
        String name = name(part);
        ip("-n", name, "neigh", "replace", address, "lladdr", NOWHERE, "dev", "eth0");
        ip("-n", name, "neigh", "change", address, "nud", "permanent", "dev", "eth0");
    }

    @Override
    public void part(int one, int other) throws IOException {
        for (int each : new int[] {one, other}) {
            run("bridge", "link", "set", "dev", name(Integer.toString(each)), "isolated", "on");
        }
    }

    @Override
    public void mendAll() throws IOException {
        for (int node = 0; node < members; node++) {
            String name = name(Integer.toString(node));
            ip("link", "set", name, "master", mark);
            run("bridge", "link", "set", "dev", name, "isolated", "off");
            ip("-n", name, "neigh", "flush", "dev", "eth0", "nud", "permanent");
        }
        ip("-n", name("r"), "neigh", "flush", "dev", "eth0", "nud", "permanent");
    }

    // ---- the end ----

    @Override
    public void close() throws IOException {
        try {
            Runtime.getRuntime().removeShutdownHook(end);
        } catch (IllegalStateException ends) {
            return; // the hook does it
        }
        delete();
    }

    private void deleteAtTheEnd() {
        try {
            delete();
        } catch (IOException e) {
            System.err.println("carillon it: namespaces are left: " + e.getMessage());
        }
    }

    private void delete() throws IOException {
        List<String> faults = new ArrayList<>();
        String list = run("ip", "-o", "netns", "list");
        for (String line : list.lines().toList()) {
            String name = line.split(" ", -1)[0];
            if (name.startsWith(mark + "-")) {
                attempt(faults, "ip", "netns", "delete", name);
            }
        }
        attempt(faults, "ip", "link", "delete", mark);
        if (!faults.isEmpty()) {
            throw new IOException(String.join("; ", faults));
        }
    }

    private static void attempt(List<String> faults, String... command) {
        try {
            run(command);
        } catch (IOException e) {
            faults.add(String.valueOf(e.getMessage()));
        }
    }

    private static void ip(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        run(command.toArray(String[]::new));
    }

    private static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IOException(
                        String.format(
                                Locale.ROOT,
                                "%s: %s (--namespaces needs root)",
                                String.join(" ", command),
                                said.strip()));
            }
            return said;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
