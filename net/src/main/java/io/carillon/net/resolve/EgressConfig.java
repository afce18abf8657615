package io.carillon.net.resolve;

import io.carillon.sip.address.AddressRanges;

/**
 * Where messages may go. Immutable.
 *
 * @param allow ranges that are reached although a rule below would refuse them
 * @param deny ranges that are never reached; stronger than {@code allow}
 * @param icmp whether "unreachable" from the network fails the requests that wait for an answer
 */
public record EgressConfig(AddressRanges allow, AddressRanges deny, boolean icmp) {
    /** Only the built-in rules. */
    public static EgressConfig defaults() {
        return new EgressConfig(AddressRanges.NONE, AddressRanges.NONE, true);
    }

    public EgressConfig withAllow(AddressRanges ranges) {
        return new EgressConfig(ranges, deny, icmp);
    }

    public EgressConfig withDeny(AddressRanges ranges) {
        return new EgressConfig(allow, ranges, icmp);
    }

    public EgressConfig withIcmp(boolean on) {
        return new EgressConfig(allow, deny, on);
    }
}
