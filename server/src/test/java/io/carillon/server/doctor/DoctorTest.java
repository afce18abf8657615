package io.carillon.server.doctor;

import static io.carillon.server.doctor.Severity.FAULT;
import static io.carillon.server.doctor.Severity.NOTE;
import static io.carillon.server.doctor.Severity.OK;
import static io.carillon.server.doctor.Severity.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines made of files: two looks at a tree are a watch. */
class DoctorTest {
    private static final long GIB = 1L << 30;

    @TempDir private Path first;
    @TempDir private Path second;
    private MachineTree before;
    private MachineTree after;
    private @Nullable RunningServer server;

    @BeforeEach
    void aGoodMachine() {
        before = MachineTree.good(first);
        after = MachineTree.good(second).ticks(2000, 0);
    }

    @Test
    void aGoodMachineHasNothingToMend() {
        Report report = report();

        assertThat(report.findings()).allMatch(finding -> finding.severity() == OK);
        assertThat(report.findings()).allMatch(finding -> finding.mend().isEmpty());
        assertThat(report.failed()).isFalse();
        assertThat(report.machine().memoryBytes()).isEqualTo(8 * GIB);
    }

    @Test
    void aSmallReceiveBufferIsAWarningWithBothCommands() {
        after.with("proc/sys/net/core/rmem_max", "212992");

        Finding finding = finding("socket-receive-buffer", WARNING);

        assertThat(finding.found()).contains("208 KiB").contains("asks for 4 MiB");
        assertThat(finding.cost()).contains("At 26,000 messages/s such a buffer holds 8 ms");
        assertThat(finding.mend())
                .containsExactly(
                        "sysctl -w net.core.rmem_max=4194304",
                        "echo 'net.core.rmem_max=4194304' >> /etc/sysctl.d/60-carillon.conf");
        assertThat(report().failed()).isTrue();
    }

    @Test
    void aHostThatTakesFreeMemoryBackIsANote() {
        String features = "sys/bus/virtio/devices/virtio3/features";
        after.with("sys/bus/virtio/devices/virtio0/device", "0x0002\n")
                .with("sys/bus/virtio/devices/virtio0/features", "111111\n")
                .with("sys/bus/virtio/devices/virtio3/device", "0x0005\n")
                .with(features, "0110010110\n");

        Finding finding = finding("free-page-reporting", NOTE);

        assertThat(finding.cost()).contains("--touch");
        assertThat(finding.mend().getFirst()).contains("-XX:+AlwaysPreTouch");
        after.with(features, "0110000110\n");
        finding("free-page-reporting", OK);
    }

    @Test
    void aSmallSendBufferIsAWarning() {
        after.with("proc/sys/net/core/wmem_max", "212992");

        assertThat(finding("socket-send-buffer", WARNING).mend())
                .contains("sysctl -w net.core.wmem_max=4194304");
    }

    @Test
    void aKernelWithoutRoomForTheProgramThatChoosesSocketsIsANote() {
        after.with("proc/sys/net/core/optmem_max", "20480");

        Finding finding = finding("socket-by-call", NOTE);

        assertThat(finding.found()).contains("20 KiB").contains("needs up to 128 KiB");
        assertThat(finding.mend()).contains("sysctl -w net.core.optmem_max=131072");
    }

    @Test
    void aKernelThatDoesNotTellOfProgramsIsANoteWithoutACommand() {
        after.without("proc/sys/net/core/optmem_max");

        Finding finding = finding("socket-by-call", NOTE);

        assertThat(finding.found()).contains("net.core.optmem_max");
        assertThat(finding.mend()).isEmpty();
    }

    @Test
    void withOneEventLoopThereIsNoSocketToChoose() {
        after.with("proc/sys/net/core/optmem_max", "20480");

        Report report = new Doctor(before.files(), needs(false), server).report(after.files(), 10);

        assertThat(report.findings())
                .filteredOn(finding -> finding.check().equals("socket-by-call"))
                .singleElement()
                .matches(finding -> finding.severity() == OK);
    }

    @Test
    void datagramsLostDuringTheWatchAreAFaultAndOlderOnesANote() {
        before.udpErrors(5);
        after.udpErrors(5);
        assertThat(finding("receive-buffer-errors", NOTE).found()).startsWith("5 datagrams");

        after.udpErrors(8).with("proc/net/snmp6", "Udp6InErrors 9\nUdp6RcvbufErrors 2\n");
        assertThat(finding("receive-buffer-errors", FAULT).found())
                .startsWith("5 datagrams were thrown away during the watch")
                .contains("10 since");
    }

