package io.carillon.web;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * Somebody calls the user.
 *
 * @param id of the notification
 * @param from who calls, as From says
 * @param state how far it is
 */
record CallNotification(String id, String from, State state) {
    /** How far an incoming call is. */
    enum State {
        RINGING,
        ANSWERED,
        ENDED;

        @JsonValue
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
