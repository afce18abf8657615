package io.carillon.web;

import java.io.Serializable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A call of a user: what pages are shown and what handlers go by. An attribute of its application
 * session. Safe for threads; every change goes through {@link #to} or {@link #end}.
 */
public final class WebCall implements Serializable {
    /** The attribute's name. */
    public static final String ATTRIBUTE = "io.carillon.web.call";

    private static final long serialVersionUID = 1L;

    private final String id;
    private final String user;
    private final String destination;
    private final @Nullable String wish;
    private final Instant began;
    private CallState state = CallState.CALLING_PHONE;
    private @Nullable EndReason reason;

    WebCall(String id, String user, String destination, @Nullable String wish, Instant began) {
        this.id = id;
        this.user = user;
        this.destination = destination;
        this.wish = wish;
        this.began = began;
    }

    /** That of its application session. */
    public String id() {
        return id;
    }

    /** Whose call it is. */
    public String user() {
        return user;
    }

    /** SIP URI of the other side. */
    public String destination() {
        return destination;
    }

    /** An id that the page gave to its wish, so that a double click makes one call; or null. */
    @Nullable String wish() {
        return wish;
    }

    /** When it began. */
    public Instant began() {
        return began;
    }

    /** How far it is. */
    public synchronized CallState state() {
        return state;
    }

    /** Why it ended; null before. */
    public synchronized @Nullable EndReason reason() {
        return reason;
    }

    /** Takes the next state; false when it has ended or is not in {@code from}. */
    synchronized boolean to(CallState from, CallState next) {
        if (state != from) {
            return false;
        }
        state = next;
        return true;
    }

    /** Ends it; gives the state before, or null when it has ended already. */
    synchronized @Nullable CallState end(EndReason why) {
        CallState before = state;
        if (before == CallState.ENDED) {
            return null;
        }
        state = CallState.ENDED;
        reason = why;
        return before;
    }
}
