package io.carillon.telemetry.spans;

import io.carillon.servlet.kernel.TurnTap;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.Methods;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one call did, in rows of numbers and of references. Thousands of calls go on at the same
 * time, most of them go well, and nobody asks what they did: so a thing that a call does costs no
 * object. {@link #spans} makes them of the rows of a call that is kept.
 *
 * <p>Owner: its call, whose monitor guards it, and with which it dies. Who adds a row has seen that
 * there is room.
 */
final class CallTape {
    /** No such row; of an event: the call itself. */
    static final int NONE = -1;

    /** More rows than one. */
    static final int SEVERAL = -2;

    /** Rows of an answered call through a B2BUA. */
    private static final int ROWS_AT_FIRST = 12;

    // ---- numbers of a row ----

    private static final int NUMBERS = 4;
    private static final int HEAD = 0;
    private static final int BEGAN = 1;
    private static final int ENDED_AT = 2;

    /** The branch of a transaction, the id of a handler's span, the row of an event. */
    private static final int KEY = 3;

    // ---- the head ----

    /** One of the five below. */
    private static final long KIND = 0xF;

    private static final int SERVER = 1;
    private static final int CLIENT = 2;
    private static final int HANDLER = 3;
    private static final int EVENT = 4;

    /** A span that was made at once, of a kind that is rare. */
    private static final int MADE = 5;

    private static final long ENDED = 1 << 4;
    private static final long THREW = 1 << 5;
    private static final int LEG_SHIFT = 8;
    private static final long LEG_MASK = 0xFF;
    private static final int STATUS_SHIFT = 16;
    private static final long STATUS_MASK = 0xFFFF;
    private static final int REPEATS_SHIFT = 32;
    private static final long ONE_REPEAT = 1L << REPEATS_SHIFT;

    // ---- references of a row ----

    private static final int REFERENCES = 3;

    /** Method, words of an event, or the span that was made. */
    private static final int NAME = 0;

    /** The hop of a transaction, the application of a handler. */
    private static final int WHERE = 1;

    /** What went wrong with a transaction, the servlet of a handler. */
    private static final int MORE = 2;

    private long[] numbers = new long[ROWS_AT_FIRST * NUMBERS];
    private Object[] references = new Object[ROWS_AT_FIRST * REFERENCES];
    private int rows;
    private int events;

    /**
     * What code of an application did.
     *
     * @param servlet its name, or the class of a listener
     * @param method of the message, or of the listener
     * @param status of the response that it handled; 0: it was none
     * @param threw did it end by an exception?
     */
    record Work(String application, String servlet, String method, int status, boolean threw) {
        String failure() {
            return "exception of " + servlet + " in " + application;
        }
    }

    /** What the spans of a tape are parts of. */
    interface Whole {
        /** Id of the call's span. */
        long id();

        /** Id of a transaction's span. */
        long id(CallSpan.Kind kind, String method, long branch);

        /** Call-ID of that leg; null for none. */
        @Nullable String callId(int leg);
    }

    /** Rows that are spans. */
    int size() {
        return rows - events;
    }

    int events() {
        return events;
    }

    // ---- adding ----

    private int add(int kind, long rest, long began, long ended, long key) {
        int row = rows++;
        if (row * NUMBERS == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * numbers.length);
            references = Arrays.copyOf(references, 2 * references.length);
        }
        int at = row * NUMBERS;
        numbers[at + HEAD] = kind | rest;
        numbers[at + BEGAN] = began;
        numbers[at + ENDED_AT] = ended;
        numbers[at + KEY] = key;
        return row * REFERENCES;
    }

    private static long leg(int leg) {
        return (leg & LEG_MASK) << LEG_SHIFT;
    }

    /** A transaction begins. */
    void transaction(CallSpan.Kind kind, String method, long branch, int leg, Hop hop, long nanos) {
        Hop same = same(hop);
        int at = add(code(kind), leg(leg), nanos, 0, branch);
        references[at + NAME] = method;
        references[at + WHERE] = same;
    }

    /** An equal one that it has already: each message has one of its own, which need not stay. */
    private Hop same(Hop hop) {
        for (int row = rows - 1; row >= 0; row--) {
            if (references[row * REFERENCES + WHERE] instanceof Hop known && known.equals(hop)) {
                return known;
            }
        }
        return hop;
    }

    /**
     * Code of an application was at work.
     *
     * @param leg of the message that it handled; {@link #NONE} for a listener
     */
    void handler(long id, Work work, int leg, long beganNanos, long endedNanos) {
        long rest = leg(leg) | ENDED | (work.threw() ? THREW : 0);
        rest |= (long) work.status() << STATUS_SHIFT;
        int at = add(HANDLER, rest, beganNanos, endedNanos, id);
        references[at + NAME] = work.method();
        references[at + WHERE] = work.application();
        references[at + MORE] = work.servlet();
    }

    /** A span that is over. */
    void made(CallSpan span) {
        references[add(MADE, ENDED, span.beganNanos(), span.endedNanos(), 0) + NAME] = span;
    }

    /**
     * A moment of the transaction in that row.
     *
     * @param row {@link #NONE}: of the call
     * @param status of a provisional response; 0: the words say what it was
     */
    void event(int row, long nanos, int status, @Nullable String words) {
        events++;
        int at = add(EVENT, ENDED | ((long) status << STATUS_SHIFT), nanos, nanos, row);
        references[at + NAME] = words;
    }

    // ---- transactions that go on ----

    private long head(int row) {
        return numbers[row * NUMBERS + HEAD];
    }

    private boolean is(int row, CallSpan.Kind kind, long branch) {
        return (head(row) & KIND) == code(kind) && numbers[row * NUMBERS + KEY] == branch;
    }

    String method(int row) {
        return (String) references[row * REFERENCES + NAME];
    }

    /** The row of that transaction, or {@link #NONE}. */
    int find(CallSpan.Kind kind, String method, long branch) {
        for (int row = rows - 1; row >= 0; row--) {
            if (is(row, kind, branch) && method(row).equals(method)) {
                return row;
            }
        }
        return NONE;
    }

    /** The row of the transaction of that branch; {@link #NONE} or {@link #SEVERAL} otherwise. */
    int only(CallSpan.Kind kind, long branch) {
        int found = NONE;
        for (int row = rows - 1; row >= 0; row--) {
            if (is(row, kind, branch)) {
                if (found != NONE) {
                    return SEVERAL;
                }
                found = row;
            }
        }
        return found;
    }

    boolean isEnded(int row) {
        return (head(row) & ENDED) != 0;
    }

    void repeated(int row) {
        numbers[row * NUMBERS + HEAD] += ONE_REPEAT;
    }

    /**
     * A transaction is over.
     *
     * @param status of its final response; 0: there was none
     * @param failure what went wrong; null: nothing
     */
    void ended(int row, long nanos, int status, @Nullable String failure) {
        numbers[row * NUMBERS + HEAD] |= ENDED | ((long) status << STATUS_SHIFT);
        numbers[row * NUMBERS + ENDED_AT] = nanos;
        references[row * REFERENCES + MORE] = failure;
    }

    // ---- giving way ----

    /** Lets all spans go that are over. So many they were. */
    int strip() {
        int[] moved = new int[rows];
        int kept = 0;
        for (int row = 0; row < rows; row++) {
            boolean event = (head(row) & KIND) == EVENT;
            if (isEnded(row) && !event) {
                moved[row] = NONE;
                continue;
            }
            moved[row] = kept;
            System.arraycopy(numbers, row * NUMBERS, numbers, kept * NUMBERS, NUMBERS);
            System.arraycopy(
                    references, row * REFERENCES, references, kept * REFERENCES, REFERENCES);
            int about = event ? (int) numbers[kept * NUMBERS + KEY] : NONE;
            if (about != NONE) {
                numbers[kept * NUMBERS + KEY] = moved[about];
            }
            kept++;
        }
        int gone = rows - kept;
        Arrays.fill(references, kept * REFERENCES, rows * REFERENCES, null);
        rows = kept;
        return gone;
    }

    // ---- what it was ----

    /** Its spans, in the order of the rows; what goes on ends at that time. */
    List<CallSpan> spans(Whole whole, long endNanos) {
        List<CallSpan> all = new ArrayList<>(size());
        for (int row = 0; row < rows; row++) {
            if ((head(row) & KIND) != EVENT) {
                all.add(span(whole, row, endNanos));
            }
        }
        return all;
    }

    private CallSpan span(Whole whole, int row, long endNanos) {
        long head = head(row);
        int kind = (int) (head & KIND);
        int texts = row * REFERENCES;
        if (kind == MADE) {
            return (CallSpan) references[texts + NAME];
        }
        long began = numbers[row * NUMBERS + BEGAN];
        long ended = numbers[row * NUMBERS + ENDED_AT];
        String more = (String) references[texts + MORE];
        if (kind == HANDLER) {
            return new CallSpan(
                            CallSpan.Kind.HANDLER,
                            TurnTap.what(method(row), status(head)),
                            numbers[row * NUMBERS + KEY],
                            parent(whole, row),
                            began)
                    .about((String) references[texts + WHERE], more)
                    .failed((head & THREW) == 0 ? null : "an exception")
                    .ended(ended, 0);
        }
        CallSpan span =
                new CallSpan(side(head), method(row), id(whole, row), whole.id(), began)
                        .ofTransaction(
                                whole.callId(leg(head)),
                                (Hop) references[texts + WHERE],
                                (int) (head >>> REPEATS_SHIFT));
        return isEnded(row)
                ? span.ended(ended, status(head)).failed(more)
                : span.ended(endNanos, 0).failed("no final response");
    }

    /** Of a transaction. */
    private static int code(CallSpan.Kind kind) {
        return kind == CallSpan.Kind.SERVER ? SERVER : CLIENT;
    }

    /** Of a transaction's head. */
    private static CallSpan.Kind side(long head) {
        return (head & KIND) == SERVER ? CallSpan.Kind.SERVER : CallSpan.Kind.CLIENT;
    }

    private static int status(long head) {
        return (int) (head >>> STATUS_SHIFT & STATUS_MASK);
    }

    /** Of a head; {@link #LEG_MASK} for none. */
    private static int leg(long head) {
        return (int) (head >>> LEG_SHIFT & LEG_MASK);
    }

    /** The transaction whose message a handler was given; the call where there is none. */
    private long parent(Whole whole, int row) {
        long head = head(row);
        if (leg(head) == LEG_MASK) {
            return whole.id();
        }
        CallSpan.Kind kind = status(head) == 0 ? CallSpan.Kind.SERVER : CallSpan.Kind.CLIENT;
        String method = method(row).equals(Methods.ACK) ? Methods.INVITE : method(row);
        for (int before = row - 1; before >= 0; before--) {
            if ((head(before) & KIND) == code(kind)
                    && leg(head(before)) == leg(head)
                    && method(before).equals(method)) {
                return id(whole, before);
            }
        }
        return whole.id();
    }

    /** Its moments, in the order of the rows. */
    List<CallEvent> events(Whole whole) {
        List<CallEvent> all = new ArrayList<>(events);
        for (int row = 0; row < rows; row++) {
            long head = head(row);
            if ((head & KIND) == EVENT) {
                int about = (int) numbers[row * NUMBERS + KEY];
                String words = (String) references[row * REFERENCES + NAME];
                all.add(
                        new CallEvent(
                                numbers[row * NUMBERS + BEGAN],
                                words == null ? Integer.toString(status(head)) : words,
                                about == NONE ? whole.id() : id(whole, about)));
            }
        }
        return all;
    }

    private long id(Whole whole, int row) {
        return whole.id(side(head(row)), method(row), numbers[row * NUMBERS + KEY]);
    }
}
