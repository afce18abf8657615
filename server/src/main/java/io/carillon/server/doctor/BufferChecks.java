package io.carillon.server.doctor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Room for datagrams between the network card and the server, and what was lost for want of it. */
final class BufferChecks {
    private static final String RECEIVE_BUFFER = "socket-receive-buffer";

    /** The rate of the busiest of the published systems that Carillon succeeds. */
    private static final int MESSAGES_PER_MILLI = 26;

    /** What the kernel books for a datagram of 300 to 1,500 bytes. */
    private static final int BOOKED_BYTES = 2048;

    /** The default from Linux 6.8 on; before it was 20,480. */
    private static final int WANTED_PROGRAM_BYTES = 131_072;

    private static final long WANTED_BACKLOG = 1000;
    private static final long MORE_BACKLOG = 10_000;

    private BufferChecks() {}

    static List<Finding> of(SystemFiles files, ServerNeeds needs, Snapshot before, Snapshot after) {
        return List.of(
                receiveBuffer(files, needs),
                sendBuffer(files, needs),
                socketByCall(files, needs),
                udpErrors(before, after),
                backlog(files, before, after));
    }

    private static Finding receiveBuffer(SystemFiles files, ServerNeeds needs) {
        Long most = files.number("proc/sys/net/core/rmem_max");
        if (most == null) {
            return Finding.note(
                    RECEIVE_BUFFER,
                    "This system does not tell how large a receive buffer may be (net.core.rmem_max).",
                    "The server says at its start when it got less than it asked for.");
        }
        String allowed = "The kernel allows receive buffers of " + NumberText.bytes(most);
        if (most >= needs.receiveBufferBytes()) {
            return Finding.ok(
                    RECEIVE_BUFFER,
                    allowed + "; that holds " + holds(most) + " at 26,000 messages/s.");
        }
        return Finding.warning(
                RECEIVE_BUFFER,
                allowed
                        + "; the server asks for "
                        + NumberText.bytes(needs.receiveBufferBytes())
                        + " (sip.receive-buffer).",
                "At 26,000 messages/s such a buffer holds "
                        + holds(most)
                        + ". Whatever keeps the server from reading for longer, a pause of the collector or a"
                        + " neighbour on the processor, throws messages away, and each of them comes again"
                        + " 500 ms later or costs its call.",
                Finding.sysctl("net.core.rmem_max", needs.receiveBufferBytes()));
    }

    /** The kernel doubles what is asked for, as its own bookkeeping goes off it. */
    private static String holds(long bytes) {
        return Math.max(1, 2 * bytes / BOOKED_BYTES / MESSAGES_PER_MILLI) + " ms";
    }

    private static Finding sendBuffer(SystemFiles files, ServerNeeds needs) {
        String check = "socket-send-buffer";
        Long most = files.number("proc/sys/net/core/wmem_max");
        if (most == null) {
            return Finding.note(
                    check, "This system does not tell how large a send buffer may be.", "");
        }
        String allowed = "The kernel allows send buffers of " + NumberText.bytes(most);
        if (most >= needs.sendBufferBytes()) {
            return Finding.ok(check, allowed + ".");
        }
        return Finding.warning(
                check,
                allowed
                        + "; the server asks for "
                        + NumberText.bytes(needs.sendBufferBytes())
                        + " (sip.send-buffer).",
                "A burst of answers that does not fit waits in the server, and late answers are repeated requests.",
                Finding.sysctl("net.core.wmem_max", needs.sendBufferBytes()));
    }

    private static Finding socketByCall(SystemFiles files, ServerNeeds needs) {
        String check = "socket-by-call";
        if (!needs.socketByCall()) {
            return Finding.ok(check, "No socket has to be chosen by the call.");
        }
        Long most = files.number("proc/sys/net/core/optmem_max");
        if (most == null) {
            return Finding.note(
                    check,
                    "This system does not tell how long a program of a socket may be (net.core.optmem_max).",
                    "");
        }
        String allowed = "The kernel allows programs of " + NumberText.bytes(most) + " on sockets";
        if (most >= WANTED_PROGRAM_BYTES) {
            return Finding.ok(
                    check,
                    allowed + "; the one that puts a datagram into its event loop's socket fits.");
        }
        return Finding.note(
                check,
                allowed
                        + "; the one that puts a datagram into its event loop's socket"
                        + " (sip.socket-by-call) needs up to "
                        + NumberText.bytes(WANTED_PROGRAM_BYTES)
                        + ".",
                "With several event loops (sip.shards) one passes on what belongs to another: more CPU per call"
                        + " and a tenth of a millisecond.",
                Finding.sysctl("net.core.optmem_max", WANTED_PROGRAM_BYTES));
    }

    private static Finding udpErrors(Snapshot before, Snapshot after) {
        String check = "receive-buffer-errors";
        Long errors = after.udpErrors();
        if (errors == null) {
            return Finding.note(
                    check, "This system does not count what its receive buffers lost.", "");
        }
        long lost = errors - Snapshot.orZero(before.udpErrors());
        if (lost > 0) {
            return Finding.fault(
                    check,
                    NumberText.count(lost)
                            + " datagrams were thrown away during the watch because a receive buffer was full ("
                            + NumberText.count(errors)
                            + " since the system started).",
                    "Each one is a message that is repeated 500 ms later, and the repetitions add to the load that"
                            + " filled the buffer. It need not be the server's: ./carillon status shows its own drops.",
                    "cat /proc/net/udp /proc/net/udp6   # the last column of each socket: its drops");
        }
        if (errors > 0) {
            return Finding.note(
                    check,
                    NumberText.count(errors)
                            + " datagrams were thrown away since the system started because a receive buffer was"
                            + " full; none during the watch.",
                    "It happened at some time, at this or another program's sockets.");
        }
        return Finding.ok(check, "No datagram was lost for want of a receive buffer.");
    }

    static Finding backlog(SystemFiles files, Snapshot before, Snapshot after) {
        String check = "network-backlog";
        Long limit = files.number("proc/sys/net/core/netdev_max_backlog");
        @Nullable Long drops = after.softnetDrops();
        if (limit == null || drops == null) {
            return Finding.note(
                    check, "This system does not tell of its backlog of received packets.", "");
        }
        long lost = drops - Snapshot.orZero(before.softnetDrops());
        String[] more =
                Finding.sysctl("net.core.netdev_max_backlog", Math.max(2 * limit, MORE_BACKLOG));
        String cost =
                "The packets never reached a socket: no counter of a program shows them, only repeated messages do.";
        if (lost > 0) {
            return Finding.fault(
                    check,
                    NumberText.count(lost)
                            + " packets were thrown away during the watch, as a processor's backlog of "
                            + NumberText.count(limit)
                            + " was full.",
                    cost,
                    more);
        }
        if (limit < WANTED_BACKLOG) {
            return Finding.warning(
                    check,
                    "The backlog of each processor holds " + NumberText.count(limit) + " packets.",
                    "A burst beyond it is lost before any socket. " + cost,
                    more);
        }
        if (drops > 0) {
            return Finding.note(
                    check,
                    NumberText.count(drops)
                            + " packets were thrown away since the system started, as a processor's backlog of "
                            + NumberText.count(limit)
                            + " was full; none during the watch.",
                    cost,
                    more);
        }
        return Finding.ok(
                check,
                "The backlog of each processor holds "
                        + NumberText.count(limit)
                        + " packets, and lost none.");
    }
}
