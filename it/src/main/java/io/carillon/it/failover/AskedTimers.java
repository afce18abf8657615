package io.carillon.it.failover;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The timers that a call asks its application for, from its ACK on. One thread. */
final class AskedTimers {
    /** For the machine: a timer may fire so late, and is waited for. */
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(4);

    static final AskedTimers NONE = new AskedTimers(List.of());

    private final List<Long> millis;
    private long begunAtNanos;

    AskedTimers(List<Long> millis) {
        this.millis = List.copyOf(millis);
    }

    /** For the INVITE. */
    List<String> header() {
        return millis.isEmpty()
                ? List.of()
                : List.of(
                        "X-Timers: "
                                + millis.stream()
                                        .map(String::valueOf)
                                        .collect(Collectors.joining(", ")));
    }

    /** The ACK has left. */
    void begin() {
        begunAtNanos = System.nanoTime();
    }

    /** How long until each has had its time to fire, at a next owner too. */
    long untilAll(long takeOverNanos) {
        if (millis.isEmpty()) {
            return 0;
        }
        long last = TimeUnit.MILLISECONDS.toNanos(millis.getLast());
        long end = begunAtNanos + last + takeOverNanos + LATE_NANOS;
        return Math.max(0, end - System.nanoTime());
    }

    /** Those that have to have fired when the call has ended well. */
    List<String> due(String callId) {
        return begunAtNanos == 0
                ? List.of()
                : java.util.stream.IntStream.range(0, millis.size())
                        .mapToObj(number -> callId + ' ' + number)
                        .toList();
    }
}
