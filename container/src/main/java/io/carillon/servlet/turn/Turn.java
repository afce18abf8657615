package io.carillon.servlet.turn;

import io.carillon.sip.admission.Mailbox;
import io.carillon.sip.admission.MailboxLimits;
import io.carillon.sip.admission.Room;
import io.carillon.sip.admission.WaitingMessages;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.shard.Shard;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Serial execution for one application session: a mailbox and at most one runner.
 *
 * <p>Work comes from shards, timers and threads of applications by {@link #submit}; it runs in the
 * order of its arrival and never two pieces at once. A submitter that may run application code here
 * runs it at once when the turn is free, without any queue; otherwise {@link #schedule} brings the
 * work to a thread of the application. An API call from a thread that is not inside the turn takes
 * it with {@link #enter}; it waits only when its thread holds no other turn and is no event loop,
 * so that no two threads can ever wait for each other.
 *
 * <p>Lock-free: {@code mailbox} is null (free), {@link #HELD} (held, nothing waiting) or a list of
 * waiting tasks, newest first, that ends in {@link #HELD}.
 *
 * <p>Messages from the network that wait are bounded: for each turn by {@link MailboxLimits}, for
 * all of a shard by {@link WaitingMessages}. Each task knows how much lies in the mailbox below it,
 * so that looking at the newest one is all that counting costs. A message that runs at once is not
 * counted.
 */
public abstract class Turn implements Runnable, Mailbox {
    private static final class Mark extends TurnTask {
        @Override
        protected void run() {
            throw new AssertionError("a mark is no task");
        }
    }

    /** A thread that waits for the turn: when its time comes it gets the turn, it is not run. */
    private static final class Waiter extends TurnTask {
        final Thread thread = Thread.currentThread();
        volatile boolean granted;

        @Override
        protected void run() {
            throw new AssertionError("a waiter takes the turn itself");
        }
    }

    /** Pieces of work in a row on a shared thread; then others of it have their turn. */
    private static final int MOST_AT_ONCE = 32;

    /** So long in a row on a shared thread, and what was begun until then. */
    private static final long LONGEST_NANOS = 1_000_000;

    private static final TurnTask HELD = new Mark();
    private static final VarHandle MAILBOX;

    static {
        try {
            MAILBOX = MethodHandles.lookup().findVarHandle(Turn.class, "mailbox", TurnTask.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The outermost turn of each thread; null almost always. */
    private static final ThreadLocal<@Nullable Turn> OUTERMOST = new ThreadLocal<>();

    private volatile @Nullable TurnTask mailbox;

    /** Taken from the mailbox, oldest first; the holder's. */
    private @Nullable TurnTask batch;

    /** Written by the holder only; another thread reads anything but itself. */
    private @Nullable Thread holder;

    private int depth;

    /** Arranges that {@link #run} is called on a thread where this application's code may run. */
    protected abstract void schedule();

    /** May the calling thread run this application's code now, instead of a thread of its own? */
    protected abstract boolean mayRunHere();

    /** Is the calling thread an event loop, which must never wait? */
    protected abstract boolean onEventLoop();

    /** Do others wait for the thread that runs this, so that it may have it for a while only? */
    protected abstract boolean sharesThread();

    /** After each piece of work, with the turn still held: invalidation, store. */
    protected abstract void turnEnded();

    /** Work in the turn threw: it is counted and told, the turn goes on. */
    public abstract void failed(Throwable error);

    /** The time, where it is no part of the work that it passes. */
    protected abstract long nanoTime();

    /** In whose account the messages are that wait here. */
    public abstract Shard home();

    /** Where whoever began it is counted in the accounts of sources. */
    public abstract int countedAt();

    /** On behalf of whoever has asked for anything in it: see {@link Origin}. */
    public abstract Origin origin();

    /** Is the calling thread inside this turn? */
    public final boolean held() {
        return holder == Thread.currentThread();
    }

    /** The outermost turn that the calling thread holds. */
    public static @Nullable Turn current() {
        return OUTERMOST.get();
    }

    /**
     * Takes the turn if it is free and the caller may run its work here and now, as nearly all of a
     * non-blocking application does: then it needs no task. Every true needs an {@link #endHere},
     * and what the work throws is for {@link #failed}; after false it is to be submitted.
     */
    public final boolean beginHere() {
        return OUTERMOST.get() == null && mayRunHere() && tryTake();
    }

    /** Ends what {@link #beginHere} began. */
    public final void endHere() {
        turnEndedSafely();
        release();
    }

    /** Runs the task after everything submitted before it: here and now if that is allowed. */
    public final void submit(TurnTask task) {
        if (beginHere()) {
            runOne(task);
            release();
        } else if (push(task)) {
            schedule();
        }
    }

    /**
     * As {@link #submit}, for a message that may have to be refused. Its bytes count until its work
     * is done.
     *
     * @return false when there was no room: nothing will happen
     */
    public final boolean offer(TurnTask task, Room room) {
        if (!idle() && !hasRoom(task.weight, room, task.place)) {
            return false;
        }
        submit(task);
        return true;
    }

    @Override
    public final boolean offer(SipMessage message, Room room, Runnable work) {
        if (!beginHere()) {
            return offer(TurnTask.of(message, work), room);
        }
        try {
            work.run();
        } catch (Throwable e) {
            failed(e);
        } finally {
            endHere();
        }
        return true;
    }

    /** Is it somebody's, or does work wait for it? Any thread: it may be so no more. */
    public final boolean busy() {
        return mailbox != null;
    }

    @Override
    public final boolean idle() {
        return mailbox == null && OUTERMOST.get() == null && mayRunHere();
    }

    @Override
    public final boolean hasRoom(SipMessage message, Room room) {
        return hasRoom(message, room, TurnTask.OF_SESSION);
    }

    /**
     * As {@link #hasRoom(SipMessage, Room)}.
     *
     * @param place where its sender is counted
     */
    public final boolean hasRoom(SipMessage message, Room room, int place) {
        return idle() || hasRoom(WaitingMessages.weight(message), room, place);
    }

    private boolean hasRoom(int weight, Room room, int sender) {
        int place = sender == TurnTask.OF_SESSION ? countedAt() : sender;
        TurnTask seen = mailbox;
        TurnTask newest = seen == null ? HELD : seen;
        MailboxLimits limits = home().config().mailbox();
        return limits.hasRoom(newest.messagesBelow, newest.bytesBelow, weight, room)
                && home().waiting().hasRoom(newest.bytesBelow, weight, room, place);
    }

    /** Queues the task behind the work in progress; never runs it on the caller's stack. */
    public final void submitLater(TurnTask task) {
        if (push(task)) {
            schedule();
        }
    }

    /** As {@link #submit}, for a command. */
    @Override
    public final void execute(Runnable command) {
        if (beginHere()) {
            try {
                command.run();
            } catch (Throwable e) {
                failed(e);
            } finally {
                endHere();
            }
        } else {
            submit(TurnTask.of(command));
        }
    }

    /**
     * Runs the change in the turn: now, waiting for it if need be; or behind what is running, where
     * the caller must not wait ({@link #enter}).
     */
    public final void inTurn(Runnable change) {
        if (!enter()) {
            submitLater(TurnTask.of(change));
            return;
        }
        try {
            change.run();
        } finally {
            exit();
        }
    }

    /** Adds the task; true when the turn was free and is now the caller's to schedule. */
    private boolean push(TurnTask task) {
        int weight = task.weight;
        if (weight > 0) {
            if (task.place == TurnTask.OF_SESSION) {
                task.place = countedAt();
            }
            home().waiting().add(weight, task.place);
        }
        for (; ; ) {
            TurnTask seen = mailbox;
            TurnTask below = seen == null ? HELD : seen;
            task.next = below;
            task.messagesBelow = below.messagesBelow + (weight > 0 ? 1 : 0);
            task.bytesBelow = (int) Math.min(Integer.MAX_VALUE, (long) below.bytesBelow + weight);
            if (MAILBOX.compareAndSet(this, seen, task)) {
                return seen == null;
            }
        }
    }

    private boolean tryTake() {
        if (mailbox == null && MAILBOX.compareAndSet(this, null, HELD)) {
            became();
            return true;
        }
        return false;
    }

    private void became() {
        holder = Thread.currentThread();
        depth = 1;
        if (OUTERMOST.get() == null) {
            OUTERMOST.set(this);
        }
    }

    private void left() {
        holder = null;
        depth = 0;
        if (OUTERMOST.get() == this) {
            OUTERMOST.set(null); // cheaper than removal: the entry is found again
        }
    }

    /**
     * Takes the turn for an API call of the calling thread, reentrant. False when it is busy and
     * the caller must not wait: then the work is to be submitted. Every true needs an {@link
     * #exit}.
     */
    public final boolean enter() {
        if (holder == Thread.currentThread()) {
            depth++;
            return true;
        }
        if (tryTake()) {
            return true;
        }
        if (OUTERMOST.get() != null || onEventLoop()) {
            return false;
        }
        Waiter waiter = new Waiter();
        if (!push(waiter)) {
            boolean interrupted = false;
            while (!waiter.granted) {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        } else {
            // The turn was free after all: the mailbox holds only our own waiter, taken out here.
            takeOut(waiter);
        }
        became();
        return true;
    }

    /**
     * As {@link #enter()}, for a call whose result its caller needs at once, so that it cannot be
     * queued.
     *
     * @throws IllegalStateException when the turn is busy and the caller must not wait; nothing was
     *     done
     */
    public final void enterNow() {
        if (!enter()) {
            Turn own = OUTERMOST.get();
            throw new IllegalStateException(
                    this
                            + " is busy, and this thread, "
                            + (own == null ? "an event loop" : "inside " + own)
                            + ", must not wait for it: do this in its own turn (io.carillon.turn,"
                            + " docs/guides/converged-http.md)");
        }
    }

    /** The turn is ours and our waiter lies in the mailbox as its oldest node. */
    private void takeOut(Waiter waiter) {
        TurnTask oldest = takeAll();
        if (oldest != waiter) {
            throw new AssertionError("the first waiter is the oldest");
        }
        batch = waiter.next;
    }

    /** Ends what {@link #enter} began. */
    public final void exit() {
        if (depth > 1) {
            depth--;
            return;
        }
        // Still at depth 1: what listeners call now is nested in this piece of work.
        turnEndedSafely();
        release();
    }

    /** Drains the mailbox with the turn already taken by {@link #push}. */
    @Override
    public final void run() {
        became();
        drain();
    }

    private void release() {
        if (batch == null && mailbox == HELD && free()) {
            return;
        }
        // Work of one call never begins inside of another one's: it would be taken for that.
        if (OUTERMOST.get() == this && mayRunHere()) {
            drain();
        } else {
            left();
            schedule();
        }
    }

    /** Gives the turn up if nothing waits. The holder's marks go first: after it we own nothing. */
    private boolean free() {
        left();
        if (MAILBOX.compareAndSet(this, HELD, null)) {
            return true;
        }
        became();
        return false;
    }

    /**
     * Runs what waits. A shared thread has all other calls of its shard to serve, so there only so
     * much of it: the turn stays taken, and the rest runs in the same order behind what the loop
     * has to do.
     */
    private void drain() {
        boolean bounded = onEventLoop() || sharesThread();
        long began = 0;
        int done = 0;
        for (; ; ) {
            TurnTask task = batch;
            if (task == null) {
                if (mailbox == HELD) {
                    if (free()) {
                        return;
                    }
                    continue;
                }
                batch = takeAll();
                continue;
            }
            if (bounded && done > 0) {
                long now = nanoTime();
                began = done == 1 ? now : began;
                if (done >= MOST_AT_ONCE || now - began >= LONGEST_NANOS) {
                    left();
                    schedule();
                    return;
                }
            }
            done++;
            batch = task.next;
            task.next = null;
            if (task instanceof Waiter waiter) {
                left();
                waiter.granted = true;
                LockSupport.unpark(waiter.thread);
                return;
            }
            runOne(task);
            if (task.weight > 0) {
                // Not before: application code may sleep with the message in its hands.
                home().waiting().remove(task.weight, task.place);
            }
        }
    }

    /** All waiting tasks, oldest first. */
    private @Nullable TurnTask takeAll() {
        TurnTask node = (TurnTask) MAILBOX.getAndSet(this, HELD);
        TurnTask oldestFirst = null;
        while (node != null && node != HELD) {
            TurnTask older = node.next;
            node.next = oldestFirst;
            oldestFirst = node;
            node = older;
        }
        return oldestFirst;
    }

    private void runOne(TurnTask task) {
        try {
            task.run();
        } catch (Throwable e) {
            failed(e);
        }
        turnEndedSafely();
    }

    private void turnEndedSafely() {
        try {
            turnEnded();
        } catch (Throwable e) {
            failed(e);
        }
    }
}
