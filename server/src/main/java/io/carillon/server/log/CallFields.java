package io.carillon.server.log;

import io.carillon.servlet.kernel.CallContext;
import io.carillon.sip.bytes.LogText;
import java.util.HashMap;
import java.util.Map;
import org.apache.logging.log4j.core.util.ContextDataProvider;
import org.jspecify.annotations.Nullable;

/**
 * Puts into the context of each line which call its thread works for. Asked when a line is written,
 * on the thread that writes it; a call of which nothing is logged costs nothing. Any thread.
 */
public final class CallFields implements ContextDataProvider {
    /** Before the names: a key that an application puts into its MDC is another one. */
    static final String PREFIX = "carillon.";

    static final String CALL_ID = PREFIX + "callId";
    static final String SESSION = PREFIX + "session";
    static final String APPLICATION = PREFIX + "application";
    static final String PEER = PREFIX + "peer";

    /** A stranger chooses his Call-ID. */
    private static final int LONGEST = 256;

    /** Log4j makes it. */
    public CallFields() {}

    @Override
    public Map<String, String> supplyContextData() {
        CallContext context = CallContext.ofThread();
        if (context == null) {
            return Map.of();
        }
        Map<String, String> fields = HashMap.newHashMap(4);
        put(fields, CALL_ID, context.callId());
        put(fields, SESSION, context.session());
        put(fields, APPLICATION, context.application());
        put(fields, PEER, context.peer());
        return fields;
    }

    private static void put(Map<String, String> fields, String key, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            String shown = LogText.safe(value);
            fields.put(key, shown.length() <= LONGEST ? shown : shown.substring(0, LONGEST));
        }
    }
}
