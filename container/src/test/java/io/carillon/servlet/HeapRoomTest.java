package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The soft maximum follows what lives, between what the server was started with and the maximum.
 */
class HeapRoomTest {
    private static final long MB = 1L << 20;

    @Test
    void tenTimesWhatLivesInStepsOf64Megabytes() {
        assertThat(HeapRoom.softMaximum(350 * MB, 1_500 * MB, 12_000 * MB)).isEqualTo(3_520 * MB);
        assertThat(HeapRoom.softMaximum(351 * MB, 1_500 * MB, 12_000 * MB)).isEqualTo(3_520 * MB);
    }

    @Test
    void neverLessThanAtTheStartNorMoreThanThreeQuartersOfAll() {
        assertThat(HeapRoom.softMaximum(50 * MB, 1_500 * MB, 12_000 * MB)).isEqualTo(1_500 * MB);
        assertThat(HeapRoom.softMaximum(5_000 * MB, 1_500 * MB, 12_000 * MB)).isEqualTo(9_000 * MB);
    }

    @Test
    void onAnotherCollectorItDoesNothing() {
        try (HeapRoom room = HeapRoom.start()) {
            assertThat(room.follows()).isFalse();
        }
    }

    /** Run by {@link #underZgcTheOptionIsSet} in a JVM of its own. */
    static final class Holder {
        static byte[][] live = {};

        public static void main(String[] arguments) throws Exception {
            HotSpotDiagnosticMXBean machine =
                    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
            String before = machine.getVMOption("SoftMaxHeapSize").getValue();
            HeapRoom room = HeapRoom.start();
            System.out.println("follows " + room.follows());
            live = new byte[60][1 << 20];
            String now = before;
            while (now.equals(before)) { // the test's time-out ends it
                System.gc();
                Thread.onSpinWait();
                now = machine.getVMOption("SoftMaxHeapSize").getValue();
            }
            System.out.println(Long.parseLong(now) / MB + " MB for " + live.length);
            room.close();
        }
    }

    @Test
    void underZgcTheOptionIsSet() throws Exception {
        Process jvm =
                new ProcessBuilder(
                                List.of(
                                        ProcessHandle.current().info().command().orElseThrow(),
                                        "-XX:+UseZGC",
                                        "-Xmx1g",
                                        "-XX:SoftMaxHeapSize=128m",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        Holder.class.getName()))
                        .redirectErrorStream(true)
                        .start();
        try {
            assertThat(jvm.waitFor(60, TimeUnit.SECONDS)).isTrue();
            String said = new String(jvm.getInputStream().readAllBytes());
            assertThat(said).contains("follows true", " MB for 60");
            long megabytes =
                    Long.parseLong(
                            said.substring(0, said.indexOf(" MB"))
                                    .strip()
                                    .lines()
                                    .reduce((a, b) -> b)
                                    .orElseThrow());
            assertThat(megabytes).isBetween(600L, 768L);
        } finally {
            jvm.destroyForcibly();
        }
    }
}
