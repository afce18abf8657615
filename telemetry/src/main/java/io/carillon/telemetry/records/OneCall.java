package io.carillon.telemetry.records;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What stands for a whole call: legs of several Call-IDs have one. Any thread; it lives as long as
 * one of its legs.
 */
final class OneCall {
    /** Call-IDs that are looked at; a conference has more. */
    private static final int MOST_LEGS = 64;

    private static final int MOST_FIELDS = 32;
    private static final int MOST_NAME = 64;
    private static final int MOST_VALUE = 512;

    final String id;
    private final List<DialogLegs> members = new ArrayList<>(2);
    private final Map<String, Object> fields = new LinkedHashMap<>();

    /** How its last legs ended; those of a conference are many. */
    private final ArrayDeque<Ended> ended = new ArrayDeque<>(2);

    /**
     * How a leg ended.
     *
     * @param leg its number
     */
    record Ended(String callId, long leg, Leg.By by, long atNanos) {}

    OneCall(String id) {
        this.id = id;
    }

    synchronized void add(DialogLegs legs) {
        if (members.size() < MOST_LEGS && !members.contains(legs)) {
            members.add(legs);
        }
    }

    synchronized void remove(DialogLegs legs) {
        members.remove(legs);
    }

    /** The Call-ID that has that one at its other side; null when none is known. */
    synchronized @Nullable String linkedTo(String callId) {
        for (DialogLegs member : members) {
            if (callId.equals(member.linked())) {
                return member.callId;
            }
        }
        return null;
    }

    synchronized void ended(Ended one) {
        if (ended.size() >= MOST_LEGS) {
            ended.removeFirst();
        }
        ended.addLast(one);
    }

    /** That leg goes on after all, as its INVITE goes again. */
    synchronized void goesOn(long leg) {
        ended.removeIf(one -> one.leg() == leg);
    }

    /** The first one first. */
    synchronized List<Ended> ended() {
        return List.copyOf(ended);
    }

    /** A field that its application adds; too many, and too long ones, are cut. */
    synchronized void field(String name, Object value) {
        String key = cut(name, MOST_NAME);
        if (fields.size() < MOST_FIELDS || fields.containsKey(key)) {
            fields.put(key, plain(value));
        }
    }

    synchronized Map<String, Object> fields() {
        return fields.isEmpty() ? Map.of() : new LinkedHashMap<>(fields);
    }

    /** Numbers and booleans as they are, all else as text. */
    static Object plain(Object value) {
        return switch (value) {
            case Integer number -> number;
            case Long number -> number;
            case Double number -> number;
            case Boolean truth -> truth;
            default -> cut(value.toString(), MOST_VALUE);
        };
    }

    /** The fields of a record of an application's own, within the same limits. */
    static Map<String, Object> plain(Map<String, ?> all) {
        Map<String, Object> some = new LinkedHashMap<>();
        for (Map.Entry<String, ?> one : all.entrySet()) {
            Object value = one.getValue();
            if (value != null && some.size() < MOST_FIELDS) {
                some.put(cut(one.getKey(), MOST_NAME), plain(value));
            }
        }
        return some;
    }

    static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most);
    }
}
