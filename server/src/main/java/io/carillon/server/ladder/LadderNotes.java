package io.carillon.server.ladder;

import java.util.Locale;

/** What a ladder says beside its arrows. */
final class LadderNotes {
    private LadderNotes() {}

    static String message(TraceEvent.Message message) {
        return message.again() ? message.label() + ", again" : message.label();
    }

    /** {@code b2bua/B2bua INVITE}; the class of a listener without its package. */
    static String handler(TraceEvent.Handler handler) {
        String servlet = handler.servlet().substring(handler.servlet().lastIndexOf('.') + 1);
        String who =
                servlet.equals(handler.application())
                        ? servlet
                        : handler.application() + "/" + servlet;
        return who + " " + handler.what();
    }

    static String ran(TraceEvent.Handler handler) {
        StringBuilder text = new StringBuilder(millis(handler.tookMicros()));
        Long waited = handler.waitedMicros();
        if (waited != null && waited >= 100) {
            text.append(", waited ").append(millis(waited));
        }
        if (handler.threw()) {
            text.append(", threw an exception");
        }
        return text.toString();
    }

    /**
     * The line across a ladder where a call came from another node. What was before is in the trace
     * of that one, and gone with it where it died.
     */
    static String takenOver(TraceEvent.Note note) {
        return "taken over from " + note.about() + "; what was before is in the trace of that node";
    }

    static String note(TraceEvent.Note note) {
        if (note.what().equals(TraceEvent.TAKEN_OVER)) {
            return takenOver(note);
        }
        StringBuilder text = new StringBuilder(note.about()).append(": ").append(what(note.what()));
        if (!note.remote().isEmpty()) {
            text.append(" (").append(note.remote()).append(')');
        }
        if (!note.cause().isEmpty()) {
            text.append(", ").append(note.cause());
        }
        return text.toString();
    }

    private static String what(String counter) {
        return switch (counter) {
            case "client_timeouts" -> "nobody answered in 64*T1 (Timer B or F)";
            case "ack_timeouts" -> "no ACK came in 64*T1 (Timer H)";
            case "acks_missing" -> "no ACK came for the 2xx in 64*T1";
            case "pracks_missing" -> "no PRACK came in 64*T1";
            case "expired_unanswered" -> "the application gave no final response in 64*T1";
            case "transport_failures" -> "could not be sent";
            case "failovers" -> "the next address of the target is tried";
            case "unresolved" -> "no address was found for the target";
            case "malformed_answered" -> "malformed, refused";
            case "malformed_dropped" -> "malformed, dropped";
            case "dropped_foreign_via" -> "dropped, its top Via is not ours";
            case "dropped_several_vias" -> "dropped, it has several Vias";
            case "stray_responses" -> "belongs to no transaction";
            case "stray_cancels" -> "belongs to no request";
            case "stateless_acks" -> "dropped, it acknowledges an answer without transaction";
            case "merged_requests" -> "refused, it came by another way before";
            case "refused" -> "refused, no new calls are taken";
            case "refused_full" -> "refused, there are too many transactions";
            case "unsent_full" -> "not sent, there are too many transactions";
            case "unsent_peer_overloaded" -> "not sent, the next server has asked for less";
            case "refused_request_heap" -> "refused, open requests hold too many bytes";
            case "refused_large" -> "refused, large messages hold their part of the room";
            case "finals_not_kept" -> "sent once, large messages hold their part of the room";
            case "refused_share" -> "refused, its source holds its share of what is open";
            case "repeats_not_queued" -> "dropped, it is known already";
            case "messages_not_queued" -> "dropped, too much waits for the call; it comes again";
            case "requests_not_queued" -> "refused, too much waits for the call";
            case "finals_not_queued" -> "dropped, too much waits; the application is told 503";
            case "responses_suppressed" -> "not sent, the final response had been decided";
            default -> counter.replace('_', ' ');
        };
    }

    static String millis(long micros) {
        if (micros >= 10_000_000) {
            return String.format(Locale.ROOT, "%.1f s", micros / 1e6);
        }
        return micros >= 100_000
                ? String.format(Locale.ROOT, "%d ms", micros / 1000)
                : String.format(Locale.ROOT, "%.2f ms", micros / 1e3);
    }
}
