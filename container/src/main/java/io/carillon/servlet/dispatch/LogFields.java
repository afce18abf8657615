package io.carillon.servlet.dispatch;

import io.carillon.servlet.kernel.CallContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Which call the calling thread works for: the attribute {@value #ATTRIBUTE} of a servlet context,
 * for applications that bring a logging library of their own. It consists of types of the JDK only.
 * Any thread.
 */
final class LogFields implements Supplier<Map<String, String>> {
    static final String ATTRIBUTE = "io.carillon.log-context";

    /** What is known of {@code callId}, {@code session}, {@code application} and {@code peer}. */
    @Override
    public Map<String, String> get() {
        Map<String, String> fields = new LinkedHashMap<>();
        CallContext context = CallContext.ofThread();
        if (context != null) {
            put(fields, "callId", context.callId());
            put(fields, "session", context.session());
            put(fields, "application", context.application());
            put(fields, "peer", context.peer());
        }
        return fields;
    }

    private static void put(Map<String, String> fields, String name, String value) {
        if (!value.isEmpty()) {
            fields.put(name, value);
        }
    }
}
