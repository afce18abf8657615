package io.carillon.lab.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * CPU time of a JVM's threads by what they do, nanoseconds (proc(5), {@code
 * /proc/PID/task/TID/stat}). The kernel knows the first 15 characters of a thread's name.
 *
 * @param collector the collector's own threads, and the VM thread, in which Serial collects and
 *     every collector stops the world
 * @param compilers the JIT compilers
 * @param all every thread
 */
public record ThreadTimes(long collector, long compilers, long all) {
    private static final Pattern COLLECTOR =
            Pattern.compile(
                    "GC Thread.*|G1 .*|VM Thread|Z(Driver|Director|Stat|Uncommitter|Unmapper|Worker|Relocat).*"
                            + "|RuntimeWorker.*|Shenandoah.*|ShenGC.*|Safepoint.*|ParGC.*");
    private static final Pattern COMPILERS = Pattern.compile("C[12] CompilerThre.*|JVMCI.*");

    public static ThreadTimes of(long pid) throws IOException {
        ThreadTimes sum = new ThreadTimes(0, 0, 0);
        try (DirectoryStream<Path> tasks =
                Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path task : tasks) {
                sum = sum.plus(task);
            }
        }
        return sum;
    }

    private ThreadTimes plus(Path task) throws IOException {
        try {
            return plus(Files.readString(task.resolve("stat")));
        } catch (NoSuchFileException e) {
            // A thread that ended since the folder was listed; its time is no longer told apart.
            return this;
        }
    }

    ThreadTimes plus(String stat) {
        int end = stat.lastIndexOf(')');
        String name = stat.substring(stat.indexOf('(') + 1, end);
        long nanos = Proc.ticks(stat) * Proc.NANOS_PER_TICK;
        return new ThreadTimes(
                collector + (COLLECTOR.matcher(name).matches() ? nanos : 0),
                compilers + (COMPILERS.matcher(name).matches() ? nanos : 0),
                all + nanos);
    }
}
