package io.carillon.net.resolve;

import java.util.List;

/**
 * Where messages may go. Immutable.
 *
 * @param allow ranges that are reached although a rule below would refuse them
 * @param deny ranges that are never reached; stronger than {@code allow}
 * @param icmp whether "unreachable" from the network fails the requests that wait for an answer
 */
public record EgressConfig(List<Cidr> allow, List<Cidr> deny, boolean icmp) {
    public EgressConfig {
        allow = List.copyOf(allow);
        deny = List.copyOf(deny);
    }

    /** Only the built-in rules. */
    public static EgressConfig defaults() {
        return new EgressConfig(List.of(), List.of(), true);
    }

    public EgressConfig withAllow(List<Cidr> ranges) {
        return new EgressConfig(ranges, deny, icmp);
    }

    public EgressConfig withDeny(List<Cidr> ranges) {
        return new EgressConfig(allow, ranges, icmp);
    }

    public EgressConfig withIcmp(boolean on) {
        return new EgressConfig(allow, deny, on);
    }
}
