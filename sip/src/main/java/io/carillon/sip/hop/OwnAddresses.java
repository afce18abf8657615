package io.carillon.sip.hop;

/** Which addresses are ours: listening points and configured domains. */
public interface OwnAddresses {
    /**
     * Whether this is an address of our own: a listening point or a configured domain. Port -1
     * stands for "none written".
     */
    boolean isLocal(String host, int port);

    /** Whether this host is one of ours, whatever the port. */
    default boolean isOwnHost(String host) {
        return isLocal(host, -1);
    }
}
