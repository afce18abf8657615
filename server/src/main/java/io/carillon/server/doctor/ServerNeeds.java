package io.carillon.server.doctor;

import java.util.List;

/**
 * What the server wants of the machine.
 *
 * @param receiveBufferBytes of each UDP socket ({@code sip.receive-buffer})
 * @param sendBufferBytes of each UDP socket ({@code sip.send-buffer})
 * @param connections most at once ({@code tcp.max-connections})
 * @param ports that it listens on
 * @param ipv6 whether it listens on an IPv6 address
 * @param heapBytes largest heap
 * @param socketByCall whether it has several event loops and the kernel is to choose among their
 *     sockets ({@code sip.shards}, {@code sip.socket-by-call})
 * @param process whose limits count: the running server's number, or {@code self}
 */
public record ServerNeeds(
        long receiveBufferBytes,
        long sendBufferBytes,
        int connections,
        List<Integer> ports,
        boolean ipv6,
        long heapBytes,
        boolean socketByCall,
        String process) {

    /** This, of a server that runs. */
    ServerNeeds of(RunningServer server) {
        return new ServerNeeds(
                receiveBufferBytes,
                sendBufferBytes,
                connections,
                server.ports(),
                ipv6,
                server.heapBytes(),
                socketByCall,
                Long.toString(server.pid()));
    }
}