    @Test
    void packetsLostBeforeTheSocketsAreAFault() {
        after.with("proc/net/softnet_stat", "0000a000 0000001f 00000000\n0000b000 00000001 0\n");

        Finding finding = finding("network-backlog", FAULT);

        assertThat(finding.found()).startsWith("32 packets");
        assertThat(finding.mend()).contains("sysctl -w net.core.netdev_max_backlog=10000");
    }

    @Test
    void aShortBacklogIsAWarning() {
        after.with("proc/sys/net/core/netdev_max_backlog", "300");

        finding("network-backlog", WARNING);
    }

    @Test
    void stealIsJudgedByItsShareOfTheWatch() {
        before.ticks(1000, 500);
        after.ticks(1997, 503);
        finding("cpu-steal", OK);
        after.ticks(1990, 510);
        assertThat(finding("cpu-steal", NOTE).found()).contains("1 %");
        after.ticks(1950, 550);
        assertThat(finding("cpu-steal", WARNING).found()).contains("5 %");
        after.ticks(1800, 700);
        finding("cpu-steal", FAULT);
    }

    @Test
    void aClockThatIsADeviceIsAWarningAndTheCommandIsForThisMachine() {
        after.clock("hpet", "tsc hpet acpi_pm");
        assertThat(finding("clock-source", WARNING).mend().getFirst())
                .isEqualTo(
                        "echo tsc > /sys/devices/system/clocksource/clocksource0/current_clocksource");

        after.clock("acpi_pm", "acpi_pm");
        assertThat(finding("clock-source", WARNING).mend().getFirst()).startsWith("dmesg");

        after.clock("kvm-clock", "kvm-clock");
        finding("clock-source", OK);
    }

    @Test
    void aFrequencyThatSleepsIsAWarningUnlessTheDriverRaisesItByItself() {
        String folder = "sys/devices/system/cpu/cpu0/cpufreq/";
        after.with(folder + "scaling_governor", "powersave")
                .with(folder + "scaling_driver", "acpi-cpufreq");
        assertThat(finding("cpu-frequency", WARNING).mend().getFirst())
                .isEqualTo("cpupower frequency-set -g performance");

        after.with(folder + "scaling_driver", "intel_pstate");
        finding("cpu-frequency", NOTE);

        after.with(folder + "scaling_governor", "performance");
        finding("cpu-frequency", OK);
    }

    @Test
    void aQuotaIsANoteUntilItStoppedTheServer() {
        for (MachineTree tree : List.of(before, after)) {
            tree.with("sys/fs/cgroup/user.slice/cpu.max", "150000 100000")
                    .with("sys/fs/cgroup/user.slice/cpu.stat", "nr_periods 10\nnr_throttled 0\n");
        }
        assertThat(finding("cpu-quota", NOTE).found()).contains("1.5 processors");

        for (MachineTree tree : List.of(before, after)) {
            tree.with("sys/fs/cgroup/user.slice/cpu.stat", "nr_periods 10\nnr_throttled 3\n");
        }
        finding("cpu-quota", WARNING);

        after.with("sys/fs/cgroup/user.slice/cpu.stat", "nr_periods 20\nnr_throttled 7\n");
        assertThat(finding("cpu-quota", FAULT).found()).contains("in 4 periods during the watch");
    }

    @Test
    void theSmallestLimitOnTheWayUpCounts() {
        after.with("proc/self/cgroup", "0::/system.slice/carillon.service\n")
                .with("sys/fs/cgroup/system.slice/carillon.service/memory.max", "max")
                .with("sys/fs/cgroup/system.slice/memory.max", "2147483648");

        Finding finding = finding("memory-limit", FAULT);

        assertThat(finding.found()).contains("may have 2 GiB");
        assertThat(finding.mend().getFirst()).isEqualTo("./carillon run --jvm -Xmx1648m ...");
    }

    @Test
    void inAContainerOfVersion1TheMountIsTheGroupItself() {
        for (MachineTree tree : List.of(before, after)) {
            tree.with(
                            "proc/self/cgroup",
                            "5:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n2:pids:/docker/abc\n")
                    .with("proc/1/cgroup", "5:memory:/docker/abc\n")
                    .with("sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824")
                    .with("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000")
                    .with("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000")
                    .with("sys/fs/cgroup/pids/pids.max", "100");
        }
        assertThat(finding("memory-limit", FAULT).found()).contains("1 GiB");
        assertThat(finding("cpu-quota", NOTE).found()).contains("0.5 processors");
        assertThat(finding("threads", WARNING).found()).contains("100 threads");
        finding("container", NOTE);
    }

    @Test
    void withoutALimitTheNumbersOfBothVersionsMeanNone() {
        after.with("proc/self/cgroup", "5:memory:/\n3:cpu:/\n2:pids:/\n")
                .with("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712")
                .with("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1")
                .with("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000")
                .with("sys/fs/cgroup/pids/pids.max", "max");

        finding("memory-limit", OK);
        finding("cpu-quota", OK);
        finding("threads", OK);
    }

