package io.carillon.server.ladder;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A call laid out: who stands where, and what goes from whom to whom. The caller stands at the
 * left, the server beside it, everybody else at the right. Immutable.
 */
final class Ladder {
    /**
     * A lifeline.
     *
     * @param name an address, or the server
     * @param under transport and leg
     */
    record Column(String name, String under) {}

    /**
     * A line of the ladder.
     *
     * @param event what it shows
     * @param leg number of the leg, 1 for the first
     * @param from column; the same as {@code to} for what happens in one place
     * @param to column
     * @param sinceMicros since the first event
     */
    record Row(TraceEvent event, int leg, int from, int to, long sinceMicros) {}

    static final String SERVER = "Carillon";

    private final CallTrace call;
    private final List<Column> columns = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();
    private int own;

    private Ladder(CallTrace call) {
        this.call = call;
    }

    static Ladder of(CallTrace call) {
        Ladder ladder = new Ladder(call);
        ladder.layOut();
        return ladder;
    }

    CallTrace call() {
        return call;
    }

    List<Column> columns() {
        return columns;
    }

    List<Row> rows() {
        return rows;
    }

    /** The server's column. */
    int own() {
        return own;
    }

    private void layOut() {
        Map<String, Set<String>> legsOfRemote = new LinkedHashMap<>();
        for (TraceEvent event : call.events()) {
            TraceEvent.Message message = event.message();
            if (message != null && !message.internal()) {
                legsOfRemote
                        .computeIfAbsent(message.remote(), _ -> new LinkedHashSet<>())
                        .add(event.leg());
            }
        }
        Map<String, Integer> columnOf = new LinkedHashMap<>();
        for (TraceEvent event : call.events()) {
            TraceEvent.Message message = event.message();
            if (message != null && !message.internal()) {
                columnOf.computeIfAbsent(
                        key(event, message, legsOfRemote), _ -> newColumn(event, message));
            }
        }
        if (columns.isEmpty()) {
            columns.add(new Column(SERVER, call.node()));
        }
        long first = call.events().isEmpty() ? 0 : call.events().getFirst().micros();
        for (TraceEvent event : call.events()) {
            rows.add(row(event, legsOfRemote, columnOf, first));
        }
    }

    /** A far end that two legs have in common stands there twice: they are two calls to it. */
    private static String key(
            TraceEvent event, TraceEvent.Message message, Map<String, Set<String>> legsOfRemote) {
        Set<String> legs = legsOfRemote.getOrDefault(message.remote(), Set.of());
        return legs.size() > 1 ? message.remote() + '\n' + event.leg() : message.remote();
    }

    private int newColumn(TraceEvent event, TraceEvent.Message message) {
        String under = message.transport();
        if (call.legs().size() > 1) {
            under += ", leg " + leg(event);
        }
        columns.add(new Column(message.remote(), under));
        if (columns.size() == 1) {
            own = 1;
            columns.add(new Column(SERVER, call.node()));
            return 0;
        }
        return columns.size() - 1;
    }

    private int leg(TraceEvent event) {
        return Math.max(0, call.legs().indexOf(event.leg())) + 1;
    }

    private Row row(
            TraceEvent event,
            Map<String, Set<String>> legsOfRemote,
            Map<String, Integer> columnOf,
            long first) {
        TraceEvent.Message message = event.message();
        int other = own;
        if (message != null && !message.internal()) {
            other = columnOf.getOrDefault(key(event, message, legsOfRemote), own);
        }
        boolean in = message != null && message.received();
        return new Row(
                event, leg(event), in ? other : own, in ? own : other, event.micros() - first);
    }
}
