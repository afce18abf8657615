package io.carillon.server.audit;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is written into the audit log, and when. A change has two lines: before it is done, and
 * after; so one that the process did not outlive is seen too. Refusals have one; of too many, as
 * when somebody guesses passwords, only some, with the number of the others. Any thread; blocks for
 * the disk.
 */
public final class AuditTrail {
    private static final Logger LOG = LoggerFactory.getLogger(AuditTrail.class);
    private static final int MOST_SOURCES = 1_000;
    private static final int AT_ONCE = 20;
    private static final long NANOS_EACH = TimeUnit.SECONDS.toNanos(3);
    private static final int ID_BYTES = 6;
    private static final int OF_ALL = 10;

    private final AuditLog log;
    private final LongSupplier nanos;
    private final SecureRandom random = new SecureRandom();

    /** Of refusals, by source; those that were seen longest ago give way. Guarded by itself. */
    private final Map<String, Room> rooms =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Room> eldest) {
                    return size() > MOST_SOURCES;
                }
            };

    private final Room ofAll;
    private long unwritten;

    /** How many lines may be written now. */
    private static final class Room {
        private final int most;
        private double left;
        private long at;

        Room(int most, long now) {
            this.most = most;
            this.left = most;
            this.at = now;
        }

        boolean take(long now) {
            left = Math.min(most, left + (double) (now - at) * most / (AT_ONCE * NANOS_EACH));
            at = now;
            if (left < 1) {
                return false;
            }
            left -= 1;
            return true;
        }
    }

    public AuditTrail(AuditLog log, LongSupplier nanos) {
        this.log = log;
        this.nanos = nanos;
        this.ofAll = new Room(AT_ONCE * OF_ALL, nanos.getAsLong());
    }

    /** Where it is written. */
    public AuditLog log() {
        return log;
    }

    /**
     * Who does something.
     *
     * @param name of the account or user; empty: unknown
     * @param way how he showed it
     * @param from address, or the socket
     */
    public record Actor(String name, String way, String from) {}

    /**
     * What is done.
     *
     * @param what the operation
     * @param on what it is done to; may be empty
     * @param asked what was asked for, without passwords; may be empty
     */
    public record Deed(String what, String on, String asked) {}

    /** A change that has begun. */
    public final class Change {
        private final String id;
        private final Actor actor;
        private final Deed deed;
        private final @Nullable String before;

        private Change(String id, Actor actor, Deed deed, @Nullable String before) {
            this.id = id;
            this.actor = actor;
            this.deed = deed;
            this.before = before;
        }

        /** It was done, or failed; what cannot be written any more is in the server's log. */
        public void ended(boolean done, int status, String result, @Nullable String after) {
            try {
                log.write(
                        entry(
                                id,
                                actor,
                                deed,
                                new Outcome(
                                        done ? "done" : "failed",
                                        before,
                                        after,
                                        status,
                                        result,
                                        0)));
            } catch (IOException e) {
                LOG.error(
                        "{} of {} by {} ended ({}), and the audit log does not say so",
                        deed.what(),
                        deed.on(),
                        actor.name(),
                        result,
                        e);
            }
        }
    }

    /** What came of it, as {@link AuditEntry} says. */
    private record Outcome(
            String stage,
            @Nullable String before,
            @Nullable String after,
            int status,
            String result,
            long unwritten) {}

    private AuditEntry entry(String id, Actor actor, Deed deed, Outcome outcome) {
        return new AuditEntry(
                log.now(),
                id,
                outcome.stage(),
                actor.name(),
                actor.way(),
                actor.from(),
                deed.what(),
                deed.on(),
                deed.asked(),
                outcome.before(),
                outcome.after(),
                outcome.status(),
                outcome.result(),
                outcome.unwritten());
    }

    private String id() {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /**
     * Writes that a change begins.
     *
     * @throws IOException when that cannot be written; then it must not begin
     */
    public Change begin(Actor actor, Deed deed, @Nullable String before) throws IOException {
        String id = id();
        log.write(entry(id, actor, deed, new Outcome("begun", before, null, 0, "", 0)));
        return new Change(id, actor, deed, before);
    }

    /** Writes that something was refused, if there is room for it. */
    public void refused(Actor actor, Deed deed, int status, String why) {
        long notWritten;
        synchronized (rooms) {
            long now = nanos.getAsLong();
            Room own =
                    rooms.computeIfAbsent(
                            actor.from() + " " + actor.name(), nobody -> new Room(AT_ONCE, now));
            if (!own.take(now) || !ofAll.take(now)) {
                unwritten++;
                return;
            }
            notWritten = unwritten;
            unwritten = 0;
        }
        try {
            log.write(
                    entry(
                            id(),
                            actor,
                            deed,
                            new Outcome("refused", null, null, status, why, notWritten)));
        } catch (IOException e) {
            LOG.error(
                    "{} of {} was refused, and the audit log does not say so",
                    deed.what(),
                    actor.name(),
                    e);
        }
    }
}
