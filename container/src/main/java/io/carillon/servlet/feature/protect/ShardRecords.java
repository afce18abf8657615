package io.carillon.servlet.feature.protect;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.port.CallStore.Outcome;
import io.carillon.servlet.port.CallStore.State;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.shard.Shard;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The way into the store of the calls whose home is one event loop: those that have changed are
 * marked, written within {@link ProtectionSettings#flushWithin} in batches, and told what became of
 * it.
 *
 * <p>Owner: the shard's thread; a call is marked by the thread of its turn.
 */
final class ShardRecords {
    /** Records made in one piece of work of the event loop. */
    private static final int MOST_AT_ONCE = 64;

    private final Shard shard;
    final Ground ground;
    private final ProtectionCounts counts;
    private final Flights flights;
    private final HeldMessages messages;
    final StoreTrouble trouble = new StoreTrouble();

    /** Those that were marked since the last flush, the last one first. */
    private final AtomicReference<@Nullable ProtectedCall> marked = new AtomicReference<>();

    /** Those that are to be written, the first one first. */
    private final ArrayDeque<ProtectedCall> due = new ArrayDeque<>();

    private final FlushTimes times;
    private final Removals removals;

    /** Made by turns that were busy, sent when the work at hand is over; null for none. */
    private @Nullable Flight gathered;

    /** Nothing is written before, as the store has failed. */
    private long retryAtNanos = Long.MIN_VALUE;

    ShardRecords(Shard shard, Ground ground, ProtectionCounts counts) {
        this.shard = shard;
        this.ground = ground;
        this.counts = counts;
        this.times = new FlushTimes(shard, ground.settings(), this::flush);
        this.removals = new Removals(counts, ground.settings());
        this.flights = new Flights(ground.settings().bytesInFlight());
        this.messages = new HeldMessages(shard, this, counts, ground.settings());
    }

    Shard shard() {
        return shard;
    }

    HeldMessages messages() {
        return messages;
    }

    /** Any thread, for what is read of it. */
    Flights flights() {
        return flights;
    }

    /** With its turn held. */
    int partition(ApplicationSession session) {
        return ground.partitions().applyAsInt(session);
    }

    // ---- marks; any thread ----

    /** The call was marked: it is written at the next flush. */
    void mark(ProtectedCall call) {
        ProtectedCall before;
        do {
            before = marked.get();
            call.next = before;
        } while (!marked.compareAndSet(before, call));
        if (before == null) {
            times.within();
        }
    }

    /** What is marked is written when the work at hand is over, or shortly after. */
    void flushSoon() {
        times.soon();
    }

    // ---- flush ----

    private void flush() {
        take();
        long now = shard.now();
        boolean more = now >= retryAtNanos && hand(now);
        if (more) {
            times.atOnce();
        } else if (!due.isEmpty() && !flights.full()) {
            long retry = now + ground.settings().retryAfter().toNanos();
            times.at(now < retryAtNanos ? retryAtNanos : retry);
        }
    }

    /** The marked ones are due, in their order. */
    private void take() {
        ProtectedCall oldest = null;
        for (ProtectedCall call = marked.getAndSet(null); call != null; ) {
            ProtectedCall older = call.next;
            call.next = oldest;
            oldest = call;
            call = older;
        }
        for (ProtectedCall call = oldest; call != null; ) {
            ProtectedCall following = call.next;
            call.next = null;
            if (call.session.isValid() || mayRemove(call)) {
                due.add(call);
            }
            call = following;
        }
    }

    /** Of a call that has ended: is its record still to be removed? */
    private boolean mayRemove(ProtectedCall call) {
        if (removals.admit(call.record)) {
            return true;
        }
        gone(call);
        return false;
    }

    /**
     * Gives the store what is due.
     *
     * @return true when that was too much for one piece of work
     */
    private boolean hand(long now) {
        Flight batch = null;
        int made = 0;
        for (int i = due.size(); i > 0 && !flights.full() && made < MOST_AT_ONCE; i--) {
            ProtectedCall call = due.remove();
            Flight before = under(call.partition());
            if (!ours(call)) {
                notOurs(call);
            } else if (before != null && before != batch) {
                park(call, before);
            } else {
                made++;
                batch = add(batch, call, make(call), now);
            }
        }
        if (batch != null) {
            send(batch, now);
        }
        return made == MOST_AT_ONCE && !due.isEmpty();
    }

    /**
     * A state goes with the batch.
     *
     * @return the batch, a new one where there is none; null when it has gone
     */
    private @Nullable Flight add(
            @Nullable Flight batch, ProtectedCall call, @Nullable State state, long now) {
        if (state == null) {
            return batch;
        }
        Flight before = under(state.partition());
        if ((before != null && before != batch) || !ours(call)) {
            again(call); // its partition was not known before
            return batch;
        }
        Flight own = batch == null ? new Flight(this) : batch;
        board(own, call, state);
        if (own.states().size() < ground.settings().statesInBatch()) {
            return own;
        }
        send(own, now);
        return null;
    }

    private @Nullable Flight under(int partition) {
        return partition < 0 ? null : flights.of(partition);
    }

    /** May this node act for its partition, as far as that is known? */
    private boolean ours(ProtectedCall call) {
        int partition = call.partition();
        return partition < 0 || ground.ownership().owns(partition);
    }

    private void notOurs(ProtectedCall call) {
        CallRecord record = call.record;
        if (call.session.isValid() && !record.forgotten) {
            unprotected(call, whyNotOurs(call));
            due.add(call);
        } else if (record.handed && !record.forgotten && mayBeOurs(call)) {
            due.add(call); // the lease has a gap: the record is still this node's to remove
        } else {
            gone(call);
        }
    }

    private boolean mayBeOurs(ProtectedCall call) {
        return ground.ownership().mayOwnAgain(call.partition());
    }

    private Unprotected whyNotOurs(ProtectedCall call) {
        return mayBeOurs(call) ? Unprotected.NOT_OWNER : Unprotected.ELSEWHERE;
    }

    private void park(ProtectedCall call, Flight before) {
        before.parked().add(call);
        if (before.late() && call.session.isValid()) {
            unprotected(call, Unprotected.SLOW);
        }
    }

    /** The state of the call; null when there is nothing to write, or it comes later. */
    private @Nullable State make(ProtectedCall call) {
        ApplicationSession session = call.session;
        if (session.held() || ownCode(session) || !session.enter()) {
            session.submitLater(TurnTask.of(() -> makeInTurn(call)));
            return null;
        }
        State state;
        try {
            call.making();
            state = made(call);
        } finally {
            session.exit();
        }
        if (state == null) {
            nothing(call);
        }
        return state;
    }

    /** Does the application's own code run when its attributes are written, which may wait? */
    private static boolean ownCode(ApplicationSession session) {
        return session.isValid()
                && session.application().description().distributable()
                && !session.nonBlocking();
    }

    private void makeInTurn(ProtectedCall call) {
        call.making();
        State state = made(call);
        shard.perform(() -> madeLater(call, state));
    }

    /** In the turn of the call, whose work goes on: a message that it has sent waits for it. */
    void makeNow(ProtectedCall call) {
        State state = made(call);
        shard.perform(() -> madeLater(call, state));
    }

    /** With the turn held. */
    private @Nullable State made(ProtectedCall call) {
        try {
            return call.make(ground);
        } catch (RuntimeException | LinkageError | StackOverflowError e) { // an application's own
            counts.unwritable.increment();
            if (!call.record.toldUnwritable()) {
                call.session.failed(e);
            }
            call.record.unwritable(e);
            return null;
        }
    }

    private void madeLater(ProtectedCall call, @Nullable State state) {
        if (state == null) {
            nothing(call);
            return;
        }
        if (call.record.gone && state.bytes() != null) {
            return; // it has ended meanwhile: nobody would remove the record
        }
        Flight before = under(state.partition());
        if (!ours(call)
                || (before != null && before != gathered)
                || flights.full()
                || shard.now() < retryAtNanos) {
            again(call);
            return;
        }
        Flight batch = gathered;
        if (batch == null) {
            batch = new Flight(this);
            gathered = batch;
            shard.executor().execute(() -> shard.perform(this::sendGathered));
        }
        board(batch, call, state);
    }

    /** From now on there is a record to be removed: the call may end before the batch is sent. */
    private void board(Flight batch, ProtectedCall call, State state) {
        flights.add(batch, call, state);
        if (state.bytes() != null) {
            call.record.handed = true;
        }
    }

    private void sendGathered() {
        Flight batch = gathered;
        gathered = null;
        if (batch != null) {
            send(batch, shard.now());
        }
    }

    /** There was nothing to write. */
    private void nothing(ProtectedCall call) {
        CallRecord record = call.record;
        if (!call.session.isValid() || record.forgotten) {
            gone(call);
        } else if (record.unchanged()) {
            counts.unchanged.increment();
            if (!record.landed() && under(call.partition()) != null) {
                return; // what it is the same as is on its way
            }
            boolean safe = record.writtenAsBefore(call::holders);
            stored(call); // it may have counted as unprotected while it waited for the store
            messages.settle(call, record.last(), safe ? null : Unprotected.ONE_HOLDER);
        } else if (record.toldUnwritable()) {
            unprotected(call, Unprotected.INCOMPLETE);
            messages.settle(call, record.last(), Unprotected.INCOMPLETE);
        } else if (!record.made()) {
            count(call, false, null); // a message may have left before there was a state
        }
    }

    private void send(Flight batch, long now) {
        counts.batches.increment();
        for (int i = 0; i < batch.states().size(); i++) {
            byte[] bytes = batch.states().get(i).bytes();
            if (bytes == null) {
                counts.removals.increment();
            } else {
                counts.states.increment();
                counts.bytes.add(bytes.length);
            }
        }
        times.sent(now);
        flights.starts(batch, now);
        shard.timers().schedule(batch, now + ground.settings().waitAtMost().toNanos());
        try {
            ground.store().write(batch.states(), batch);
        } catch (RuntimeException e) {
            batch.accept(new Outcome(0, "the store has thrown " + e));
        }
    }

    // ---- what became of it ----

    /** The store has not answered in time. */
    void late(Flight flight) {
        flight.calls().forEach(this::slow);
        flight.parked().forEach(this::slow);
    }

    private void slow(ProtectedCall call) {
        if (call.session.isValid()) {
            unprotected(call, Unprotected.SLOW);
        }
    }

    /** The store has answered. */
    void landed(Flight flight, Outcome outcome) {
        if (!flight.lands()) {
            return;
        }
        shard.timers().cancel(flight);
        flights.landed(flight);
        boolean failed = outcome.failure() != null;
        if (failed) {
            counts.failures.increment();
            trouble.failed(flight.startedNanos, shard.now());
            retryAtNanos = shard.now() + ground.settings().retryAfter().toNanos();
        } else {
            trouble.landed(flights.oldestNanos(), shard.now());
            retryAtNanos = Long.MIN_VALUE;
        }
        for (int i = 0; i < flight.calls().size(); i++) {
            settle(flight.calls().get(i), flight.states().get(i), outcome);
        }
        if (!flight.parked().isEmpty()) {
            due.addAll(flight.parked());
        }
        if (!due.isEmpty()) {
            flushSoon();
        }
    }

    private void settle(ProtectedCall call, State state, Outcome outcome) {
        CallRecord record = call.record;
        if (outcome.failure() != null) {
            messages.settle(call, record.through(state.sequence()), Unprotected.FAILING);
            again(call);
            if (state.bytes() != null && call.session.isValid()) {
                unprotected(call, Unprotected.FAILING);
            }
            return;
        }
        if (state.bytes() == null) {
            record.handed = false;
            gone(call);
            return;
        }
        Unprotected why = record.missing() == null ? null : Unprotected.INCOMPLETE;
        record.written(state.sequence(), outcome.isProtected(), shard.now());
        if (why == null && !outcome.isProtected()) {
            why = Unprotected.ONE_HOLDER;
        }
        if (call.session.isValid()) {
            stored(call);
        }
        messages.settle(call, record.through(state.sequence()), why);
    }

    /** The store has not got it: it is written again. */
    private void again(ProtectedCall call) {
        call.writeAgain();
    }

    // ---- what is counted ----

    /** Why its record cannot be safe in time; null when it can. */
    @Nullable Unprotected whyLate(ProtectedCall call) {
        if (!ours(call)) {
            return whyNotOurs(call);
        }
        if (shard.now() < retryAtNanos) {
            return Unprotected.FAILING;
        }
        Flight before = under(call.partition());
        return flights.full() || (before != null && before.late()) ? Unprotected.SLOW : null;
    }

    /**
     * Has a state of that number not been made although nothing hinders it but the work that has
     * the turn?
     */
    boolean turnIsLong(ProtectedCall call, long sequence) {
        return sequence > call.record.last()
                && under(call.partition()) == null
                && whyLate(call) == null;
    }

    /** The call would not outlive this node, for that reason. */
    void unprotected(ProtectedCall call, Unprotected why) {
        count(call, false, why);
    }

    /** A message of the call has left without its record, for that reason. */
    void leftWithout(ProtectedCall call, long sequence, Unprotected why) {
        unprotected(call, why);
        if (sequence <= call.record.last() && under(call.partition()) == null && call.mark()) {
            mark(call); // its state has landed already: nothing else would say that it is stored
        }
    }

    private void stored(ProtectedCall call) {
        boolean complete = call.record.missing() == null;
        count(call, complete, complete ? null : Unprotected.INCOMPLETE);
    }

    /** Nothing of it is to be kept, or is kept. */
    private void gone(ProtectedCall call) {
        messages.settleAll(call);
        count(call, false, null);
        call.record.gone = true;
        removals.over(call.record);
    }

    private void count(ProtectedCall call, boolean stored, @Nullable Unprotected why) {
        call.record.stand(stored, why, call.partition(), counts);
    }

    /** The call was read from the store and goes on here. */
    void adopted(ProtectedCall call) {
        call.record.handed = true;
        if (call.record.gone && !call.record.forgotten && mayRemove(call)) {
            due.add(call); // it has ended before this loop was told of it
            flushSoon();
        }
    }

    /** Its partition is another node's: it is left as it is in the store. */
    void forgotten(ProtectedCall call) {
        call.record.handed = false;
        gone(call);
    }
}
