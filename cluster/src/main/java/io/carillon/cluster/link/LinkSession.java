package io.carillon.cluster.link;

/**
 * What two processes have agreed on: a key for each direction, good as long as both live.
 * Immutable; any thread, each with copies of the keys.
 */
final class LinkSession {
    private final LinkMac send;
    private final LinkMac receive;

    LinkSession(LinkMac send, LinkMac receive) {
        this.send = send;
        this.receive = receive;
    }

    LinkMac send() {
        return send;
    }

    LinkMac receive() {
        return receive;
    }
}
