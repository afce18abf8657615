package io.carillon.servlet.feature.http;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.HttpChild;
import io.carillon.servlet.kernel.NewSessions;
import io.carillon.servlet.port.NoRoom;
import io.carillon.servlet.port.PageVisitor;
import java.util.function.BooleanSupplier;
import javax.servlet.http.HttpSession;
import javax.servlet.sip.SipApplicationSession;
import org.jspecify.annotations.Nullable;

/**
 * Which application session an HTTP session belongs to (SIP Servlet 1.1, 6.2: an application
 * session holds sessions of both protocols).
 *
 * <p>Any thread. The monitor guards the choice alone: no code of the application and no waiting for
 * a turn happens within it.
 */
public final class HttpBinding implements HttpChild {
    private final WebSessions sessions;
    private final HttpSession http;
    private final BooleanSupplier busy;
    private final PageVisitor visitor;
    private @Nullable ApplicationSession owner;
    private boolean over;

    /**
     * @param busy whether a request of the HTTP session is in progress
     * @param visitor whose session it is
     */
    public HttpBinding(
            WebSessions sessions, HttpSession http, BooleanSupplier busy, PageVisitor visitor) {
        this.sessions = sessions;
        this.http = http;
        this.busy = busy;
        this.visitor = visitor;
    }

    @Override
    public HttpSession session() {
        return http;
    }

    @Override
    public boolean busy() {
        return busy.getAsBoolean();
    }

    /**
     * The application session; made when there is none.
     *
     * @throws IllegalStateException when the HTTP session is over
     * @throws NoRoom when there is no room for another
     */
    public SipApplicationSession applicationSession() {
        ApplicationSession found;
        synchronized (this) {
            checkValid();
            found = owner;
            if (found != null && found.isValid()) {
                return found;
            }
            found = sessions.create(visitor);
            owner = found;
        }
        join(found);
        return found;
    }

    /**
     * The HTTP session belongs to that application session from now on, and no longer to the one it
     * belonged to.
     *
     * @throws IllegalStateException when the HTTP session is over
     */
    public void bind(ApplicationSession to) {
        ApplicationSession before;
        synchronized (this) {
            checkValid();
            before = owner;
            if (before == to) {
                return;
            }
            owner = to;
        }
        if (before != null) {
            before.inTurn(() -> before.remove(this));
        }
        join(to);
    }

    private void join(ApplicationSession to) {
        to.inTurn(() -> {
            to.announce();
            NewSessions.visited(to, visitor);
            if (to.isValid() && owner() == to) {
                to.add(this);
            }
        });
    }

    /** The application session, or null. */
    public synchronized @Nullable ApplicationSession owner() {
        return owner;
    }

    /** A request came in: it counts as something happening in the application session. */
    public void accessed() {
        ApplicationSession now = owner();
        if (now != null && now.isValid()) {
            now.touch();
        }
    }

    /** The HTTP session is over, for whatever reason. */
    public void ended() {
        ApplicationSession before;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            before = owner;
        }
        if (before != null) {
            before.inTurn(() -> before.remove(this));
        }
    }

    private void checkValid() {
        if (over) {
            throw new IllegalStateException("the HTTP session is invalid");
        }
    }
}
