package io.carillon.bench.attack;

import java.io.IOException;

/** One attack. Runs on a thread of its own. */
interface Attack {
    /** Its line of the checklist, and what tells it from others of that line, as A17-invite. */
    String id();

    /** What it does, in a few words. */
    String what();

    /** Where it attacks. */
    default Door door() {
        return Door.SIP;
    }

    /**
     * Attacks until the time has come.
     *
     * @return messages, or connections where it sends no whole message
     */
    long run(Target target, long untilNanos) throws IOException;
}
