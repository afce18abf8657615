package io.carillon.servlet.feature.adopt;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlet.kernel.SessionTables;
import io.carillon.servlet.kernel.SilentEnd;
import io.carillon.servlet.turn.TurnTask;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Calls that this node has lost and that are still here: each is dropped in its turn, which a
 * handler may hold for long. Where its partition comes back before that, its record waits for the
 * end of what was here.
 *
 * <p>Any thread; guarded by its own monitor, under which nothing else is called.
 */
final class LeavingCalls {
    private static final class Leaving {
        private int drops;
        private List<Runnable> waiting = List.of();
    }

    private final Map<String, Leaving> calls = new HashMap<>();

    /** Drops it in its turn, should it be of one of these partitions. */
    void drop(ApplicationSession call, BitSet partitions) {
        begin(call.getId());
        call.submit(
                TurnTask.of(() -> {
                    try {
                        if (partitions.get(CallPartition.of(call))) {
                            SilentEnd.drop(call);
                        }
                    } finally {
                        end(call.getId());
                    }
                }));
    }

    private synchronized void begin(String id) {
        calls.computeIfAbsent(id, same -> new Leaving()).drops++;
    }

    private void end(String id) {
        List<Runnable> all;
        synchronized (this) {
            Leaving call = calls.get(id);
            if (call == null || --call.drops > 0) {
                return;
            }
            calls.remove(id);
            all = call.waiting;
        }
        all.forEach(Runnable::run);
    }

    /** Is it here, and stays? */
    boolean goesOn(String id, SessionTables tables) {
        // In this order: what is not leaving any more is not in the tables.
        return !has(id) && tables.find(id) != null;
    }

    private synchronized boolean has(String id) {
        return calls.containsKey(id);
    }

    synchronized boolean isEmpty() {
        return calls.isEmpty();
    }

    /** Runs it when that call is gone; at once where it is not leaving. */
    void after(String id, Runnable then) {
        synchronized (this) {
            Leaving call = calls.get(id);
            if (call != null) {
                if (call.waiting.isEmpty()) {
                    call.waiting = new ArrayList<>(1);
                }
                call.waiting.add(then);
                return;
            }
        }
        then.run();
    }
}
