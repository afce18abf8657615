package io.carillon.server.doctor;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The network's tables and ranges. */
final class NetworkChecks {
    private static final long WANTED_ACCEPT_QUEUE = 4096;
    private static final long FEW_PORTS = 10_000;
    private static final double TABLE_FULL = 0.95;
    private static final double TABLE_FILLS = 0.7;

    private NetworkChecks() {}

    static List<Finding> of(SystemFiles files, ServerNeeds needs, Snapshot before, Snapshot after) {
        List<Finding> findings = new ArrayList<>();
        findings.add(acceptQueue(files, before, after));
        findings.add(ports(files, needs));
        Finding tracked = connectionTracking(files);
        if (tracked != null) {
            findings.add(tracked);
        }
        findings.add(ipv6(files, needs));
        return findings;
    }

    private static Finding acceptQueue(SystemFiles files, Snapshot before, Snapshot after) {
        String check = "accept-queue";
        Long limit = files.number("proc/sys/net/core/somaxconn");
        if (limit == null) {
            return Finding.note(
                    check, "This system does not tell how many connections may wait.", "");
        }
        long refused = after.listenDrops() - before.listenDrops();
        String found =
                NumberText.count(limit)
                        + " connections may wait until the server takes them (somaxconn)";
        String cost =
                "When many phones come back at once over TCP (a switch that restarts), those beyond it try again"
                        + " after 1, 3 and 7 s.";
        if (refused > 0) {
            return Finding.warning(
                    check,
                    found
                            + ", and "
                            + NumberText.count(refused)
                            + " were turned away during the watch.",
                    cost,
                    Finding.sysctl("net.core.somaxconn", Math.max(2 * limit, WANTED_ACCEPT_QUEUE)));
        }
        return limit >= WANTED_ACCEPT_QUEUE
                ? Finding.ok(check, found + ".")
                : Finding.note(
                        check,
                        found
                                + "; the server asks for "
                                + NumberText.count(WANTED_ACCEPT_QUEUE)
                                + ".",
                        cost,
                        Finding.sysctl("net.core.somaxconn", WANTED_ACCEPT_QUEUE));
    }

    private static Finding ports(SystemFiles files, ServerNeeds needs) {
        String check = "ephemeral-ports";
        String range = files.text("proc/sys/net/ipv4/ip_local_port_range");
        String[] words = range == null ? new String[0] : SystemFiles.words(range);
        Long low = words.length == 2 ? SystemFiles.parse(words[0]) : null;
        Long high = words.length == 2 ? SystemFiles.parse(words[1]) : null;
        if (low == null || high == null) {
            return Finding.note(
                    check, "This system does not tell which ports it gives to clients.", "");
        }
        String found = "Clients get ports from " + low + " to " + high;
        String reserved = files.text("proc/sys/net/ipv4/ip_local_reserved_ports");
        List<Integer> exposed =
                needs.ports().stream()
                        .filter(port -> port >= low && port <= high && !reserves(reserved, port))
                        .toList();
        if (!exposed.isEmpty()) {
            String list = String.join(",", exposed.stream().map(String::valueOf).toList());
            return Finding.warning(
                    check,
                    found + ", and the server listens among them on " + list + ".",
                    "While the server is down any client of this machine may get its port, and the next start fails.",
                    "sysctl -w net.ipv4.ip_local_reserved_ports=" + list,
                    "echo 'net.ipv4.ip_local_reserved_ports="
                            + list
                            + "' >> /etc/sysctl.d/60-carillon.conf");
        }
        if (high - low + 1 < FEW_PORTS) {
            return Finding.note(
                    check,
                    found + ", " + NumberText.count(high - low + 1) + " in all.",
                    "Each connection to the same peer takes one, for a minute after its end too.",
                    "sysctl -w net.ipv4.ip_local_port_range='32768 60999'");
        }
        return Finding.ok(check, found + ".");
    }

    /** Of the form {@code 5060,8000-8100}. */
    private static boolean reserves(@Nullable String reserved, int port) {
        if (reserved == null || reserved.isEmpty()) {
            return false;
        }
        for (String range : reserved.split(",", -1)) {
            String[] ends = range.split("-", 2);
            Long low = SystemFiles.parse(ends[0]);
            Long high = SystemFiles.parse(ends[ends.length - 1]);
            if (low != null && high != null && port >= low && port <= high) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Finding connectionTracking(SystemFiles files) {
        Long count = files.number("proc/sys/net/netfilter/nf_conntrack_count");
        Long most = files.number("proc/sys/net/netfilter/nf_conntrack_max");
        if (count == null || most == null || most == 0) {
            return null; // no firewall here that keeps a table
        }
        String check = "connection-tracking";
        String found =
                "The firewall tracks "
                        + NumberText.count(count)
                        + " flows of at most "
                        + NumberText.count(most);
        double full = (double) count / most;
        String cost =
                "Each pair of addresses and ports takes an entry, for minutes. When the table is full the kernel drops"
                        + " every packet of a new pair: new phones are not heard at all.";
        String[] mend = {
            "sysctl -w net.netfilter.nf_conntrack_max=" + 4 * most,
            "iptables -t raw -A PREROUTING -p udp --dport 5060 -j NOTRACK   # or leave SIP out of it"
        };
        if (full >= TABLE_FULL) {
            return Finding.fault(check, found + ".", cost, mend);
        }
        return full >= TABLE_FILLS
                ? Finding.warning(check, found + ".", cost, mend)
                : Finding.ok(check, found + ".");
    }

    private static Finding ipv6(SystemFiles files, ServerNeeds needs) {
        String check = "ipv6";
        boolean there = !files.lines("proc/net/if_inet6").isEmpty();
        if (there || !needs.ipv6()) {
            return Finding.ok(
                    check,
                    there
                            ? "IPv6 is on."
                            : "IPv6 is off, and the server does not listen on such an address.");
        }
        return Finding.fault(
                check,
                "IPv6 is off, and the server is to listen on such an address.",
                "It will not start.",
                "sysctl -w net.ipv6.conf.all.disable_ipv6=0");
    }
}
