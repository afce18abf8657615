package io.carillon.boot;

import io.carillon.servlet.kernel.CallContext;
import io.carillon.sip.bytes.LogText;
import java.util.HashMap;
import java.util.Map;

/**
 * Which call the calling thread works for, as the context of a line of the log. Asked when a line
 * is written: a call of which nothing is logged costs nothing. Any thread; stateless.
 */
final class CallFields {
    /** Before the names: a key that an application puts into its MDC is another one. */
    static final String PREFIX = "carillon.";

    /** A stranger chooses his Call-ID. */
    private static final int LONGEST = 256;

    private static final int FIELDS = 4;

    private CallFields() {}

    /** What is known; nothing outside of calls. */
    static Map<String, String> ofThread() {
        CallContext context = CallContext.ofThread();
        if (context == null) {
            return Map.of();
        }
        Map<String, String> fields = HashMap.newHashMap(FIELDS);
        put(fields, "callId", context.callId());
        put(fields, "session", context.session());
        put(fields, "application", context.application());
        put(fields, "peer", context.peer());
        return fields;
    }

    private static void put(Map<String, String> fields, String name, String value) {
        if (!value.isEmpty()) {
            String shown = LogText.safe(value);
            fields.put(
                    PREFIX + name, shown.length() <= LONGEST ? shown : shown.substring(0, LONGEST));
        }
    }
}
