package io.carillon.it.order;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What was seen of numbered messages, wherever they came to. Any thread. */
final class OrderCounts {
    private final Map<String, LongAdder> byWay = new ConcurrentHashMap<>();
    private final LongAdder messages = new LongAdder();
    private final LongAdder overtaken = new LongAdder();
    private final LongAdder twice = new LongAdder();
    private final LongAdder skipped = new LongAdder();
    private final LongAdder elsewhere = new LongAdder();
    private final LongAdder unreadable = new LongAdder();

    /** One came behind another of its call and direction that was sent later. */
    void overtaken(String way) {
        overtaken.increment();
        of("overtaken", way).increment();
    }

    /** The last one came again. */
    void twice(String way) {
        twice.increment();
        of("twice", way).increment();
    }

    /** So many are missing before one that came. */
    void skipped(String way, long many) {
        skipped.add(many);
        of("missing at first", way).add(many);
    }

    private LongAdder of(String what, String way) {
        return byWay.computeIfAbsent(what + ", " + way, key -> new LongAdder());
    }

    /** The same by which way it went. */
    SortedMap<String, LongAdder> byWay() {
        return new TreeMap<>(byWay);
    }

    /** One came to another node, or another event loop, than its partition's. */
    void elsewhere() {
        elsewhere.increment();
    }

    /** What came is none of ours. */
    void unreadable() {
        unreadable.increment();
    }

    /** One came. */
    void came() {
        messages.increment();
    }

    long messages() {
        return messages.sum();
    }

    long overtakenSum() {
        return overtaken.sum();
    }

    long twiceSum() {
        return twice.sum();
    }

    long elsewhereSum() {
        return elsewhere.sum();
    }

    long unreadableSum() {
        return unreadable.sum();
    }

    /** Those that never came. One that was overtaken was missing at first. */
    long lost() {
        return Math.max(0, skipped.sum() - overtaken.sum());
    }

    /** Was each where it belongs, once, and behind those that were sent before it? */
    boolean good() {
        return overtakenSum() == 0
                && twiceSum() == 0
                && elsewhereSum() == 0
                && unreadableSum() == 0;
    }
}
