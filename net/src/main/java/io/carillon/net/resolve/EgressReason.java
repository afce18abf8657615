package io.carillon.net.resolve;

import io.carillon.net.count.NetworkCounter;

/** Why a message may not go to an address. */
public enum EgressReason {
    PORT(NetworkCounter.EGRESS_PORT, "port 0"),
    UNSPECIFIED(NetworkCounter.EGRESS_UNSPECIFIED, "an address that is none"),
    BROADCAST(NetworkCounter.EGRESS_BROADCAST, "a broadcast address"),
    MULTICAST(NetworkCounter.EGRESS_MULTICAST, "a multicast address"),
    LOOPBACK(
            NetworkCounter.EGRESS_LOOPBACK,
            "a loopback address, and no listening point is on one (egress.allow)"),
    LINK_LOCAL(
            NetworkCounter.EGRESS_LINK_LOCAL,
            "a link-local address, and no listening point is on one (egress.allow)"),
    LOOPBACK_BY_ORIGIN(
            NetworkCounter.EGRESS_LOOPBACK,
            "a loopback address, for a request that came by another listening point than one on"
                    + " loopback (egress.allow)"),
    LINK_LOCAL_BY_ORIGIN(
            NetworkCounter.EGRESS_LINK_LOCAL,
            "a link-local address, for a request that came by another listening point than one"
                    + " on such an address (egress.allow)"),
    THIS_MACHINE(
            NetworkCounter.EGRESS_LOOPBACK,
            "an address of this machine at a port where no listening point is, for a request that"
                    + " came from elsewhere (egress.allow)"),
    METADATA(NetworkCounter.EGRESS_LINK_LOCAL, "the address of a cloud's metadata"),
    DENIED(NetworkCounter.EGRESS_DENIED, "an address of egress.deny");

    private final NetworkCounter counter;
    private final String text;

    EgressReason(NetworkCounter counter, String text) {
        this.counter = counter;
        this.text = text;
    }

    /** Counts the messages and targets refused for it. */
    public NetworkCounter counter() {
        return counter;
    }

    /** For people. */
    public String text() {
        return text;
    }
}
