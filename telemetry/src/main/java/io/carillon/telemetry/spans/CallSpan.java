package io.carillon.telemetry.spans;

import io.carillon.sip.hop.Hop;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a call did, and how long it took. It is made when the thing is over, and filled by
 * who makes it; nothing changes any more then.
 */
public final class CallSpan {
    /** What it is. */
    public enum Kind {
        /** The call, from its first message to the end of its last session. */
        CALL,
        /** A request of a page that began the call. */
        PAGE,
        /** A request that came, until its final response. */
        SERVER,
        /** A request that left, until its final response. */
        CLIENT,
        /** Code of an application. */
        HANDLER,
        /** A name that was looked up. */
        DNS,
        /** A statement of the database. */
        DATABASE
    }

    private final Kind kind;
    private final String name;
    private final long id;
    private final long parent;
    private final long beganNanos;
    private long endedNanos;

    /** Of a transaction: its Call-ID and way. */
    private @Nullable String callId;

    private @Nullable Hop hop;
    private int repeats;

    /** Of the final response, also of a page. */
    private int status;

    /** What went wrong; null: nothing. */
    private @Nullable String error;

    /** The application whose code it is, or what else there is to say. */
    private @Nullable String about;

    /** The servlet of a handler. */
    private @Nullable String detail;

    CallSpan(Kind kind, String name, long id, long parent, long beganNanos) {
        this.kind = kind;
        this.name = name;
        this.id = id;
        this.parent = parent;
        this.beganNanos = beganNanos;
    }

    // ---- as it is made ----

    CallSpan ofTransaction(@Nullable String itsCallId, Hop itsHop, int itsRepeats) {
        callId = itsCallId;
        hop = itsHop;
        repeats = itsRepeats;
        return this;
    }

    CallSpan about(@Nullable String text, @Nullable String more) {
        about = text;
        detail = more;
        return this;
    }

    CallSpan failed(@Nullable String why) {
        error = why;
        return this;
    }

    CallSpan ended(long nanos, int finalStatus) {
        endedNanos = nanos;
        status = finalStatus;
        return this;
    }

    // ---- what it is ----

    /** What it is. */
    public Kind kind() {
        return kind;
    }

    /** Method, servlet, name or statement. */
    public String name() {
        return name;
    }

    /** Unique in its trace. */
    public long id() {
        return id;
    }

    /** Id of the span that it belongs to; 0: of none. */
    public long parent() {
        return parent;
    }

    /** When it began, by the clock of the shards. */
    public long beganNanos() {
        return beganNanos;
    }

    /** When it ended, by the same clock. */
    public long endedNanos() {
        return endedNanos;
    }

    /** Of a transaction; null of others. */
    public @Nullable String callId() {
        return callId;
    }

    /** The way of a transaction; null of others. */
    public @Nullable Hop hop() {
        return hop;
    }

    /** Messages of it that came or went again. */
    public int repeats() {
        return repeats;
    }

    /** Status of the final response; 0: there was none. */
    public int status() {
        return status;
    }

    /** What went wrong; null: nothing. */
    public @Nullable String error() {
        return error;
    }

    /** The application of a handler, the path of a page; null where there is nothing to say. */
    public @Nullable String about() {
        return about;
    }

    /** The servlet of a handler; null of others. */
    public @Nullable String detail() {
        return detail;
    }
}
