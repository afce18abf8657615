package io.carillon.net.udp;

import io.carillon.net.config.NumberChecks;

/**
 * Datagram sockets.
 *
 * @param receiveBufferBytes SO_RCVBUF of each socket; at 26,000 messages/s the usual 208 KiB hold 4
 *     ms
 * @param sendBufferBytes SO_SNDBUF of each socket
 * @param batch most datagrams that one system call receives; 1 to 64
 * @param maxUnsentBytes bytes that may wait in a socket's queue while the kernel takes no more;
 *     what comes then is dropped and counted, as on a lossy network
 * @param socketByCall whether the kernel is asked to put a datagram into the socket of the shard
 *     that its call lives on, where there are several
 */
public record UdpConfig(
        int receiveBufferBytes,
        int sendBufferBytes,
        int batch,
        int maxUnsentBytes,
        boolean socketByCall) {

    public UdpConfig {
        NumberChecks.positive("udp receive buffer", receiveBufferBytes);
        NumberChecks.positive("udp send buffer", sendBufferBytes);
        NumberChecks.positive("udp unsent bytes", maxUnsentBytes);
        if (batch < 1 || batch > 64) {
            throw new IllegalArgumentException("udp batch: 1 to 64, not " + batch);
        }
    }

    public static UdpConfig defaults() {
        return new UdpConfig(4 << 20, 4 << 20, 32, 1 << 20, true);
    }
}
