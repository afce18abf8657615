package io.carillon.testkit;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Wire;

/** Takes requests that belong to other nodes of a cluster. */
@FunctionalInterface
public interface HandOn {
    /** As {@link Wire#handOn}. */
    boolean handOn(byte[] request, Hop from, int partition);
}
