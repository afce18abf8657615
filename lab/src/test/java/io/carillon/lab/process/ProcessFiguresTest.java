package io.carillon.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading what the kernel accounts. */
class ProcessFiguresTest {
    @Test
    void threadsAreToldApartByTheirNamesAsTheKernelCutsThem() {
        ThreadTimes sum = new ThreadTimes(0, 0, 0);
        for (String collector :
                new String[] {
                    "GC Thread#0", "G1 Main Marker", "G1 Conc#0", "G1 Refine#0", "G1 Service",
                    "VM Thread", "ZDriverMinor", "ZDirector", "ZWorkerYoung#0", "ZStat",
                    "ZUncommitter#0", "RuntimeWorker#0", "Shenandoah GC T", "Shenandoah Cont"
                }) {
            sum = sum.plus(stat(collector));
        }
        assertThat(sum.collector()).isEqualTo(14 * 30_000_000L);
        sum = sum.plus(stat("C2 CompilerThre")).plus(stat("C1 CompilerThre"));
        sum = sum.plus(stat("shard-0")).plus(stat("a) b (c"));

        assertThat(sum)
                .isEqualTo(new ThreadTimes(14 * 30_000_000L, 2 * 30_000_000L, 18 * 30_000_000L));
    }

    private static String stat(String name) {
        return "77 (" + name + ") S 1 77 77 0 -1 4194304 100 0 0 0 2 1 0 0 20 0 9 0 100";
    }

    @Test
    void dropsAreThoseOfIpv4AndIpv6Sockets(@TempDir Path folder) throws IOException {
        Path udp =
                Files.writeString(
                        folder.resolve("udp"),
                        """
                           sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
                         3106: 0100007F:13C4 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 33 2 0000000000000000 3
                         3107: 0100007F:13C5 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 34 2 0000000000000000 100
                        """);
        Path udp6 =
                Files.writeString(
                        folder.resolve("udp6"),
                        """
                          sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
                         3106: 00000000000000000000000001000000:13C4 00000000000000000000000000000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 35 2 0000000000000000 4
                        """);
        Path missing = folder.resolve("missing");

        assertThat(Proc.udpDrops(List.of(udp, udp6), List.of(5060))).isEqualTo(7);
        assertThat(Proc.udpDrops(List.of(udp, missing), List.of(5060, 5061))).isEqualTo(103);
        assertThat(Proc.udpDrops(List.of(udp, udp6), List.of(5062))).isZero();
    }

    @Test
    void thisJvmHasThreadsThatTookTime() throws IOException {
        ThreadTimes own = ThreadTimes.of(ProcessHandle.current().pid());

        assertThat(own.all()).isPositive();
        assertThat(own.collector() + own.compilers()).isLessThanOrEqualTo(own.all());
    }

    @Test
    void thisMachineHasANameMemoryAndProcessors() throws IOException {
        Machine here = Machine.here();

        assertThat(here.cpus()).isPositive();
        assertThat(here.memoryBytes()).isPositive();
        assertThat(here.toString()).contains(" CPUs, ").contains(System.getProperty("os.name"));
    }
}
