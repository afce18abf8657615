package io.carillon.servlet.feature.proxy;

import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What an application chose for a proxy or a branch of it beyond switches and times; made for those
 * few where it did. Owner: the turn.
 */
final class ChosenParameters {
    @Nullable OwnRoute recordRoute;
    @Nullable OwnRoute path;
    @Nullable InetSocketAddress outbound;

    /** With {@link #outbound}, where the application chose the transport too. */
    @Nullable Transport transport;

    void outbound(InetSocketAddress address, @Nullable Transport by) {
        outbound = address;
        transport = by;
    }

    static @Nullable OwnRoute recordRoute(@Nullable ChosenParameters by) {
        return by == null ? null : by.recordRoute;
    }

    static @Nullable OwnRoute path(@Nullable ChosenParameters by) {
        return by == null ? null : by.path;
    }

    static @Nullable InetSocketAddress outbound(@Nullable ChosenParameters by) {
        return by == null ? null : by.outbound;
    }

    static @Nullable Transport transport(@Nullable ChosenParameters by) {
        return by == null ? null : by.transport;
    }
}
