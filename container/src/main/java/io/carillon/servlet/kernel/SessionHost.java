package io.carillon.servlet.kernel;

import io.carillon.servlet.port.Contacts;
import io.carillon.servlet.port.ContainerCounters;
import io.carillon.servlet.port.ContainerShards;
import io.carillon.servlet.port.KeptAddresses;
import io.carillon.servlet.port.OutboundInterfaces;
import io.carillon.servlet.port.Parts;
import io.carillon.servlet.port.SessionTokens;
import io.carillon.servlet.threads.ApplicationThreads;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What all sessions and messages of one container share: its clock, its tables, its counters, and
 * {@link SessionHooks} for what features do. Immutable; any thread.
 *
 * @param clock the wall clock in milliseconds since 1970
 * @param random for numbers that nobody may guess, and for waits
 * @param counters what is counted
 * @param shards the event loops
 * @param threads where handlers that may block run
 * @param outboundInterfaces what applications may leave by
 * @param contacts writes the Contact of what leaves
 * @param tables where sessions are found
 * @param rooms how many there may be
 * @param keptAddresses what they keep of long addresses
 * @param tokens how application sessions are written into URIs and URLs
 * @param objects who makes what applications hold
 * @param store where state is kept beside the heap
 * @param events tells listeners
 * @param hooks what features do
 * @param parts objects of features that are one for a container
 */
public record SessionHost(
        LongSupplier clock,
        RandomGenerator random,
        ContainerCounters counters,
        ContainerShards shards,
        ApplicationThreads threads,
        OutboundInterfaces outboundInterfaces,
        Contacts contacts,
        SessionTables tables,
        SessionRooms rooms,
        KeptAddresses keptAddresses,
        SessionTokens tokens,
        SessionObjects objects,
        SessionStore store,
        SessionEvents events,
        SessionHooks hooks,
        Parts parts) {

    /** The wall clock in milliseconds since 1970. */
    public long millis() {
        return clock.getAsLong();
    }

    /** Is there no room for one more SIP session of it? Never true for the two of a call. */
    public boolean refusesFurther(ApplicationSession parent, int countedAt) {
        return keptAddresses.refusesFurther(parent.sessions().size(), countedAt);
    }
}
