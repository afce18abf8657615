package io.carillon.net.config;

/** What the configuration records of this module ask of their numbers. Stateless. */
public final class NumberChecks {
    private NumberChecks() {}

    /**
     * Asks for a number above 0.
     *
     * @param what its name in the message
     * @throws IllegalArgumentException when it is 0 or less
     */
    public static void positive(String what, int number) {
        if (number < 1) {
            throw new IllegalArgumentException(what + ": a number above 0, not " + number);
        }
    }
}
