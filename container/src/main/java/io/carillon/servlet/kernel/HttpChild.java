package io.carillon.servlet.kernel;

import javax.servlet.http.HttpSession;

/** An HTTP session that belongs to an application session. */
public interface HttpChild {
    /** What the application sees. */
    HttpSession session();

    /** Whether a request of it is in progress. Any thread. */
    boolean busy();
}
