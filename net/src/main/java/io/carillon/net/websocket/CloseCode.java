package io.carillon.net.websocket;

/** The status codes of a close frame that we use: RFC 6455 section 7.4.1. */
public final class CloseCode {
    /** The purpose has been fulfilled. */
    public static final int NORMAL = 1000;

    /** The server goes down, or gives up a silent connection. */
    public static final int GOING_AWAY = 1001;

    /** The frames break the protocol. */
    public static final int PROTOCOL_ERROR = 1002;

    /** What a message holds is not what its kind says. */
    public static final int INVALID_DATA = 1007;

    /** A rule of this server was broken: a limit, for instance. */
    public static final int POLICY = 1008;

    /** The message is too big. */
    public static final int TOO_BIG = 1009;

    private CloseCode() {}

    /** Whether a peer may send that code in a frame. */
    public static boolean sendable(int code) {
        return (code >= 1000 && code <= 1003)
                || (code >= 1007 && code <= 1014)
                || (code >= 3000 && code <= 4999);
    }
}
