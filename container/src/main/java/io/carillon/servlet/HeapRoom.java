package io.carillon.servlet;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.VMOption;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import javax.management.ListenerNotFoundException;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives ZGC a soft maximum in proportion to what lives. A collection costs what lives, and comes
 * when the room above that is used up: with a fixed maximum the collector's share of the CPU grows
 * with the calls held, with one in proportion it stays where it is.
 *
 * <p>Works only where ZGC runs with a soft maximum below the maximum, as the launcher starts it:
 * who chose a heap himself keeps it. Called by the JVM's notification thread, after each
 * collection.
 */
public final class HeapRoom implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeapRoom.class);
    private static final String SOFT_MAXIMUM = "SoftMaxHeapSize";

    /** Nine tenths of the room are for what comes and goes. */
    private static final long TIMES_LIVE = 10;

    private static final long STEP = 64L << 20;

    private final HotSpotDiagnosticMXBean machine;
    private final long least;
    private final long most;
    private final NotificationListener listener = (notification, handback) -> collected();
    private boolean follows;
    private long now;

    private HeapRoom(HotSpotDiagnosticMXBean machine, long least, long most) {
        this.machine = machine;
        this.least = least;
        this.most = most;
        this.now = least;
    }

    /** Begins; does nothing on another collector, or where the user chose the heap. */
    public static HeapRoom start() {
        HotSpotDiagnosticMXBean machine =
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        VMOption soft = machine.getVMOption(SOFT_MAXIMUM);
        long most = Runtime.getRuntime().maxMemory();
        HeapRoom room = new HeapRoom(machine, Long.parseLong(soft.getValue()), most);
        if (soft.isWriteable() && room.least > 0 && room.least < most) {
            room.listen();
        }
        return room;
    }

    private void listen() {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector.getName().startsWith("ZGC")
                    && collector.getName().endsWith("Cycles")
                    && collector instanceof NotificationEmitter emitter) {
                follows = true;
                emitter.addNotificationListener(
                        listener,
                        notification ->
                                notification
                                        .getType()
                                        .equals(
                                                GarbageCollectionNotificationInfo
                                                        .GARBAGE_COLLECTION_NOTIFICATION),
                        null);
            }
        }
    }

    /** False where it does nothing: on another collector, or without room below the maximum. */
    public boolean follows() {
        return follows;
    }

    private void collected() {
        long live = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        long wanted = softMaximum(live, least, most);
        if (wanted != now) {
            machine.setVMOption(SOFT_MAXIMUM, Long.toString(wanted));
            now = wanted;
            LOG.debug("{} bytes live: soft maximum of the heap is {} bytes", live, wanted);
        }
    }

    /**
     * Ten times what lives, in steps of 64 MB, at least what the server was started with and at
     * most three quarters of the maximum.
     */
    static long softMaximum(long live, long least, long most) {
        long wanted = Math.ceilDiv(live * TIMES_LIVE, STEP) * STEP;
        return Math.max(least, Math.min(wanted, most / 4 * 3));
    }

    @Override
    public void close() {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter) {
                try {
                    emitter.removeNotificationListener(listener);
                } catch (ListenerNotFoundException e) {
                    LOG.trace("{} was not listened to", collector.getName(), e);
                }
            }
        }
    }
}
