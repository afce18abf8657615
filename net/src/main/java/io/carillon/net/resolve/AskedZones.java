package io.carillon.net.resolve;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for answers of the DNS, and what is asked next, by zone: the domain that somebody has
 * registered. Whoever names hosts of a zone that does not answer holds up that zone alone.
 *
 * <p>Of the requests that wait, and of the questions on their way, a zone may hold as many as it
 * leaves free. Where many zones together hold all, one that waits for the zone that holds most, and
 * among equals for the one that waits longest, gives way to whoever asks for another.
 *
 * <p>Any thread, one lock, and only for what is not remembered. Bounded by both limits.
 */
final class AskedZones {
    /** Below these of a country everybody registers, as below co.uk. */
    private static final Set<String> SHARED =
            Set.of("ac", "co", "com", "edu", "go", "gov", "me", "ne", "net", "or", "org", "plc");

    /** What became of one who would wait. */
    enum Entrance {
        /** He waits for a question that is asked already. */
        JOINED,
        /** He is the first. */
        ASKS,
        /** His zone has too many. */
        REFUSED
    }

    /** One registered domain, as long as somebody waits for it. */
    private static final class Zone {
        int waiting;
        int inFlight;
        final LinkedHashMap<Remembered, Runnable> pending = new LinkedHashMap<>();

        /** Those that somebody waits for, the youngest at the end. */
        final LinkedHashSet<Remembered> awaited = new LinkedHashSet<>();
    }

    private final int maxWaiting;
    private final int maxInFlight;
    private final LongSupplier clock;

    // Guarded by this.
    private final LinkedHashMap<String, Zone> zones = new LinkedHashMap<>();

    /** Those that have something pending, the youngest at the end. */
    private final LinkedHashMap<String, Zone> held = new LinkedHashMap<>();

    private int waiting;
    private int inFlight;

    /**
     * @param maxWaiting requests that may wait
     * @param maxInFlight questions that may be on their way
     * @param clock of the remembered answers
     */
    AskedZones(int maxWaiting, int maxInFlight, LongSupplier clock) {
        this.clock = clock;
        this.maxWaiting = maxWaiting;
        this.maxInFlight = maxInFlight;
    }

    /**
     * The domain that somebody has registered, as near as it can be told without a list of them:
     * two labels, and three below such as co.uk.
     */
    static String zone(String name) {
        int last = name.lastIndexOf('.');
        int second = last <= 0 ? -1 : name.lastIndexOf('.', last - 1);
        boolean country = name.length() - last == 3;
        if (country && second > 0 && SHARED.contains(name.substring(second + 1, last))) {
            second = name.lastIndexOf('.', second - 1);
        }
        return name.substring(second + 1);
    }

    /**
     * Lets one more wait.
     *
     * @param asking makes the question, where it has to be asked
     * @param start gets the question when it may be asked at once
     * @param shed gets who had to give way
     */
    synchronized Entrance enter(
            String name,
            Remembered entry,
            Remembered.Waiter waiter,
            Supplier<Runnable> asking,
            List<Runnable> start,
            List<Remembered.Shed> shed) {
        Zone zone = zones.get(name);
        int here = zone == null ? 0 : zone.waiting;
        if (here >= maxWaiting - waiting && !giveWay(here, shed)) {
            return Entrance.REFUSED;
        }
        // The one that gave way may have been the last of it.
        zone = zones.computeIfAbsent(name, n -> new Zone());
        zone.waiting++;
        waiting++;
        zone.awaited.add(entry);
        if (!entry.join(waiter)) {
            return Entrance.JOINED;
        }
        if (zone.inFlight < maxInFlight - inFlight) {
            zone.inFlight++;
            inFlight++;
            start.add(asking.get());
        } else {
            zone.pending.put(entry, asking.get());
            held.putIfAbsent(name, zone);
        }
        return Entrance.ASKS;
    }

    /** One of the zone that holds most gives way, unless nobody holds more than this one. */
    private boolean giveWay(int here, List<Remembered.Shed> shed) {
        if (waiting < maxWaiting) {
            return false;
        }
        Map.Entry<String, Zone> most = null;
        for (Map.Entry<String, Zone> one : zones.entrySet()) {
            if (one.getValue().waiting > (most == null ? here : most.getValue().waiting)) {
                most = one;
            }
        }
        if (most == null) {
            return false;
        }
        Zone zone = most.getValue();
        while (!zone.awaited.isEmpty()) {
            Remembered entry = zone.awaited.getLast();
            Remembered.Shed one = entry.shed(clock.getAsLong());
            if (one == null || one.last()) {
                zone.awaited.removeLast();
                if (zone.pending.remove(entry) != null) {
                    entry.notAsked();
                }
            }
            if (one != null) {
                shed.add(one);
                left(most.getKey(), zone, 1);
                return true;
            }
        }
        return false; // they are being told their answer at this moment
    }

    private void left(String name, Zone zone, int count) {
        zone.waiting -= count;
        waiting -= count;
        if (zone.pending.isEmpty()) {
            held.remove(name);
        }
        if (zone.waiting == 0 && zone.inFlight == 0 && zone.pending.isEmpty()) {
            zones.remove(name);
        }
    }

    /**
     * A question has its answer.
     *
     * @param told who waited for it
     * @return the next question to ask
     */
    synchronized @Nullable Runnable answered(String name, Remembered entry, int told) {
        Zone zone = zones.get(name);
        if (zone == null) {
            throw new IllegalStateException("nobody has asked for " + name);
        }
        zone.inFlight--;
        inFlight--;
        if (entry.idle()) { // else somebody asks anew
            zone.awaited.remove(entry);
        }
        left(name, zone, told);
        return next();
    }

    /** Of the zone that has fewest on their way; among equals of the youngest. */
    private @Nullable Runnable next() {
        String name = null;
        Zone fewest = null;
        for (Map.Entry<String, Zone> one : held.entrySet()) {
            if (fewest == null || one.getValue().inFlight <= fewest.inFlight) {
                name = one.getKey();
                fewest = one.getValue();
            }
        }
        if (name == null || fewest == null || fewest.inFlight >= maxInFlight - inFlight) {
            return null;
        }
        Runnable next = fewest.pending.pollFirstEntry().getValue();
        fewest.inFlight++;
        inFlight++;
        if (fewest.pending.isEmpty()) {
            held.remove(name);
        }
        return next;
    }

    /** Requests that wait. */
    synchronized int waiting() {
        return waiting;
    }
}
