package io.carillon.cluster.member;

/** What a node is at a time, as it sees itself. */
public enum MemberState {
    /** It has not joined, or has joined and no majority has answered it yet. */
    STARTING("starting"),
    /** It has joined, and is not there for long enough to own something. */
    JOINING("joining"),
    /** It may own partitions, and has none. */
    STABLE("stable"),
    /** It owns partitions, or still has calls of some. */
    OWNER("owner"),
    /** It has lost the majority: its lease has run out. What it owned may have gone to others. */
    ISOLATED("isolated"),
    /** It gives away what it has. */
    LEAVING("leaving"),
    /** Its life is over: it has left, or knows that it was declared dead. */
    GONE("gone"),
    /** It votes, and owns nothing. */
    WITNESS("witness");

    private final String word;

    MemberState(String word) {
        this.word = word;
    }

    /** For people. */
    public String word() {
        return word;
    }
}
