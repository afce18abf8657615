package io.carillon.examples.registrar;

import java.sql.SQLException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServletResponse;

/**
 * One change of an address of record at a time (RFC 3261 10.3 step 8), in the order in which they
 * came, and without a connection to the database while they wait. Nobody waits for another address
 * of record; of one a few may. Any thread.
 */
final class Turns {
    /** Registrations that may wait for those of the same address of record. */
    static final int MOST_WAITING = 8;

    private static final String RETRY_AFTER_SECONDS = "5";

    /** Those that are changed now, no longer. */
    private final ConcurrentHashMap<String, Turn> changing = new ConcurrentHashMap<>();

    /** A change that has its turn. */
    interface Change<T> {
        T done() throws SQLException, ServletException;
    }

    private static final class Turn {
        final ReentrantLock lock = new ReentrantLock(true);

        /** Who changes, and who waits; changed in the map's turn alone. */
        int changes;
    }

    /**
     * Waits for its turn and makes the change.
     *
     * @throws Refused 503 where as many wait as may
     */
    <T> T take(String aor, Change<T> change) throws SQLException, ServletException {
        Turn turn = enter(aor);
        try {
            turn.lock.lock();
            try {
                return change.done();
            } finally {
                turn.lock.unlock();
            }
        } finally {
            changing.computeIfPresent(aor, (same, one) -> --one.changes == 0 ? null : one);
        }
    }

    private Turn enter(String aor) throws Refused {
        boolean[] entered = {false};
        Turn turn =
                changing.compute(
                        aor,
                        (same, before) -> {
                            Turn one = before == null ? new Turn() : before;
                            if (one.changes <= MOST_WAITING) {
                                one.changes++;
                                entered[0] = true;
                            }
                            return one;
                        });
        if (!entered[0]) {
            throw new Refused(
                    SipServletResponse.SC_SERVICE_UNAVAILABLE, "Retry-After", RETRY_AFTER_SECONDS);
        }
        return turn;
    }

    /** Addresses of record that are changed now. */
    int size() {
        return changing.size();
    }

    /** Changes of an address of record that wait or are made now. */
    int changes(String aor) {
        Turn turn = changing.get(aor);
        return turn == null ? 0 : turn.changes;
    }
}
