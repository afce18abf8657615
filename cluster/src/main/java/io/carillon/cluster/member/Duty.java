package io.carillon.cluster.member;

/** What a node does with a kind of work. */
public enum Duty {
    /** Does it, for what it owns; passes on, by bytes, what another owns. */
    DO("yes"),
    /** Passes it on to the owner, by bytes; parks it while there is none. */
    PASS_ON("passed on to the owner"),
    /** Keeps it for at most 4 s: until it may act, or knows who does. */
    PARK("parked, 4 or 27 s at most"),
    /** Keeps it until it may act; forgets it when another has the partition. */
    HOLD("held back until the lease is back"),
    /** Answers 503 without a transaction. */
    REFUSE("503"),
    /** Does nothing about it. */
    DROP("dropped"),
    /** Does not do it. */
    NO("no"),
    /** Keeps all. */
    KEEP("yes"),
    /** Drops what a higher term has, keeps the rest. */
    KEEP_YOUNGER("only what no higher term has");

    private final String words;

    Duty(String words) {
        this.words = words;
    }

    /** For people. */
    public String words() {
        return words;
    }
}
