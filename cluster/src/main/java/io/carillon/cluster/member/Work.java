package io.carillon.cluster.member;

/** Kinds of work of which a node's state decides. */
public enum Work {
    /** An initial request. */
    NEW_CALL("new call"),
    /** A message of a call that exists. */
    IN_DIALOG("message of a call"),
    /** A timer of a call is due. */
    TIMER("timer"),
    /** The state of a call is written to the store. */
    RECORD("record written"),
    /** The calls that are here, and copies of calls. */
    COPIES("calls and copies kept"),
    /** A message leaves for a partition. */
    SEND("message sent");

    private final String words;

    Work(String words) {
        this.words = words;
    }

    /** For people. */
    public String words() {
        return words;
    }
}
