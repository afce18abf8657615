package io.carillon.web;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A call as the API shows it.
 *
 * @param id of the call
 * @param to SIP URI of the other side
 * @param state how far it is
 * @param reason why it ended; null before
 * @param text a sentence for the user, empty while nothing has to be said
 * @param began when it began
 */
record ShownCall(
        String id,
        String to,
        CallState state,
        @Nullable EndReason reason,
        String text,
        Instant began) {

    static ShownCall of(WebCall call) {
        EndReason reason = call.reason();
        CallState state = reason == null ? call.state() : CallState.ENDED;
        String text =
                switch (state) {
                    case CALLING_PHONE -> "Your phone rings. Please answer it.";
                    case CALLING_OTHER -> "Calling the other side.";
                    case CONNECTED -> "You are connected.";
                    case ENDED -> reason == null ? "" : reason.sentence();
                };
        return new ShownCall(call.id(), call.destination(), state, reason, text, call.began());
    }
}
