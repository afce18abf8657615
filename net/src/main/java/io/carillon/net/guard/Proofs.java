package io.carillon.net.guard;

import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What sources have shown within the last hour: that they get what is sent to their address, from
 * which port of it by datagrams, and that a user of ours is there. Memory is fixed.
 *
 * <p>Any thread. The questions take no lock.
 */
final class Proofs {
    /** Whoever calls proves it: 65,536 of them, in 1 MiB. */
    private static final int ADDRESS_SETS = 8192;

    /** Ports of them, and addresses of users: 32,768 of each, in 512 KiB. */
    private static final int SETS = 4096;

    private static final long NANOS = TimeUnit.HOURS.toNanos(1);
    private static final int PORT_BITS = 16;

    private final long startNanos;

    // Written with the lock held.
    private final SourceTable addresses;
    private final SourceTable ports;
    private final SourceTable users;

    Proofs(LongSupplier random, long startNanos) {
        this.startNanos = startNanos;
        addresses = new SourceTable(ADDRESS_SETS, random.getAsLong());
        ports = new SourceTable(SETS, random.getAsLong());
        users = new SourceTable(SETS, random.getAsLong());
    }

    /** Somebody is at that address, and by UDP at that port. */
    void answers(Hop from, long nowNanos) {
        put(addresses, source(from), nowNanos);
        if (from.transport() == Transport.UDP) {
            put(ports, port(from), nowNanos);
        }
    }

    /** A user of ours is at that address. */
    void user(Hop from, long nowNanos) {
        put(users, source(from), nowNanos);
    }

    boolean answersAt(long source, long nowNanos) {
        return addresses.deadline(source) > time(nowNanos);
    }

    /** At that very port of the address. */
    boolean answersAt(Hop flow, long nowNanos) {
        return ports.deadline(port(flow)) > time(nowNanos);
    }

    boolean userAt(long source, long nowNanos) {
        return users.deadline(source) > time(nowNanos);
    }

    private void put(SourceTable table, long key, long nowNanos) {
        long now = time(nowNanos);
        // Once in a while is enough, and spares the lock.
        if (table.deadline(key) - now < NANOS / 2) {
            synchronized (this) {
                table.put(key, now + NANOS, now);
            }
        }
    }

    private static long source(Hop hop) {
        return SourceKey.of(hop.remote().getAddress());
    }

    /** Below the address, so that the ports of one address are one network for the table. */
    private static long port(Hop hop) {
        return SourceKey.mix(source(hop)) << PORT_BITS | hop.remote().getPort();
    }

    /** Since the start, and never 0: that is the table's empty slot. */
    private long time(long nowNanos) {
        return nowNanos - startNanos + 1;
    }
}
