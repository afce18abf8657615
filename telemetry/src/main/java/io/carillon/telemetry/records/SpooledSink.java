package io.carillon.telemetry.records;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One place elsewhere with its {@link Spool}: records go to the disk, and from there to the place,
 * by a thread of its own. While the place is away they wait.
 */
final class SpooledSink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SpooledSink.class);

    private static final int BATCH = 500;
    private static final int BATCH_BYTES = 1 << 20;
    private static final long FIRST_WAIT_MILLIS = 500;
    private static final long LONGEST_WAIT_MILLIS = 30_000;
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long CLOSE_MILLIS = 3_000;

    private final String name;
    private final Spool spool;
    private final RecordSender sender;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private final LongAdder sent = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private volatile boolean closing;
    private volatile boolean away;

    // The writer's thread only.
    private long toldDropsAtNanos;
    private long toldDrops;

    /**
     * @param name of the setting, for the log
     * @throws IOException when its folder cannot be used
     */
    SpooledSink(String name, Path folder, long bytes, RecordSender sender) throws IOException {
        this.name = name;
        this.spool = new Spool(folder, bytes);
        this.sender = sender;
        this.thread = Thread.ofPlatform().daemon().name("cdr-" + name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    // ---- the writer's thread ----

    /** Keeps it for the place; where there is no room it is dropped, and the log says so. */
    void append(String json) throws IOException {
        if (!spool.append(json)) {
            dropped.increment();
            tellDrops();
        }
    }

    private void tellDrops() {
        long now = System.nanoTime();
        if (toldDrops == 0 || now - toldDropsAtNanos >= QUIET_NANOS) {
            LOG.error(
                    "CALL RECORDS ARE LOST: cdr.{} takes none and cdr.spool-size is full; {} dropped"
                            + " since the last such line",
                    name,
                    dropped.sum() - toldDrops);
            toldDrops = dropped.sum();
            toldDropsAtNanos = now;
        }
    }

    /** Records that wait for the disk. */
    int waiting() {
        return spool.waiting();
    }

    void flush() throws IOException {
        spool.flush();
        lock.lock();
        try {
            more.signal();
        } finally {
            lock.unlock();
        }
    }

    // ---- its own thread ----

    private void run() {
        long wait = FIRST_WAIT_MILLIS;
        long toldAtNanos = System.nanoTime() - QUIET_NANOS;
        try {
            while (true) {
                try {
                    List<String> batch = spool.next(BATCH, BATCH_BYTES);
                    if (batch.isEmpty()) {
                        if (closing) {
                            return;
                        }
                        await(LONGEST_WAIT_MILLIS);
                        continue;
                    }
                    send(batch);
                    if (away) {
                        LOG.info("cdr.{} takes call records again", name);
                    }
                    away = false;
                    wait = FIRST_WAIT_MILLIS;
                } catch (IOException | RuntimeException e) {
                    away = true;
                    if (System.nanoTime() - toldAtNanos >= QUIET_NANOS) {
                        toldAtNanos = System.nanoTime();
                        LOG.warn(
                                "cdr.{} takes no call records ({}); {} bytes wait on disk",
                                name,
                                e.getMessage(),
                                spool.bytes());
                    }
                    if (closing) {
                        return;
                    }
                    TimeUnit.MILLISECONDS.sleep(wait);
                    wait = Math.min(LONGEST_WAIT_MILLIS, wait * 2);
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("cdr.{} gets nothing more", name, e); // this is how it ends
        }
    }

    private void send(List<String> batch) throws IOException, InterruptedException {
        try {
            sender.send(batch);
            spool.taken(batch);
            sent.add(batch.size());
        } catch (RecordSender.Refused e) {
            for (String one : batch) {
                sendAlone(one, batch.size() == 1 ? e : null);
            }
        }
    }

    private void sendAlone(String record, RecordSender.@Nullable Refused known)
            throws IOException, InterruptedException {
        RecordSender.Refused why = known;
        if (why == null) {
            try {
                sender.send(List.of(record));
                sent.increment();
            } catch (RecordSender.Refused e) {
                why = e;
            }
        }
        if (why != null) {
            refused.increment();
            LOG.error(
                    "CALL RECORD IS LOST: cdr.{} will not take {}: {}",
                    name,
                    RecordText.named(record),
                    why.getMessage());
        }
        spool.taken(List.of(record));
    }

    @SuppressWarnings("WaitNotInLoop") // who waits looks again what there is
    private void await(long millis) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!more.await(millis, TimeUnit.MILLISECONDS)) {
                LOG.trace("nothing for cdr.{}", name);
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- any thread ----

    long sent() {
        return sent.sum();
    }

    long dropped() {
        return dropped.sum();
    }

    long refused() {
        return refused.sum();
    }

    long waitingBytes() {
        return spool.bytes();
    }

    /** Is its place away? */
    boolean away() {
        return away;
    }

    /** What waits is sent if that goes at once; what is left is there at the next start. */
    @Override
    public void close() throws IOException {
        closing = true;
        try {
            flush();
        } finally {
            try (spool) {
                end();
            }
        }
    }

    private void end() {
        try {
            thread.join(CLOSE_MILLIS);
            thread.interrupt();
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        sender.close();
    }
}
