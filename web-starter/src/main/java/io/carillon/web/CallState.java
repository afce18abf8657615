package io.carillon.web;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How far a call is. */
public enum CallState {
    /** The user's own phone is called. */
    CALLING_PHONE,
    /** The user's phone was answered; the other side is called. */
    CALLING_OTHER,
    CONNECTED,
    ENDED;

    /** As the API says it: {@code calling-phone}. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
