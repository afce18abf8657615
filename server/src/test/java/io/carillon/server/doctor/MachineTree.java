package io.carillon.server.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder that looks like a machine's {@code /}; a good one to begin with. */
final class MachineTree {
    private static final String NOTHING_LOST =
            "0000a000 00000000 00000000 00000000\n0000b000 00000000 00000000 00000000\n";

    private final Path root;

    private MachineTree(Path root) {
        this.root = root;
    }

    static MachineTree empty(Path root) {
        return new MachineTree(root);
    }

    /** Two processors, 8 GiB, everything as the server wants it. */
    static MachineTree good(Path root) {
        return empty(root)
                .with("proc/sys/net/core/rmem_max", "4194304")
                .with("proc/sys/net/core/wmem_max", "4194304")
                .with("proc/sys/net/core/optmem_max", "131072")
                .with("proc/sys/net/core/netdev_max_backlog", "1000")
                .with("proc/sys/net/core/somaxconn", "4096")
                .with("proc/sys/net/ipv4/ip_local_port_range", "32768\t60999")
                .with("proc/sys/net/ipv4/ip_local_reserved_ports", "")
                .with("proc/sys/kernel/threads-max", "62000")
                .with("proc/sys/vm/max_map_count", "65530")
                .with("proc/net/softnet_stat", NOTHING_LOST)
                .udpErrors(0)
                .with("proc/net/netstat", "TcpExt: SyncookiesSent ListenDrops\nTcpExt: 0 0\n")
                .with("proc/net/if_inet6", "00000000000000000000000000000001 01 80 10 80 lo\n")
                .ticks(1000, 0)
                .with("proc/vmstat", "pswpin 0\npswpout 0\n")
                .with(
                        "proc/meminfo",
                        "MemTotal:  8388608 kB\nSwapTotal:       0 kB\nSwapFree:        0 kB\n")
                .limits("1048576", "31000")
                .with("proc/self/cgroup", "0::/user.slice\n")
                .with("proc/1/cgroup", "0::/init.scope\n")
                .with("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never")
                .with("sys/kernel/mm/transparent_hugepage/defrag", "always [madvise] never")
                .with(
                        "sys/kernel/mm/transparent_hugepage/shmem_enabled",
                        "always within_size [advise] never deny force")
                .clock("tsc", "tsc hpet acpi_pm");
    }

    MachineTree with(String path, String text) {
        try {
            Path file = root.resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    MachineTree without(String path) {
        try {
            Files.delete(root.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    MachineTree udpErrors(long number) {
        return with(
                "proc/net/snmp",
                "Ip: Forwarding DefaultTTL\nIp: 1 64\n"
                        + "Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors\n"
                        + ("Udp: 500 0 7 500 " + number + " 0\n")
                        + "UdpLite: InDatagrams RcvbufErrors\nUdpLite: 0 99\n");
    }

    MachineTree ticks(long working, long stolen) {
        return with(
                "proc/stat",
                "cpu  " + working + " 0 0 0 0 0 0 " + stolen + " 0 0\ncpu0 1 0 0 0 0 0 0 1 0 0\n");
    }

    MachineTree limits(String files, String processes) {
        return with(
                "proc/self/limits",
                "Limit                     Soft Limit           Hard Limit           Units     \n"
                        + ("Max processes             " + processes + "   31000   processes \n")
                        + ("Max open files            " + files + "   1048576   files     \n"));
    }

    MachineTree clock(String current, String available) {
        return with("sys/devices/system/clocksource/clocksource0/current_clocksource", current)
                .with(
                        "sys/devices/system/clocksource/clocksource0/available_clocksource",
                        available);
    }

    SystemFiles files() {
        return new SystemFiles(root);
    }
}
