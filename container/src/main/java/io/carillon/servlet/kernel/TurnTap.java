package io.carillon.servlet.kernel;

import org.jspecify.annotations.Nullable;

/**
 * Looks on at the work of applications, for a trace, while one is on. Called with the turn of the
 * application session held, on the thread that works: it must neither wait nor throw.
 */
public interface TurnTap {
    /** The clock of {@link #handled}: that of the shards' messages. */
    long nanoTime();

    /**
     * Application code is about to run on this thread; {@link #handled} follows on the same one.
     *
     * @param parent whose turn it has
     * @param callId of the message that it is given; empty for a listener
     * @return now, by {@link #nanoTime}
     */
    default long begins(ApplicationSession parent, String callId) {
        return nanoTime();
    }

    /**
     * Work is handed over to a turn by this thread, which may be that of a page.
     *
     * @return what is done in the turn in its place
     */
    default Runnable handedOver(Runnable work) {
        return work;
    }

    /**
     * A SIP session began: from here on it is known which calls belong together. Its application
     * session lists it; its parties may still change.
     */
    void opened(ServletSession session);

    /** A call of another node goes on here: what it did before is not known. */
    void takenOver(ApplicationSession parent, TakeOver how);

    /**
     * What the onlooker of another node has to know when that one goes on with the call. Asked
     * whenever the call's record is written; while nothing has changed it says the same, or each
     * record would be another one.
     *
     * @return null for nothing
     */
    default @Nullable String kept(ApplicationSession parent) {
        return null;
    }

    /** A call goes on here, of which the onlooker of another node has {@link #kept} that. */
    default void goesOn(ApplicationSession parent, TakeOver how, String kept) {}

    /** Another node goes on with the call: it is about to be dropped here, with nothing said. */
    default void dropped(ApplicationSession parent) {}

    /** A SIP session ends; it is valid still, and so are its attributes. */
    void ended(ServletSession session);

    /**
     * Application code has returned.
     *
     * @param parent whose turn it had
     * @param callId of the message that it handled; empty for a listener
     * @param servlet name of the servlet, or class of the listener
     * @param method of the message that it handled, also of a response; of a listener the one that
     *     was called
     * @param status of the response that it handled; 0: it was none
     * @param beganNanos when it began, by {@link #nanoTime}; it ended just now
     * @param threw did it end by an exception?
     */
    void handled(
            ApplicationSession parent,
            String callId,
            String servlet,
            String method,
            int status,
            long beganNanos,
            boolean threw);

    /** What {@link #handled} tells, in words: a method, or a status code and its method. */
    static String what(String method, int status) {
        return status == 0 ? method : status + " " + method;
    }
}
