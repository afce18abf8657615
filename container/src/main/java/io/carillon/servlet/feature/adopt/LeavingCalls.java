package io.carillon.servlet.feature.adopt;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallPartition;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.kernel.SessionTables;
import io.carillon.servlet.kernel.SilentEnd;
import io.carillon.servlet.turn.TurnTask;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Calls that this node has lost and that are still here: each is dropped in its turn, which a
 * handler may hold for long. Where its partition comes back before that, its record waits for the
 * end of what was here.
 *
 * <p>Any thread; guarded by its own monitor, under which nothing else is called.
 */
public final class LeavingCalls {
    private static final class Leaving {
        private int drops;
        private List<Runnable> waiting = List.of();
    }

    private final SessionHost host;
    private final Map<String, Leaving> calls = new HashMap<>();

    LeavingCalls(SessionHost host) {
        this.host = host;
    }

    /** Drops all of these partitions, one walk through all calls for as many as these are. */
    void drop(BitSet partitions) {
        each(partitions, call -> drop(call, partitions));
    }

    /** Hears how calls of a partition have left. */
    public interface Told {
        /**
         * Each call of that partition was asked. Any thread.
         *
         * @param all did all of them leave?
         */
        void asked(int partition, boolean all);
    }

    /**
     * Another node owns these partitions, and waits for their calls: each that the store has as it
     * is leaves this node in its turn. What comes for these partitions is still theirs, until they
     * are lost ({@link Adoption#lost(BitSet)}).
     *
     * @param written does the store have the call as it is? Asked in the turn of the call
     */
    public void letGo(BitSet partitions, Predicate<ApplicationSession> written, Told told) {
        HandedCalls all = new HandedCalls(partitions, written, told);
        for (ApplicationSession session : host.tables().all()) {
            int partition = CallPartition.known(session);
            if (partition >= 0 && partitions.get(partition)) {
                letGo(session, partition, all);
            }
        }
        partitions.stream().forEach(all::end);
    }

    /** Those of the partitions that have calls here. */
    public BitSet present(BitSet partitions) {
        BitSet found = new BitSet();
        for (ApplicationSession session : host.tables().all()) {
            int partition = CallPartition.known(session);
            if (partition >= 0 && partitions.get(partition)) {
                found.set(partition);
            }
        }
        return found;
    }

    private void each(BitSet partitions, Consumer<ApplicationSession> calls) {
        for (ApplicationSession session : host.tables().all()) {
            int known = CallPartition.known(session);
            if (known < 0 || partitions.get(known)) {
                calls.accept(session);
            }
        }
    }

    /** Drops it in its turn, should it be of one of these partitions. */
    private void drop(ApplicationSession call, BitSet partitions) {
        inTurn(
                call,
                () -> {
                    if (partitions.get(CallPartition.of(call))) {
                        SilentEnd.drop(call);
                    }
                });
    }

    /** Drops it in its turn, as the others that are handed over with it. */
    private void letGo(ApplicationSession call, int partition, HandedCalls with) {
        with.begin(partition);
        inTurn(
                call,
                () -> {
                    try {
                        if (with.lets(call, partition)) {
                            SilentEnd.drop(call);
                        }
                    } finally {
                        with.end(partition);
                    }
                });
    }

    private void inTurn(ApplicationSession call, Runnable work) {
        begin(call.getId());
        call.submit(
                TurnTask.of(() -> {
                    try {
                        work.run();
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
        Waiters.goOn(all);
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
