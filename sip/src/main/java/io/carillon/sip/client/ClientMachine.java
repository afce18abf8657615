package io.carillon.sip.client;

import io.carillon.sip.hop.SendFailure;

/**
 * What the two client machines of a shard have in common for the attempt above them.
 *
 * <p>Owner: the shard's thread.
 */
public interface ClientMachine extends SendFailure, StreamClients.Waiting {
    /** Tells somebody else from now on. */
    void follow(HopUser user);

    /** Repeats its request no more, but takes answers until Timer B or F. */
    void fallSilent();

    /** Repeats it again. */
    void speakAgain();

    boolean terminated();
}
