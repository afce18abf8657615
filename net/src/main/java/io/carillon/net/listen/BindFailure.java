package io.carillon.net.listen;

import java.io.IOException;
import java.net.UnknownHostException;
import java.util.Locale;

/** A SIP port could not be bound; the message names transport, host, port and why. */
public final class BindFailure extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient ListeningPoint point;

    public BindFailure(ListeningPoint point, String why, Throwable cause) {
        super("cannot listen on " + point + ": " + why, cause);
        this.point = point;
    }

    /** Says in words for people why the system refused. */
    public static BindFailure of(ListeningPoint point, Throwable cause) {
        String text = String.valueOf(cause.getMessage());
        String lower = text.toLowerCase(Locale.ROOT);
        String why;
        if (lower.contains("in use")) {
            why = "address in use: another process has the port";
        } else if (lower.contains("permission denied")) {
            why = "permission denied: ports below 1024 want a privilege";
        } else if (lower.contains("cannot assign")) {
            why = "no such address on this machine";
        } else if (cause instanceof UnknownHostException) {
            why = "the host name has no address";
        } else {
            why = text;
        }
        return new BindFailure(point, why, cause);
    }

    /** The point that could not be bound. */
    public ListeningPoint point() {
        return point;
    }
}
