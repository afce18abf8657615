package io.carillon.examples.voicemail;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A message summary (RFC 3842 section 5.2).
 *
 * @param waiting whether there are new messages
 * @param fresh new voice messages
 * @param old voice messages that were heard
 */
record MessageSummary(boolean waiting, int fresh, int old) {
    private static final Pattern WAITING =
            Pattern.compile("(?im)^Messages-Waiting[ \\t]*:[ \\t]*(yes|no)");
    private static final Pattern VOICE =
            Pattern.compile(
                    "(?im)^Voice-Message[ \\t]*:[ \\t]*(\\d{1,9})[ \\t]*/[ \\t]*(\\d{1,9})");

    /** A body without the count of voice messages has none. */
    static MessageSummary parse(String body) {
        Matcher waiting = WAITING.matcher(body);
        Matcher voice = VOICE.matcher(body);
        boolean counted = voice.find();
        return new MessageSummary(
                waiting.find() && waiting.group(1).equalsIgnoreCase("yes"),
                counted ? Integer.parseInt(voice.group(1)) : 0,
                counted ? Integer.parseInt(voice.group(2)) : 0);
    }
}
