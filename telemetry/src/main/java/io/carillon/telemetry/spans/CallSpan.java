package io.carillon.telemetry.spans;

import io.carillon.sip.hop.Hop;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a call did, and how long it took. It belongs to its call, whose monitor guards it;
 * of a call that is over nothing changes any more.
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
    private boolean ended;

    /** Of a transaction: its Call-ID, branch and way. */
    private @Nullable String callId;

    private long branch;
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

    // ---- while the call goes on ----

    CallSpan ofTransaction(String itsCallId, long itsBranch, Hop itsHop) {
        callId = itsCallId;
        branch = itsBranch;
        hop = itsHop;
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
        ended = true;
        return this;
    }

    void repeated() {
        repeats++;
    }

    boolean is(Kind wanted, String method, long itsBranch) {
        return is(wanted, itsBranch) && name.equals(method);
    }

    boolean is(Kind wanted, long itsBranch) {
        return kind == wanted && branch == itsBranch;
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

    /** Is it over? */
    public boolean isEnded() {
        return ended;
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
