package io.carillon.sip.hop;

import io.carillon.sip.guard.Sources;

/** Told when a message could not be sent. */
public interface SendFailure {
    /**
     * Called on the shard's executor, later than {@link Wire#send} and at most once for each.
     *
     * @param to where it should have gone
     * @param cause in words, for counters and logs
     */
    void sendFailed(Hop to, String cause);

    /**
     * Where that source is counted which made us send the message, behind a back-to-back user agent
     * too: a place of {@link Sources}, {@link Sources#NOBODY} for what nobody asked for. Asked by
     * {@link Wire#send} where a connection has to be opened, on its thread.
     */
    default int countedAt() {
        return Sources.NOBODY;
    }

    /** The same, for a message of the source of that place. */
    default SendFailure countedAt(int place) {
        SendFailure told = this;
        return new SendFailure() {
            @Override
            public void sendFailed(Hop to, String cause) {
                told.sendFailed(to, cause);
            }

            @Override
            public int countedAt() {
                return place;
            }
        };
    }
}
