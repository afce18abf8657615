package io.carillon.lab.compare;

/**
 * A window as it is stored, the moment it was measured.
 *
 * @param first the server that the others are compared with
 * @param against the other server of the duel; the same where there is only one
 * @param pair number of its pair, from 0
 * @param attempt from 1: how often this window had been tried
 * @param counted false where the machine was too busy, or the window too late
 * @param begunAfterReady seconds from the server's READY to the window's begin
 * @param endedAfterReady the same to its end
 */
record StoredWindow(
        String first,
        String against,
        int pair,
        int attempt,
        boolean counted,
        long begunAfterReady,
        long endedAfterReady,
        MeasuredWindow window) {
    boolean usable() {
        return counted && window.clean();
    }

    boolean of(String firstName, String otherName, int rate) {
        return first.equals(firstName) && against.equals(otherName) && window.rate() == rate;
    }
}
