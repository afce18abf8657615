package io.carillon.it.failover;

import java.io.IOException;

/** Cuts of the wire of nodes. None is told to anybody: what is sent is lost. */
interface WireFaults {
    /** Nothing reaches the node, and nothing of it reaches anybody. */
    void cut(int node) throws IOException;

    void mend(int node) throws IOException;

    /** Nothing reaches the node; what it sends arrives. */
    void deafen(int node) throws IOException;

    /** All reaches the node; what it sends is lost. */
    void mute(int node) throws IOException;

    /** Two nodes do not hear each other; both hear all others. */
    void part(int one, int other) throws IOException;

    /** All that was done to any is over. */
    void mendAll() throws IOException;
}
