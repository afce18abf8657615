package io.carillon.it.attack;

import java.io.IOException;

/** One attack. Runs on a thread of its own. */
abstract class Attack {
    private final String id;
    private final String what;
    private final Door door;

    /**
     * @param id its line of the checklist, and what tells it from others of that line, as
     *     A17-invite
     * @param what it does, in a few words
     * @param door where it attacks
     */
    Attack(String id, String what, Door door) {
        this.id = id;
        this.what = what;
        this.door = door;
    }

    final String id() {
        return id;
    }

    final String what() {
        return what;
    }

    final Door door() {
        return door;
    }

    /** Seconds for which what it began lives on after it, as it should. */
    int outlivesSeconds() {
        return 0;
    }

    /**
     * What the server sent to anybody for what it got, in messages or in bytes, whichever is more;
     * 0 where nobody counts. After {@link #run}.
     */
    double reflected() {
        return 0;
    }

    /**
     * Attacks until the time has come.
     *
     * @return messages, or connections where it sends no whole message
     */
    abstract long run(Target target, long untilNanos) throws IOException;
}
