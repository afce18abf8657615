package io.carillon.lab.process;

import java.io.IOException;

/** What a user asked for cannot be: one sentence that says what can. */
public final class WrongSetting extends IOException {
    private static final long serialVersionUID = 1L;

    public WrongSetting(String message) {
        super(message);
    }
}
