package io.carillon.examples.presence;

import java.util.Collection;
import java.util.Collections;

/**
 * Room for a number of things that sources hold. While more than half of it is taken a source has
 * its share, so that one cannot take the room from all others. Unchanging.
 */
final class Share {
    private final int most;
    private final int share;

    Share(int most, int percent) {
        this.most = most;
        this.share = Math.max(1, (int) (most * (long) percent / 100));
    }

    /**
     * May that source have one more?
     *
     * @param holders the source of each thing that is held
     */
    boolean admits(Collection<String> holders, String source) {
        int taken = holders.size();
        return taken < most && (taken < most / 2 || Collections.frequency(holders, source) < share);
    }
}
