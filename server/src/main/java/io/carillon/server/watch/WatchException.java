package io.carillon.server.watch;

import java.io.IOException;

/** What keeps a folder from being watched or deployed: one sentence for its owner. */
public final class WatchException extends IOException {
    private static final long serialVersionUID = 1L;

    WatchException(String message) {
        super(message);
    }

    WatchException(String message, Throwable cause) {
        super(message, cause);
    }
}
