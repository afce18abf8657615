package io.carillon.it.telemetry;

/** What was asked of a run, said line by line. Owner: one thread. */
final class Verdicts {
    private int failed;

    void check(String what, boolean holds) {
        System.out.println((holds ? "ok      " : "FAILED  ") + what);
        if (!holds) {
            failed++;
        }
    }

    boolean allHold() {
        return failed == 0;
    }
}
