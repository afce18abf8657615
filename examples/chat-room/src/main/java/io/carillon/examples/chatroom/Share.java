package io.carillon.examples.chatroom;

import java.util.Collection;
import java.util.Collections;

/**
 * Room for a number of things that sources hold. While more than half of it is taken a source has
 * its share of what others leave, so that a few cannot take the room from all others. Unchanging.
 */
final class Share {
    private final int most;
    private final int percent;

    Share(int most, int percent) {
        this.most = most;
        this.percent = percent;
    }

    /**
     * May that source have one more?
     *
     * @param holders the source of each thing that is held
     */
    boolean admits(Collection<String> holders, String source) {
        int taken = holders.size();
        if (taken >= most || taken < most / 2) {
            return taken < most;
        }
        int own = Collections.frequency(holders, source);
        return own < Math.max(1, (long) (most - (taken - own)) * percent / 100);
    }
}
