package io.carillon.server.doctor;

import java.util.List;

/** The sockets of the server that runs. */
final class ServerChecks {
    private static final int LOCAL = 1;
    private static final int QUEUES = 4;
    private static final int HEX = 16;

    /** Of the soft maximum: ZGC collects before it is reached. */
    private static final double TOUCHED = 0.8;

    private ServerChecks() {}

    static List<Finding> of(SystemFiles files, RunningServer server) {
        return List.of(
                drops(server),
                queue(files, server),
                overload(server),
                heapTouched(server),
                handlers(server));
    }

    private static Finding handlers(RunningServer server) {
        String check = "handlers-on-loops";
        if (server.handlersApart().isEmpty()) {
            return Finding.ok(check, "Handlers run on the event loops.");
        }
        return Finding.note(
                check,
                "Handlers run on threads of their own: " + server.handlersApart() + ".",
                "Each message goes to such a thread and back, which costs most of what a call costs more. Start Java with"
                        + " that option; carillon run does (docs/guides/operating.md#the-jvm).");
    }

    private static Finding heapTouched(RunningServer server) {
        String check = "heap-touched";
        long soft = server.softMaxBytes();
        if (soft == 0) {
            return Finding.ok(check, "The server's heap has no soft maximum that could be taken.");
        }
        String found =
                NumberText.bytes(Math.min(server.touchedBytes(), soft))
                        + " of the heap up to its soft maximum, "
                        + NumberText.bytes(soft)
                        + ", have been in use once.";
        if (server.touchedBytes() >= soft * TOUCHED) {
            return Finding.ok(check, found);
        }
        return Finding.note(
                check,
                found,
                "The system has to find the rest when calls need it: for some minutes after the start a call costs"
                        + " more. A thread takes it in the background (start.touch-heap, docs/guides/operating.md); measure"
                        + " after that.");
    }

    private static Finding overload(RunningServer server) {
        String check = "server-overload";
        if (server.shedding().isEmpty()) {
            return Finding.ok(
                    check,
                    "The server lets all new calls in; its load is " + server.load() + " of 100.");
        }
        return Finding.warning(
                check,
                "The server is " + String.join("; it is ", server.shedding()) + ".",
                "It is above what it can serve: calls that are up go on, new ones are refused. Fewer calls, more"
                        + " processors, or a faster application (docs/guides/overload.md).",
                "./carillon status");
    }

    private static Finding drops(RunningServer server) {
        String check = "server-drops";
        if (server.kernelDrops() == 0) {
            return Finding.ok(check, "The kernel threw no message to the server away.");
        }
        return Finding.warning(
                check,
                "The kernel threw "
                        + NumberText.count(server.kernelDrops())
                        + " messages to the server away since it started, as its receive buffer was full.",
                "Their senders repeated them, or gave their calls up. The server did not read for longer than its"
                        + " buffer holds: look at the longest pause, the slow handlers and the findings about processors.",
                "./carillon status");
    }

    /** The kernel's bytes that wait in the receive queues of the server's datagram sockets. */
    private static Finding queue(SystemFiles files, RunningServer server) {
        String check = "server-receive-queue";
        long waiting = 0;
        long sockets = 0;
        for (String table : List.of("proc/net/udp", "proc/net/udp6")) {
            for (String line : files.lines(table)) {
                String[] words = SystemFiles.words(line);
                if (words.length > QUEUES && server.udpPorts().contains(port(words[LOCAL]))) {
                    sockets++;
                    waiting +=
                            Snapshot.hex(words[QUEUES].substring(words[QUEUES].indexOf(':') + 1));
                }
            }
        }
        if (sockets == 0) {
            return Finding.note(
                    check,
                    "The server's datagram sockets are not to be seen (another network namespace, or TCP alone).",
                    "");
        }
        Long most = files.number("proc/sys/net/core/rmem_max");
        long room = 2 * sockets * Snapshot.orZero(most);
        String found = NumberText.bytes(waiting) + " wait in the server's receive queues.";
        if (room > 0 && waiting > room / 2) {
            return Finding.fault(
                    check,
                    found,
                    "More than half of the buffers is taken: the server does not keep up with what comes, and the"
                            + " next burst is lost. New calls have to go elsewhere, or it needs more processors.",
                    "./carillon status");
        }
        return Finding.ok(check, found);
    }

    private static int port(String address) {
        int colon = address.lastIndexOf(':');
        if (colon < 0) {
            return -1; // the line of names
        }
        try {
            return Integer.parseInt(address.substring(colon + 1), HEX);
        } catch (NumberFormatException e) {
            return -1; // another kernel's form
        }
    }
}
