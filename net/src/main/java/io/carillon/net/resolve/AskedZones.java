package io.carillon.net.resolve;

import io.carillon.sip.guard.Sources;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for answers of the DNS, and what is asked next: by source, which is whoever made us
 * ask, and by zone, the domain that somebody has registered. Whoever names hosts that are not
 * answered for holds up his own requests, or those for that zone.
 *
 * <p>Of the questions on their way a source may hold as many as it leaves free, and so may a zone,
 * but for the first one of a source about it, as long as a quarter is free; the next one asked is
 * of the source that has fewest, and of its zones of the one that has fewest. Of the requests that
 * wait a zone may hold as many as it leaves free, or an eighth. When it does, one of the source
 * that holds most of them gives way to whoever holds less of that zone: many share one, as below
 * eu.org. When all places are taken, one of the source that holds most, and of its zones for the
 * one that holds most, gives way to whoever holds less.
 *
 * <p>What nobody made us ask, the requests of applications themselves and those of trusted peers,
 * is one source: it may hold questions until a quarter is free.
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
        /** There are too many. */
        REFUSED
    }

    /** A question that is asked when its turn comes. */
    abstract static class Question implements Runnable {
        /** In whose account it is; under the lock. */
        private @Nullable Group group;
    }

    /** What one zone, or one source, holds of the places; it is there as long as that is any. */
    private static final class Held {
        int waiting;
        int inFlight;

        boolean nothing() {
            return waiting == 0 && inFlight == 0;
        }
    }

    private record Key(int place, String zone) {}

    /** Requests of one source that wait for names of one zone, and what it has asked about it. */
    private static final class Group {
        final Key key;
        final Held source;
        final Held zone;
        int waiting;

        /** Its questions on their way. */
        int inFlight;

        /** The look for the next question that has seen it last. */
        long seen;

        /** What they wait for, the youngest at the end. */
        final LinkedHashSet<CachedAnswer> awaited = new LinkedHashSet<>();

        Group(Key key, Held source, Held zone) {
            this.key = key;
            this.source = source;
            this.zone = zone;
        }
    }

    private final int maxWaiting;
    private final int maxInFlight;
    private final LongSupplier clock;

    // Guarded by this.
    private final Map<Integer, Held> sources = new HashMap<>();
    private final Map<String, Held> zones = new HashMap<>();

    /** Who has waited longest comes first. */
    private final LinkedHashMap<Key, Group> groups = new LinkedHashMap<>();

    /** Questions that wait until they may be asked, the youngest at the end. */
    private final LinkedHashMap<CachedAnswer, Question> pending = new LinkedHashMap<>();

    private int waiting;
    private int inFlight;
    private long looks;

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
            CachedAnswer entry,
            CachedAnswer.Waiter waiter,
            Supplier<Question> asking,
            List<Runnable> start,
            List<CachedAnswer.Shed> shed) {
        Held source = sources.get(waiter.place());
        Held zone = zones.get(name);
        int ofSource = source == null ? 0 : source.waiting;
        int ofZone = zone == null ? 0 : zone.waiting;
        boolean full = waiting >= maxWaiting;
        boolean room =
                full
                        ? giveWay(ofSource, ofZone, shed)
                        : !tooMany(ofZone) || giveWayIn(name, waiter.place(), shed);
        if (!room) {
            return Entrance.REFUSED;
        }
        // The one that gave way may have been the last of it.
        Group group = group(new Key(waiter.place(), name));
        group.waiting++;
        group.source.waiting++;
        group.zone.waiting++;
        waiting++;
        group.awaited.add(entry);
        if (!entry.join(waiter)) {
            hurry(entry, group, start);
            return Entrance.JOINED;
        }
        Question question = asking.get();
        question.group = group;
        if (mayAsk(group)) {
            start.add(sent(question, group));
        } else {
            pending.put(entry, question);
        }
        return Entrance.ASKS;
    }

    private Group group(Key key) {
        return groups.computeIfAbsent(
                key,
                k ->
                        new Group(
                                k,
                                sources.computeIfAbsent(k.place(), p -> new Held()),
                                zones.computeIfAbsent(k.zone(), z -> new Held())));
    }

    /** A question of one who has many on their way is as good as one of who joins him. */
    private void hurry(CachedAnswer entry, Group joins, List<Runnable> start) {
        Question question = pending.get(entry);
        Group asks = question == null ? null : question.group;
        if (question == null || asks == null || asks.source.inFlight <= joins.source.inFlight) {
            return;
        }
        question.group = joins;
        if (mayAsk(joins)) {
            pending.remove(entry);
            start.add(sent(question, joins));
        }
    }

    private boolean mayAsk(Group group) {
        int free = maxInFlight - inFlight;
        boolean quarter = free > maxInFlight / 4;
        boolean ofNobody = group.key.place() == Sources.NOBODY && quarter;
        boolean first = group.inFlight == 0 && quarter;
        return (group.zone.inFlight < free || first) && (group.source.inFlight < free || ofNobody);
    }

    private Question sent(Question question, Group group) {
        group.inFlight++;
        group.source.inFlight++;
        group.zone.inFlight++;
        inFlight++;
        return question;
    }

    /** Does a zone that holds so many leave fewer free, and is that more than an eighth? */
    private boolean tooMany(int ofZone) {
        return ofZone >= maxWaiting - waiting && ofZone >= maxWaiting / 8;
    }

    /** One of the source that holds most gives way, unless nobody holds more than this one. */
    private boolean giveWay(int ofSource, int ofZone, List<CachedAnswer.Shed> shed) {
        Group most = most(ofSource, ofZone);
        while (most != null && !giveWay(most, shed)) {
            // Those are being told their answer at this moment.
            most = most(ofSource, ofZone);
        }
        return most != null;
    }

    /** Whose source holds most, and of those whose zone; null when none holds more than that. */
    private @Nullable Group most(int ofSource, int ofZone) {
        Group most = null;
        int mostOfSource = ofSource;
        int mostOfZone = ofZone;
        for (Group one : groups.values()) {
            int here = one.source.waiting;
            boolean more =
                    here > mostOfSource || (here == mostOfSource && one.zone.waiting > mostOfZone);
            if (more && !one.awaited.isEmpty()) {
                most = one;
                mostOfSource = here;
                mostOfZone = one.zone.waiting;
            }
        }
        return most;
    }

    /** One of the source that holds most of that zone gives way, unless none holds more of it. */
    private boolean giveWayIn(String zone, int place, List<CachedAnswer.Shed> shed) {
        Group own = groups.get(new Key(place, zone));
        int held = own == null ? 0 : own.waiting;
        Group most = mostIn(zone, held);
        while (most != null && !giveWay(most, shed)) {
            // Those are being told their answer at this moment.
            most = mostIn(zone, held);
        }
        return most != null;
    }

    /** Null when none holds more of that zone. */
    private @Nullable Group mostIn(String zone, int held) {
        Group most = null;
        for (Group one : groups.values()) {
            if (one.waiting > (most == null ? held : most.waiting)
                    && !one.awaited.isEmpty()
                    && one.key.zone().equals(zone)) {
                most = one;
            }
        }
        return most;
    }

    private boolean giveWay(Group group, List<CachedAnswer.Shed> shed) {
        int place = group.key.place();
        while (!group.awaited.isEmpty()) {
            CachedAnswer entry = group.awaited.getLast();
            CachedAnswer.Shed one = entry.shed(place, clock.getAsLong());
            if (one == null || !entry.awaitedBy(place)) {
                group.awaited.removeLast();
                leave(entry, group);
            }
            if (one != null) {
                shed.add(one);
                left(group);
                return true;
            }
        }
        return false;
    }

    /** None of that group waits for it any more: the others do, or it is not asked. */
    private void leave(CachedAnswer entry, Group group) {
        Question question = pending.get(entry);
        if (question == null || question.group != group) {
            return;
        }
        CachedAnswer.Waiter other = entry.first();
        if (other == null) {
            pending.remove(entry);
            entry.notAsked();
        } else {
            question.group = group(new Key(other.place(), group.key.zone()));
        }
    }

    private void left(Group group) {
        group.waiting--;
        group.source.waiting--;
        group.zone.waiting--;
        waiting--;
        tidy(group);
    }

    private void tidy(Group group) {
        if (group.waiting == 0 && group.inFlight == 0) {
            groups.remove(group.key, group);
        }
        if (group.source.nothing()) {
            sources.remove(group.key.place());
        }
        if (group.zone.nothing()) {
            zones.remove(group.key.zone());
        }
    }

    /**
     * A question has its answer.
     *
     * @param told who waited for it
     * @return the next question to ask
     */
    synchronized @Nullable Runnable answered(
            Question question, CachedAnswer entry, List<CachedAnswer.Waiter> told) {
        Group asked = question.group;
        if (asked == null) {
            throw new IllegalStateException("nobody has asked");
        }
        asked.inFlight--;
        asked.source.inFlight--;
        asked.zone.inFlight--;
        inFlight--;
        for (CachedAnswer.Waiter waiter : told) {
            Group group = groups.get(new Key(waiter.place(), asked.key.zone()));
            if (group == null) {
                throw new IllegalStateException("nobody waits for " + asked.key.zone());
            }
            if (!entry.awaitedBy(waiter.place())) { // else he asks anew
                group.awaited.remove(entry);
            }
            left(group);
        }
        tidy(asked);
        return next();
    }

    /**
     * Of the source that has fewest on their way, and of the zone; among equals of those that have
     * waited for the shortest time, the oldest question.
     */
    private @Nullable Runnable next() {
        CachedAnswer best = null;
        Question chosen = null;
        Group fewest = null;
        looks++;
        for (Map.Entry<CachedAnswer, Question> one : pending.entrySet()) {
            Group group = one.getValue().group;
            if (group == null || group.seen == looks) {
                continue;
            }
            group.seen = looks;
            if (mayAsk(group) && (fewest == null || notMore(group, fewest))) {
                best = one.getKey();
                chosen = one.getValue();
                fewest = group;
            }
        }
        if (best == null || chosen == null || fewest == null) {
            return null;
        }
        pending.remove(best);
        return sent(chosen, fewest);
    }

    private static boolean notMore(Group one, Group other) {
        return one.source.inFlight < other.source.inFlight
                || (one.source.inFlight == other.source.inFlight
                        && one.zone.inFlight <= other.zone.inFlight);
    }

    /** Requests that wait. */
    synchronized int waiting() {
        return waiting;
    }

    /** Sources and zones that hold places, and who waits of them. */
    synchronized int held() {
        return sources.size() + zones.size() + groups.size() + pending.size();
    }
}
