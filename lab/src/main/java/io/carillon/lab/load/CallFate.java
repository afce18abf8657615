package io.carillon.lab.load;

/** What has become of a call so far, as it will be counted. Owner: the engine's thread. */
final class CallFate {
    /** Begun after the warm-up. */
    boolean counted;

    /** The caller's second attempt. */
    boolean redialed;

    /** Something other than a refusal came. */
    boolean accepted;

    /** The 200 came in time. */
    boolean prompt;

    /** A refusal came, and nothing before it. */
    boolean refused;

    /** The caller gave up without a final answer: a 2xx that comes yet is ended. */
    boolean abandoned;

    void begin(boolean countedNow, boolean again) {
        counted = countedNow;
        redialed = again;
        accepted = false;
        prompt = false;
        refused = false;
        abandoned = false;
    }
}
