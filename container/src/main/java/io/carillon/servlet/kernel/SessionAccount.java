package io.carillon.servlet.kernel;

import io.carillon.servlet.port.KeptAddresses;

/**
 * What a session has in the account of {@link KeptAddresses}, a part of {@link ServletSession}:
 * made for sessions that keep more than is usual. An account of this process, so it is in no bytes.
 * Owner: the turn of the application session.
 */
final class SessionAccount {
    /** Of long addresses. */
    private int kept;

    /** Of the description that its timer offers. */
    private int described;

    /** Is it counted as one beyond the two of a call? */
    private boolean further;

    void further(KeptAddresses all, int countedAt) {
        further = true;
        all.changed(0, KeptAddresses.SESSION_BYTES, countedAt);
    }

    /** The session keeps addresses of so many bytes, unless it keeps more already. */
    void keep(KeptAddresses all, int bytes, int countedAt) {
        if (bytes > kept) {
            all.changed(kept, bytes, countedAt);
            kept = bytes;
        }
    }

    /**
     * The session's timer keeps a description.
     *
     * @param bytes beyond the usual
     * @param open false: nothing more may be kept
     * @return false where there is no room for it: then none is kept
     */
    boolean describe(KeptAddresses all, int bytes, boolean open, int countedAt) {
        if (bytes == described) {
            return true;
        }
        boolean room = bytes < described || (open && !all.full(countedAt));
        int now = room ? bytes : 0;
        all.changed(described, now, countedAt);
        described = now;
        return room;
    }

    /** It counts for somebody else from now on. */
    void move(KeptAddresses all, int from, int to) {
        if (further) {
            all.changed(KeptAddresses.SESSION_BYTES, 0, from);
            all.changed(0, KeptAddresses.SESSION_BYTES, to);
        }
    }

    /** The session has ended; its description went with its timer. */
    void close(KeptAddresses all, int countedAt) {
        if (kept > 0) {
            all.changed(kept, 0, countedAt);
            kept = 0;
        }
        if (further) {
            all.changed(KeptAddresses.SESSION_BYTES, 0, countedAt);
            further = false;
        }
    }
}
