package io.carillon.cluster.link;

/** What a link counts. The text is a metric's name after {@code carillon_link_}. */
public enum LinkCounter {
    FRAMES_IN("frames_in", "Frames received that were genuine"),
    FRAMES_OUT("frames_out", "Frames sent"),
    DROPPED_MALFORMED("dropped_malformed", "Frames dropped: too short, or of another version"),
    DROPPED_NOT_FOR_US("dropped_not_for_us", "Frames dropped that name another receiver"),
    DROPPED_NO_SESSION("dropped_no_session", "Frames dropped before both sides had said HELLO"),
    DROPPED_FORGED("dropped_forged", "Frames dropped for a wrong MAC"),
    DROPPED_REPLAYED("dropped_replayed", "Frames dropped that had come before, or were too old"),
    DROPPED_STALE("dropped_stale", "HELLOs dropped of a process that has been followed by another"),
    DROPPED_CROWDED(
            "dropped_crowded",
            "Frames dropped: too many waited for the event loop that reads them"),
    DROPPED_UNREADABLE("dropped_unreadable", "Genuine frames dropped whose content made no sense"),
    SESSIONS("sessions", "Sessions opened with routers and nodes"),
    HELLOS_OUT("hellos_out", "HELLOs sent"),
    PARTS_LOST("parts_lost", "Large messages dropped because a part of them was missing"),
    TOO_LARGE("too_large", "Messages dropped that fit no datagram"),
    DELIVERED("delivered", "Messages from routers given to the stack"),
    SENT("sent", "Messages of the stack given to routers"),
    NO_ROUTER("no_router", "Messages of the stack dropped: no router lives"),
    SENT_AGAIN(
            "sent_again",
            "Messages of connections sent again, as the router or the owner was silent about them"),
    TAKEN_BEFORE("taken_before", "Messages of connections dropped that had been taken before"),
    UNTAKEN("untaken", "Messages of connections given up: their receiver is dead, or silent"),
    UNKEPT("unkept", "Messages of connections sent once only, as too many wait to be taken"),
    UNHEARD("unheard", "Times that a router was told of a source that floods"),
    PASSED_ON("passed_on", "Messages passed on to the node that owns their partition"),
    NOT_OURS(
            "not_ours", "Messages dropped: their partition is another's, and nobody to pass it to"),
    LEFT(
            "left",
            "Messages of connections left to their senders while their partition is given away"),
    PARKED("parked", "Messages parked until their partition has an owner"),
    PARKED_REPEATS("parked_repeats", "Messages dropped because the same one was parked already"),
    PARKED_FULL("parked_full", "Messages dropped because too much was parked"),
    PARKED_EXPIRED("parked_expired", "Parked messages dropped: nobody became their owner in time");

    private final String text;
    private final String description;

    LinkCounter(String text, String description) {
        this.text = text;
        this.description = description;
    }

    /** Lower-case name, words joined by underscores. */
    public String text() {
        return text;
    }

    /** One phrase for people. */
    public String description() {
        return description;
    }
}
