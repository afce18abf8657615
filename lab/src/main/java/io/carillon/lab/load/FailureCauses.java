package io.carillon.lab.load;

/** The names under which failed calls are counted; a refusal is counted under its status code. */
final class FailureCauses {
    /** No answer at all for 64*T1 (Timers B and F: what RFC 3261 8.1.3.1 calls a 408). */
    static final String TIMEOUT = "timeout";

    /** A provisional answer, but no final one. */
    static final String NO_FINAL_ANSWER = "no final answer";

    /** The connection failed or could not be opened. */
    static final String TRANSPORT = "transport";

    /** A message that the call had no place for ended it. */
    static final String UNEXPECTED = "unexpected message";

    /** Before the causes of what was seen at the callee. */
    static final String CALLEE = "callee: ";

    /** The callee's 200 was repeated for 64*T1 without an ACK. */
    static final String NO_ACK = CALLEE + "no ACK";

    /** The call was up at the callee long after the caller must have ended it. */
    static final String NO_BYE = CALLEE + "no BYE";

    /** Nothing answered the callee's own BYE. */
    static final String NO_BYE_ANSWER = CALLEE + "no answer to BYE";

    /** As many calls were up as {@code --max-held} allows: the call was not made. */
    static final String MAX_HELD = "not made: too many held";

    /** The user ended the load. */
    static final String STOPPED = "stopped";

    private static final String[] STATUS = new String[700];

    private FailureCauses() {}

    /** The name of a refusal. */
    static String status(int status) {
        int slot = Math.clamp(status, 0, STATUS.length - 1);
        String known = STATUS[slot];
        if (known == null) {
            known = Integer.toString(slot);
            STATUS[slot] = known;
        }
        return known;
    }
}
