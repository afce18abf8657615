package io.carillon.servlet.feature.http;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.LogPace;
import io.carillon.servlet.kernel.AbsentSessions;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.ExpectedPages;
import io.carillon.servlet.kernel.PageRecord;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.port.CallStore;
import io.carillon.servlet.port.CallStore.State;
import io.carillon.servlet.port.Slot;
import io.carillon.servlet.turn.TurnTask;
import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.token.OwnTokens;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.Partitions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP sessions of the distributable applications of a node, as records in the store of calls: the
 * node that gets the next request of a session whose node has died goes on with it. They lie in
 * partitions by their ids, and belong to no owner of these: whoever serves the session writes it,
 * and the later one stays. One for a container in a cluster. Any thread; reading waits.
 */
public final class KeptPages {
    private static final Logger LOG = LoggerFactory.getLogger(KeptPages.class);

    public static final Slot<KeptPages> SLOT = Slot.of(KeptPages.class);

    /** No id of a call begins with it. */
    private static final String MARK = "@@";

    private static final long READ_SECONDS = 2;

    /** Reads at the same time: who brings ids that nobody has must not hold up take-overs. */
    private static final int READS = 64;

    private static final long ONE_MINUTE_MILLIS = 60_000;

    /** Of a millisecond of the wall clock: numbers that may be drawn in it. */
    private static final int NUMBERS = 1 << 12;

    private final CallStore store;
    private final SessionHost host;
    private final AtomicLong sequence = new AtomicLong();
    private final Semaphore reads = new Semaphore(READS);
    private final LogPace faults = new LogPace(ONE_MINUTE_MILLIS);

    public KeptPages(CallStore store, SessionHost host) {
        this.store = store;
        this.host = host;
    }

    /** Is that an HTTP session, and no call? */
    public static boolean isOne(String id) {
        return id.startsWith(MARK);
    }

    private static String id(Application application, String session) {
        return MARK + application.name() + '@' + session;
    }

    /** By the wall clock, as it is another node that writes it next; it rises in any case. */
    private long drawn() {
        long now = host.millis() * NUMBERS;
        return sequence.accumulateAndGet(now, (last, clock) -> Math.max(last + 1, clock));
    }

    /** Writes it, soon. */
    public void write(Application application, String session, PageRecord page) {
        put(application, session, page.bytes(application));
    }

    /** It is over. */
    public void remove(Application application, String session) {
        put(application, session, null);
    }

    private void put(Application application, String session, byte @Nullable [] bytes) {
        State state =
                new State(Partitions.ofKey(session), id(application, session), 0, drawn(), bytes);
        write(List.of(state));
    }

    private void write(List<State> states) {
        store.write(
                states,
                outcome -> {
                    if (outcome.failure() != null && faults.admit(host.millis()) > 0) {
                        LOG.warn("an HTTP session was not kept: {}", outcome.failure());
                    }
                });
    }

    /**
     * Reads it; its application session is brought here, where it is of this node.
     *
     * @return null where there is none, or it could not be had in time
     */
    public @Nullable PageRecord read(Application application, String session) {
        byte[] bytes = bytes(application, session);
        if (bytes == null) {
            return null;
        }
        try {
            String owner = PageRecord.owner(bytes);
            AbsentSessions absent = host.parts().get(AbsentSessions.SLOT);
            if (owner != null && absent != null && host.tables().find(owner) == null) {
                absent.await(owner);
            }
            return PageRecord.of(bytes, application, host.tables());
        } catch (StateFormatException e) {
            if (faults.admit(host.millis()) > 0) {
                LOG.warn("an HTTP session of another node cannot be read", e);
            }
            return null;
        }
    }

    /** See {@link WebSessions.KeptSessions#place}. */
    public void place(Application application, String session, Consumer<@Nullable String> then) {
        if (!reads.tryAcquire()) {
            then.accept(null);
            return;
        }
        store.read(
                Partitions.ofKey(session),
                id(application, session),
                found -> {
                    reads.release();
                    State state = found.state();
                    then.accept(place(state == null ? null : state.bytes()));
                });
    }

    private @Nullable String place(byte @Nullable [] bytes) {
        try {
            return bytes == null ? null : PageRecord.place(bytes);
        } catch (StateFormatException e) {
            LOG.debug("an HTTP session of another node cannot be read", e);
            return null;
        }
    }

    /**
     * Looks which of the HTTP sessions are over that an application session of a dead node waits
     * for. Does not wait.
     */
    public void look(ApplicationSession waits) {
        for (String page : ExpectedPages.of(waits)) {
            store.read(
                    Partitions.ofKey(page),
                    id(waits.application(), page),
                    read -> {
                        if (read.failure() == null && !read.isThere()) {
                            waits.submit(TurnTask.of(() -> ExpectedPages.over(waits, page)));
                        }
                    });
        }
    }

    private byte @Nullable [] bytes(Application application, String session) {
        if (!reads.tryAcquire()) {
            return null;
        }
        CompletableFuture<byte @Nullable []> read = new CompletableFuture<>();
        try {
            store.read(
                    Partitions.ofKey(session),
                    id(application, session),
                    found -> {
                        State state = found.state();
                        read.complete(state == null ? null : state.bytes());
                    });
            return read.get(READ_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("an HTTP session could not be read in time", e);
            return null;
        } finally {
            reads.release();
        }
    }

    /**
     * Removes what nobody serves any more and whose time is over, of the partitions that this node
     * owns. Takes some seconds.
     */
    public void sweep() {
        for (int partition = 0; partition < Ownership.PARTITIONS; partition++) {
            OwnTokens tokens = host.shards().ofPartition(partition).config().tokens();
            if (tokens.owns(partition) && !sweep(partition)) {
                return;
            }
        }
    }

    /** False where the store does not answer: the next time. */
    private boolean sweep(int partition) {
        ConcurrentLinkedQueue<State> over = new ConcurrentLinkedQueue<>();
        CompletableFuture<Boolean> end = new CompletableFuture<>();
        store.readAll(
                partition,
                state -> {
                    if (isOver(state)) {
                        over.add(
                                new State(
                                        state.partition(),
                                        state.id(),
                                        state.term(),
                                        state.sequence() + 1,
                                        null));
                    }
                },
                failure -> end.complete(failure == null));
        try {
            if (!end.get(READ_SECONDS, TimeUnit.SECONDS)) {
                return false;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("HTTP sessions of partition {} were not looked through", partition, e);
            return false;
        }
        if (!over.isEmpty()) {
            write(List.copyOf(over));
        }
        return true;
    }

    private boolean isOver(State state) {
        byte[] bytes = state.bytes();
        try {
            return bytes != null
                    && isOne(state.id())
                    && PageRecord.over(bytes, host.millis() - ONE_MINUTE_MILLIS);
        } catch (StateFormatException e) {
            return false; // of a newer version
        }
    }
}
