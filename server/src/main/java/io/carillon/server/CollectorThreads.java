package io.carillon.server;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the calls come before ZGC on a full processor. A collection is some tenths of a second to
 * some seconds of work; with equal rights it takes half of a processor from the shard that shares
 * it, and a shard that needs more than the other half falls behind, until datagrams are lost. With
 * a nice value (sched(7)) the collector takes what the calls leave, and a share that is guaranteed
 * still. ZGC alone: the threads of the others work while the calls stand still.
 *
 * <p>Threads that ZGC makes later inherit the value from its drivers. A value once given cannot be
 * taken back without privileges, so this is done once, after the start.
 */
final class CollectorThreads {
    private static final Logger LOG = LoggerFactory.getLogger(CollectorThreads.class);
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final int PRIO_PROCESS = 0;

    /** Gives one thread a nice value. */
    interface Priority {
        /** Whether the system did it. */
        boolean nice(int thread, int value);
    }

    private final Path tasks;
    private final Priority priority;

    CollectorThreads(Path tasks, Priority priority) {
        this.tasks = tasks;
        this.priority = priority;
    }

    /** Does nothing for 0, and where there are no such threads: another collector or system. */
    static void nice(int value) {
        if (value != 0 && Files.isDirectory(TASKS)) {
            int lowered = new CollectorThreads(TASKS, CollectorThreads::setPriority).lower(value);
            LOG.debug("{} threads of the collector have the nice value {}", lowered, value);
        }
    }

    /** How many threads got the value. */
    int lower(int value) {
        int lowered = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                if (!collects(thread)) {
                    continue;
                }
                if (priority.nice(Integer.parseInt(thread.getFileName().toString()), value)) {
                    lowered++;
                } else {
                    LOG.warn(
                            "The system refused the nice value {} (start.collector-nice) for a thread of"
                                    + " the collector; it keeps the priority of the calls",
                            value);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.warn(
                    "The collector keeps the priority of the calls: {} cannot be listed ({})",
                    tasks,
                    e.toString());
        }
        return lowered;
    }

    /** A thread that has ended meanwhile does not. */
    private static boolean collects(Path thread) {
        try {
            String name = Files.readString(thread.resolve("comm"));
            return name.startsWith("ZWorker") || name.startsWith("ZDriver");
        } catch (IOException e) {
            LOG.trace("{} has ended", thread, e);
            return false;
        }
    }

    @SuppressWarnings("restricted")
    private static boolean setPriority(int thread, int value) {
        Linker linker = Linker.nativeLinker();
        MethodHandle call =
                linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("setpriority"),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT,
                                ValueLayout.JAVA_INT));
        try {
            return (int) call.invokeExact(PRIO_PROCESS, thread, value) == 0;
        } catch (Throwable e) {
            throw new IllegalStateException("setpriority(2) cannot be called", e);
        }
    }
}
