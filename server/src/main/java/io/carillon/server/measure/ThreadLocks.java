package io.carillon.server.measure;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.Thread.State;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * Which thread waits for which one, virtual threads too: by monitors as a dump of JDK 25 has them
 * ({@code blockedOn}, {@code monitorsOwned}), by other locks as they say themselves. Immutable.
 */
final class ThreadLocks {
    static final ThreadLocks NONE = new ThreadLocks(Map.of(), Map.of(), Map.of());

    private static final Logger LOG = LoggerFactory.getLogger(ThreadLocks.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Without {@code --add-opens java.base/java.util.concurrent.locks} there is none. */
    private static final @Nullable VarHandle OWNER = ownerField();

    /** Of who waits, the monitor. */
    private final Map<Long, String> blockedOn;

    /** Of a monitor, who has it. */
    private final Map<String, Long> owners;

    private final Map<Long, String> names;

    private ThreadLocks(
            Map<Long, String> blockedOn, Map<String, Long> owners, Map<Long, String> names) {
        this.blockedOn = blockedOn;
        this.owners = owners;
        this.names = names;
    }

    private static @Nullable VarHandle ownerField() {
        try {
            Class<?> type = AbstractOwnableSynchronizer.class;
            return MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                    .findVarHandle(type, "exclusiveOwnerThread", Thread.class);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** Adds for whom the thread waits, and for whom those wait on the way, by locks that say so. */
    static void follow(Thread from, Map<Long, Long> waitsFor) {
        Thread at = from;
        Thread next = owner(at);
        // One that gives up in time goes on.
        while (next != null
                && next != at
                && at.getState() == State.WAITING
                && waitsFor.put(at.threadId(), next.threadId()) == null) {
            at = next;
            next = owner(at);
        }
    }

    private static @Nullable Thread owner(Thread waiting) {
        VarHandle field = OWNER;
        return field != null
                        && LockSupport.getBlocker(waiting)
                                instanceof AbstractOwnableSynchronizer lock
                ? (Thread) field.getVolatile(lock)
                : null;
    }

    /** As {@link #follow(Thread, Map)}, by monitors. */
    void follow(long from, Map<Long, Long> waitsFor) {
        Long at = from;
        while (at != null) {
            String monitor = blockedOn.get(at);
            Long next = monitor == null ? null : owners.get(monitor);
            at = next == null || waitsFor.put(at, next) != null ? null : next;
        }
    }

    String name(long thread) {
        String name = names.get(thread);
        return name == null || name.isEmpty() ? "#" + thread : name;
    }

    /** Of all threads now; what cannot be had is logged, and nothing. */
    static ThreadLocks dump() {
        try {
            Path folder = Files.createTempDirectory("carillon-threads");
            Path file = folder.resolve("threads.json");
            try {
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                        .dumpThreads(file.toString(), ThreadDumpFormat.JSON);
                return read(file);
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(folder);
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("Threads could not be looked at for deadlocks: {}", e.toString());
            return NONE;
        }
    }

    private static ThreadLocks read(Path file) {
        Map<Long, String> blockedOn = new HashMap<>();
        Map<String, Long> owners = new HashMap<>();
        Map<Long, String> names = new HashMap<>();
        try (JsonParser in = JSON.createParser(file)) {
            long thread = -1;
            String waitingOn = "";
            for (JsonToken at = in.nextToken(); at != null; at = in.nextToken()) {
                if (at != JsonToken.PROPERTY_NAME) {
                    continue;
                }
                switch (in.currentName()) {
                    case "tid" -> {
                        thread = Long.parseLong(text(in));
                        waitingOn = "";
                    }
                    case "name" -> names.put(thread, text(in));
                    case "blockedOn" -> blockedOn.put(thread, text(in));
                    case "waitingOn" -> waitingOn = text(in); // it has let go of that one
                    case "locks" -> owned(in, thread, waitingOn, owners);
                    default -> {}
                }
            }
        }
        return new ThreadLocks(blockedOn, owners, names);
    }

    private static String text(JsonParser in) {
        String text = in.nextStringValue();
        return text == null ? "" : text;
    }

    private static void owned(
            JsonParser in, long thread, String waitingOn, Map<String, Long> owners) {
        if (in.nextToken() != JsonToken.START_ARRAY) {
            return;
        }
        for (JsonToken at = in.nextToken();
                at != null && at != JsonToken.END_ARRAY;
                at = in.nextToken()) {
            String lock = at == JsonToken.VALUE_STRING ? in.getString() : "";
            if (!lock.isEmpty() && !lock.equals(waitingOn)) {
                owners.put(lock, thread);
            }
        }
    }
}
