package io.carillon.server.support;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;

/** What the threads of this JVM do now. Stateless. */
final class ThreadText {
    private static final int MOST_CHARACTERS = 8 << 20;

    private ThreadText() {}

    /** Platform threads with the locks that they hold and wait for. */
    static String platform() {
        StringBuilder out = new StringBuilder();
        ThreadInfo[] all = ManagementFactory.getThreadMXBean().dumpAllThreads(true, true);
        Arrays.sort(all, Comparator.comparing(ThreadInfo::getThreadName));
        for (ThreadInfo one : all) {
            append(one, out);
        }
        return out.toString();
    }

    private static void append(ThreadInfo thread, StringBuilder out) {
        out.append('"')
                .append(thread.getThreadName())
                .append("\" #")
                .append(thread.getThreadId())
                .append(' ')
                .append(thread.getThreadState());
        if (thread.getLockName() != null) {
            out.append(" on ").append(thread.getLockName());
        }
        if (thread.getLockOwnerName() != null) {
            out.append(" held by \"").append(thread.getLockOwnerName()).append('"');
        }
        out.append('\n');
        StackTraceElement[] stack = thread.getStackTrace();
        for (int i = 0; i < stack.length; i++) {
            out.append("\tat ").append(stack[i]).append('\n');
            for (MonitorInfo monitor : thread.getLockedMonitors()) {
                if (monitor.getLockedStackDepth() == i) {
                    out.append("\t- locked ").append(monitor).append('\n');
                }
            }
        }
        for (LockInfo lock : thread.getLockedSynchronizers()) {
            out.append("\t- holds ").append(lock).append('\n');
        }
        out.append('\n');
    }

    /** All threads, virtual ones too. */
    static String all() throws IOException {
        Path folder = Files.createTempDirectory("carillon-threads");
        Path file = folder.resolve("threads.txt");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
            String text = Files.readString(file, StandardCharsets.UTF_8);
            return text.length() <= MOST_CHARACTERS
                    ? text
                    : text.substring(0, MOST_CHARACTERS) + "\n... cut\n";
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder);
        }
    }
}
