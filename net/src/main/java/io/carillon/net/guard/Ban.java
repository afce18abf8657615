package io.carillon.net.guard;

/**
 * A source that is not listened to.
 *
 * @param address in digits; an IPv6 source with its prefix length
 * @param reason of the failure that made it, in words
 * @param failures in the window before it
 * @param dropped datagrams and connections refused since
 * @param secondsLeft until it ends by itself
 * @param datagramsOnly when the failures came in datagrams, whose source may be forged: connections
 *     of that source are still taken
 * @param credentialsOnly when only credentials that come by WebSocket are not looked at
 */
public record Ban(
        String address,
        String reason,
        int failures,
        long dropped,
        long secondsLeft,
        boolean datagramsOnly,
        boolean credentialsOnly) {}
