package io.carillon.server.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelDropsTest {
    private static final String TABLE =
            """
               sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
              101: 0100007F:13C4 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 1001 2 0000000000000000 7
              102: 0100007F:13C4 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 1002 2 0000000000000000 5
              103: 0100007F:13CE 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 1003 2 0000000000000000 90
            """;

    @Test
    void dropsOfOurSocketsAreSummedOthersAreNot(@TempDir Path folder) throws Exception {
        Path table = Files.writeString(folder.resolve("udp"), TABLE);

        KernelDrops drops =
                new KernelDrops(List.of(new InetSocketAddress("127.0.0.1", 5060)), List.of(table));

        assertThat(drops.total()).isEqualTo(12);
    }

    @Test
    void withoutTheTableNothingIsCounted(@TempDir Path folder) {
        KernelDrops drops =
                new KernelDrops(
                        List.of(new InetSocketAddress("127.0.0.1", 5060)),
                        List.of(folder.resolve("none")));

        assertThat(drops.total()).isZero();
    }

    @Test
    void ipv6IsWrittenInWords() {
        assertThat(KernelDrops.kernelForm(new InetSocketAddress("::1", 5060)))
                .isEqualTo("00000000000000000000000001000000:13C4");
    }
}
