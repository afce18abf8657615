package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class JvmThreadsTest {
    private final Map<Integer, Integer> given = new TreeMap<>();

    @Test
    void zgcsDriversAndWorkersGetTheValueAndNobodyElse(@TempDir Path tasks) throws IOException {
        thread(tasks, 11, "ZWorkerYoung#0");
        thread(tasks, 12, "ZWorkerOld#0");
        thread(tasks, 13, "ZDriverMinor");
        thread(tasks, 14, "ZDirector");
        thread(tasks, 15, "GC Thread#0");
        thread(tasks, 16, "Shenandoah GC T");
        thread(tasks, 17, "carillon-shard-");
        Files.createDirectory(tasks.resolve("18"));

        assertThat(new JvmThreads(tasks, this::nice).lower(JvmThreads.Of.COLLECTOR, 5))
                .isEqualTo(3);

        assertThat(given).isEqualTo(Map.of(11, 5, 12, 5, 13, 5));
    }

    @Test
    void theCompilerOfTheFastestCodeGetsItAndTheQuickOneDoesNot(@TempDir Path tasks)
            throws IOException {
        thread(tasks, 11, "C2 CompilerThre");
        thread(tasks, 12, "C1 CompilerThre");
        thread(tasks, 13, "ZDriverMinor");

        assertThat(new JvmThreads(tasks, this::nice).lower(JvmThreads.Of.COMPILER, 5)).isEqualTo(1);

        assertThat(given).isEqualTo(Map.of(11, 5));
    }

    @Test
    void whatTheSystemRefusedIsNotCounted(@TempDir Path tasks) throws IOException {
        thread(tasks, 11, "ZDriverMajor");

        assertThat(
                        new JvmThreads(tasks, (thread, value) -> false)
                                .lower(JvmThreads.Of.COLLECTOR, 5))
                .isZero();
    }

    @Test
    void aFolderThatCannotBeListedChangesNothing(@TempDir Path tasks) {
        assertThat(
                        new JvmThreads(tasks.resolve("none"), this::nice)
                                .lower(JvmThreads.Of.COLLECTOR, 5))
                .isZero();
    }

    @Test
    void zgcsDirectorAloneMayWakeLate(@TempDir Path tasks, @TempDir Path processes)
            throws IOException {
        thread(tasks, 13, "ZDriverMinor");
        thread(tasks, 14, "ZDirector");
        thread(tasks, 15, "VM Thread");
        for (int number : new int[] {13, 14, 15}) {
            Path process = Files.createDirectory(processes.resolve(Integer.toString(number)));
            Files.writeString(process.resolve("timerslack_ns"), "50000");
        }

        assertThat(new JvmThreads(tasks, this::nice).slacken(processes)).isTrue();

        assertThat(processes.resolve("14/timerslack_ns")).hasContent("40000000");
        assertThat(processes.resolve("13/timerslack_ns")).hasContent("50000");
        assertThat(processes.resolve("15/timerslack_ns")).hasContent("50000");
    }

    @Test
    void withoutThePrivilegeTheDirectorWakesInTime(@TempDir Path tasks, @TempDir Path processes)
            throws IOException {
        thread(tasks, 14, "ZDirector");

        assertThat(new JvmThreads(tasks, this::nice).slacken(processes)).isFalse();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theSystemKnowsTheThreadByItsNumber() throws Exception {
        CountDownLatch looked = new CountDownLatch(1);
        Thread worker = Thread.ofPlatform().name("ZWorkerOfATest").start(() -> await(looked));
        try {
            Path task = task("ZWorkerOfATest");
            int own = niceOf(Path.of("/proc/self"));
            JvmThreads.nice(7, JvmThreads.Of.COLLECTOR);
            assertThat(niceOf(task)).isEqualTo(Math.min(own + 7, 19));
            assertThat(niceOf(Path.of("/proc/self"))).isEqualTo(own);
        } finally {
            looked.countDown();
            worker.join();
        }
    }

    @Test
    void theOwnNiceValueIsReadBehindAnyName(@TempDir Path folder) throws IOException {
        Path stat = folder.resolve("stat");
        Files.writeString(
                stat, "7 (a) b 1) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 20 5 30 0 100 1 2 3");
        assertThat(JvmThreads.own(stat)).isEqualTo(5);
        Files.writeString(stat, "nothing");
        assertThat(JvmThreads.own(stat)).isZero();
        assertThat(JvmThreads.own(folder.resolve("none"))).isZero();
    }

    private boolean nice(int thread, int value) {
        given.put(thread, value);
        return true;
    }

    private static void thread(Path tasks, int number, String name) throws IOException {
        Path thread = Files.createDirectory(tasks.resolve(Integer.toString(number)));
        Files.writeString(thread.resolve("comm"), name + "\n");
    }

    /** The name comes to the kernel when the thread runs. */
    private static Path task(String name) throws IOException {
        while (true) {
            try (var tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
                for (Path task : tasks) {
                    if (Files.readString(task.resolve("comm")).startsWith(name)) {
                        return task;
                    }
                }
            }
            Thread.onSpinWait();
        }
    }

    /** The 19th field of proc_pid_stat(5), counted behind the name in parentheses. */
    private static int niceOf(Path task) throws IOException {
        String stat = Files.readString(task.resolve("stat"));
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[16]);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