    @Test
    void fewFilesAndFewThreadsAreWarnings() {
        after.limits("1024", "500");

        assertThat(finding("open-files", WARNING).mend().getFirst()).startsWith("ulimit -n 20500");
        assertThat(finding("threads", WARNING).mend().getFirst()).startsWith("ulimit -u");

        after.limits("unlimited", "unlimited");
        assertThat(finding("open-files", OK).found()).contains("any number of files");
        finding("threads", OK);
    }

    @Test
    void swapThatIsReadIsAWarningAndSwapThatRestsANote() {
        after.with(
                "proc/meminfo",
                "MemTotal: 8388608 kB\nSwapTotal: 1048576 kB\nSwapFree: 1046528 kB\n");
        assertThat(finding("swap", NOTE).found()).contains("2 MiB");

        after.with("proc/vmstat", "pswpin 12\n");
        finding("swap", WARNING);
    }

    @Test
    void hugePagesThatAreMadeWhileAProgramWaitsAreAWarning() {
        after.with("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never");
        finding("huge-pages", NOTE);

        after.with("sys/kernel/mm/transparent_hugepage/defrag", "[always] madvise never");
        finding("huge-pages", WARNING);
    }

    @Test
    void aHeapWithoutHugePagesIsANoteWithTheCommandThatGivesThem() {
        finding("huge-pages", OK);

        after.with(
                "sys/kernel/mm/transparent_hugepage/shmem_enabled",
                "always within_size advise [never] deny force");
        assertThat(finding("huge-pages", NOTE).mend())
                .contains("echo advise > /sys/kernel/mm/transparent_hugepage/shmem_enabled");

        after.with("sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]");
        assertThat(finding("huge-pages", NOTE).mend())
                .contains("echo madvise > /sys/kernel/mm/transparent_hugepage/enabled");
    }

    @Test
    void aLargeHeapNeedsManyMaps() {
        after.with("proc/sys/vm/max_map_count", "10000");

        assertThat(finding("memory-maps", WARNING).mend())
                .contains("sysctl -w vm.max_map_count=262144");
    }

    @Test
    void theServersPortAmongThoseOfClientsHasToBeReserved() {
        after.with("proc/sys/net/ipv4/ip_local_port_range", "1024 65535");
        assertThat(finding("ephemeral-ports", WARNING).mend().getFirst())
                .isEqualTo("sysctl -w net.ipv4.ip_local_reserved_ports=5060");

        after.with("proc/sys/net/ipv4/ip_local_reserved_ports", "5000-5100,8080");
        finding("ephemeral-ports", OK);
    }

    @Test
    void aTableOfFlowsThatFillsIsToldBeforeItIsFull() {
        after.with("proc/sys/net/netfilter/nf_conntrack_max", "1000")
                .with("proc/sys/net/netfilter/nf_conntrack_count", "100");
        finding("connection-tracking", OK);
        after.with("proc/sys/net/netfilter/nf_conntrack_count", "800");
        assertThat(finding("connection-tracking", WARNING).mend())
                .contains("sysctl -w net.netfilter.nf_conntrack_max=4000");
        after.with("proc/sys/net/netfilter/nf_conntrack_count", "990");
        finding("connection-tracking", FAULT);
    }

    @Test
    void connectionsThatWereTurnedAwayAreAWarning() {
        after.with("proc/net/netstat", "TcpExt: SyncookiesSent ListenDrops\nTcpExt: 0 3\n");

        finding("accept-queue", WARNING);
    }

    @Test
    void theRunningServersSocketsAndLimitsAreLookedAt() {
        server =
                new RunningServer(
                        42,
                        List.of("udp:127.0.0.1:5060", "tcp:127.0.0.1:5061"),
                        0,
                        GIB,
                        GIB / 8,
                        GIB / 2,
                        7,
                        "",
                        List.of());
        String names = "  sl  local_address rem_address   st tx_queue rx_queue tr\n";
        after.with(
                        "proc/net/udp",
                        names
                                + "1: 0100007F:13C4 00000000:0000 07 00000000:00400000 00:00000000 0\n"
                                + "2: 0100007F:13C5 00000000:0000 07 00000000:0FFFFFFF 00:00000000 0\n")
                .with("proc/42/limits", "Max open files  100  200  files\n");

        assertThat(finding("server-receive-queue", OK).found()).contains("4 MiB");
        finding("server-drops", OK);
        finding("handlers-on-loops", OK);
        assertThat(finding("server-overload", OK).found()).contains("7 of 100");
        assertThat(finding("heap-touched", NOTE).found()).contains("128 MiB", "512 MiB");
        assertThat(finding("open-files", WARNING).found()).startsWith("The server may have 100");

        after.with(
                "proc/net/udp",
                names + "1: 0100007F:13C4 00000000:0000 07 00000000:00700000 00:00000000 0\n");
        finding("server-receive-queue", FAULT);

        server =
                new RunningServer(
                        42,
                        List.of("udp:127.0.0.1:5060"),
                        17,
                        GIB,
                        GIB / 2,
                        GIB / 2,
                        100,
                        "Java has no --add-opens",
                        List.of("shedding new calls"));
        finding("heap-touched", OK);
        assertThat(finding("handlers-on-loops", NOTE).found()).contains("--add-opens");
        assertThat(finding("server-drops", WARNING).found()).contains("17 messages");
        assertThat(finding("server-overload", WARNING).found()).contains("shedding new calls");
    }

