package io.carillon.pojo.current;

import java.io.IOException;
import java.lang.ScopedValue.CallableOp;
import javax.servlet.ServletException;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/**
 * What the calling thread handles just now. Any thread; bound for the time of a call into an
 * application, and inherited by the subtasks of a structured task scope, but not by other threads.
 */
public final class Current {
    private static final ScopedValue<Dispatch> CURRENT = ScopedValue.newInstance();

    private Current() {}

    /** Is anything handled on this thread? */
    public static boolean isBound() {
        return CURRENT.isBound();
    }

    /**
     * The message in work.
     *
     * @throws IllegalStateException where none is handled on this thread
     */
    public static SipServletMessage message() {
        SipServletMessage message = dispatch().message();
        if (message == null) {
            throw new IllegalStateException("a timer or an event is handled, not a SIP message");
        }
        return message;
    }

    /**
     * The request in work, or the one that the response in work answers.
     *
     * @throws IllegalStateException where none is handled on this thread
     */
    public static SipServletRequest request() {
        SipServletRequest request = dispatch().request();
        if (request == null) {
            throw new IllegalStateException("a timer or an event is handled, not a SIP request");
        }
        return request;
    }

    /**
     * The response in work.
     *
     * @throws IllegalStateException where none is handled on this thread
     */
    public static SipServletResponse response() {
        SipServletResponse response = dispatch().response();
        if (response == null) {
            throw new IllegalStateException("no SIP response is handled on this thread");
        }
        return response;
    }

    /**
     * The session of the message in work.
     *
     * @throws IllegalStateException where no message is handled on this thread
     */
    public static SipSession sipSession() {
        SipSession session = dispatch().session();
        if (session == null) {
            throw new IllegalStateException(
                    "what is handled on this thread belongs to an application session, and to no"
                            + " SIP session");
        }
        return session;
    }

    /**
     * The application session of what is in work.
     *
     * @throws IllegalStateException where nothing is handled on this thread
     */
    public static SipApplicationSession applicationSession() {
        return dispatch().applicationSession();
    }

    /** Does that work have a SIP session, and so a call? */
    public static boolean hasSipSession() {
        return CURRENT.isBound() && CURRENT.get().session() != null;
    }

    /**
     * What is handled.
     *
     * @throws IllegalStateException where nothing is handled on this thread
     */
    public static Dispatch dispatch() {
        if (!CURRENT.isBound()) {
            throw new IllegalStateException(
                    "no SIP message, timer or session event is handled on this thread: sessions and"
                            + " beans of their scopes can be used in handlers and in"
                            + " SipScopes.within");
        }
        return CURRENT.get();
    }

    /** Handling of a message. */
    @FunctionalInterface
    public interface Work {
        void run() throws ServletException, IOException;
    }

    /** Handles a message: it is the current one meanwhile. */
    public static void handle(Dispatch dispatch, Work work) throws ServletException, IOException {
        try {
            ScopedValue.where(CURRENT, dispatch)
                    .<@Nullable Object, Exception>call(() -> {
                        work.run();
                        return null;
                    });
        } catch (ServletException | IOException | RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new AssertionError("Work throws no other", failure);
        }
    }

    /**
     * Does work within what is handled.
     *
     * @throws X what the work throws
     */
    public static <T, X extends Throwable> T within(Dispatch dispatch, CallableOp<T, X> work)
            throws X {
        return ScopedValue.where(CURRENT, dispatch).call(work);
    }

    /** Does work within what is handled. */
    public static void run(Dispatch dispatch, Runnable work) {
        ScopedValue.where(CURRENT, dispatch).run(work);
    }
}
