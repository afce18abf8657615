package io.carillon.server.measure;

import io.carillon.server.measure.ServerStatus.SlowHandler;
import io.carillon.servlet.threads.RunningHandler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** What is shown of handlers that run for long. Any thread. */
public final class SlowHandlers {
    /** Of so many the stack is looked at, those that run longest and those of a deadlock. */
    static final int WITH_LINES = 20;

    private static final double NANOS_PER_SECOND = 1e9;

    private final HandlerDeadlocks deadlocks = new HandlerDeadlocks();

    /**
     * Of these.
     *
     * @param running handlers that run for too long
     */
    public List<SlowHandler> of(List<RunningHandler> running, long nowNanos) {
        if (running.isEmpty()) {
            return List.of();
        }
        Map<Long, String> deadlocked = deadlocks.among(running, nowNanos);
        List<RunningHandler> longest = new ArrayList<>(running);
        longest.sort(Comparator.comparingLong(RunningHandler::sinceNanos).reversed());
        List<SlowHandler> shown = new ArrayList<>(longest.size());
        for (RunningHandler one : longest) {
            String deadlock = deadlocked.getOrDefault(one.thread().threadId(), "");
            boolean line = shown.size() < WITH_LINES || !deadlock.isEmpty();
            shown.add(
                    new SlowHandler(
                            one.application(),
                            one.servlet(),
                            one.method(),
                            one.callId(),
                            one.sinceNanos() / NANOS_PER_SECOND,
                            one.holdsThread(),
                            line ? line(one.thread().getStackTrace()) : "",
                            deadlock));
        }
        return shown;
    }

    /** The first line that is neither Java's nor the container's; else the first one. */
    static String line(StackTraceElement[] stack) {
        for (StackTraceElement each : stack) {
            String name = each.getClassName();
            if (!name.startsWith("java.")
                    && !name.startsWith("jdk.")
                    && !name.startsWith("sun.")
                    && !name.startsWith("io.carillon.servlet.")) {
                return text(each);
            }
        }
        return stack.length == 0 ? "" : text(stack[0]);
    }

    private static String text(StackTraceElement line) {
        return line.getClassName()
                + "."
                + line.getMethodName()
                + "("
                + (line.getFileName() == null
                        ? "unknown source"
                        : line.getFileName()
                                + (line.getLineNumber() < 0 ? "" : ":" + line.getLineNumber()))
                + ")";
    }
}