    @Test
    void withoutProcItSaysWhatItCannotSee() throws Exception {
        Path bare = Files.createDirectory(first.resolve("bare"));
        SystemFiles files = MachineTree.empty(bare).files();

        Report report = new Doctor(files, needs(), null).report(files, 0);

        assertThat(report.findings()).hasSize(1);
        assertThat(report.findings().getFirst().severity()).isEqualTo(NOTE);
        assertThat(report.findings().getFirst().found()).contains("no /proc");
        assertThat(report.failed()).isFalse();
        assertThat(Doctor.atStart(files, needs())).isEmpty();
    }

    @Test
    void whatCannotBeReadIsANote() {
        Path bare = first.resolve("half");
        SystemFiles files = MachineTree.empty(bare).with("proc/version", "Other 1.0").files();

        Report report = new Doctor(files, needs(), null).report(files, 0);

        assertThat(report.worst()).isEqualTo(NOTE);
        assertThat(report.findings()).hasSizeGreaterThan(10);
    }

    @Test
    void theStartWarnsOfWhatLosesMessages() {
        assertThat(Doctor.atStart(before.files(), needs())).isEmpty();

        before.clock("hpet", "hpet")
                .with("proc/sys/net/core/netdev_max_backlog", "100")
                .with("sys/fs/cgroup/user.slice/memory.max", "1073741824")
                .with("sys/fs/cgroup/user.slice/cpu.max", "50000 100000")
                .with("sys/fs/cgroup/user.slice/cpu.stat", "nr_throttled 4\n");
        assertThat(Doctor.atStart(before.files(), needs()))
                .extracting(Finding::check)
                .containsExactly("cpu-quota", "clock-source", "memory-limit", "network-backlog");
    }

    @Test
    void textAndJsonHaveEveryFinding() {
        after.with("proc/sys/net/core/rmem_max", "212992");
        Report report = report();

        String text = ReportText.terminal(report);
        assertThat(text)
                .contains("warning  socket-receive-buffer: ")
                .contains("           sysctl -w net.core.rmem_max=4194304\n")
                .contains("ok       clock-source: ")
                .contains("1 under load (warning)");
        assertThat(text.lines().filter(line -> !line.contains("sysctl")))
                .allMatch(line -> line.length() <= 100);
        assertThat(text.indexOf("warning  ")).isLessThan(text.indexOf("ok  "));
        assertThat(ReportText.json(report))
                .contains("\"worst\" : \"warning\"")
                .contains("\"watchedSeconds\" : 10.0")
                .contains("\"check\" : \"socket-receive-buffer\"")
                .contains("\"severity\" : \"ok\"")
                .contains("\"mend\" : [ \"sysctl -w net.core.rmem_max=4194304\"")
                .contains("\"server\" : null");
    }

    /** Values below /proc/sys are given to the first read alone. */
    @Test
    void aRealKernelsValuesAreReadWhole() {
        SystemFiles real = SystemFiles.real();
        if (real.exists("proc/sys/kernel/pid_max")) {
            assertThat(real.number("proc/sys/kernel/pid_max")).isGreaterThan(300);
        }
    }

    private Finding finding(String check, Severity severity) {
        Finding found =
                report().findings().stream()
                        .filter(finding -> finding.check().equals(check))
                        .findAny()
                        .orElseThrow(() -> new NoSuchElementException(check));
        assertThat(found.severity()).as(found.toString()).isEqualTo(severity);
        if (severity.compareTo(WARNING) >= 0) {
            assertThat(found.cost()).as("what it costs").isNotEmpty();
            assertThat(found.mend()).as("what mends it").isNotEmpty();
        }
        return found;
    }

    private Report report() {
        return new Doctor(before.files(), needs(), server).report(after.files(), 10);
    }

    private static ServerNeeds needs() {
        return needs(true);
    }

    private static ServerNeeds needs(boolean socketByCall) {
        return new ServerNeeds(
                4 << 20, 4 << 20, 20_000, List.of(5060), false, 4 * GIB, socketByCall, "self");
    }
}
