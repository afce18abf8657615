package io.carillon.server;

import io.carillon.server.config.StartSettings;
import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the calls come before what the JVM does beside them, on a full processor.
 *
 * <p>ZGC: a collection is some tenths of a second to some seconds of work; with equal rights it
 * takes half of a processor from the shard that shares it, and a shard that needs more than the
 * other half falls behind, until datagrams are lost. With a nice value (sched(7)) the collector
 * takes what the calls leave, and a share that is guaranteed still. ZGC alone: the threads of the
 * others work while the calls stand still.
 *
 * <p>The compiler C2: in its first minutes, and when a node of a cluster takes over the calls of
 * another, a server runs code that it has not run before. C2 then takes half of a full processor
 * for seconds. C1, whose code is there at once, keeps its rights.
 *
 * <p>Threads that the JVM makes later have the value of the thread that makes them: those of ZGC
 * that of its drivers. Where the JVM has several compiler threads, one of C1 may make one of C2. A
 * value once given cannot be taken back without privileges, so this is done once, after the start.
 *
 * <p>ZGC's director asks itself a hundred times a second whether to collect, and on a processor
 * that sleeps between two messages each of these wakings costs as much as a message. With the
 * privilege for it (CAP_SYS_NICE, capabilities(7)) it may wake late (timerslack_ns, proc(5)). It
 * alone: the JVM's thread that stops the others sleeps for moments while they stand still.
 */
final class JvmThreads {
    private static final Logger LOG = LoggerFactory.getLogger(JvmThreads.class);
    private static final Path PROC = Path.of("/proc");
    private static final Path TASKS = PROC.resolve("self/task");
    private static final int PRIO_PROCESS = 0;
    private static final Pattern DIRECTOR = Pattern.compile("ZDirector");

    /** The highest nice value, and its field in proc(5)'s stat. */
    private static final int MOST = 19;

    private static final int NICE = 19;

    /** Nanoseconds by which the director may be late: it looks ahead by seconds. */
    private static final String DIRECTOR_SLACK = "40000000";

    /** Threads of the JVM that may come behind the calls, by how their names begin. */
    enum Of {
        COLLECTOR("collector", "Z(Worker|Driver)"),
        COMPILER("compiler", "C2 Compiler");

        private final String text;
        private final Pattern names;

        Of(String text, String names) {
            this.text = text;
            this.names = Pattern.compile(names);
        }
    }

    /** Gives one thread a nice value. */
    interface Priority {
        /** Whether the system did it. */
        boolean nice(int thread, int value);
    }

    private final Path tasks;
    private final Priority priority;

    JvmThreads(Path tasks, Priority priority) {
        this.tasks = tasks;
        this.priority = priority;
    }

    /** From now on the JVM's work comes behind the calls. */
    static void giveWay(StartSettings settings) {
        nice(settings.collectorNice(), Of.COLLECTOR);
        nice(settings.compilerNice(), Of.COMPILER);
        letTheDirectorSleep();
    }

    /** Does nothing for 0, and where there are no such threads: another collector or system. */
    static void nice(int value, Of what) {
        if (value != 0 && Files.isDirectory(TASKS)) {
            // Behind the calls, wherever those stand: the server itself may run with a nice value.
            int all = Math.min(own(PROC.resolve("self/stat")) + value, MOST);
            int lowered = new JvmThreads(TASKS, JvmThreads::setPriority).lower(what, all);
            LOG.debug("{} threads of the {} have the nice value {}", lowered, what.text, all);
        }
    }

    /** The nice value of a process (proc(5), its field 19); 0 where it cannot be told. */
    static int own(Path stat) {
        try {
            String line = Files.readString(stat);
            // The second field is a name in parentheses, with whatever the name has in it.
            String[] behindName = line.substring(line.lastIndexOf(')') + 2).split(" ");
            return Integer.parseInt(behindName[NICE - 3]);
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
            LOG.debug("{} does not tell the nice value", stat, e);
            return 0;
        }
    }

    /** Lets the director wake late, where the system allows it. */
    private static void letTheDirectorSleep() {
        if (Files.isDirectory(TASKS)) {
            boolean sleeps = new JvmThreads(TASKS, JvmThreads::setPriority).slacken(PROC);
            LOG.debug("the collector's director {}", sleeps ? "may wake late" : "wakes in time");
        }
    }

    /**
     * Whether a director got the slack.
     *
     * @param processes folder in which the kernel has the slack of a thread, by its number
     */
    boolean slacken(Path processes) {
        boolean slackened = false;
        for (Path thread : threads()) {
            if (named(thread, DIRECTOR)) {
                Path slack = processes.resolve(thread.getFileName()).resolve("timerslack_ns");
                try {
                    Files.writeString(slack, DIRECTOR_SLACK, StandardOpenOption.WRITE);
                    slackened = true;
                } catch (IOException e) {
                    // Most servers run without the privilege, and lose a percent or two by it.
                    LOG.debug("{} cannot be written: the director wakes in time", slack, e);
                }
            }
        }
        return slackened;
    }

    /** The calling thread comes behind all others, where the system has such a thing. */
    static void niceOwnThread() {
        if (Files.isDirectory(TASKS) && !setPriority(0, MOST)) {
            LOG.debug("the system refused the nice value {} for a thread", MOST);
        }
    }

    /** How many threads got the value. */
    int lower(Of what, int value) {
        int lowered = 0;
        for (Path thread : threads()) {
            if (!named(thread, what.names)) {
                continue;
            }
            if (priority.nice(Integer.parseInt(thread.getFileName().toString()), value)) {
                lowered++;
            } else {
                LOG.warn(
                        "The system refused the nice value {} (start.{}-nice) for a thread of the"
                                + " {}; it keeps the priority of the calls",
                        value,
                        what.text,
                        what.text);
            }
        }
        return lowered;
    }

    private List<Path> threads() {
        List<Path> all = new ArrayList<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            threads.forEach(all::add);
        } catch (IOException | DirectoryIteratorException e) {
            LOG.warn(
                    "The JVM's threads keep the priority of the calls: {} cannot be listed ({})",
                    tasks,
                    e.toString());
        }
        return all;
    }

    /** A thread that has ended meanwhile is not. */
    private static boolean named(Path thread, Pattern beginning) {
        try {
            String name = Files.readString(thread.resolve("comm"));
            return beginning.matcher(name).lookingAt();
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
