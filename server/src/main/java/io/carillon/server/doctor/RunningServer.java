package io.carillon.server.doctor;

import java.util.List;

/**
 * The server that runs on this machine.
 *
 * @param pid its process
 * @param listening its SIP addresses, as in {@code udp:127.0.0.1:5060}; what others call one may
 *     follow after " as "
 * @param kernelDrops datagrams that the kernel threw away at its sockets since they were opened
 * @param heapBytes largest heap
 * @param touchedBytes of its heap that were in use at once: the system need not find them any more
 * @param softMaxBytes what its collector tries to stay below; 0 without one below the largest heap
 * @param load 0 to 100
 * @param handlersApart why handlers run on threads of their own; empty where they run on the loops
 * @param shedding what new work it refuses as it is overloaded, a sentence each; empty for none
 */
public record RunningServer(
        long pid,
        List<String> listening,
        long kernelDrops,
        long heapBytes,
        long touchedBytes,
        long softMaxBytes,
        int load,
        String handlersApart,
        List<String> shedding) {

    /** The ports that it listens on. */
    List<Integer> ports() {
        return listening.stream().map(RunningServer::port).distinct().toList();
    }

    /** The ports of its datagram sockets. */
    List<Integer> udpPorts() {
        return listening.stream()
                .filter(address -> address.startsWith("udp:"))
                .map(RunningServer::port)
                .distinct()
                .toList();
    }

    private static int port(String address) {
        int as = address.indexOf(" as ");
        String bound = as < 0 ? address : address.substring(0, as);
        return Integer.parseInt(bound.substring(bound.lastIndexOf(':') + 1));
    }
}
