package io.carillon.examples.clicktocall;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;

/**
 * One call between two phones. An attribute of its visitor's application session; changed and read
 * in that session's turn.
 */
final class Call implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Where a call stands. */
    enum State {
        CALLING_A,
        A_RINGS,
        A_ANSWERED,
        B_RINGS,
        B_ANSWERED,
        CONNECTED,
        ENDED;

        /** As the page and the API call it. */
        String text() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }

    private final String id;
    private final String source;
    private final String a;
    private final String b;
    private final ArrayList<String> events = new ArrayList<>();
    private final EnumMap<Leg, String> sessions = new EnumMap<>(Leg.class);
    private State state = State.CALLING_A;
    private String why = "";
    private String timer;
    private int versionForA = 1;
    private boolean silence;

    Call(String id, String source, String a, String b) {
        this.id = id;
        this.source = source;
        this.a = a;
        this.b = b;
    }

    String id() {
        return id;
    }

    /** For whom it counts. */
    String source() {
        return source;
    }

    String address(Leg leg) {
        return leg == Leg.A ? a : b;
    }

    State state() {
        return state;
    }

    boolean over() {
        return state == State.ENDED;
    }

    /** Goes on to that state. */
    void enter(State next, String reason) {
        state = next;
        why = reason;
        events.add(json());
    }

    /** What happened so far, each as it was told. */
    List<String> events() {
        return events;
    }

    /** The SIP session that answered for this leg; null before. */
    String answered(Leg leg) {
        return sessions.get(leg);
    }

    void answeredBy(Leg leg, String session) {
        sessions.put(leg, session);
    }

    /** The one timer that the call has, or null. */
    String timer() {
        return timer;
    }

    void timer(String newTimer) {
        timer = newTimer;
    }

    /** Is phone A offered silence, as it has refused an offer without media? */
    boolean silence() {
        return silence;
    }

    void offerSilence() {
        silence = true;
    }

    /** RFC 3264 8: each description for A has a version one above the last. */
    int nextVersionForA() {
        return ++versionForA;
    }

    String json() {
        return Json.object("id", id, "from", a, "to", b, "state", state.text(), "why", why);
    }
}
