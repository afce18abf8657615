package io.carillon.lab.study;

/** What a user asked for cannot be: one sentence that says what can. */
public final class WrongSetting extends Exception {
    private static final long serialVersionUID = 1L;

    public WrongSetting(String message) {
        super(message);
    }
}
