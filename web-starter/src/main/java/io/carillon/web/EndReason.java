package io.carillon.web;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Why a call ended, with a sentence for people. */
public enum EndReason {
    HUNG_UP_BY_PAGE("You hung up."),
    HUNG_UP_BY_PHONE("You hung up the phone."),
    HUNG_UP_BY_OTHER("The other side hung up."),
    PHONE_BUSY("Your phone is busy."),
    PHONE_NO_ANSWER("Your phone was not answered."),
    PHONE_UNREACHABLE("Your phone cannot be reached."),
    PHONE_REFUSED("Your phone refused the call."),
    OTHER_BUSY("The other side is busy."),
    OTHER_NO_ANSWER("The other side did not answer."),
    OTHER_UNREACHABLE("The other side cannot be reached just now."),
    OTHER_REFUSED("The other side refused the call."),
    TOO_LONG("The call reached its longest time."),
    FAULT("Something went wrong here; the call is over.");

    private final String sentence;

    EndReason(String sentence) {
        this.sentence = sentence;
    }

    /** For the user. */
    public String sentence() {
        return sentence;
    }

    /** As the API says it: {@code phone-busy}. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Of a final response of the user's phone, or of the other side. */
    static EndReason of(int status, boolean phone) {
        return switch (status) {
            case 486, 600 -> phone ? PHONE_BUSY : OTHER_BUSY;
            case 408, 480, 487 -> phone ? PHONE_NO_ANSWER : OTHER_NO_ANSWER;
            case 403, 433, 603 -> phone ? PHONE_REFUSED : OTHER_REFUSED;
            default -> phone ? PHONE_UNREACHABLE : OTHER_UNREACHABLE;
        };
    }
}
